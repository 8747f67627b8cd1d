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

  @Test func `the place of a window is that of its way to the root, borders included`() {
    var tree = WindowTree(root: root)
    tree.setPlace(place(10, 20, border: 1), in: b, of: a, serial: 100)
    #expect(tree.path(from: a, below: root) == [a, b])
    #expect(tree.origin(of: a, below: root) == nil)
    tree.setPlace(place(100, 200, border: 5), in: root, of: b, serial: 101)
    #expect(tree.path(from: a, below: root) == [a, b])
    #expect(tree.origin(of: a, below: root) == Point(x: 116, y: 226))
    #expect(tree.origin(of: root, below: root) == nil)

    _ = tree.apply(.configured(frame: frame, border: 0, above: .none), to: b, serial: 100)
    #expect(tree.origin(of: a, below: root) == Point(x: 116, y: 226), "the answer is newer")
    _ = tree.apply(.configured(frame: frame, border: 0, above: .none), to: b, serial: 101)
    #expect(tree.origin(of: a, below: root) == Point(x: 11, y: 21))
    _ = tree.apply(.moved(Point(x: 4, y: 4)), to: a, serial: 102)
    #expect(tree.origin(of: a, below: root) == Point(x: 5, y: 5))
  }

  @Test func `the place of a window is unknown once its way to the root has changed`() {
    var tree = WindowTree(root: root)
    func reset() {
      tree.setPlace(place(1, 1), in: b, of: a, serial: 100)
      tree.setPlace(place(1, 1), in: root, of: b, serial: 100)
    }
    for (change, window) in [(WindowTree.Change.reparented(to: c), a), (.destroyed, a), (.destroyed, b)] {
      reset()
      #expect(tree.origin(of: a, below: root) == Point(x: 2, y: 2))
      _ = tree.apply(change, to: window, serial: 101)
      #expect(tree.origin(of: a, below: root) == nil)
      #expect(tree.path(from: a, below: root).last == window)
    }
    // On another screen.
    tree.setPlace(place(1, 1), in: b, of: a, serial: 103)
    tree.setPlace(place(0, 0), in: .none, of: b, serial: 103)
    #expect(tree.origin(of: a, below: root) == nil)
    #expect(tree.path(from: a, below: root) == [a, b])
  }

  private func place(_ x: Int, _ y: Int, border: Int = 0) -> WindowGeometry {
    .init(frame: Rect(x: x, y: y, width: 10, height: 10), border: border, isMapped: true)
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
