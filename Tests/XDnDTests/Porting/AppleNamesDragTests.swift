import Foundation
import TestSupport
import Testing
import XDnDFoundation

@testable import PortingPrograms
@testable import XDnD
@testable import XDnDTesting

/// Drags under the names of SwiftUI and UIKit.
@Suite("Apple's names: drags")
struct AppleNamesDragTests {
  private let desktop = SimulatedDesktop.recordingIssues()
  private let window: WindowID

  init() { window = desktop.makeWindow(frame: Rect(x: 10, y: 20, width: 100, height: 100)) }

  // MARK: onDrag

  @Test func `onDrag: a closure without a press gives the item`() {
    desktop.dragAndDrop.onDrag(in: window) { NSItemProvider(object: "Hello") }
    #expect(desktop.dragOut(String.self, of: window) == ["Hello"])
  }

  @Test func `onDrag: a provider without representations begins no drag`() {
    let interaction = desktop.dragAndDrop.onDrag(in: window) { NSItemProvider() }
    #expect(desktop.dragOut(String.self, of: window).isEmpty)
    #expect(interaction.session == nil)
  }

  // MARK: UIDragInteractionDelegate

  /// Drags items, and notes what it is told.
  private final class Delegate: UIDragInteractionDelegate {
    var items: [UIDragItem] = []
    var image: DragImage?
    var allowsMove = true
    var calls: [String] = []
    var window: WindowID?
    var session: (any UIDragSession)?

    func dragInteraction(
      _ interaction: UIDragInteraction, itemsForBeginning session: any UIDragSession
    ) -> [UIDragItem] {
      #expect(session.items.isEmpty)
      calls.append("items at \(window.map { session.location(in: $0).description } ?? "")")
      self.session = session
      return items
    }

    func dragInteraction(
      _ interaction: UIDragInteraction, sessionAllowsMoveOperation session: any UIDragSession
    ) -> Bool { allowsMove }

    func dragInteraction(
      _ interaction: UIDragInteraction, previewForLifting item: UIDragItem, session: any UIDragSession
    ) -> UITargetedDragPreview? { image }

    func dragInteraction(
      _ interaction: UIDragInteraction, willAnimateLiftWith animator: any UIDragAnimating, session: any UIDragSession
    ) {
      animator.addCompletion { self.calls.append("lifted: \($0)") }
      animator.addAnimations { self.calls.append("lift \(session.items.count)") }
    }

    func dragInteraction(_ interaction: UIDragInteraction, sessionWillBegin session: any UIDragSession) {
      #expect(session.drag?.outcome == nil)
      calls.append("begin")
    }

    func dragInteraction(
      _ interaction: UIDragInteraction, session: any UIDragSession, didEndWith operation: UIDropOperation
    ) {
      #expect(session === self.session)
      calls.append("end: \(operation?.description ?? "none")")
    }
  }

  /// Does only what it must.
  private final class Simple: UIDragInteractionDelegate {
    let item: UIDragItem
    var session: (any UIDragSession)?

    init(_ item: UIDragItem) { self.item = item }

    func dragInteraction(
      _ interaction: UIDragInteraction, itemsForBeginning session: any UIDragSession
    ) -> [UIDragItem] {
      self.session = session
      return [item]
    }
  }

  private func delegate(_ items: [UIDragItem]) -> Delegate {
    let delegate = Delegate()
    (delegate.items, delegate.window) = (items, window)
    desktop.dragAndDrop.add(UIDragInteraction(delegate: delegate), to: window)
    return delegate
  }

  @Test func `the delegate of a drag is called in order: items, lift, begin, end`() {
    let delegate = delegate([UIDragItem(itemProvider: NSItemProvider(object: "Hello"))])
    #expect(desktop.dragOut(String.self, of: window) == ["Hello"])
    #expect(delegate.calls == ["items at 50,50", "lift 1", "lifted: end", "begin", "end: copy"])
  }

  @Test func `didEndWith: a drag without a drop ends with no operation`() {
    let delegate = delegate([DragItem("Hello")])
    desktop.press(at: Point(x: 60, y: 70))
    desktop.movePointer(to: Point(x: 400, y: 400))
    desktop.pressEscape()
    #expect(delegate.calls.last == "end: none")
    #expect(delegate.session?.drag?.outcome == .cancelled(.escape))
  }

  @Test func `itemsForBeginning: without items no drag begins`() {
    let delegate = delegate([])
    #expect(desktop.dragOut(String.self, of: window).isEmpty)
    #expect(delegate.calls == ["items at 50,50"])
  }

  @Test func `previewForLifting is the drag image of its item`() throws {
    let delegate = delegate([DragItem("Hello")])
    let image = DragImage(try #require(Bitmap(width: 1, height: 1, pixels: [0xFF00_0000])))
    delegate.image = image
    #expect(desktop.dragOut(String.self, of: window) == ["Hello"])
    #expect(delegate.session?.drag?.preview.images == [image])
  }

  @Test(arguments: [true, false]) func `sessionAllowsMoveOperation permits a move`(_ allowsMove: Bool) {
    let delegate = delegate([DragItem("Hello")])
    delegate.allowsMove = allowsMove
    #expect(desktop.dragOut(String.self, of: window, operations: [.move]) == (allowsMove ? ["Hello"] : []))
    #expect(delegate.calls.last == (allowsMove ? "end: move" : "end: none"))
    #expect(delegate.session?.allowsMoveOperation == allowsMove)
    #expect(delegate.session?.hasItemsConforming(toTypeIdentifiers: ["public.text"]) == true)
  }

  @Test func `a move is permitted by default, but not of files`() {
    for (item, allowsMove) in [(DragItem("Hello"), true), (DragItem(files: ["/a"]), false)] {
      let delegate = Simple(item)
      let recognizer = desktop.dragAndDrop.add(UIDragInteraction(delegate: delegate), to: window)
      _ = desktop.dragOut(FileList.self, of: window)
      #expect(delegate.session?.allowsMoveOperation == allowsMove)
      desktop.dragAndDrop.remove(recognizer)
    }
  }

  @Test func `the delegate of a drag interaction is not retained`() {
    var simple: Simple? = Simple(DragItem("Hello"))
    weak let weakSimple = simple
    if let simple { desktop.dragAndDrop.add(UIDragInteraction(delegate: simple), to: window) }
    simple = nil
    #expect(weakSimple == nil)
    #expect(desktop.dragOut(String.self, of: window).isEmpty)
  }
}
