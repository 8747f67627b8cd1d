import Testing

@testable import XDnD
@testable import XDnDTesting

/// The program goes on while the server answers the requests for the selection and for the grab.
@Suite("What happens before a drag has its grab")
struct LateBeginningTests {
  /// The answer that a drag waits for.
  enum Wait: CaseIterable {
    case claiming, grabbing
  }

  private let pair = DragPair()

  init() {
    for side in pair.sides { side.client.behavior.beginsLate = { true } }
    pair.server.latency = { .milliseconds(25) }
  }

  /// Presses, and begins a drag up to a request whose answer is on its way.
  private func begin(_ wait: Wait) -> DragID {
    let drag = pair.press()
    pair.run(.milliseconds(wait == .claiming ? 10 : 30))
    #expect((pair.server.grab == nil) == (wait == .claiming))
    #expect(!pair.source.notices.contains(.drag(drag, .began)))
    return drag
  }

  private func cancel(_ drag: DragID) {
    pair.source.reactor.perform { $0.drags[drag]?.receive(.cancel(.application)) }
  }

  @Test func `a drag begins when both are answered, and is a drag like others`() {
    let drag = begin(.claiming)
    pair.run(.milliseconds(100))
    #expect(pair.source.dragNotices == [.began])
    #expect(pair.source.reactor.drags.held == drag)
    pair.move()
    pair.run(.milliseconds(100))
    pair.drop()
    pair.expectEnd(of: drag, .dropped(.copy))
    #expect(pair.target.lastReceived == [.utf8String: DragPair.text])
  }

  @Test func `the atoms of all types are asked for before the selection, so they are known when it is answered`() {
    let types = (0..<5).map { AtomName("application/x-own-\($0)") }
    pair.press(types)
    #expect(pair.source.client.record.learnedBeforeClaim.isSuperset(of: types))
  }

  @Test(arguments: [false, true])
  func `a drag begins although another program has released the selection since the press`(isTaken: Bool) throws {
    let stage = DropStage()
    let other = SelectionPeer(stage.simulation, owning: .xdndSelection)
    let pressed = stage.server.time
    stage.run(.milliseconds(20))
    stage.server.setOwner(.none, of: .xdndSelection, at: stage.server.time)
    if isTaken { stage.server.setOwner(other.window, of: .xdndSelection, at: stage.server.time) }
    stage.receiver.onDrop = { drop in drop.load(String.self) { _ in drop.finish(.copy) } }
    let drag = stage.hover([DragItem("text")], at: pressed)
    #expect(drag.outcome == (isTaken ? .cancelled(.selectionLost) : nil))
    stage.letGo()
    #expect(drag.outcome == (isTaken ? .cancelled(.selectionLost) : .dropped(.copy)))
  }

  @Test func `a drag goes on although another program has released the selection, which it took for its own`() throws {
    let stage = DropStage()
    stage.receiver.onDrop = { drop in drop.load(String.self) { _ in drop.finish(.copy) } }
    let drag = stage.hover([DragItem("text")])
    stage.server.setOwner(.none, of: .xdndSelection, at: stage.server.time)
    stage.run(.milliseconds(20))
    #expect(drag.outcome == nil)
    stage.letGo()
    #expect(drag.outcome == .dropped(.copy))
  }

