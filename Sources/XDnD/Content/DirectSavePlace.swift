/// Where a target wants a file to be saved: what it has written to `XdndDirectSave0`.
enum DirectSavePlace: Equatable, Sendable {
  /// Nothing has been written, or what is there is the name that we have put there.
  case none
  /// On this machine: absolute paths, the likeliest first. The first whose directory exists is meant.
  case local([[UInt8]])
  /// On another machine, or on no machine at all (`sftp:`, `trash:`).
  case elsewhere
  /// Nothing that can be a place.
  case malformed

  /// Reads the property.
  ///
  /// Nobody escapes alike: ROX-Filer writes the path as it is, everybody else percent-encodes; libfm counts the NUL of a C
  /// string. So a path is taken as escaped first and as it is next, and bytes that are not UTF-8 as bytes first, as the
  /// file system has them, and as Latin-1 next, which is what the specification of XDS means.
  ///
  /// - Parameters:
  ///   - bytes: The property; empty if the target has failed.
  ///   - name: What we have put there.
  ///   - hostName: This machine's name, as `gethostname` gives it.
  init(property bytes: [UInt8], name: [UInt8], hostName: String?) {
    let text = Array(bytes[..<(bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0)])
    guard !text.isEmpty, text != name else {
      self = .none
      return
    }
    var readings = [text]
    if String(validating: text, as: UTF8.self) == nil {
      readings.append(Array(text.map { Character(Unicode.Scalar($0)) }.reduce(into: "") { $0.append($1) }.utf8))
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

  /// Whether a path can be that of a file: `/tmp/` and `/tmp/..` are directories.
  private static func namesFile(_ path: [UInt8]) -> Bool {
    let leaf = path.suffix(while: { $0 != UInt8(ascii: "/") })
    return !leaf.isEmpty && leaf != [UInt8(ascii: ".")] && leaf != Array("..".utf8)[...] && !path.contains(0)
  }
}

extension [UInt8] {
  /// The longest end of which all elements satisfy `predicate`.
  fileprivate func suffix(while predicate: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    self[(lastIndex { !predicate($0) }.map { $0 + 1 } ?? startIndex)...]
  }
}
