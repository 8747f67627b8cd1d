import XDnDX11

/// The keys and the state mask bits of Shift, Control and Alt.
///
/// Shift and Control have fixed bits. Alt has those of Mod1 to Mod5 that its keys are mapped to.
struct ModifierMap: Equatable {
  private var keys: [UInt32: Modifiers] = [:]
  private var altMask: UInt32 = 0

  init(_ state: RequestBatch.KeyState) {
    for (row, codes) in state.modifiers.enumerated() {
      let isAlt = row >= Mod1MapIndex && !state.altKeys.isDisjoint(with: codes)
      if isAlt { altMask |= 1 << UInt32(row) }
      let modifier: Modifiers =
        switch Int32(row) {
        case ShiftMapIndex: .shift
        case ControlMapIndex: .control
        default: isAlt ? .alt : []
        }
      guard modifier != [] else { continue }
      for code in codes { keys[code, default: []].formUnion(modifier) }
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
