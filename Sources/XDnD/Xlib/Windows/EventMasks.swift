import XDnDX11

/// Events that the library selects on windows of the host and of other clients, and deselects without side effects.
///
/// A client has one event mask per window. On a borrowed display it is shared with the host. So events are added to the
/// current mask (`your_event_mask`), and only added bits are removed.
///
/// The library asks for the mask first, usually without waiting. When the reply has arrived, it selects the events
/// that are wanted then, and deselects the other events that it had added. So events may be added and removed in
/// between.
final class EventMasks {
  private let display: DisplayHandle
  private var entries: [WindowID: Entry] = [:]
  /// The serial number of the last request that deselected events. Older replies may contain the deselected bits, which
  /// would be taken for the host's.
  private var lastRemoval: UInt = 0

  private struct Entry {
    /// For each bit, the number of calls of ``add(_:to:known:onError:)`` that have not been reverted.
    var counts: [Int: Int] = [:]
    /// The selected bits that the mask did not have before. They include bits that are no longer wanted, until these
    /// are deselected.
    var added = 0
    /// The wanted bits that the mask had before.
    var hosts = 0
    /// The error policy of requests that add events. Requests that only deselect use `.swallow`.
    var policy = ErrorPolicy.swallow

    var wanted: Int { counts.keys.reduce(0, |) }
    var selected: Int { added | hosts }
    var unused: Int { added & ~wanted }
  }

  init(_ display: DisplayHandle) {
    self.display = display
  }

  /// Selects the events of `mask` in addition to those already selected. Calls nest.
  ///
  /// - Parameters:
  ///   - known: The window's mask from an earlier reply. Saves a round trip, unless the mask may have changed.
  ///   - policy: The error policy if the window is destroyed before the request arrives.
  /// - Returns: Whether the window exists.
  func add(
    _ mask: Int, to window: WindowID, known: RequestBatch.Attributes? = nil, onError policy: ErrorPolicy
  ) -> Bool {
    if mask & ~selected(on: window) != 0 {
      let current = known.flatMap { isCurrent($0, of: window) ? $0 : nil } ?? masks(of: [window])[window]
      guard let current else { return false }
      var entry = entries[window] ?? Entry()
      let present = current.eventMask | entry.added
      let fresh = mask & ~entry.selected
      entry.hosts |= fresh & present
      entry.added |= fresh & ~present
      entries[window] = entry
      select(present | fresh, on: window, onError: policy)
    }
    count(mask, on: window, policy)
    return true
  }

  /// Selects events as ``add(_:to:known:onError:)`` does, without waiting for the window's mask.
  ///
  /// - Parameter completion: Called when they are selected, or with `false` if the window does not exist.
  func add(
    _ mask: Int, to window: WindowID, onError policy: ErrorPolicy, then completion: @escaping (Bool) -> Void
  ) {
    count(mask, on: window, policy)
    guard mask & ~selected(on: window) != 0 else { return completion(true) }
    update([window]) { completion($0.contains(window)) }
  }

  /// Whether only this library selected the events of `bit`, and not the host.
  func isOnlyOurs(_ bit: Int, on window: WindowID) -> Bool {
    bit != 0 && (entries[window]?.added ?? 0) & bit != 0
  }

  /// Reverts one ``add(_:to:known:onError:)``.
  func remove(_ mask: Int, from window: WindowID) { remove([window: mask]) }

  /// Reverts one ``add(_:to:known:onError:)`` of each window. The events are deselected a round trip later, without
  /// waiting.
  func remove(_ masks: [WindowID: Int]) {
    var unused: [WindowID] = []
    for (window, mask) in masks {
      guard var entry = entries[window] else { continue }
      for bit in bits(of: mask) {
        guard let count = entry.counts[bit] else { continue }
        entry.counts[bit] = count > 1 ? count - 1 : nil
      }
      entry.hosts &= entry.wanted
      if entry.unused != 0 { unused.append(window) }
      entries[window] = entry.counts.isEmpty && entry.added == 0 ? nil : entry
    }
    update(unused) { _ in }
  }

  /// Forgets a destroyed window, whose id may be reused.
  func forget(_ window: WindowID) {
    // A reply on its way is about the destroyed window.
    if entries.removeValue(forKey: window) != nil { lastRemoval = display.nextSerial }
  }

