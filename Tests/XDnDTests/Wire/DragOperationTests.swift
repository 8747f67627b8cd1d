import Testing

@testable import XDnD

@Suite struct DragOperationTests {
  @Test func `tkdnd's atoms named copy and move are no operations of the protocol`() {
    #expect(DragOperation.copy.isStandard && DragOperation.private.isStandard && DragOperation.ask.isStandard)
    #expect(!DragOperation(name: AtomName("copy")).isStandard)
    #expect(!DragOperation(name: AtomName("XdndActionDirectSave")).isStandard)
    #expect(DragOperation(name: AtomName("copy")) != .copy)
  }

  @Test func `operations have short names for people`() {
    #expect(
      [DragOperation.copy, .move, .link, .ask, .private].map(\.description) == [
        "copy", "move", "link", "ask", "private",
      ])
    #expect(DragOperation(name: AtomName("XdndActionDirectSave")).description == "XdndActionDirectSave")
  }
}
