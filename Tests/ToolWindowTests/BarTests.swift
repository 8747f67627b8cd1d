import Testing

@testable import XDnDToolWindow

@Suite struct BarTests {
  private static let question = Scene.Bar(
    "'note.txt' is there already.",
    buttons: [
      .init("Keep Both", key: "k", isDefault: true), .init("Replace", key: "r"), .init("Skip", key: "s"),
      .init("Cancel", key: "c", isCancel: true),
    ])

  private func scene(_ bar: Scene.Bar? = question) -> Scene {
    Scene(title: "Title", rows: (0..<3).map { Scene.Row("\($0)") }, footer: "Footer", bar: bar)
  }

  private func key(_ keysym: UInt, state: UInt32 = 0) -> KeyEvent {
    KeyEvent(keysym: keysym, shortcut: KeyEvent.shortcut(of: keysym), time: 0, state: state)
  }

  @Test func `the bar is at the bottom, as wide as the list, and the rest makes room`() throws {
    let layout = SceneLayout(scene(), width: 600, height: 400)
    let bar = try #require(layout.bar)
    #expect(bar.box.x == layout.list.x)
    #expect(bar.box.maxX == layout.list.maxX)
    #expect(bar.box.maxY == 400 - SceneLayout.padding)
    #expect(layout.footer.maxY == bar.box.y - SceneLayout.gap)
    #expect(SceneLayout(scene(nil), width: 600, height: 400).bar == nil)
  }

  @Test(arguments: [320.0, 400, 600, 1200])
  func `sentence and buttons are inside of the bar, apart from each other, and do not overlap`(width: Double) throws {
    let bar = try #require(SceneLayout(scene(), width: width, height: 500).bar)
    let lastLine = try #require(bar.lines.last).box
    for (index, box) in bar.buttons.enumerated() {
      #expect(box.x >= bar.box.x + BarLayout.horizontalInset - 0.001)
      #expect(box.maxX <= bar.box.maxX - BarLayout.horizontalInset + 0.001)
      #expect(box.y >= lastLine.maxY + BarLayout.gap)
      #expect(box.maxY <= bar.box.maxY - BarLayout.verticalInset)
      #expect(box.width == bar.buttons[0].width)
      for other in bar.buttons[..<index] {
        #expect(box.y >= other.maxY + BarLayout.gap || box.x >= other.maxX + BarLayout.gap - 0.001)
      }
      #expect(bar.button(at: LogicalPoint(x: box.x + box.width / 2, y: box.midY)) == index)
    }
    #expect(bar.button(at: LogicalPoint(x: lastLine.x, y: lastLine.midY)) == nil)
  }

  @Test func `buttons break into two lines rather than lose their words`() throws {
    let wide = try #require(SceneLayout(scene(), width: 600, height: 400).bar)
    let narrow = try #require(SceneLayout(scene(), width: 320, height: 400).bar)
    #expect(Set(wide.buttons.map(\.y)).count == 1)
    #expect(Set(narrow.buttons.map(\.y)).count == 2)
    #expect(narrow.box.height > wide.box.height)
  }

  @Test func `a long sentence breaks at a space, and begins where the texts of the rows begin`() throws {
    let bar = Scene.Bar("'note.txt' is there already. What shall become of it?", buttons: [.init("OK", key: "")])
    let narrow = try #require(SceneLayout(scene(bar), width: 320, height: 400).bar)
    #expect(narrow.lines.map(\.text) == ["'note.txt' is there already. What", "shall become of it?"])
    #expect(narrow.lines[1].box.y == narrow.lines[0].box.maxY)
    let wide = SceneLayout(scene(bar), width: 600, height: 400)
    #expect(wide.bar?.lines.map(\.text) == [bar.sentence])
    #expect(wide.bar?.lines[0].box.x == wide.row(0).x + 12)
    let unbroken = Scene.Bar(String(repeating: "x", count: 200), buttons: [])
    #expect(SceneLayout(scene(unbroken), width: 320, height: 400).bar?.lines.count == 1)
  }

  @Test func `one line of buttons ends where the rows end`() throws {
    let bar = try #require(SceneLayout(scene(), width: 1200, height: 400).bar)
    #expect(bar.buttons.last?.maxX == bar.box.maxX - BarLayout.horizontalInset)
    #expect(bar.buttons.allSatisfy { $0.width <= BarLayout.widest })
  }

