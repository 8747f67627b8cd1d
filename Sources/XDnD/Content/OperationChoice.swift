extension DragOperation {
  /// Returns the operation that the user requests with modifier keys, from the operations that the source offers.
  ///
  /// Control copies, Shift moves, both link, and Alt asks: GTK, Qt, Tk and Java agree on the first three; Alt is GTK's.
  /// As in Qt, a key for an operation that is not offered has no effect.
  ///
  /// - Parameter preferred: The operation without modifier keys; `nil` for the first one offered.
  static func requested(
    by modifiers: Modifiers, from offered: [DragOperation], preferring preferred: DragOperation? = nil
  ) -> DragOperation? {
    wanted(by: modifiers).flatMap { offered.contains($0) ? $0 : nil } ?? preferred ?? offered.first
  }

  /// The operation that modifier keys stand for, offered or not; `nil` for none.
  static func wanted(by modifiers: Modifiers) -> DragOperation? {
    if modifiers.isSuperset(of: [.control, .shift]) { return .link }
    if modifiers.contains(.shift) { return .move }
    if modifiers.contains(.control) { return .copy }
    return modifiers.contains(.alt) ? .ask : nil
  }
}
