/// What kind of content a representation is: a MIME type, or the name of an X target.
///
/// On the wire it is an atom, and names of atoms are compared byte by byte. MIME types are compared here the way
/// RFC 2045 has it: type, subtype and charset without regard to case, spaces around `;` do not count.
public struct ContentType: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name as it was given, and as it goes on the wire.
  public let name: String

  /// The form in which types are compared.
  private let canonical: String

  /// A type by its MIME name or the name of its X target.
  public init(_ name: String) {
    self.name = name
    self.canonical = Self.canonicalForm(of: name)
  }

  /// A type by its MIME name or the name of its X target.
  public init(stringLiteral name: String) {
    self.init(name)
  }

  init(_ atom: AtomName) {
    self.init(atom.rawValue)
  }

  var atomName: AtomName { AtomName(name) }

  /// Whether this type, taken as a pattern, covers another: `image/*` covers all images, `*/*` covers everything,
  /// names of X targets too.
  func covers(_ other: ContentType) -> Bool {
    if canonical == "*/*" { return true }
    guard canonical.hasSuffix("/*") else { return self == other }
    return other.canonical.hasPrefix(canonical.dropLast())
  }

  /// The bare name.
  public var description: String { name }

  /// X targets (`UTF8_STRING`) have no slash and stay as they are.
  private static func canonicalForm(of name: String) -> String {
    guard name.contains("/") else { return name }
    return name.lowercased().filter { $0 != " " && $0 != "\"" }
  }
}

extension ContentType: Hashable {
  /// Whether both name the same type, whatever the case.
  public static func == (left: ContentType, right: ContentType) -> Bool { left.canonical == right.canonical }

  /// Hashes what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }
}

extension ContentType {
  /// Text in UTF-8.
  public static let plainText: ContentType = "text/plain;charset=utf-8"
  /// Files and other resources by their URIs, RFC 2483.
  public static let uriList: ContentType = "text/uri-list"
  /// A page or a fragment of one.
  public static let html: ContentType = "text/html"
  /// A PNG image.
  public static let png: ContentType = "image/png"
  /// Bytes of which nothing is known.
  public static let data: ContentType = "application/octet-stream"
}
