import Testing

@testable import XDnDToolWindow

@Suite struct KeyEventTests {
  private func key(_ keysym: UInt) -> KeyEvent { KeyEvent(keysym: keysym, shortcut: "", time: 0, state: 0) }

  /// Keysyms of X's `keysymdef.h`: of the key, and of the same one on the keypad.
  @Test(
    arguments: [
      (.home, 0xFF50, 0xFF95), (.left, 0xFF51, 0xFF96), (.up, 0xFF52, 0xFF97), (.right, 0xFF53, 0xFF98),
      (.down, 0xFF54, 0xFF99), (.pageUp, 0xFF55, 0xFF9A), (.pageDown, 0xFF56, 0xFF9B), (.end, 0xFF57, 0xFF9C),
      (.enter, 0xFF0D, 0xFF8D),
    ] as [(KeyEvent.Key, UInt, UInt)])
  func `a key of the keypad is the same key`(_ wanted: KeyEvent.Key, _ main: UInt, _ keypad: UInt) {
    #expect(key(main).key == wanted && !key(main).isOnKeypad)
    #expect(key(keypad).key == wanted && key(keypad).isOnKeypad)
  }

  @Test func `letters and digits are none of these keys`() {
    for keysym in [0x20, 0x61, 0x39, 0xFFB5, 0x0100_D55C] as [UInt] { #expect(key(keysym).key == nil) }
  }

  /// With Caps Lock X reports the keysym of the capital letter. 0x06D4 is Cyrillic_te, 0x06F4 Cyrillic_TE.
  @Test(
    arguments: [
      (0x63, [], "c"), (0x43, ["c", "c"], "c"), (0xDC, ["ü", "ü"], "ü"), (0x31, ["1", "!"], "1"),
      (0xFFE3, ["", ""], ""),
      (0x06D4, ["n", "n", "", ""], "n"), (0x06F4, ["", "", "n", "n"], "n"), (0x06D4, ["", ""], ""),
    ] as [(UInt, [String], String)])
  func `a shortcut is a Latin letter in lower case, if the key has one`(
    _ keysym: UInt, _ columns: [String], _ shortcut: String
  ) {
    #expect(KeyEvent.shortcut(of: keysym, or: columns) == shortcut)
  }

  @Test func `a question is answered by the Latin letter of a key that has no Latin letter now`() {
    let question = Scene.Bar("Go on?", buttons: [.init("Yes", key: "y"), .init("No", key: "n")])
    var state = BarState(question)
    // Cyrillic_te, on the key of the letter n.
    let key = KeyEvent(keysym: 0x06D4, shortcut: "n", time: 0, state: 0)
    #expect(state.type(key, in: question) == .pressed(1))
  }

  @Test func `with a question, the arrows of the keypad are for the window's owner`() {
    let question = Scene.Bar("Go on?", buttons: [.init("Yes", key: "y"), .init("No", key: "n")])
    var state = BarState(question)
    #expect(state.type(key(0xFF53), in: question) == .handled)
    #expect(state.type(key(0xFF98), in: question) == .ignored)
    #expect(state.focused == 1)
  }
}
