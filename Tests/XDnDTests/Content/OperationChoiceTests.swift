import Testing

@testable import XDnD

@Suite struct OperationChoiceTests {
  static let all: [DragOperation] = [.move, .copy, .link, .ask]

  @Test(
    arguments: [
      ([], .move), ([.control], .copy), ([.shift], .move), ([.control, .shift], .link), ([.alt], .ask),
      ([.control, .shift, .alt], .link), ([.control, .alt], .copy), ([.shift, .alt], .move),
    ] as [(Modifiers, DragOperation)])
  func `keys choose as in the toolkits`(keys: Modifiers, expected: DragOperation) {
    #expect(DragOperation.requested(by: keys, from: Self.all) == expected)
  }

  @Test(arguments: [[.control], [.shift], [.control, .shift], [.alt], []] as [Modifiers])
  func `a key for something that is not offered changes nothing`(keys: Modifiers) {
    #expect(DragOperation.requested(by: keys, from: [.private]) == .private)
  }

  @Test func `nothing offered is nothing asked for`() {
    #expect(DragOperation.requested(by: [.control], from: []) == nil)
    #expect(DragOperation.requested(by: [], from: []) == nil)
  }
}
