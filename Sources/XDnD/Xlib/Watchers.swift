import CX11

/// Counts the driver's interests in each window.
///
/// Distinct from ``EventMasks``, because ``WindowLocator`` also selects events for its own use.
struct Watchers {
  private var counts: [Watch: Int] = [:]

  private struct Watch: Hashable {
    var window: WindowID
    var interest: WindowInterest
  }

  mutating func add(_ interest: WindowInterest, to window: WindowID) {
    for single in interest.singles { counts[Watch(window: window, interest: single), default: 0] += 1 }
  }

  /// - Returns: The part of `interest` that had been added.
  mutating func remove(_ interest: WindowInterest, from window: WindowID) -> WindowInterest {
    var removed: WindowInterest = []
    for single in interest.singles {
      let watch = Watch(window: window, interest: single)
      guard let count = counts[watch] else { continue }
      counts[watch] = count > 1 ? count - 1 : nil
      removed.insert(single)
    }
    return removed
  }

  func isWatched(_ window: WindowID, for single: WindowInterest) -> Bool {
    counts[Watch(window: window, interest: single)] != nil
  }

  /// Forgets a destroyed window, whose id may be reused.
  mutating func forget(_ window: WindowID) {
    for watch in counts.keys where watch.window == window { counts[watch] = nil }
  }
}

extension WindowInterest {
  fileprivate var singles: [WindowInterest] {
    [.destruction, .properties, .gestures].filter { contains($0) }
  }

  /// The X event mask that selects these events.
  var eventMask: Int {
    (contains(.destruction) ? StructureNotifyMask : 0) | (contains(.properties) ? PropertyChangeMask : 0)
      | (contains(.gestures) ? ButtonPressMask | ButtonReleaseMask | ButtonMotionMask | StructureNotifyMask : 0)
  }
}
