extension JSONValue {
  /// The value as JSON text (RFC 8259), on one line and without white space between tokens.
  public var json: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .string(let string): Self.quote(string, to: &text)
    case .integer(let integer): text += String(integer)
    case .number(let number): text += number.isFinite ? String(number) : "null"
    case .boolean(let boolean): text += boolean ? "true" : "false"
    case .list(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.quote(member.0, to: &text)
        text += ":"
        member.1.write(to: &text)
      }
      text += "}"
    }
  }

  private static func quote(_ string: String, to text: inout String) {
    text += "\""
    // The fast path for strings without escapes, which long ones usually are.
    if string.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      text += string
    } else {
      for scalar in string.unicodeScalars { escape(scalar, to: &text) }
    }
    text += "\""
  }

  private static func escape(_ scalar: Unicode.Scalar, to text: inout String) {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    // JSON does not require all of these escapes. But output goes to terminals, which obey C1 controls and
    // bidirectional formatting characters, and some programs take U+2028 and U+2029 for line ends.
    case _ where scalar.isControl:
      let digits = String(scalar.value, radix: 16)
      text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: text.unicodeScalars.append(scalar)
    }
  }
}
