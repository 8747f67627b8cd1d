internal import CX11

/// The buttons of scroll wheels: 4 and 5 for up and down, 6 and 7 for left and right.
enum WheelButtons {
  static let up: UInt32 = 4
  static let down: UInt32 = 5

  static func contains(_ button: UInt32) -> Bool { (4...7).contains(button) }
}

extension PointerEvent {
  init(_ event: XButtonEvent) {
    self.init(
      position: PixelPoint(x: Int(event.x), y: Int(event.y)),
      rootPosition: PixelPoint(x: Int(event.x_root), y: Int(event.y_root)), button: event.button,
      time: UInt32(truncatingIfNeeded: event.time), state: event.state)
  }

  init(_ event: XMotionEvent) {
    self.init(
      position: PixelPoint(x: Int(event.x), y: Int(event.y)),
      rootPosition: PixelPoint(x: Int(event.x_root), y: Int(event.y_root)), button: 0,
      time: UInt32(truncatingIfNeeded: event.time), state: event.state)
  }
}

extension KeyEvent {
  init(_ event: inout XKeyEvent) {
    var keysym = KeySym()
    XLookupString(&event, nil, 0, &keysym, nil)
    self.init(
      keysym: keysym, text: KeyText.text(of: keysym), time: UInt32(truncatingIfNeeded: event.time),
      state: event.state)
  }
}

extension Color {
  /// Returns the pixel value in a TrueColor or DirectColor visual; black if the visual has no color masks.
  func pixel(of visual: Visual) -> UInt {
    func part(_ value: Double, _ mask: UInt) -> UInt {
      guard mask != 0 else { return 0 }
      let shift = mask.trailingZeroBitCount
      return UInt((value * Double(mask >> shift)).rounded()) << shift
    }
    return part(red, visual.red_mask) | part(green, visual.green_mask) | part(blue, visual.blue_mask)
  }
}