  @Test func `what gedit is not told of is served again after that`() throws {
    let stage = DropStage()
    let gedit = SimulatedPeer(stage.simulation, frame: Rect(x: 400, y: 0, width: 100, height: 100))
    gedit.client.write(PropertyValue(type: .atom, contents: .words([5])), to: .xdndAware, of: gedit.window)
    gedit.client.write(
      PropertyValue(type: .string, contents: .bytes(Array("gedit\0Gedit\0".utf8)[...])), to: .windowClass,
      of: gedit.window)
    var item = DragItem("text")
    var file = FilePromise(named: "a.txt", type: .plainText, bytes: [1])
    file.givesWayToText = true
    item.promise(file)
    var list: Result<LoadedContent, XDnDError>?
    stage.receiver.onDrop = { drop in
      drop.load(.uriList) {
        list = $0
        drop.finish(.copy)
      }
    }
    let drag = stage.begin([item])
    stage.move(to: Point(x: 450, y: 50))
    #expect(gedit.count(.enter) == 1)
    stage.move(to: DropStage.outside)
    stage.server.setOwner(.none, of: .xdndSelection, at: stage.server.time)
    stage.run(.milliseconds(20))
    stage.move(to: DropStage.inside)
    stage.letGo()
    for _ in 0..<20 where list == nil { stage.run(.seconds(1)) }
    #expect(try list?.get().bytes.isEmpty == false)
    #expect(drag.outcome == .dropped(.copy))
  }

  @Test func `a drag that is cancelled before the selection is answered never grabs`() {
    let drag = begin(.claiming)
    cancel(drag)
    pair.drive()
    pair.expectEnd(of: drag, .cancelled(.application))
    #expect(pair.source.client.record.cursors.isEmpty)
  }

  @Test func `a drag that is cancelled before the grab is answered gives it back at once`() {
    let drag = begin(.grabbing)
    #expect(pair.source.reactor.drags.held == nil)
    cancel(drag)
    #expect(pair.server.grab == nil)
    pair.drive()
    pair.expectEnd(of: drag, .cancelled(.application))
  }

  @Test func `a button that goes up before the selection is answered drops there`() {
    let drag = begin(.claiming)
    pair.server.movePointer(to: DragPair.inside)
    pair.server.release(.primary)
    pair.server.movePointer(to: DragPair.outside)
    pair.drive()
    pair.expectEnd(of: drag, .dropped(.copy))
    #expect(pair.target.lastReceived == [.utf8String: DragPair.text])
  }

  @Test func `a button that goes up before the grab is answered drops there`() {
    let drag = begin(.grabbing)
    pair.server.movePointer(to: DragPair.inside)
    pair.server.release(.primary)
    pair.server.movePointer(to: DragPair.outside)
    pair.drive()
    pair.expectEnd(of: drag, .dropped(.copy))
  }

  @Test func `Escape before the grab is answered ends the drag`() {
    let drag = begin(.grabbing)
    pair.server.pressEscape()
    pair.drive()
    pair.expectEnd(of: drag, .cancelled(.escape))
  }

  @Test(arguments: Wait.allCases) func `a selection that is lost before an answer ends the drag`(_ wait: Wait) {
    let drag = begin(wait)
    _ = RawSource(pair)
    pair.drive()
    pair.expectEnd(of: drag, .cancelled(.selectionLost))
    #expect(pair.server.grab == nil)
  }

  @Test func `a selection that an earlier drag has lost is no news for the one that waits for it`() {
    let first = pair.begin()
    pair.server.pressEscape()
    pair.run(.milliseconds(100))
    let thief = RawSource(pair)
    pair.server.clock.advance(to: pair.now + .milliseconds(1))
    let second = pair.press()
    pair.run(.milliseconds(200))
    #expect(thief.window != pair.server.selections[.xdndSelection]?.owner)
    #expect(pair.source.outcomes == [first: .cancelled(.escape)])
    #expect(pair.source.reactor.drags.held == second)
    cancel(second)
    pair.server.kill(thief.client)
    pair.endClean()
  }

  @Test(arguments: Wait.allCases) func `a server that is lost before an answer ends the drag`(_ wait: Wait) {
    let drag = begin(wait)
    pair.server.kill(pair.source.client)
    LossTests.expectEnd(of: pair.source, pair)
    #expect(pair.source.outcomes[drag] == .serverLost)
  }

