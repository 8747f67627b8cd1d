/// A colour, 16 bits a component, not multiplied by its opacity.
public struct Color: Hashable, Sendable {
  /// 0 to 65 535.
  public var red: UInt16
  /// 0 to 65 535.
  public var green: UInt16
  /// 0 to 65 535.
  public var blue: UInt16
  /// 0 is transparent, 65 535 opaque.
  public var alpha: UInt16

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

  /// The types that can be read, best first.
  public static let importableTypes: [ContentType] = ["application/x-color"] + PlainText.importableTypes
  /// The types to offer, best first.
  public static let exportableTypes: [ContentType] = ["application/x-color"] + PlainText.exportableTypes

  /// Reads four units of 16 bits in the machine's order, as GTK and Qt write them whatever the format of the
  /// property; or a notation of CSS out of plain text: `#rrggbb`, `rgb(255, 0, 0)` and their kin.
  public init(decoding bytes: [UInt8], as type: ContentType) throws(ContentError) {
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

  /// Four units in the machine's order, or the shortest of `#rrggbb`, `#rrggbbaa`, `#rrrrggggbbbb` and
  /// `#rrrrggggbbbbaaaa` that is exact.
  public func encoded(as type: ContentType) throws(ContentError) -> [UInt8] {
    if PlainText.isForm(type) { return try PlainText(ColorNotation.write(self)).encoded(as: type) }
    guard Self.isForm(type) else { throw .unsupported(type, for: "a colour") }
    return [red, green, blue, alpha].flatMap { unit in withUnsafeBytes(of: unit) { Array($0) } }
  }

  private static func isForm(_ type: ContentType) -> Bool { TextLabel(type).base == "application/x-color" }
}
