import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("Full drags between two programs", .computing)
struct FullDragTests {
  @Test func `text arrives, and both sides say copy`() {
    let pair = DragPair()
    #expect(pair.drag() == .dropped(.copy))
    #expect(pair.target.lastReceived == [.utf8String: DragPair.text])
    #expect(pair.target.lastResult == .finished(.copy))
    pair.expectClean()
  }

  @Test func `the source hears what happens in the order in which it happens`() {
    let pair = DragPair()
    pair.drag()
    let transfer = TransferID(rawValue: 1 << 32)
    let drag = DragID(rawValue: 1)
    let length = DragPair.text.count
    func sent(_ count: Int, _ whole: Int?) -> Notice.Transfer {
      .init(
        id: transfer, type: .utf8String, isCounted: true, amount: LoadAmount(received: count, expected: whole))
    }
    #expect(
      pair.source.notices == [
        .drag(drag, .began), .drag(drag, .targetChanged(pair.window)),
        .drag(drag, .answered(at: DragPair.inside, .copy)), .drag(drag, .proposed(.copy)),
        .drag(drag, .dropSent(.copy, .otherApplication)), .offer(drag, .contentRequested),
        .offer(drag, .transferBegan(sent(0, nil))),
        .offer(drag, .contentNeeded(transfer, type: .utf8String, requestor: pair.window)),
        .offer(drag, .transferProgressed(sent(0, length), after: LoadAmount())),
        .offer(drag, .transferProgressed(sent(length, length), after: LoadAmount(expected: length))),
        .offer(drag, .transferEnded(sent(length, length), .delivered)), .drag(drag, .ended(.dropped(.copy))),
      ])
  }

  @Test func `the source hears that the drag has left the target`() {
    let pair = DragPair()
    pair.begin()
    pair.move()
    pair.move(to: DragPair.outside)
    #expect(pair.source.dragNotices.suffix(2) == [.targetChanged(nil), .proposed(nil)])
    pair.drop()
    pair.expectClean()
  }

  @Test func `a target sees more than three types, and loads the last of them`() {
    let pair = DragPair()
    let types: [AtomName] = ["a/a", "b/b", "c/c", "d/d", "UTF8_STRING"].map { AtomName($0) }
    #expect(pair.drag(types) == .dropped(.copy))
    #expect(pair.target.lastReceived == [.utf8String: DragPair.text])
    let seen = pair.target.targetNotices.compactMap { notice -> [String]? in
      if case .entered(_, _, _, let content) = notice { content.types.map(\.name) } else { nil }
    }
    #expect(seen == [["a/a", "b/b", "c/c", "d/d", "UTF8_STRING"]])
    pair.expectClean()
  }

  @Test(arguments: [true, false])
  func `every length arrives byte for byte, whether it is known beforehand or not`(isKnown: Bool) {
    let limits = OutgoingTransfer.Limits()
    for count in [0, 1, limits.part - 1, limits.part, limits.part + 1, limits.wholeProperty, limits.wholeProperty + 1] {
      let pair = DragPair()
      pair.label = "\(count) bytes"
      let content = TestContent.bytes(count)
      pair.source.content = [.utf8String: content]
      pair.source.knowsLength = isKnown
      #expect(pair.drag() == .dropped(.copy))
      #expect(TestContent.isEqual(pair.target.lastReceived[.utf8String], content), "\(count) bytes")
      pair.expectClean()
    }
  }

  @Test func `fifty megabytes arrive by INCR`() {
    let pair = DragPair()
    let content = TestContent.bytes(50 << 20)
    pair.source.content = [.utf8String: content]
    #expect(pair.drag() == .dropped(.copy))
    #expect(TestContent.isEqual(pair.target.lastReceived[.utf8String], content))
    pair.expectClean()
  }

  @Test func `a move asks the source to delete, once, before it is over`() throws {
    let pair = DragPair()
    #expect(pair.drag(operations: [.copy, .move], holding: .shift) == .dropped(.move))
    #expect(pair.target.lastResult == .finished(.move))
    #expect(pair.source.deletions.values.map { $0 } == [1])
    let notices = pair.source.notices
    let drag = DragID(rawValue: 1)
    let request = try #require(notices.firstIndex(of: .offer(drag, .deletionRequested)))
    let end = try #require(notices.firstIndex(of: .drag(drag, .ended(.dropped(.move)))))
    #expect(request < end)
    pair.expectClean()
  }

  @Test func `a copy asks for no deletion, even if a move was possible`() {
    let pair = DragPair()
    #expect(pair.drag(operations: [.copy, .move]) == .dropped(.copy))
    #expect(pair.source.deletions.isEmpty)
  }

  @Test func `who is asked chooses, with the words that the source has for it`() {
    let pair = DragPair()
    pair.target.operation = { $0.operation == .ask ? .move : $0.operation }
    let drag = pair.begin(
      operations: [.copy, .move, .ask], descriptions: [.copy: "Kopieren", .move: "Verschieben", .ask: "Fragen"])
    pair.server.hold(.alt)
    pair.move()
    #expect(pair.server.grab?.cursor == .ask)
    pair.drop()
    #expect(pair.source.outcomes[drag] == .dropped(.move))
    #expect(pair.source.deletions == [drag: 1])
    let seen = pair.target.targetNotices.compactMap { notice -> [String]? in
      if case .entered(_, _, _, let content) = notice { content.descriptions } else { nil }
    }
    // What is asked for stands first: see `publishOperations`.
    #expect(seen == [["Fragen", "Kopieren", "Verschieben"]])
    pair.expectClean()
  }

  @Test func `a key that is pressed over a resting pointer changes the proposal and the cursor`() {
    let pair = DragPair()
    pair.begin(operations: [.copy, .move, .link])
    pair.move()
    #expect(pair.server.grab?.cursor == .copy)
    for (keys, cursor) in [(Modifiers.shift, CursorShape.move), ([.control, .shift], .link), ([], .copy)] {
      pair.server.hold(keys)
      pair.run()
      #expect(pair.server.grab?.cursor == cursor)
    }
    pair.drop()
    pair.expectClean()
  }

  @Test func `a program drags to itself`() {
    let pair = DragPair()
    let window = pair.server.createWindow(of: pair.source.client, frame: Rect(x: 0, y: 300, width: 100, height: 100))
    pair.source.register(window, accepting: DropOffer([.plainText], operations: [.copy, .move]))
    let outcome = pair.drag(operations: [.move], to: Point(x: 50, y: 350))
    #expect(outcome == .dropped(.move))
    #expect(pair.source.lastReceived == [.utf8String: DragPair.text])
    #expect(pair.source.deletions.count == 1)
    pair.expectClean()
  }

  @Test func `two windows of one program are two visits, and the second gets the drop`() {
    let pair = DragPair()
    let second = pair.server.createWindow(of: pair.target.client, frame: Rect(x: 300, y: 0, width: 100, height: 100))
    pair.target.register(second, accepting: DropOffer([.plainText], operations: [.copy]))
    let drag = pair.begin()
    pair.move()
    pair.move(to: Point(x: 350, y: 50))
    pair.drop()
    #expect(pair.source.outcomes[drag] == .dropped(.copy))
    #expect(pair.target.sessions.count == 2)
    #expect(pair.target.targetNotices.contains(.exited(pair.target.sessions[0], .left)))
    #expect(pair.target.results[pair.target.sessions[1]] == .finished(.copy))
    pair.expectClean()
  }

  @Test func `a drag goes out and comes back, as often as it likes, and is then dropped`() {
    let pair = DragPair()
    let drag = pair.begin()
    for _ in 0..<5 {
      pair.move()
      #expect(pair.server.grab?.cursor == .copy)
      pair.move(to: DragPair.outside)
      #expect(pair.server.grab?.cursor == .notAllowed)
    }
    pair.move()
    pair.drop()
    #expect(pair.source.outcomes[drag] == .dropped(.copy))
    #expect(pair.target.sessions.count == 6)
    pair.expectClean()
  }

  @Test func `where nothing takes drops the cursor says what the source has set, and a refusal stays a refusal`() {
    let pair = DragPair()
    let drag = pair.begin()
    pair.move(to: DragPair.outside)
    pair.source.reactor.setCursorOutside(.disappearing, of: drag)
    #expect(pair.server.grab?.cursor == .disappearing)
    pair.move()
    #expect(pair.server.grab?.cursor == .copy)
    pair.source.reactor.setCursorOutside(.dragging, of: drag)
    #expect(pair.server.grab?.cursor == .copy)
    pair.move(to: DragPair.outside)
    #expect(pair.server.grab?.cursor == .dragging)
    pair.drop()
    let unwanted = pair.begin([AtomName("image/png")])
    pair.source.reactor.setCursorOutside(.disappearing, of: unwanted)
    pair.move()
    #expect(pair.server.grab?.cursor == .notAllowed)
    pair.drop()
    pair.expectClean()
  }

  @Test func `the pointer that leaves and comes back before anything is delivered is still answered`() {
    let pair = DragPair()
    pair.server.latency = { .milliseconds(30) }
    let drag = pair.begin()
    for point in [DragPair.inside, DragPair.outside, DragPair.inside, DragPair.outside, DragPair.inside] {
      pair.server.movePointer(to: point)
      pair.run(.milliseconds(31))
    }
    pair.drop()
    pair.expectEnd(of: drag, .dropped(.copy))
  }

  @Test func `what the target does not want is seen to be refused`() {
    let pair = DragPair()
    #expect(pair.drag(["image/png"].map { AtomName($0) }) == .refused)
    // Not for a moment does it say yes: it says nothing, and then no.
    #expect(pair.source.client.record.cursors == [.dragging, .notAllowed, .dragging, .notAllowed])
    pair.expectClean()
  }

  @Test(arguments: [nil, DropOffer([.image])])
  func `the cursor says no only outside of the container that the content comes from`(_ offer: DropOffer?) {
    let pair = DragPair()
    let home = pair.server.createWindow(of: pair.source.client, frame: Rect(x: 0, y: 0, width: 100, height: 100))
    if let offer { pair.source.register(home, accepting: offer) }
    let drag = pair.begin(from: DragContainer(window: home))
    #expect(pair.source.client.record.cursors == [.dragging])
    pair.move(to: DragPair.outside)
    #expect(pair.server.grab?.cursor == .notAllowed)
    pair.move(to: Point(x: 90, y: 90))
    #expect(pair.server.grab?.cursor == .dragging)
    pair.source.reactor.setCursorOutside(.notAllowed, of: drag)
    #expect(pair.server.grab?.cursor == .dragging)
    pair.drop()
    #expect(pair.source.outcomes[drag] == (offer == nil ? .noTarget : .refused))
    pair.expectClean()
  }

  @Test func `a drag ends where nothing is, and by Escape, and when the grab is taken away`() {
    let pair = DragPair()
    #expect(pair.drag(to: DragPair.outside) == .noTarget)
    pair.expectClean()
    for (end, reason) in [
      (pair.server.pressEscape, DragOutcome.Cancellation.escape), (pair.server.breakGrab, .grabLost),
    ] {
      let drag = pair.begin()
      pair.move()
      end()
      pair.drive()
      pair.expectEnd(of: drag, .cancelled(reason))
      pair.server.release(.primary)
    }
    #expect(pair.target.received.isEmpty)
  }

  @Test func `a drag that is quicker than the program ends where the button went up`() {
    let pair = DragPair()
    pair.server.movePointer(to: Point(x: 10, y: 10))
    pair.server.press(.primary)
    let pressed = pair.server.time
    pair.server.movePointer(to: DragPair.inside)
    pair.server.release(.primary)
    pair.server.movePointer(to: DragPair.outside)
    let drag = pair.begin(at: pressed)
    pair.drive()
    #expect(pair.source.outcomes[drag] == .dropped(.copy))
    #expect(pair.target.lastReceived == [.utf8String: DragPair.text])
    pair.expectClean()
  }

  @Test func `a button that went up before the grab, nobody knows where, was a click`() {
    let pair = DragPair()
    pair.source.client.behavior.hasGreedyToolkit = true
    pair.server.press(.primary)
    pair.server.release(.primary)
    let drag = pair.begin(at: pair.server.time)
    pair.drive()
    pair.expectEnd(of: drag, .cancelled(.buttonReleased))
  }

  @Test func `over one window a motion costs one message, and no round trip`() {
    let pair = DragPair()
    pair.begin()
    pair.move()
    let before = (pair.source.client.record.roundTrips, pair.source.client.record.messagesSent.count)
    for x in 0..<20 { pair.move(to: Point(x: 210 + x, y: 10)) }
    #expect(pair.source.client.record.roundTrips == before.0)
    #expect(pair.source.client.record.messagesSent.count == before.1 + 20)
    let targetTrips = pair.target.client.record.roundTrips
    pair.move(to: Point(x: 260, y: 60))
    #expect(pair.target.client.record.roundTrips == targetTrips)
    pair.drop()
  }

  @Test func `motions between two answers become one position, the newest`() {
    let pair = DragPair()
    pair.server.latency = { .milliseconds(20) }
    pair.begin()
    for x in 0..<50 { pair.server.movePointer(to: Point(x: 210 + x, y: 10)) }
    pair.run(.milliseconds(500))
    let points = pair.source.client.record.messagesSent.compactMap { message -> Point? in
      if case .position(let position) = message { position.point } else { nil }
    }
    #expect(points.count <= 3)
    #expect(points.last == Point(x: 259, y: 10))
    pair.drop()
    pair.expectClean()
  }

  @Test func `the lists on the drag window are not written again while the action stays the same`() {
    let pair = DragPair()
    let watcher = SimulatedPeer(pair.simulation, frame: Rect(x: 0, y: 600, width: 1, height: 1))
    var changes: [AtomName] = []
    watcher.onEvent = { if case .propertyChanged(let name, _) = $0 { changes.append(name) } }
    watcher.client.watch(pair.source.client.dragWindow, for: .properties)
    pair.begin(operations: [.copy, .ask])
    #expect(changes.contains(.xdndActionList) && changes.contains(.xdndActionDescription))
    changes = []
    pair.move()
    pair.move(to: Point(x: DragPair.inside.x + 10, y: DragPair.inside.y))
    #expect(!changes.contains(.xdndActionList) && !changes.contains(.xdndActionDescription))
    pair.server.pressEscape()
    pair.endClean()
  }
}
