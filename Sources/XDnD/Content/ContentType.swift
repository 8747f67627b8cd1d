/// What kind of content a representation is: a MIME type, or the name of an X target.
///
/// On the wire it is an atom, and names of atoms are compared byte by byte. MIME types are compared here the way
/// RFC 2045 has it: type, subtype, names of parameters and the charset without regard to case; neither spaces nor
/// quotes that are not needed nor the order of parameters count. Every other parameter does.
public struct ContentType: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name as it was given, and as it goes on the wire.
  public let name: String

  /// The form in which types are compared; the name itself where it is in that form already.
  let canonical: String

  /// A type by its MIME name or the name of its X target.
  public init(_ name: String) {
    self.name = name
    self.canonical = MIMESyntax.canonicalForm(of: name)
  }

  /// A type by its MIME name or the name of its X target.
  public init(stringLiteral name: String) {
    self.init(name)
  }

  init(_ atom: AtomName) {
    self.init(atom.rawValue)
  }

  var atomName: AtomName { AtomName(name) }

  /// The bare name.
  public var description: String { name }
}

extension ContentType: Hashable {
  /// Whether both name the same type, however they are written.
  public static func == (left: ContentType, right: ContentType) -> Bool {
    left.canonical.utf8.count == right.canonical.utf8.count && left.canonical.utf8.elementsEqual(right.canonical.utf8)
  }

  /// Hashes what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    var canonical = canonical
    canonical.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

// MARK: Parts

extension ContentType {
  /// What is before the slash, in small letters; `nil` for the name of an X target.
  public var type: String? {
    slash.map { String(canonical[..<$0]) }
  }

  /// What is behind the slash and before the parameters, in small letters; `nil` for the name of an X target.
  public var subtype: String? {
    slash.map { String(canonical[canonical.utf8.index(after: $0)..<essenceEnd]) }
  }

  /// The value of a parameter, without its quotes; that of `charset` in small letters.
  ///
  /// - Parameter name: In any case.
  public func parameter(_ name: String) -> String? {
    guard essenceEnd != canonical.endIndex else { return nil }
    let name = name.lowercased()
    return MIMESyntax.parameters(in: canonical).first { $0.name == name }?.value
  }

  /// The type without its parameters.
  public var essence: ContentType {
    essenceEnd == canonical.endIndex ? self : ContentType(String(canonical[..<essenceEnd]))
  }

  /// Whether it stands for more than one type: `image/*`, `*/*`.
  public var isWildcard: Bool { slash != nil && canonical[..<essenceEnd].hasSuffix("/*") }

  /// Whether this type, taken as a pattern, covers another: `image/*` covers all images, `*/*` covers everything,
  /// names of X targets too. A parameter of the pattern must be there.
  public func covers(_ other: ContentType) -> Bool {
    guard isWildcard else { return self == other }
    let family = canonical[..<essenceEnd].dropLast()
    guard family == "*/" || other.canonical.hasPrefix(family) else { return false }
    return other.hasParameters(of: self)
  }

  /// Whether it has at least the parameters of another type.
  func hasParameters(of other: ContentType) -> Bool {
    guard other.essenceEnd != other.canonical.endIndex else { return true }
    let own = MIMESyntax.parameters(in: canonical)
    return MIMESyntax.parameters(in: other.canonical).allSatisfy { own.contains($0) }
  }

  /// Whether it is a MIME type and not the name of an X target.
  var isMIME: Bool { slash != nil }

  var hasParameters: Bool { isMIME && essenceEnd != canonical.endIndex }

  /// A slash in a parameter makes no MIME type.
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
  /// Text in UTF-8. Wanted, it stands for text under whatever name.
  public static let plainText: ContentType = "text/plain;charset=utf-8"
  /// Text in UTF-8, by the name of its X target.
  public static let utf8String: ContentType = "UTF8_STRING"
  /// Files and other resources by their URIs, RFC 2483.
  public static let uriList: ContentType = "text/uri-list"
  /// A page or a fragment of one.
  public static let html: ContentType = "text/html"
  /// Text with its form, in the Rich Text Format.
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
  /// A link with its title, in UTF-16, as browsers drag it.
  public static let mozURL: ContentType = "text/x-moz-url"
  /// A link with its title, in bytes, as browsers drag it.
  public static let netscapeURL: ContentType = "_NETSCAPE_URL"
  /// Files that were cut or copied in a file manager of GNOME.
  public static let gnomeCopiedFiles: ContentType = "x-special/gnome-copied-files"
  /// Says that the URIs beside it were cut and not copied, in KDE.
  public static let kdeCutSelection: ContentType = "application/x-kde-cutselection"
  /// A colour: four words of 16 bits, red, green, blue, alpha.
  public static let color: ContentType = "application/x-color"
  /// The X Direct Save protocol: the source writes a file where the target says.
  public static let directSave: ContentType = "XdndDirectSave0"
  /// Bytes of which nothing is known.
  public static let data: ContentType = "application/octet-stream"
}
