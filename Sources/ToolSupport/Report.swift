/// One line of what a tool prints: a sentence for people, and the same as fields for programs.
public struct Report: Sendable {
  /// What happened: the value of `event` in the JSON object.
  public let event: String
  /// For people.
  public let sentence: String
  /// For programs, in the order in which they are written.
  public let fields: [(name: String, value: Value)]

  /// A line; the names of the fields are those of `docs/json-lines.md`.
  public init(_ event: String, _ sentence: String, _ fields: KeyValuePairs<String, Value?> = [:]) {
    self.event = event
    self.sentence = sentence
    self.fields = fields.compactMap { name, value in value.map { (name: name, value: $0) } }
  }

  /// A JSON value whose objects keep the order of their members, which `JSONEncoder` does not.
  public indirect enum Value: Sendable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral
  {
    case string(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    case list([Value])
    case object([(String, Value)])

    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// An integer.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A list of strings.
    public static func strings(_ values: some Sequence<String>) -> Value { .list(values.map { .string($0) }) }
  }

  /// The line as a JSON object, RFC 8259, without the line's end.
  ///
  /// - Parameter time: Seconds since the tool started.
  public func json(at time: Double) -> String {
    let all: [(String, Value)] =
      [("event", .string(event)), ("time", .number(time))] + fields.map { ($0.name, $0.value) }
    return Value.object(all).json
  }
}

extension Report.Value {
  /// The value as JSON text.
  var json: String {
    switch self {
    case .string(let string): Self.quote(string)
    case .integer(let integer): String(integer)
    case .number(let number): number.isFinite ? String(number) : "null"
    case .boolean(let boolean): String(boolean)
    case .list(let values): "[" + values.map(\.json).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Self.quote($0) + ":" + $1.json }.joined(separator: ",") + "}"
    }
  }

  private static func quote(_ string: String) -> String {
    var result = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{0}"..."\u{1F}", "\u{7F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
