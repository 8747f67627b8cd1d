/// Text from outside, for the inside of an XML document.
enum XMLText {
  /// - Parameter limit: How many characters it may have; what is longer ends in an ellipsis.
  static func escaped(_ text: String, limit: Int = .max) -> String {
    var result = ""
    for scalar in shortened(text, to: limit).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += "⏎"
      // Controls are no characters of XML 1.0, not even escaped; what turns the direction of text would turn our own.
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{FFFE}",
        "\u{FFFF}":
        result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func shortened(_ text: String, to limit: Int) -> String {
    text.count <= limit ? text : text.prefix(limit - 1) + "…"
  }

  /// Lines of at most so many characters, broken at spaces where there are some; the last may end in an ellipsis.
  static func wrapped(_ text: String, at width: Int, lines limit: Int) -> [String] {
    var lines: [String] = []
    var rest = text[...]
    while !rest.isEmpty {
      guard rest.count > width else { return lines + [String(rest)] }
      guard lines.count < limit - 1 else { return lines + [shortened(String(rest), to: width)] }
      if let space = rest.prefix(width + 1).lastIndex(of: " ") {
        lines.append(String(rest[..<space]))
        rest = rest[space...].dropFirst()
      } else {
        lines.append(String(rest.prefix(width)))
        rest = rest.dropFirst(width)
      }
    }
    return lines
  }
}
