/// A part of a window that takes drops, springs open under a drag, or scrolls under it.
///
/// Regions nest, and later ones lie above earlier ones. At each place the innermost that is enabled and can take what is
/// dragged has the drag; the innermost that springs open or scrolls does so, whether or not it takes anything itself.
/// Regions may be changed at any time; what is under a resting pointer is looked at anew when it moves.
public final class DropRegion {
  /// Where it is in the window, in pixels from the window's upper left corner; `nil` is all of what it is nested in.
  public var frame: Rect?
  /// What it takes; nothing by default.
  public var offer: DropOffer
  /// Who is asked and told, as for a window; not retained.
  ///
  /// ``DropDelegate/dropEntered(_:)`` and ``DropDelegate/dropExited(_:_:)`` are about the region. The session is the
  /// same in all regions of a window.
  public weak var delegate: (any DropDelegate)?
  /// Takes drops in place of a delegate: every position is then answered from ``offer`` alone.
  public var onDrop: ((DropSession) -> Void)?
  /// The regions that are nested in it, the lowest first.
  public var children: [DropRegion] = []
  /// Whether it takes, opens and scrolls anything, and what is nested in it; a disabled one hides what lies below all the
  /// same.
  public var isEnabled = true
  /// Whether each position counts, as for an insertion point between letters: the source is never told to keep silent.
  public var isPrecise = false
  /// Tells this place from others of its window, such as the folder that it shows: the name of its ``DragContainer``, so
  /// that a drag within it is known as one. `nil` is that of what it is nested in.
  public var containerName: String?

  /// Whether a drop would be taken here now; true for one region at a time.
  public private(set) var isTargeted = false
  /// Told when ``isTargeted`` has changed: the place for a highlight.
  public var onTargeted: ((Bool) -> Void)?

  /// Whether it opens when a drag rests on it, and how; `nil` for not at all.
  public var springLoading: SpringLoadingBehavior?
  /// Opens it, once for each visit of a drag. Should change what is shown, and nothing else: who rests there decides
  /// nothing by it, and there is always another way.
  public var onSpringLoad: ((DropSession) -> Void)?
  /// Told how it is to look while it may open.
  public var onSpringLoadingHighlight: ((SpringLoadingHighlight) -> Void)?

  /// Whether it scrolls when a drag rests near its edges, and how; `nil` for not at all.
  public var autoScroll: AutoScrollBehavior?
  /// Scrolls by so many pixels, and says whether anything has moved: at the end of the content nothing does.
  public var onAutoScroll: ((ScrollDelta) -> Bool)?
  /// Scrolls by a notch of the wheel; if there is none, the delegate of whoever has the drag is told.
  public var onWheel: ((WheelScroll) -> Void)?

  /// A region.
  ///
  /// - Parameters:
  ///   - frame: In pixels of the window; `nil` is all of what it is nested in.
  ///   - offer: What it takes.
  ///   - delegate: Not retained.
  public init(frame: Rect? = nil, accepting offer: DropOffer = DropOffer([]), delegate: (any DropDelegate)? = nil) {
    self.frame = frame
    self.offer = offer
    self.delegate = delegate
  }

  /// Whether somebody is there who takes drops.
  var isTaken: Bool { delegate != nil || onDrop != nil }

  func setTargeted(_ isTargeted: Bool) {
    guard isTargeted != self.isTargeted else { return }
    self.isTargeted = isTargeted
    onTargeted?(isTargeted)
  }
}

@available(*, unavailable)
extension DropRegion: Sendable {}
