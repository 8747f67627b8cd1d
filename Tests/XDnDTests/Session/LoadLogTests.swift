import Testing

@testable import XDnD

@Suite("The log of a drop's loads")
struct LoadLogTests {
  final class Observer: LoadObserver {
    let observedItem: Int?
    /// How many loads have begun, and how much each event reported of a load.
    private(set) var (begun, progressed, ended): (Int, [Int], [Int]) = (0, [], [])
    private(set) var sum = LoadSum()
    private(set) var isDropOver = false

    init(of item: Int?) { observedItem = item }

    func receive(_ event: LoadEvent, after last: LoadAmount) {
      sum.receive(event, after: last)
      switch event {
      case .began: begun += 1
      case .progressed(let amount): progressed.append(amount.received)
      case .ended: ended.append(last.received)
      case .concluded: break
      }
    }

    func dropEnded(_ error: XDnDError?) { isDropOver = true }
  }

  /// A load that tells its events as ``LoadTask`` does.
  final class Load: LoggedLoad {
    private(set) var (isCancelled, isDropOver) = (false, false)
    private(set) var amount = LoadAmount()
    private var entry: LoadLog.Entry?

    func begin(in log: LoadLog, _ item: Int?) { entry = log.begin(self, item: item) }

    func receive(_ event: LoadEvent) {
      let last = amount
      if case .progressed(let amount) = event { self.amount = amount }
      entry?.receive(event, after: last)
    }

    func cancel() { isCancelled = true }

    func dropEnded(_ error: XDnDError?) { isDropOver = true }
  }

  private let log = LoadLog()

  init() { log.open() }

  private func begin(_ item: Int?) -> Load {
    let load = Load()
    load.begin(in: log, item)
    return load
  }

  /// Runs a load of a number of bytes, from which an observer's events tell it.
  private func load(_ item: Int?, of byteCount: Int) {
    let load = begin(item)
    load.receive(.progressed(received: byteCount, expected: 10))
    load.receive(.ended(nil))
    load.receive(.concluded)
  }

  @Test func `an observer of an item gets the events of that item, and an observer of the drop all events`() {
    let (first, second, drop) = (Observer(of: 0), Observer(of: 1), Observer(of: nil))
    for observer in [first, second, drop] { log.add(observer) }
    for (item, byteCount) in [(0, 1), (1, 2), (nil, 3), (0, 4)] { load(item, of: byteCount) }
    for (observer, expected) in [(first, [1, 4]), (second, [2]), (drop, [1, 2, 3, 4])] {
      #expect(observer.begun == expected.count && observer.progressed == expected && observer.ended == expected)
      #expect(observer.sum.progress.receivedByteCount == expected.reduce(0, +))
      #expect(observer.sum.progress.pendingLoadCount == 0)
    }
    #expect(log.progress == drop.sum.progress)
    log.end(nil)
    #expect(first.isDropOver && second.isDropOver && drop.isDropOver)
  }

  @Test func `an observer that comes later gets the loads of its item that have not ended`() {
    load(0, of: 7)
    let pending = begin(0)
    pending.receive(.progressed(received: 1, expected: 2))
    let other = begin(1)
    let (item, drop) = (Observer(of: 0), Observer(of: nil))
    for observer in [item, drop] { log.add(observer) }
    #expect(item.begun == 1 && item.progressed == [1])
    #expect(drop.begun == 2 && drop.progressed == [1, 0])
    other.receive(.progressed(received: 3, expected: nil))
    other.receive(.ended(nil))
    #expect(item.ended.isEmpty && drop.ended == [3])
    #expect(item.sum.progress.pendingLoadCount == 1 && drop.sum.progress.pendingLoadCount == 1)
  }

  @Test func `the loads of one item are cancelled, and no others`() {
    let loads = [Load(), Load(), Load()]
    for (load, item) in zip(loads, [0, 1, 0]) { load.begin(in: log, item) }
    let observer = Observer(of: 0)
    log.add(observer)
    log.cancelLoads(of: observer)
    #expect(loads.map(\.isCancelled) == [true, false, true])
  }

  @Test func `the end of the drop ends the loads that have not ended`() {
    let (ended, pending) = (begin(0), begin(nil))
    ended.receive(.ended(nil))
    log.end(nil)
    #expect(!ended.isDropOver && pending.isDropOver)
  }
}
