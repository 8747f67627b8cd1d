/// The destination that a target requests for a direct save, by writing a URI to `XdndDirectSave0`.
enum DirectSavePlace: Equatable, Sendable {
  /// The property holds nothing, or still the name that the source wrote.
  case none
  /// A file on this machine: candidate absolute paths, likeliest first. The first one whose directory exists is meant.
  case local([[UInt8]])
  /// On another machine, or not a file (`sftp:`, `trash:`).
  case elsewhere
  /// No valid destination.
  case malformed

  /// Reads the property.
  ///
  /// Peers escape differently: ROX-Filer writes the path unescaped, all others percent-encode it, and libfm includes a
  /// terminating NUL. So the path is first read as escaped and then as unescaped. Bytes that are not UTF-8 are first
  /// read as raw file system bytes and then as Latin-1, which XDS specifies.
  ///
  /// - Parameters:
  ///   - bytes: The property; empty if the target reports a failure.
  ///   - name: The name that the source wrote.
  ///   - hostName: This machine's name, as returned by `gethostname`.
  init(property bytes: [UInt8], name: [UInt8], hostName: String?) {
    let text = Array(bytes[..<(bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0)])
    guard !text.isEmpty, text != name else {
      self = .none
      return
    }
    var readings = [text]
    if String(validating: text, as: UTF8.self) == nil, let latin1 = TextEncoding.isoLatin1.string(from: text[...]) {
      readings.append(Array(latin1.utf8))
    }
    var paths: [[UInt8]] = []
    for text in readings {
      let escaped = URIList.escaping(text) { $0 >= 0x80 }
      let unescaped = URIList.escaping(text) { $0 >= 0x80 || $0 == UInt8(ascii: "%") }
      for uri in [escaped, unescaped] {
        switch FileURI.entry(of: uri, hostName: hostName) {
        case .local(let path): if Self.namesFile(path), !paths.contains(path) { paths.append(path) }
        case .otherHost, .remote:
          self = .elsewhere
          return
        case .malformed: break
        }
      }
    }
    self = paths.isEmpty ? .malformed : .local(paths)
  }

  /// Whether a path can name a file: `/tmp/` and `/tmp/..` name directories.
  private static func namesFile(_ path: [UInt8]) -> Bool {
    let leaf = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? []
    return !["", ".", ".."].contains { leaf.elementsEqual($0.utf8) } && !path.contains(0)
  }
}
