import Foundation
import TestSupport
import Testing
import XDnDFoundation

@testable import XDnD
@testable import XDnDTesting

/// Drops on windows of the program that drags: each item counts, and not what all items have in common.
@Suite("Drops within one program", .computing)
struct LocalDropTests {
  private struct Card: Codable, Equatable, Transferable {
    var name: String

    static let type: ContentType = "application/x-card"
    static var transferRepresentation: some TransferRepresentation<Card> { CodableRepresentation(contentType: type) }
  }

  private struct Secret: Equatable, Transferable {
    var text: String

    static let type: ContentType = "application/x-secret"
    static var transferRepresentation: some TransferRepresentation {
      DataRepresentation(contentType: type) { (secret: Secret) in
        Array(secret.text.utf8)
      } importing: {
        Secret(text: String(decoding: $0, as: UTF8.self))
      }
      .visibility(.ownProcess)
    }
  }

  private let cards = [DragItem(Card(name: "one")), DragItem(Card(name: "two"))]
  private let delegate = DropStage.Receiver()

  /// The operation of the last answer that the target has sent; `nil` for a refusal.
  private func lastAnswer(_ stage: DropStage) -> DragOperation? {
    for case .status(let status) in stage.target.client.record.messagesSent.reversed() {
      return status.acceptance?.operation
    }
    return nil
  }

  /// Drops items, and hands the drop to `take` from inside `performDrop`, which alone retains it.
  @discardableResult
  private func drop(
    _ items: [DragItem], on stage: DropStage, policy: OperationPolicy = .standard,
    take: @escaping (DropSession) -> Void
  ) -> DragSession {
    stage.receiver.onDrop = take
    let drag = stage.hover(items, by: stage.target, policy: policy)
    stage.letGo()
    return drag
  }

  // MARK: Items

  @Test func `items of a type that cannot be merged are accepted, and each is loaded`() throws {
    let stage = DropStage(accepting: [Card.type])
    stage.hover(cards, by: stage.target)
    let hovering = try #require(stage.receiver.drop)
    #expect(hovering.types == [])
    #expect(lastAnswer(stage) == .copy)
    #expect(hovering.canLoad(Card.self) && hovering.canLoad([Card].self))
    #expect(!hovering.canLoad(String.self) && !hovering.canLoad([String].self))
    #expect(hovering.items.map(\.index) == [0, 1])
    #expect(hovering.items.map { $0.value as? Card } == [Card(name: "one"), Card(name: "two")])
    var early: [Result<Card, XDnDError>] = []
    hovering.items[0].load(Card.self) { early.append($0) }
    #expect(early.first?.failure == .notDropped)
    stage.letGo()

    var loaded: Result<[Card], XDnDError>?
    stage.drop(cards, by: stage.target) { drop in
      drop.load([Card].self) {
        loaded = $0
        drop.finish(.copy)
      }
      #expect(loaded == nil, "a load ends after the call that begins it")
      #expect(stage.server.conversions.isEmpty, "nothing is asked of the server")
    }
    #expect(try loaded?.get() == [Card(name: "one"), Card(name: "two")])
    #expect(stage.receiver.results.last == .finished(.copy))
    #expect(stage.target.driver.reactor.loads.count == 0)
  }

  @Test(arguments: [1, 2])
  func `what only this process gets is loaded here, and not published`(count: Int) throws {
    let stage = DropStage(accepting: [Secret.type])
    let secrets = (0..<count).map { Secret(text: "\($0)") }
    var loaded: Result<[Secret], XDnDError>?
    stage.drop(secrets.map { DragItem($0) }, by: stage.target) { drop in
      #expect(drop.types == [])
      drop.load([Secret].self) {
        loaded = $0
        drop.finish(.copy)
      }
    }
    #expect(try loaded?.get() == secrets)
  }

  @Test func `from another program the same items are refused, as XDND merges them`() {
    let stage = DropStage(accepting: [Card.type])
    stage.hover(cards)
    #expect(stage.receiver.drop != nil && lastAnswer(stage) == nil)
    #expect(stage.receiver.drop?.canLoad([Card].self) == false)
    stage.letGo()
  }

  @Test func `from another program one item stands for all that is offered`() throws {
    let stage = DropStage()
    var files: Result<[FileList], XDnDError>?
    stage.drop([DragItem(files: ["/a"]), DragItem(files: ["/b", "/c"])]) { drop in
      #expect(drop.items.count == 1)
      #expect(drop.items[0].types == drop.types)
      #expect(drop.items[0].value == nil && drop.items[0].localContext == nil)
      drop.load([FileList].self) {
        files = $0
        drop.finish(.copy)
      }
    }
    #expect(try files?.get() == [FileList(paths: ["/a", "/b", "/c"])])
  }

