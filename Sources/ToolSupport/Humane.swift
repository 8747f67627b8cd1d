/// Numbers and names the way people read them.
public enum Humane {
  /// `8 388 608 bytes`, `1 byte`.
  public static func bytes(_ count: Int) -> String {
    var digits = String(count)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    groups.insert(digits, at: 0)
    return groups.joined(separator: " ") + (count == 1 ? " byte" : " bytes")
  }

  /// `8.0 MiB`: short, for a window.
  public static func size(_ count: Int) -> String {
    guard count >= 1024 else { return "\(count) B" }
    var value = Double(count) / 1024
    var unit = "KiB"
    for next in ["MiB", "GiB", "TiB"] where value >= 1024 {
      value /= 1024
      unit = next
    }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(unit)"
  }

  /// A name from outside, on one line and without power over the terminal: `a\nb`, `\u{1B}[31m`, `\xFF`.
  public static func visible(_ name: some StringProtocol) -> String {
    var result = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      if let byte = RawArgument.byte(of: scalar) {
        result.append(contentsOf: "\\x\(String(byte, radix: 16, uppercase: true))".unicodeScalars)
        continue
      }
      switch scalar {
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      // Controls, ends of lines, and what reverses the order of the text.
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}":
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
