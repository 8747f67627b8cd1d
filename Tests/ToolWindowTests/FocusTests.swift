import Testing
import XDnDX11

@testable import XDnDToolWindow

/// Which windows typed keys go to, by the events of the X protocol.
@Suite("The keyboard focus") struct FocusTests {
  private func changed(_ type: Int32, _ detail: Int32, mode: Int32 = NotifyNormal) -> XFocusChangeEvent {
    var event = XFocusChangeEvent()
    (event.type, event.detail, event.mode) = (type, detail, mode)
    return event
  }

  private func crossed(_ type: Int32, focus: Bool, detail: Int32 = NotifyNonlinear) -> XCrossingEvent {
    var event = XCrossingEvent()
    (event.type, event.detail, event.focus) = (type, detail, focus ? 1 : 0)
    return event
  }

  @Test(arguments: [NotifyAncestor, NotifyNonlinear]) func `comes and goes`(_ detail: Int32) {
    var focus = FocusTracker()
    #expect(!focus.hasKeyboard)
    focus.receive(changed(FocusIn, detail))
    #expect(focus.hasKeyboard)
    focus.receive(changed(FocusOut, detail))
    #expect(!focus.hasKeyboard)
  }

  @Test(arguments: [NotifyGrab, NotifyUngrab]) func `stays while a drag has the keyboard`(_ mode: Int32) {
    var focus = FocusTracker()
    focus.receive(changed(FocusIn, NotifyNonlinear))
    focus.receive(changed(FocusOut, NotifyNonlinear, mode: mode))
    #expect(focus.hasKeyboard)
    focus.receive(changed(FocusOut, NotifyNonlinear, mode: NotifyWhileGrabbed))
    #expect(!focus.hasKeyboard)
    focus.receive(changed(FocusIn, NotifyNonlinear, mode: mode))
    #expect(!focus.hasKeyboard)
  }

  @Test func `stays when it moves to a window inside, as input methods have them`() {
    var focus = FocusTracker()
    focus.receive(changed(FocusIn, NotifyNonlinear))
    focus.receive(changed(FocusOut, NotifyInferior))
    #expect(focus.hasKeyboard)
  }

  @Test func `follows the pointer if no window has it`() {
    var focus = FocusTracker()
    focus.receive(crossed(EnterNotify, focus: true))
    #expect(focus.hasKeyboard)
    // Another window gets it.
    focus.receive(changed(FocusOut, NotifyPointer))
    #expect(!focus.hasKeyboard)
    focus.receive(changed(FocusIn, NotifyPointer))
    #expect(focus.hasKeyboard)
    focus.receive(crossed(LeaveNotify, focus: true))
    #expect(!focus.hasKeyboard)
  }

  @Test func `does not come with the pointer if another window has it`() {
    var focus = FocusTracker()
    focus.receive(crossed(EnterNotify, focus: false))
    #expect(!focus.hasKeyboard)
  }

  @Test func `does not go with the pointer, nor stay under it`() {
    var focus = FocusTracker()
    focus.receive(changed(FocusIn, NotifyNonlinear))
    focus.receive(crossed(EnterNotify, focus: true))
    focus.receive(crossed(LeaveNotify, focus: true))
    #expect(focus.hasKeyboard)
    focus.receive(crossed(EnterNotify, focus: true))
    focus.receive(changed(FocusOut, NotifyNonlinear))
    #expect(!focus.hasKeyboard)
  }
}

/// Which presses and keys count as actions of the user in the window.
@Suite("The user's last action") struct UserActivityTests {
  @Test func `is a click when it ends, and a key at once`() {
    var activity = UserActivity()
    activity.press()
    #expect(activity.time == nil)
    activity.release(at: 20)
    #expect(activity.time == 20)
    activity.act(at: 30)
    #expect(activity.time == 30)
  }

  @Test func `is no press that becomes a drag, and no release without a press`() {
    var activity = UserActivity()
    activity.act(at: 10)
    activity.press()
    activity.drag()
    activity.release(at: 20)
    #expect(activity.time == 10)
    activity.release(at: 30)
    #expect(activity.time == 10)
  }

