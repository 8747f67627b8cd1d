/// One notch of the wheel during a drag.
///
/// The pointer is grabbed, so only the source hears of the wheel; it passes it on with a position. On the wire it is the
/// second word of `XdndPosition`, by the specification's change of 2009-06-17: bit 10 says that it is one, bits 8 and 9
/// are the button less 4, and bits 0 to 7 are the modifiers as X has them. Before, and for all other positions, that
/// word is 0, and targets that know nothing of it do not look there.
public struct WheelScroll: Hashable, Sendable {
  /// Which way the content goes past: what lies further in this direction is to be seen.
  public enum Direction: UInt32, CaseIterable, Sendable {
    /// Button 4.
    case up
    /// Button 5.
    case down
    /// Button 6.
    case left
    /// Button 7.
    case right
  }

  /// Which way.
  public var direction: Direction
  /// What was held down with it.
  public var modifiers: Modifiers

  /// A notch in a direction.
  public init(_ direction: Direction, modifiers: Modifiers = []) {
    self.direction = direction
    self.modifiers = modifiers
  }

  /// A notch, as X has it: a press of the buttons 4 to 7; `nil` for all other buttons.
  init?(_ button: PointerButton, modifiers: Modifiers) {
    guard button.rawValue >= 4, let direction = Direction(rawValue: button.rawValue - 4) else { return nil }
    self.init(direction, modifiers: modifiers)
  }
}

extension WheelScroll {
  /// Bits of the X state mask. Alt is sent as Mod1, where practically all keyboards have it.
  private static let masks: [(modifier: Modifiers, bit: UInt32)] = [
    (.shift, 1 << 0), (.control, 1 << 2), (.alt, 1 << 3),
  ]

  /// The second word of `XdndPosition`.
  var word: UInt32 {
    let state = Self.masks.reduce(0) { modifiers.contains($1.modifier) ? $0 | $1.bit : $0 }
    return 1 << 10 | direction.rawValue << 8 | state
  }

  /// Reads the second word of `XdndPosition`; `nil` if it reports no wheel.
  ///
  /// The word was reserved before, so one with bits that the specification does not give a meaning is none.
  init?(word: UInt32) {
    guard word >> 10 == 1, let direction = Direction(rawValue: word >> 8 & 0b11) else { return nil }
    let modifiers = Self.masks.reduce(into: Modifiers()) { if word & $1.bit != 0 { $0.formUnion($1.modifier) } }
    self.init(direction, modifiers: modifiers)
  }
}
