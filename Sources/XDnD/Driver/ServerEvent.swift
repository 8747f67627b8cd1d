/// An event of the window system, with atom names in place of atoms.
enum ServerEvent: Equatable, Sendable {
  /// One of the six XDND messages; `window` is its addressee.
  case message(XdndMessage, window: WindowID)

  case selectionRequest(SelectionRequest)
  case selectionNotify(SelectionNotify)
  /// This program has lost a selection.
  case selectionCleared(AtomName, owner: WindowID, time: Timestamp)
  /// A selection has a new owner, which may be this program, or none (`.none`). From XFixes.
  case selectionOwnerChanged(AtomName, owner: WindowID)

  case propertyChanged(AtomName, of: WindowID)
  case propertyDeleted(AtomName, of: WindowID)

  /// A window is destroyed, by `DestroyNotify` or by the error to an earlier request of this program.
  case windowVanished(WindowID)
  /// Top-level windows were mapped, unmapped, moved or restacked, so another window may be under a resting pointer now.
  case stackingChanged

  /// Pointer input that may become a drag, in a window that is watched for ``WindowInterest/gestures``. `.cancelled` is
  /// the window's destruction.
  case gesture(DragGesture.Input, in: WindowID)

  /// A compositing manager has started or ended: see ``WindowSystem/isComposited``.
  case compositorChanged

  /// ``WindowSystem/settings`` may have changed.
  case settingsChanged

  // Input, while the driver holds its grab.
  case pointerMoved(PointerSample)
  case buttonPressed(PointerButton, PointerSample)
  case buttonReleased(PointerButton, PointerSample)
  /// Modifiers changed without motion.
  case modifiersChanged(PointerSample)
  /// A key that controls a drag. It may repeat.
  case keyPressed(DragKey, PointerSample)
  /// The server ended our grab, for example because its window was unmapped.
  case grabLost
}

extension ServerEvent {
  /// Whether the driver may release the grab of pointer and keyboard because of this event.
  var mayEndGrab: Bool {
    switch self {
    case .buttonPressed, .buttonReleased, .keyPressed: true
    default: false
    }
  }

  /// The event, older than a move of the pointer by the driver, as it counts after the move: motion is dropped, and
  /// keys and buttons count where the pointer is now, because the user meant them there.
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
