import Glibc

/// Prints reports as they happen: each line is written at once and whole, into pipes too.
public final class Reporter {
  /// In which form.
  public enum Format: Sendable {
    /// Sentences.
    case text
    /// JSON objects, one a line.
    case json
  }

  private let format: Format
  private let descriptor: CInt
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
    self.descriptor = toStandardError ? STDERR_FILENO : STDOUT_FILENO
    progressBar = format == .text ? ProgressBar() : nil
  }

  /// Prints one line.
  public func print(_ report: Report) {
    progressBar?.erase()
    if report.event == "ended" { ending = report }
    switch format {
    case .text: Self.write(report.sentence + "\n", to: descriptor)
    case .json: Self.write(report.json(at: Self.time) + "\n", to: descriptor)
    }
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
    write("\(tool): \(Humane.visible(sentence))\n", to: STDERR_FILENO)
  }

  /// Writes all of it; who has closed the other end does not want it.
  static func write(_ text: String, to descriptor: CInt) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return }
      rest = rest.dropFirst(written)
    }
  }
}
