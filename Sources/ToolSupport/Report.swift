// Who makes reports makes values for their fields.
@_exported public import JSONText

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

  /// A line whose fields are put together elsewhere.
  public init(_ event: String, _ sentence: String, fields: [(name: String, value: Value)]) {
    self.event = event
    self.sentence = sentence
    self.fields = fields
  }

  /// What a field holds.
  public typealias Value = JSONValue

  /// The line as a JSON object, RFC 8259, without the line's end.
  ///
  /// - Parameter time: Seconds since the tool started.
  public func json(at time: Double) -> String {
    let all: [(String, Value)] =
      [("event", .string(event)), ("time", .number(time))] + fields.map { ($0.name, $0.value) }
    return Value.object(all).json
  }
}
