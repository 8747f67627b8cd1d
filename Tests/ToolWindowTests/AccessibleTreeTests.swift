import Testing

@testable import XDnDToolWindow

/// What assistive technology sees of a scene, and what it hears of changes.
@Suite struct AccessibleTreeTests {
  private static let size = PixelSize(width: 400, height: 400)

  private func snapshot(_ scene: Scene, hasKeyboard: Bool = false, isMapped: Bool = true) -> WindowSnapshot {
    var controls = ControlState()
    controls.bar = BarState(scene.bar)
    controls.hasKeyboard = hasKeyboard
    return WindowSnapshot(
      scene: scene, controls: controls, title: "Window", size: Self.size, scale: 1, origin: PixelPoint(x: 0, y: 0),
      isMapped: isMapped)
  }

  private func root(_ scene: Scene, hasKeyboard: Bool = false) -> AccessibleNode {
    snapshot(scene, hasKeyboard: hasKeyboard).root
  }

  private func scene(_ rows: [String] = ["a", "b", "c"]) -> Scene {
    Scene(title: "List", rows: rows.map { Scene.Row($0) })
  }

  private func all(_ node: AccessibleNode) -> [AccessibleNode] { [node] + node.children.flatMap(all) }

  private func node(_ part: AccessibleNode.Part, of scene: Scene, hasKeyboard: Bool = false) -> AccessibleNode? {
    all(root(scene, hasKeyboard: hasKeyboard)).first { $0.part == part }
  }

  // MARK: Nodes

  /// A scene that has everything.
  private static var full: Scene {
    var scene = Scene(
      title: "Title",
      rows: [
        Scene.Row("first", secondary: "details", state: .selected),
        Scene.Row("second", state: .error, progress: .fraction(0.25), action: .cancel),
        Scene.Row("third", progress: .indeterminate, action: .stop),
      ],
      footer: "Footer",
      bar: Scene.Bar(
        "Really?", buttons: [.init("Yes", key: "y", isDefault: true), .init("No", key: "n", isCancel: true)]))
    scene.pane = Scene.Pane(preview: .text("the text"), facts: [.init("Size", "8 bytes")])
    return scene
  }

  @Test func `each node has a name, a place and the states of what can be used`() {
    for node in all(root(Self.full)) {
      #expect(!node.name.isEmpty, "\(node.part)")
      #expect(node.box.size.width > 0 && node.box.size.height > 0, "\(node.part)")
      #expect(node.states.isSuperset(of: [.enabled, .visible]), "\(node.part)")
    }
  }

