// Code that creates reports needs JSON values for their fields.
@_exported public import XDnDJSONText
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
}

/// Prints reports as they happen. Each line is written at once, or kept as a whole until its reader catches up.
package final class Reporter {
  /// Whether to print JSON objects, one per line, instead of sentences.
  private let isJSON: Bool
  private let output: OutputBuffer
  /// The number of reports left out since the last line, because the reader did not keep up.
  private var lostCount = 0
  /// The progress bar below the lines, which is erased before a line is printed.
  package var progressBar: ProgressBar?
  /// The last report whose event is `ended`.
  private var ending: Report?

  /// The origin of all times in reports and in the log.
  static let start = ContinuousClock.now

  /// Seconds since ``start``, with millisecond precision.
  static var time: Double {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Double(seconds * 1000 + attoseconds / 1_000_000_000_000_000) / 1000
  }

  /// - Parameter toStandardError: Whether to print to standard error, because standard output receives content.
  package convenience init(json isJSON: Bool, toStandardError: Bool = false) {
    self.init(json: isJSON, to: toStandardError ? .standardError : .standardOutput)
    progressBar = isJSON ? nil : ProgressBar()
  }

  init(json isJSON: Bool, to output: OutputBuffer) {
    _ = Self.start
    self.isJSON = isJSON
    self.output = output
  }

  /// Prints one line without blocking. If too many lines wait for the reader, further ones are left out and counted.
  ///
  /// - Parameter isStyled: Whether the sentence contains escape sequences for colors. It must then contain no unescaped
  ///   text from outside.
  package func print(_ report: Report, isStyled: Bool = false) {
    progressBar?.erase()
    if report.event == "ended" { ending = report }
    if lostCount > 0 {
      let sentence = "Skipped \(lostCount) lines, because the output was not read in time."
      let lost = Report("lost", sentence, ["lines": .integer(lostCount)])
      guard write(lost, isStyled: false, isUrgent: report.event == "ended") else {
        lostCount += 1
        return
      }
    }
    lostCount = write(report, isStyled: isStyled, isUrgent: report.event == "ended") ? 0 : 1
  }

  /// Prints a report of an event, as a sentence for people and as fields for programs.
  public func print(_ event: String, _ sentence: String, _ fields: KeyValuePairs<String, Report.Value?> = [:]) {
    print(Report(event, sentence, fields))
  }

  private func write(_ report: Report, isStyled: Bool, isUrgent: Bool) -> Bool {
    let line =
      if isJSON {
        report.json(at: Self.time)
      } else {
        // The sentence's names are usually escaped already; this covers any that are not.
        output.isTerminal && !isStyled ? Formatting.visibleLines(report.sentence) : report.sentence
      }
    // The last line is urgent, because a program that reads the lines waits for it.
    return output.write(Array((line + "\n").utf8), isUrgent: isUrgent)
  }

  /// Prints a report in JSON only. The user has seen the event in the window, where it was caused.
  package func printForPrograms(_ report: Report) {
    if isJSON { print(report) }
  }

  /// Prints a sentence, unless the output is JSON, which has the individual events instead.
  package func printForPeople(_ sentence: String) {
    if !isJSON { print(Report("", sentence)) }
  }

  /// Prints an event that has no sentence for people, in JSON only.
  public func printForPrograms(_ event: String, _ fields: KeyValuePairs<String, Report.Value?>) {
    printForPrograms(Report(event, "", fields))
  }

  /// Prints the end of a run, in JSON only, unless the last drag has ended with the same outcome. So the last `ended`
  /// of a run always reports its exit status.
  package func printEnd(_ status: ExitStatus, _ reason: String? = nil) {
    if ending?.isEnd(as: status) != true { printForPrograms(.ended(status, reason)) }
  }

  /// Prints that the connection to the X server is lost: as an error message and, in JSON, also as a report.
  package func printServerLost(as tool: String) {
    if isJSON { print(Report("server-lost", "The connection to the X server is lost.")) }
    Self.printError(tool, "the connection to the X server is lost")
  }

  /// Prints an error message to standard error, after the tool's name.
  package static func printError(_ tool: String, _ sentence: String) {
    OutputBuffer.standardError.write(Array("\(tool): \(Formatting.visible(sentence))\n".utf8))
  }
}
