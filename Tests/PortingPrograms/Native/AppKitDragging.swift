import XDnD

/// A label whose text can be dragged, and replaced by a drop.
final class LabelView: DragDelegate, DropDelegate {
  private(set) var text: String
  private(set) var isHighlighted = false
  private let dragAndDrop: DragAndDrop

  init(_ text: String, _ dragAndDrop: DragAndDrop, in window: WindowID) {
    self.text = text
    self.dragAndDrop = dragAndDrop
    dragAndDrop.registerDropTarget(window, accepting: DropOffer([.plainText]), delegate: self)
  }

  // MARK: The source

  func mouseDragged(pressedAt time: Timestamp) {
    var item = DragItem(text)
    item.operations = [.copy, .move]
    dragAndDrop.beginDrag(item, at: time, delegate: self)
  }

  func drag(_ drag: DragSession, ended outcome: DragOutcome) {
    if outcome == .dropped(.move) { text = "" }
  }

  // MARK: The destination

  func dropEntered(_ drop: DropSession) { isHighlighted = true }

  func dropExited(_ drop: DropSession, _ reason: DropExit) { isHighlighted = false }

  func performDrop(_ drop: DropSession) {
    drop.load(String.self) { [weak self] result in
      guard let self, case .success(let text) = result else { return drop.reject() }
      self.text = text
      drop.finish(.copy)
    }
  }

  func dropEnded(_ drop: DropSession, _ result: DropResult) { isHighlighted = false }
}
