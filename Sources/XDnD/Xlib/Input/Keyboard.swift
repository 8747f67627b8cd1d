import XDnDX11

/// The state of the grabbed keyboard; decodes its key events for a drag.
struct Keyboard {
  private var map: ModifierMap
  /// The modifier keys that are down. One Shift may be released while the other is held.
  private var held: Set<UInt32>
  /// The other keys that were down when the grab began, and the time of their last release event. A key that began the
  /// drag repeats, and the repeats must not end the drag.
  private var stale: [UInt32: Time?]

  init(_ state: KeyState) {
    let map = ModifierMap(state)
    self.map = map
    self.held = state.down.filter { map.modifiers(ofKey: $0) != [] }
    self.stale = Dictionary(uniqueKeysWithValues: state.down.subtracting(held).map { ($0, nil) })
  }

  /// Queries the state. Makes one round trip.
  init(_ display: DisplayHandle) { self.init(KeyState.read(display)) }

  /// Queries the state again, after a `MappingNotify`.
  mutating func remap(_ display: DisplayHandle) {
    let state = KeyState.read(display)
    let map = ModifierMap(state)
    self.map = map
    held = state.down.filter { map.modifiers(ofKey: $0) != [] }
  }

  /// The modifiers in a state mask.
  func modifiers(inState state: UInt32) -> Modifiers { map.modifiers(inState: state) }

  /// Decodes a `KeyPress` or `KeyRelease`. `point` is the pointer's position, in root coordinates.
  mutating func interpret(_ event: XKeyEvent, at point: Point) -> ServerEvent? {
    let isPress = event.type == KeyPress
    let own = map.modifiers(ofKey: event.keycode)
    // `state` is the state before the event: it lacks the key that was pressed, and has the key that was released.
    var sample = PointerSample(
      point: point, time: Timestamp(event.time), modifiers: map.modifiers(inState: event.state))
    guard own != [] else {
      guard isFresh(event), isPress, let key = Self.key(event, sample.modifiers) else { return nil }
      return .keyPressed(key, sample)
    }
    if isPress {
      held.insert(event.keycode)
      sample.modifiers.formUnion(own)
    } else {
      held.remove(event.keycode)
      let others = held.reduce(into: Modifiers()) { $0.formUnion(map.modifiers(ofKey: $1)) }
      sample.modifiers.subtract(own.subtracting(others))
    }
    return .modifiersChanged(sample)
  }

  /// Whether the key has been pressed since the grab began.
  ///
  /// A repeating key sends a release and a press with the same time, or only presses after
  /// `XkbSetDetectableAutoRepeat`.
  private mutating func isFresh(_ event: XKeyEvent) -> Bool {
    guard let released = stale[event.keycode] else { return true }
    if event.type == KeyRelease {
      stale[event.keycode] = .some(event.time)
      return false
    }
    guard let released, released != event.time else { return false }
    stale[event.keycode] = nil
    return true
  }

  /// The key by its first keysym: NumLock, CapsLock and Shift make no difference, except Shift with Tab.
  private static func key(_ event: XKeyEvent, _ modifiers: Modifiers) -> DragKey? {
    var event = event
    let isLarge = modifiers.contains(.alt)
    return switch Int32(truncatingIfNeeded: XLookupKeysym(&event, 0)) {
    case XK_Left, XK_KP_Left: .arrow(dx: -1, dy: 0, isLarge: isLarge)
    case XK_Right, XK_KP_Right: .arrow(dx: 1, dy: 0, isLarge: isLarge)
    case XK_Up, XK_KP_Up: .arrow(dx: 0, dy: -1, isLarge: isLarge)
    case XK_Down, XK_KP_Down: .arrow(dx: 0, dy: 1, isLarge: isLarge)
    case XK_Tab, XK_KP_Tab, XK_ISO_Left_Tab: modifiers.contains(.shift) ? .previousTarget : .nextTarget
    case XK_Return, XK_KP_Enter, XK_space: .drop
    case XK_Escape: .cancel
    default: nil
    }
  }
}
