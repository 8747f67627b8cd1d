import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// What happens between a question to the server and its answer.
@Suite("Answers of the server that are not waited for", .computing)
struct UnwaitedAnswerTests {
  // MARK: Requestors

  @Test func `content is asked for when its requestor is watched`() {
    let pair = DragPair()
    let target = RawTarget(pair)
    pair.source.providesLater = true
    let drag = pair.begin()
    pair.move(to: RawTarget.inside)
    pair.source.client.behavior.holdsAnswers = true
    pair.letGo()
    #expect(pair.source.openRequests.isEmpty)
    pair.source.client.behavior.holdsAnswers = false
    pair.run()
    #expect(pair.source.openRequests.count == 1)
    pair.source.provide()
    pair.drive()
    #expect(target.received == DragPair.text)
    pair.expectEnd(of: drag, .dropped(.copy))
  }

  @Test func `content is read when its requestor is watched, so no part is missed`() throws {
    let pair = DragPair()
    let source = RawSource(pair)
    source.give(DragPair.text, as: .utf8String)
    pair.target.finishesDrops = false
    source.hover()
    source.drop()
    pair.run()
    let session = try #require(pair.target.sessions.last)
    pair.target.client.behavior.holdsAnswers = true
    _ = try #require(pair.target.load(.utf8String, of: session))
    pair.run()
    let properties = { pair.server.windows[pair.window]?.properties.keys.filter(\.isTransfer) ?? [] }
    #expect(properties().count == 1)
    #expect(pair.target.received.isEmpty)
    pair.target.client.behavior.holdsAnswers = false
    pair.run()
    #expect(properties().isEmpty)
    #expect(pair.target.lastReceived == [.utf8String: DragPair.text])
  }

  @Test func `a requestor that dies before it is watched is not served, and its transfer is told of and ends`() {
    let pair = DragPair()
    let target = RawTarget(pair)
    pair.source.providesLater = true
    let drag = pair.begin()
    pair.move(to: RawTarget.inside)
    pair.source.client.behavior.holdsAnswers = true
    pair.letGo()
    let transfer = TransferID(rawValue: 1 << 32)
    #expect(pair.source.offerNotices.contains(.transferBegan(.init(id: transfer, type: .utf8String, isCounted: true))))
    pair.server.kill(target.client)
    pair.run()
    let ends = pair.source.offerNotices.filter {
      if case .transferEnded(let ended, _) = $0 { ended.id == transfer } else { false }
    }
    #expect(ends.count == 1)
    pair.source.client.behavior.holdsAnswers = false
    pair.drive()
    #expect(pair.source.openRequests.isEmpty)
    pair.expectEnd(of: drag, .targetVanished)
  }

  @Test func `a requestor that dies before its list of conversions is read is not served`() {
    let pair = DragPair()
    let target = RawTarget(pair)
    let property = AtomName("RAW")
    target.onDrop = { drop in
      target.client.write(
        PropertyValue(type: .atomPair, contents: .atoms([.utf8String, AtomName("A")])), to: property, of: target.window)
      target.client.convert(
        .xdndSelection, to: .multiple, property: property, requestor: target.window, time: drop.time)
    }
    pair.source.providesLater = true
    let drag = pair.begin()
    pair.move(to: RawTarget.inside)
    pair.source.client.behavior.holdsAnswers = true
    pair.letGo()
    #expect(pair.source.reactor.offers.isBusy)
    pair.server.kill(target.client)
    pair.run()
    pair.source.client.behavior.holdsAnswers = false
    pair.drive()
    #expect(pair.source.openRequests.isEmpty)
    pair.expectEnd(of: drag, .targetVanished)
  }

  // MARK: Action lists

  private final class Visit {
    let pair = DragPair()
    let source: RawSource
    /// What the application could answer to each position.
    var permitted: [[DragOperation]] = []

    /// A source that offers Copy and hovers.
    init() {
      source = RawSource(pair)
      pair.target.intercept = { [unowned self] in
        if case .target(_, .proposalNeeded(let request)) = $0 { permitted.append(request.permitted) }
        return false
      }
      offer([.copy])
      source.hover()
    }

    func offer(_ operations: [DragOperation]) {
      source.client.write(.atoms(operations.map(\.name)), to: .xdndActionList, of: source.window)
    }

    /// The source offers Link as well, and sends a position, and the target's question for the list is on its way.
    func changeOffer() {
      pair.target.client.behavior.holdsAnswers = true
      offer([.copy, .link])
      source.position()
      pair.run()
    }

    func letAnswersArrive() {
      pair.target.client.behavior.holdsAnswers = false
      pair.run()
    }
  }

  @Test func `a position after a change of the action list is answered by the new list`() {
    let visit = Visit()
    visit.changeOffer()
    #expect(visit.permitted == [[.copy]])
    visit.letAnswersArrive()
    #expect(visit.permitted == [[.copy], [.copy, .link]])
    #expect(visit.source.statuses.count == 2)
    visit.source.leave()
    visit.pair.endClean()
  }

