/// A colour as a GIMP palette with one entry, which Inkscape, Krita and other programs also read.
///
/// Entries have 8 bits per component and no opacity. The name of the entry is the colour in exact notation. Decoding
/// uses the name if it matches the entry in 8 bits.
enum Palette {
  /// Krita's name for the type; the shared MIME-info database has none.
  static let type: ContentType = "application/x-gimp-color-palette"

  /// Encodes the palette. Some readers count lines, and expect the first four in this order.
  static func write(_ color: Color) -> [UInt8] {
    let notation = ColorNotation.write(color)
    let columns = [color.red, color.green, color.blue].map { value in
      let digits = String(byte(value))
      return String(repeating: " ", count: 3 - digits.utf8.count) + digits
    }
    let entry = columns.joined(separator: " ") + "\t" + notation
    return Array("GIMP Palette\nName: \(notation)\nColumns: 1\n#\n\(entry)\n".utf8)
  }

  /// Decodes the colour of a palette with one entry; `nil` for any other palette or file.
  static func read(_ bytes: [UInt8]) -> Color? {
    guard let text = TextFile.read(bytes) else { return nil }
    var lines = text.utf8.split { $0 == 0x0A || $0 == 0x0D }[...]
    guard lines.popFirst()?.starts(with: "GIMP Palette".utf8) == true else { return nil }
    var found: Color?
    for line in lines {
      let words = line.split(maxSplits: 3, whereSeparator: \.isASCIISpace)
      let columns = words.prefix(3).compactMap { UInt16(String(decoding: $0, as: UTF8.self)) }.filter { $0 < 256 }
      guard columns.count == 3 else { continue }
      guard found == nil else { return nil }
      found = color(columns, name: words.count > 3 ? String(decoding: words[3], as: UTF8.self) : "")
    }
    return found
  }

  private static func color(_ columns: [UInt16], name: String) -> Color {
    if let exact = ColorNotation.read(name), [exact.red, exact.green, exact.blue].map(byte) == columns { return exact }
    return Color(red: columns[0] * 257, green: columns[1] * 257, blue: columns[2] * 257)
  }

  /// Returns the nearest 8-bit value, 0 to 255.
  static func byte(_ value: UInt16) -> UInt16 { UInt16((UInt32(value) + 128) / 257) }
}
