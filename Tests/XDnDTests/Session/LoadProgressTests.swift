import TestSupport
import Testing

@testable import XDnD

@Suite("The sum of loads", .computing)
struct LoadProgressTests {
  private let first = LoadID(rawValue: 1)
  private let second = LoadID(rawValue: 2)
  private let gone = XDnDError(.sourceVanished, "the source is gone")

  private func sum(_ events: [(LoadEvent, LoadID)]) -> LoadProgress {
    var ledger = LoadLedger()
    for (event, load) in events { ledger.receive(event, of: load) }
    return ledger.progress
  }

  @Test func `nothing has a measure before the first load, and before the lengths of all are known`() {
    #expect(sum([]) == LoadProgress())
    #expect(sum([]).isIndeterminate && sum([]).expectedByteCount == nil)
    let begun = sum([(.began, first), (.progressed(received: 5, expected: 10), first), (.began, second)])
    #expect(begun == LoadProgress(receivedByteCount: 5, expectedByteCount: nil, loadCount: 2, pendingLoadCount: 2))
    #expect(begun.isIndeterminate)
  }

  @Test func `loads add up, and a load that has failed counts with what is missing`() {
    let both: [(LoadEvent, LoadID)] = [
      (.began, first), (.began, second), (.progressed(received: 5, expected: 10), first),
      (.progressed(received: 10, expected: 30), second),
    ]
    #expect(sum(both) == LoadProgress(receivedByteCount: 15, expectedByteCount: 40, loadCount: 2, pendingLoadCount: 2))
    #expect(sum(both).fraction == 0.375)
    let one = sum(both + [(.ended(gone), first)])
    #expect(one == LoadProgress(receivedByteCount: 15, expectedByteCount: 40, loadCount: 2, pendingLoadCount: 1))
    let none = sum(
      both + [(.ended(gone), first), (.progressed(received: 30, expected: 30), second), (.ended(nil), second)])
    #expect(none == LoadProgress(receivedByteCount: 35, expectedByteCount: 40, loadCount: 2, pendingLoadCount: 0))
    #expect(none.fraction == 0.875)
  }

  @Test func `a load that is cancelled at half is half of the whole, and no more activity`() {
    let half: [(LoadEvent, LoadID)] = [(.began, first), (.progressed(received: 5, expected: 10), first)]
    #expect(sum(half + [(.ended(gone), first)]).fraction == 0.5)
    let unknown = sum([(.began, first), (.progressed(received: 5, expected: nil), first), (.ended(gone), first)])
    #expect(unknown.fraction == nil && !unknown.isIndeterminate)
  }

  @Test func `a load that is refused counts for nothing beside one that succeeds`() {
    let refused: [(LoadEvent, LoadID)] = [(.began, first), (.ended(gone), first)]
    #expect(sum(refused).fraction == nil && !sum(refused).isIndeterminate)
    let both = refused + [(.began, second), (.progressed(received: 5, expected: 5), second), (.ended(nil), second)]
    #expect(sum(both).fraction == 1)
  }

  @Test func `content without bytes has ended, too`() {
    #expect(sum([(.began, first), (.progressed(received: 0, expected: 0), first)]).isIndeterminate)
    #expect(sum([(.began, first), (.ended(nil), first)]).fraction == 1)
  }

  /// Adds up all loads anew.
  private func reference(_ events: [(LoadEvent, LoadID)]) -> LoadProgress {
    var pending: [LoadID: (received: Int, whole: Int?)] = [:]
    var loads: [(received: Int, whole: Int?)] = []
    var loadCount = 0
    for (event, load) in events {
      switch (event, pending[load]) {
      case (.began, nil):
        pending[load] = (received: 0, whole: nil)
        loadCount += 1
      case (.progressed(let received, let expected), _?):
        pending[load] = (received: received, whole: expected.flatMap { $0 < received ? nil : $0 })
      case (.ended(let error), let last?):
        pending[load] = nil
        if error == nil {
          loads.append((received: last.received, whole: last.received))
        } else if last.received > 0 || last.whole != nil {
          loads.append(last)
        }
      default: break
      }
    }
    loads += pending.values
    var whole: Int128? = loads.isEmpty ? nil : 0
    for load in loads { whole = whole.flatMap { sum in load.whole.map { sum + Int128($0) } } }
    return LoadProgress(
      receivedByteCount: loads.reduce(0) { $0 + $1.received }, expectedByteCount: whole.flatMap { Int(exactly: $0) },
      loadCount: loadCount, pendingLoadCount: pending.count)
  }

  @Test func `the sum is right after each event, in whatever order they come`() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<QuickTests.cases(of: 500) {
      var ledger = LoadLedger()
      var events: [(LoadEvent, LoadID)] = []
      for _ in 0..<40 {
        let received = random.below(6)
        let expected: Int? = random.pick([nil, 0, 3, 10, Int.max])
        let event: LoadEvent = random.pick([
          .began, .progressed(received: received, expected: expected), .ended(nil), .ended(gone), .concluded,
        ])
        let load = LoadID(rawValue: random.below(6))
        events.append((event, load))
        ledger.receive(event, of: load)
        guard ledger.progress == reference(events) else {
          Issue.record("\(ledger.progress) after \(events)")
          return
        }
      }
    }
  }

  @Test func `an announced length is a lower bound, and may be any number`() {
    #expect(sum([(.began, first), (.progressed(received: 11, expected: 10), first)]).isIndeterminate)
    let huge: [(LoadEvent, LoadID)] = [first, second].flatMap {
      [(.began, $0), (.progressed(received: 1, expected: .max), $0)]
    }
    #expect(sum(huge).isIndeterminate)
  }
}
