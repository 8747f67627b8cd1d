import ToolWindow
import XDnD

/// The content of the window.
extension ProbeController {
  func updateScene() {
    var rows: [Scene.Row] = []
    var lookedAtRow: Int?
    var preview: Scene.Preview?
    var title = ""
    switch view {
    case .live: rows = live?.rows ?? []
    case .trial:
      title = "Bring a drag here"
      rows = Self.trialRows
    case .history:
      let lines = history.lines
      rows = busyRows + lines.map(\.row)
      if let index = lines.firstIndex(where: { $0.id == lookedAt }) ?? lines.indices.first {
        preview = self.preview(of: lines[index])
        let row = busyRows.count + index
        if lookedAt != nil, rows[row].state == .plain { rows[row].state = .selected }
        lookedAtRow = lookedAt == nil ? nil : row
      }
    }
    var scene = Scene(
      rows: rows, footer: undoables.isEmpty ? "" : "Control+Z takes the last one back",
      placeholder: saving.map { "Drop something here to save it in \($0.visibleName)" } ?? "Drop something here",
      density: view == .history ? .comfortable : .compact, frame: frame, appearance: window.scene.appearance,
      bar: questions.first?.bar)
    scene.title = title
    scene.field = view == .trial ? parts.field.text : nil
    // A question takes the keyboard focus.
    if scene.bar != nil { scene.field?.isFocused = false }
    scene.preview = preview
    scene.focusedRow = lookedAtRow
    scene.framedPart = framedPart
    var tabs = Scene.Tabs(
      views.map { $0.title(isSaving: saving != nil) }, selected: view.rawValue)
    tabs.highlighted = spring?.view.rawValue
    tabs.isEmphasized = spring?.isEmphasized ?? false
    scene.tabs = tabs
    window.scene = scene
    parts.place(in: window, view: view)
  }

  /// Suggestions to try, and enough rows to scroll.
  private static let trialRows =
    [
      "Rest it on a tab: the tab opens", "Rest it near an edge of this list: it scrolls",
      "Turn the wheel meanwhile: it scrolls, too", "Drop text between letters of the line below",
    ].map { Scene.Row($0) } + (5...60).map { Scene.Row("Row \($0)", state: .dimmed) }

  /// Switches to another view and scrolls to its top.
  func select(_ view: ProbeView) {
    guard view != self.view else { return }
    self.view = view
    window.scrollToTop()
    updateScene()
  }

  /// Switches to the adjacent view with the left and right arrow keys.
  ///
  /// - Returns: Whether the key was handled.
  func select(with key: KeyEvent) -> Bool {
    let index: Int
    switch key.keysym {
    case 0xFF51, 0xFF96: index = view.rawValue - 1
    case 0xFF53, 0xFF98: index = view.rawValue + 1
    default: return false
    }
    if views.indices.contains(index) { select(views[index]) }
    return true
  }

  func note(_ primary: String, _ secondary: String, state: Scene.Row.State = .plain, of drop: DropSession? = nil) {
    remember(primary, secondary, state: state, of: drop)
    updateScene()
  }

  /// Adds to the history without redrawing, for events that come by the thousand; the next redraw shows them.
  func remember(_ primary: String, _ secondary: String, state: Scene.Row.State = .plain, of drop: DropSession? = nil) {
    history.add(
      DropHistory.Part(title: primary, details: secondary, state: state), to: drop.map { ObjectIdentifier($0) })
  }

  /// Clears the drop highlight. The types stay visible.
  func clearHover() {
    frame = .none
    framedPart = .window
    lastProposal = nil
    updateScene()
  }
}