  @Test func `within the program each list of files is a value of its own`() throws {
    let stage = DropStage()
    var files: Result<[FileList], XDnDError>?
    var whole: Result<FileList, XDnDError>?
    stage.drop([DragItem(files: ["/a"]), DragItem(files: ["/b", "/c"])], by: stage.target) { drop in
      drop.load([FileList].self) {
        files = $0
        drop.load(FileList.self) {
          whole = $0
          drop.finish(.copy)
        }
      }
    }
    #expect(try files?.get() == [FileList(paths: ["/a"]), FileList(paths: ["/b", "/c"])])
    #expect(try whole?.get() == FileList(paths: ["/a", "/b", "/c"]), "one value stands for all items if it can")
  }

  @Test func `a single value is that of the first item that has the best representation`() throws {
    let stage = DropStage()
    var named = cards
    for index in named.indices { named[index].promise("text of \(index)") }
    var card: Result<Card, XDnDError>?
    var last: Result<Card, XDnDError>?
    stage.drop([DragItem("text")] + named, by: stage.target) { drop in
      drop.load(Card.self) { card = $0 }
      drop.items[2].load(Card.self) {
        last = $0
        drop.finish(.copy)
      }
    }
    #expect(try card?.get() == Card(name: "one"))
    #expect(try last?.get() == Card(name: "two"))
  }

  @Test func `an item that fails fails the load of all`() {
    let stage = DropStage()
    var broken = DragItem()
    broken.promise(Card.type) { $0.refuse() }
    var loaded: Result<[Card], XDnDError>?
    stage.drop([cards[0], broken, cards[1]], by: stage.target) { drop in
      drop.load([Card].self) {
        loaded = $0
        drop.reject()
      }
    }
    #expect(loaded?.failure == .transferRefused)
  }

  // MARK: Loads

  @Test func `an item is loaded by the rules of every load, by the closures that answer requestors`() {
    let stage = DropStage()
    var requestors: [WindowID] = []
    var asked: [String] = []
    var item = DragItem()
    item.promise(Card.type) {
      asked.append($0.type.name)
      requestors.append($0.requestor)
      $0.refuse()
    }
    item.promise("text/plain") {
      asked.append($0.type.name)
      $0.fulfill(Array("plain".utf8))
    }
    var results: [Result<LoadedContent, XDnDError>] = []
    var limited: Result<String, XDnDError>?
    stage.drop([item, cards[0]], by: stage.target) { drop in
      drop.items[0].load(anyOf: [Card.type, "text/plain"]) { results.append($0) }
      stage.run(.milliseconds(100))
      drop.items[0].load("a/b") { results.append($0) }
      stage.run(.milliseconds(100))
      drop.items[0].load(String.self, limit: 2) {
        limited = $0
        drop.finish(.copy)
      }
    }
    #expect(asked == [Card.type.name, "text/plain", "text/plain"])
    #expect(requestors == [stage.window])
    #expect(results.first.flatMap { try? $0.get().bytes } == Array("plain".utf8))
    #expect(results.last?.failure == .transferRefused)
    #expect(limited?.failure == .tooLarge)
  }

  @Test func `long content arrives byte for byte, over several turns`() throws {
    let stage = DropStage()
    let content = TestContent.bytes(9 << 20)
    var item = DragItem()
    item.promise("a/b", bytes: content)
    var progress: [Int] = []
    var loaded: Result<LoadedContent, XDnDError>?
    let drag = drop([item, cards[0]], on: stage) { drop in
      drop.items[0].load("a/b", progress: { received, _ in progress.append(received) }) {
        loaded = $0
        drop.finish(.copy)
      }
    }
    #expect(try TestContent.isEqual(loaded?.get().bytes, content))
    #expect(progress.count > 2 && progress.last == content.count)
    #expect(drag.isContentRequested && drag.outcome == .dropped(.copy))
  }

