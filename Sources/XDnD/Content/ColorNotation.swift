/// Colours as text, in the notations of CSS and X.
enum ColorNotation {
  static func read(_ text: String) -> Color? {
    let words = Link.collapsed(text).lowercased()
    let bytes = Array(words.utf8)
    if bytes.first == UInt8(ascii: "#") { return hexadecimal(bytes.dropFirst()) }
    for prefix in ["rgba(", "rgb("] where words.hasPrefix(prefix) && bytes.last == UInt8(ascii: ")") {
      return function(bytes[prefix.utf8.count...].dropLast())
    }
    return nil
  }

  static func write(_ color: Color) -> String {
    var units = [color.red, color.green, color.blue]
    if color.alpha != .max { units.append(color.alpha) }
    // 8 bits are exact if both bytes of each unit are equal.
    let isShort = units.allSatisfy { $0 >> 8 == $0 & 0xFF }
    return "#" + units.map { padded(isShort ? $0 & 0xFF : $0, digits: isShort ? 2 : 4) }.joined()
  }

  private static func padded(_ value: UInt16, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }

  /// Parses 3, 4, 6, 8, 12 or 16 digits.
  private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> Color? {
    let digits = bytes.compactMap(\.hexDigitValue)
    guard digits.count == bytes.count else { return nil }
    let widths = [3: 1, 4: 1, 6: 2, 8: 2, 12: 4, 16: 4]
    guard let width = widths[digits.count] else { return nil }
    let units = stride(from: 0, to: digits.count, by: width).map { start in
      let value = digits[start..<start + width].reduce(UInt16(0)) { $0 << 4 | UInt16($1) }
      return width == 1 ? value * 0x1111 : width == 2 ? value * 0x0101 : value
    }
    return Color(red: units[0], green: units[1], blue: units[2], alpha: units.count > 3 ? units[3] : .max)
  }

  /// Parses the arguments of a function, separated by commas, spaces or a slash.
  private static func function(_ bytes: ArraySlice<UInt8>) -> Color? {
    let words = bytes.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "/") || $0 == 0x20 }
    guard words.count == 3 || words.count == 4 else { return nil }
    var units: [UInt16] = []
    for (index, word) in words.enumerated() {
      let isPercentage = word.last == UInt8(ascii: "%")
      let whole: Double = isPercentage ? 100 : index == 3 ? 1 : 255
      let number = isPercentage ? word.dropLast() : word
      // `Double` would also accept `inf`, `nan` and hexadecimal numbers.
      let isNumber = number.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
      guard isNumber, let value = Double(String(decoding: number, as: UTF8.self)) else { return nil }
      units.append(UInt16((min(max(value / whole, 0), 1) * 65_535).rounded()))
    }
    return Color(red: units[0], green: units[1], blue: units[2], alpha: units.count > 3 ? units[3] : .max)
  }
}
