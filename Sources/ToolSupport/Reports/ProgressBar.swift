import Glibc
import XDnDToolWindow

/// A progress bar on the last line of a terminal, which is erased at the end.
package final class ProgressBar {
  private var isShown = false
  private var drawn: ContinuousClock.Instant?

  /// `nil` if standard error is not a terminal that can erase a line.
  package init?() {
    guard isatty(STDERR_FILENO) == 1, let terminal = getenv("TERM"), strcmp(terminal, "dumb") != 0 else { return nil }
  }

  /// Draws the bar, at most ten times a second.
  ///
  /// - Parameter total: The total in bytes; `nil` if unknown: then `done` is shown without a bar.
  package func show(_ label: String, _ done: Int, of total: Int?) {
    if let drawn, drawn + .milliseconds(100) > .now { return }
    drawn = .now
    isShown = true
    let line = Self.line(Formatting.visible(label, limit: .title), done, of: total, width: Self.width)
    OutputBuffer.standardError.write(Array(("\r\u{1B}[K" + line).utf8))
  }

  package func erase() {
    guard isShown else { return }
    isShown = false
    OutputBuffer.standardError.write(Array("\r\u{1B}[K".utf8))
  }

  /// Returns `report.pdf ████████░░░░░░░░  52 %  12.3 MiB`. One column stays free, because the terminal may wrap after
  /// the last one.
  static func line(_ label: String, _ done: Int, of total: Int?, width: Int) -> String {
    let size = Formatting.size(done)
    var end = "  \(size)"
    var fraction: Double?
    if let total, total > 0 {
      let part = min(1, Double(done) / Double(total))
      fraction = part
      let percent = String(Int(part * 100))
      end = " " + String(repeating: " ", count: 4 - percent.count) + "\(percent) %  \(size)"
    }
    let room = max(0, width - 1 - end.count)
    guard let fraction else { return cut(label, to: room) + end }
    let name = cut(label, to: min(label.count, room / 2))
    let length = room - name.count - 1
    guard length >= 4 else { return cut(label, to: room) + end }
    let filled = Int((fraction * Double(length)).rounded(.down))
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: length - filled)
    return "\(name) \(bar)\(end)"
  }

  private static func cut(_ label: String, to width: Int) -> String {
    label.count <= width ? label : width > 1 ? label.prefix(width - 1) + "…" : ""
  }

  private static var width: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
