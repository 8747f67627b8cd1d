/// What the window system tells the driver, with every atom already turned into a name.
enum ServerEvent: Equatable, Sendable {
  /// One of the six XDND messages; `window` is the one that it was addressed to.
  case message(XdndMessage, window: WindowID)

  case selectionRequest(SelectionRequest)
  case selectionNotify(SelectionNotify)
  /// We own the selection no longer.
  case selectionCleared(AtomName, owner: WindowID, time: Timestamp)
  /// Somebody, perhaps us, has taken the selection or let it go (`owner` is `.none`); from XFixes.
  case selectionOwnerChanged(AtomName, owner: WindowID)

  case propertyChanged(AtomName, of: WindowID)
  case propertyDeleted(AtomName, of: WindowID)

  /// The window is gone: `DestroyNotify`, or an error that says so about an earlier request of ours.
  case windowVanished(WindowID)
  /// Top-level windows came, went, moved or changed their order: what is under a resting pointer may be another
  /// window now.
  case stackingChanged

  /// What may become a drag, in a window that is watched for it; `.cancelled` is the end of the window.
  case gesture(DragGesture.Input, in: WindowID)

  // Input, while the driver holds its grab.
  case pointerMoved(PointerSample)
  case buttonPressed(PointerButton, PointerSample)
  case buttonReleased(PointerButton, PointerSample)
  /// Modifiers changed without motion.
  case modifiersChanged(PointerSample)
  /// A key that steers a drag; it may repeat.
  case keyPressed(DragKey, PointerSample)
  /// The server ended our grab, for example because its window was unmapped.
  case grabLost
}
