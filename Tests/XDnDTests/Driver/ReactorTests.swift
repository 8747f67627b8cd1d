import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("The reactor")
struct ReactorTests {
  private let pair = DragPair()

  private var source: TestProgram { pair.source }
  private var target: TestProgram { pair.target }

  // MARK: Events

  @Test func `an event that a round trip has read is not forgotten until the next one comes`() {
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

  @Test func `a flood is worked off in batches, and the rest is not left lying`() {
    let peer = RawSource(pair)
    pair.run()
    pair.server.latency = { .zero }
    for _ in 0..<3 * Reactor.batch { peer.leave() }
    target.reactor.process()
    #expect(target.violations.count == Reactor.batch)
    #expect(target.reactor.nextDeadline == pair.now)
    pair.drive()
    #expect(target.violations.count == 3 * Reactor.batch)
    pair.expectClean()
  }

  @Test func `a connection that is lost during a notice is reported in the same turn`() throws {
    let peer = RawSource(pair)
    let isOurs = target.reactor.perform { $0.offers.put($0.offers.nextID(), types: [.utf8String], on: .clipboard) }
    try #require(isOurs)
    target.finishesDrops = false
    peer.hover()
    peer.drop()
    pair.run()
    target.intercept = { [pair] in
      if case .target(_, .ended(_, .timedOut)) = $0 { pair.server.kill(pair.target.client) }
      return false
    }
    while !target.client.isClosed {
      pair.server.clock.advance(to: try #require(target.reactor.nextDeadline))
      target.reactor.process()
    }
    #expect(target.notices.last == .selection(.clipboard, .lost))
  }

  @Test func `a loss that a loop in a callback notices is reported after the callback`() throws {
    let isOurs = source.reactor.perform { $0.offers.put($0.offers.nextID(), types: [.utf8String], on: .clipboard) }
    try #require(isOurs)
    let drag = pair.begin()
    source.intercept = { [pair] in
      if case .drag(_, .ended) = $0 {
        pair.server.kill(pair.source.client)
        pair.source.reactor.process()
      }
      return false
    }
    source.reactor.perform { $0.drags[drag]?.receive(.cancel(.application)) }
    #expect(source.notices.contains(.selection(.clipboard, .lost)))
  }

  // MARK: Windows of ours

  @Test func `a window of ours that is destroyed under a drag ends its visit, and answers who waits`() {
    let peer = RawSource(pair)
    target.finishesDrops = false
    peer.enter()
    peer.position()
    pair.run()
    peer.drop()
    pair.run()
    peer.enter()
    peer.position()
    pair.run()
    #expect(target.openSessions.count == 2)
    let messages = peer.heard.count
    pair.server.destroy(pair.window)
    pair.drive()
    #expect(target.openSessions.isEmpty)
    #expect(peer.heard.dropFirst(messages).map(\.kind) == [.finished])
    pair.expectClean()
  }

  @Test func `messages on their way to a window that takes no more drops are refused`() {
    let peer = RawSource(pair)
    peer.enter()
    peer.position()
    peer.drop()
    target.unregister(pair.window)
    pair.drive()
    #expect(peer.statuses.map(\.acceptance) == [nil])
    #expect(peer.finished.map(\.result) == [.refused])
    #expect(target.sessions.isEmpty)
    pair.expectClean()
  }

  @Test func `the driver handles messages to the drag window, and to windows that take drops or did until lately`() {
    let reactor = target.reactor
    #expect(reactor.handlesMessages(to: target.client.dragWindow))
    #expect(reactor.handlesMessages(to: pair.window))
    #expect(!reactor.handlesMessages(to: source.client.dragWindow))
    target.unregister(pair.window)
    pair.drive()
    #expect(reactor.handlesMessages(to: pair.window))
    #expect(!reactor.handlesMessages(to: source.client.dragWindow))
  }

  @Test func `a window that takes drops again is like a new one`() {
    target.unregister(pair.window)
    #expect(pair.drag() == .noTarget)
    target.register(pair.window, accepting: DropOffer([.plainText]))
    #expect(pair.drag() == .dropped(.copy))
    pair.expectClean()
  }

  // MARK: Time

  @Test func `a program that does nothing has no deadline, and wakes up for nothing`() {
    pair.drive()
    #expect(source.reactor.nextDeadline == nil)
    #expect(target.reactor.nextDeadline == nil)
    pair.drag()
    #expect(source.reactor.nextDeadline == nil)
    #expect(target.reactor.nextDeadline == nil)
  }

  @Test func `waking up too early changes nothing`() {
    let drag = pair.begin()
    pair.move()
    let before = (source.notices.count, target.notices.count, source.client.record.messagesSent.count)
    for side in pair.sides { for _ in 0..<10 { side.reactor.process() } }
    #expect(before == (source.notices.count, target.notices.count, source.client.record.messagesSent.count))
    pair.drop()
    #expect(source.outcomes[drag] == .dropped(.copy))
  }

  @Test func `what has arrived in time counts, though the program was too busy to look`() {
    let slow = RawTarget(pair)
    slow.answerDelay = .milliseconds(500)
    let drag = pair.begin()
    pair.move(to: RawTarget.inside)
    pair.server.release(.primary)
    pair.run()
    source.client.behavior.isFrozen = true
    pair.run(.seconds(60))
    source.client.behavior.isFrozen = false
    pair.drive()
    #expect(source.outcomes[drag] == .dropped(.copy))
    pair.expectClean()
  }

  @Test func `a program that hears that the server is gone ends everything, once`() {
    let drag = pair.begin()
    pair.move()
    for side in pair.sides {
      side.client.isClosed = true
      for _ in 0..<3 { side.reactor.process() }
      #expect(side.reactor.nextDeadline == nil)
      #expect(side.reactor.drags.isEmpty && !side.reactor.targets.hasVisits)
    }
    #expect(source.outcomes[drag] == .serverLost)
    #expect(target.targetNotices.last == .exited(target.sessions[0], .sourceVanished))
  }
}
