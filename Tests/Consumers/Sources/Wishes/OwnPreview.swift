import XDnD
import XDnDDrawing

/// A drag image that the program draws: the dragged color, with round corners.
func dragWithOwnPreview(_ dnd: DragAndDrop, in window: WindowID, color: Color) {
  var item = DragItem(color)
  item.preview = DragImage(width: 64, height: 64) { $0.fill(with: color, cornerRadius: 8) }
  dnd.onDrag(in: window) { _ in [item] }
}
