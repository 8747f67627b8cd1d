import ToolWindow
import XDnD

/// What the window shows.
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
    // A question has the keyboard.
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

  /// What to try, and enough more to scroll.
  private static let trialRows =
    [
      "Rest it on a tab: the tab opens", "Rest it near an edge of this list: it scrolls",
      "Turn the wheel meanwhile: it scrolls, too", "Drop text between letters of the line below",
    ].map { Scene.Row($0) } + (5...60).map { Scene.Row("Row \($0)", state: .dimmed) }

  /// Shows another view, from its beginning.
  func select(_ view: ProbeView) {
    guard view != self.view else { return }
    self.view = view
    window.scrollToTop()
    updateScene()
  }

  /// Goes to the view beside, as keys do that mean it.
  ///
  /// - Returns: Whether the key means that.
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

  /// For what comes in thousands: it is shown with the next change.
  func remember(_ primary: String, _ secondary: String, state: Scene.Row.State = .plain, of drop: DropSession? = nil) {
    history.add(
      DropHistory.Part(title: primary, details: secondary, state: state), to: drop.map { ObjectIdentifier($0) })
  }

  /// The types stay where they are, for those who want to read them.
  func clearHover() {
    frame = .none
    framedPart = .window
    lastProposal = nil
    updateScene()
  }
}
