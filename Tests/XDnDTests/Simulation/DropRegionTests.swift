import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("Regions of a window under a drag")
struct DropRegionTests {
  private let stage = RegionStage()

  @Test func `one region at a time has the drag`() {
    stage.beginDrag(to: RegionStage.onList)
    #expect(stage.takeDiary() == ["list entered", "list lights up"])
    stage.move(to: RegionStage.onFolder)
    #expect(stage.takeDiary() == ["list goes dark", "list exited, left", "folder entered", "folder lights up"])
    stage.move(to: RegionStage.onButton)
    #expect(stage.takeDiary() == ["folder goes dark", "folder exited, left", "button entered", "button lights up"])
    stage.move(to: RegionStage.onNothing)
    #expect(stage.takeDiary() == ["button goes dark", "button exited, left"])
    #expect(stage.statuses.last?.acceptance == nil)
    stage.move(to: RegionStage.outside)
    #expect(stage.takeDiary() == [])
    stage.letGo()
    #expect(stage.drag?.outcome == .noTarget)
  }

  @Test func `what is dropped goes to the region under it`() {
    stage.beginDrag(to: RegionStage.onFolder)
    _ = stage.takeDiary()
    stage.letGo()
    #expect(stage.takeDiary() == ["folder goes dark", "folder dropped", "folder ended"])
    #expect(stage.drag?.outcome == .dropped(.copy))
  }

  @Test func `motion over a window with regions costs no round trip, and neither does its drop`() {
    stage.beginDrag(to: RegionStage.onFolder)
    let trips = stage.target.client.record.roundTrips
    for point in [RegionStage.onList, RegionStage.onButton, RegionStage.onNothing, RegionStage.onFolder] {
      stage.move(to: point)
    }
    #expect(stage.target.client.record.roundTrips == trips)
    #expect(stage.target.client.followed == [stage.window: 1])
    var place: Point?
    stage.folder.delegate = nil
    stage.folder.onDrop = { [target = stage.target] drop in
      let before = target.client.record.roundTrips
      place = drop.location
      #expect(target.client.record.roundTrips == before)
      drop.finish(.copy)
    }
    stage.letGo()
    #expect(place == Point(x: 50, y: 10))
    #expect(stage.target.client.followed.isEmpty)
  }

  @Test func `a window that accepts something else while a drag hovers gets what it accepts now`() {
    let stage = DropStage(accepting: ["a/b"])
    var item = DragItem("a/b", [1])
    item.promise("c/d", bytes: [2])
    for program in [stage.source, stage.target] {
      stage.target.driver.registerDropTarget(stage.window, accepting: DropOffer(["a/b"]), delegate: stage.receiver)
      stage.hover([item], by: program)
      #expect(stage.receiver.drop?.bestType == "a/b")
      stage.target.driver.registerDropTarget(stage.window, accepting: DropOffer(["c/d"]), delegate: stage.receiver)
      #expect(stage.receiver.drop?.bestType == "c/d")
      stage.move(to: Point(x: 251, y: 51))
      #expect(stage.receiver.drop?.bestType == "c/d")
      #expect(stage.receiver.drop?.suggestedProposal == .accept(.copy))
      stage.letGo()
    }
  }

  @Test func `a window that is unregistered and registered again in a callback ends the drag, and takes the next one`()
  {
    stage.beginDrag(to: RegionStage.onList)
    _ = stage.takeDiary()
    var isDone = false
    stage.delegate("button")?.propose = { [stage] drop in
      guard !isDone else { return drop.suggestedProposal }
      isDone = true
      stage.target.driver.unregisterDropTarget(stage.window)
      stage.target.driver.registerDropTarget(stage.window, regions: [stage.folder])
      stage.target.driver.unregisterDropTarget(stage.window)
      stage.target.driver.registerDropTarget(stage.window, regions: [stage.button])
      return drop.suggestedProposal
    }
    stage.move(to: RegionStage.onButton)
    #expect(stage.takeDiary().suffix(2) == ["button goes dark", "button exited, unregistered"])
    stage.leave()
    stage.beginDrag(to: RegionStage.onButton)
    stage.letGo()
    #expect(stage.takeDiary().suffix(3) == ["button goes dark", "button dropped", "button ended"])
    #expect(stage.drag?.outcome == .dropped(.copy))
  }

  @Test func `a region that is added to a window just unregistered is its only one`() {
    stage.beginDrag(to: RegionStage.onList)
    stage.delegate("button")?.propose = { [stage] drop in
      stage.target.driver.unregisterDropTarget(stage.window)
      stage.target.driver.onDrop(of: [.plainText], in: stage.window) { drop in
        stage.write("new region dropped")
        drop.finish(.copy)
      }
      return drop.suggestedProposal
    }
    stage.move(to: RegionStage.onButton)
    stage.leave()
    _ = stage.takeDiary()
    stage.beginDrag(to: RegionStage.onList)
    stage.letGo()
    #expect(stage.takeDiary() == ["new region dropped"])
    #expect(stage.drag?.outcome == .dropped(.copy))
  }

  @Test(arguments: RegionStage.End.allCases)
  func `at whatever end the region goes dark and is told`(_ end: RegionStage.End) {
    stage.beginDrag(to: RegionStage.onFolder)
    _ = stage.takeDiary()
    stage.end(by: end)
    stage.run(.milliseconds(100))
    let reason =
      switch end {
      case .left, .cancelled: "left"
      case .killed, .lost: "sourceVanished"
      case .unregistered, .replaced, .removed: "unregistered"
      }
    #expect(stage.takeDiary() == ["folder goes dark", "folder exited, \(reason)"])
    #expect(stage.regions.allSatisfy { !$0.isTargeted })
    stage.server.release(.primary)
    stage.run(.seconds(1))
  }

