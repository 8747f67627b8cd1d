import XDnDX11
import XDnDXlibint

/// The keys of a keyboard, by their key codes.
struct KeyState {
  /// The keys of each of the eight modifiers.
  var modifiers: [[UInt32]] = []
  var altKeys: Set<UInt32> = []
  var down: Set<UInt32> = []

  /// Asks and waits: one round trip.
  static func read(_ display: DisplayHandle) -> KeyState {
    var state = KeyState()
    var batch = RequestBatch(display)
    ask(in: &batch, display) { state = $0 }
    batch.run()
    return state
  }

  /// Adds requests for the modifier keys and for the keys that are down.
  static func ask(in batch: inout RequestBatch, _ display: DisplayHandle, _ receive: @escaping (KeyState) -> Void) {
    var state = KeyState()
    let (first, last) = display.keyCodes
    let mapping = xGetKeyboardMappingReq(
      reqType: UInt8(X_GetKeyboardMapping), pad: 0, length: 0, firstKeyCode: UInt8(clamping: first),
      count: UInt8(clamping: last - first + 1), pad1: 0)
    batch.ask(mapping, for: xGetKeyboardMappingReply.self) { reply in
      guard let reply, reply.head.keySymsPerKeyCode > 0 else { return }
      let width = Int(reply.head.keySymsPerKeyCode)
      let symbols = reply.tail.units(UInt32.self)
      for (offset, start) in stride(from: 0, to: symbols.count, by: width).enumerated() {
        // Alt may be on the first or the second level of its key: Alt_L is often Meta_L with Shift.
        let levels = symbols[start...].prefix(min(width, 2))
        let isAlt = levels.contains { $0 == UInt32(XK_Alt_L) || $0 == UInt32(XK_Alt_R) }
        if isAlt { state.altKeys.insert(UInt32(first) + UInt32(offset)) }
      }
    }
    batch.ask(X_GetModifierMapping, for: xGetModifierMappingReply.self) { reply in
      guard let reply else { return }
      let width = Int(reply.head.numKeyPerModifier)
      let codes = reply.tail.units(UInt8.self).map(UInt32.init)
      guard codes.count >= 8 * width else { return }
      state.modifiers = (0..<8).map { row in codes[row * width..<(row + 1) * width].filter { $0 != 0 } }
    }
    batch.ask(X_QueryKeymap, for: xQueryKeymapReply.self) { reply in
      if let map = reply?.head.map {
        withUnsafeBytes(of: map) { map in
          state.down = Set((0..<256).filter { map[Int($0) / 8] & 1 << ($0 % 8) != 0 })
        }
      }
      receive(state)
    }
  }
}

/// The keys and the state mask bits of Shift, Control and Alt.
///
/// Shift and Control have fixed bits. Alt has the bits of Mod1 to Mod5 that its keys are mapped to.
struct ModifierMap: Equatable {
  private var keys: [UInt32: Modifiers] = [:]
  private var altMask: UInt32 = 0

  init(_ state: KeyState) {
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

/// The modifier keys, for presses that may become drags.
///
/// They are queried when presses are first watched, and after each change, so that a press does not wait.
final class ModifierKeys {
  private let display: DisplayHandle
  /// `nil` while it is unknown.
  private var map: ModifierMap?
  /// The last question; `nil` before the first.
  private var question: Question?

  init(_ display: DisplayHandle) {
    self.display = display
  }

  /// Asks for the keys without waiting, if that has not been done.
  func prepare() {
    if question == nil { ask() }
  }

  /// Processes a change of the keyboard.
  func keyboardChanged() {
    map = nil
    if question != nil { ask() }
  }

  /// The modifiers in the state mask of a press. Makes one round trip if the keys are unknown.
  func modifiers(inState state: UInt32) -> Modifiers {
    let known = map ?? ModifierMap(KeyState.read(display))
    map = known
    // The host of a borrowed display may not pass on every change.
    if !display.isOwned { ask() }
    return known.modifiers(inState: state)
  }

  private func ask() {
    let question = Question()
    self.question = question
    var batch = RequestBatch(display)
    KeyState.ask(in: &batch, display) { [weak self, weak question] state in
      if question != nil { self?.map = ModifierMap(state) }
    }
    batch.send {}
  }
}