  @Test func `no part of a scene is left out`() {
    let parts = Set(all(root(Self.full)).map(\.part))
    #expect(
      parts == [
        .window, .heading, .list, .row(0), .row(1), .row(2), .rowProgress(1), .rowButton(1), .rowProgress(2),
        .rowButton(2), .pane, .preview, .fact(0), .message, .question, .button(0), .button(1),
      ])
  }

  @Test func `rows say what they are, whether they are selected and whether they have failed`() throws {
    let (first, second) = (try #require(node(.row(0), of: Self.full)), try #require(node(.row(1), of: Self.full)))
    #expect((first.name, first.description) == ("first", "details"))
    #expect(first.states.contains(.selected) && !second.states.contains(.selected))
    #expect(second.states.contains(.invalid) && !first.states.contains(.invalid))
    #expect(try #require(node(.rowProgress(1), of: Self.full)).value == 0.25)
    #expect(try #require(node(.rowProgress(2), of: Self.full)).states.contains(.indeterminate))
    #expect(node(.rowButton(1), of: Self.full)?.name == "Cancel")
    #expect(node(.rowButton(2), of: Self.full)?.name == "Stop")
  }

  @Test func `a row that shows only its icon has the name of its file`() {
    var scene = scene([""])
    #expect(node(.row(0), of: scene)?.name == "Row 1")
    scene.rows[0].icon = Scene.Icon(.document, file: Array("/tmp/name.txt".utf8))
    #expect(node(.row(0), of: scene)?.name == "name.txt")
  }

  @Test func `rows that are scrolled away are not showing, and neither is anything before the window is mapped`() throws
  {
    let scene = scene((0..<100).map(String.init))
    let list = try #require(node(.list, of: scene))
    let showing = list.children.filter { $0.states.contains(.showing) }
    #expect(showing.first?.part == .row(0))
    #expect((1..<100).contains(showing.count))
    #expect(all(snapshot(scene, isMapped: false).root).allSatisfy { !$0.states.contains(.showing) })
  }

  @Test func `the focus is where typed keys go`() {
    func focus(_ scene: Scene, hasKeyboard: Bool = true) -> [AccessibleNode.Part] {
      all(root(scene, hasKeyboard: hasKeyboard)).filter { $0.states.contains(.focused) }.map(\.part)
    }
    var scene = scene()
    #expect(focus(scene, hasKeyboard: false) == [])
    #expect(focus(scene) == [.list])
    scene.focusedRow = 1
    #expect(focus(scene) == [.row(1)])
    scene.bar = Scene.Bar("Really?", buttons: [.init("No", key: "n"), .init("Yes", key: "y", isDefault: true)])
    #expect(focus(scene) == [.button(1)])
  }

  @Test func `a list says whether several rows can be selected`() throws {
    var snapshot = snapshot(scene())
    for selectsSeveralRows in [false, true] {
      snapshot.selectsSeveralRows = selectsSeveralRows
      let list = try #require(snapshot.root.children.first { $0.part == .list })
      #expect(list.states.contains(.multiselectable) == selectsSeveralRows)
    }
  }

  // MARK: Changes

  private func changes(_ scenes: [Scene], hasKeyboard: Bool = false) -> [AccessibleChange] {
    var tree = AccessibleTree()
    return scenes.map { tree.update(to: root($0, hasKeyboard: hasKeyboard)) }.last ?? []
  }

  @Test func `at first everything is added, parents before their children`() {
    var known: Set<AccessibleTree.ID> = []
    for change in changes([Self.full]) {
      guard case .added(let id, let parent, _, let node) = change else {
        Issue.record("\(change)")
        continue
      }
      #expect(parent.map(known.contains) ?? (node.part == .window))
      known.insert(id)
    }
    #expect(known.count == all(root(Self.full)).count)
  }

  @Test func `the same scene changes nothing`() {
    #expect(changes([Self.full, Self.full]) == [])
  }

  @Test func `a new first row is one new object, and the others only move`() throws {
    var tree = AccessibleTree()
    _ = tree.update(to: root(scene(["a", "b"])))
    let changes = tree.update(to: root(scene(["new", "a", "b"])))
    let added = changes.compactMap {
      if case .added(let id, _, let index, let node) = $0 { (id, index, node.name) } else { nil }
    }
    #expect(added.count == 1)
    #expect(added.first?.1 == 0 && added.first?.2 == "new")
    #expect(tree.part(of: try #require(added.first?.0)) == .row(0))
    #expect(!changes.contains { if case .renamed = $0 { true } else { false } })
    #expect(!changes.contains { if case .removed = $0 { true } else { false } })
  }

  @Test func `the last rows go first, and what is gone has no part`() throws {
    var tree = AccessibleTree()
    let first = tree.update(to: root(scene(["a", "b", "c"])))
    var ids: [String: AccessibleTree.ID] = [:]
    for case .added(let id, _, _, let node) in first { ids[node.name] = id }
    let changes = tree.update(to: root(scene(["a"])))
    let (b, c) = (try #require(ids["b"]), try #require(ids["c"]))
    #expect(Array(changes.prefix(2)) == [.removed(c), .removed(b)])
    #expect(tree.part(of: b) == nil)
    #expect(tree.part(of: try #require(ids["a"])) == .row(0))
  }

  @Test func `a new name in place is a change and no new object`() {
    let changes = changes([scene(["a", "b", "c"]), scene(["a", "x", "c"])])
    #expect(changes.count == 1)
    if case .renamed(_, let name)? = changes.first { #expect(name == "x") } else { Issue.record("\(changes)") }
  }

  @Test func `a selection changes the row and its list`() {
    var selected = scene()
    selected.rows[1].state = .selected
    let changes = changes([scene(), selected])
    #expect(changes.contains { if case .states(_, let states) = $0 { states.contains(.selected) } else { false } })
    #expect(changes.contains { if case .selection = $0 { true } else { false } })
  }

  @Test func `the new focus comes after the old one has gone`() throws {
    var (above, below) = (scene(), scene())
    (above.focusedRow, below.focusedRow) = (0, 2)
    for scenes in [[above, below], [below, above]] {
      let focused = changes(scenes, hasKeyboard: true).compactMap {
        if case .states(_, let states) = $0 { states.contains(.focused) } else { nil }
      }
      #expect(focused == [false, true])
    }
  }

  @Test func `a footer and a question are spoken once, after the changes`() {
    var told = scene()
    told.footer = "Dropped"
    #expect(changes([scene(), told]).last == .announcement("Dropped"))
    #expect(changes([scene(), told, told]) == [])
    var asked = scene()
    asked.bar = Scene.Bar("Really?", buttons: [.init("Yes", key: "y"), .init("No", key: "n")])
    #expect(changes([scene(), asked]).last == .announcement("Really?, Yes, No"))
    // A hint is there to be read.
    var hinted = scene()
    hinted.hints = ["Ctrl+Z undoes the last drop"]
    #expect(
      !changes([scene(), hinted], hasKeyboard: true).contains { if case .announcement = $0 { true } else { false } })
  }

  @Test func `the details of a question are spoken, and its check box is one`() throws {
    var asked = scene()
    asked.bar = Scene.Bar(
      "Really?", details: ["New: 5 B"],
      buttons: [.init("Yes", key: "y"), .init("All", key: "a", isCheckBox: true)])
    #expect(changes([scene(), asked]).last == .announcement("Really?, New: 5 B, Yes, All"))
    var controls = ControlState()
    controls.bar = BarState(asked.bar)
    for isOn in [false, true] {
      if isOn { _ = controls.bar.activate(1, in: try #require(asked.bar)) }
      let root = WindowSnapshot(
        scene: asked, controls: controls, title: "Window", size: Self.size, scale: 1, origin: PixelPoint(x: 0, y: 0),
        isMapped: true
      ).root
      let box = try #require(all(root).first { $0.part == .button(1) })
      #expect(box.role == .checkBox)
      #expect(box.states.contains(.checked) == isOn)
      #expect(box.action?.key == "a")
    }
  }

  @Test func `the window tells when it gets the keyboard`() {
    var tree = AccessibleTree()
    _ = tree.update(to: root(scene()))
    let changes = tree.update(to: root(scene(), hasKeyboard: true))
    #expect(changes.contains { if case .activation(_, true) = $0 { true } else { false } })
  }
}
