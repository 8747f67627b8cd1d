import XDnD

/// The events that a client has selected: of windows, and of the owners of selections.
struct SelectedEvents {
  private static let singleInterests: [WindowInterest] = [.destruction, .properties, .gestures]

  /// How often each interest was selected.
  private(set) var interests: [WindowID: [WindowInterest: Int]] = [:]
  /// The selections whose changes of owner are reported to the client.
  private(set) var observed: Set<AtomName> = [.xdndSelection]

  func contains(_ interest: WindowInterest, of window: WindowID) -> Bool { (interests[window]?[interest] ?? 0) > 0 }

  mutating func select(_ interest: WindowInterest, of window: WindowID) {
    for single in Self.singleInterests where interest.contains(single) {
      interests[window, default: [:]][single, default: 0] += 1
    }
  }

  /// Undoes one ``select(_:of:)``.
  ///
  /// - Returns: The interests that were not selected.
  mutating func deselect(_ interest: WindowInterest, of window: WindowID) -> [WindowInterest] {
    var missing: [WindowInterest] = []
    for single in Self.singleInterests where interest.contains(single) {
      guard let count = interests[window]?[single], count > 0 else {
        missing.append(single)
        continue
      }
      interests[window]?[single] = count == 1 ? nil : count - 1
      if interests[window]?.isEmpty == true { interests[window] = nil }
    }
    return missing
  }

  mutating func observeOwner(of selection: AtomName, _ isObserved: Bool) {
    if isObserved { observed.insert(selection) } else { observed.remove(selection) }
  }
}
