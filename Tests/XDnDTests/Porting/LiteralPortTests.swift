import Foundation
import TestSupport
import Testing

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

  @Test func `DropDelegate: a gallery takes pictures unless it is locked, and nothing else`() {
    let gallery = Gallery()
    show(gallery, desktop.dragAndDrop, in: window)
    let drag = desktop.drag(picture, over: window)
    #expect(gallery.isTargeted)
    drag.drop()
    #expect(drag.outcome == .dropped(.copy))
    #expect(gallery.pictures == [Data([1, 2])])
    #expect(!gallery.isTargeted)
    #expect(desktop.drag(DragItem("Hello"), over: window).drop() == .refused)
    gallery.isLocked = true
    #expect(desktop.drag(picture, over: window).drop() == .refused)
    #expect(gallery.pictures.count == 1)
  }

  @Test func `DropDelegate: a gallery hears that a drag has left`() {
    let gallery = Gallery()
    show(gallery, desktop.dragAndDrop, in: window)
    let drag = desktop.drag(picture, over: window)
    #expect(gallery.isTargeted)
    drag.leave()
    #expect(!gallery.isTargeted)
    drag.drop()
    #expect(drag.outcome == .noTarget)
  }

  @Test func `onDrag: a recipe is dragged as a page, and as text`() {
    let recipe = Recipe(title: "Tea", steps: ["boil", "wait"])
    let item = recipe.itemProvider()
    #expect(item.types == [.html, .plainText])
    #expect(answer(of: item, .html) == Array("<h1>Tea</h1><ol><li>boil</li><li>wait</li></ol>".utf8))
    show(recipe, desktop.dragAndDrop, in: window)
    #expect(desktop.dragOut(String.self, of: window) == ["Tea\nboil\nwait"])
  }

  @Test func `drop interaction: a list takes quotes until it is full`() {
    let delegate = QuoteDropDelegate()
    acceptQuotes(in: window, desktop.dragAndDrop, delegate: delegate)
    let drag = desktop.drag(DragItem("one"), over: window)
    #expect(delegate.isHighlighted)
    drag.drop()
    #expect(drag.outcome == .dropped(.copy))
    #expect(!delegate.isHighlighted)
    #expect(desktop.drag(picture, over: window).drop() == .refused)
    #expect(desktop.drag(DragItem("two"), over: window).drop() == .dropped(.copy))
    #expect(desktop.drag(DragItem("three"), over: window).drop() == .refused)
    #expect(delegate.quotes == ["one", "two"])
  }

  @Test func `drop interaction: its delegate hears that a drag has left, and is not retained`() {
    var delegate: QuoteDropDelegate? = QuoteDropDelegate()
    weak let weakDelegate = delegate
    if let delegate { acceptQuotes(in: window, desktop.dragAndDrop, delegate: delegate) }
    let drag = desktop.drag(DragItem("one"), over: window)
    #expect(delegate?.isHighlighted == true)
    drag.leave()
    #expect(delegate?.isHighlighted == false)
    drag.drop()
    delegate = nil
    #expect(weakDelegate == nil)
    #expect(desktop.drag(DragItem("one"), over: window).drop() == .refused)
  }

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
