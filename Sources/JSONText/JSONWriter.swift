extension JSONValue {
  /// The value as JSON text (RFC 8259), on one line and without white space between tokens.
  public var json: String {
    switch self {
    case .null: "null"
    case .string(let string): Self.quoted(string)
    case .integer(let integer): String(integer)
    case .number(let number): number.isFinite ? String(number) : "null"
    case .boolean(let boolean): String(boolean)
    case .list(let values): "[" + values.map(\.json).joined(separator: ",") + "]"
    case .object(let members): "{" + members.map { "\(Self.quoted($0.0)):\($0.1.json)" }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ string: String) -> String {
    // A fast path for printable ASCII, the usual case of long strings.
    if string.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      return "\"\(string)\""
    }
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      // JSON does not require all of these escapes. But output goes to terminals, which obey C1 controls and
      // bidirectional formatting characters, and some programs treat U+2028 and U+2029 as line ends.
      case _ where scalar.isControl:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
    return text
  }
}
