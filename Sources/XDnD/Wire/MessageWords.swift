/// The five 32-bit words of a format-32 `ClientMessage`.
struct MessageWords: Equatable, Sendable {
  var l0: UInt32 = 0
  var l1: UInt32 = 0
  var l2: UInt32 = 0
  var l3: UInt32 = 0
  var l4: UInt32 = 0

  /// All five words, in order.
  var array: [UInt32] { [l0, l1, l2, l3, l4] }
}

/// The conversion between a protocol's 32-bit word and the C `long` that Xlib uses for it.
///
/// On 64-bit platforms Xlib sign-extends each word: 0x80000005 arrives as a negative number.
enum Format32 {
  static func word(_ long: Int) -> UInt32 { UInt32(truncatingIfNeeded: long) }

  /// Xlib takes the low 32 bits of each `long`.
  static func long(_ word: UInt32) -> Int { Int(word) }
}
