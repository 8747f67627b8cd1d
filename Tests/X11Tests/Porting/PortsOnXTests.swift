import Foundation
import TestSupport
import Testing

@testable import NativePortingPrograms
@testable import PortingPrograms
@testable import XDnD

/// The programs of `docs/porting.md`, with a real pointer.
@Suite("Ports on an X server", .requiresXvfb, .timeLimit(.minutes(2)))
struct PortsOnXTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47]

  private static var picture: DragItem { DragItem(EncodedImage(png, type: .png)) }

  /// Runs a test in a thread of its own, with windows of two programs.
  private func onStage(_ body: @escaping @Sendable (PortStage) throws -> Void) async throws {
    try await XServer.with { server in
      let (name, pointer) = (server.displayName, try Pointer(server))
      try await onOwnThread { try body(try PortStage(name, pointer)) }
    }
  }

  // MARK: The literal ports

  @Test func `two lists: an item is dragged from one to the other, and out of the window`() async throws {
    try await onStage { stage in
      let todos = [Todo(id: 1, title: "boil"), Todo(id: 2, title: "wait")]
      let (upper, lower) = (TodoList(todos), TodoList([]))
      let half = Rect(x: 0, y: 0, width: 100, height: 40)
      show(upper, other: lower, stage.driver, in: stage.window, frame: half)
      let rest = Rect(x: 0, y: 40, width: 100, height: 60)
      show(lower, other: upper, stage.driver, in: stage.window, frame: rest)
      let firstRow = Point(x: PortStage.frame.origin.x + 50, y: PortStage.frame.origin.y + 10)
      try stage.press(at: firstRow, movingTo: PortStage.inside) { lower.isTargeted }
      try stage.release { !lower.todos.isEmpty && !lower.isTargeted }
      #expect(lower.todos == [todos[0]])
      #expect(upper.todos == [todos[1]])

      let taker = stage.take([.todo, .plainText])
      try stage.press(at: firstRow, movingTo: PortStage.insideOther) { taker.proposals > 0 }
      try stage.release { taker.result != nil && stage.driver.reactor.drags.held == nil }
      let json = Data(try #require(taker.content[.todo]))
      #expect(try JSONDecoder().decode(Todo.self, from: json) == todos[1])
      #expect(taker.text(.plainText) == "wait")
    }
  }

  @Test func `image view: an image is dropped on it, and dragged out`() async throws {
    try await onStage { stage in
      let controller = PictureController(stage.driver, in: stage.window)
      let outcome = try stage.drop(Self.picture) { #expect(controller.imageView.isHighlighted) }
      #expect(outcome == .dropped(.copy))
      #expect(controller.imageView.image == EncodedImage(Self.png, type: .png))
      #expect(!controller.imageView.isHighlighted)
      let taker = stage.take([.png])
      try stage.give(to: taker)
      #expect(taker.content[.png] == Self.png)
      try stage.run { controller.imageView.alpha == 1 }
    }
  }

  @Test func `item providers: a tray's texts are dragged out, and texts and pictures in`() async throws {
    try await onStage { stage in
      let tray = Tray(["one", "two"])
      show(tray, stage.driver, in: stage.window)
      let taker = stage.take([.plainText])
      try stage.give(to: taker)
      #expect(taker.text(.plainText) == "one\ntwo")
      #expect(try stage.drop(DragItem("three")) == .dropped(.copy))
      #expect(try stage.drop(Self.picture) == .dropped(.copy))
      #expect(tray.texts == ["one", "two", "three"])
      #expect(tray.pictures == [Data(Self.png)])
    }
  }

  @Test func `Transferable: a trip is dragged out in all its representations, and in as a file`() async throws {
    try await onStage { stage in
      let map = URL(filePath: #filePath)
      let trip = Trip(name: "North", stops: ["Kiel", "Oslo"], map: map)
      show(trip, stage.driver, in: stage.window)
      let taker = stage.take([.trip, .pdf, .html, .plainText])
      try stage.give(to: taker)
      #expect(taker.result == .finished(.copy))
      let json = Data(try #require(taker.content[.trip]))
      #expect(try JSONDecoder().decode(Trip.self, from: json) == trip)
      #expect(try taker.content[.pdf] == [UInt8](Data(contentsOf: map)))
      #expect(taker.text(.html) == "<h1>North</h1><ul><li>Kiel</li><li>Oslo</li></ul>")
      #expect(taker.text(.plainText) == "North")

      var trips: [Trip] = []
      stage.driver.dropDestination(for: Trip.self, in: stage.window) { dropped, _ in
        trips += dropped
        return true
      }
      var file = DragItem()
      file.promise(.json, bytes: Array(json))
      #expect(try stage.drop(file) == .dropped(.copy))
      #expect(trips == [trip])
    }
  }

  // MARK: The library's own form

  @Test func `a greeting is dragged from its label to the board below`() async throws {
    try await onStage { stage in
      let board = Board(stage.driver, in: stage.window)
      let label = Point(x: PortStage.frame.origin.x + 50, y: PortStage.frame.origin.y + 10)
      try stage.press(at: label, movingTo: PortStage.inside) { board.isTargeted }
      try stage.release { !board.notes.isEmpty && !board.isTargeted }
      #expect(board.notes == ["Hello"])
    }
  }

  @Test func `a picture is dropped on a shelf, which can be locked and gives a file`() async throws {
    try await onStage { stage in
      let shelf = makeShelf(stage.driver, in: stage.window)
      #expect(try stage.drop(Self.picture) == .dropped(.copy))
      #expect(shelf.pictures == [Self.png])
      shelf.isLocked = true
      #expect(try stage.drop(Self.picture, expecting: nil) == .refused)
      let taker = stage.take([.uriList])
      try stage.give(to: taker)
      #expect(taker.text(.uriList) == "file:///home/me/photo.png\r\n")
    }
  }

  @Test func `a photo is moved out of its list`() async throws {
    try await onStage { stage in
      let photos = [EncodedImage([1], type: .png), EncodedImage([2], type: .png)]
      let delegate = PhotoDragDelegate(photos)
      makeDraggable(stage.window, stage.driver, delegate: delegate)
      let taker = stage.take([.png], operations: [.move])
      // In the second row.
      try stage.give(to: taker)
      try stage.run { delegate.photos.count == 1 }
      #expect(taker.content[.png] == photos[1].bytes)
      #expect(delegate.photos == [photos[0]])
    }
  }

  @Test func `a photo of another program is copied`() async throws {
    try await onStage { stage in
      let delegate = PhotoDropDelegate()
      acceptPhotos(in: stage.window, stage.driver, delegate: delegate)
      let outcome = try stage.drop(Self.picture) { #expect(delegate.isHighlighted) }
      #expect(outcome == .dropped(.copy))
      #expect(delegate.photos == [EncodedImage(Self.png, type: .png)])
      #expect(!delegate.isHighlighted)
    }
  }

  @Test func `a label's text is moved away, and another one takes its place`() async throws {
    try await onStage { stage in
      let label = LabelView("Hello", stage.driver, in: stage.window)
      let taker = stage.take([.plainText], operations: [.move])
      try stage.press { label.mouseDragged(pressedAt: $0) }
      try stage.move(to: PortStage.insideOther) { taker.proposals > 0 }
      try stage.release { taker.result != nil && label.text.isEmpty }
      #expect(taker.text(.plainText) == "Hello")
      #expect(try stage.drop(DragItem("again")) == .dropped(.copy))
      #expect(label.text == "again")
      #expect(!label.isHighlighted)
    }
  }

  @Test func `a profile is dragged as a picture and as text`() async throws {
    try await onStage { stage in
      let profile = Profile(name: "Ada", portrait: Self.png)
      stage.driver.draggable(profile, in: stage.window)
      let taker = stage.take([.png, .plainText])
      try stage.give(to: taker)
      #expect(taker.content[.png] == Self.png)
      #expect(taker.text(.plainText) == "Ada")
    }
  }
}