  @Test func `a provider may answer later, and a load can be cancelled until then`() throws {
    let stage = DropStage()
    var held: [DataRequest] = []
    var item = DragItem()
    item.promise("a/b") { held.append($0) }
    var results: [Result<LoadedContent, XDnDError>] = []
    stage.drop([item, cards[0]], by: stage.target) { drop in
      drop.items[0].load("a/b") { results.append($0) }
      let second = drop.items[0].load("a/b") { results.append($0) }
      stage.run(.milliseconds(100))
      #expect(held.count == 2 && results.isEmpty)
      second.cancel()
      #expect(results.map(\.failure) == [.cancelled])
      for request in held { request.fulfill([1, 2]) }
      stage.run(.milliseconds(100))
      drop.finish(.copy)
    }
    #expect(results.count == 2)
    #expect(try results.last?.get().bytes == [1, 2])
    #expect(stage.target.driver.reactor.loads.count == 0)
  }

  @Test func `the end of the drop ends its loads, before the delegate hears of it`() {
    let stage = DropStage()
    var held: [DataRequest] = []
    var item = DragItem()
    item.promise("a/b") { held.append($0) }
    var failures: [XDnDError.Code?] = []
    stage.drop([item, cards[0]], by: stage.target) { drop in
      drop.items[0].load("a/b") {
        failures.append($0.failure)
        #expect(stage.receiver.results.isEmpty)
      }
      stage.run(.milliseconds(100))
      drop.finish(.copy)
      drop.items[0].load("a/b") { failures.append($0.failure) }
    }
    #expect(failures == [.cancelled, .notDropped])
    #expect(stage.receiver.results == [.finished(.copy)])
    #expect(stage.target.driver.reactor.loads.count == 0)
  }

