extension DragOperation {
  /// What the user asks for with the given keys, out of what the source offers.
  ///
  /// Control copies, Shift moves, both together link, Alt asks: GTK, Qt, Tk and Java agree on the first three, GTK on
  /// the fourth. A key that asks for something that is not offered changes nothing (as in Qt): then it is what the
  /// source prefers.
  ///
  /// - Parameter preferred: `nil` for the first that is offered.
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
