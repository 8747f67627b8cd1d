import Testing

@testable import XDnD

@Suite("The reactor")
struct ReactorTests {
  private let pair = DragPair()

  private var source: Side { pair.source }
  private var target: Side { pair.target }

  // MARK: Events

  @Test("an event that a round trip has read is not forgotten until the next one comes")
  func eventsOfRoundTrips() {
    let peer = RawSource(pair)
    // The answer to the look at the source's lists arrives together with all that the source has sent meanwhile.
    pair.server.latency = { .zero }
    pair.server.duringRoundTrip = { [pair] client in
      guard client === pair.target.client else { return }
      pair.server.duringRoundTrip = nil
      peer.position()
      peer.drop()
    }
    peer.enter()
    pair.run()
    #expect(peer.statuses.count == 1)
    #expect(peer.finished.count == 1)
    pair.drive()
    pair.expectClean()
  }

  @Test("a flood is worked off in batches, and the rest is not left lying")
  func batches() {
    let peer = RawSource(pair)
    pair.run()
    pair.server.latency = { .zero }
    for _ in 0..<3 * Reactor.batch { peer.leave() }
    target.reactor.process()
    #expect(target.app.notices.count == Reactor.batch)
    #expect(target.reactor.nextDeadline == pair.now)
    pair.drive()
    #expect(target.app.notices.count == 3 * Reactor.batch)
    pair.expectClean()
  }

  // MARK: Windows of ours

  @Test("a window of ours that is destroyed under a drag ends its visit, and answers who waits")
  func ownWindowVanishes() {
    let peer = RawSource(pair)
    target.app.finishesDrops = false
    peer.enter()
    peer.position()
    pair.run()
    peer.drop()
    pair.run()
    peer.enter()
    peer.position()
    pair.run()
    #expect(target.app.openSessions.count == 2)
    let messages = peer.heard.count
    pair.server.destroy(pair.window)
    pair.drive()
    #expect(target.app.openSessions.isEmpty)
    #expect(peer.heard.dropFirst(messages).map(\.kind) == [.finished])
    pair.expectClean()
  }

  @Test("messages on their way to a window that takes no more drops are refused")
  func lateMessages() {
    let peer = RawSource(pair)
    peer.enter()
    peer.position()
    peer.drop()
    target.unregister(pair.window)
    pair.drive()
    #expect(peer.statuses.map(\.acceptance) == [nil])
    #expect(peer.finished.map(\.result) == [.refused])
    #expect(target.app.sessions.isEmpty)
    pair.expectClean()
  }

  @Test("a window that takes drops again is like a new one")
  func registeredAgain() {
    target.unregister(pair.window)
    #expect(pair.drag() == .noTarget)
    target.register(pair.window, accepting: DropOffer([.plainText]))
    #expect(pair.drag() == .dropped(.copy))
    pair.expectClean()
  }

  // MARK: Calls from notices

  @Test("a drag that is begun from a notice of another one takes its place, and its grab")
  func beginInProposed() {
    var second: DragID?
    source.app.intercept = { [pair] in
      if case .drag(_, .proposed) = $0, second == nil { second = pair.press() }
      return false
    }
    let first = pair.begin()
    pair.move()
    pair.move()
    pair.drop()
    #expect(source.app.outcomes[first] == .cancelled(.application))
    #expect(second.flatMap { source.app.outcomes[$0] } == .dropped(.copy))
    pair.expectClean()
  }

  @Test("a drag that is begun from a notice of another one and comes to nothing leaves no grab")
  func failedBeginInProposed() {
    var second: DragID?
    source.app.intercept = { [pair, source] in
      guard case .drag(_, .proposed) = $0, second == nil else { return false }
      let drag = source.reactor.nextDragID()
      second = drag
      // Somebody else has taken the selection, later than our drag states.
      _ = RawSource(pair)
      source.reactor.beginDrag(
        drag,
        .init(
          source: source.client.dragWindow, types: [.utf8String], operations: [.copy], button: .primary,
          time: Timestamp(rawValue: pair.server.time.rawValue - 100_000)))
      return false
    }
    let first = pair.begin()
    pair.move()
    pair.drop()
    #expect(source.app.outcomes[first] == .cancelled(.application))
    #expect(second.flatMap { source.app.outcomes[$0] } == .cancelled(.selectionLost))
    pair.expectClean()
  }
}
