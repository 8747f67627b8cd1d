package import XDnDToolWindow
package import XDnD

/// Reports where a tool's own window is: the event `ready`, and for programs `moved` after each move or change of size.
package final class PlaceReports {
  private let window: ToolWindow
  private let rows: () -> Report.Value?
  private let loop: EventLoop
  private let reporter: Reporter
  /// The frame of the last report, in root pixels; `nil` before `ready`.
  private var reported: Rect?
  private var isDue = false

  /// The delay between a move and its report, in seconds. It merges the many steps of a move by the user.
  private static let pause = 0.1

  /// - Parameter rows: Returns the places of the window's rows; `nil` for none.
  package init(
    of window: ToolWindow, _ rows: @escaping () -> Report.Value?, on loop: EventLoop, _ reporter: Reporter
  ) {
    self.window = window
    self.rows = rows
    self.loop = loop
    self.reporter = reporter
    window.onPlaced = { [weak self] in self?.placed() }
  }

  package func reportReady(_ sentence: String) {
    let frame = frame
    reported = frame
    reporter.print(report("ready", sentence, frame))
  }

  private var frame: Rect {
    let origin = window.rootOrigin ?? PixelPoint(x: 0, y: 0)
    return Rect(x: origin.x, y: origin.y, width: window.size.width, height: window.size.height)
  }

  private func report(_ event: String, _ sentence: String, _ frame: Rect) -> Report {
    .place(event, sentence, WindowID(rawValue: window.windowID), frame, rows: rows())
  }

  private func placed() {
    guard reported != nil, !isDue else { return }
    isDue = true
    loop.after(Self.pause) { [weak self] in
      guard let self else { return }
      isDue = false
      let frame = frame
      guard window.isMapped, frame != reported else { return }
      reported = frame
      reporter.printForPrograms(report("moved", "", frame))
    }
  }
}

extension Report {
  /// The report of a window that is ready, with its frame in root pixels.
  package static func ready(_ sentence: String, _ window: WindowID, _ frame: Rect) -> Report {
    place("ready", sentence, window, frame, rows: nil)
  }

  static func place(
    _ event: String, _ sentence: String, _ window: WindowID, _ frame: Rect, rows: Value?
  ) -> Report {
    Report(
      event, sentence,
      [
        "window": .integer(Int(window.rawValue)), "x": .integer(frame.origin.x), "y": .integer(frame.origin.y),
        "width": .integer(frame.width), "height": .integer(frame.height), "rows": rows,
      ])
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
