/// What is seen of one drag, from its beginning to the end of its last animation.
struct DragFeedback: Sendable {
  enum Input: Hashable, Sendable {
    case began(DragPreview, pointer: Point, reducedMotion: Bool)
    case moved(Point)
    case previewChanged(DragPreview)
    case badgeChanged(DragBadge)
    /// The button is up and a target was told to take the items.
    case dropped
    /// The drag is over. `origins` has for each picture of the preview where its item lies now, in root coordinates, and `nil`
    /// for one that is not visible; what it does not have is not visible.
    case ended(Ending, origins: [Rect?])
    /// Time has passed, perhaps up to ``nextDeadline``.
    case tick
  }

  enum Ending: Hashable, CaseIterable, Sendable {
    case accepted
    /// Refused, cancelled, no target, target died or out of time.
    case failed
    /// The server is gone, and the window with it.
    case gone
    /// The item was taken away, and nobody took it.
    case disappeared
  }

  enum Effect: Hashable, Sendable {
    /// Show this picture with its upper left corner at this place of the root window, instead of the one before.
    case show(DragPicture, at: Point)
    /// Move the picture that is shown; the place is that of its upper left corner in the root window.
    case move(Point)
    case hide
  }

  /// When it wants to hear ``Input/tick``; `nil` while nothing moves by itself.
  private(set) var nextDeadline: LoopTime?

  mutating func receive(_ input: Input, at now: LoopTime) -> [Effect] { [] }
}
