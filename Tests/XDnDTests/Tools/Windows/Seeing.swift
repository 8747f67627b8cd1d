import Testing
import XDnD

extension XvfbServer {
  /// The first screenshot that shows what is waited for. Nobody announces what is on a screen, so it is looked at again and
  /// again.
  @discardableResult
  func see(
    _ what: String, timeout: Duration = .seconds(20), where isShown: (Screenshot) -> Bool
  ) async throws -> Screenshot {
    let deadline = ContinuousClock.now + timeout
    while true {
      let screenshot = try Screenshot(of: self, withCursor: false)
      if isShown(screenshot) { return screenshot }
      guard .now < deadline else { throw HarnessError("never seen: \(what)") }
      try await Task.sleep(for: .milliseconds(30))
    }
  }
}

extension Screenshot {
  /// The ground of a window, between its edge and everything in it.
  func ground(of window: JSONLine) -> UInt32? { self[Point(x: window.corner.x + 5, y: window.corner.y + 5)] }

  /// The colors of a column, from one line to another.
  func column(_ x: Int, _ lines: Range<Int>) -> Set<UInt32> { Set(lines.compactMap { self[Point(x: x, y: $0)] }) }
}

/// The grounds of windows.
enum Ground {
  static let light: UInt32 = 0xF4F4F6
  static let dark: UInt32 = 0x1D1D21
}

extension JSONLine {
  /// The upper left corner of the window of a line that says where it is.
  var corner: Point { Point(x: integer("x") ?? 0, y: integer("y") ?? 0) }
}
