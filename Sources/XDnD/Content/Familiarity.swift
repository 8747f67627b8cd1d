/// How far a MIME type is known beyond the program that offers it.
///
/// Programs list the form that only they read first: Writer its own XML before RTF, HTML and text, Java its serialized objects,
/// gpick its list of colours before the colour. Who takes anything is served better by what somebody else can open.
enum Familiarity: Int, Hashable, Sendable {
  /// Programs of every kind show it: pages, pictures, links, colours, lists of files.
  case shown
  /// A document of a type that the database knows.
  case known
  /// Bytes that one program or family understands.
  case opaque

  /// - Parameter type: A MIME type that is not plain text.
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

  /// Families of types that are for everybody, whatever the subtype.
  private static let readable: Set<String> = ["text", "audio", "video", "font", "message", "model"]
}

extension ContentType {
  /// Whether it is in the tree of a vendor or a person, RFC 6838, sections 3.2 and 3.3: known to their programs.
  fileprivate var isOfVendor: Bool {
    guard type == "application", let subtype else { return false }
    return ["vnd.", "prs.", "x."].contains { subtype.hasPrefix($0) }
  }
}
