import XDnDX11

/// The driver's interests in each window, counted, and the events that are selected for them.
///
/// Distinct from ``EventMasks``, because ``WindowHierarchy``, ``WindowPlaces`` and ``SettingsReader`` select events,
/// too.
final class Watchers {
  private let masks: EventMasks
  private var counts: [Watch: Int] = [:]

  init(_ masks: EventMasks) {
    self.masks = masks
  }

  private struct Watch: Hashable {
    var window: WindowID
    var interest: WindowInterest
  }

  /// See ``WindowSystem/watch(_:for:)``.
  ///
  /// - Returns: Whether the window exists.
  func watch(_ window: WindowID, for interest: WindowInterest) -> Bool {
    let policy: ErrorPolicy = interest.contains(.destruction) ? .report : .swallow
    guard masks.add(interest.eventMask, to: window, onError: policy) else { return false }
    for single in interest.singles { counts[Watch(window: window, interest: single), default: 0] += 1 }
    return true
  }

  /// Watches without waiting for the window's mask.
  ///
  /// - Parameter completion: Called when the events are selected. Its argument says whether the window exists.
  func watch(_ window: WindowID, for interest: WindowInterest, then completion: @escaping (Bool) -> Void) {
    for single in interest.singles { counts[Watch(window: window, interest: single), default: 0] += 1 }
    masks.add(interest.eventMask, to: window, onError: .report, then: completion)
  }

  /// See ``WindowSystem/unwatch(_:for:)``.
  func unwatch(_ window: WindowID, for interest: WindowInterest) {
    var removed: WindowInterest = []
    for single in interest.singles {
      let watch = Watch(window: window, interest: single)
      guard let count = counts[watch] else { continue }
      counts[watch] = count > 1 ? count - 1 : nil
      removed.insert(single)
    }
    masks.remove(removed.eventMask, from: window)
  }

  func isWatched(_ window: WindowID, for single: WindowInterest) -> Bool {
    counts[Watch(window: window, interest: single)] != nil
  }

  /// Forgets a destroyed window, whose id may be reused.
  func forget(_ window: WindowID) {
    for watch in counts.keys where watch.window == window { counts[watch] = nil }
    masks.forget(window)
  }
}

extension WindowInterest {
  fileprivate var singles: [WindowInterest] {
    [.destruction, .properties, .gestures].filter { contains($0) }
  }

  /// The X event mask that selects these events.
  fileprivate var eventMask: Int {
    (contains(.destruction) ? StructureNotifyMask : 0) | (contains(.properties) ? PropertyChangeMask : 0)
      | (contains(.gestures) ? ButtonPressMask | ButtonReleaseMask | ButtonMotionMask | StructureNotifyMask : 0)
  }
}
