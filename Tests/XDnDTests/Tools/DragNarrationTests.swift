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
    narration.move(over: "Text Editor")
    narration.propose(.copy)
    #expect(narration.rest() == "Over Text Editor, would copy")
    narration.propose(nil)
    #expect(narration.rest() == "Over Text Editor, would be refused")
    narration.propose(.ask)
    #expect(narration.rest() == "Over Text Editor, would ask what to do")
    narration.move(over: nil)
    #expect(narration.rest() == "Over nothing that takes a drop")
  }

  @Test func `nothing is said twice in a row`() {
    var narration = DragNarration()
    narration.move(over: "Text Editor")
    narration.propose(.move)
    #expect(narration.rest() == "Over Text Editor, would move")
    narration.move(over: nil)
    narration.move(over: "Text Editor")
    #expect(narration.rest() == nil)
  }
}
