/// How widely a MIME type is understood beyond the program that offers it.
///
/// Many programs list their private format first: LibreOffice Writer its own XML before RTF, HTML and text, Java
/// serialized objects, gpick its list of colours before the colour. A target that accepts any type is better served by
/// a format that other programs can read.
enum Familiarity: Int, Hashable, Sendable {
  /// Displayable by all kinds of programs: pages, images, links, colours, file lists.
  case shown
  /// A document whose type is in the MIME database, or whose top-level type is generally readable.
  case known
  /// A format of one program or toolkit.
  case opaque

  /// - Parameter type: A MIME type other than plain text.
  init(of type: ContentType, _ database: TypeDatabase) {
    let essence = database.canonical(type).essence
    if let name = WireName.of(type) {
      self = name.role == .content ? .shown : .opaque
    } else if essence.type == "image" || essence == .html || essence == "application/xhtml+xml" {
      self = .shown
    } else if essence.isOfVendor {
      self = .opaque
    } else {
      let isKnown = Self.readable.contains(essence.type ?? "") || database.isKnown(essence)
      self = isKnown ? .known : .opaque
    }
  }

  /// Top-level types that are generally readable, whatever the subtype.
  private static let readable: Set<String> = ["text", "audio", "video", "font", "message", "model"]
}

extension ContentType {
  /// Whether an `application` type is in the vendor, personal or unregistered tree (RFC 6838, §3.2 to §3.4).
  fileprivate var isOfVendor: Bool {
    guard type == "application", let subtype else { return false }
    return ["vnd.", "prs.", "x."].contains { subtype.hasPrefix($0) }
  }
}
