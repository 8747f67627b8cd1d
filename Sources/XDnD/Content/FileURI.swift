/// `file:` URIs (RFC 8089).
enum FileURI {
  /// Returns the URI of a file.
  ///
  /// All characters except unreserved ASCII are escaped: Java throws on an unescaped space, and tkdnd breaks on
  /// non-ASCII letters. A relative path has no URI, and no reader takes the result for a file.
  ///
  /// - Parameters:
  ///   - path: An absolute path in the file system's bytes, which need not be UTF-8.
  ///   - host: The name of the machine that has the file. Empty for this machine: more readers just strip `file://`
  ///     than check for another machine.
  static func encode(path: some Collection<UInt8>, host: String = "") -> String {
    let name = URIList.escaping(path) { !isUnreserved($0) && $0 != UInt8(ascii: "/") }
    guard path.first == UInt8(ascii: "/") else { return "file:" + name }
    return "file://" + URIList.escaping(host.utf8) { !isUnreserved($0) && $0 != UInt8(ascii: ":") } + name
  }

  /// Returns the path of a URI that names a file on this machine; `nil` for any other URI.
  static func localPath(of uri: String, hostName: String?) -> [UInt8]? {
    guard case .local(let path) = entry(of: uri, hostName: hostName) else { return nil }
    return path
  }

  /// Returns what a URI names.
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
    for (index, byte) in uri.enumerated() {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): continue
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
        if index == 0 { return nil }
      case UInt8(ascii: ":"): return index == 0 ? nil : index
      default: return nil
      }
    }
    return nil
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func isEqualIgnoringCase(_ bytes: ArraySlice<UInt8>, _ name: String) -> Bool {
    guard bytes.count == name.utf8.count else { return false }
    return zip(bytes, name.utf8).allSatisfy { lowercase($0) == lowercase($1) }
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }

  /// Decodes percent-encoding once; `nil` for an escaped NUL or slash, which no file name can contain.
  private static func unescape(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = text.startIndex
    while index < text.endIndex {
      if text[index] == UInt8(ascii: "%"), index + 2 < text.endIndex, let high = digit(text[index + 1]),
        let low = digit(text[index + 2])
      {
        let byte = high << 4 | low
        guard byte != 0, byte != UInt8(ascii: "/") else { return nil }
        bytes.append(byte)
        index += 3
      } else {
        guard text[index] != 0 else { return nil }
        bytes.append(text[index])
        index += 1
      }
    }
    return bytes
  }

  /// Returns the value of a hexadecimal digit.
  static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
