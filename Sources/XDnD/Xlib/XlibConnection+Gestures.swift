import CX11

extension XlibConnection {
  /// The gesture input of a button or motion event; `nil` for events from `XSendEvent`.
  ///
  /// A synthetic press would begin a drag that no button holds.
  func gestureInput(_ event: UnsafePointer<XEvent>) -> DragGesture.Input? {
    guard event.pointee.xany.send_event == False else { return nil }
    switch event.pointee.type {
    case ButtonPress:
      let press = event.pointee.xbutton
      return .pressed(
        DragPress(
          rootLocation: Point(x: Int(press.x_root), y: Int(press.y_root)),
          location: Point(x: Int(press.x), y: Int(press.y)), button: PointerButton(rawValue: press.button),
          modifiers: ModifierMap(display).modifiers(inState: press.state), time: Timestamp(press.time)))
    case ButtonRelease:
      return .released(PointerButton(rawValue: event.pointee.xbutton.button))
    default:
      return .moved(to: Point(x: Int(event.pointee.xmotion.x_root), y: Int(event.pointee.xmotion.y_root)))
    }
  }
}
