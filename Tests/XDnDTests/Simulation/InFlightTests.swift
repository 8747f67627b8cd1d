import Testing

@testable import XDnD
@testable import XDnDTesting

/// Items are added to a drag under way, and the place of the drop is known to the program when it is its own.
@Suite("Items added in flight, and where they go")
struct InFlightTests {
  private final class Target: DropDelegate {
    var entered: [[ContentType]] = []
    var relations: [DragRelation] = []
    var loaded: [String] = []
    var exits = 0

    func dropExited(_ drop: DropSession, _ reason: DropExit) { exits += 1 }

    func dropEntered(_ drop: DropSession) { entered.append(drop.types) }

    func dropUpdated(_ drop: DropSession) -> DropProposal {
      relations.append(drop.relation)
      return drop.suggestedProposal
    }

    func performDrop(_ drop: DropSession) {
      drop.load(.uriList) { [self] in
        if case .success(let content) = $0 { loaded.append(String(decoding: content.bytes, as: UTF8.self)) }
        drop.finish(drop.droppedOperation ?? .copy)
      }
    }
  }

  private let server = FakeXServer.recordingIssues()

  private func driver() throws -> (DragAndDrop, FakeClient) {
    let client = server.connect()
    let driver = try DragAndDrop(
      system: client, configuration: Configuration(), clock: { [server] in server.clock.now })
    return (driver, client)
  }

  /// A program with a window to drop on, at 200,0 with 100 pixels a side.
  private func dropTarget() throws -> (DragAndDrop, Target) {
    let (driver, client) = try driver()
    let target = Target()
    let window = server.createWindow(of: client, frame: Rect(x: 200, y: 0, width: 100, height: 100))
    driver.registerDropTarget(window, accepting: offer, delegate: target)
    return (driver, target)
  }

  private func run(_ drivers: DragAndDrop..., for duration: Duration = .milliseconds(100)) throws {
    let end = server.clock.now + duration
    while server.clock.now < end {
      server.clock.advance(to: server.clock.now + .milliseconds(1))
      for driver in drivers { try driver.process() }
    }
  }

  private func press() {
    server.movePointer(to: Point(x: 10, y: 10))
    server.press(.primary)
  }

  private var offer: DropOffer { DropOffer([.uriList], operations: [.copy, .move]) }

  @Test func `the target sees the drag leave and come back, and gets everything`() throws {
    let (source, _) = try driver()
    let (other, target) = try dropTarget()
    press()
    let drag = source.beginDrag(DragItem(files: ["/a"]), at: server.time)
    try run(source, other)
    server.movePointer(to: Point(x: 250, y: 50))
    try run(source, other)
    #expect(drag.takesItems)
    #expect(drag.add(DragItem(files: ["/b"])))
    try run(source, other)
    #expect(target.entered.count == 2)
    #expect(drag.items.count == 2)
    server.release(.primary)
    try run(source, other)
    #expect(target.loaded.map { $0.split(whereSeparator: \.isNewline) } == [["file:///a", "file:///b"]])
    #expect(drag.outcome == .dropped(.copy))
    #expect(drag.relation == .otherApplication)
    #expect(!drag.takesItems && !drag.add(DragItem(files: ["/c"])))
    #expect(drag.items.count == 2)
  }

  @Test func `a drag ends with the library's object: its target is left, and the grab released`() throws {
    var source: DragAndDrop? = try driver().0
    let (other, client) = try driver()
    let target = Target()
    let window = server.createWindow(of: client, frame: Rect(x: 200, y: 0, width: 100, height: 100))
    other.registerDropTarget(window, accepting: offer, delegate: target)
    press()
    let drag = try #require(source).beginDrag(DragItem(files: ["/a"]), at: server.time)
    try run(#require(source), other)
    server.movePointer(to: Point(x: 250, y: 50))
    try run(#require(source), other)
    #expect(target.entered.count == 1)
    source = nil
    #expect(server.grab == nil)
    try run(other)
    #expect(target.exits == 1)
    #expect(drag.outcome == nil)
  }

  @Test func `the image grows with the items, and is drawn anew when a compositor comes or goes`() throws {
    let (source, client) = try driver()
    press()
    let drag = source.beginDrag(DragItem(files: ["/a"]), at: server.time)
    try run(source, for: .seconds(1))
    let alone = try #require(client.image)
    drag.add([DragItem(files: ["/b"]), DragItem(files: ["/c"])])
    try run(source, for: .seconds(1))
    let three = try #require(client.image)
    #expect(three.bitmap.width > alone.bitmap.width)
    client.isComposited = false
    server.deliver(.compositorChanged, to: client)
    try run(source, for: .seconds(1))
    #expect(client.image != nil && client.image?.bitmap != three.bitmap)
    client.isComposited = true
    server.deliver(.compositorChanged, to: client)
    try run(source, for: .seconds(1))
    #expect(client.image?.bitmap == three.bitmap)
    drag.cancel()
    try run(source, for: .seconds(2))
    #expect(client.image == nil && source.nextDeadline == nil)
  }

  @Test func `the next drag is under way while the last one's data is still fetched`() throws {
    let (source, _) = try driver()
    let (other, target) = try dropTarget()
    var requests: [DataRequest] = []
    var item = DragItem()
    item.promise(.uriList) { requests.append($0) }
    press()
    let first = source.beginDrag(item, at: server.time)
    try run(source, other)
    server.movePointer(to: Point(x: 250, y: 50))
    try run(source, other)
    server.release(.primary)
    try run(source, other)
    #expect(requests.count == 1 && first.outcome == nil)
    press()
    let second = source.beginDrag(DragItem(files: ["/b"]), at: server.time)
    try run(source, other)
    #expect(server.grab != nil)
    requests.removeFirst().fulfill(Array("file:///a\r\n".utf8))
    try run(source, other)
    #expect(first.outcome == .dropped(.copy) && second.outcome == nil)
    server.movePointer(to: Point(x: 250, y: 50))
    try run(source, other)
    server.release(.primary)
    try run(source, other)
    #expect(second.outcome == .dropped(.copy))
    #expect(target.loaded == ["file:///a\r\n", "file:///b\r\n"])
  }

  @Test func `within a container it is a move, between two of a program a copy`() throws {
    let (driver, client) = try driver()
    let target = Target()
    let windows = [200, 400].map { server.createWindow(of: client, frame: Rect(x: $0, y: 0, width: 100, height: 100)) }
    for window in windows { driver.registerDropTarget(window, accepting: offer, delegate: target) }
    var item = DragItem(files: ["/a"])
    item.operations = [.copy, .move]
    for (x, relation) in [(250, DragRelation.sameContainer), (450, .sameApplication)] {
      press()
      let drag = driver.beginDrag(item, at: server.time, from: DragContainer(window: windows[0]))
      try run(driver)
      server.movePointer(to: Point(x: x, y: 50))
      try run(driver)
      server.release(.primary)
      try run(driver)
      #expect(drag.outcome == .dropped(relation == .sameContainer ? .move : .copy))
      #expect(drag.relation == relation)
      #expect(target.relations.last == relation)
    }
  }
}
