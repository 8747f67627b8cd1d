import ToolWindow
import XDnD

/// What the window shows.
extension ProbeController {
  func updateScene() {
    let rows =
      switch view {
      case .types: hovering
      case .history: savers.values.map(\.row) + history
      }
    var scene = Scene(
      rows: rows, footer: undoables.isEmpty ? "" : "Control+Z takes the last one back",
      placeholder: saving.map { "Drop something here to save it in \($0.visibleName)" } ?? "Drop something here",
      density: .compact, frame: frame, appearance: window.scene.appearance,
      bar: questions.first?.bar)
    scene.framedPart = framedPart
    var tabs = Scene.Tabs(
      ProbeView.allCases.map { $0.title(isSaving: saving != nil) }, selected: view.rawValue)
    tabs.highlighted = spring?.view.rawValue
    tabs.isEmphasized = spring?.isEmphasized ?? false
    scene.tabs = tabs
    window.scene = scene
    parts.place(in: window)
  }

  /// Shows another view, from its beginning.
  func select(_ view: ProbeView) {
    guard view != self.view else { return }
    self.view = view
    window.scrollToTop()
    updateScene()
  }

  func note(_ primary: String, _ secondary: String, state: Scene.Row.State = .plain) {
    remember(primary, secondary, state: state)
    updateScene()
  }

  /// For what comes in thousands: it is shown with the next change.
  func remember(_ primary: String, _ secondary: String, state: Scene.Row.State = .plain) {
    history.insert(Scene.Row(primary, secondary: secondary, state: state), at: 0)
    if history.count > 100 { history.removeLast() }
  }

  /// The types stay where they are, for those who want to read them.
  func clearHover() {
    hovering = hovering.map { Scene.Row($0.primary, secondary: $0.secondary, state: .dimmed) }
    frame = .none
    framedPart = .window
    lastProposal = nil
    select(.history)
    updateScene()
  }
}