  @Test func `a drop is performed although the program was too busy to look for it`() throws {
    let stage = DropStage()
    stage.server.latency = { .zero }
    stage.receiver.onDrop = { $0.finish(.copy) }
    stage.server.press(.primary)
    let drag = stage.target.driver.beginDrag(cards, at: stage.server.time)
    stage.run(.milliseconds(100))
    stage.server.movePointer(to: Point(x: 250, y: 50))
    stage.run(.milliseconds(100))
    stage.server.release(.primary)
    // It sends the Drop, and does not take it any more.
    stage.target.driver.reactor.receive(try #require(stage.target.client.nextArrival()))
    stage.target.client.behavior.isFrozen = true
    stage.run(.seconds(60))
    stage.target.client.behavior.isFrozen = false
    stage.run()
    #expect(stage.receiver.results == [.finished(.copy)])
    #expect(drag.outcome == .dropped(.copy))
  }

  @Test func `a provider that stays silent is given up on, and the drop goes on`() {
    var configuration = Configuration()
    configuration.promiseTimeout = .seconds(5)
    let stage = DropStage(configuration)
    var held: [DataRequest] = []
    var item = DragItem()
    item.promise("a/b") { held.append($0) }
    var failures: [XDnDError.Code?] = []
    stage.receiver.onDrop = { drop in
      drop.items[0].load("a/b") {
        failures.append($0.failure)
        drop.reject()
      }
    }
    stage.hover([item, cards[0]], by: stage.target)
    stage.server.release(.primary)
    stage.run(.seconds(6))
    #expect(failures == [.timedOut])
    #expect(stage.receiver.results == [.rejected])
  }

  @Test func `a list of promised files is waited for while one of them after the other is written`() throws {
    var configuration = Configuration()
    configuration.promiseTimeout = .seconds(5)
    let stage = DropStage(configuration)
    let names = ["a", "b", "c", "d"]
    var requests: [DataRequest] = []
    var item = DragItem()
    for name in names { item.promise(FilePromise(named: name, type: .data) { requests.append($0) }) }
    func work() {
      for _ in 0..<5 { try? stage.target.driver.process() }
    }
    var list: Result<FileList, XDnDError>?
    stage.drop([item], by: stage.target) { drop in
      drop.items[0].load(FileList.self) {
        list = $0
        drop.finish(.copy)
      }
      work()
      for count in 1...names.count {
        stage.run(.seconds(4))
        #expect(requests.count == count && list == nil)
        requests.last?.fulfill([UInt8(count)])
        work()
      }
    }
    #expect(stage.receiver.results == [.finished(.copy)])
    let paths = try #require(list).get().uris.compactMap { FileList.localPath(of: $0) }
    // The files stay for the target, which is this test.
    let folder = URL(fileURLWithPath: try #require(paths.first)).deletingLastPathComponent()
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(paths.map { FileManager.default.contents(atPath: $0)?.first } == [1, 2, 3, 4])
  }

  // MARK: Acceptance

  @Test func `an item that promises files has a list of its own files`() {
    let stage = DropStage(accepting: [.uriList])
    var items = [DragItem(), DragItem(Card(name: "one")), DragItem()]
    items[0].promise(FilePromise(named: "a.png", type: .png, bytes: [1]))
    items[2].promise(FilePromise(named: "b.png", type: .png, bytes: [2]))
    stage.hover(items, by: stage.target)
    #expect(stage.receiver.drop?.items.map(\.types) == [[.png, .uriList], [Card.type], [.png, .uriList]])
    #expect(stage.receiver.drop?.acceptedItems.map(\.index) == [0, 2])
    stage.letGo()
  }

  @Test func `a region decides by the items, too`() {
    let stage = DropStage()
    stage.target.driver.unregisterDropTarget(stage.window)
    var dropped: [Int] = []
    let region = stage.target.driver.onDrop(of: [Card.type], in: stage.window) { drop in
      dropped = drop.acceptedItems.map(\.index)
      drop.finish(.copy)
    }
    stage.hover([cards[0], DragItem("text"), cards[1]], by: stage.target)
    #expect(region.isTargeted)
    #expect(lastAnswer(stage) == .copy)
    stage.letGo()
    #expect(dropped == [0, 2])
    stage.hover([cards[0], cards[1]])
    #expect(!region.isTargeted)
    stage.letGo()
  }

  @Test func `the badge counts what the target would take, and the whole again when the drag leaves`() throws {
    let stage = DropStage(accepting: [Card.type])
    let drag = stage.begin([cards[0], DragItem("text"), cards[1]], by: stage.target)
    stage.run(.seconds(1))
    #expect(drag.shownBadge == .count(3))
    let outside = try #require(stage.target.client.image?.bitmap)
    stage.move(to: DropStage.inside, for: .seconds(1))
    #expect(drag.shownBadge == .count(2))
    #expect(drag.badge == .count(3), "the application's own badge stays")
    #expect(stage.target.client.image?.bitmap != outside)
    stage.move(to: DropStage.outside, for: .seconds(1))
    #expect(drag.shownBadge == .count(3))
    #expect(stage.target.client.image?.bitmap == outside)
    stage.letGo()
  }

  @Test func `a drop that takes only some of the items is no move by default, as the source would delete all`() {
    let stage = DropStage()
    stage.target.driver.registerDropTarget(
      stage.window, accepting: DropOffer([Card.type], operations: [.move, .copy]), delegate: stage.receiver)
    var items = [cards[0], DragItem("text"), cards[1]]
    for index in items.indices { items[index].operations = [.move] }
    #expect(drop(items, on: stage) { $0.finish($0.droppedOperation ?? .link) }.outcome == .dropped(.copy))
    let whole = [items[0], items[2]]
    #expect(drop(whole, on: stage) { $0.finish($0.droppedOperation ?? .link) }.outcome == .dropped(.move))
  }

  @Test func `a delegate says how many items it would take, and a refusal counts nothing`() {
    let stage = DropStage()
    stage.target.driver.registerDropTarget(stage.window, accepting: DropOffer(["*/*"]), delegate: delegate)
    var proposal = DropProposal.accept(.copy)
    proposal.itemCount = 1
    delegate.propose = { _ in proposal }
    let drag = stage.hover(cards, by: stage.target)
    #expect(drag.shownBadge == .count(1))
    proposal.itemCount = nil
    stage.move(to: Point(x: 251, y: 50))
    #expect(drag.shownBadge == .count(2), "all of them")
    proposal = .forbidden
    proposal.itemCount = 1
    stage.move(to: Point(x: 252, y: 50))
    #expect(drag.shownBadge == .count(2))
    stage.letGo()
  }

  // MARK: Containers

  /// Drags an item from a place of the window to another by a press that the library observes.
  private func dragWithin(
    _ stage: DropStage, from start: Point, to end: Point, operations: [DragOperation], ofAll: [DragOperation]? = nil,
    began: ((DragSession) -> Void)? = nil
  ) -> DragSession? {
    var item = cards[0]
    item.operations = operations
    let interaction = stage.target.driver.onDrag(
      in: stage.window, operations: ofAll, items: { [item] _ in [item] }, began: began)
    let server = stage.server
    func root(_ point: Point) -> Point { Point(x: point.x + 200, y: point.y) }
    server.movePointer(to: root(start))
    server.press(.primary)
    let trips = stage.target.client.record.roundTrips
    stage.target.driver.interactions.receive(
      .pressed(DragPress(rootLocation: root(start), location: start, time: server.time)), in: stage.window)
    #expect(stage.target.client.record.roundTrips == trips)
    stage.target.driver.interactions.receive(.moved(to: root(Point(x: start.x + 20, y: start.y))), in: stage.window)
    stage.run(.milliseconds(100))
    server.movePointer(to: root(end))
    stage.run(.milliseconds(100))
    stage.letGo()
    stage.target.driver.remove(interaction)
    return interaction.session
  }

  @Test func `a closure receives a drag when it begins`() {
    let stage = DropStage()
    var begun: [DragSession] = []
    let drag = dragWithin(stage, from: Point(x: 10, y: 10), to: Point(x: 10, y: 80), operations: [.copy]) {
      #expect($0.outcome == nil)
      begun.append($0)
    }
    #expect(begun.count == 1)
    #expect(begun.first === drag)
  }

  @Test func `a drop in the window of the press is a move within the container, if the item may be moved`() {
    let stage = DropStage()
    delegate.finishDrops()
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

  @Test
  func `a target that states no operations moves within the process what the item permits, and from others copies`() {
    let stage = DropStage()
    delegate.finishDrops()
    stage.target.driver.registerDropTarget(stage.window, accepting: DropOffer(["*/*"]), delegate: delegate)
    let (start, end) = (Point(x: 10, y: 10), Point(x: 10, y: 80))
    #expect(dragWithin(stage, from: start, to: end, operations: [.copy, .move])?.outcome == .dropped(.move))
    #expect(dragWithin(stage, from: start, to: end, operations: [.move, .link])?.outcome == .dropped(.move))
    #expect(dragWithin(stage, from: start, to: end, operations: [.copy])?.outcome == .dropped(.copy))
    var item = cards[0]
    item.operations = [.move]
    let other = stage.hover([item])
    stage.letGo()
    #expect(other.outcome == .dropped(.copy), "what another program drags stays there")
    stage.target.driver.registerDropTarget(
      stage.window, accepting: DropOffer(["*/*"], operations: [.copy]), delegate: delegate)
    #expect(dragWithin(stage, from: start, to: end, operations: [.copy, .move])?.outcome == .dropped(.copy))
  }

  @Test func `operations of onDrag hold for all items`() {
    let stage = DropStage()
    delegate.finishDrops()
    stage.target.driver.registerDropTarget(stage.window, accepting: DropOffer(["*/*"]), delegate: delegate)
    let moved = dragWithin(
      stage, from: Point(x: 10, y: 10), to: Point(x: 10, y: 80), operations: [.copy], ofAll: [.copy, .move])
    #expect(moved?.operations == [.copy, .move])
    #expect(moved?.outcome == .dropped(.move))
  }

  @Test func `the region at the press is the container, and another region is another one`() {
    let stage = DropStage()
    delegate.finishDrops()
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
    #expect(drop(cards, on: stage) { $0.load([Card].self) { _ in } }.outcome == .dropped(.copy))
    #expect(drop([text], on: stage) { $0.load($0.types[0]) { _ in } }.outcome == .dropped(.copy))
  }

  @Test func `a drop whose loads have all failed, or that was not loaded, is rejected`() {
    let stage = DropStage()
    #expect(drop([text], on: stage) { _ in }.outcome == .refused)
    #expect(drop(cards, on: stage) { $0.load(EncodedImage.self) { _ in } }.outcome == .refused)
    var broken = DragItem()
    broken.promise(Card.type, bytes: Array("no card".utf8))
    // The first item alone does not make the load of both a success.
    #expect(drop([cards[0], broken], on: stage) { $0.load([Card].self) { _ in } }.outcome == .refused)
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

  /// The result in the last Finished that the target has sent.
  private func lastResult(_ stage: DropStage) -> XdndMessage.Finished.Result? {
    for case .finished(let finished) in stage.target.client.record.messagesSent.reversed() { return finished.result }
    return nil
  }

  @Test(arguments: [(DragOperation.copy, DragOperation.move), (.ask, .ask)])
  func `a drop without a load is finished with no more than was agreed on`(
    _ agreed: DragOperation, _ performed: DragOperation
  ) {
    let stage = DropStage()
    stage.target.driver.registerDropTarget(
      stage.window, accepting: DropOffer(["*/*"], operations: [agreed]), delegate: stage.receiver)
    var item = text
    item.operations = [.ask, .copy, .move]
    let drag = drop([item], on: stage, policy: .firstOffered) { drop in
      #expect(drop.droppedOperation == agreed)
      drop.operationWithoutLoad = performed
    }
    #expect(lastResult(stage) == .accepted(.copy))
    #expect(drag.outcome == .dropped(.copy))
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
