/// The content and state of a window, for the thread that serves assistive technology.
struct WindowSnapshot: Sendable {
  var scene: Scene
  var controls: ControlState
  var title: String
  /// In device pixels.
  var size: PixelSize
  /// Device pixels per logical pixel.
  var scale: Double
  /// The upper left corner in root pixels.
  var origin: PixelPoint
  var isMapped: Bool
  var selectsSeveralRows = false
}

extension WindowSnapshot {
  /// The window as assistive technology sees it: a pure function of the snapshot.
  var root: AccessibleNode { AccessibleScene(self).root }
}

/// Turns a snapshot into nodes, from the top of the window to its bottom.
private struct AccessibleScene {
  let snapshot: WindowSnapshot
  let layout: SceneLayout
  /// The part that typed keys go to; `nil` while they go to another window.
  let focus: AccessibleNode.Part?

  private var scene: Scene { snapshot.scene }

  init(_ snapshot: WindowSnapshot) {
    self.snapshot = snapshot
    layout = SceneLayout(
      snapshot.scene, width: Double(snapshot.size.width) / snapshot.scale,
      height: Double(snapshot.size.height) / snapshot.scale, scrollOffset: snapshot.controls.scroller.offset)
    focus = Self.focus(in: snapshot)
  }

  private static func focus(in snapshot: WindowSnapshot) -> AccessibleNode.Part? {
    let scene = snapshot.scene
    guard snapshot.controls.hasKeyboard else { return nil }
    if scene.bar != nil { return snapshot.controls.bar.focused.map { .button($0) } ?? .question }
    if let row = scene.focusedRow, scene.rows.indices.contains(row) { return .row(row) }
    return scene.rows.isEmpty ? .window : .list
  }

  var root: AccessibleNode {
    var states: AccessibleNode.States = snapshot.controls.hasKeyboard ? [.active, .focusable] : .focusable
    states.formUnion(shown(layout.window))
    var root = node(.window, .frame, snapshot.title, layout.window, states)
    root.description = scene.hints.joined(separator: ", ")
    root.children = [heading, list, placeholder, pane, message, question].compactMap(\.self)
    return root
  }

  // MARK: Parts

  private func node(
    _ part: AccessibleNode.Part, _ role: AccessibleNode.Role, _ name: String, _ box: Box,
    _ states: AccessibleNode.States = []
  ) -> AccessibleNode {
    var states = states.union([.enabled, .visible])
    if part == focus { states.insert(.focused) }
    return AccessibleNode(
      part: part, role: role, name: name.clipped(to: .text), states: states.union(shown(box)),
      box: box.pixels(scale: snapshot.scale))
  }

  private func shown(_ box: Box) -> AccessibleNode.States {
    snapshot.isMapped && box.width > 0 && box.height > 0 ? .showing : []
  }

  private var heading: AccessibleNode? {
    guard let handle = scene.handle else {
      return scene.title.isEmpty ? nil : node(.heading, .heading, scene.title, layout.title)
    }
    let name = [handle.label, handle.badge].filter { !$0.isEmpty }.joined(separator: ", ")
    var node = node(.heading, .heading, name, layout.title)
    node.description = handle.details
    return node
  }

  /// The list is named by the label of the handle, or else by the title.
  private var listName: String {
    [scene.handle?.label ?? "", scene.title].first { !$0.isEmpty } ?? "List"
  }

  private var list: AccessibleNode? {
    guard !scene.rows.isEmpty else { return nil }
    var node = node(
      .list, .list, listName, layout.list, snapshot.selectsSeveralRows ? [.focusable, .multiselectable] : .focusable)
    let visible = layout.visibleRows
    node.children = scene.rows.indices.map { row($0, isVisible: visible.contains($0)) }
    return node
  }

