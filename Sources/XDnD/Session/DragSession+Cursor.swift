extension DragSession {
  /// What the cursor says where nothing takes drops.
  public enum CursorOutside: Hashable, Sendable, CaseIterable {
    /// A drop does nothing here.
    case notAllowed
    /// A drop takes the item away, and nobody gets it: a button that is dragged off its bar. That is for whoever began the
    /// drag to do, when it ends with ``DragOutcome/noTarget``.
    case disappearing
    /// A drop does something here that is not for others to know.
    case plain
  }

  /// Sets what the cursor says where nothing takes drops; before that it says ``CursorOutside/notAllowed``.
  ///
  /// It can change while the drag is under way. Over a target that refuses, the cursor says so in any case.
  public func setCursorOutside(_ cursor: CursorOutside) {
    let shape: CursorShape =
      switch cursor {
      case .notAllowed: .notAllowed
      case .disappearing: .disappearing
      case .plain: .dragging
      }
    owner?.reactor.setCursorOutside(shape, of: id)
  }
}
