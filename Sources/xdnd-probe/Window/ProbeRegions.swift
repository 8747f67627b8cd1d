import XDnDToolWindow
import XDnD

/// The delegate of the whole window, to which the regions report.
protocol WindowDropDelegate: DropDelegate {
  /// Reports and displays the answer to a position of a drag.
  ///
  /// - Returns: The answer to send, which may be a refusal.
  func answer(_ drop: DropSession, _ proposal: DropProposal) -> DropProposal
}

/// The drop regions of the window: the scrolling list, the text field and the spring-loaded tabs.
final class ProbeRegions {
  let field: TrialField
  private let list: DropRegion
  private let tabs: [DropRegion]
  private let springLoading: SpringLoadingBehavior
  /// Retained here, because regions hold their delegate weakly.
  private let delegate: RegionDelegate

  /// Forwards the drags over the regions to the window's delegate, but not their enter and exit: the delegate receives
  /// these for the whole window.
  private final class RegionDelegate: DropDelegate {
    private unowned let delegate: any DropDelegate

    init(_ delegate: any DropDelegate) { self.delegate = delegate }

    func dropUpdated(_ drop: DropSession) -> DropProposal { delegate.dropUpdated(drop) }
    func performDrop(_ drop: DropSession) { delegate.performDrop(drop) }
    func dropEnded(_ drop: DropSession, _ result: DropResult) { delegate.dropEnded(drop, result) }
  }

  init(
    of content: WindowContent, tabs views: [ProbeView], field: TrialField, offer: DropOffer,
    delegate: any DropDelegate, scale: Double
  ) {
    self.field = field
    let delegate = RegionDelegate(delegate)
    self.delegate = delegate
    func pixels(_ points: Double) -> Int { Int((points * scale).rounded()) }
    springLoading = SpringLoadingBehavior(slop: pixels(6))
    list = DropRegion(accepting: offer, delegate: delegate)
    list.autoScroll = AutoScrollBehavior(margin: pixels(32), initialSpeed: 200 * scale, maximumSpeed: 1600 * scale)
    list.onAutoScroll = { [unowned content] in content.scroll(by: $0.dy, "rest") }
    list.onWheel = { [unowned content] in content.scroll($0) }
    tabs = views.map { view in
      let tab = DropRegion(accepting: offer, delegate: delegate)
      tab.onSpringLoad = { [unowned content] _ in content.springOpen(view) }
      tab.onSpringLoadingHighlight = { [unowned content] in content.highlight(view, $0) }
      return tab
    }
  }

  /// In stacking order, the lowest first.
  var all: [DropRegion] { [list, field.region] + tabs }

  func place(in window: ToolWindow, view: ProbeView) {
    list.frame = Rect(window.place(of: .list))
    field.region.isEnabled = view == .trial
    field.region.frame = view == .trial ? Rect(window.place(of: .field)) : Rect(x: 0, y: 0, width: 0, height: 0)
    for (index, tab) in tabs.enumerated() {
      tab.frame = Rect(window.place(of: .tab(index)))
      // There is nothing to open in the selected tab.
      tab.springLoading = index == view.rawValue ? nil : springLoading
    }
  }
}

extension Rect {
  init(_ place: (origin: PixelPoint, size: PixelSize)) {
    self.init(x: place.origin.x, y: place.origin.y, width: place.size.width, height: place.size.height)
  }
}
