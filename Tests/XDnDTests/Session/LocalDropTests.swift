import TestSupport
import Testing

@testable import XDnD

/// Drops on windows of the program that drags: each item counts, and not what all items have in common.
@Suite("Drops within one program", .computing)
struct LocalDropTests {
  private struct Card: Codable, Equatable, Transferable {
    var name: String

    static let type: ContentType = "application/x-card"
    static var transferRepresentation: some TransferRepresentation<Card> { CodableRepresentation(contentType: type) }
  }

  private let cards = [DragItem(Card(name: "one")), DragItem(Card(name: "two"))]
  private let delegate = RegionStage.Delegate("window") { _ in }

  /// Drops items, and hands the drop to `take` from inside `performDrop`, which alone retains it.
  @discardableResult
  private func drop(
    _ items: [DragItem], on stage: DropStage, policy: OperationPolicy = .standard,
    take: @escaping (DropSession) -> Void
  ) -> DragSession {
    stage.receiver.onDrop = take
    stage.world.server.movePointer(to: Point(x: 900, y: 900))
    stage.world.server.press(.primary)
    let drag = stage.target.driver.beginDrag(items, at: stage.world.server.time, policy: policy)
    stage.world.run(.milliseconds(100))
    stage.world.server.movePointer(to: Point(x: 250, y: 50))
    stage.world.run(.milliseconds(100))
    stage.letGo()
    return drag
  }

  // MARK: Containers

  /// Drags an item from a place of the window to another by a press that the library observes.
  private func dragWithin(
    _ stage: DropStage, from start: Point, to end: Point, operations: [DragOperation]
  ) -> DragSession? {
    var item = cards[0]
    item.operations = operations
    let interaction = stage.target.driver.onDrag(in: stage.window) { [item] _ in [item] }
    let server = stage.world.server
    func root(_ point: Point) -> Point { Point(x: point.x + 200, y: point.y) }
    server.movePointer(to: root(start))
    server.press(.primary)
    let trips = stage.target.client.roundTrips
    stage.target.driver.interactions.receive(
      .pressed(DragPress(rootLocation: root(start), location: start, time: server.time)), in: stage.window)
    #expect(stage.target.client.roundTrips == trips)
    stage.target.driver.interactions.receive(.moved(to: root(Point(x: start.x + 20, y: start.y))), in: stage.window)
    stage.world.run(.milliseconds(100))
    server.movePointer(to: root(end))
    stage.world.run(.milliseconds(100))
    stage.letGo()
    stage.target.driver.remove(interaction)
    return interaction.session
  }

  @Test func `a drop in the window of the press is a move within the container, if the item may be moved`() {
    let stage = DropStage()
    let (start, end) = (Point(x: 10, y: 10), Point(x: 10, y: 80))
    stage.target.driver.registerDropTarget(
      stage.window, accepting: DropOffer(["*/*"], operations: [.copy, .move]), delegate: delegate)
    let moved = dragWithin(stage, from: start, to: end, operations: [.copy, .move])
    #expect(moved?.container == DragContainer(window: stage.window))
    #expect(moved?.relation == .sameContainer)
    #expect(moved?.outcome == .dropped(.move))
    let copied = dragWithin(stage, from: start, to: end, operations: [.copy])
    #expect(copied?.relation == .sameContainer)
    #expect(copied?.outcome == .dropped(.copy))
  }

  @Test func `the region at the press is the container, and another region is another one`() {
    let stage = DropStage()
    let regions = ["upper", "lower"].enumerated().map { index, name in
      let region = DropRegion(
        frame: Rect(x: 0, y: 50 * index, width: 100, height: 50),
        accepting: DropOffer(["*/*"], operations: [.copy, .move]), delegate: delegate)
      region.containerName = name
      return region
    }
    stage.target.driver.registerDropTarget(stage.window, regions: regions)
    let (upper, low, lower) = (Point(x: 10, y: 10), Point(x: 10, y: 60), Point(x: 10, y: 80))
    let within = dragWithin(stage, from: low, to: lower, operations: [.copy, .move])
    #expect(within?.container == DragContainer(window: stage.window, name: "lower"))
    #expect(within?.outcome == .dropped(.move))
    let across = dragWithin(stage, from: upper, to: lower, operations: [.copy, .move])
    #expect(across?.relation == .sameApplication)
    #expect(across?.outcome == .dropped(.copy))
  }

  // MARK: Drops without an answer

  private let text = DragItem("text")

  @Test func `a drop that was loaded and not answered is finished`() {
    let stage = DropStage()
    #expect(drop([text], on: stage) { $0.load(String.self) { _ in } }.outcome == .dropped(.copy))
    #expect(drop([text], on: stage) { $0.load($0.types[0]) { _ in } }.outcome == .dropped(.copy))
  }

  @Test func `a drop whose loads have all failed, or that was not loaded, is rejected`() {
    let stage = DropStage()
    #expect(drop([text], on: stage) { _ in }.outcome == .refused)
  }

  @Test func `a candidate that fails is no failure of the load`() {
    let stage = DropStage()
    stage.target.driver.registerDropTarget(
      stage.window, accepting: DropOffer(["*/*"], operations: [.move]), delegate: stage.receiver)
    var item = DragItem()
    item.promise("application/x-note", bytes: Array("no note".utf8))
    item.promise("text/plain", bytes: Array("text".utf8))
    item.operations = [.move]
    let drag = drop([item], on: stage) { $0.load(ValueLoadTests.Note.self) { _ in } }
    #expect(drag.outcome == .dropped(.move))
  }

  @Test func `a file that could not be written is not taken for a load that has succeeded`() {
    let stage = DropStage()
    let drag = drop([text], on: stage) { $0.load($0.types[0], toFile: "/missing/directory/file") { _ in } }
    #expect(drag.outcome == .refused)
  }

  @Test func `a move that has not brought everything is finished as a copy`() {
    let stage = DropStage()
    stage.target.driver.registerDropTarget(
      stage.window, accepting: DropOffer(["*/*"], operations: [.move]), delegate: stage.receiver)
    var item = text
    item.operations = [.move]
    let whole = drop([item], on: stage) { $0.load(String.self) { _ in } }
    #expect(whole.outcome == .dropped(.move))
    #expect(whole.isDeletionRequested)
    let half = drop([item], on: stage) { drop in
      drop.load(EncodedImage.self) { _ in }
      drop.load(String.self) { _ in }
    }
    #expect(half.outcome == .dropped(.copy))
    #expect(!half.isDeletionRequested)
  }

  @Test func `a drop that asks is finished as a copy`() {
    let stage = DropStage()
    stage.target.driver.registerDropTarget(
      stage.window, accepting: DropOffer(["*/*"], operations: [.ask]), delegate: stage.receiver)
    var item = text
    item.operations = [.ask, .copy, .move]
    var agreed: DragOperation?
    let drag = drop([item], on: stage, policy: .firstOffered) { drop in
      agreed = drop.droppedOperation
      drop.load(String.self) { _ in }
    }
    #expect(agreed == .ask)
    #expect(drag.outcome == .dropped(.copy))
  }
}
