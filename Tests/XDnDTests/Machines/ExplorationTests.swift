import TestSupport
import Testing

@testable import XDnD

/// Everything that can happen between a source and a target, up to a depth.
@Suite(.computing, .exhaustive) struct ExplorationTests {
  /// Searches breadth first, so that the shortest way to a mistake is the one that is reported.
  func explore(
    from start: [ExplorationWorld.Event], depth: Int, isSteered: Bool = false
  ) -> (states: Int, mistake: String?) {
    var first = ExplorationWorld(isSteered: isSteered)
    for event in start { first.perform(event) }
    var seen: Set<ExplorationWorld> = [first]
    var frontier: [(world: ExplorationWorld, path: [ExplorationWorld.Event])] = [(first, start)]
    for _ in 0..<depth {
      var next: [(world: ExplorationWorld, path: [ExplorationWorld.Event])] = []
      for (world, path) in frontier {
        for event in world.possibleEvents {
          var successor = world
          successor.perform(event)
          guard seen.insert(successor).inserted else { continue }
          if let complaint = successor.complaint ?? successor.complaintAfterWaiting() {
            return (seen.count, "\(complaint) after \(path + [event])")
          }
          next.append((successor, path + [event]))
        }
      }
      frontier = next
    }
    return (seen.count, nil)
  }

  @Test func `no interleaving from the beginning of a drag breaks the protocol or hangs`() {
    let result = explore(from: [], depth: 11)
    #expect(result.mistake == nil)
    #expect(result.states > 1000)
  }

  @Test func `no interleaving with keys and the wheel breaks the protocol or hangs`() {
    let result = explore(from: [], depth: 8, isSteered: true)
    #expect(result.mistake == nil)
    #expect(result.states > 1000)
  }

  @Test func `no interleaving from an accepted hover breaks the protocol or hangs`() {
    let result = explore(
      from: [.moveOver, .deliverToTarget, .readLists, .deliverToTarget, .accept, .deliverToSource], depth: 11)
    #expect(result.mistake == nil)
    #expect(result.states > 1000)
  }

  @Test func `no interleaving from a release before the lists were read breaks the protocol or hangs`() {
    let result = explore(from: [.moveOver, .deliverToTarget, .deliverToTarget, .release], depth: 11)
    #expect(result.mistake == nil)
    #expect(result.states > 1000)
  }

  @Test func `no interleaving from a drop on breaks the protocol or hangs`() {
    let result = explore(
      from: [
        .moveOver, .deliverToTarget, .readLists, .deliverToTarget, .accept, .deliverToSource, .release,
        .deliverToTarget,
      ], depth: 14)
    #expect(result.mistake == nil)
    #expect(result.states > 1000)
  }
}
