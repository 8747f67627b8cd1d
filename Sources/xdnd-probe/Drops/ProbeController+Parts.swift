import ToolSupport
import ToolWindow
import XDnD

/// The views of the window, one per tab.
enum ProbeView: Int, CaseIterable {
  /// The drag over the window, or the last one.
  case live
  /// The past drops, and those in progress.
  case history
  /// A place to try spring-loading, autoscrolling and text insertion.
  case trial

  func title(isSaving: Bool) -> String {
    switch self {
    case .live: "Live"
    case .history: isSaving ? "Saved" : "Dropped"
    case .trial: "Try"
    }
  }
}

/// The drop regions of the window: the scrolling list, the text field and the spring-loaded tabs.
final class ProbeParts {
  let list: DropRegion
  let tabs: [DropRegion]
  let field: ProbeField
  /// Retained here, because regions hold their delegate weakly.
  private let delegate: PartDelegate

  /// Forwards the drags over the regions to the controller, but not their enter and exit: the controller receives
  /// these for the whole window.
  private final class PartDelegate: DropDelegate {
    unowned let controller: ProbeController

    init(_ controller: ProbeController) {
      self.controller = controller
    }

    func dropUpdated(_ drop: DropSession) -> DropProposal { controller.dropUpdated(drop) }
    func performDrop(_ drop: DropSession) { controller.performDrop(drop) }
    func dropEnded(_ drop: DropSession, _ result: DropResult) { controller.dropEnded(drop, result) }
  }

  init(of controller: ProbeController, offer: DropOffer, scale: Double) {
    delegate = PartDelegate(controller)
    func pixels(_ points: Double) -> Int { Int((points * scale).rounded()) }
    list = DropRegion(accepting: offer, delegate: delegate)
    list.autoScroll = AutoScrollBehavior(
      margin: pixels(32), initialSpeed: 200 * scale, maximumSpeed: 1600 * scale)
    list.onAutoScroll = { [unowned controller] in controller.scrolled(by: $0.dy, "rest") }
    list.onWheel = { [unowned controller] in controller.turned($0) }
    list.onTargeted = { [unowned controller] in controller.show(.list, isTargeted: $0) }
    let delegate = self.delegate
    field = ProbeField(of: controller)
    tabs = controller.views.map { view in
      let tab = DropRegion(accepting: offer, delegate: delegate)
      tab.springLoading = SpringLoadingBehavior(slop: pixels(6))
      tab.onSpringLoad = { [unowned controller] _ in controller.sprang(to: view) }
      tab.onSpringLoadingHighlight = { [unowned controller] in controller.show($0, on: view) }
      tab.onTargeted = { [unowned controller] in controller.show(.tab(view.rawValue), isTargeted: $0) }
      return tab
    }
  }

  /// The regions in stacking order, the lowest first.
  var all: [DropRegion] { [list, field.region] + tabs }

  /// Updates the regions' frames to the window's layout.
  func place(in window: ToolWindow, view: ProbeView) {
    list.frame = Rect(window.place(of: .list))
    field.place(in: window, isShown: view == .trial)
    for (index, tab) in tabs.enumerated() { tab.frame = Rect(window.place(of: .tab(index))) }
  }
}

extension ProbeController {
  /// The available views. The trial view exists only if drops are merely displayed.
  var views: [ProbeView] {
    let isOnlyShown =
      saving == nil && settings.output == nil && settings.printer == nil && settings.command == nil
      && !settings.confirms
    return isOnlyShown ? ProbeView.allCases : [.live, .history]
  }

  /// Draws the drop highlight around a region, or around the window if no region is targeted.
  func show(_ part: Scene.Part, isTargeted: Bool) {
    framedPart = isTargeted ? part : .window
    updateScene()
  }

  fileprivate func show(_ highlight: SpringLoadingHighlight, on view: ProbeView) {
    spring = highlight == .none ? nil : (view, highlight == .emphasized)
    updateScene()
  }

  /// Spring-loading changes the view only; drops are processed alike in all views.
  fileprivate func sprang(to view: ProbeView) {
    reporter.print(
      Report(
        "spring", "The drag rested, and \(view.title(isSaving: saving != nil)) is shown.",
        ["view": .string(view.title(isSaving: saving != nil))]))
    select(view)
  }

  /// - Returns: Whether the list moved.
  fileprivate func scrolled(by pixels: Int, _ how: String) -> Bool {
    let before = window.firstVisibleRow
    let hasMoved = window.scroll(by: pixels)
    let row = window.firstVisibleRow
    if row != before {
      reporter.print(
        Report(
          "scrolled", "Scrolled to row \(row + 1).", ["how": .string(how), "row": .integer(row)]))
    }
    return hasMoved
  }

  fileprivate func turned(_ scroll: WheelScroll) {
    switch scroll.direction {
    case .up: _ = scrolled(by: -window.rowHeight, "wheel")
    case .down: _ = scrolled(by: window.rowHeight, "wheel")
    case .left, .right: break
    }
  }

  /// Returns the centers of the tabs in root pixels, for programs.
  func tabFields(_ origin: PixelPoint) -> Report.Value {
    .list(
      views.map { view in
        let place = window.place(of: .tab(view.rawValue))
        return .object([
          ("title", .string(view.title(isSaving: saving != nil))),
          ("x", .integer(origin.x + place.origin.x + place.size.width / 2)),
          ("y", .integer(origin.y + place.origin.y + place.size.height / 2)),
        ])
      })
  }
}

extension Rect {
  init(_ place: (origin: PixelPoint, size: PixelSize)) {
    self.init(x: place.origin.x, y: place.origin.y, width: place.size.width, height: place.size.height)
  }
}
