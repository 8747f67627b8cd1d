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

  /// Adds the requests for a window's shape to a batch, and selects `ShapeNotify` until ``stopWatching(_:)``.
  func ask(about window: WindowID, in batch: inout RequestBatch, _ receive: @escaping (WindowShape?) -> Void) {
    if !selected.contains(window) {
      let request = xShapeInputSelectedReq(
        reqType: UInt8(opcode), shapeReqType: UInt8(X_ShapeInputSelected), length: 0, window: window.rawValue)
      batch.ask(request, for: xShapeInputSelectedReply.self) { [self] reply in
        if reply?.head.enabled == 0 { selected.insert(window) }
      }
      batch.add { [self] in select(window, true) }
    }
    var bounding: [Rect]?
    askShape(ShapeBounding, of: window, in: &batch) { bounding = $0 }
    askShape(ShapeInput, of: window, in: &batch) { input in
      guard let bounding, let input else { return receive(nil) }
      receive(WindowShape(bounding: bounding, input: input))
    }
  }

  /// Adds a request for a shape; its rectangles are relative to the inside of the window's border.
  private func askShape(
    _ kind: Int32, of window: WindowID, in batch: inout RequestBatch, _ receive: @escaping ([Rect]?) -> Void
  ) {
    let request = xShapeGetRectanglesReq(
      reqType: UInt8(opcode), shapeReqType: UInt8(X_ShapeGetRectangles), length: 0, window: window.rawValue,
      kind: UInt8(kind), junk1: 0, junk2: 0)
    batch.ask(request, for: xShapeGetRectanglesReply.self) { reply in
      receive(
        reply.map { reply in
          reply.tail.units(XRectangle.self).prefix(Int(reply.head.nrects)).map {
            Rect(x: Int($0.x), y: Int($0.y), width: Int($0.width), height: Int($0.height))
          }
        })
    }
  }

  private func select(_ window: WindowID, _ isSelected: Bool) {
    display.sendRequest(
      xShapeSelectInputReq(
        reqType: UInt8(opcode), shapeReqType: UInt8(X_ShapeSelectInput), length: 0, window: window.rawValue,
        enable: isSelected ? 1 : 0, pad1: 0, pad2: 0))
  }

  /// Reverts ``ask(about:in:_:)`` for a window.
  func stopWatching(_ window: WindowID) {
    guard selected.remove(window) != nil else { return }
    select(window, false)
  }

  /// Reverts ``ask(about:in:_:)`` for all windows.
  func stopWatching() {
    for window in selected { stopWatching(window) }
  }
}
