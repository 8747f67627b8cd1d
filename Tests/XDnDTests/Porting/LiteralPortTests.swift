import Foundation
import TestSupport
import Testing
import XDnDFoundation

@testable import PortingPrograms
@testable import XDnD
@testable import XDnDTesting

/// The programs of `docs/porting.md` that keep the names of Apple's frameworks.
@Suite("Programs that are ported line by line")
struct LiteralPortTests {
  private let desktop = SimulatedDesktop.recordingIssues()
  private let window: WindowID
  private let picture = DragItem(EncodedImage([1, 2], type: .png))

  init() { window = desktop.makeWindow(frame: Rect(x: 0, y: 0, width: 100, height: 100)) }

  // MARK: Two lists

  /// Shows two lists next to each other: `left` in the left half of the window, and `right` in the right half.
  private func showLists(_ left: TodoList, _ right: TodoList) {
    show(left, other: right, desktop.dragAndDrop, in: window, frame: Rect(x: 0, y: 0, width: 50, height: 100))
    show(right, other: left, desktop.dragAndDrop, in: window, frame: Rect(x: 50, y: 0, width: 50, height: 100))
  }

  @Test func `two lists: an item is moved from a row of one to the other`() {
    let todos = [Todo(id: 1, title: "boil"), Todo(id: 2, title: "wait")]
    let (left, right) = (TodoList(todos), TodoList([]))
    showLists(left, right)
    desktop.press(at: Point(x: 25, y: 30))
    desktop.movePointer(to: Point(x: 75, y: 50))
    #expect(right.isTargeted)
    desktop.movePointer(to: Point(x: 25, y: 50))
    #expect(!right.isTargeted && left.isTargeted)
    desktop.movePointer(to: Point(x: 75, y: 50))
    desktop.release()
    #expect(left.todos == [todos[0]])
    #expect(right.todos == [todos[1]])
    #expect(!right.isTargeted)
  }

  @Test func `two lists: an item is JSON for another program, and text; a row without an item drags nothing`() throws {
    let todo = Todo(id: 1, title: "boil")
    let item = UIDragItem(itemProvider: todo.itemProvider())
    #expect(item.types == ["com.example.todo", .plainText])
    let json = try #require(answer(of: item, .todo))
    #expect(try JSONDecoder().decode(Todo.self, from: Data(json)) == todo)
    showLists(TodoList([todo]), TodoList([]))
    desktop.press(at: Point(x: 25, y: 10))
    desktop.movePointer(over: desktop.makeDestination(for: String.self) { $0 == ["boil"] })
    desktop.release()
    #expect(desktop.dragOut(String.self, of: window).isEmpty)
  }

  @Test func `two lists: an item of another program has to be one`() {
    let (left, right) = (TodoList([]), TodoList([]))
    showLists(left, right)
    #expect(desktop.drag(DragItem("boil"), over: window).drop() == .refused)
    var item = UIDragItem(itemProvider: Todo(id: 3, title: "drink").itemProvider())
    item.operations = [.move]
    #expect(desktop.drag(item, over: window).drop() == .dropped(.move))
    #expect(right.todos.map(\.title) == ["drink"])
  }

  // MARK: An image view

  @Test func `image view: an image of another program is copied, if it is dropped on the view`() {
    let controller = PictureController(desktop.dragAndDrop, in: window)
    let drag = desktop.drag(picture, over: window)
    #expect(controller.imageView.isHighlighted)
    drag.move(to: Point(x: 5, y: 5))
    #expect(!controller.imageView.isHighlighted)
    #expect(drag.answer == .forbidden)
    drag.move(to: Point(x: 50, y: 50))
    drag.drop()
    #expect(drag.outcome == .dropped(.copy))
    #expect(controller.imageView.image == EncodedImage([1, 2], type: .png))
    #expect(!controller.imageView.isHighlighted)
    #expect(desktop.drag(DragItem("Hello"), over: window).drop() == .refused)
  }

  @Test func `image view: its image is lifted, and moved to another view of the program`() {
    let controller = PictureController(desktop.dragAndDrop, in: window)
    let image = EncodedImage([1, 2], type: .png)
    controller.imageView.image = image
    let window2 = desktop.makeWindow(frame: Rect(x: 200, y: 0, width: 100, height: 100))
    let other = PictureController(desktop.dragAndDrop, in: window2)
    desktop.press(at: Point(x: 50, y: 50))
    desktop.movePointer(over: window2)
    #expect(controller.imageView.alpha == 0.5)
    desktop.release()
    #expect(controller.imageView.alpha == 1)
    #expect(controller.imageView.image == nil)
    #expect(other.imageView.image == image)
  }

  @Test func `image view: another program gets a copy; without an image nothing is dragged`() {
    let controller = PictureController(desktop.dragAndDrop, in: window)
    #expect(desktop.dragOut(EncodedImage.self, of: window).isEmpty)
    let image = EncodedImage([1, 2], type: .png)
    controller.imageView.image = image
    #expect(desktop.dragOut(EncodedImage.self, of: window) == [image])
    #expect(controller.imageView.image == image)
  }

  @Test func `image view: the delegate of its interactions is not retained`() {
    var controller: PictureController? = PictureController(desktop.dragAndDrop, in: window)
    weak let weakController = controller
    #expect(controller != nil)
    controller = nil
    #expect(weakController == nil)
    #expect(desktop.drag(picture, over: window).drop() == .refused)
  }

  // MARK: Values

  @Test func `item providers: a tray gives its texts, and takes texts and pictures`() {
    let tray = Tray(["one", "two"])
    show(tray, desktop.dragAndDrop, in: window)
    #expect(desktop.dragOut(String.self, of: window) == ["one\ntwo"])
    #expect(desktop.drag(DragItem("three"), over: window).drop() == .dropped(.copy))
    #expect(desktop.drag(picture, over: window).drop() == .dropped(.copy))
    #expect(tray.texts == ["one", "two", "three"])
    #expect(tray.pictures == [Data([1, 2])])
  }

  @Test func `Transferable: a trip is a value of its own, a file, a page and a name`() throws {
    let map = URL(filePath: #filePath)
    let trip = Trip(name: "North", stops: ["Kiel", "Oslo"], map: map)
    let item = DragItem(trip)
    #expect(Array(item.types.prefix(4)) == [.trip, .pdf, .html, .plainText])
    #expect(try answer(of: item, .pdf) == [UInt8](Data(contentsOf: map)))
    #expect(answer(of: item, .html) == Array("<h1>North</h1><ul><li>Kiel</li><li>Oslo</li></ul>".utf8))
    #expect(answer(of: item, .plainText) == Array("North".utf8))
    show(trip, desktop.dragAndDrop, in: window)
    #expect(desktop.dragOut(Trip.self, of: window) == [trip])
  }
}