  @Test func `a list that changes again before it is read counts for the positions after that`() {
    let visit = Visit()
    visit.changeOffer()
    visit.offer([.copy, .move])
    visit.source.position()
    visit.pair.run()
    #expect(visit.permitted == [[.copy]])
    visit.letAnswersArrive()
    #expect(visit.permitted.last == [.copy, .move])
    visit.source.leave()
    visit.pair.endClean()
  }

  @Test func `a source that drops or leaves before its list is read has done so after the change`() {
    let visit = Visit()
    visit.changeOffer()
    visit.source.leave()
    visit.pair.run()
    #expect(visit.pair.target.targetNotices.last != .exited(visit.pair.target.sessions[0], .left))
    visit.letAnswersArrive()
    #expect(visit.pair.target.targetNotices.last == .exited(visit.pair.target.sessions[0], .left))
    visit.pair.endClean()

    let other = Visit()
    other.changeOffer()
    other.source.drop()
    other.pair.run()
    #expect(other.source.finished.isEmpty)
    other.letAnswersArrive()
    other.pair.drive()
    other.source.expectDrop(.finished(.copy))
  }

  @Test func `a source that dies before its list is read has left`() {
    let visit = Visit()
    visit.changeOffer()
    visit.pair.server.kill(visit.source.client)
    visit.pair.run()
    visit.letAnswersArrive()
    #expect(
      visit.pair.target.targetNotices.last == .exited(visit.pair.target.sessions[0], .sourceVanished))
    visit.pair.endClean()
  }

  @Test func `a window that is unregistered before the list is read answers what waits for it`() {
    let visit = Visit()
    visit.changeOffer()
    visit.pair.target.reactor.unregister(visit.pair.window)
    visit.pair.run()
    #expect(visit.source.statuses.count == 2)
    #expect(visit.source.statuses.last?.acceptance == nil)
    visit.letAnswersArrive()
    #expect(visit.source.statuses.count == 2)
  }

  // MARK: Places

  @Test func `a visit is told of when the place of the window is known, and then no position waits for it`() {
    let pair = DragPair()
    let source = RawSource(pair)
    let client = pair.target.client
    var places: [Point?] = []
    pair.target.intercept = {
      if case .target(let host, .proposalNeeded(let request)) = $0 {
        let before = client.record.roundTrips
        places.append(client.translate(request.point, to: host.window))
        #expect(client.record.roundTrips == before)
      }
      return false
    }
    client.behavior.holdsPlaces = true
    source.hover()
    #expect(pair.target.targetNotices.isEmpty)
    #expect(source.statuses.isEmpty)
    client.behavior.holdsPlaces = false
    pair.run()
    #expect(pair.target.sessions.count == 1)
    #expect(places.count == 1)
    #expect(source.statuses.count == 1)
    source.leave()
    pair.endClean()
  }

  @Test func `an action list that changes before the place is known counts`() {
    let pair = DragPair()
    let source = RawSource(pair)
    source.client.write(.atoms([DragOperation.copy.name]), to: .xdndActionList, of: source.window)
    pair.target.client.behavior.holdsPlaces = true
    source.hover()
    source.client.write(.atoms([DragOperation.copy, .link].map(\.name)), to: .xdndActionList, of: source.window)
    pair.run()
    var permitted: [[DragOperation]] = []
    pair.target.intercept = {
      if case .target(_, .proposalNeeded(let request)) = $0 { permitted.append(request.permitted) }
      return false
    }
    pair.target.client.behavior.holdsPlaces = false
    pair.run()
    #expect(permitted == [[.copy, .link]])
    source.leave()
    pair.endClean()
  }

  @Test func `a source that leaves before the place is known has not been there, and the next one is told of`() {
    let pair = DragPair()
    let source = RawSource(pair)
    pair.target.client.behavior.holdsPlaces = true
    source.hover()
    source.leave()
    source.hover()
    pair.run()
    #expect(pair.target.sessions.isEmpty)
    pair.target.client.behavior.holdsPlaces = false
    pair.run()
    #expect(pair.target.sessions.count == 1)
    #expect(source.statuses.count == 1)
    source.leave()
    pair.endClean()
  }

  // MARK: Registration

  @Test func `unregistering a window waits for nothing, whether it exists or not`() {
    let pair = DragPair()
    let (client, reactor) = (pair.target.client, pair.target.reactor)
    let other = pair.server.createWindow(of: client, frame: Rect(x: 400, y: 0, width: 10, height: 10))
    reactor.register(DropHost(other, accepting: DropOffer([.plainText])))
    let before = client.record.roundTrips
    reactor.unregister(pair.window)
    #expect(pair.server.windows[pair.window]?.properties[.xdndAware] == nil)
    pair.server.destroy(other)
    reactor.unregister(other)
    pair.run()
    #expect(client.record.roundTrips == before)
    #expect(reactor.targets.windows.isEmpty)
    #expect(client.interests.isEmpty)
  }
}
