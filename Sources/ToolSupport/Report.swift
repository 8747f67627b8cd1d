// Code that creates reports needs JSON values for their fields.
@_exported public import JSONText

/// One line of a tool's output, as a sentence for people and as fields for programs.
package struct Report: Sendable {
  /// The kind of event: the value of `event` in the JSON object.
  package let event: String
  /// The sentence for people.
  package let sentence: String
  /// The fields for programs, in the order in which they are written.
  package let fields: [(name: String, value: Value)]

  /// Creates a report. The names of the fields are documented in `docs/json-lines.md`; fields with `nil` are left out.
  package init(_ event: String, _ sentence: String, _ fields: KeyValuePairs<String, Value?> = [:]) {
    self.event = event
    self.sentence = sentence
    self.fields = fields.compactMap { name, value in value.map { (name: name, value: $0) } }
  }

  /// Creates a report from a list of fields.
  package init(_ event: String, _ sentence: String, fields: [(name: String, value: Value)]) {
    self.event = event
    self.sentence = sentence
    self.fields = fields
  }

  /// The value of a field.
  package typealias Value = JSONValue

  /// Returns the report as a JSON object (RFC 8259) without a line end.
  ///
  /// - Parameter time: Seconds since the tool started.
  package func json(at time: Double) -> String {
    let all: [(String, Value)] =
      [("event", .string(event)), ("time", .number(time))] + fields.map { ($0.name, $0.value) }
    return Value.object(all).json
  }
}
