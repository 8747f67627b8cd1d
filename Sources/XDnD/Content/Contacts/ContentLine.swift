/// A line of a vCard: a name, parameters and a value (RFC 6350, §3.3).
///
/// Also reads the lines of vCard 2.1, whose values may be in quoted-printable and in any charset.
struct ContentLine {
  /// In upper case, without a group before it: `EMAIL` for `item1.email`.
  let name: String
  private let parameters: [Parameter]
  /// Cached: it is read at each soft line break, and parameters may be as long as the content.
  private let isQuotedPrintable: Bool
  /// The value as it is written.
  private var bytes: [UInt8]

  private struct Parameter {
    /// In upper case; empty for a word without `=`, as version 2.1 has them.
    let name: String
    let value: String
  }

  /// The maximum number of parameters. Further ones are ignored.
  private static let mostParameters = 32
  /// The number of fields after which the rest of the value is one field.
  private static let mostFields = 32

  /// - Returns: `nil` if there is no colon before the value.
  init?(_ line: [UInt8]) {
    let (colon, semicolon, quote) = (UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "\""))
    let label = line.prefix { $0 != colon && $0 != semicolon }
    var rest = line[label.endIndex...]
    var parameters: [Parameter] = []
    while rest.first == semicolon {
      var isQuoted = false
      let field = rest.dropFirst().prefix {
        if $0 == quote { isQuoted.toggle() }
        return isQuoted || $0 != colon && $0 != semicolon
      }
      if parameters.count < Self.mostParameters { parameters.append(Self.parameter(field)) }
      rest = rest[field.endIndex...]
    }
    guard rest.first == colon else { return nil }
    name = Self.uppercased(label.split(separator: UInt8(ascii: ".")).last ?? [])
    self.parameters = parameters
    isQuotedPrintable = Self.says("QUOTED-PRINTABLE", in: "ENCODING", of: parameters)
    bytes = Array(rest.dropFirst())
  }

  private static func parameter(_ field: ArraySlice<UInt8>) -> Parameter {
    guard let sign = field.firstIndex(of: UInt8(ascii: "=")) else {
      return Parameter(name: "", value: String(decoding: field, as: UTF8.self))
    }
    let value = field[(sign + 1)...].filter { $0 != UInt8(ascii: "\"") }
    return Parameter(name: uppercased(field[..<sign]), value: String(decoding: value, as: UTF8.self))
  }

  private static func uppercased(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.trimmingASCIISpaces, as: UTF8.self).uppercased()
  }

  // MARK: Parameters

  /// Returns the value of a parameter, in its own case; `nil` if there is none.
  private func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// Whether a word is among a parameter's values, in any case, or is written alone, as in version 2.1.
  private static func says(_ word: String, in name: String, of parameters: [Parameter]) -> Bool {
    parameters.contains {
      ($0.name == name || $0.name.isEmpty) && $0.value.uppercased().split(separator: ",").contains { $0 == word }
    }
  }

  /// The preference among lines of the same name: 1 is the highest, 101 means that none is stated.
  var rank: Int {
    if let rank = parameter("PREF").flatMap({ Int($0) }) { return min(max(1, rank), 100) }
    return Self.says("PREF", in: "TYPE", of: parameters) ? 1 : 101
  }

  // MARK: Soft line breaks

  /// Whether the value ends with a soft line break of quoted-printable, and continues in the next line.
  var continues: Bool { bytes.last == UInt8(ascii: "=") && isQuotedPrintable }

  /// Replaces the soft line break with the next line.
  mutating func join(_ line: [UInt8]) {
    bytes.removeLast()
    bytes += line
  }

  // MARK: The value

  /// The value without escapes.
  var text: String { Self.unescaped(Substring(written)) }

  /// The parts of a structured value, such as `N` or `ORG`, without escapes.
  var fields: [String] {
    let text = written
    let letters = text.unicodeScalars
    var fields: [String] = []
    var start = text.startIndex
    var isEscaped = false
    for index in letters.indices {
      if !isEscaped, letters[index] == ";", fields.count < Self.mostFields {
        fields.append(Self.unescaped(text[start..<index]))
        start = letters.index(after: index)
      }
      isEscaped = !isEscaped && letters[index] == "\\"
    }
    return fields + [Self.unescaped(text[start...])]
  }

  private var written: String {
    let bytes = isQuotedPrintable ? bytes[...].unescapingHex(after: UInt8(ascii: "=")) : bytes
    let charset = parameter("CHARSET").flatMap { TextEncoding(charset: $0) }
    return charset?.string(from: bytes[...]) ?? Self.string(bytes)
  }

  /// Decodes text whose encoding is not stated: as valid UTF-8, or else as Latin-1.
  private static func string(_ bytes: [UInt8]) -> String {
    TextEncoding.utf8.string(from: bytes[...]) ?? TextEncoding.isoLatin1.string(from: bytes[...]) ?? ""
  }

  /// Unknown escapes are literal, because version 2.1 has almost no escapes.
  private static func unescaped(_ text: Substring) -> String {
    var result = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "n" where isEscaped, "N" where isEscaped: result.append("\n")
      case "\\", ",", ";", ":": result.append(scalar)
      default:
        if isEscaped { result.append("\\") }
        result.append(scalar)
      }
      isEscaped = false
    }
    if isEscaped { result.append("\\") }
    return String(result)
  }

  /// Returns a value with the escapes of versions 3.0 and 4.0.
  static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if ["\\", ",", ";"].contains(scalar) { result.append("\\") }
      if scalar == "\n" { result.append(contentsOf: "\\n".unicodeScalars) } else { result.append(scalar) }
    }
    return String(result)
  }
}

extension String {
  /// The text in one line: single spaces instead of white space, and no control characters.
  var inOneLine: String {
    var result = UnicodeScalarView()
    for scalar in unicodeScalars {
      let properties = scalar.properties
      if properties.isWhitespace {
        if let last = result.last, last != " " { result.append(" ") }
      } else if properties.generalCategory != .control {
        result.append(scalar)
      }
    }
    if result.last == " " { result.removeLast() }
    return String(result)
  }
}
