/// `text/uri-list`: one URI a line, RFC 2483, section 5.
///
/// Written strictly, with CRLF after each line, the last too: FLTK wants to see one, and some readers lose the last
/// line otherwise. Read leniently: Chromium separates by LF alone, some peers end with a NUL.
enum URIList {
  static func encode(_ uris: [String]) -> [UInt8] {
    uris.flatMap { Array($0.utf8) + [0x0D, 0x0A] }
  }

  /// The URIs, without comments and empty lines.
  static func decode(_ bytes: some Collection<UInt8>) -> [String] {
    bytes.split { $0 == 0x0D || $0 == 0x0A || $0 == 0 }
      .filter { $0.first != UInt8(ascii: "#") }
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

/// `file:` URIs, RFC 8089.
enum FileURI {
  /// The URI of a file on this machine.
  ///
  /// The host is empty: readers that cut off `file://` outnumber those that look for another host. Everything but
  /// unreserved ASCII is escaped: Java throws on a raw space, tkdnd breaks on letters beyond ASCII.
  ///
  /// - Parameter path: Absolute, as the bytes that the file system has; they need not be UTF-8.
  static func encode(path: some Sequence<UInt8>) -> String {
    var uri = "file://"
    let digits = Array("0123456789ABCDEF".unicodeScalars)
    for byte in path {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        uri.unicodeScalars.append("%")
        uri.unicodeScalars.append(digits[Int(byte >> 4)])
        uri.unicodeScalars.append(digits[Int(byte & 15)])
      }
    }
    return uri
  }

  /// The path that a URI names on this machine; `nil` if it names anything else.
  ///
  /// Takes `file:/path`, `file:///path`, `file://localhost/path` and `file://HOST/path` with our own name.
  static func localPath(of uri: String, hostName: String?) -> [UInt8]? {
    var rest = Array(uri.utf8)[...]
    let scheme = Array("file:".utf8)
    guard rest.count > scheme.count,
      zip(rest, scheme).allSatisfy({ $0 | 0x20 == $1 || $0 == $1 })
    else { return nil }
    rest = rest.dropFirst(scheme.count)
    if rest.starts(with: Array("//".utf8)) {
      rest = rest.dropFirst(2)
      guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
      let host = String(decoding: rest[..<slash], as: UTF8.self).lowercased()
      guard host.isEmpty || host == "localhost" || host == hostName?.lowercased() else { return nil }
      rest = rest[slash...]
    }
    guard rest.first == UInt8(ascii: "/") else { return nil }
    return unescape(rest)
  }

  /// Undoes percent-encoding, once; `nil` for a NUL, which no path can hold. A stray `%` stands for itself.
  private static func unescape(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var index = text.startIndex
    while index < text.endIndex {
      if text[index] == UInt8(ascii: "%"), index + 2 < text.endIndex, let high = digit(text[index + 1]),
        let low = digit(text[index + 2])
      {
        bytes.append(high << 4 | low)
        index += 3
      } else {
        bytes.append(text[index])
        index += 1
      }
    }
    return bytes.contains(0) ? nil : bytes
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
