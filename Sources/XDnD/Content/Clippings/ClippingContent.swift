/// The value in a clipping file, so that the same representations can be offered again.
///
/// Also reads files of other programs: links of KDE, GNOME and Windows, HTML in any charset, palettes.
package enum ClippingContent: Hashable, Sendable {
  /// Text without markup.
  case text(String)
  case styledText(StyledText)
  case link(Link)
  case color(Color)
  /// Any other content, as the bytes of the file; the associated value is their type.
  case data(ContentType)

  /// Reads a clipping.
  ///
  /// A file with the extension of a link or palette is data if it holds no link, no colour or several colours: an
  /// application's `.desktop` file is a document, not a link.
  ///
  /// - Parameters:
  ///   - fileName: The file name in the file system's bytes. Everything up to the last slash is ignored.
  ///   - bytes: The content of the file.
  ///   - database: The database of types, for file names without one of the built-in extensions.
  /// - Returns: `nil` if the file name has no known type: the file can only be offered as a file.
  package init?(fileName: [UInt8], bytes: [UInt8], database: TypeDatabase) {
    let leaf = fileName.split(separator: UInt8(ascii: "/")).last ?? []
    let dot = leaf.lastIndex(of: UInt8(ascii: ".")) ?? leaf.endIndex
    let type = database.types(forFileName: Array(leaf)).first
    // These extensions do not depend on the database.
    switch String(decoding: leaf[dot...].prefix(16).map(\.asciiLowercased), as: UTF8.self) {
    case ".desktop", ".kdelnk":
      self = LinkFile.readDesktopEntry(bytes).map(Self.link) ?? .data(type ?? LinkFile.desktopType)
    case ".url":
      let title = FileName.sanitized(Array(leaf[..<dot]))
      self = LinkFile.readInternetShortcut(bytes, title: title).map(Self.link) ?? .data(type ?? LinkFile.shortcutType)
    case ".gpl": self = Palette.read(bytes).map(Self.color) ?? .data(type ?? Palette.type)
    case ".txt": self = TextFile.read(bytes).map(Self.text) ?? .data(type ?? .plainText)
    case ".html", ".htm": self = .styledText(HTMLFile.read(bytes))
    case ".bin": self = .data(type ?? .data)
    default:
      guard let type else { return nil }
      switch type {
      case "text/plain": self = TextFile.read(bytes).map(Self.text) ?? .data(type)
      case .html: self = .styledText(HTMLFile.read(bytes))
      default: self = .data(type)
      }
    }
  }
}
