extension DragOperation {
  /// Returns the operation that the user requests with modifier keys, out of those that the source offers.
  ///
  /// Control copies, Shift moves, both link, and Alt asks: GTK, Qt, Tk and Java agree on the first three, GTK on the
  /// fourth. As in Qt, a key for an operation that is not offered has no effect.
  ///
  /// - Parameter preferred: The operation without modifier keys; `nil` for the first one offered.
  static func requested(
    by modifiers: Modifiers, from offered: [DragOperation], preferring preferred: DragOperation? = nil
  ) -> DragOperation? {
    let wanted: DragOperation? =
      if modifiers.isSuperset(of: [.control, .shift]) {
        .link
      } else if modifiers.contains(.shift) {
        .move
      } else if modifiers.contains(.control) {
        .copy
      } else if modifiers.contains(.alt) {
        .ask
      } else {
        nil
      }
    return wanted.flatMap { offered.contains($0) ? $0 : nil } ?? preferred ?? offered.first
  }
}
