import TestSupport
import Testing

@testable import NativePortingPrograms
@testable import XDnD
@testable import XDnDTesting

/// The programs of `docs/porting.md` in the library's own form.
@Suite("Programs that are ported from Apple's frameworks")
struct PortingTests {
  private let desktop = SimulatedDesktop.recordingIssues()
  private let window: WindowID

  init() { window = desktop.makeWindow(frame: Rect(x: 0, y: 0, width: 100, height: 100)) }

  // MARK: SwiftUI

  @Test func `a board takes the texts that are dropped on it`() {
    let board = Board(desktop.dragAndDrop, in: window)
    desktop.press(at: Point(x: 50, y: 10))
    desktop.movePointer(to: Point(x: 50, y: 50))
    #expect(board.isTargeted)
    desktop.release()
    #expect(board.notes == ["Hello"])
    #expect(!board.isTargeted)
  }

  @Test func `a shelf takes pictures unless it is locked, and gives a file`() {
    let shelf = makeShelf(desktop.dragAndDrop, in: window)
    #expect(desktop.drag(DragItem(EncodedImage([1, 2], type: "image/webp")), over: window).drop() == .dropped(.copy))
    #expect(shelf.pictures == [[1, 2]])
    shelf.isLocked = true
    #expect(desktop.drag(DragItem(EncodedImage([3], type: .png)), over: window).drop() == .refused)
    #expect(desktop.dragOut(FileList.self, of: window).flatMap(\.uris) == ["file:///home/me/photo.png"])
  }

  // MARK: UIKit

  @Test func `a photo that was moved away is removed from its list`() {
    let photos = [EncodedImage([1], type: .png), EncodedImage([2], type: .png)]
    let delegate = PhotoDragDelegate(photos)
    makeDraggable(window, desktop.dragAndDrop, delegate: delegate)
    #expect(desktop.dragOut(EncodedImage.self, of: window, operations: [.move]) == [photos[1]])
    #expect(delegate.photos == [photos[0]])
  }

  @Test func `a photo of another program is copied`() {
    let delegate = PhotoDropDelegate()
    acceptPhotos(in: window, desktop.dragAndDrop, delegate: delegate)
    let photo = EncodedImage([1], type: .png)
    let session = desktop.drag(DragItem(photo), over: window)
    #expect(delegate.isHighlighted)
    session.drop()
    #expect(session.outcome == .dropped(.copy))
    #expect(delegate.photos == [photo])
    #expect(!delegate.isHighlighted)
  }

  // MARK: AppKit

  @Test func `a label gives its text away and takes another one`() {
    let label = LabelView("Hello", desktop.dragAndDrop, in: window)
    let other = desktop.makeDestination(for: String.self, operations: [.move]) { $0 == ["Hello"] }
    label.mouseDragged(pressedAt: desktop.press(at: Point(x: 50, y: 50)))
    desktop.movePointer(over: other)
    desktop.release()
    #expect(label.text.isEmpty)
    let drag = desktop.drag(DragItem("again"), over: window)
    #expect(label.isHighlighted)
    drag.drop()
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
