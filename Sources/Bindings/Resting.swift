// xdnd.h documents the functions of the interface.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import XDnD
public import XDnDInterface

@c @implementation
public func xdnd_scroll_margin(_ position: CInt, _ start: CInt, _ length: CInt) -> CInt {
  CInt(AutoScrollBehavior().edge(at: Int(position), from: Int(start), length: Int(length)))
}

@c @implementation
public func xdnd_scroll_speed(_ position: CInt, _ start: CInt, _ length: CInt, _ resting: UInt32) -> Double {
  AutoScrollBehavior().speed(
    at: Int(position), from: Int(start), length: Int(length), resting: .milliseconds(Int64(resting)))
}

@c @implementation
public func xdnd_spring_at(_ resting: UInt32, _ blinks: Bool) -> xdnd_spring {
  let behavior = SpringLoadingBehavior()
  let blinking = Duration.milliseconds(Int64(resting)) - behavior.delay
  let half = Int(blinking / behavior.blink)
  if half >= 2 * behavior.blinkCount { return XDND_SPRING_OPENS }
  return blinks && blinking >= .zero && half.isMultiple(of: 2) ? XDND_SPRING_BLINKS : XDND_SPRING_RESTS
}
