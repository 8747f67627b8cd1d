import XDnDX11
import XDnDXlibint

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

  /// Adds the question for a window's shape to a batch, and selects `ShapeNotify` until ``stopWatching(_:)``.
  func ask(about window: WindowID, in batch: inout RequestBatch, _ receive: @escaping (WindowShape?) -> Void) {
    if !selected.contains(window) {
      batch.selectsShape(of: window, opcode) { [self] isHosts in if isHosts == false { selected.insert(window) } }
      batch.add { [display, opcode] in
        display.request(onError: .swallow) { XDnDShapeSelectInput($0, opcode, window.xid, True) }
      }
    }
    var bounding: [Rect]?
    batch.shape(ShapeBounding, of: window, opcode) { bounding = $0 }
    batch.shape(ShapeInput, of: window, opcode) { input in
      guard let bounding, let input else { return receive(nil) }
      receive(WindowShape(bounding: bounding, input: input))
    }
  }

  /// Reverts ``ask(about:in:_:)`` for a window.
  func stopWatching(_ window: WindowID) {
    guard selected.remove(window) != nil else { return }
    display.request(onError: .swallow) { XDnDShapeSelectInput($0, opcode, window.xid, False) }
  }

  /// Reverts ``ask(about:in:_:)`` for all windows.
  func stopWatching() {
    for window in selected { stopWatching(window) }
  }
}
