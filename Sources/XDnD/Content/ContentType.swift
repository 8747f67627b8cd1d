/// The type of a representation: a MIME type, or the name of an X selection target. The counterpart of Apple's
/// `UTType`.
///
/// On the wire a type is an atom, whose name is compared byte by byte. Here MIME types are compared by RFC 2045: the
/// case of the type, the subtype, the parameter names and the charset is ignored, as are spaces, unnecessary quotes and
/// the order of parameters. The values of all other parameters are compared exactly.
public struct ContentType: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name as given, and as sent on the wire.
  public let name: String

  /// The normalised form for comparison; equal to ``name`` if that is normalised.
  let canonical: String

  /// Creates a type from a MIME type or the name of an X target.
  public init(_ name: String) {
    self.name = name
    self.canonical = MIMESyntax.canonicalForm(of: name)
  }

  /// Creates a type from a MIME type or the name of an X target.
  public init(stringLiteral name: String) {
    self.init(name)
  }

  /// Creates a type from a name that is normalised already.
  init(canonical name: String) {
    self.name = name
    self.canonical = name
  }

  init(_ atom: AtomName) {
    self.init(atom.rawValue)
  }

  var atomName: AtomName { AtomName(name) }

  /// Equal to ``name``.
  public var description: String { name }
}

extension ContentType: Hashable {
  /// Whether both are the same type, regardless of spelling.
  public static func == (left: ContentType, right: ContentType) -> Bool {
    // By bytes, as the X server compares names.
    AtomName(left.canonical) == AtomName(right.canonical)
  }

  /// Hashes the type regardless of spelling.
  public func hash(into hasher: inout Hasher) { AtomName(canonical).hash(into: &hasher) }
}

// MARK: Parts

extension ContentType {
  /// The part before the slash, in lower case; `nil` for an X target.
  package var type: String? {
    slash.map { String(canonical[..<$0]) }
  }

  /// The part between the slash and the parameters, in lower case; `nil` for an X target.
  package var subtype: String? {
    slash.map { String(canonical[canonical.utf8.index(after: $0)..<essenceEnd]) }
  }

  /// Returns the value of a parameter without quotes, for `charset` in lower case; `nil` if there is no such parameter.
  ///
  /// - Parameter name: The parameter's name, in any case.
  package func parameter(_ name: String) -> String? {
    guard essenceEnd != canonical.endIndex else { return nil }
    let name = name.lowercased()
    return MIMESyntax.parameters(in: canonical).first { $0.name == name }?.value
  }

  /// The type without its parameters.
  package var essence: ContentType {
    essenceEnd == canonical.endIndex ? self : ContentType(String(canonical[..<essenceEnd]))
  }

  /// Whether this is a pattern for several types, such as `image/*` or `*/*`.
  package var isWildcard: Bool { slash != nil && canonical[..<essenceEnd].hasSuffix("/*") }

  /// Whether this type, used as a pattern, covers `other`. `image/*` covers all images; `*/*` covers everything,
  /// including X targets. `other` must have all parameters of the pattern.
  package func covers(_ other: ContentType) -> Bool {
    guard isWildcard else { return self == other }
    let family = canonical[..<essenceEnd].dropLast()
    guard family == "*/" || other.canonical.hasPrefix(family) else { return false }
    return other.hasParameters(of: self)
  }

  func hasParameters(of other: ContentType) -> Bool {
    guard other.essenceEnd != other.canonical.endIndex else { return true }
    let own = Set(MIMESyntax.parameters(in: canonical))
    return own.isSuperset(of: MIMESyntax.parameters(in: other.canonical))
  }

  /// Whether this is a MIME type rather than an X target.
  var isMIME: Bool { slash != nil }

  var hasParameters: Bool { isMIME && essenceEnd != canonical.endIndex }

  /// The slash of a MIME type, not one inside a parameter.
  private var slash: String.Index? {
    canonical.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ";") }
      .flatMap { canonical.utf8[$0] == UInt8(ascii: "/") ? $0 : nil }
  }

  private var essenceEnd: String.Index {
    guard slash != nil else { return canonical.endIndex }
    return canonical.utf8.firstIndex(of: UInt8(ascii: ";")) ?? canonical.endIndex
  }
}

