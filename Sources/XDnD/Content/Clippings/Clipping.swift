/// Content that becomes a file: what a file manager makes of a drop that is no file.
///
/// ``ClippingContent`` reads it back. Why these formats: `docs/decisions/0017-clippings.md`.
public struct Clipping: Hashable, Sendable {
  /// The name of the file: a leaf with its extension, made of the content. Whether there is such a file already, nobody
  /// has looked; see ``FileName/numbered(_:_:)``.
  public var name: String
  /// The type of the file.
  public var type: ContentType
  /// What is in the file.
  public var bytes: [UInt8]

  /// How a link is written.
  public enum LinkFormat: Hashable, Sendable {
    /// A desktop entry of the type `Link`: what file managers of Linux make.
    case desktop
    /// An internet shortcut: what Windows makes, and everybody reads.
    case url
  }

  /// Text without form: a file `.txt` with its characters in UTF-8.
  ///
  /// - Parameters:
  ///   - text: The characters; the name is made of the first words.
  ///   - fallbackName: A name without extension, for text that has no words.
  public init(text: String, fallbackName: String) {
    name = ClippingName.name(ClippingName.words(of: text), fallback: fallbackName, suffix: ".txt")
    type = .plainText
    bytes = TextFile.write(text)
  }

  /// Text with form: a file `.html`.
  ///
  /// - Parameters:
  ///   - text: The HTML; the name is its title, its first heading or its first words.
  ///   - fallbackName: A name without extension, for a page that has no words.
  public init(_ text: StyledText, fallbackName: String) {
    name = ClippingName.name(ClippingName.words(of: text), fallback: fallbackName, suffix: ".html")
    type = .html
    bytes = HTMLFile.write(text)
  }

  /// A link.
  ///
  /// What cannot stand in a URL is percent-encoded, and a title is written in one line, as in a transfer.
  ///
  /// - Parameters:
  ///   - link: Where it leads; the name is its title, or the host and the last part of the path.
  ///   - format: How it is written.
  ///   - fallbackName: A name without extension, for a URL that has nothing readable.
  public init(_ link: Link, as format: LinkFormat = .desktop, fallbackName: String) {
    let isDesktop = format == .desktop
    name = ClippingName.name(
      ClippingName.words(of: link), fallback: fallbackName, suffix: isDesktop ? ".desktop" : ".url")
    type = isDesktop ? LinkFile.desktopType : LinkFile.shortcutType
    bytes = isDesktop ? LinkFile.desktopEntry(link) : LinkFile.internetShortcut(link)
  }

  /// A colour: a palette of GIMP with one entry.
  ///
  /// - Parameters:
  ///   - color: The colour; the name is how CSS writes it.
  ///   - fallbackName: As with all others; a colour always has its own name.
  public init(_ color: Color, fallbackName: String) {
    name = ClippingName.name(ClippingName.words(of: color), fallback: fallbackName, suffix: ".gpl")
    type = Palette.type
    bytes = Palette.write(color)
  }

  /// Content of any other type: its bytes as they are.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - type: Its type, which says which extension the name gets.
  ///   - suggestedName: What somebody else would call it, from wherever.
  ///   - fallbackName: A name without extension, if that is none.
  ///   - database: Knows the extensions.
  public init(
    bytes: [UInt8], of type: ContentType, suggestedName: String? = nil, fallbackName: String, database: TypeDatabase
  ) {
    name = Self.name(for: type, suggestedName: suggestedName, fallbackName: fallbackName, database: database)
    self.type = type
    self.bytes = bytes
  }

  /// The name alone, for content that goes into a file as it comes.
  ///
  /// A suggested name keeps its extension if it is one of the type's or of a special case of it, and gets the usual one
  /// of the type added if not. Bytes of which nothing is known (`application/octet-stream`) are called as suggested.
  /// What has no extension of its own gets that of what it is a special case of, and `bin` in the end.
  ///
  /// - Parameters:
  ///   - type: The type of the content.
  ///   - suggestedName: What somebody else would call it, from wherever; only its last component is used.
  ///   - fallbackName: A name without extension, if that is none.
  ///   - database: Knows the extensions.
  public static func name(
    for type: ContentType, suggestedName: String?, fallbackName: String, database: TypeDatabase
  ) -> String {
    // Names of X targets that say no more than that it is text.
    let isText = !type.isMIME && PlainText.isForm(type) && type != "COMPOUND_TEXT"
    let type = isText ? "text/plain" : database.canonical(type).essence
    let suggestion = suggestedName.flatMap { FileName.sanitized(Array($0.utf8)) }
    if let suggestion, type == .data || isName(suggestion, of: type, database) { return suggestion }
    let suffix = "." + (fileExtension(for: type, database) ?? "bin")
    return ClippingName.name(suggestion, fallback: fallbackName, suffix: suffix)
  }

  private static func isName(_ name: String, of type: ContentType, _ database: TypeDatabase) -> Bool {
    database.types(forFileName: Array(name.utf8)).contains { database.conforms($0, to: type) }
  }

  private static func fileExtension(for type: ContentType, _ database: TypeDatabase) -> String? {
    let types = type.isMIME && !type.isWildcard ? [type] + database.supertypes(of: type) : []
    return types.lazy.compactMap { database.preferredExtension(for: $0) }.first(where: isSafe)
  }

  /// The database is somebody else's file.
  private static func isSafe(_ suffix: String) -> Bool {
    suffix.utf8.count <= 32 && !suffix.hasPrefix(".") && FileName.sanitized(Array("x.\(suffix)".utf8)) == "x.\(suffix)"
  }
}
