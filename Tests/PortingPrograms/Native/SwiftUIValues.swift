import XDnD

/// A greeting to drag, and a board that takes texts.
final class Board {
  private(set) var notes: [String] = []
  private(set) var isTargeted = false

  init(_ dragAndDrop: DragAndDrop, in window: WindowID) {
    dragAndDrop.draggable("Hello", in: window, frame: Rect(x: 0, y: 0, width: 100, height: 20))
    dragAndDrop.dropDestination(
      for: String.self, in: window, frame: Rect(x: 0, y: 20, width: 100, height: 80)
    ) { [weak self] texts, location in
      guard let self else { return false }
      notes += texts
      return true
    } isTargeted: { [weak self] in
      self?.isTargeted = $0
    }
  }
}
