extension DragSession {
  /// The cursor where there is no drop target.
  public enum CursorOutside: Hashable, Sendable, CaseIterable {
    /// A drop has no effect.
    case notAllowed
    /// A drop removes the item, such as a button that is dragged off its toolbar. The application removes it when the
    /// drag ends with ``DragOutcome/noTarget``. The counterpart of `NSCursor.disappearingItem`.
    case disappearing
    /// A drop has an effect that only this application knows. The plain drag cursor is shown.
    case plain
  }

  /// Sets the cursor for places without a drop target. The default is ``CursorOutside/notAllowed``.
  ///
  /// It can be changed during the drag. Over a target that refuses, the cursor always shows the refusal.
  public func setCursorOutside(_ cursor: CursorOutside) {
    let shape: CursorShape =
      switch cursor {
      case .notAllowed: .notAllowed
      case .disappearing: .disappearing
      case .plain: .dragging
      }
    owner?.reactor.show { $0.drags.setCursorOutside(shape, of: id) }
  }
}
