import Synchronization

/// The fingerprints of states that have been seen, for several threads at once.
///
/// A search through ten million states keeps 64 bits of each (*hash compaction*). Two states with the same fingerprint are
/// taken for one: among ten million, the chance that this happens even once is below one in 300,000.
final class FingerprintSet: Sendable {
  // Each slot is atomic, and the buffer lives as long as the set.
  private nonisolated(unsafe) let slots: UnsafeMutableBufferPointer<Atomic<UInt64>>
  private let used = Atomic(0)

  /// - Parameter capacity: The most fingerprints that it has room for.
  init(capacity: Int) {
    // At most half of the slots are used, so that a free one is near.
    let slotCount = 1 << (Int.bitWidth - (2 * capacity - 1).leadingZeroBitCount)
    slots = .allocate(capacity: slotCount)
    for index in 0..<slotCount { slots.initializeElement(at: index, to: Atomic(0)) }
  }

  deinit { slots.deallocate() }

  var count: Int { used.load(ordering: .relaxed) }

  /// - Returns: Whether it was not in the set before.
  func insert(_ fingerprint: UInt64) -> Bool {
    // Zero is a free slot.
    let value = max(fingerprint, 1)
    var index = Int(truncatingIfNeeded: value) & (slots.count - 1)
    while true {
      var found = slots[index].load(ordering: .relaxed)
      if found == 0 {
        (_, found) = slots[index].compareExchange(expected: 0, desired: value, ordering: .relaxed)
        if found == 0 {
          let count = used.add(1, ordering: .relaxed).newValue
          precondition(count <= slots.count * 3 / 4, "more states than there is room for")
          return true
        }
      }
      if found == value { return false }
      index = (index + 1) & (slots.count - 1)
    }
  }
}