  @Test(arguments: Wait.allCases) func `a newer drag takes the place of one that waits`(_ wait: Wait) {
    let first = begin(wait)
    let second = pair.press()
    #expect(pair.source.outcomes == [first: .cancelled(.application)])
    #expect(pair.server.grab == nil)
    pair.run(.milliseconds(200))
    #expect(pair.source.reactor.drags.held == second)
    pair.move()
    pair.run(.milliseconds(100))
    pair.drop()
    pair.expectEnd(of: second, .dropped(.copy))
  }

  @Test(arguments: [false, true])
  func `a grab that is refused ends the drag, also if it was cancelled before`(isCancelled: Bool) {
    let other = pair.target.client
    let drag = begin(.claiming)
    _ = other.grab(.core, cursor: .copy, at: pair.server.time) { _ in }
    pair.run(.milliseconds(20))
    if isCancelled { cancel(drag) }
    pair.run(.milliseconds(1500))
    #expect(pair.server.grab?.client === other)
    other.ungrab(at: pair.server.time)
    other.endTracking()
    pair.drive()
    pair.expectEnd(of: drag, .cancelled(isCancelled ? .application : .grabLost))
  }

  @Test func `a grab that is refused is requested again, and granted when the other client has let go`() {
    let other = pair.target.client
    let drag = begin(.claiming)
    _ = other.grab(.core, cursor: .copy, at: pair.server.time) { _ in }
    pair.run(.milliseconds(500))
    other.ungrab(at: pair.server.time)
    other.endTracking()
    pair.run(.milliseconds(200))
    #expect(pair.source.reactor.drags.held == drag)
    cancel(drag)
    pair.endClean()
  }

  @Test(arguments: [InputDevice.core, .device(9), .touch(4, sequence: 7)])
  func `each request for the grab is one of the device that was pressed`(device: InputDevice) {
    let (client, other) = (pair.source.client, pair.target.client)
    let drag = pair.source.reactor.offers.nextID()
    pair.source.reactor.beginDrag(
      drag,
      SourceMachine.Offer(
        source: client.dragWindow, types: [.utf8String], operations: [.copy], device: device, button: nil,
        time: pair.server.time))
    _ = other.grab(.core, cursor: .copy, at: pair.server.time) { _ in }
    pair.run(.milliseconds(500))
    other.ungrab(at: pair.server.time)
    other.endTracking()
    pair.run(.milliseconds(200))
    #expect(client.record.grabbedDevices.count > 1)
    #expect(Set(client.record.grabbedDevices) == [device])
    cancel(drag)
    pair.endClean()
  }

  @Test func `a cursor that is set before the grab is answered is shown`() {
    let drag = begin(.grabbing)
    pair.source.reactor.setCursorOutside(.disappearing, of: drag)
    pair.run(.milliseconds(100))
    #expect(pair.server.grab?.cursor == .disappearing)
    cancel(drag)
    pair.endClean()
  }

  @Test func `what is offered before the grab is answered is what the target sees`() {
    let drag = begin(.claiming)
    pair.source.reactor.perform {
      $0.drags[drag]?.receive(
        .offerChanged(types: [.utf8String, .string], operations: [.move], promised: []))
    }
    pair.run(.milliseconds(100))
    pair.move()
    pair.run(.milliseconds(100))
    let seen = pair.target.targetNotices.compactMap { notice -> [String]? in
      if case .entered(_, _, _, let content) = notice { content.types.map(\.name) } else { nil }
    }
    #expect(seen == [["UTF8_STRING", "STRING"]])
    cancel(drag)
    pair.endClean()
  }

  @Test(arguments: [1_000_000, 1 << 31, UInt32.max - 100])
  func `a drag without a time begins at the server's time, however long the server has run`(epoch: UInt32) throws {
    let stage = DropStage()
    stage.server.epoch = epoch
    stage.receiver.onDrop = { $0.finish(.copy) }
    let drag = stage.hover([DragItem("text")], at: .currentTime)
    #expect(stage.receiver.drop != nil)
    stage.letGo()
    #expect(drag.outcome == .dropped(.copy))
    #expect(stage.server.grab == nil)
  }
}
