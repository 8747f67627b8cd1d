/// A part of a window that accepts drops, springs open under a drag, or scrolls under it. Comparable to a view with a
/// `UIDropInteraction`.
///
/// Regions nest, and later ones are above earlier ones. Hit testing looks for three regions at the pointer: the
/// innermost that is enabled and accepts the content handles the drag; the innermost with ``springLoading`` opens; the
/// innermost with ``autoScroll`` scrolls. The last two need not accept anything. A region covers the regions below it,
/// except the regions that enclose it, even for content that it does not accept. So accept all types of a place in one
/// region.
///
/// A region may be changed at any time. The change takes effect with the next motion of the pointer.
public final class DropRegion {
  /// The region, in device pixels from the window's upper left corner; `nil` for the whole enclosing region, or the
  /// whole window.
  public var frame: Rect?
  /// The types and operations that the region accepts; nothing by default.
  public var offer: DropOffer
  /// Handles the drags over the region and its drops. Not retained, except where
  /// ``DragAndDrop/onDrop(of:operations:in:frame:delegate:)`` has set it.
  ///
  /// ``DropDelegate/dropEntered(_:)`` and ``DropDelegate/dropExited(_:_:)`` refer to the region. The session is the
  /// same in all regions of a window.
  public weak var delegate: (any DropDelegate)? {
    didSet { if delegate !== keptDelegate { keptDelegate = nil } }
  }
  /// The ``delegate``, if this object retains it.
  private var keptDelegate: (any DropDelegate)?
  /// Handles drops instead of a delegate. Positions are then answered from ``offer``.
  package var onDrop: ((DropSession) -> Void)?
  /// The nested regions, lowest first.
  public var children: [DropRegion] = []
  /// Whether the region and the regions nested in it accept, open and scroll. A disabled region still covers the
  /// regions below it.
  public var isEnabled = true
  /// The name of the region's ``DragContainer``, such as the path of the folder that it shows. It identifies drags
  /// within the same container. `nil` for the container of the enclosing region or the window.
  ///
  /// Set it again when the region shows another container. It is not a closure, because the library reads it during hit
  /// testing, where no code of the application runs.
  public var containerName: String?

  /// Whether a drop would be accepted here now; `true` for at most one region at a time.
  public private(set) var isTargeted = false
  /// Called when ``isTargeted`` has changed, to draw or remove a highlight.
  package var onTargeted: ((Bool) -> Void)?

  /// Whether and how the region opens when a drag rests on it; `nil` if it does not. The counterpart of
  /// `UISpringLoadedInteraction`.
  public var springLoading: SpringLoadingBehavior?
  /// Opens the region, once for each visit of a drag. It should only change the display: by resting there, the user has
  /// decided nothing, and there must be another way to open the region.
  public var onSpringLoad: ((DropSession) -> Void)?
  /// Called when the highlight that announces the opening changes.
  public var onSpringLoadingHighlight: ((SpringLoadingHighlight) -> Void)?

  /// Whether and how the region scrolls when a drag rests near its edges; `nil` if it does not.
  public var autoScroll: AutoScrollBehavior?
  /// Scrolls to the right and down by the given distances in pixels, and returns whether the content has moved. `false`
  /// means that the end is reached.
  public var onAutoScroll: ((_ dx: Int, _ dy: Int) -> Bool)?
  /// Handles a notch of the wheel. If it is `nil`, the closure of the nearest enclosing region that has one is called,
  /// or else ``DropDelegate/dropScrolled(_:_:)`` on the delegate that handles the drag.
  public var onWheel: ((WheelScroll) -> Void)?

  /// Creates a region.
  ///
  /// - Parameters:
  ///   - frame: The region, in window-local device pixels; `nil` for the whole enclosing region, or the whole window.
  ///   - offer: The types and operations that the region accepts.
  ///   - delegate: Not retained.
  public init(frame: Rect? = nil, accepting offer: DropOffer = DropOffer([]), delegate: (any DropDelegate)? = nil) {
    self.frame = frame
    self.offer = offer
    self.delegate = delegate
  }

  /// Sets the delegate, and retains it.
  func retain(_ delegate: any DropDelegate) {
    keptDelegate = delegate
    self.delegate = delegate
  }

  var isTaken: Bool { delegate != nil || onDrop != nil }

  func setTargeted(_ isTargeted: Bool) {
    guard isTargeted != self.isTargeted else { return }
    self.isTargeted = isTargeted
    onTargeted?(isTargeted)
  }
}

@available(*, unavailable)
extension DropRegion: Sendable {}
