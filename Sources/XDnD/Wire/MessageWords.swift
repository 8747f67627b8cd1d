/// The five 32-bit words of a format-32 `ClientMessage`.
struct MessageWords: Equatable, Sendable {
  var l0: UInt32 = 0
  var l1: UInt32 = 0
  var l2: UInt32 = 0
  var l3: UInt32 = 0
  var l4: UInt32 = 0

  /// All five, in order.
  var array: [UInt32] { [l0, l1, l2, l3, l4] }
}

/// The one way from what Xlib hands out for a format-32 word to the word itself.
///
/// Xlib stores each word in a C `long`, 64 bits here, and sign-extends it: 0x80000005 arrives as a negative number.
enum Format32 {
  static func word(_ long: Int) -> UInt32 { UInt32(truncatingIfNeeded: long) }

  /// Xlib takes the low 32 bits of each `long`.
  static func long(_ word: UInt32) -> Int { Int(word) }
}
