import Testing

@testable import XDnD

@Suite("The model of the windows")
struct WindowTreeTests {
  private let root = WindowID(rawValue: 1)
  private let a = WindowID(rawValue: 10)
  private let b = WindowID(rawValue: 11)
  private let c = WindowID(rawValue: 12)
  private let frame = Rect(x: 0, y: 0, width: 10, height: 10)

  private func tree(serial: UInt = 100) -> WindowTree {
    var tree = WindowTree(root: root)
    tree.setChildren([a, b, c], of: root, serial: serial)
    for window in [a, b, c] {
      tree.setGeometry(.init(frame: frame, border: 0, isMapped: true), of: window, serial: serial)
    }
    return tree
  }

  @Test func `an event from before the answer changes nothing`() {
    var tree = tree(serial: 100)
    let before = tree
    #expect(
      tree.apply(.configured(frame: Rect(x: 9, y: 9, width: 10, height: 10), border: 0, above: c), to: a, serial: 99)
        == [])
    #expect(tree.apply(.unmapped, to: b, serial: 99) == [])
    #expect(tree.apply(.created(parent: root), to: WindowID(rawValue: 13), serial: 99) == [])
    #expect(tree == before)
    _ = tree.apply(.unmapped, to: b, serial: 100)
    #expect(tree[b]?.geometry?.isMapped == false)
  }

  @Test func `a window goes right above the sibling that the event names`() {
    var tree = tree()
    _ = tree.apply(.configured(frame: frame, border: 0, above: b), to: a, serial: 100)
    #expect(tree[root]?.children == [b, a, c])
    _ = tree.apply(.configured(frame: frame, border: 0, above: .none), to: c, serial: 100)
    #expect(tree[root]?.children == [c, b, a])
    _ = tree.apply(.circulated(toTop: true), to: c, serial: 100)
    #expect(tree[root]?.children == [b, a, c])
    _ = tree.apply(.circulated(toTop: true), to: c, serial: 100)
    #expect(tree[root]?.children == [b, a, c])
    _ = tree.apply(.circulated(toTop: false), to: c, serial: 100)
    #expect(tree[root]?.children == [c, b, a])
  }

  @Test func `an unknown sibling makes the order unknown, and nothing else`() {
    var tree = tree()
    _ = tree.apply(.configured(frame: frame, border: 0, above: WindowID(rawValue: 99)), to: a, serial: 100)
    #expect(tree[root]?.children == nil)
    #expect(tree[b]?.geometry != nil)
    tree.setChildren([b, a], of: root, serial: 101)
    #expect(tree[a]?.geometry != nil)
  }

  @Test func `a destroyed window takes with it what is below it`() {
    var tree = tree()
    let inner = WindowID(rawValue: 20)
    tree.setChildren([inner], of: a, serial: 101)
    #expect(Set(tree.apply(.destroyed, to: a, serial: 102)) == [a, inner])
    #expect(tree[root]?.children == [b, c])
    #expect(tree[inner] == nil)
    #expect(tree.apply(.destroyed, to: a, serial: 102) == [])
  }

  @Test func `a resized window is asked for its shape again, a moved one is not`() {
    var tree = tree()
    let shape = WindowShape(bounding: [frame], input: [frame])
    tree.setShape(shape, of: a)
    _ = tree.apply(
      .configured(frame: Rect(x: 7, y: 7, width: 10, height: 10), border: 0, above: .none), to: a, serial: 100)
    #expect(tree[a]?.shape == shape)
    _ = tree.apply(
      .configured(frame: Rect(x: 7, y: 7, width: 11, height: 10), border: 0, above: .none), to: a, serial: 100)
    #expect(tree[a]?.shape == nil)
  }
}
