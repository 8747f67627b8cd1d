import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// The whole protocol against a given window, with nobody's hand in it.
@Suite("Drops without a pointer")
struct PointerlessDropTests {
  private let pair = DragPair()

  private func drop(
    on window: WindowID? = nil, at point: Point? = nil, along path: [Point] = [],
    types: [AtomName] = [.utf8String], operations: [DragOperation] = [.copy]
  ) -> DragID {
    let drag = pair.source.reactor.offers.nextID()
    pair.source.reactor.drop(
      drag,
      SourceMachine.Offer(
        source: pair.source.client.dragWindow, types: types, operations: operations, button: .primary,
        time: pair.server.time),
      on: window ?? pair.window, at: point, along: path)
    return drag
  }

  private func outcome(of drag: DragID) -> DragOutcome? {
    pair.endClean()
    return pair.source.outcomes[drag]
  }

  private var positions: [Point] {
    pair.source.client.record.messagesSent.compactMap {
      if case .position(let position) = $0 { position.point } else { nil }
    }
  }

  private var answers: [Answer] {
    pair.source.dragNotices.compactMap {
      if case .answered(let point, let operation) = $0 { Answer(point: point, operation: operation) } else { nil }
    }
  }

  private struct Answer: Equatable {
    var point: Point
    var operation: DragOperation?
  }

  @Test func `a drop on the middle goes through the protocol, and touches no pointer and no keyboard`() {
    pair.server.movePointer(to: DragPair.outside)
    #expect(outcome(of: drop()) == .dropped(.copy))
    #expect(pair.target.lastReceived == [.utf8String: DragPair.text])
    #expect(pair.source.client.record.messagesSent.map(\.kind) == [.enter, .position, .drop])
    #expect(positions == [Point(x: 250, y: 50)])
    #expect(answers == [Answer(point: Point(x: 250, y: 50), operation: .copy)])
    #expect(pair.server.pointer == DragPair.outside)
    #expect(pair.source.client.record.cursors.isEmpty)
    #expect(pair.source.client.imagePlaces.isEmpty)
  }

  @Test func `what the user did in an earlier drag, and is read late, does not lead it`() {
    let target = RawTarget(pair)
    target.answerDelay = .milliseconds(700)
    let drag = drop(on: target.window, at: Point(x: 5, y: 6))
    pair.run(.milliseconds(100))
    let place = PointerSample(point: Point(x: 1, y: 1), time: pair.server.time, modifiers: [])
    let events: [ServerEvent] = [
      .keyPressed(.arrow(dx: 1, dy: 0, isLarge: false), place), .pointerMoved(place), .buttonReleased(.primary, place),
      .grabLost,
    ]
    for event in events { pair.source.reactor.receive(.event(event)) }
    #expect(outcome(of: drag) == .dropped(.copy))
    #expect(positions == [Point(x: 405, y: 6)])
  }

  @Test func `each place of the path waits for the answer to the one before`() {
    let target = RawTarget(pair)
    target.answerDelay = .milliseconds(700)
    let path = [Point(x: 1, y: 2), Point(x: 3, y: 4), Point(x: 99, y: 99)]
    let drag = drop(on: target.window, at: Point(x: 5, y: 6), along: path)
    pair.run(.milliseconds(600))
    #expect(positions == [Point(x: 401, y: 2)])
    #expect(outcome(of: drag) == .dropped(.copy))
    #expect(positions == [(401, 2), (403, 4), (499, 99), (405, 6)].map { Point(x: $0, y: $1) })
    #expect(answers.map(\.point) == positions)
  }

  @Test func `places that the target does not want to hear of are passed over`() {
    let target = RawTarget(pair)
    target.status = { [unowned target] _ in
      target.accepting(quietIn: Rect(x: 400, y: 0, width: 100, height: 50))
    }
    let drag = drop(
      on: target.window, at: Point(x: 5, y: 60), along: [Point(x: 1, y: 1), Point(x: 2, y: 2), Point(x: 3, y: 3)])
    #expect(outcome(of: drag) == .dropped(.copy))
    #expect(positions == [Point(x: 401, y: 1), Point(x: 405, y: 60)])
  }

  @Test func `a window that is covered gets its drop`() {
    let cover = pair.server.createWindow(of: pair.target.client, frame: Rect(x: 0, y: 0, width: 900, height: 900))
    pair.target.register(cover, accepting: DropOffer([.plainText]))
    #expect(outcome(of: drop()) == .dropped(.copy))
    #expect(pair.source.dragNotices.contains(.targetChanged(pair.window)))
    #expect(!pair.source.dragNotices.contains(.targetChanged(cover)))
  }

  @Test func `what a window is inside of takes the drop for it`() {
    let inner = pair.server.createWindow(
      of: pair.target.client, frame: Rect(x: 210, y: 10, width: 20, height: 20), in: pair.window)
    #expect(outcome(of: drop(on: inner, at: Point(x: 1, y: 1))) == .dropped(.copy))
    #expect(positions == [Point(x: 211, y: 11)])
  }

