/// A small generator of random numbers that gives the same ones for the same seed, so that a failure can be repeated.
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) {
    self.state = seed
  }

  /// Creates a generator from a number. Numbers that follow each other give sequences that do not.
  package init(spreading number: Int) {
    self.init(seed: UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1)
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// True once in `count` times.
  package mutating func oneIn(_ count: UInt64) -> Bool { next() % count == 0 }

  /// A number below `bound`.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// One of `choices`, which must not be empty.
  package mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }

  /// A word that is often one of the awkward ones.
  package mutating func word() -> UInt32 {
    oneIn(4)
      ? pick([0, 1, 2, 3, 0x7FFF, 0x8000, 0xFFFF, 0x1_0000, 0x7FFF_FFFF, 0x8000_0000, 0x8000_0005, 0xFFFF_FFFF])
      : UInt32(truncatingIfNeeded: next())
  }
}
