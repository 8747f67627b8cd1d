/// Prepares untrusted text for an XML document.
package enum XMLText {
  /// Escapes text. Characters that XML 1.0 does not allow, even escaped, are replaced.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\u{0}"..."\u{8}", "\u{B}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Escapes text that is drawn on one line. Controls are replaced, and so are bidirectional formatting characters,
  /// which would affect the text around them.
  ///
  /// - Parameter limit: The maximum number of characters. Longer text ends in an ellipsis.
  static func label(_ text: String, limit: Int = .max) -> String {
    var result = String.UnicodeScalarView()
    for scalar in shortened(text, to: limit).unicodeScalars {
      switch scalar {
      case "\n": result.append("⏎")
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}":
        result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return escaped(String(result))
  }

  private static func shortened(_ text: String, to limit: Int) -> String {
    text.count <= limit ? text : text.prefix(limit - 1) + "…"
  }

  /// Breaks text into lines of at most `width` characters, at spaces if possible. The last of `limit`
  /// lines may end in an ellipsis.
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
