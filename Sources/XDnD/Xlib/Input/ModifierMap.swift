import CX11

/// The keys and the state mask bits of Shift, Control and Alt.
///
/// Shift and Control have fixed bits. Alt has those of Mod1 to Mod5 that its keys are mapped to.
struct ModifierMap: Equatable {
  private var keys: [UInt32: Modifiers] = [:]
  private var altMask: UInt32 = 0

  /// Queries the mapping: one round trip, and another one for the keysyms the first time.
  init(_ display: DisplayHandle) {
    let rows = display.roundTrip { display -> [[(code: UInt32, isAlt: Bool)]]? in
      guard let map = XGetModifierMapping(display) else { return nil }
      defer { XFreeModifiermap(map) }
      let width = Int(map.pointee.max_keypermod)
      return (0..<8).map { row in
        (0..<width).compactMap { column in
          let code = map.pointee.modifiermap[row * width + column]
          guard code != 0 else { return nil }
          // Alt may be on the first or the second level of its key: Alt_L is often Meta_L with Shift.
          let symbols = (0..<2).map { XkbKeycodeToKeysym(display, code, 0, $0) }
          return (UInt32(code), symbols.contains(KeySym(XK_Alt_L)) || symbols.contains(KeySym(XK_Alt_R)))
        }
      }
    }
    for (row, entries) in (rows ?? []).enumerated() {
      let isAlt = row >= Mod1MapIndex && entries.contains { $0.isAlt }
      if isAlt { altMask |= 1 << UInt32(row) }
      let modifier: Modifiers =
        switch Int32(row) {
        case ShiftMapIndex: .shift
        case ControlMapIndex: .control
        default: isAlt ? .alt : []
        }
      guard modifier != [] else { continue }
      for entry in entries { keys[entry.code, default: []].formUnion(modifier) }
    }
  }

  /// The modifiers that a key stands for; empty for all other keys.
  func modifiers(ofKey code: UInt32) -> Modifiers { keys[code] ?? [] }

  /// The modifiers in an event's `state` or in the mask of `XQueryPointer`.
  func modifiers(inState state: UInt32) -> Modifiers {
    var modifiers: Modifiers = []
    if state & UInt32(ShiftMask) != 0 { modifiers.insert(.shift) }
    if state & UInt32(ControlMask) != 0 { modifiers.insert(.control) }
    if state & altMask != 0 { modifiers.insert(.alt) }
    return modifiers
  }
}
