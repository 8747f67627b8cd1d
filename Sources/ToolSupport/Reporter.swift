/// Prints reports as they happen: each line is written at once and whole, into pipes too, or kept until its reader reads again.
public final class Reporter {
  /// In which form.
  public enum Format: Sendable {
    /// Sentences.
    case text
    /// JSON objects, one a line.
    case json
  }

  private let format: Format
  private let output: OutputBuffer
  /// How many lines were left out since the last one, because nobody has read those before.
  private var lostCount = 0
  /// What is drawn below the lines, and has to make room for them.
  public var progressBar: ProgressBar?
  /// The last report of an end.
  public private(set) var ending: Report?

  /// What times are counted from, of the log, too.
  static let start = ContinuousClock.now

  /// Seconds since ``start``, to the millisecond.
  static var time: Double {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Double(seconds * 1000 + attoseconds / 1_000_000_000_000_000) / 1000
  }

  /// - Parameter toStandardError: Where to; standard output is for content when content is written there.
  public init(format: Format, toStandardError: Bool = false) {
    _ = Self.start
    self.format = format
    self.output = toStandardError ? .standardError : .standardOutput
    progressBar = format == .text ? ProgressBar() : nil
  }

  /// To somewhere else.
  init(format: Format, to output: OutputBuffer) {
    self.format = format
    self.output = output
  }

  /// Prints one line. Never waits for the reader: if too many lines wait, further ones are left out and counted.
  ///
  /// - Parameter isStyled: Whether the sentence has colors for a terminal, and nothing of others in it that could have some.
  public func print(_ report: Report, isStyled: Bool = false) {
    progressBar?.erase()
    if report.event == "ended" { ending = report }
    if lostCount > 0, !write(.lost(lostCount), isStyled: false) {
      lostCount += 1
      return
    }
    lostCount = write(report, isStyled: isStyled) ? 0 : 1
  }

  private func write(_ report: Report, isStyled: Bool) -> Bool {
    let line =
      switch format {
      // What is named in it is harmless already, if nobody has forgotten it.
      case .text: output.isTerminal && !isStyled ? Humane.visibleLines(report.sentence) : report.sentence
      case .json: report.json(at: Self.time)
      }
    return output.write(Array((line + "\n").utf8))
  }

  /// Prints one line for programs; people see it in the window, where they have done it.
  public func printForPrograms(_ report: Report) {
    if format == .json { print(report) }
  }

  /// Prints that there is no server any more: for programs among the reports, for people as a complaint.
  public func printServerLost(as tool: String) {
    if format == .json { print(Report("server-lost", "The connection to the X server is lost.")) }
    Self.complain(tool, "the connection to the X server is lost")
  }

  /// Prints a line for people to standard error, with the tool's name in front.
  public static func complain(_ tool: String, _ sentence: String) {
    OutputBuffer.standardError.write(Array("\(tool): \(Humane.visible(sentence))\n".utf8))
  }
}

extension Report {
  /// Lines are missing before this one.
  fileprivate static func lost(_ count: Int) -> Report {
    Report("lost", "Left out \(count) lines that nobody read in time.", ["lines": .integer(count)])
  }
}
