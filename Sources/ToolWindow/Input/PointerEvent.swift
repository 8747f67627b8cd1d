internal import XDnDX11

/// A press or release of a pointer button, motion, or the pointer's way into or out of the window.
package struct PointerEvent: Equatable, Sendable {
  /// The position in device pixels, window-local.
  package var position: PixelPoint
  /// The position in root pixels.
  package var rootPosition: PixelPoint
  /// The X button number, 1 is the primary button; 0 for motion, entry and exit.
  package var button: UInt32
  /// The server timestamp.
  package var time: UInt32
  /// The X state mask before the event: modifier keys and buttons.
  package var state: UInt32
}

extension PointerEvent {
  /// The mask of the buttons 1 to 5 in an event's `state`.
  static let anyButton: UInt32 = 0x1F00

  var isButtonHeld: Bool { state & Self.anyButton != 0 }
  /// Whether a button is still down after a release.
  var leavesButtonHeld: Bool {
    let released: UInt32 = (1...5).contains(button) ? 0x80 << button : 0
    return state & Self.anyButton & ~released != 0
  }

  /// - Parameter event: A `ButtonPress`, `ButtonRelease` or `MotionNotify`, which have the same fields up to the button.
  init(_ event: XEvent) {
    let fields = event.xbutton
    self.init(
      position: PixelPoint(x: Int(fields.x), y: Int(fields.y)),
      rootPosition: PixelPoint(x: Int(fields.x_root), y: Int(fields.y_root)),
      button: event.type == MotionNotify ? 0 : fields.button, time: UInt32(truncatingIfNeeded: fields.time),
      state: fields.state)
  }

  init(crossing event: XCrossingEvent) {
    self.init(
      position: PixelPoint(x: Int(event.x), y: Int(event.y)),
      rootPosition: PixelPoint(x: Int(event.x_root), y: Int(event.y_root)), button: 0,
      time: UInt32(truncatingIfNeeded: event.time), state: event.state)
  }
}

/// The buttons of scroll wheels: 4 and 5 for up and down, 6 and 7 for left and right.
enum WheelButtons {
  static let up: UInt32 = 4
  static let down: UInt32 = 5

  static func contains(_ button: UInt32) -> Bool { (4...7).contains(button) }
}
