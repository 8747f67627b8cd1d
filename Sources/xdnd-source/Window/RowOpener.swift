import Files
import ToolSupport

/// Opens rows with the desktop's default application (`xdg-open`).
struct RowOpener {
  let reporter: Reporter

  /// Opens the row's file or URI, if it has one, and reports the result.
  func open(_ row: SourceRow) {
    guard let opened = row.opened else { return }
    do throws(SystemError) {
      // The tool's own output must not contain the application's.
      try Subprocess("xdg-open", [Array("xdg-open".utf8), opened], output: .discarded).abandon()
      reporter.print(
        Report("opened", "Opened \(row.title).", ["path": .string(String(decoding: opened, as: UTF8.self))]))
    } catch {
      Reporter.printError("xdnd-source", "cannot open '\(row.title)': xdg-open: \(error.message)")
    }
  }
}
