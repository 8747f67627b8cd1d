import XDnD

/// A list of photos, from which they can be dragged away.
final class PhotoDragDelegate: DragInteractionDelegate {
  private(set) var photos: [EncodedImage]
  private let rowHeight = 40

  init(_ photos: [EncodedImage]) { self.photos = photos }

  func dragInteraction(_ interaction: DragInteraction, itemsForBeginningAt press: DragPress) -> [DragItem] {
    let row = press.location.y / rowHeight
    guard photos.indices.contains(row) else { return [] }
    var item = DragItem(photos[row])
    item.operations = [.copy, .move]
    item.localContext = row
    return [item]
  }

  func drag(_ drag: DragSession, ended outcome: DragOutcome) {
    guard outcome == .dropped(.move), let row = drag.items.first?.localContext as? Int else { return }
    photos.remove(at: row)
  }
}

/// - Parameter delegate: Not retained.
func makeDraggable(_ window: WindowID, _ dragAndDrop: DragAndDrop, delegate: PhotoDragDelegate) {
  dragAndDrop.add(DragInteraction(dragAndDrop, delegate: delegate), to: window)
}
