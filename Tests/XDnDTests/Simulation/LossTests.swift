import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// One drag from the press to the last byte; in each run something else breaks at another step.
@Suite("Something breaks at every step of a drag", .computing, .exhaustive)
struct LossTests {
  enum Fault: CaseIterable {
    case sourceKilled, targetKilled, sourceFrozen, targetFrozen, targetWindowDestroyed, targetUnregistered
    case selectionTaken, selectionDropped, grabBroken, escape, cancelled, cancelledInNotice, secondDrag
    case sourceLosesServer, targetLosesServer, spuriousWakeUps
  }

  private func script(_ pair: DragPair) {
    let second = pair.server.createWindow(of: pair.target.client, frame: Rect(x: 300, y: 0, width: 100, height: 100))
    pair.target.register(second, accepting: DropOffer([.plainText], operations: [.copy, .move]))
    pair.source.content = [.utf8String: TestContent.bytes(2_000)]
    pair.source.knowsLength = false
    pair.after(.milliseconds(10)) {
      pair.press([.utf8String] + ["a/a", "b/b", "c/c"].map { AtomName($0) }, operations: [.move, .copy])
    }
    pair.after(.milliseconds(20)) { pair.server.movePointer(to: DragPair.inside) }
    pair.after(.milliseconds(30)) { pair.server.movePointer(to: Point(x: 350, y: 50)) }
    pair.after(.milliseconds(40)) { pair.server.movePointer(to: DragPair.outside) }
    pair.after(.milliseconds(50)) { pair.server.movePointer(to: DragPair.inside) }
    pair.after(.milliseconds(60)) { pair.server.release(.primary) }
  }

  /// Has something break now.
  static func inject(_ fault: Fault, _ pair: DragPair) {
    let (source, target) = (pair.source, pair.target)
    switch fault {
    case .sourceKilled, .sourceLosesServer: pair.server.kill(source.client)
    case .targetKilled, .targetLosesServer: pair.server.kill(target.client)
    case .sourceFrozen: source.client.behavior.isFrozen = true
    case .targetFrozen: target.client.behavior.isFrozen = true
    case .targetWindowDestroyed: pair.server.destroy(pair.window)
    case .targetUnregistered: target.unregister(pair.window)
    case .selectionTaken:
      // As ICCCM has it, what was asked for at an earlier time is not the new owner's to give.
      let thief = RawSource(pair)
      thief.onRequest = { [unowned thief] in thief.answer($0, with: nil) }
    case .selectionDropped: pair.server.setOwner(.none, of: .xdndSelection, at: pair.server.time)
    case .grabBroken: pair.server.breakGrab()
    case .escape: pair.server.pressEscape()
    case .cancelled: cancel(source)
    case .cancelledInNotice:
      var isDone = false
      source.intercept = { [unowned self_ = source] _ in
        if !isDone { cancel(self_) }
        isDone = true
        return false
      }
    case .secondDrag: pair.press()
    case .spuriousWakeUps:
      for side in pair.sides { for _ in 0..<3 { side.reactor.process() } }
    }
  }

  private static func cancel(_ side: TestProgram) {
    guard let drag = side.reactor.drags.current else { return }
    side.reactor.perform { $0.drags[drag]?.receive(.cancel(.application)) }
  }

  @Test(arguments: Fault.allCases, [false, true])
  func `a fault at any step of a drag leaves nothing behind`(fault: Fault, beginsLate: Bool) {
    var timing = Reactor.Timing()
    timing.outgoing.wholeProperty = 500
    timing.outgoing.part = 300
    for step in 0..<200 {
      let pair = DragPair(timing: timing)
      pair.label = "\(fault) at step \(step)\(beginsLate ? ", late" : "")"
      pair.source.client.behavior.beginsLate = { beginsLate }
      script(pair)
      for _ in 0..<step { _ = pair.step() }
      let isOver = pair.source.reactor.drags.isEmpty && !pair.source.outcomes.isEmpty
      let isHeld = pair.server.grab != nil && !pair.server.buttons.isEmpty
      Self.inject(fault, pair)
      pair.run(.seconds(100))
      pair.letGo(for: .seconds(100))
      // A hung drag is looked after until its source is gone.
      for side in pair.sides where side.client.behavior.isFrozen { pair.server.kill(side.client) }
      pair.drive()
      if fault == .sourceLosesServer { Self.expectEnd(of: pair.source, pair) }
      if fault == .targetLosesServer { Self.expectEnd(of: pair.target, pair) }
      pair.expectClean()
      expectTrue(pair)
      if fault == .spuriousWakeUps { #expect(pair.source.lastOutcome == .dropped(.move), "\(pair.label)") }
      if fault == .escape, isHeld { #expect(pair.source.lastOutcome == .cancelled(.escape), "\(pair.label)") }
      if isOver { return }
    }
    Issue.record("the drag never ended")
  }

  /// What arrived is what was sent, and a move that deletes is one that arrived.
  private func expectTrue(_ pair: DragPair) {
    let content = pair.source.content[.utf8String] ?? []
    for received in pair.target.received.values {
      #expect(received == [.utf8String: content], "\(pair.label)")
    }
    if pair.source.outcomes.values.contains(.dropped(.move)) {
      #expect(!pair.target.received.isEmpty, "\(pair.label)")
    }
    if !pair.source.deletions.isEmpty { #expect(!pair.target.received.isEmpty, "\(pair.label)") }
  }

  /// The connection is lost, and the program still runs.
  static func expectEnd(of side: TestProgram, _ pair: DragPair) {
    side.reactor.process()
    for _ in 0..<100 {
      guard let deadline = side.reactor.nextDeadline else { break }
      pair.server.clock.advance(to: deadline)
      side.reactor.process()
    }
    #expect(side.reactor.nextDeadline == nil, "\(pair.label)")
    #expect(side.reactor.drags.isEmpty && side.reactor.loads.count == 0, "\(pair.label)")
    #expect(side.openSessions.isEmpty, "\(pair.label)")
  }
}
