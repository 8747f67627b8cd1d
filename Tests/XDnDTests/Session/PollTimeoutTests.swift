import Testing

@testable import XDnD

@Suite("The timeout of poll")
struct PollTimeoutTests {
  @Test func `a time that has passed is no wait, and a part of a millisecond is a whole one`() {
    #expect((ContinuousClock.now - .seconds(1)).pollTimeout == 0)
    #expect(1...1000 ~= (ContinuousClock.now + .milliseconds(999) + .nanoseconds(1)).pollTimeout)
  }

  @Test(arguments: [Duration.seconds(1 << 40), .seconds(Int64.max / 1000 + 1), .seconds(Int64.max)])
  func `a time that is further away than poll can wait for is the longest wait`(distance: Duration) {
    #expect((ContinuousClock.now + distance).pollTimeout == CInt.max)
  }
}
