import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("Several things at once", .computing)
struct SeveralAtOnceTests {
  static let types: [AtomName] = [.utf8String, AtomName("text/html"), AtomName("image/png"), AtomName("a/long")]

  @Test func `one drop loads four representations at the same time`() {
    let pair = DragPair()
    let content = Dictionary(
      uniqueKeysWithValues: Self.types.enumerated().map { ($1, TestContent.bytes(10 + $0 * 1_500_000, seed: $0)) })
    pair.source.content = content
    pair.target.wanted = Self.types
    #expect(pair.drag(Self.types) == .dropped(.copy))
    for type in Self.types {
      #expect(TestContent.isEqual(pair.target.lastReceived[type], content[type] ?? []), "\(type)")
    }
    pair.expectClean()
  }

  @Test func `one representation is loaded twice at the same time`() {
    let pair = DragPair()
    let content = TestContent.bytes(4 << 20)
    pair.source.content = [.utf8String: content]
    pair.target.wanted = [.utf8String, .utf8String]
    #expect(pair.drag() == .dropped(.copy))
    #expect(TestContent.isEqual(pair.target.lastReceived[.utf8String], content))
    let ends = pair.source.offerNotices.count {
      if case .transferEnded(_, .delivered) = $0 { true } else { false }
    }
    #expect(ends == 2)
    pair.expectClean()
  }

  /// A pair whose source gives each drag content of its own.
  private func pairWithContentPerDrag(_ bytes: @escaping (DragID) -> [UInt8]) -> DragPair {
    let pair = DragPair()
    let source = pair.source
    source.intercept = { [unowned source] in
      guard case .offer(let drag, .contentNeeded(let transfer, _, _)) = $0 else { return false }
      source.reactor.provide(transfer, TestReader(bytes(drag)))
      return true
    }
    return pair
  }

  @Test func `a second drag begins while the first one's data is still coming, and both are exact`() {
    let contents = [TestContent.bytes(5 << 20, seed: 1), TestContent.bytes(4 << 20, seed: 2)]
    let pair = pairWithContentPerDrag { contents[$0.rawValue - 1] }
    pair.server.latency = { .milliseconds(7) }
    let first = pair.begin()
    pair.move()
    pair.letGo(for: .milliseconds(80))
    #expect(pair.target.reactor.loads.count == 1, "The first transfer should be under way.")
    let second = pair.begin()
    #expect(pair.source.outcomes[first] == nil)
    pair.move()
    pair.drop()
    #expect(pair.source.outcomes == [first: .dropped(.copy), second: .dropped(.copy)])
    for (session, content) in zip(pair.target.sessions, contents) {
      #expect(TestContent.isEqual(pair.target.received[session]?[.utf8String], content))
    }
    pair.expectClean()
  }

  @Test func `a drop that is read late gets what was dropped then, not what is dragged now`() {
    let pair = pairWithContentPerDrag { Array("drag \($0.rawValue)".utf8) }
    pair.target.finishesDrops = false
    for _ in 0..<3 {
      pair.begin()
      pair.move()
      pair.letGo()
    }
    for session in pair.target.sessions.reversed() { pair.target.load(.utf8String, of: session) }
    pair.run()
    for (index, session) in pair.target.sessions.enumerated() {
      #expect(pair.target.received[session]?[.utf8String] == Array("drag \(index + 1)".utf8))
      pair.target.finish(session)
    }
    pair.drive()
    #expect(pair.source.outcomes.count == 3)
    #expect(pair.source.outcomes.values.allSatisfy { $0 == .dropped(.copy) })
    pair.expectClean()
  }

  @Test func `windows are tracked until a drop has ended, and longer for a newer drag`() {
    let pair = DragPair()
    pair.target.finishesDrops = false
    for _ in 0..<2 {
      pair.begin()
      pair.move()
      pair.letGo()
      #expect(pair.source.client.isTracking)
    }
    let third = pair.begin()
    pair.move()
    for session in pair.target.sessions.prefix(2) { pair.target.finish(session) }
    pair.run()
    #expect(pair.source.outcomes.count == 2)
    #expect(pair.source.client.isTracking)
    pair.letGo()
    for session in pair.target.sessions.dropFirst(2) { pair.target.finish(session) }
    pair.drive()
    #expect(pair.source.outcomes[third] == .dropped(.copy))
    pair.expectClean()
  }

  @Test func `a drag finds out where it was let go, although the drop before it ends just then`() {
    let pair = DragPair()
    pair.target.finishesDrops = false
    let first = pair.begin()
    pair.move()
    pair.letGo()
    let second = pair.begin()
    pair.move(to: Point(x: 900, y: 900))
    pair.server.latency = { .zero }
    pair.source.client.behavior.searchesLate = { true }
    pair.server.release(.primary)
    for session in pair.target.sessions { pair.target.finish(session) }
    // What the source asks now is answered after it has read both.
    pair.server.latency = { .milliseconds(20) }
    pair.drive()
    #expect(pair.source.outcomes == [first: .dropped(.copy), second: .noTarget])
    pair.expectClean()
  }

  @Test func `when another client takes the selection, all offers that nobody reads are released`() {
    let pair = DragPair()
    pair.drag()
    pair.drag()
    _ = RawSource(pair)
    pair.drive()
    #expect(pair.source.reactor.offers.ids.isEmpty)
    #expect(pair.source.released.count == 2)
    pair.expectClean()
  }

  @Test func `both programs drag to each other at the same time, one pointer after the other`() {
    let pair = DragPair()
    let window = pair.server.createWindow(of: pair.source.client, frame: Rect(x: 0, y: 300, width: 100, height: 100))
    pair.source.register(window, accepting: DropOffer([.plainText], operations: [.copy]))
    pair.target.content = [.utf8String: Array("back".utf8)]
    #expect(pair.drag() == .dropped(.copy))
    let drag = pair.begin(by: pair.target)
    pair.move(to: Point(x: 50, y: 350))
    pair.drop()
    #expect(pair.target.outcomes[drag] == .dropped(.copy))
    #expect(pair.source.lastReceived == [.utf8String: Array("back".utf8)])
    #expect(pair.source.reactor.offers.ids.isEmpty)
    pair.expectClean()
  }

  @Test func `an offer that was being read when the selection was lost is released when it has been read`() {
    let pair = DragPair()
    let content = TestContent.bytes(5 << 20)
    pair.source.content = [.utf8String: content]
    pair.server.latency = { .milliseconds(7) }
    let drag = pair.begin()
    pair.move()
    pair.letGo(for: .milliseconds(80))
    #expect(pair.target.reactor.loads.count == 1)
    _ = RawSource(pair)
    pair.drive()
    #expect(pair.source.outcomes[drag] == .dropped(.copy))
    #expect(TestContent.isEqual(pair.target.lastReceived[.utf8String], content))
    #expect(pair.source.reactor.offers.ids.isEmpty)
    #expect(pair.source.released == [drag])
    pair.expectClean()
  }

  @Test func `news of an earlier loss of the selection do not end the drag that has taken it back`() {
    let pair = DragPair()
    pair.drag()
    pair.run()
    pair.server.latency = { .milliseconds(300) }
    _ = RawSource(pair)
    pair.run()
    let drag = pair.begin()
    pair.server.latency = { .milliseconds(1) }
    pair.move()
    pair.run(.seconds(1))
    pair.drop()
    pair.expectEnd(of: drag, .dropped(.copy))
  }
}
