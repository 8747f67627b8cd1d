import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// What a delegate may ask at each motion of a drag.
@Suite("The cost of a delegate's questions", .computing)
struct OfferQuestionsTests {
  /// Asks everything at each motion.
  private final class Delegate: DropDelegate {
    private(set) var motions = 0

    func dropUpdated(_ drop: DropSession) -> DropProposal {
      motions += 1
      _ = (drop.bestType, drop.negotiation.candidates, drop.acceptedItems, drop.items.first?.bestType)
      _ = (drop.canLoad(String.self), drop.canLoad([Link].self))
      return drop.suggestedProposal
    }

    func performDrop(_ drop: DropSession) { drop.reject() }
  }

  private static func item() -> DragItem {
    var item = DragItem()
    for number in 0..<Negotiation.offerLimit {
      // Not by `promise`, which looks for the type first.
      item.representations.append(
        .init(type: ContentType("a/\(number);" + String(repeating: "x", count: 300))) { $0.refuse() })
    }
    return item
  }

  private func motions(_ count: Int) -> () -> Void {
    {
      let (desktop, delegate) = (SimulatedDesktop(), Delegate())
      let window = desktop.makeWindow()
      desktop.dragAndDrop.registerDropTarget(window, accepting: DropOffer(["*/*", .plainText]), delegate: delegate)
      let drag = desktop.drag(Self.item(), over: window)
      for x in 0..<count { drag.move(to: Point(x: x, y: 5)) }
      drag.cancel()
      #expect(delegate.motions >= count)
    }
  }

  @Test(.exhaustive) func `they are answered by one negotiation`() {
    #expect(WorkGrowth.ratio(below: 3, motions(4), motions(4 * WorkGrowth.factor)) < 3)
  }
}