  @Test func `a bar without buttons, or without a sentence, is as low as it can be`() throws {
    let full = try #require(SceneLayout(scene(), width: 600, height: 400).bar).box.height
    let silent = try #require(
      SceneLayout(scene(.init("", buttons: [.init("OK", key: "")])), width: 600, height: 400).bar)
    let bare = try #require(SceneLayout(scene(.init("Done.", buttons: [])), width: 600, height: 400).bar)
    #expect(silent.box.height < full)
    #expect(bare.box.height < full)
    #expect(bare.buttons.isEmpty)
  }

  @Test(arguments: [0.0, 20, 60])
  func `a window too small for the bar has no negative sizes`(size: Double) throws {
    let layout = SceneLayout(scene(), width: size, height: size)
    #expect(layout.list.height >= 0)
    #expect(try #require(layout.bar).buttons.allSatisfy { $0.width >= 0 })
  }

  @Test func `the pointer presses a button by going down and up on it`() {
    var state = BarState(Self.question)
    state.move(over: 1)
    #expect(!state.isDown(1))
    state.press(on: 1)
    #expect(state.isDown(1))
    #expect(state.focused == 1)
    #expect(state.release(on: 1) == 1)
    #expect(state.held == nil)
  }

  @Test func `leaving the button before letting go presses nothing`() {
    var state = BarState(Self.question)
    state.press(on: 1)
    state.move(over: 2)
    #expect(!state.isDown(1))
    #expect(!state.isDown(2))
    #expect(state.isCapturing)
    #expect(state.release(on: 2) == nil)
    state.press(on: nil)
    #expect(state.isCapturing)
    #expect(state.release(on: 1) == nil)
    #expect(!state.isCapturing)
  }

  @Test func `the focus begins at the default button, and Tab leads around`() {
    var state = BarState(Self.question)
    #expect(state.type(key(0xFF0D), in: Self.question) == .pressed(0))
    for expected in [1, 2, 3, 0] {
      #expect(state.type(key(0xFF09), in: Self.question) == .handled)
      #expect(state.focused == expected)
    }
    #expect(state.type(key(0xFE20, state: 1), in: Self.question) == .handled)
    #expect(state.focused == 3)
    #expect(state.type(key(0x20), in: Self.question) == .pressed(3))
  }

  @Test func `keys press their buttons in either case, and Escape the one that cancels`() {
    var state = BarState(Self.question)
    #expect(state.type(key(0x72), in: Self.question) == .pressed(1))
    #expect(state.type(key(0x53, state: 1), in: Self.question) == .pressed(2))
    #expect(state.type(key(0xFF1B), in: Self.question) == .pressed(3))
  }

  // MARK: Details and check boxes

  private static let conflict = Scene.Bar(
    "\"note.txt\" already exists here.", details: ["Existing: 3 B", "New: 5 B"],
    buttons: [
      .init("Keep Both", key: "k", isDefault: true), .init("Replace", key: "r"), .init("Skip", key: "s"),
      .init("Apply to All", key: "a", isCheckBox: true),
    ])

  @Test(arguments: [320.0, 400, 1200])
  func `details and the check box are between the sentence and the buttons`(width: Double) throws {
    let bar = try #require(SceneLayout(scene(Self.conflict), width: width, height: 500).bar)
    let check = bar.buttons[3]
    #expect(bar.details.count == 2)
    #expect(bar.details[0].y == bar.lines.last?.box.maxY)
    #expect(bar.details[1].y == bar.details[0].maxY)
    #expect(check.y == bar.details[1].maxY && check.x == bar.details[0].x)
    for box in bar.buttons[..<3] { #expect(box.y >= check.maxY + BarLayout.gap) }
    #expect(bar.button(at: LogicalPoint(x: check.x + 4, y: check.midY)) == 3)
    var plain = Self.conflict
    plain.buttons.removeLast()
    #expect(SceneLayout(scene(plain), width: width, height: 500).bar?.buttons == Array(bar.buttons[..<3]))
  }

  @Test func `a check box is switched by its key, by Space and by a press, and answers nothing`() {
    var state = BarState(Self.conflict)
    #expect(state.type(key(0x61), in: Self.conflict) == .handled)
    #expect(state.checked == [3])
    #expect(state.type(key(0x41, state: 1), in: Self.conflict) == .handled)
    #expect(state.checked == [])
    #expect(state.type(key(0xFE20, state: 1), in: Self.conflict) == .handled)
    #expect(state.focused == 3)
    #expect(state.type(key(0x20), in: Self.conflict) == .handled)
    #expect(state.checked == [3])
    // Return answers, wherever the focus is.
    #expect(state.type(key(0xFF0D), in: Self.conflict) == .pressed(0))
    #expect(state.activate(3, in: Self.conflict) == .handled)
    #expect(state.checked == [])
  }

  @Test func `what means nothing to the bar is for the window's owner`() {
    var state = BarState(Self.question)
    #expect(state.type(key(0x71), in: Self.question) == .ignored)
    #expect(state.type(key(0x72, state: 4), in: Self.question) == .ignored)
    let bare = Scene.Bar("Done.", buttons: [])
    #expect(state.type(key(0xFF0D), in: bare) == .ignored)
    let endless = Scene.Bar("Go on?", buttons: [.init("Yes", key: "y")])
    #expect(state.type(key(0xFF1B), in: endless) == .ignored)
  }
}
