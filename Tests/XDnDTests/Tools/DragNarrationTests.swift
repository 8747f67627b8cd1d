import Testing
import XDnD
import XDnDToolSupport

/// What a screen reader says of a drag.
@Suite struct DragNarrationTests {
  @Test func `the start names one item and counts several`() {
    #expect(DragNarration.start(of: ["photo.png"]) == "Drag started: photo.png")
    #expect(DragNarration.start(of: ["a", "b", "c"]) == "Drag started: 3 items")
  }

  @Test func `the target and the result of a drop are one sentence`() {
    var narration = DragNarration()
    narration.move(overTarget: true)
    narration.nameTarget("Text Editor")
    narration.propose(.copy)
    #expect(narration.rest() == #"Over "Text Editor": a drop would copy"#)
    narration.propose(nil)
    #expect(narration.rest() == #"Over "Text Editor": a drop would be refused"#)
    narration.propose(.ask)
    #expect(narration.rest() == #"Over "Text Editor": a drop would ask what to do"#)
    narration.move(overTarget: false)
    #expect(narration.rest() == "Nothing here takes drops")
  }

  @Test func `nothing is said twice in a row`() {
    var narration = DragNarration()
    narration.move(overTarget: true)
    narration.nameTarget("Text Editor")
    narration.propose(.move)
    #expect(narration.rest() != nil)
    narration.move(overTarget: false)
    narration.move(overTarget: true)
    narration.nameTarget("Text Editor")
    #expect(narration.rest() == nil)
  }

  @Test func `a window without a name is called that`() {
    var narration = DragNarration()
    narration.move(overTarget: true)
    #expect(narration.needsName)
    narration.nameTarget("")
    narration.propose(.copy)
    #expect(narration.rest() == "Over a window without a name: a drop would copy")
  }

  @Test func `the hints say what a drop would do, which keys change that and which ends the drag`() {
    var narration = DragNarration()
    func hints(byKeys isByKeys: Bool = false) -> [String] {
      narration.hints(offering: [.copy, .move], isByKeys: isByKeys)
    }
    #expect(hints() == ["Drag it to another window", "Escape cancels"])
    narration.move(overTarget: false)
    #expect(hints() == ["Nothing here takes drops", "Escape cancels"])
    narration.move(overTarget: true)
    #expect(hints() == ["Not taken here", "Escape cancels"])
    narration.propose(.copy)
    #expect(hints() == ["Drop to copy", "Shift moves", "Escape cancels"])
    narration.nameTarget("a - b.txt – Downloads")
    #expect(hints() == [#"Drop to copy to "Downloads""#, "Shift moves", "Escape cancels"])
    #expect(
      hints(byKeys: true) == [
        "Return copies", "Tab next window", "Escape cancels", "Shift moves",
      ])
    narration.propose(.move)
    #expect(hints() == [#"Drop to move to "Downloads""#, "Ctrl copies", "Escape cancels"])
    #expect(
      narration.hints(offering: [.copy, .move, .link], isByKeys: false)
        == [#"Drop to move to "Downloads""#, "Ctrl copies", "Escape cancels", "Ctrl+Shift links"])
    // Both keys are held.
    narration.propose(.link)
    #expect(
      narration.hints(offering: [.copy, .move, .link], isByKeys: false)
        == [#"Drop to link to "Downloads""#, "Escape cancels"])
    narration.propose(nil)
    #expect(hints(byKeys: true) == ["Not taken here", "Tab next window", "Escape cancels"])
    narration.move(overTarget: false)
    #expect(hints(byKeys: true) == ["Tab next window", "Arrow keys move", "Escape cancels"])
  }
}
