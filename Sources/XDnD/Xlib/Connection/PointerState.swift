import XDnDX11

/// The reply of `XQueryPointer`.
package struct PointerState {
  /// Root coordinates.
  package var point: Point
  /// Modifiers and buttons, as in the `state` field of events.
  package var mask: UInt32

  /// The pressed buttons, of 1 to 5: the mask has no bits for others.
  package var buttons: Set<PointerButton> {
    let masks = [Button1Mask, Button2Mask, Button3Mask, Button4Mask, Button5Mask]
    let down = masks.indices.filter { mask & UInt32(masks[$0]) != 0 }
    return Set(down.map { PointerButton(rawValue: UInt32($0 + 1)) })
  }
}
