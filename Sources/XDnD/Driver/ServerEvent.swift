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

  /// A compositing manager has come or gone: see ``WindowSystem/isComposited``.
  case compositorChanged

  /// What ``WindowSystem/settings`` says may be something else now.
  case settingsChanged

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

extension ServerEvent {
  /// Whether the driver may let pointer and keyboard go because of it.
  var mayEndGrab: Bool {
    switch self {
    case .buttonPressed, .buttonReleased, .keyPressed: true
    default: false
    }
  }

  /// The same event once the driver has moved the pointer: older motion means nothing any more, and keys and buttons count
  /// where the pointer is now, for that is what the user has meant by them.
  func onceMoved(to point: Point) -> ServerEvent? {
    func here(_ sample: PointerSample) -> PointerSample {
      PointerSample(point: point, time: sample.time, modifiers: sample.modifiers)
    }
    return switch self {
    case .pointerMoved: nil
    case .buttonPressed(let button, let sample): .buttonPressed(button, here(sample))
    case .buttonReleased(let button, let sample): .buttonReleased(button, here(sample))
    case .modifiersChanged(let sample): .modifiersChanged(here(sample))
    case .keyPressed(let key, let sample): .keyPressed(key, here(sample))
    default: self
    }
  }
}
