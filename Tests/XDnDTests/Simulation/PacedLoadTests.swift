import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// Targets that take what was dropped at their own pace, and owners that have to live with it.
@Suite("A target that takes content at its own pace", .computing)
struct PacedLoadTests {
  private let pair = DragPair()

  private var app: TestProgram { pair.target }
  private var reactor: Reactor { pair.target.reactor }

  /// Drops so many bytes, and asks for them; `answer` is what the sink says to each part.
  private func load(
    _ count: Int, limits: IncomingTransfer.Limits? = nil, answer: @escaping () -> SinkAnswer
  ) throws -> (transfer: TransferID, session: SessionID, bytes: [UInt8]) {
    let bytes = TestContent.bytes(count)
    pair.source.content = [.utf8String: bytes]
    app.finishesDrops = false
    pair.begin()
    pair.move()
    pair.letGo()
    let session = try #require(app.sessions.last)
    let transfer = try #require(app.load(.utf8String, of: session, limits: limits))
    app.loading[transfer]?.answer = answer
    return (transfer, session, bytes)
  }

  private func received(_ transfer: TransferID) -> Int? { app.loading[transfer]?.bytes.count }

  @Test(arguments: [1 << 20, 5 << 20])
  func `a full sink gets one part at a time, and in the end all`(count: Int) throws {
    let (transfer, session, bytes) = try load(count) { .full }
    var steps = 0
    while let before = received(transfer) {
      pair.run(.seconds(1))
      guard let after = received(transfer) else { break }
      // Neither of the sides gives up as long as this is not longer than a stall.
      #expect(after - before <= 1 << 18)
      reactor.perform { $0.loads[transfer]?.receive(.resume) }
      steps += 1
      try #require(steps < 100)
    }
    #expect(steps + 1 >= count >> 18)
    #expect(app.received[session] == [.utf8String: bytes])
    app.finish(session)
    pair.drive()
    #expect(pair.source.lastOutcome == .dropped(.copy))
    pair.expectClean()
  }

  @Test(arguments: [15, 25, 300])
  func `a part that comes after its transfer was given up on is removed, however late`(seconds: Int) {
    var timing = Reactor.Timing()
    timing.outgoing.wholeProperty = 600
    let pair = DragPair(timing: timing)
    // An image that settles would wake the source, which then finds the part early.
    pair.appearance = nil
    pair.source.intercept = {
      guard case .offer(_, .contentNeeded(let transfer, _, _)) = $0 else { return false }
      let reader = TestReader(TestContent.bytes(2000), knowsLength: false)
      reader.onPending = { pair.after(.seconds(seconds)) { pair.source.reactor.process() } }
      pair.source.reactor.provide(transfer, reader)
      return true
    }
    pair.drag()
    #expect(pair.target.failures.values.map { $0 } == [[.timedOut]])
    pair.expectClean()
  }

  @Test func `a pause does not end a transfer in one property, however long it is`() throws {
    let (transfer, session, bytes) = try load(1 << 20) { .full }
    pair.run(.seconds(25))
    #expect(received(transfer) == 1 << 18)
    for _ in 0..<4 {
      reactor.perform { $0.loads[transfer]?.receive(.resume) }
      pair.run()
    }
    #expect(app.received[session] == [.utf8String: bytes])
    app.finish(session)
    pair.endClean()
  }

  @Test func `a pause that is too long for the source ends with it, and leaves nothing`() throws {
    let (transfer, session, _) = try load(5 << 20) { .full }
    pair.drive()
    #expect(app.loading[transfer] == nil)
    #expect(app.failures[session]?.count == 1)
    #expect(pair.source.lastOutcome == .transferFailed || pair.source.lastOutcome == .timedOut)
    pair.expectClean()
  }

  @Test(arguments: [SinkAnswer.full, .more])
  func `a transfer is cancelled while it is paused, and while it is not`(answer: SinkAnswer) throws {
    var parts = 0
    let (transfer, session, _) = try load(9 << 20) { [pair] in
      parts += 1
      if parts == 3, answer == .more {
        pair.after(.zero) { pair.target.reactor.perform { $0.loads[TransferID(rawValue: 1)]?.receive(.cancel) } }
      }
      return answer
    }
    #expect(transfer == TransferID(rawValue: 1))
    if answer == .full {
      pair.run()
      reactor.perform { $0.loads[transfer]?.receive(.cancel) }
    } else {
      pair.run(.seconds(1))
    }
    #expect(app.failures[session] == [.cancelled])
    app.finish(session)
    pair.drive()
    #expect(app.lastResult == .rejected)
    pair.expectClean()
  }

  @Test(arguments: [1 << 20, 5 << 20])
  func `a sink that fails ends it, and the source is told`(count: Int) throws {
    var parts = 0
    let (_, session, _) = try load(count) {
      parts += 1
      return parts == 2 ? .failed : .more
    }
    pair.run(.seconds(1))
    #expect(parts == 2)
    #expect(app.failures[session] == [.sinkFailed])
    app.finish(session)
    pair.drive()
    #expect(app.lastResult == .rejected)
    #expect(pair.source.lastOutcome != .dropped(.copy))
    pair.expectClean()
  }

  @Test func `a source that dies during a pause ends it`() throws {
    let (transfer, session, _) = try load(5 << 20) { .full }
    pair.run()
    pair.server.kill(pair.source.client)
    pair.drive()
    #expect(app.loading[transfer] == nil)
    #expect(app.failures[session] == [.ownerVanished])
    #expect(app.lastResult == .sourceVanished)
    pair.expectClean()
  }

  @Test(arguments: [1 << 20, 5 << 20])
  func `content beyond a limit reaches no sink`(count: Int) throws {
    var seen = 0
    let (_, session, _) = try load(count, limits: .init(byteCount: 1000)) {
      seen += 1
      return .more
    }
    pair.run(.seconds(1))
    #expect(app.failures[session] == [.tooLarge(limit: 1000)])
    #expect(seen == 0)
    app.finish(session)
    pair.endClean()
  }
}
