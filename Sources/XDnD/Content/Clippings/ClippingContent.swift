/// What is in a clipping, read back: the value that went in, so that the same representations can be offered again.
///
/// Files of other producers are read too: links of KDE, GNOME and Windows, pages in any charset, palettes.
public enum ClippingContent: Hashable, Sendable {
  /// Text without form.
  case text(String)
  /// Text with form.
  case styledText(StyledText)
  /// A link.
  case link(Link)
  /// A colour.
  case color(Color)
  /// The bytes of the file as they are, under this type.
  case data(ContentType)

  /// Reads a file.
  ///
  /// A file with the name of a link or a palette that holds none, or more than one colour, is data: an application's
  /// `.desktop` is a document, not a link.
  ///
  /// - Parameters:
  ///   - fileName: The bytes that the file system has. Whatever is before a last slash does not count.
  ///   - bytes: What is in the file; any bytes.
  ///   - database: Knows the types of other files.
  /// - Returns: `nil` if nothing is known of files with such a name: it can be offered as a file, and as nothing else.
  public init?(fileName: [UInt8], bytes: [UInt8], database: TypeDatabase) {
    let leaf = fileName.split(separator: UInt8(ascii: "/")).last ?? []
    let dot = leaf.lastIndex(of: UInt8(ascii: ".")) ?? leaf.endIndex
    let type = database.types(forFileName: Array(leaf)).first
    // These have their meaning without a database too, and no matter what another one says.
    switch String(decoding: leaf[dot...].prefix(16).map(MIMESyntax.lowercased), as: UTF8.self) {
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