// MARK: Well-known types

extension ContentType {
  /// Text in UTF-8. As an accepted type, it matches text under any name.
  public static let plainText: ContentType = "text/plain;charset=utf-8"
  /// Text in UTF-8, under the name of its X target.
  package static let utf8String: ContentType = "UTF8_STRING"
  /// A list of URIs of files or other resources (RFC 2483).
  public static let uriList: ContentType = "text/uri-list"
  /// An HTML page or fragment.
  public static let html: ContentType = "text/html"
  /// Styled text in the Rich Text Format.
  public static let rtf: ContentType = "application/rtf"
  /// A JSON document.
  public static let json: ContentType = "application/json"
  /// An XML document.
  public static let xml: ContentType = "application/xml"
  /// A PDF document.
  public static let pdf: ContentType = "application/pdf"
  /// A PNG image.
  public static let png: ContentType = "image/png"
  /// A JPEG image.
  public static let jpeg: ContentType = "image/jpeg"
  /// A GIF image.
  public static let gif: ContentType = "image/gif"
  /// A TIFF image.
  public static let tiff: ContentType = "image/tiff"
  /// A WebP image.
  public static let webp: ContentType = "image/webp"
  /// An SVG drawing.
  public static let svg: ContentType = "image/svg+xml"
  /// A link with its title in UTF-16, as browsers offer it.
  package static let mozURL: ContentType = "text/x-moz-url"
  /// A link with its title in 8-bit text, as browsers offer it.
  package static let netscapeURL: ContentType = "_NETSCAPE_URL"
  /// Files that were cut or copied in a GNOME file manager.
  package static let gnomeCopiedFiles: ContentType = "x-special/gnome-copied-files"
  /// In KDE: whether the URIs offered with it were cut or copied.
  package static let kdeCutSelection: ContentType = "application/x-kde-cutselection"
  /// A colour: four 16-bit words, red, green, blue and alpha.
  public static let color: ContentType = "application/x-color"
  /// The X Direct Save protocol (XDS): the source writes a file where the target asks.
  public static let directSave: ContentType = "XdndDirectSave0"
  /// Contacts, as vCards. The counterpart of `UTType.vCard`.
  public static let vCard: ContentType = "text/vcard"
  /// Events and tasks, as an iCalendar object. The counterpart of `UTType.calendarEvent`.
  package static let calendarEvent: ContentType = "text/calendar"
  /// A mail message. The counterpart of `UTType.emailMessage`.
  package static let emailMessage: ContentType = "message/rfc822"
  /// Bytes of unknown type. `UTType.data`, which all data conforms to, is ``item`` here.
  public static let data: ContentType = "application/octet-stream"
}

// MARK: Patterns

extension ContentType {
  /// Any image. The counterpart of `UTType.image`.
  public static let image: ContentType = "image/*"
  /// Any text, with markup or without, including X targets such as `UTF8_STRING`. The counterpart of `UTType.text`.
  /// Types such as `application/json` are not covered.
  public static let text: ContentType = "text/*"
  /// Any sound. The counterpart of `UTType.audio`.
  public static let audio: ContentType = "audio/*"
  /// Any video. The counterpart of `UTType.movie`.
  public static let movie: ContentType = "video/*"
  /// Anything. The counterpart of `UTType.item`.
  public static let item: ContentType = "*/*"
}

// MARK: Conformance

extension ContentType {
  /// Whether content of this type can be read as content of another one. The counterpart of `UTType.conforms(to:)`.
  ///
  /// - Parameters:
  ///   - other: A type, or a pattern such as ``image``.
  ///   - database: The database of aliases and subtypes. See ``TypeDatabase/conforms(_:to:)`` for the rules.
  public func conforms(to other: ContentType, in database: TypeDatabase = .builtIn) -> Bool {
    database.conforms(self, to: other)
  }
}

extension [ContentType] {
  /// The names of the types, except names that no atom can have.
  var atomNames: [AtomName] { map(\.atomName).filter(\.isValid) }
}