  private func row(_ index: Int, isVisible: Bool) -> AccessibleNode {
    let row = scene.rows[index]
    var states: AccessibleNode.States = [.selectable, .focusable]
    if row.state == .selected { states.insert(.selected) }
    if row.state == .error { states.insert(.invalid) }
    var node = node(.row(index), .listItem, name(of: row, at: index), layout.row(index), states)
    node.description = row.secondary.clipped(to: .text)
    node.action = AccessibleNode.Action(name: "select")
    if let progress = row.progress { node.children.append(self.progress(progress, ofRow: index)) }
    if let action = row.action { node.children.append(button(action, ofRow: index)) }
    if !isVisible {
      node.states.remove(.showing)
      for child in node.children.indices { node.children[child].states.remove(.showing) }
    }
    return node
  }

  /// The name of a row that shows only its icon is the name of its file.
  private func name(of row: Scene.Row, at index: Int) -> String {
    if !row.primary.isEmpty { return row.primary }
    guard let file = row.icon?.file else { return "Row \(index + 1)" }
    return String(decoding: file.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
  }

  private func progress(_ progress: Scene.Row.Progress, ofRow index: Int) -> AccessibleNode {
    var node = node(.rowProgress(index), .progressBar, "Progress", layout.row(index))
    switch progress {
    case .fraction(let fraction): node.value = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
    case .indeterminate: node.states.insert(.indeterminate)
    }
    return node
  }

  private func button(_ action: Scene.Row.Action, ofRow index: Int) -> AccessibleNode {
    let name =
      switch action {
      case .cancel: "Cancel"
      case .stop: "Stop"
      }
    var node = node(.rowButton(index), .button, name, layout.button(ofRow: index) ?? layout.row(index))
    node.action = AccessibleNode.Action(name: "press")
    return node
  }

  private var placeholder: AccessibleNode? {
    guard scene.rows.isEmpty, scene.pane == nil, !scene.placeholder.isEmpty else { return nil }
    return node(.placeholder, .label, scene.placeholder, layout.list)
  }

  private var pane: AccessibleNode? {
    guard let pane = scene.pane, let places = layout.pane else { return nil }
    var node = node(.pane, .panel, "Details", places.box)
    if let preview = pane.preview {
      let (role, name): (AccessibleNode.Role, String) =
        switch preview {
        case .text(let text), .output(let text): (.label, text)
        case .styled(let runs): (.label, runs.map(\.text).joined())
        case .picture(let picture): (.image, "Picture, \(picture.size.width) × \(picture.size.height)")
        case .color(_, _, _, _, let name): (.label, name)
        }
      node.children.append(self.node(.preview, role, name, places.preview ?? places.box))
    }
    node.children += pane.facts.enumerated().map { index, fact in
      let words = [fact.label, fact.value].filter { !$0.isEmpty }.joined(separator: ": ")
      return self.node(.fact(index), .label, words, places.facts)
    }
    return node
  }

  private var message: AccessibleNode? {
    let isHinting = snapshot.controls.hasKeyboard || !scene.hintsNeedKeyboard
    let hint = isHinting ? scene.hints.joined(separator: ", ") : ""
    guard !scene.footer.isEmpty || !hint.isEmpty else { return nil }
    var node = node(.message, .statusBar, scene.footer.isEmpty ? hint : scene.footer, layout.footer)
    if !scene.footer.isEmpty { node.announcement = scene.footer }
    return node
  }

  private var question: AccessibleNode? {
    guard let bar = scene.bar, let places = layout.bar else { return nil }
    var node = node(.question, .alert, bar.sentence, places.box)
    node.description = bar.details.joined(separator: ", ")
    node.announcement = ([bar.sentence] + bar.details + bar.buttons.map(\.label)).filter { !$0.isEmpty }
      .joined(separator: ", ")
    node.children = zip(bar.buttons, places.buttons).enumerated().map { index, item in
      let (button, box) = item
      var states: AccessibleNode.States = .focusable
      if button.isDefault { states.insert(.isDefault) }
      if snapshot.controls.bar.checked.contains(index) { states.insert(.checked) }
      var node = self.node(.button(index), button.isCheckBox ? .checkBox : .button, button.label, box, states)
      node.action = AccessibleNode.Action(name: button.isCheckBox ? "click" : "press", key: button.key)
      return node
    }
    return node
  }
}
