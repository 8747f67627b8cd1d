import TestSupport
import Testing

@testable import XDnD

/// The right sides of `docs/porting.md`.
@Suite("Programs that are ported from Apple's frameworks")
struct PortingTests {
  private let world = ClipboardWorld()
  private let program: ClipboardWorld.Program
  private let window: WindowID
  private let other: ClipboardWorld.Program
  private let otherWindow: WindowID

  private static let inside = Point(x: 50, y: 50)
  private static let insideOther = Point(x: 250, y: 50)

  init() {
    program = world.program()
    window = world.server.createWindow(of: program.client, frame: Rect(x: 0, y: 0, width: 100, height: 100))
    other = world.program()
    otherWindow = world.server.createWindow(of: other.client, frame: Rect(x: 200, y: 0, width: 100, height: 100))
  }

  // MARK: The user

  /// Presses in the program's window, at the upper left corner of the screen, and moves on.
  private func press(at start: Point, movingTo end: Point) {
    let interactions = program.driver.interactions
    world.server.movePointer(to: start)
    world.server.press(.primary)
    interactions.receive(
      .pressed(DragPress(rootLocation: start, location: start, time: world.server.time)), in: window)
    interactions.receive(.moved(to: end), in: window)
    world.run(.milliseconds(100))
    move(to: end)
  }

  private func move(to point: Point) {
    world.server.movePointer(to: point)
    world.run(.milliseconds(100))
  }

  private func release() {
    world.server.release(.primary)
    world.run(.seconds(1))
  }

  /// Drags from the other program into the program's window.
  private func drag(_ item: DragItem) -> DragSession {
    world.server.movePointer(to: Point(x: 900, y: 900))
    world.server.press(.primary)
    let drag = other.driver.beginDrag(item, at: world.server.time)
    world.run(.milliseconds(100))
    move(to: Self.inside)
    return drag
  }

  // MARK: SwiftUI

  @Test func `a board takes the texts that are dropped on it`() {
    let board = Board(program.driver, in: window)
    world.run(.milliseconds(100))
    press(at: Point(x: 50, y: 10), movingTo: Self.inside)
    #expect(board.isTargeted)
    release()
    #expect(board.notes == ["Hello"])
    #expect(!board.isTargeted)
  }

  @Test func `a shelf takes pictures unless it is locked, and gives a file`() {
    let shelf = makeShelf(program.driver, in: window)
    world.run(.milliseconds(100))
    _ = drag(DragItem(EncodedImage([1, 2], type: "image/webp")))
    release()
    #expect(shelf.pictures == [[1, 2]])
    shelf.isLocked = true
    let refused = drag(DragItem(EncodedImage([3], type: .png)))
    release()
    #expect(refused.outcome == .refused)
    var files: [String] = []
    other.driver.dropDestination(for: FileList.self, in: otherWindow) { lists, _ in
      files = lists.flatMap(\.uris)
      return true
    }
    press(at: Self.inside, movingTo: Self.insideOther)
    release()
    #expect(files == ["file:///home/me/photo.png"])
  }

  // MARK: UIKit

  @Test func `a photo that was moved away is removed from its list`() {
    let photos = [EncodedImage([1], type: .png), EncodedImage([2], type: .png)]
    let delegate = PhotoDragDelegate(photos)
    makeDraggable(window, program.driver, delegate: delegate)
    var taken: [EncodedImage] = []
    other.driver.dropDestination(for: EncodedImage.self, operations: [.move], in: otherWindow) { photos, _ in
      taken += photos
      return true
    }
    world.run(.milliseconds(100))
    press(at: Self.inside, movingTo: Self.insideOther)
    release()
    #expect(taken == [photos[1]])
    #expect(delegate.photos == [photos[0]])
  }

  @Test func `a photo of another program is copied`() {
    let delegate = PhotoDropDelegate()
    acceptPhotos(in: window, program.driver, delegate: delegate)
    world.run(.milliseconds(100))
    let photo = EncodedImage([1], type: .png)
    let session = drag(DragItem(photo))
    #expect(delegate.isHighlighted)
    release()
    #expect(session.outcome == .dropped(.copy))
    #expect(delegate.photos == [photo])
    #expect(!delegate.isHighlighted)
  }

  // MARK: AppKit

  @Test func `a label gives its text away and takes another one`() {
    let label = LabelView("Hello", program.driver, in: window)
    other.driver.dropDestination(for: String.self, operations: [.move], in: otherWindow) { texts, _ in
      texts == ["Hello"]
    }
    world.run(.milliseconds(100))
    world.server.movePointer(to: Self.inside)
    world.server.press(.primary)
    label.mouseDragged(pressedAt: world.server.time)
    world.run(.milliseconds(100))
    move(to: Self.insideOther)
    release()
    #expect(label.text.isEmpty)
    _ = drag(DragItem("again"))
    #expect(label.isHighlighted)
    release()
    #expect(label.text == "again")
    #expect(!label.isHighlighted)
  }

  // MARK: Core Transferable

  @Test func `a profile is a picture with a name, and text`() throws {
    let item = DragItem(Profile(name: "Ada", portrait: [1, 2]))
    #expect(item.types.first == .png)
    #expect(!item.types.contains("application/x-profile"))
    #expect(item.filePromises.map(\.name) == ["Ada.png"])
    #expect(answer(of: item, .png) == [1, 2])
    #expect(answer(of: item, .plainText) == Array("Ada".utf8))
    #expect(DragItem(Profile(name: "Ada", portrait: [])).types.first == .plainText)
  }
}
