/// The same numbers for the same seed, on every machine. Seeds that follow each other give numbers that do not.
package struct SeededGenerator: RandomNumberGenerator {
  private var numbers: SplitMix64

  package init(seed: Int) {
    let spread = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1
    numbers = SplitMix64(seed: spread)
  }

  package mutating func next() -> UInt64 { numbers.next() }
}
