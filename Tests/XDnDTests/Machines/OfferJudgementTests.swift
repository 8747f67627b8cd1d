import FuzzRuns
import TestSupport
import Testing

@testable import XDnD

/// Negotiation is done once for each offer, and not for each motion.
@Suite("The cost of judging an offer", .computing)
struct OfferJudgementTests {
  /// As many types as are considered, with long names.
  private static let types = (0..<Negotiation.offerLimit).map { number in
    "a/\(number);" + String(repeating: "x", count: 500)
  }

  @Test func `a target judges a source's types once, however often the pointer moves`() {
    func positions(_ count: Int) -> () -> Void {
      {
        var run = TargetRun()
        _ = run(run.source.enter())
        _ = run.offered(Self.types)
        for x in 0..<count {
          _ = run(run.source.position(x, 0))
          _ = run.propose(.copy)
        }
      }
    }
    #expect(WorkGrowth.ratio(below: 3, positions(20), positions(20 * WorkGrowth.factor)) < 3)
  }

  @Test func `a window that is registered for other types judges again`() {
    var run = TargetRun.make(.proposing)
    #expect(run.asked.suggested == .accept(.copy))
    _ = run(.accepting(DropOffer([.html])))
    _ = run(run.source.position(3, 4))
    #expect(run.asked.suggested == .forbidden)
  }
}
