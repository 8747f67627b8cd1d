import ToolSupport
import ToolWindow
import XDnD

/// Rows added while the window is open (`--stdin`, `--null`).
extension SourceController {
  /// Starts reading names as they arrive.
  func watchNames() {
    guard let names, !names.isAtEnd else { return namesEnded() }
    loop.watch(names.descriptor) { [unowned self] in
      append(names.read())
      if names.isAtEnd {
        loop.unwatch(names.descriptor)
        namesEnded()
      }
    }
  }

  private func append(_ names: [[UInt8]]) {
    var arrived = names.compactMap { settings.maker.row(listed: $0, reporter) }
    guard !arrived.isEmpty else { return }
    let first = rows.count
    // The MIME database may be read only after the first drawing, because loading it is slow.
    if window.onDrawn == nil { for index in arrived.indices { arrived[index].refineIcon() } }
    rows += arrived
    selection.grow(to: rows.count)
    window.title = Self.title(of: rows)
    updateScene()
    let titles = rows.count - first == 1 ? rows[first].title : "\(rows.count - first) more"
    reporter.print(
      Report(
        "rows", "Added \(titles).",
        [
          "first": .integer(first),
          "rows": places(ofRows: first..<rows.count, from: window.rootOrigin ?? PixelPoint(x: 0, y: 0)),
        ]))
  }

  private func namesEnded() {
    guard names != nil else { return }
    names = nil
    reporter.printForPrograms(Report("list-ended", "", ["count": .integer(rows.count)]))
    updateScene()
    if rows.isEmpty {
      Reporter.complain("xdnd-source", "nothing to drag: the list names no file that can be read")
      loop.stop(.usage)
    } else if areAllTaken, openLogs.isEmpty {
      // No more rows will come, and all have been dropped.
      loop.stop(.dropped)
    }
  }
}

extension RowMaker {
  /// Returns the row of a listed file. Returns `nil` for a file that cannot be dragged, after reporting it.
  func row(listed name: [UInt8], _ reporter: Reporter) -> SourceRow? {
    let argument = NameList.argument(of: name)
    guard let problem = SourceFile.problem(with: argument) else { return row(forFile: argument) }
    reporter.printForPrograms(
      Report(
        "skipped", "",
        ["path": .string(String(decoding: RawArgument.bytes(of: argument), as: UTF8.self)), "reason": .string(problem)])
    )
    Reporter.complain("xdnd-source", problem)
    return nil
  }
}