  @Test func `where nothing takes drops, and where there is no window, there is no target`() {
    let window = pair.server.createWindow(of: pair.target.client)
    for window in [window, WindowID(rawValue: 0x7F0_0001)] {
      #expect(outcome(of: drop(on: window)) == .noTarget)
    }
    #expect(pair.source.client.record.messagesSent.isEmpty)
  }

  @Test func `a target that says no is asked again for half a second, and then left`() {
    pair.target.propose = { _ in .forbidden }
    let drag = drop()
    let start = pair.now
    pair.run(.milliseconds(20))
    #expect(positions == [(250, 50), (251, 50), (250, 50)].map { Point(x: $0, y: $1) })
    #expect(outcome(of: drag) == .refused)
    #expect(positions.count == 11)
    #expect(answers.allSatisfy { $0.operation == nil })
    #expect((.milliseconds(450)...(.milliseconds(600))).contains(pair.now - start))
    #expect(pair.source.client.record.messagesSent.last?.kind == .leave)
  }

  @Test func `a target that says yes only after a while gets its drop`() {
    let target = RawTarget(pair)
    let yes = target.status
    let start = pair.now
    target.status = { [unowned target, pair] in
      pair.now - start > .milliseconds(150) ? yes($0) : target.refusal
    }
    #expect(outcome(of: drop(on: target.window)) == .dropped(.copy))
  }

  @Test func `a drop can be called off while a target that says no is waited for`() {
    pair.target.propose = { _ in .forbidden }
    let drag = drop()
    pair.run(.milliseconds(20))
    pair.source.reactor.perform { $0.drags[drag]?.receive(.cancel(.application)) }
    #expect(outcome(of: drag) == .cancelled(.application))
    #expect(positions.count == 3)
  }

  @Test func `a target that vanishes while it is waited for has vanished`() {
    let target = RawTarget(pair)
    target.status = { [unowned target] _ in target.refusal }
    let drag = drop(on: target.window)
    pair.run(.milliseconds(20))
    pair.server.destroy(target.window)
    #expect(outcome(of: drag) == .targetVanished)
  }

  @Test func `a target that says no at first gets its drop`() {
    let target = RawTarget(pair)
    let yes = target.status
    target.status = { [unowned target] in
      target.count(.position) > 1 ? yes($0) : target.refusal
    }
    #expect(outcome(of: drop(on: target.window)) == .dropped(.copy))
    #expect(answers.map(\.operation) == [nil, .copy, .copy])
  }

  @Test(arguments: [[], [Point(x: 1, y: 1), Point(x: 2, y: 2)]])
  func `a target that is silent is given up on after one answer's time`(_ path: [Point]) {
    let target = RawTarget(pair)
    target.onPosition = { _ in }
    let drag = drop(on: target.window, along: path)
    let start = pair.now
    #expect(outcome(of: drag) == .timedOut)
    #expect(pair.now - start < .seconds(6))
    #expect(target.heard.map(\.kind) == [.enter, .position, .leave])
  }

  @Test func `a target that vanishes before the drop has vanished, whatever lies below it`() {
    let target = RawTarget(pair, frame: Rect(x: 200, y: 0, width: 100, height: 100))
    target.onPosition = { [pair, unowned target] _ in pair.server.destroy(target.window) }
    #expect(outcome(of: drop(on: target.window)) == .targetVanished)
  }

  @Test func `a target that vanishes after the drop has vanished`() {
    let target = RawTarget(pair)
    target.onDrop = { [pair, unowned target] _ in pair.server.destroy(target.window) }
    #expect(outcome(of: drop(on: target.window)) == .targetVanished)
  }

  @Test(arguments: [DragOperation.copy, .move, .link, .ask])
  func `what is offered first is what is asked for`(_ operation: DragOperation) {
    let drag = drop(operations: [operation] + [.copy, .move, .link, .ask].filter { $0 != operation })
    #expect(outcome(of: drag) == .dropped(operation))
  }

  @Test func `more than three types and more than one part arrive whole`() {
    let types: [AtomName] = ["a/a", "a/b", "a/c", "a/d"].map { AtomName($0) } + [.utf8String]
    let bytes = TestContent.bytes(5 << 20)
    pair.source.content[.utf8String] = bytes
    #expect(outcome(of: drop(types: types)) == .dropped(.copy))
    #expect(TestContent.isEqual(pair.target.lastReceived[.utf8String], bytes))
  }

  @Test func `a drag of the user's ends, and the next one can begin`() {
    let first = pair.begin()
    pair.move()
    let second = drop()
    #expect(outcome(of: second) == .dropped(.copy))
    #expect(pair.source.outcomes[first] == .cancelled(.application))
    pair.server.release(.primary)
    #expect(pair.drag() == .dropped(.copy))
  }

  @Test func `a drop can be called off while the target thinks`() {
    let target = RawTarget(pair)
    target.answerDelay = .seconds(1)
    let drag = drop(on: target.window)
    pair.run(.milliseconds(500))
    pair.source.reactor.perform { $0.drags[drag]?.receive(.cancel(.application)) }
    #expect(outcome(of: drag) == .cancelled(.application))
    #expect(target.heard.map(\.kind) == [.enter, .position, .leave])
  }
}
