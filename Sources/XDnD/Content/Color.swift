/// A colour with 16 bits per component and straight (not premultiplied) alpha. The counterpart of `NSColor` or
/// `UIColor` on a pasteboard.
public struct Color: Hashable, Sendable {
  /// The red component, 0 to 65 535.
  public var red: UInt16
  /// The green component, 0 to 65 535.
  public var green: UInt16
  /// The blue component, 0 to 65 535.
  public var blue: UInt16
  /// The opacity, from 0 (transparent) to 65 535 (opaque).
  public var alpha: UInt16

  /// Creates a colour from its components.
  ///
  /// - Parameters:
  ///   - red: 0 to 65 535.
  ///   - green: 0 to 65 535.
  ///   - blue: 0 to 65 535.
  ///   - alpha: 0 is transparent, 65 535 opaque.
  public init(red: UInt16, green: UInt16, blue: UInt16, alpha: UInt16 = .max) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// The types that can be decoded, best first.
  package static let importableTypes: [ContentType] = ["application/x-color"] + PlainText.importableTypes
  /// The types to offer, best first.
  package static let exportableTypes: [ContentType] = ["application/x-color"] + PlainText.exportableTypes

  /// Decodes a colour: four 16-bit units in the machine's byte order, as GTK and Qt write them in a property of any
  /// format, or a CSS notation in plain text, such as `#rrggbb` or `rgb(255, 0, 0)`.
  ///
  /// - Throws: ``ContentError`` if `type` is neither or has an unknown charset, or if the bytes are not a colour.
  package init(decoding bytes: [UInt8], as type: ContentType) throws(ContentError) {
    if PlainText.isForm(type) {
      let text = try PlainText(decoding: bytes, as: type).text
      guard let color = ColorNotation.read(text) else { throw .malformed(type, "the text is no colour") }
      self = color
      return
    }
    guard Self.isForm(type) else { throw .unsupported(type, for: "a colour") }
    guard bytes.count == 8 else { throw .malformed(type, "there are \(bytes.count) bytes, not 8") }
    let units = bytes.withUnsafeBytes { bytes in
      (0..<4).map { bytes.loadUnaligned(fromByteOffset: $0 * 2, as: UInt16.self) }
    }
    self.init(red: units[0], green: units[1], blue: units[2], alpha: units[3])
  }

  /// Encodes the colour: as four units in the machine's byte order, or in plain text as the shortest exact one of
  /// `#rrggbb`, `#rrggbbaa`, `#rrrrggggbbbb` and `#rrrrggggbbbbaaaa`.
  ///
  /// - Throws: ``ContentError`` if `type` is neither `application/x-color` nor plain text, or if its charset is
  ///   unknown.
  package func encoded(as type: ContentType) throws(ContentError) -> [UInt8] {
    if PlainText.isForm(type) { return try PlainText(ColorNotation.write(self)).encoded(as: type) }
    guard Self.isForm(type) else { throw .unsupported(type, for: "a colour") }
    return [red, green, blue, alpha].flatMap { unit in withUnsafeBytes(of: unit) { Array($0) } }
  }

  private static func isForm(_ type: ContentType) -> Bool { TextLabel(type).base == "application/x-color" }
}
