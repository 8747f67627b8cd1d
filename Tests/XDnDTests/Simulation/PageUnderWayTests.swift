import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// Pages of content are requested, and arrive as events: what happens in between.
@Suite("What happens while a page of content is under way", .computing)
struct PageUnderWayTests {
  private let pair = DragPair()
  private let source: RawSource
  private static let html = AtomName("text/html")
  /// The most that a page has.
  private static let page = 1 << 18

  init() { source = RawSource(pair) }

  private var app: TestProgram { pair.target }
  private var reactor: Reactor { pair.target.reactor }

  /// The properties of transfers on the target's window.
  private var properties: [AtomName] {
    pair.server.windows[pair.window]?.properties.keys.filter(\.isTransfer) ?? []
  }

  /// Drops so many bytes, begins to load them, and runs until a page is under way.
  private func read(_ count: Int) throws -> (transfer: TransferID, session: SessionID, bytes: [UInt8]) {
    let bytes = TestContent.bytes(count)
    source.give(bytes, as: .utf8String)
    app.finishesDrops = false
    source.hover()
    source.drop()
    pair.run()
    let session = try #require(app.sessions.last)
    let transfer = try #require(app.load(.utf8String, of: session))
    try runUntilReading()
    return (transfer, session, bytes)
  }

  private func runUntilReading() throws {
    while !reactor.loads.isReading(from: source.window) { try #require(pair.step()) }
  }

  /// Expects that the load has failed, and is told of before the end of its drop.
  private func expectFailure(_ failure: TransferFailure, _ location: SourceLocation = #_sourceLocation) {
    #expect(app.failures.values.map { $0 } == [[failure]], sourceLocation: location)
    #expect(app.received.isEmpty, sourceLocation: location)
    expectOrder(location)
  }

  private func expectOrder(_ location: SourceLocation = #_sourceLocation) {
    let load = app.notices.lastIndex { if case .load(_, .ended) = $0 { true } else { false } }
    let drop = app.notices.lastIndex { if case .target(_, .ended) = $0 { true } else { false } }
    #expect(load ?? .max < drop ?? -1, sourceLocation: location)
  }

  // MARK: The owner

  @Test(arguments: [0, 10, 1 << 20])
  func `what an owner has written when it dies arrives, and finishes the drop`(count: Int) {
    let bytes = TestContent.bytes(count)
    source.onRequest = { [source, pair] request in
      source.serve(request, bytes)
      pair.server.kill(source.client)
    }
    source.dragAndDrop()
    #expect(app.lastReceived == [.utf8String: bytes])
    #expect(app.failures.isEmpty)
    #expect(app.lastResult == .finished(.copy))
    expectOrder()
    pair.expectClean()
  }

  @Test func `what is loaded when an owner refused and has died since is not there because it died`() {
    source.onRequest = { [source, pair] request in
      source.answer(request, with: nil)
      pair.server.kill(source.client)
    }
    app.intercept = { [app] notice in
      if case .load(_, .ended(.failed(.refused))) = notice, let session = app.sessions.last {
        #expect(app.load(Self.html, of: session) != nil)
      }
      return false
    }
    source.dragAndDrop()
    #expect(app.failures.values.map { $0 } == [[.refused, .ownerVanished]])
    #expect(app.lastResult == .sourceVanished)
    expectOrder()
    pair.expectClean()
  }

  @Test func `an owner that dies when it has announced parts is not waited for`() {
    source.onRequest = { [source, pair] request in
      source.client.write(
        PropertyValue(type: .incr, contents: .words([1])), to: request.property ?? request.target,
        of: request.requestor)
      source.answer(request, with: request.property)
      pair.server.kill(source.client)
    }
    let start = pair.now
    source.dragAndDrop()
    #expect(pair.now < start + reactor.timing.incoming.stall)
    expectFailure(.ownerVanished)
    #expect(app.lastResult == .sourceVanished)
    pair.expectClean()
  }

  @Test func `a move whose source dies when it has deleted is a move`() {
    source.onRequest = { [source, pair] request in
      source.serve(request)
      if request.target == .delete { pair.server.kill(source.client) }
    }
    source.client.write(
      .atoms(["XdndActionCopy", "XdndActionMove"].map { AtomName($0) }), to: .xdndActionList, of: source.window)
    source.enter()
    source.position(at: DragPair.inside, .move)
    pair.run()
    source.drop()
    pair.drive()
    #expect(app.lastReceived == [.utf8String: DragPair.text])
    #expect(app.lastResult == .finished(.move))
    pair.expectClean()
  }

  // MARK: The application

  @Test(arguments: [10, 1 << 20])
  func `a page that arrives after its load was cancelled is dropped, and leaves nothing`(count: Int) throws {
    let (transfer, session, _) = try read(count)
    var parts = 0
    app.loading[transfer]?.answer = {
      parts += 1
      return .more
    }
    reactor.perform { $0.loads[transfer]?.receive(.cancel) }
    #expect(app.failures[session] == [.cancelled])
    #expect(properties.isEmpty)
    pair.run()
    #expect(parts == 0)
    app.finish(session)
    pair.drive()
    source.expectDrop(.rejected)
  }

  @Test func `a pause while a page is under way takes that page, and no other`() throws {
    let (transfer, session, bytes) = try read(1 << 20)
    reactor.perform { $0.loads[transfer]?.receive(.pause) }
    pair.run(.seconds(5))
    #expect(app.loading[transfer]?.bytes.count == Self.page)
    reactor.perform { $0.loads[transfer]?.receive(.resume) }
    pair.run()
    #expect(app.received[session] == [.utf8String: bytes])
    app.finish(session)
    pair.drive()
    source.expectDrop(.finished(.copy))
  }

  @Test func `a pause that is over before the page is there reads nothing twice`() throws {
    let (transfer, session, bytes) = try read(1 << 20)
    for input in [IncomingTransfer.Input.pause, .resume, .pause, .resume] {
      reactor.perform { $0.loads[transfer]?.receive(input) }
    }
    pair.run()
    #expect(app.received[session] == [.utf8String: bytes])
    app.finish(session)
    pair.drive()
    source.expectDrop(.finished(.copy))
  }

  @Test func `of two loads of one window, each gets its own pages, and the end of one is not that of the other`() throws
  {
    let html = TestContent.bytes(1 << 20, seed: 1)
    source.give(html, as: Self.html)
    source.give(TestContent.bytes(1 << 20, seed: 2), as: .utf8String)
    app.finishesDrops = false
    source.hover()
    source.drop()
    pair.run()
    let session = try #require(app.sessions.last)
    let cancelled = try #require(app.load(.utf8String, of: session))
    let other = try #require(app.load(Self.html, of: session))
    try runUntilReading()
    #expect(properties.count == 2)
    while app.loading[cancelled]?.bytes.isEmpty ?? false { try #require(pair.step()) }
    reactor.perform { $0.loads[cancelled]?.receive(.cancel) }
    #expect(app.loading[other] != nil)
    pair.run()
    #expect(app.failures[session] == [.cancelled])
    #expect(app.received[session] == [Self.html: html])
    app.finish(session)
    pair.drive()
    source.expectDrop(.rejected)
  }

  // MARK: The requestor and the server

  @Test func `when the requestor is destroyed, no page is waited for`() throws {
    _ = try read(1 << 20)
    pair.server.destroy(pair.window)
    pair.drive()
    expectFailure(.ownerVanished)
    #expect(reactor.lateAnswers.windows.isEmpty)
    pair.expectClean()
  }

  @Test func `a load that is given up before its requestor is known to be destroyed leaves no watch`() throws {
    source.onRequest = { _ in }
    app.finishesDrops = false
    source.hover()
    source.drop()
    pair.run()
    let session = try #require(app.sessions.last)
    let transfer = try #require(app.load(.utf8String, of: session))
    pair.run()
    pair.server.destroy(pair.window)
    reactor.perform { $0.loads[transfer]?.receive(.cancel) }
    #expect(reactor.lateAnswers.windows == [pair.window])
    pair.drive()
    #expect(reactor.lateAnswers.windows.isEmpty)
    pair.expectClean()
  }

  @Test func `a lost server ends the load at once`() throws {
    _ = try read(1 << 20)
    pair.server.kill(pair.target.client)
    reactor.process()
    #expect(reactor.loads.count == 0)
    #expect(reactor.nextDeadline == nil)
    expectFailure(.ownerVanished)
  }

  // MARK: The log

  @Test func `a page that is logged does not show its bytes`() {
    let page = ContentPage(
      header: PropertyHeader(type: .utf8String, format: 8, byteCount: 9), bytes: PropertyBytes([222, 173]), left: 7)
    let text = "\(page)"
    #expect(text.contains("2 of 9 bytes of UTF8_STRING, 7 left"))
    #expect(!text.contains("222") && !text.contains("173"))
  }
}