  /// Removes all added bits before a display is released. Waits on a borrowed display, because no reply is read later.
  /// On an owned display, makes no request: the server forgets the bits with the connection.
  func removeAll() {
    if !display.isOwned {
      let added = entries.mapValues(\.added).filter { $0.value != 0 }
      for (window, current) in masks(of: Array(added.keys)) {
        select(current.eventMask & ~added[window, default: 0], on: window, onError: .swallow)
      }
    }
    entries.removeAll()
  }

  // MARK: Counts

  private func selected(on window: WindowID) -> Int { entries[window]?.selected ?? 0 }

  private func count(_ mask: Int, on window: WindowID, _ policy: ErrorPolicy) {
    for bit in bits(of: mask) { entries[window, default: Entry()].counts[bit, default: 0] += 1 }
    if policy == .report { entries[window]?.policy = .report }
  }

  // MARK: Requests

  /// How often a mask is requested without waiting.
  private static let patience = 3

  /// Asks for the windows' masks, and then selects the wanted events.
  ///
  /// If the host has sent requests meanwhile, it may have changed its own mask. Then the mask is requested again. After
  /// ``patience`` rounds, this waits for the reply, because some hosts never pause.
  ///
  /// - Parameters:
  ///   - round: How often the masks have been requested, including this time.
  ///   - completion: Called with the windows that exist, when the events are selected.
  private func update(
    _ windows: [WindowID], round: Int = 1, then completion: @escaping (_ existing: Set<WindowID>) -> Void
  ) {
    guard round <= Self.patience else {
      let known = masks(of: windows)
      for window in windows { apply(known[window], to: window) }
      return completion(Set(known.keys))
    }
    var known: [WindowID: RequestBatch.Attributes] = [:]
    var batch = RequestBatch(display)
    for window in windows { batch.attributes(of: window) { known[window] = $0 } }
    batch.send { [self] in
      let outdated = windows.filter { window in known[window].map { !isCurrent($0, of: window) } ?? false }
      for window in windows where !outdated.contains(window) { apply(known[window], to: window) }
      let existing = Set(known.keys).subtracting(outdated)
      guard !outdated.isEmpty else { return completion(existing) }
      update(outdated, round: round + 1) { completion($0.union(existing)) }
    }
  }

  /// Whether a window still has a known mask, apart from bits that this object has added since.
  ///
  /// Hosts select on few windows, so a mask without any bit of the host is taken to be current.
  private func isCurrent(_ known: RequestBatch.Attributes, of window: WindowID) -> Bool {
    guard known.serial >= lastRemoval else { return false }
    let hosts = known.eventMask & ~(entries[window]?.added ?? 0)
    return hosts == 0 || !display.hostHasSent(since: known.serial)
  }

  /// Selects the wanted events on a window, and deselects added events that are no longer wanted.
  ///
  /// - Parameter known: The window's mask; `nil` if the window does not exist.
  private func apply(_ known: RequestBatch.Attributes?, to window: WindowID) {
    guard var entry = entries[window] else { return }
    let (wanted, unused) = (entry.wanted, entry.unused)
    let hosts = (known?.eventMask ?? 0) & ~entry.added
    entry.hosts = known == nil ? 0 : wanted & hosts
    entry.added = known == nil ? 0 : wanted & ~hosts
    entries[window] = wanted == 0 ? nil : entry
    guard let known, unused != 0 || known.eventMask != hosts | wanted else { return }
    if unused != 0 { lastRemoval = display.nextSerial }
    select(hosts | wanted, on: window, onError: wanted & ~known.eventMask != 0 ? entry.policy : .swallow)
  }

  /// The masks of those windows that exist. Waits for the reply.
  private func masks(of windows: [WindowID]) -> [WindowID: RequestBatch.Attributes] {
    var masks: [WindowID: RequestBatch.Attributes] = [:]
    var batch = RequestBatch(display)
    for window in windows { batch.attributes(of: window) { masks[window] = $0 } }
    batch.run()
    return masks
  }

  private func select(_ mask: Int, on window: WindowID, onError policy: ErrorPolicy) {
    display.request(onError: policy) { XSelectInput($0, window.xid, mask) }
  }

  private func bits(of mask: Int) -> [Int] {
    (0..<Int.bitWidth).map { 1 << $0 }.filter { mask & $0 != 0 }
  }
}
