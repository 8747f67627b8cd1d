/// One notch of the mouse wheel during a drag.
///
/// The source's grab hides the wheel from the target, so the source passes each notch on in the second data word of an
/// `XdndPosition`, as XDND's change log of 2009-06-17 defines: bit 10 marks a scroll, bits 8 and 9 hold the button
/// number minus 4, and bits 0 to 7 the X modifier state. In all other positions the word is 0. Targets that do not know
/// the extension ignore the word.
public struct WheelScroll: Hashable, Sendable {
  /// The direction to scroll in: `down` reveals content further down.
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

  /// The direction to scroll in.
  public var direction: Direction
  /// The modifier keys that were down.
  public var modifiers: Modifiers

  package init(_ direction: Direction, modifiers: Modifiers = []) {
    self.direction = direction
    self.modifiers = modifiers
  }

  /// Creates a notch from a press of X buttons 4 to 7; `nil` for any other button.
  init?(_ button: PointerButton, modifiers: Modifiers) {
    guard button.rawValue >= 4, let direction = Direction(rawValue: button.rawValue - 4) else { return nil }
    self.init(direction, modifiers: modifiers)
  }
}

extension WheelScroll {
  /// Bits of the X state mask. Alt is sent as Mod1, its modifier on practically all keyboards.
  private static let masks: [(modifier: Modifiers, bit: UInt32)] = [
    (.shift, 1 << 0), (.control, 1 << 2), (.alt, 1 << 3),
  ]

  var word: UInt32 {
    let state = Self.masks.reduce(0) { modifiers.contains($1.modifier) ? $0 | $1.bit : $0 }
    return 1 << 10 | direction.rawValue << 8 | state
  }

  /// Decodes the second data word of `XdndPosition`; `nil` if it reports no scroll.
  ///
  /// The word was reserved before the extension, so a word with bits that the extension does not define reports none.
  init?(word: UInt32) {
    guard word >> 10 == 1, let direction = Direction(rawValue: word >> 8 & 0b11) else { return nil }
    let modifiers = Self.masks.reduce(into: Modifiers()) { if word & $1.bit != 0 { $0.formUnion($1.modifier) } }
    self.init(direction, modifiers: modifiers)
  }
}
