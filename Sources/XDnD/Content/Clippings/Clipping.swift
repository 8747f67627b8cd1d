/// A file to create from dropped content that is not a file, as file managers do.
///
/// ``ClippingContent`` reads it back. `docs/clippings.md` explains the formats.
package struct Clipping: Hashable, Sendable {
  /// The file name with its extension, derived from the content. It may collide with an existing file; see
  /// ``FileName/numbered(_:_:)``.
  package var name: String
  package var type: ContentType
  package var bytes: [UInt8]

  /// The file format of a link.
  package enum LinkFormat: Hashable, Sendable {
    /// A desktop entry of type `Link`, as Linux file managers create it.
    case desktop
    /// An internet shortcut, as Windows creates it; readable on all systems.
    case url
  }

  /// Creates a `.txt` file in UTF-8 from text without markup.
  ///
  /// - Parameters:
  ///   - text: The text; the file is named after its first words.
  ///   - fallbackName: A name without extension, for text without words.
  package init(text: String, fallbackName: String) {
    name = ClippingName.name(ClippingName.words(of: text), fallback: fallbackName, suffix: ".txt")
    type = .plainText
    bytes = TextFile.write(text)
  }

  /// Creates an `.html` file from styled text.
  ///
  /// - Parameters:
  ///   - text: The HTML; the file is named after its title, its first heading or its first words.
  ///   - fallbackName: A name without extension, for a page without words.
  package init(_ text: StyledText, fallbackName: String) {
    name = ClippingName.name(ClippingName.words(of: text), fallback: fallbackName, suffix: ".html")
    type = .html
    bytes = HTMLFile.write(text)
  }

  /// Creates a file from a link.
  ///
  /// Characters that a URL cannot contain are percent-encoded, and the title is written in one line, as in a transfer.
  ///
  /// - Parameters:
  ///   - link: The link; the file is named after its title, or after the host and the last path component.
  ///   - format: The file format.
  ///   - fallbackName: A name without extension, for a URL without readable parts.
  package init(_ link: Link, as format: LinkFormat = .desktop, fallbackName: String) {
    let isDesktop = format == .desktop
    name = ClippingName.name(
      ClippingName.words(of: link), fallback: fallbackName, suffix: isDesktop ? ".desktop" : ".url")
    type = isDesktop ? LinkFile.desktopType : LinkFile.shortcutType
    bytes = isDesktop ? LinkFile.desktopEntry(link) : LinkFile.internetShortcut(link)
  }

  /// Creates a GIMP palette with one entry from a colour.
  ///
  /// - Parameters:
  ///   - color: The colour; the file is named after its CSS notation.
  ///   - fallbackName: Not used, because a colour always has a name.
  package init(_ color: Color, fallbackName: String) {
    name = ClippingName.name(ClippingName.words(of: color), fallback: fallbackName, suffix: ".gpl")
    type = Palette.type
    bytes = Palette.write(color)
  }

  /// Creates a file from content of any other type, with its bytes unchanged.
  ///
  /// Without a suggested name, a contact is named after the person.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - type: The content's type, which determines the extension.
  ///   - suggestedName: A name from an untrusted source, such as the drag source.
  ///   - fallbackName: A name without extension, if there is no usable name.
  ///   - database: The database of extensions.
  package init(
    bytes: [UInt8], of type: ContentType, suggestedName: String? = nil, fallbackName: String, database: TypeDatabase
  ) {
    let title = suggestedName == nil ? ClippingName.words(of: bytes, as: type) : nil
    name = Self.name(
      for: type, suggestedName: suggestedName, fallbackName: title ?? fallbackName, database: database)
    self.type = type
    self.bytes = bytes
  }

  /// Returns the name for content that is written to a file unchanged.
  ///
  /// A suggested name keeps its extension if that belongs to the type or a subtype; otherwise the type's preferred
  /// extension is added. Bytes of unknown type (`application/octet-stream`) keep the suggested name. A type without an
  /// extension uses the extension of its nearest supertype that has one, or `bin`.
  ///
  /// - Parameters:
  ///   - type: The type of the content.
  ///   - suggestedName: A name from an untrusted source; only its last path component is used.
  ///   - fallbackName: A name without extension, if the suggested name is missing or unusable.
  ///   - database: The database of extensions.
  package static func name(
    for type: ContentType, suggestedName: String?, fallbackName: String, database: TypeDatabase
  ) -> String {
    // X targets whose bytes are plain text.
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

  /// The database is an untrusted file.
  private static func isSafe(_ suffix: String) -> Bool {
    suffix.utf8.count <= 32 && !suffix.hasPrefix(".") && FileName.sanitized(Array("x.\(suffix)".utf8)) == "x.\(suffix)"
  }
}
