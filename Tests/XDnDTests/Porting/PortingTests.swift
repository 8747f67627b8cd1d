import TestSupport
import Testing

@testable import PortingPrograms
@testable import XDnD
@testable import XDnDTesting

/// The programs of `docs/porting.md` in the library's own form.
@Suite("Programs that are ported from Apple's frameworks")
struct PortingTests {
  private let stage = PortingStage()

  // MARK: SwiftUI

  @Test func `a board takes the texts that are dropped on it`() {
    let board = Board(stage.driver, in: stage.window)
    stage.settle()
    stage.press(at: Point(x: 50, y: 10), movingTo: PortingStage.inside)
    #expect(board.isTargeted)
    stage.release()
    #expect(board.notes == ["Hello"])
    #expect(!board.isTargeted)
  }

  @Test func `a shelf takes pictures unless it is locked, and gives a file`() {
    let shelf = makeShelf(stage.driver, in: stage.window)
    stage.settle()
    #expect(stage.drop(DragItem(EncodedImage([1, 2], type: "image/webp"))) == .dropped(.copy))
    #expect(shelf.pictures == [[1, 2]])
    shelf.isLocked = true
    #expect(stage.drop(DragItem(EncodedImage([3], type: .png))) == .refused)
    #expect(stage.dragOut(FileList.self).flatMap(\.uris) == ["file:///home/me/photo.png"])
  }

  // MARK: UIKit

  @Test func `a photo that was moved away is removed from its list`() {
    let photos = [EncodedImage([1], type: .png), EncodedImage([2], type: .png)]
    let delegate = PhotoDragDelegate(photos)
    makeDraggable(stage.window, stage.driver, delegate: delegate)
    #expect(stage.dragOut(EncodedImage.self, operations: [.move]) == [photos[1]])
    #expect(delegate.photos == [photos[0]])
  }

  @Test func `a photo of another program is copied`() {
    let delegate = PhotoDropDelegate()
    acceptPhotos(in: stage.window, stage.driver, delegate: delegate)
    stage.settle()
    let photo = EncodedImage([1], type: .png)
    let session = stage.drag(DragItem(photo))
    #expect(delegate.isHighlighted)
    stage.release()
    #expect(session.outcome == .dropped(.copy))
    #expect(delegate.photos == [photo])
    #expect(!delegate.isHighlighted)
  }

  // MARK: AppKit

  @Test func `a label gives its text away and takes another one`() {
    let label = LabelView("Hello", stage.driver, in: stage.window)
    stage.otherDriver.dropDestination(for: String.self, operations: [.move], in: stage.otherWindow) { texts, _ in
      texts == ["Hello"]
    }
    stage.settle()
    stage.press(at: PortingStage.inside) { label.mouseDragged(pressedAt: $0) }
    stage.move(to: PortingStage.insideOther)
    stage.release()
    #expect(label.text.isEmpty)
    _ = stage.drag(DragItem("again"))
    #expect(label.isHighlighted)
    stage.release()
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
