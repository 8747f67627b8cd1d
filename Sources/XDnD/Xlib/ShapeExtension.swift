import CX11
import CXShape

/// The SHAPE extension: windows that are not rectangular or let the pointer through.
final class ShapeExtension {
  /// The event number of `ShapeNotify` on this display.
  let notifyEvent: Int32
  private let display: DisplayHandle
  private let opcode: Int32
  /// The windows on which only this library selected `ShapeNotify`.
  private var selected: Set<WindowID> = []

  /// Queries the extension. Returns `nil` if the server lacks it; then all windows are rectangles.
  init?(_ display: DisplayHandle) {
    let numbers = display.roundTrip { display -> (opcode: Int32, event: Int32)? in
      var (opcode, event, error): (Int32, Int32, Int32) = (0, 0, 0)
      guard XQueryExtension(display, "SHAPE", &opcode, &event, &error) != 0 else { return nil }
      XDnDShapeDeliverEvents(display, event)
      return (opcode, event)
    }
    guard let numbers else { return nil }
    self.display = display
    self.opcode = numbers.opcode
    self.notifyEvent = numbers.event + ShapeNotify
  }

  /// Reads a window's shape, and selects `ShapeNotify` until ``stopWatching(_:)``.
  func watch(_ window: WindowID) -> WindowShape? {
    if !selected.contains(window) {
      let isHostsOwn = display.roundTrip { XDnDShapeInputSelected($0, opcode, window.xid) }
      if isHostsOwn == 0 {
        selected.insert(window)
        display.request(onError: .swallow) { XDnDShapeSelectInput($0, opcode, window.xid, True) }
      }
    }
    guard let bounding = rectangles(of: window, ShapeBounding), let input = rectangles(of: window, ShapeInput) else {
      return nil
    }
    return WindowShape(bounding: bounding, input: input)
  }

  /// Reverts ``watch(_:)`` for a window.
  func stopWatching(_ window: WindowID) {
    guard selected.remove(window) != nil else { return }
    display.request(onError: .swallow) { XDnDShapeSelectInput($0, opcode, window.xid, False) }
  }

  /// Reverts ``watch(_:)`` for all windows.
  func stopWatching() {
    for window in selected { stopWatching(window) }
  }

  private func rectangles(of window: WindowID, _ kind: Int32) -> [Rect]? {
    display.roundTrip { display in
      var count: Int32 = 0
      guard let list = XDnDShapeGetRectangles(display, opcode, window.xid, kind, &count) else { return nil }
      defer { XFree(list) }
      return UnsafeBufferPointer(start: list, count: Int(count)).map {
        Rect(x: Int($0.x), y: Int($0.y), width: Int($0.width), height: Int($0.height))
      }
    }
  }
}
