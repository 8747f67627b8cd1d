import Testing

@testable import XDnD
@testable import XDnDTesting

/// Sources that behave as toolkits were measured to, and worse.
@Suite("A target and sources of all kinds")
struct RudeSourceTests {
  private let pair = DragPair()
  private let source: RawSource

  init() { source = RawSource(pair) }

  private var app: TestProgram { pair.target }

  @Test func `a well-behaved source is read`() {
    source.dragAndDrop()
    source.expectDrop(.finished(.copy))
    #expect(app.lastReceived == [.utf8String: DragPair.text])
  }

  @Test func `a source that says nothing after Enter is visited no more when it is gone`() {
    source.enter()
    pair.run(.seconds(60))
    #expect(app.openSessions.count == 1, "Silence alone means nothing: GTK and Qt do not repeat positions.")
    pair.server.setOwner(.none, of: .xdndSelection, at: pair.server.time)
    pair.drive()
    #expect(app.openSessions.isEmpty)
    pair.expectClean()
  }

  @Test func `a source that is killed while it hovers is seen to be gone`() {
    source.hover()
    pair.server.kill(source.client)
    pair.drive()
    #expect(app.targetNotices.last == .exited(app.sessions[0], .sourceVanished))
    pair.expectClean()
  }

  @Test func `a source that hangs for ever costs a look now and then, and the next one is served`() {
    source.hover()
    source.client.behavior.isFrozen = true
    pair.run(.seconds(600))
    #expect(app.openSessions.count == 1)
    #expect(pair.drag() == .dropped(.copy))
    pair.expectClean()
  }

  @Test(arguments: [false, true])
  func `of a flood of visits only the first and the last are asked about`(withLeaves: Bool) {
    let before = pair.target.client.record.roundTrips
    for _ in 0..<2000 {
      source.enter()
      if withLeaves { source.leave() }
    }
    source.dragAndDrop()
    source.expectDrop(.finished(.copy))
    #expect(pair.target.client.record.roundTrips - before < 20)
  }

  @Test func `Enter, Position and Drop that arrive together are one drop`() {
    source.enter()
    source.position()
    source.drop()
    pair.drive()
    source.expectDrop(.finished(.copy))
    #expect(source.statuses.count == 1)
  }

  @Test func `a Drop without Position is refused, and has its Finished`() {
    source.enter()
    source.drop()
    pair.drive()
    #expect(source.finished.map(\.result) == [.refused])
    pair.expectClean()
  }

  @Test func `Position and Drop without Enter are refused, and wait for nothing`() {
    source.position()
    source.drop()
    pair.drive()
    #expect(source.statuses.map(\.acceptance) == [nil])
    #expect(source.finished.map(\.result) == [.refused])
    #expect(app.sessions.isEmpty)
    pair.expectClean()
  }

  @Test func `a drop in spite of a refusal is refused again`() {
    source.dragAndDrop([AtomName("image/png")])
    #expect(source.finished.map(\.result) == [.refused])
    #expect(app.targetNotices.last == .exited(app.sessions[0], .refused))
    pair.expectClean()
  }

  @Test func `what is read about a source is not taken for the offer of the one that has replaced it meanwhile`() {
    let other = RawSource(pair)
    for (peer, type) in [(source, AtomName("image/png")), (other, .utf8String)] {
      peer.client.write(.atoms([type]), to: .xdndTypeList, of: peer.window)
      peer.enter([], hasList: true)
    }
    other.position()
    other.drop()
    pair.drive()
    other.expectDrop(.finished(.copy))
    #expect(app.lastReceived == [.utf8String: DragPair.text])
  }

  @Test func `two Enters are two visits, and the second is the one that counts`() {
    source.hover()
    source.dragAndDrop()
    #expect(app.sessions.count == 2)
    source.expectDrop(.finished(.copy))
  }

  @Test func `two Drops are one drop, and one refusal`() {
    source.hover()
    source.drop()
    source.drop()
    pair.drive()
    #expect(source.finished.count == 2)
    #expect(app.results.values.map { $0 } == [.finished(.copy)])
    pair.expectClean()
  }

