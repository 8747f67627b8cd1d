import TestSupport
import Testing

@testable import XDnD

@Suite struct TimestampTests {
  func time(_ rawValue: UInt32) -> Timestamp { Timestamp(rawValue: rawValue) }

  @Test func `a moment is later than one before it and not than itself`() {
    #expect(time(11).isLater(than: time(10)))
    #expect(!time(10).isLater(than: time(11)))
    #expect(!time(10).isLater(than: time(10)))
  }

  @Test func `time goes on over the wrap after 49 days`() {
    #expect(time(5).isLater(than: time(0xFFFF_FFF0)))
    #expect(!time(0xFFFF_FFF0).isLater(than: time(5)))
    #expect(time(0x8000_0000).isLater(than: time(0x7FFF_FFFF)))
  }

  @Test func `half of the range ahead is the last that counts as later`() {
    #expect(time(0x7FFF_FFFF + 9).isLater(than: time(9)))
    #expect(!time(0x8000_0000 + 9).isLater(than: time(9)))
    #expect(!time(0x8000_0001 + 9).isLater(than: time(9)))
  }

  @Test func `of two moments that are less than half of the range apart exactly one is later`() {
    var random = SplitMix64(seed: 8)
    for _ in 0..<10_000 {
      let base = random.word()
      let step = random.word() % 0x7FFF_FFFF + 1
      let (early, late) = (time(base), time(base &+ step))
      if !late.isLater(than: early) || early.isLater(than: late) { Issue.record("\(early) and \(late)") }
    }
  }
}
