// Code that creates reports needs JSON values for their fields.
@_exported public import XDnDJSONText
package import XDnDToolWindow
package import XDnD

/// One line of a tool's output, as a sentence for people and as fields for programs.
package struct Report: Sendable {
  package typealias Value = JSONValue

  package let event: String
  package let sentence: String
  /// The fields for programs, in the order in which they are written.
  package let fields: [(name: String, value: Value)]

  /// Creates a report. The names of the fields are documented in `docs/json-lines.md`; fields with `nil` are left out.
  package init(_ event: String, _ sentence: String, _ fields: KeyValuePairs<String, Value?> = [:]) {
    self.init(event, sentence, fields: fields.compactMap { name, value in value.map { (name: name, value: $0) } })
  }

  package init(_ event: String, _ sentence: String, fields: [(name: String, value: Value)]) {
    self.event = event
    self.sentence = sentence
    self.fields = fields
  }

  /// Returns the report as a JSON object (RFC 8259) without a line end.
  ///
  /// - Parameter time: Seconds since the tool started.
  package func json(at time: Double) -> String {
    Value.object([("event", .string(event)), ("time", .number(time))] + fields.map { ($0.name, $0.value) }).json
  }
}

extension JSONValue {
  /// A path, which need not be UTF-8.
  package static func path(_ path: [UInt8]) -> JSONValue { .string(String(decoding: path, as: UTF8.self)) }
}

extension Report {
  /// The end of a run, for programs.
  ///
  /// - Parameter reason: Why the tool could not begin its work; a sentence.
  package static func ended(_ status: ExitStatus, _ reason: String? = nil) -> Report {
    Report("ended", "", ["outcome": .string(status.word), "reason": reason.map { .string($0) }])
  }

  package static func dropSent(_ operation: DragOperation) -> Report {
    Report("drop-sent", "Dropped to \(OperationWords.verb(operation)).", ["operation": .string(operation.description)])
  }

  /// The end of a transfer to the target.
  package static func sent(_ type: ContentType, isSuccessful: Bool) -> Report {
    Report(
      "sent", "\(isSuccessful ? "Sent" : "Could not send") \(Formatting.visible(type.name)).",
      ["type": .string(type.name), "ok": .boolean(isSuccessful)])
  }

  private var outcome: String? {
    if case .string(let word) = fields.first(where: { $0.name == "outcome" })?.value { word } else { nil }
  }

  /// Whether it reports the end of a run or of a drag with this exit status.
  func isEnd(as status: ExitStatus) -> Bool {
    event == "ended" && (outcome == status.word || status == .dropped && outcome == DragOutcome.deliveredWord)
  }

  package static let timedOut = Report("timed-out", "Timed out.")

  /// The report of a window that is ready, with its frame in root pixels.
  package static func ready(_ sentence: String, _ window: WindowID, _ frame: Rect) -> Report {
    place("ready", sentence, window, frame, nil)
  }

  /// - Parameter parts: The places of the window's parts, by the name of the field.
  static func place(
    _ event: String, _ sentence: String, _ window: WindowID, _ frame: Rect, _ parts: (name: String, value: Value)?
  ) -> Report {
    let fields: [(name: String, value: Value)] = [
      ("window", .integer(Int(window.rawValue))), ("x", .integer(frame.origin.x)), ("y", .integer(frame.origin.y)),
      ("width", .integer(frame.width)), ("height", .integer(frame.height)),
    ]
    return Report(event, sentence, fields: fields + [parts].compactMap(\.self))
  }

  /// Returns the titles and centers of a window's rows in root pixels, for programs.
  package static func places(
    ofRows rows: some Sequence<Int>, in window: ToolWindow, title: (Int) -> String
  ) -> Value {
    let origin = window.rootOrigin ?? PixelPoint(x: 0, y: 0)
    return .list(
      rows.map { row in
        let center = window.center(ofRow: row)
        return .members([
          "title": .string(title(row)), "x": .integer(origin.x + center.x), "y": .integer(origin.y + center.y),
        ])
      })
  }
}
