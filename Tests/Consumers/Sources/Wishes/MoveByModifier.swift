import XDnD

/// Text that moves within the window and is copied elsewhere; Ctrl copies and Shift moves it.
func moveByModifier(_ dnd: DragAndDrop, in window: WindowID) {
  dnd.onDrag(in: window, operations: [.copy, .move], items: { _ in [DragItem("text")] }, ended: { show("\($1)") })
  dnd.dropDestination(for: String.self, in: window) { texts, _ in show(texts.joined()) }
}
