import Foundation
import TestSupport
import Testing

@testable import PortingPrograms
@testable import XDnD

/// The programs of `docs/porting.md` that keep the names of Apple's frameworks.
@Suite("Programs that are ported line by line")
struct LiteralPortTests {
  private let stage = PortingStage()
  private let picture = DragItem(EncodedImage([1, 2], type: .png))

  @Test func `DropDelegate: a gallery takes pictures unless it is locked, and nothing else`() {
    let gallery = Gallery()
    show(gallery, stage.driver, in: stage.window)
    stage.settle()
    let drag = stage.drag(picture)
    #expect(gallery.isTargeted)
    stage.release()
    #expect(drag.outcome == .dropped(.copy))
    #expect(gallery.pictures == [Data([1, 2])])
    #expect(!gallery.isTargeted)
    #expect(stage.drop(DragItem("Hello")) == .refused)
    gallery.isLocked = true
    #expect(stage.drop(picture) == .refused)
    #expect(gallery.pictures.count == 1)
  }

  @Test func `DropDelegate: a gallery hears that a drag has left`() {
    let gallery = Gallery()
    show(gallery, stage.driver, in: stage.window)
    stage.settle()
    let drag = stage.drag(picture)
    #expect(gallery.isTargeted)
    stage.moveOut()
    #expect(!gallery.isTargeted)
    stage.release()
    #expect(drag.outcome == .noTarget)
  }

  @Test func `onDrag: a recipe is dragged as a page, and as text`() {
    let recipe = Recipe(title: "Tea", steps: ["boil", "wait"])
    let item = recipe.itemProvider()
    #expect(item.types == [.html, .plainText])
    #expect(answer(of: item, .html) == Array("<h1>Tea</h1><ol><li>boil</li><li>wait</li></ol>".utf8))
    show(recipe, stage.driver, in: stage.window)
    #expect(stage.dragOut(String.self) == ["Tea\nboil\nwait"])
  }

  @Test func `drop interaction: a list takes quotes until it is full`() {
    let delegate = QuoteDropDelegate()
    acceptQuotes(in: stage.window, stage.driver, delegate: delegate)
    stage.settle()
    let drag = stage.drag(DragItem("one"))
    #expect(delegate.isHighlighted)
    stage.release()
    #expect(drag.outcome == .dropped(.copy))
    #expect(!delegate.isHighlighted)
    #expect(stage.drop(picture) == .refused)
    #expect(stage.drop(DragItem("two")) == .dropped(.copy))
    #expect(stage.drop(DragItem("three")) == .refused)
    #expect(delegate.quotes == ["one", "two"])
  }

  @Test func `drop interaction: its delegate hears that a drag has left, and is not retained`() {
    var delegate: QuoteDropDelegate? = QuoteDropDelegate()
    weak let weakDelegate = delegate
    if let delegate { acceptQuotes(in: stage.window, stage.driver, delegate: delegate) }
    stage.settle()
    _ = stage.drag(DragItem("one"))
    #expect(delegate?.isHighlighted == true)
    stage.moveOut()
    #expect(delegate?.isHighlighted == false)
    stage.release()
    delegate = nil
    #expect(weakDelegate == nil)
    #expect(stage.drop(DragItem("one")) == .refused)
  }

  @Test func `item providers: a tray gives its texts, and takes texts and pictures`() {
    let tray = Tray(["one", "two"])
    show(tray, stage.driver, in: stage.window)
    #expect(stage.dragOut(String.self) == ["one\ntwo"])
    #expect(stage.drop(DragItem("three")) == .dropped(.copy))
    #expect(stage.drop(picture) == .dropped(.copy))
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
    show(trip, stage.driver, in: stage.window)
    #expect(stage.dragOut(Trip.self) == [trip])
  }
}