  @Test func `atoms that are no actions are passed over, as tkdnd writes them`() {
    source.client.write(.atoms([AtomName("copy"), AtomName("move")]), to: .xdndActionList, of: source.window)
    source.dragAndDrop()
    source.expectDrop(.finished(.copy))
  }

  @Test func `a type list that is promised and missing leaves the types of the message`() {
    source.dragAndDrop(hasList: true)
    source.expectDrop(.finished(.copy))
  }

  @Test func `types are only in the list, as wx writes them`() {
    source.client.write(
      .atoms([AtomName("a/a"), .utf8String, .utf8String]), to: .xdndTypeList, of: source.window)
    source.dragAndDrop([], hasList: true)
    source.expectDrop(.finished(.copy))
  }

  @Test func `a version below 3 is nobody, one above 5 is spoken to in 5`() {
    source.version = 2
    source.dragAndDrop()
    #expect(app.sessions.isEmpty)
    source.version = 77
    source.dragAndDrop()
    #expect(app.results.values.map { $0 } == [.finished(.copy)])
    pair.expectClean()
  }

  @Test(arguments: [0, 1_002_888_080] as [UInt32])
  func `any time in a Drop will do, as GTK 4 and tkdnd send it`(time: UInt32) {
    source.dragAndDrop(at: Timestamp(rawValue: time))
    source.expectDrop(.finished(.copy))
  }

  @Test func `content is requested with the time of the Drop, by which sources find what was dropped`() {
    let dropped = Timestamp(rawValue: 4711)
    source.dragAndDrop(at: dropped)
    source.expectDrop(.finished(.copy))
    #expect(!source.requests.isEmpty && source.requests.allSatisfy { $0.time == dropped })
  }

  @Test func `an application that forgets a drop does not hang the source`() {
    app.finishesDrops = false
    source.dragAndDrop()
    source.expectDrop(.timedOut)
    #expect(source.finished.map(\.result) == [.refused])
  }

  @Test func `messages of another source while one hovers are not mixed with its own`() {
    let stranger = RawSource(pair)
    source.take(.xdndSelection)
    source.hover()
    stranger.position()
    stranger.leave()
    stranger.drop()
    pair.run()
    #expect(stranger.finished.map(\.result) == [.refused])
    source.drop()
    pair.drive()
    source.expectDrop(.finished(.copy))
  }

  @Test func `an action list that shrinks in mid-drag takes the operation away`() {
    source.client.write(
      .atoms(["XdndActionCopy", "XdndActionMove"].map { AtomName($0) }), to: .xdndActionList, of: source.window)
    source.enter()
    source.position(at: DragPair.inside, .move)
    pair.run()
    #expect(source.statuses.last?.acceptance?.operation == .move)
    source.client.write(.atoms([AtomName("XdndActionCopy")]), to: .xdndActionList, of: source.window)
    pair.run()
    source.position(at: DragPair.inside, .copy)
    pair.run()
    #expect(source.statuses.last?.acceptance?.operation == .copy)
    source.leave()
    pair.endClean()
  }

  @Test func `thousands of positions are answered a few times, the last of them too, as FLTK sends them`() {
    source.enter()
    for x in 0..<5000 { source.position(at: Point(x: 200 + x % 100, y: x / 100)) }
    pair.run(.seconds(1))
    #expect(source.statuses.count < 10)
    let last = app.targetNotices.last {
      if case .proposalNeeded = $0 { true } else { false }
    }
    guard case .proposalNeeded(let request)? = last else { return #expect(Bool(false)) }
    #expect(request.point == Point(x: 299, y: 49))
    source.drop()
    pair.drive()
    source.expectDrop(.finished(.copy))
  }

  @Test func `an application that forgets a position does not keep the source for ever`() {
    app.answersProposals = false
    source.hover()
    source.drop()
    pair.run(.seconds(120))
    #expect(source.finished.count == 1)
    pair.endClean()
  }
}
