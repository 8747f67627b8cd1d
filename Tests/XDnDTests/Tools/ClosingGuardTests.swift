import Testing

@testable import XDnDToolSupport

@Suite("Whether Escape closes a window")
struct ClosingGuardTests {
  private let start = ContinuousClock.now

  @Test func `it does while there was no drag`() {
    #expect(ClosingGuard().closesOnEscape(at: start))
  }

  @Test(arguments: [(0, false), (400, false), (999, false), (1000, true), (5000, true)])
  func `it does not within a second after a drag`(milliseconds: Int, closes: Bool) {
    var closing = ClosingGuard()
    closing.dragEnded(at: start)
    #expect(closing.closesOnEscape(at: start + .milliseconds(milliseconds)) == closes)
  }

  @Test func `the second begins anew with each drag`() {
    var closing = ClosingGuard()
    closing.dragEnded(at: start)
    closing.dragEnded(at: start + .milliseconds(900))
    #expect(!closing.closesOnEscape(at: start + .milliseconds(1800)))
    #expect(closing.closesOnEscape(at: start + .milliseconds(1900)))
  }
}
