import Testing

@testable import XDnD

@Suite("The log of a drop's loads")
struct LoadLogTests {
  final class Observer: LoadObserver {
    let observedItem: Int?
    /// The loads of which each kind of event was reported.
    private(set) var (begun, progressed, ended): ([LoadID], [LoadID], [LoadID]) = ([], [], [])
    private(set) var isDropOver = false

    init(of item: Int?) { observedItem = item }

    func receive(_ event: LoadEvent, of load: LoadID) {
      switch event {
      case .began: begun.append(load)
      case .progressed: progressed.append(load)
      case .ended: ended.append(load)
      case .concluded: break
      }
    }

    func dropEnded(_ error: XDnDError?) { isDropOver = true }
  }

  final class Load: LoggedLoad {
    private(set) var (isCancelled, isDropOver) = (false, false)

    func cancel() { isCancelled = true }

    func dropEnded(_ error: XDnDError?) { isDropOver = true }
  }

  private let log = LoadLog()

  init() { log.open() }

  private func begin(_ item: Int?) throws -> LoadLog.Entry {
    let entry = log.begin(Load(), item: item)
    return try #require(entry)
  }

  private func load(_ item: Int?) throws {
    let load = try begin(item)
    load.receive(.progressed(received: 1, expected: 2))
    load.receive(.ended(nil))
    load.receive(.concluded)
  }

  @Test func `an observer of an item gets the events of that item, and an observer of the drop all events`() throws {
    let (first, second, drop) = (Observer(of: 0), Observer(of: 1), Observer(of: nil))
    for observer in [first, second, drop] { log.add(observer) }
    for item in [0, 1, nil, 0] { try load(item) }
    func loads(_ numbers: Int...) -> [LoadID] { numbers.map { LoadID(rawValue: $0) } }
    for (observer, expected) in [(first, loads(1, 4)), (second, loads(2)), (drop, loads(1, 2, 3, 4))] {
      #expect(observer.begun == expected && observer.progressed == expected && observer.ended == expected)
    }
    log.end(nil)
    #expect(first.isDropOver && second.isDropOver && drop.isDropOver)
  }

  @Test func `an observer that comes later gets the loads of its item that have not ended`() throws {
    try load(0)
    let pending = try begin(0)
    pending.receive(.progressed(received: 1, expected: 2))
    let other = try begin(1)
    let (item, drop) = (Observer(of: 0), Observer(of: nil))
    for observer in [item, drop] { log.add(observer) }
    #expect(item.begun == [LoadID(rawValue: 2)] && item.progressed == item.begun)
    #expect(drop.begun == [LoadID(rawValue: 2), LoadID(rawValue: 3)])
    other.receive(.ended(nil))
    #expect(item.ended.isEmpty && drop.ended == [LoadID(rawValue: 3)])
  }

  @Test func `the loads of one item are cancelled, and no others`() {
    let loads = [Load(), Load(), Load()]
    for (load, item) in zip(loads, [0, 1, 0]) { _ = log.begin(load, item: item) }
    let observer = Observer(of: 0)
    log.add(observer)
    log.cancelLoads(of: observer)
    #expect(loads.map(\.isCancelled) == [true, false, true])
  }

  @Test func `the end of the drop ends the loads that have not ended`() throws {
    let (ended, pending) = (Load(), Load())
    try #require(log.begin(ended, item: 0)).receive(.ended(nil))
    _ = log.begin(pending, item: nil)
    log.end(nil)
    #expect(!ended.isDropOver && pending.isDropOver)
  }
}
