import TestSupport
import Testing

@testable import XDnD

@Suite("The sum of loads", .computing)
struct LoadProgressTests {
  private let first = 1
  private let second = 2
  private let gone = XDnDError(.sourceVanished, "the source is gone")

  /// Loads that tell their events to a sum, as ``LoadSum`` requires: none before the first, and none after the end.
  private struct Loads {
    private var pending: [Int: LoadAmount] = [:]
    private(set) var sum = LoadSum()

    mutating func receive(_ event: LoadEvent, of load: Int) {
      let last = pending[load]
      guard (last == nil) == (event == .began) else { return }
      switch event {
      case .began: pending[load] = LoadAmount()
      case .progressed(let amount): pending[load] = amount
      case .ended: pending[load] = nil
      case .concluded: break
      }
      sum.receive(event, after: last ?? LoadAmount())
    }
  }

  private func sum(_ events: [(LoadEvent, Int)]) -> LoadProgress {
    var loads = Loads()
    for (event, load) in events { loads.receive(event, of: load) }
    return loads.sum.progress
  }

  @Test func `nothing has a measure before the first load, and before the lengths of all are known`() {
    #expect(sum([]) == LoadProgress())
    #expect(sum([]).isIndeterminate && sum([]).expectedByteCount == nil)
    let begun = sum([(.began, first), (.progressed(received: 5, expected: 10), first), (.began, second)])
    #expect(begun == LoadProgress(receivedByteCount: 5, expectedByteCount: nil, loadCount: 2, pendingLoadCount: 2))
    #expect(begun.isIndeterminate)
  }

  @Test func `loads add up, and a load that has failed counts with what is missing`() {
    let both: [(LoadEvent, Int)] = [
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
    let half: [(LoadEvent, Int)] = [(.began, first), (.progressed(received: 5, expected: 10), first)]
    #expect(sum(half + [(.ended(gone), first)]).fraction == 0.5)
    let unknown = sum([(.began, first), (.progressed(received: 5, expected: nil), first), (.ended(gone), first)])
    #expect(unknown.fraction == nil && !unknown.isIndeterminate)
  }

  @Test func `a load that is refused counts for nothing beside one that succeeds`() {
    let refused: [(LoadEvent, Int)] = [(.began, first), (.ended(gone), first)]
    #expect(sum(refused).fraction == nil && !sum(refused).isIndeterminate)
    let both = refused + [(.began, second), (.progressed(received: 5, expected: 5), second), (.ended(nil), second)]
    #expect(sum(both).fraction == 1)
  }

  @Test func `content without bytes has ended, too`() {
    #expect(sum([(.began, first), (.progressed(received: 0, expected: 0), first)]).isIndeterminate)
    #expect(sum([(.began, first), (.ended(nil), first)]).fraction == 1)
  }

  /// Adds up all loads anew.
  private func reference(_ events: [(LoadEvent, Int)]) -> LoadProgress {
    var pending: [Int: (received: Int, whole: Int?)] = [:]
    var loads: [(received: Int, whole: Int?)] = []
    var loadCount = 0
    for (event, load) in events {
      switch (event, pending[load]) {
      case (.began, nil):
        pending[load] = (received: 0, whole: nil)
        loadCount += 1
      case (.progressed(let amount), _?):
        pending[load] = (
          received: amount.received, whole: amount.expected.flatMap { $0 < amount.received ? nil : $0 }
        )
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
      var loads = Loads()
      var events: [(LoadEvent, Int)] = []
      for _ in 0..<40 {
        let received = random.below(6)
        let expected: Int? = random.pick([nil, 0, 3, 10, Int.max])
        let event: LoadEvent = random.pick([
          .began, .progressed(received: received, expected: expected), .ended(nil), .ended(gone), .concluded,
        ])
        let load = random.below(6)
        events.append((event, load))
        loads.receive(event, of: load)
        guard loads.sum.progress == reference(events) else {
          Issue.record("\(loads.sum.progress) after \(events)")
          return
        }
      }
    }
  }

  @Test func `an announced length is a lower bound, and may be any number`() {
    #expect(sum([(.began, first), (.progressed(received: 11, expected: 10), first)]).isIndeterminate)
    let huge: [(LoadEvent, Int)] = [first, second].flatMap {
      [(.began, $0), (.progressed(received: 1, expected: .max), $0)]
    }
    #expect(sum(huge).isIndeterminate)
  }
}

extension LoadEvent {
  static func progressed(received: Int, expected: Int?) -> LoadEvent {
    .progressed(LoadAmount(received: received, expected: expected))
  }
}
