/// `file:` URIs (RFC 8089).
enum FileURI {
  /// Returns the URI of a file.
  ///
  /// All characters except unreserved ASCII are escaped: Java throws on an unescaped space, and tkdnd breaks on
  /// non-ASCII letters. A relative path has no URI; to readers, the result is malformed.
  ///
  /// - Parameters:
  ///   - path: An absolute path in the file system's bytes, which need not be UTF-8.
  ///   - host: The name of the machine that has the file. Empty for this machine: many readers just strip `file://`,
  ///     and expect the path to follow.
  static func encode(path: some Collection<UInt8>, host: String = "") -> String {
    let name = URIList.escaping(path) { !isUnreserved($0) && $0 != UInt8(ascii: "/") }
    guard path.first == UInt8(ascii: "/") else { return "file:" + name }
    return "file://" + URIList.escaping(host.utf8) { !isUnreserved($0) && $0 != UInt8(ascii: ":") } + name
  }

  /// Returns the file or other resource that a URI names.
  ///
  /// A query or fragment is part of the path, because peers that write `?` and `#` unescaped mean the file (tkdnd 2.6).
  /// A stray `%` is literal.
  static func entry(of uri: String, hostName: String?) -> FileList.Entry {
    let bytes = Array(uri.utf8)
    guard let colon = schemeEnd(of: bytes) else { return .malformed(text: uri) }
    guard isEqualIgnoringCase(bytes[..<colon], "file") else { return .remote(uri: uri) }
    var rest = bytes[(colon + 1)...]
    var host = rest.prefix(0)
    if rest.starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) {
      rest = rest.dropFirst(2)
      host = rest.prefix { $0 != UInt8(ascii: "/") }
      rest = rest[host.endIndex...]
    }
    guard rest.first == UInt8(ascii: "/"), let path = unescape(rest) else { return .malformed(text: uri) }
    if host.isEmpty || isEqualIgnoringCase(host, "localhost") { return .local(path: path) }
    if let hostName, !hostName.isEmpty, isEqualIgnoringCase(host, hostName) { return .local(path: path) }
    return .otherHost(host: String(decoding: host, as: UTF8.self), path: path)
  }

  /// Returns the index of the colon after the scheme (RFC 3986, §3.1); `nil` if there is none.
  static func schemeEnd(of uri: [UInt8]) -> Int? {
    guard uri.first?.isASCIILetter == true else { return nil }
    let end = uri.firstIndex { !$0.isASCIILetter && !$0.isASCIIDigit && !"+-.".utf8.contains($0) }
    return end.flatMap { uri[$0] == UInt8(ascii: ":") ? $0 : nil }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || "-._~".utf8.contains(byte)
  }

  private static func isEqualIgnoringCase(_ bytes: ArraySlice<UInt8>, _ name: String) -> Bool {
    bytes.lazy.map(\.asciiLowercased).elementsEqual(name.utf8.lazy.map(\.asciiLowercased))
  }

  /// Decodes a path once; `nil` for a NUL or an escaped slash, which no file name can contain.
  private static func unescape(_ path: ArraySlice<UInt8>) -> [UInt8]? {
    let slash = UInt8(ascii: "/")
    let bytes = percentDecoded(path)
    return bytes.contains(0) || bytes.count(where: { $0 == slash }) > path.count(where: { $0 == slash }) ? nil : bytes
  }

  /// Decodes percent-encoding once. A stray `%` is literal.
  static func percentDecoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    text.unescapingHex(after: UInt8(ascii: "%"))
  }
}