  @Test func `has a time, which made-up events do not have`() {
    var activity = UserActivity()
    activity.act(at: 10)
    activity.act(at: 0)
    #expect(activity.time == 10)
  }

  @Test func `is one action, if a click is reported before its release`() {
    var activity = UserActivity()
    activity.press()
    activity.act(at: 20)
    activity.release(at: 25)
    #expect(activity.time == 20)
  }
}

/// What a window shows only while typed keys go to it.
@Suite("Key hints") struct KeyHintTests {
  private static let size = PixelSize(width: 300, height: 300)

  private func paint(_ scene: Scene, hasKeyboard: Bool) throws -> [UInt32] {
    let layout = SceneLayout(scene, width: 300, height: 300)
    var controls = ControlState()
    controls.bar = BarState(scene.bar)
    controls.hasKeyboard = hasKeyboard
    let renderer = SceneRenderer(scale: 1, icons: IconStore())
    return try #require(
      ImageSurface.pixels(size: Self.size) {
        renderer.draw(scene, in: layout, controls, isFirstFrame: false, on: $0)
      })
  }

  private func scene(key: String = "", hints: [String] = [], focusedRow: Int? = nil, buttons: Int = 0) -> Scene {
    let buttons = (0..<buttons).map { Scene.Bar.Button("Button \($0)", key: key) }
    var scene = Scene(
      rows: [Scene.Row("a"), Scene.Row("b")], bar: buttons.isEmpty ? nil : Scene.Bar("Go on?", buttons: buttons))
    scene.hints = hints
    scene.focusedRow = focusedRow
    return scene
  }

  @Test func `keys of buttons, the focus ring and the line of keys are shown with the focus only`() throws {
    let scenes = [scene(hints: ["Return drags"]), scene(focusedRow: 1), scene(buttons: 1)]
    for scene in scenes { #expect(try paint(scene, hasKeyboard: true) != paint(scene, hasKeyboard: false)) }
    let (named, nameless) = (scene(key: "k", buttons: 1), scene(buttons: 1))
    #expect(try paint(named, hasKeyboard: true) != paint(nameless, hasKeyboard: true))
    #expect(
      SceneLayout(named, width: 300, height: 300).bar?.buttons
        == SceneLayout(nameless, width: 300, height: 300).bar?.buttons)
    #expect(try paint(named, hasKeyboard: false) == paint(nameless, hasKeyboard: false))
    #expect(try paint(scene(focusedRow: 1), hasKeyboard: false) == paint(scene(), hasKeyboard: false))
  }

  @Test func `of a line of keys that is too long, the last phrases are left out`() throws {
    let (short, end) = (["Return drags", "Ctrl+C copies"], "Ctrl+Shift+Z redoes the last drop that was undone")
    let all = try paint(scene(hints: short + [end]), hasKeyboard: true)
    #expect(try all == paint(scene(hints: short), hasKeyboard: true))
    #expect(try all != paint(scene(hints: ["Return drags"]), hasKeyboard: true))
  }

  @Test func `what a drag would do is shown wherever the keys go`() throws {
    var dragged = scene(hints: ["Drop to copy"])
    dragged.hintsNeedKeyboard = false
    #expect(try paint(dragged, hasKeyboard: true) == paint(dragged, hasKeyboard: false))
    #expect(try paint(dragged, hasKeyboard: false) != paint(scene(), hasKeyboard: false))
  }

  @Test func `nothing moves when the focus comes, and a footer takes the line of keys`() throws {
    let hint = scene(hints: ["Return drags"])
    var footer = hint
    footer.footer = "Done"
    let layout = SceneLayout(hint, width: 300, height: 300)
    #expect(layout.footer == SceneLayout(footer, width: 300, height: 300).footer)
    #expect(layout.footer.height > 0)
    var bare = footer
    bare.hints = []
    #expect(try paint(footer, hasKeyboard: true) == paint(bare, hasKeyboard: true))
  }
}
