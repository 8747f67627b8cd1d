import XDnD

/// The part of a property's value that `GetProperty` returns.
extension PropertyValue {
  /// The maximum number of bytes of a page. Values of format 32 are one page.
  private static let pageSize = 1 << 18

  var format: Int {
    if case .units(_, let unit) = contents { unit.rawValue } else { 32 }
  }

  var byteCount: Int {
    switch contents {
    case .units(let bytes, _): bytes.count
    case .words(let words): words.count * 4
    case .atoms(let atoms): atoms.count * 4
    }
  }

  /// Reads a page.
  ///
  /// - Parameters:
  ///   - offset: The start of the page in bytes, at most ``byteCount``.
  ///   - atom: Returns the atom of a name.
  ///   - part: Called with the bytes of the page, if it has any.
  /// - Returns: The number of bytes after the page.
  func readPage(from offset: Int, atom: (AtomName) -> Atom, part: (UnsafeRawBufferPointer) -> Void) -> Int {
    switch contents {
    case .units(let bytes, _):
      let page = bytes.dropFirst(offset).prefix(Self.pageSize)
      if !page.isEmpty { page.withUnsafeBytes(part) }
      return bytes.count - offset - page.count
    case .words(let words):
      if !words.isEmpty { words.withUnsafeBytes(part) }
    case .atoms(let atoms):
      let words = atoms.map { $0.map { atom($0).rawValue } ?? 0 }
      if !words.isEmpty { words.withUnsafeBytes(part) }
    }
    return 0
  }
}
