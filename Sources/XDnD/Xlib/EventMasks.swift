import CX11

/// The event masks that we add to windows of others, and take away again without a trace.
///
/// A client has one mask a window. On a display that a host shares with us it is the host's too, so ours is added to
/// what is there (`your_event_mask`) and only what we have added is taken away.
final class EventMasks {
  private let display: DisplayHandle
  private var entries: [WindowID: Entry] = [:]

  private struct Entry {
    /// Who asked for a bit, by bit.
    var counts: [Int: Int] = [:]
    /// The bits that were not there before.
    var added = 0
  }

  init(_ display: DisplayHandle) {
    self.display = display
  }

  /// Asks for the events of `mask`, in addition to all that is asked for already. Calls nest.
  ///
  /// - Parameter policy: What to do if the window goes before the request gets there.
  /// - Returns: Whether the window exists.
  func add(_ mask: Int, to window: WindowID, onError policy: ErrorPolicy) -> Bool {
    var entry = entries[window] ?? Entry()
    let fresh = bits(of: mask).filter { entry.counts[$0] == nil }.reduce(0, |)
    if fresh != 0 {
      guard let current = currentMask(of: window) else { return false }
      entry.added |= fresh & ~current
      select(current | fresh, on: window, onError: policy)
    }
    for bit in bits(of: mask) { entry.counts[bit, default: 0] += 1 }
    entries[window] = entry
    return true
  }

  /// Takes one ``add(_:to:onError:)`` back.
  func remove(_ mask: Int, from window: WindowID) {
    guard var entry = entries[window] else { return }
    var unused = 0
    for bit in bits(of: mask) {
      guard let count = entry.counts[bit] else { continue }
      entry.counts[bit] = count > 1 ? count - 1 : nil
      if count == 1 { unused |= bit }
    }
    restore(unused & entry.added, of: window)
    entry.added &= ~unused
    entries[window] = entry.counts.isEmpty ? nil : entry
  }

  /// Forgets a window that is gone: its id may come back as another window.
  func forget(_ window: WindowID) {
    entries[window] = nil
  }

  /// Takes everything back.
  func removeAll() {
    for (window, entry) in entries { restore(entry.added, of: window) }
    entries.removeAll()
  }

  /// The host may have changed its mask since: only our bits go.
  private func restore(_ bits: Int, of window: WindowID) {
    guard bits != 0, let current = currentMask(of: window) else { return }
    select(current & ~bits, on: window, onError: .swallow)
  }

  private func currentMask(of window: WindowID) -> Int? {
    display.roundTrip { display in
      var attributes = XWindowAttributes()
      guard XGetWindowAttributes(display, window.xid, &attributes) != 0 else { return nil }
      return attributes.your_event_mask
    }
  }

  private func select(_ mask: Int, on window: WindowID, onError policy: ErrorPolicy) {
    display.request(onError: policy) { XSelectInput($0, window.xid, mask) }
  }

  private func bits(of mask: Int) -> [Int] {
    (0..<Int.bitWidth).map { 1 << $0 }.filter { mask & $0 != 0 }
  }
}
