/// Prints reports as they happen. Each line is written at once, or kept as a whole until its reader catches up.
package final class Reporter {
  /// Whether to print JSON objects, one per line, instead of sentences.
  private let isJSON: Bool
  private let output: OutputBuffer
  /// The number of reports left out since the last line, because the reader does not keep up.
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
      guard write(Report("lost", sentence, ["lines": .integer(lostCount)]), isStyled: false) else {
        lostCount += 1
        return
      }
    }
    lostCount = write(report, isStyled: isStyled) ? 0 : 1
  }

  /// Prints a report of an event, as a sentence for people and as fields for programs.
  public func print(_ event: String, _ sentence: String, _ fields: KeyValuePairs<String, Report.Value?> = [:]) {
    print(Report(event, sentence, fields))
  }

  private func write(_ report: Report, isStyled: Bool) -> Bool {
    let line =
      if isJSON {
        report.json(at: Self.time)
      } else {
        // The sentence's names are usually escaped already; this covers any that are not.
        output.isTerminal && !isStyled ? Formatting.visibleLines(report.sentence) : report.sentence
      }
    return output.write(Array((line + "\n").utf8))
  }

  /// Prints a report in JSON only. The user has seen the event in the window, where it was caused.
  package func printForPrograms(_ report: Report) {
    if isJSON { print(report) }
  }

  /// Prints a sentence, unless programs read the output: they get the events that it is made of.
  package func printForPeople(_ sentence: String) {
    if !isJSON { print(Report("", sentence)) }
  }

  /// Prints an event that has no sentence for people, in JSON only.
  public func printForPrograms(_ event: String, _ fields: KeyValuePairs<String, Report.Value?>) {
    printForPrograms(Report(event, "", fields))
  }

  /// Prints the end of a run, in JSON only, unless the last drag has ended with the same outcome: the last `ended` of a run
  /// reports its exit status.
  package func printEnd(_ status: ExitStatus, _ reason: String? = nil) {
    if ending?.isEnd(as: status) != true { printForPrograms(.ended(status, reason)) }
  }

  /// Prints that the connection to the X server is lost: as a report for programs, as an error message for people.
  package func printServerLost(as tool: String) {
    if isJSON { print(Report("server-lost", "The connection to the X server is lost.")) }
    Self.printError(tool, "the connection to the X server is lost")
  }

  /// Prints an error message to standard error, after the tool's name.
  package static func printError(_ tool: String, _ sentence: String) {
    OutputBuffer.standardError.write(Array("\(tool): \(Formatting.visible(sentence))\n".utf8))
  }
}
