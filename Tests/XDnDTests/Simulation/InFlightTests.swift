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

  private let stage = DropStage()
  private let target = Target()

  init() { stage.target.driver.registerDropTarget(stage.window, accepting: offer, delegate: target) }

  private var offer: DropOffer { DropOffer([.uriList], operations: [.copy, .move]) }

  @Test func `the target sees the drag leave and come back, and gets everything`() {
    let drag = stage.hover([DragItem(files: ["/a"])])
    #expect(drag.takesItems)
    #expect(drag.add(DragItem(files: ["/b"])))
    stage.run(.milliseconds(100))
    #expect(target.entered.count == 2)
    #expect(drag.items.count == 2)
    stage.letGo()
    #expect(target.loaded.map { $0.split(whereSeparator: \.isNewline) } == [["file:///a", "file:///b"]])
    #expect(drag.outcome == .dropped(.copy))
    #expect(drag.relation == .otherApplication)
    #expect(!drag.takesItems && !drag.add(DragItem(files: ["/c"])))
    #expect(drag.items.count == 2)
  }

  @Test func `a drag ends with the library's object: its target is left, and the grab released`() {
    var source: Simulation.Program? = stage.simulation.program()
    let drag = stage.hover([DragItem(files: ["/a"])], by: source)
    #expect(target.entered.count == 1)
    if let source { stage.simulation.remove(source) }
    source = nil
    #expect(stage.server.grab == nil)
    stage.run(.milliseconds(100))
    #expect(target.exits == 1)
    #expect(drag.outcome == nil)
  }

  @Test func `the image grows with the items, and is drawn anew when a compositor comes or goes`() throws {
    let client = stage.source.client
    let drag = stage.begin([DragItem(files: ["/a"])])
    stage.run(.seconds(1))
    let alone = try #require(client.image)
    drag.add([DragItem(files: ["/b"]), DragItem(files: ["/c"])])
    stage.run(.seconds(1))
    let three = try #require(client.image)
    #expect(three.bitmap.width > alone.bitmap.width)
    client.isComposited = false
    stage.server.deliver(.compositorChanged, to: client)
    stage.run(.seconds(1))
    #expect(client.image != nil && client.image?.bitmap != three.bitmap)
    client.isComposited = true
    stage.server.deliver(.compositorChanged, to: client)
    stage.run(.seconds(1))
    #expect(client.image?.bitmap == three.bitmap)
    drag.cancel()
    stage.run(.seconds(2))
    #expect(client.image == nil && stage.source.driver.nextDeadline == nil)
  }

  @Test func `a preview that the application has set stays when items are added`() {
    let drag = stage.begin([DragItem(files: ["/a"])])
    drag.preview.badge = .none
    drag.add(DragItem(files: ["/b"]))
    #expect(drag.preview.images.count == 2)
    drag.preview = DragPreview(images: [])
    let own = drag.preview
    drag.add(DragItem(files: ["/c"]))
    #expect(drag.preview == own && drag.items.count == 3)
    drag.cancel()
  }

  @Test func `the next drag is under way while the last one's data is still fetched`() {
    var requests: [DataRequest] = []
    var item = DragItem()
    item.promise(.uriList) { requests.append($0) }
    let first = stage.hover([item])
    stage.letGo()
    #expect(requests.count == 1 && first.outcome == nil)
    let second = stage.begin([DragItem(files: ["/b"])])
    #expect(stage.server.grab != nil)
    requests.removeFirst().fulfill(Array("file:///a\r\n".utf8))
    stage.run(.milliseconds(100))
    #expect(first.outcome == .dropped(.copy) && second.outcome == nil)
    stage.move(to: DropStage.inside)
    stage.letGo()
    #expect(second.outcome == .dropped(.copy))
    #expect(target.loaded == ["file:///a\r\n", "file:///b\r\n"])
  }

  @Test func `within a container it is a move, between two of a program a copy`() {
    let other = stage.desktop.makeWindow(frame: Rect(x: 400, y: 0, width: 100, height: 100))
    let driver = stage.target.driver
    driver.registerDropTarget(other, accepting: offer, delegate: target)
    var item = DragItem(files: ["/a"])
    item.operations = [.copy, .move]
    for (x, relation) in [(250, DragRelation.sameContainer), (450, .sameApplication)] {
      stage.move(to: DropStage.outside)
      stage.server.press(.primary)
      let drag = driver.beginDrag(item, at: stage.server.time, from: DragContainer(window: stage.window))
      stage.run(.milliseconds(100))
      stage.move(to: Point(x: x, y: 50))
      stage.letGo()
      #expect(drag.outcome == .dropped(relation == .sameContainer ? .move : .copy))
      #expect(drag.relation == relation)
      #expect(target.relations.last == relation)
    }
  }
}