  @Test func `the innermost that can take the types has the drag`() {
    stage.folder.offer = DropOffer([.png])
    stage.beginDrag(to: RegionStage.onFolder)
    #expect(stage.takeDiary() == ["list entered", "list lights up"])
    stage.leave()
  }

  @Test func `a region that nobody stands behind takes nothing`() {
    stage.folder.delegate = nil
    stage.beginDrag(to: RegionStage.onFolder)
    #expect(stage.takeDiary() == ["list entered", "list lights up"])
    stage.leave()
  }

  @Test func `a disabled region takes nothing, nor does what is nested in it`() {
    stage.list.isEnabled = false
    stage.beginDrag(to: RegionStage.onFolder)
    #expect(stage.takeDiary() == [])
    #expect(stage.statuses.last?.acceptance == nil)
    stage.leave()
  }

  @Test func `a region that says no does not light up`() {
    stage.delegate("list")?.propose = { _ in .forbidden }
    stage.beginDrag(to: RegionStage.onList)
    #expect(stage.takeDiary() == ["list entered"])
    stage.letGo()
    #expect(stage.drag?.outcome == .refused)
    #expect(stage.takeDiary() == ["list exited, left"])
  }

  @Test func `the session says what serves the region that it is over`() {
    var types: [ContentType?] = []
    stage.folder.offer = DropOffer([.plainText], operations: [.move])
    stage.delegate("folder")?.propose = { drop in
      types.append(drop.bestType)
      #expect(drop.region === stage.folder)
      return drop.suggestedProposal
    }
    stage.begin()
    stage.server.hold(.shift)
    stage.move(to: RegionStage.onFolder)
    #expect(!types.isEmpty && types.allSatisfy { $0 != nil })
    #expect(stage.statuses.last?.acceptance?.operation == .move)
    stage.server.hold([])
    stage.letGo()
  }

  // MARK: Closures

  @Test func `closures are enough`() {
    var lights: [Bool] = []
    var dropped: [DropSession] = []
    let region = stage.target.driver.onDrop(
      of: [.plainText], in: stage.window, frame: Rect(x: 0, y: 40, width: 100, height: 20),
      isTargeted: { lights.append($0) }, perform: { dropped.append($0) })
    stage.beginDrag(to: Point(x: 250, y: 50))
    #expect(region.isTargeted && lights == [true])
    stage.letGo()
    #expect(lights == [true, false] && dropped.count == 1)
    dropped.first?.finish(.copy)
    stage.run(.seconds(1))
    #expect(stage.drag?.outcome == .dropped(.copy))
    stage.target.driver.removeDropRegion(region, from: stage.window)
    stage.beginDrag(to: Point(x: 250, y: 50))
    #expect(stage.list.isTargeted && lights.count == 2)
    stage.letGo()
  }

  @Test func `a closure takes a window that was not registered, and its removal takes it back`() {
    let window = stage.server.createWindow(
      of: stage.target.client, frame: Rect(x: 400, y: 0, width: 100, height: 100))
    let region = stage.target.driver.onDrop(of: ["*/*"], in: window) { $0.finish(.copy) }
    stage.beginDrag(to: Point(x: 450, y: 50))
    stage.letGo()
    #expect(stage.drag?.outcome == .dropped(.copy))
    stage.target.driver.removeDropRegion(region, from: window)
    stage.beginDrag(to: Point(x: 450, y: 50))
    stage.letGo()
    #expect(stage.drag?.outcome == .noTarget)
  }

  @Test func `a drop that nobody keeps is rejected`() {
    stage.target.driver.onDrop(of: ["*/*"], in: stage.window) { _ in }
    stage.beginDrag(to: RegionStage.onList)
    stage.letGo()
    #expect(stage.drag?.outcome == .refused)
  }

  // MARK: Places

  @Test func `a drop is where the pointer was at last, also in a region of closures`() {
    var dropped: Point?
    stage.target.driver.onDrop(of: [.plainText], in: stage.window, frame: Rect(x: 0, y: 100, width: 100, height: 20)) {
      drop, location in
      dropped = location
      drop.finish(.copy)
      return true
    }
    stage.beginDrag(to: Point(x: 210, y: 105))
    #expect(stage.lastQuietRegion == .zero)
    stage.move(to: Point(x: 280, y: 115))
    stage.letGo()
    #expect(dropped == Point(x: 80, y: 115))
  }

  @Test func `a delegate may let the source be silent in a part of the window`() {
    stage.delegate("list")?.propose = { _ in .accept(.copy, quietIn: Rect(x: 0, y: 20, width: 100, height: 40)) }
    stage.beginDrag(to: RegionStage.onList)
    #expect(stage.lastQuietRegion == Rect(x: 200, y: 20, width: 100, height: 40))
    stage.leave()
  }

  @Test func `the source is shown what a drop points at: what opens under it, or else what the delegate marks`() {
    stage.button.springLoading = SpringLoadingBehavior()
    stage.beginDrag(to: RegionStage.onButton)
    #expect(stage.lastMarkedRegion == Rect(x: 200, y: 60, width: 100, height: 40))
    let mark = Rect(x: 40, y: 30, width: 2, height: 16)
    stage.delegate("list")?.propose = { _ in .accept(.copy, marking: mark) }
    stage.move(to: RegionStage.onList)
    #expect(stage.lastMarkedRegion == Rect(x: 240, y: 30, width: 2, height: 16))
    stage.leave()
  }
}
