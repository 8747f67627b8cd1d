import CX11

/// Event masks that the library adds to other windows, and removes without side effects.
///
/// A client has one event mask per window. On a borrowed display it is shared with the host. So events are added to the
/// current mask (`your_event_mask`), and only added bits are removed.
final class EventMasks {
  private let display: DisplayHandle
  private var entries: [WindowID: Entry] = [:]

  private struct Entry {
    /// The number of requests for each bit.
    var counts: [Int: Int] = [:]
    /// The bits that the mask did not have before.
    var added = 0
    /// The bits that will be selected when the mask is known.
    var pending = 0
  }

  init(_ display: DisplayHandle) {
    self.display = display
  }

  /// Selects the events of `mask` in addition to those already selected. Calls nest.
  ///
  /// - Parameters:
  ///   - current: The window's mask, as far as it is not added by this object; it saves a round trip. Only if the host
  ///     cannot have changed it since it was asked for.
  ///   - policy: The error policy if the window is destroyed before the request arrives.
  /// - Returns: Whether the window exists.
  func add(_ mask: Int, to window: WindowID, current: Int? = nil, onError policy: ErrorPolicy) -> Bool {
    var entry = entries[window] ?? Entry()
    let fresh = bits(of: mask).filter { entry.counts[$0] == nil || entry.pending & $0 != 0 }.reduce(0, |)
    if fresh != 0 {
      guard let current = current ?? currentMasks(of: [window])[window] else { return false }
      // The known mask may be older than what is added.
      let present = current | entry.added
      entry.added |= fresh & ~present
      entry.pending &= ~fresh
      select(present | fresh, on: window, onError: policy)
    }
    for bit in bits(of: mask) { entry.counts[bit, default: 0] += 1 }
    entries[window] = entry
    return true
  }

  /// Selects events as ``add(_:to:current:onError:)`` does, when the window's mask is known.
  ///
  /// - Parameter completion: Called when they are selected, or with `false` if the window does not exist.
  func add(
    _ mask: Int, to window: WindowID, onError policy: ErrorPolicy, then completion: @escaping (Bool) -> Void
  ) {
    var entry = entries[window] ?? Entry()
    for bit in bits(of: mask) {
      if entry.counts[bit] == nil { entry.pending |= bit }
      entry.counts[bit, default: 0] += 1
    }
    entries[window] = entry
    guard entry.pending & mask != 0 else { return completion(true) }
    var current: Int?
    var batch = RequestBatch(display)
    batch.attributes(of: window) { current = $0?.eventMask }
    batch.send { [self] in
      if let current { selectPending(on: window, current, onError: policy) }
      completion(current != nil)
    }
  }

  private func selectPending(on window: WindowID, _ known: Int, onError policy: ErrorPolicy) {
    guard let entry = entries[window] else { return }
    let bits = bits(of: entry.pending).filter { entry.counts[$0] != nil }.reduce(0, |)
    entries[window]?.pending = 0
    guard bits != 0 else { return }
    // The host may have changed a mask of its own since the reply.
    guard let current = known & ~entry.added == 0 ? known : currentMasks(of: [window])[window] else { return }
    entries[window]?.added |= bits & ~current
    select(current | entry.added | bits, on: window, onError: policy)
  }

  /// Whether only this library selected the events of `bit`, and not the host.
  func isOnlyOurs(_ bit: Int, on window: WindowID) -> Bool {
    bit != 0 && (entries[window]?.added ?? 0) & bit != 0
  }

  /// The bits that this object has added to a window's mask.
  func added(to window: WindowID) -> Int { entries[window]?.added ?? 0 }

  /// Reverts one ``add(_:to:current:onError:)``.
  func remove(_ mask: Int, from window: WindowID) { remove([window: mask]) }

  /// Reverts one ``add(_:to:current:onError:)`` of each window, with one round trip.
  func remove(_ masks: [WindowID: Int]) {
    var unused: [WindowID: Int] = [:]
    for (window, mask) in masks {
      guard var entry = entries[window] else { continue }
      var bits = 0
      for bit in self.bits(of: mask) {
        guard let count = entry.counts[bit] else { continue }
        entry.counts[bit] = count > 1 ? count - 1 : nil
        if count == 1 { bits |= bit }
      }
      unused[window] = bits & entry.added
      entry.added &= ~bits
      entries[window] = entry.counts.isEmpty ? nil : entry
    }
    restore(unused)
  }

  /// Forgets a destroyed window, whose id may be reused.
  func forget(_ window: WindowID) {
    entries[window] = nil
  }

  /// Removes all bits that were added.
  func removeAll() {
    restore(entries.mapValues(\.added))
    entries.removeAll()
  }

  /// Removes bits from the windows' current masks, which the host may have changed in the meantime.
  private func restore(_ bits: [WindowID: Int]) {
    let bits = bits.filter { $0.value != 0 }
    for (window, current) in currentMasks(of: Array(bits.keys)) {
      select(current & ~bits[window, default: 0], on: window, onError: .swallow)
    }
  }

  /// The masks of those windows that exist.
  private func currentMasks(of windows: [WindowID]) -> [WindowID: Int] {
    var masks: [WindowID: Int] = [:]
    var batch = RequestBatch(display)
    for window in windows { batch.attributes(of: window) { masks[window] = $0?.eventMask } }
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
