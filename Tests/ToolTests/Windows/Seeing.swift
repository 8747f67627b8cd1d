import TestSupport
import Testing
import XDnD

@testable import XDnDToolWindow

extension XServer {
  /// Takes screenshots until one shows what the test expects, and returns it. The server sends no event about what is on
  /// the screen.
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
  func ground(of window: Rect) -> UInt32? {
    self[Point(x: window.origin.x + Ground.distanceFromEdge, y: window.origin.y + Ground.distanceFromEdge)]
  }

  func ground(of window: JSONLine) -> UInt32? { ground(of: window.frame) }
}

/// The grounds of windows.
enum Ground {
  /// Pixels from the edge of a window to a place in its padding.
  static let distanceFromEdge = 5
  static let light: UInt32 = 0xF4F4F6
  static let dark: UInt32 = 0x1D1D21
  /// The frame around the part of a light window that would take a drop.
  static let accepting: UInt32 = 0x1F8A4C
  /// The ground of a selected row in a light window.
  static let selection: UInt32 = 0x2468C4
  static let highContrast: UInt32 = 0xFFFFFF
  static let highContrastDark: UInt32 = 0x000000
}

extension JSONLine {
  /// The place for the list in a window of `xdnd-probe` that is ready and shows no pane, by the layout of the tool.
  var list: Rect {
    var scene = Scene()
    // Whatever the line of keys says, it takes room.
    scene.hints = ["keys"]
    let box = SceneLayout(scene, width: Double(frame.width), height: Double(frame.height)).view
    return Rect(
      x: frame.origin.x + Int(box.x), y: frame.origin.y + Int(box.y), width: Int(box.width), height: Int(box.height))
  }

  /// The middles of the buttons of a question in a window, by the layout of the tool; the last is its check box, if it
  /// has one.
  func buttons(in window: Rect) -> [Point] {
    // Each has a key, which takes room on it; which one does not matter.
    var buttons = (strings("answers") ?? []).map { Scene.Bar.Button($0, key: "x") }
    if let option = string("option") { buttons.append(Scene.Bar.Button(option, key: "x", isCheckBox: true)) }
    let scene = Scene(
      bar: Scene.Bar(string("question") ?? "", details: strings("details") ?? [], buttons: buttons))
    let layout = SceneLayout(scene, width: Double(window.width), height: Double(window.height))
    return (layout.bar?.buttons ?? []).map {
      let middle = $0.center(scale: 1)
      return Point(x: window.origin.x + middle.x, y: window.origin.y + middle.y)
    }
  }
}
