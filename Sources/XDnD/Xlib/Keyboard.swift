import CX11

/// The keyboard while it is grabbed: what its key events mean for a drag.
struct Keyboard {
  private var map: ModifierMap
  /// The modifier keys that are down, so that letting one Shift go does not hide the other.
  private var held: Set<UInt32>

  /// Asks the server for the mapping, and for what is held down at the start.
  init(_ display: DisplayHandle) {
    let map = ModifierMap(display)
    self.map = map
    self.held = Self.heldKeys(display, map)
  }

  /// Asks again, after a `MappingNotify`.
  mutating func remap(_ display: DisplayHandle) {
    self = Keyboard(display)
  }

  /// The modifiers in a state mask.
  func modifiers(inState state: UInt32) -> Modifiers { map.modifiers(inState: state) }

  /// What a `KeyPress` or `KeyRelease` means.
  mutating func interpret(_ event: XKeyEvent) -> ServerEvent? {
    let isPress = event.type == KeyPress
    let own = map.modifiers(ofKey: event.keycode)
    guard own != [] else {
      var event = event
      return isPress && XLookupKeysym(&event, 0) == KeySym(XK_Escape) ? .escapePressed : nil
    }
    // `state` is the state before the event: the key itself is missing after a press, and there after a release.
    var modifiers = map.modifiers(inState: event.state)
    if isPress {
      held.insert(event.keycode)
      modifiers.formUnion(own)
    } else {
      held.remove(event.keycode)
      let others = held.reduce(into: Modifiers()) { $0.formUnion(map.modifiers(ofKey: $1)) }
      modifiers.subtract(own.subtracting(others))
    }
    return .modifiersChanged(
      PointerSample(
        point: Point(x: Int(event.x_root), y: Int(event.y_root)), time: Timestamp(event.time), modifiers: modifiers))
  }

  private static func heldKeys(_ display: DisplayHandle, _ map: ModifierMap) -> Set<UInt32> {
    var keymap = [CChar](repeating: 0, count: 32)
    display.request(onError: .swallow) { XQueryKeymap($0, &keymap) }
    return map.keys(heldIn: keymap)
  }
}

extension Timestamp {
  /// Xlib holds a `Time` in a C `unsigned long`.
  init(_ time: Time) {
    self.init(rawValue: Format32.word(Int(bitPattern: time)))
  }

  var xTime: Time { Time(rawValue) }
}
