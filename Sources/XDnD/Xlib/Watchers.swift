import CX11

/// Which news of which windows the driver wants.
///
/// Not the same as ``EventMasks``: the search for drop targets selects events of windows too, for itself.
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

  /// The window is gone, and its id may come back as another one.
  mutating func forget(_ window: WindowID) {
    for watch in counts.keys where watch.window == window { counts[watch] = nil }
  }
}

extension WindowInterest {
  fileprivate var singles: [WindowInterest] {
    [.destruction, .properties, .gestures].filter { contains($0) }
  }

  /// The X event mask that brings the news.
  var eventMask: Int {
    (contains(.destruction) ? StructureNotifyMask : 0) | (contains(.properties) ? PropertyChangeMask : 0)
      | (contains(.gestures) ? ButtonPressMask | ButtonReleaseMask | ButtonMotionMask | StructureNotifyMask : 0)
  }
}
