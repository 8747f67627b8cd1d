import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// The application may call back into the library from wherever it is called.
@Suite("Calls from notices")
struct ReentrancyTests {
  private let pair = DragPair()

  private var source: TestProgram { pair.source }
  private var target: TestProgram { pair.target }

  @Test func `a drag that is begun from a notice of another one takes its place, and its grab`() {
    var second: DragID?
    source.intercept = { [pair] in
      if case .drag(_, .proposed) = $0, second == nil { second = pair.press() }
      return false
    }
    let first = pair.begin()
    pair.move()
    pair.move()
    pair.drop()
    #expect(source.outcomes[first] == .cancelled(.application))
    #expect(second.flatMap { source.outcomes[$0] } == .dropped(.copy))
    pair.expectClean()
  }

  @Test func `a drag that is begun from a notice of another one and comes to nothing leaves no grab`() {
    var second: DragID?
    source.intercept = { [pair, source] in
      guard case .drag(_, .proposed) = $0, second == nil else { return false }
      let drag = source.reactor.offers.nextID()
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
    #expect(source.outcomes[first] == .cancelled(.application))
    #expect(second.flatMap { source.outcomes[$0] } == .cancelled(.selectionLost))
    pair.expectClean()
  }

  @Test func `a drag that waits for a last answer makes room for the next one`() {
    let slow = RawTarget(pair)
    slow.answerDelay = .seconds(2)
    let first = pair.begin()
    pair.move(to: RawTarget.inside)
    pair.server.release(.primary)
    pair.run()
    let second = pair.begin()
    #expect(slow.heard.last?.kind == .leave, "All messages of a program name the same source, so one drag at a time.")
    pair.move(to: RawTarget.inside)
    pair.drop()
    #expect(source.outcomes == [first: .cancelled(.application), second: .dropped(.copy)])
    pair.expectClean()
  }

  /// Does something the first time that a notice of the target fits.
  private func onTarget(
    _ fits: @escaping (Notice.TargetNotice) -> Bool, _ action: @escaping () -> Void
  ) {
    var isDone = false
    target.intercept = {
      guard case .target(_, let notice) = $0, !isDone, fits(notice) else { return false }
      isDone = true
      action()
      return false
    }
  }

  /// Does something the first time that a notice of the drag fits.
  private func onDrag(_ fits: @escaping (Notice.DragNotice) -> Bool, _ action: @escaping () -> Void) {
    var isDone = false
    source.intercept = {
      guard case .drag(_, let notice) = $0, !isDone, fits(notice) else { return false }
      isDone = true
      action()
      return false
    }
  }

  @Test func `a loop that runs in a notice may sleep, and what is due happens after it`() {
    var rung = 0
    let alarm = source.reactor.alarm { rung += 1 }
    onDrag({ $0 == .began }) { [pair] in
      alarm.time = pair.now
      for _ in 0..<3 { pair.source.reactor.process() }
      #expect(pair.source.reactor.nextDeadline == nil && rung == 0)
    }
    #expect(pair.drag() == .dropped(.copy))
    #expect(rung == 1)
    pair.expectClean()
  }

  @Test func `a window that is unregistered when it is asked for a proposal is no target any more`() {
    onTarget({ if case .proposalNeeded = $0 { true } else { false } }) { [pair] in pair.target.unregister(pair.window) }
    #expect(pair.drag() == .noTarget)
    #expect(target.targetNotices.last == .exited(target.sessions[0], .unregistered))
    pair.expectClean()
  }

  @Test
  func `a window that is unregistered when something enters it is none any more, and one that was dropped on answers`()
  {
    onTarget({ if case .entered = $0 { true } else { false } }) { [pair] in pair.target.unregister(pair.window) }
    #expect(pair.drag() == .noTarget)
    pair.expectClean()
    target.register(pair.window, accepting: DropOffer([.plainText]))
    onTarget({ if case .dropped = $0 { true } else { false } }) { [pair] in pair.target.unregister(pair.window) }
    #expect(pair.drag() == .refused)
    #expect(target.lastResult == .rejected)
    pair.expectClean()
  }

  @Test(arguments: 0..<7)
  func `a drag that is cancelled from any of its notices ends, once`(index: Int) {
    var count = 0
    source.intercept = { [pair] in
      switch $0 {
      case .drag(let drag, _), .offer(let drag, _):
        if count == index { pair.source.reactor.perform { $0.drags[drag]?.receive(.cancel(.application)) } }
        count += 1
      case .target, .load, .save, .selection, .gesture, .settingsChanged: break
      }
      return false
    }
    // Once the target has the data there is nothing left to cancel.
    #expect([.cancelled(.application), .dropped(.copy)].contains(pair.drag()))
    pair.expectClean()
  }

  @Test func `the next drag is begun when the last one ends`() {
    onDrag({ if case .ended = $0 { true } else { false } }) { [pair] in pair.press() }
    pair.drag()
    pair.move()
    pair.drop()
    #expect(source.outcomes.values.map { $0 } == [.dropped(.copy), .dropped(.copy)])
    pair.expectClean()
  }

  @Test func `nothing can be loaded before the drop, nor after its end`() {
    var loads: [TransferID?] = []
    target.intercept = { [pair] in
      switch $0 {
      case .target(_, .entered(let session, _, _, _)), .target(_, .ended(let session, _)):
        loads.append(pair.target.reactor.load(.utf8String, of: session) { _ in .more })
      default: break
      }
      return false
    }
    pair.drag()
    #expect(loads == [nil, nil])
    pair.expectClean()
  }

  @Test func `a drop that is finished without having been read is finished`() {
    target.wanted = []
    #expect(pair.drag() == .dropped(.copy))
    #expect(source.openRequests.isEmpty)
    pair.expectClean()
  }

  @Test func `a drop that is finished while it is read ends what is being read`() {
    source.content = [.utf8String: TestContent.bytes(5 << 20)]
    target.intercept = { [pair] in
      if case .load(_, .progressed(let received, _)) = $0, received > 1 << 20,
        let session = pair.target.openSessions.last
      {
        pair.target.finish(session)
      }
      return false
    }
    #expect(pair.drag() == .dropped(.copy))
    #expect(target.failures.values.map { $0 } == [[.cancelled]])
    pair.expectClean()
  }

  @Test func `content that is provided twice is given once, and what fails to come is refused once`() {
    source.intercept = { [pair] in
      guard case .offer(_, .contentNeeded(let transfer, _, _)) = $0 else { return false }
      pair.source.reactor.provide(transfer, TestReader(DragPair.text))
      pair.source.reactor.provide(transfer, TestReader([1, 2, 3]))
      pair.source.reactor.provide(transfer, nil)
      return true
    }
    #expect(pair.drag() == .dropped(.copy))
    #expect(target.lastReceived == [.utf8String: DragPair.text])
    pair.expectClean()
  }

  @Test func `the application hears what became of its loads before it hears that the drop is over`() throws {
    target.finishesDrops = false
    pair.begin()
    pair.move()
    source.providesLater = true
    pair.server.release(.primary)
    pair.run()
    let session = target.sessions[0]
    target.load(.utf8String, of: session)
    pair.run()
    pair.server.kill(source.client)
    pair.drive()
    let ends = target.notices.suffix(2)
    guard case .load(_, .ended(.failed(.ownerVanished)))? = ends.first else {
      Issue.record("\(ends)")
      return
    }
    let host = try #require(target.reactor.targets[pair.window]?.host)
    #expect(ends.last == .target(host, .ended(session, .sourceVanished)))
    pair.expectClean()
  }

  @Test func `a drag that is begun because another one is about to begin is the one that goes on`() {
    let first = pair.begin()
    var third: DragID?
    onDrag({ $0 == .ended(.cancelled(.application)) }) { [pair] in third = pair.press() }
    let second = pair.begin()
    pair.move()
    pair.drop()
    #expect(source.outcomes[first] == .cancelled(.application))
    #expect(source.outcomes[second] == .cancelled(.application))
    #expect(third.flatMap { source.outcomes[$0] } == .dropped(.copy))
    pair.expectClean()
  }
}
