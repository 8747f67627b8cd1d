import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("Dragging and dropping as in SwiftUI")
struct DropDestinationTests {
  private let stage = DropStage(accepting: [])

  /// Drags over the window and drops.
  private func drop(_ item: DragItem) -> DragOutcome? {
    let drag = stage.hover([item])
    stage.letGo()
    return drag.outcome
  }

  // MARK: Values

  @Test func `values arrive with their place, and the drop is finished`() {
    var taken: [[String]] = []
    var places: [Point] = []
    var lights: [Bool] = []
    stage.target.driver.dropDestination(for: String.self, in: stage.window) { texts, place in
      taken.append(texts)
      places.append(place)
      return true
    } isTargeted: {
      lights.append($0)
    }
    #expect(drop(DragItem("Hello")) == .dropped(.copy))
    #expect(taken == [["Hello"]])
    #expect(places == [Point(x: 50, y: 50)])
    #expect(lights == [true, false])
  }

  @Test func `the operation that was agreed on is reported`() {
    stage.target.driver.dropDestination(for: String.self, operations: [.link], in: stage.window) { _, _ in true }
    var item = DragItem("Hello")
    item.operations = [.link]
    #expect(drop(item) == .dropped(.link))
  }

  @Test func `values that are not taken are rejected`() {
    stage.target.driver.dropDestination(for: String.self, in: stage.window) { _, _ in false }
    #expect(drop(DragItem("Hello")) == .delivered)
  }

  @Test func `the action is not called for what cannot be loaded, nor for other types`() {
    var count = 0
    stage.target.driver.dropDestination(for: String.self, in: stage.window) { _, _ in
      count += 1
      return true
    }
    var item = DragItem()
    item.promise(.plainText) { $0.refuse() }
    #expect(drop(item) != .dropped(.copy))
    #expect(drop(DragItem("a/b", [1])) == .refused)
    #expect(count == 0)
  }

  // MARK: Sessions

  @Test func `a closure that loads the content is told the place of the drop`() {
    var places: [Point] = []
    stage.target.driver.onDrop(of: [.plainText], in: stage.window) { drop, place in
      places.append(place)
      drop.load(String.self) { _ in drop.finish(.copy) }
      return true
    }
    #expect(drop(DragItem("Hello")) == .dropped(.copy))
    #expect(places == [Point(x: 50, y: 50)])
  }

  @Test func `a closure that does not want the content rejects it`() {
    stage.target.driver.onDrop(of: [.plainText], in: stage.window) { _, _ in false }
    #expect(drop(DragItem("Hello")) == .refused)
  }

  // MARK: Delegates

  private final class Delegate: DropDelegate {
    func performDrop(_ drop: DropSession) { drop.finish(.copy) }
  }

  @Test func `a region retains the delegate that it was made with`() {
    weak var delegate: Delegate?
    var region: DropRegion?
    do {
      let made = Delegate()
      delegate = made
      region = stage.target.driver.onDrop(of: [.plainText], in: stage.window, delegate: made)
    }
    #expect(drop(DragItem("Hello")) == .dropped(.copy))
    region?.delegate = nil
    #expect(delegate == nil)
  }

  @Test func `a region that is made by itself does not retain its delegate`() {
    let region = DropRegion(accepting: DropOffer([.plainText]), delegate: Delegate())
    #expect(region.delegate == nil)
  }

  // MARK: Dragging

  @Test func `the value is made when a press has become a drag`() {
    let (server, driver) = (stage.server, stage.source.driver)
    let window = server.createWindow(of: stage.source.client, frame: Rect(x: 0, y: 0, width: 100, height: 100))
    var count = 0
    func text() -> String {
      count += 1
      return "Hello"
    }
    let interaction = driver.draggable(text(), in: window) { DragPreview(images: []) }
    let start = Point(x: 50, y: 50)
    server.movePointer(to: start)
    server.press(.primary)
    interaction.press(DragPress(rootLocation: start, location: start, time: server.time))
    #expect(count == 0)
    interaction.move(to: Point(x: 90, y: 50))
    stage.run(.milliseconds(100))
    #expect(count == 1)
    #expect(interaction.session?.items.map { $0.value as? String } == ["Hello"])
    #expect(interaction.session?.operations == [.copy])
    #expect(interaction.session?.preview.images.isEmpty == true)
    stage.letGo()
  }
}
