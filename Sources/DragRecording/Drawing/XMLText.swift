/// Prepares untrusted text for an XML document.
enum XMLText {
  /// Escapes text.
  ///
  /// - Parameter limit: The maximum number of characters. Longer text ends in an ellipsis.
  static func escaped(_ text: String, limit: Int = .max) -> String {
    var result = ""
    for scalar in shortened(text, to: limit).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += "⏎"
      // XML 1.0 does not allow controls, even escaped. Bidirectional formatting characters would affect the text around
      // them.
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

  /// Breaks text into lines of at most `width` characters, at spaces if possible. After `limit` lines, the rest is cut
  /// with an ellipsis.
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
