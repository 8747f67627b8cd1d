/// Observes the loads of one drop.
protocol LoadObserver: AnyObject {
  /// The item whose loads it observes; `nil` for all loads.
  var observedItem: Int? { get }

  /// - Parameter last: The amount that was told last of the same load.
  func receive(_ event: LoadEvent, after last: LoadAmount)

  /// Called when the drop is over. No load begins afterwards.
  ///
  /// - Parameter error: Why the drop has failed; `nil` if the application has ended it.
  func dropEnded(_ error: XDnDError?)
}

/// A load that the application has begun from a drop.
protocol LoggedLoad: AnyObject {
  /// The amount that the load last reported.
  var amount: LoadAmount { get }

  func cancel()

  /// See ``LoadObserver/dropEnded(_:)``.
  func dropEnded(_ error: XDnDError?)
}

extension Result {
  var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}

/// The loads that the application has begun from one drop, and their total progress.
///
/// It retains neither loads nor observers.
final class LoadLog {
  /// Reports the events of one load to the log.
  struct Entry {
    fileprivate let log: LoadLog
    fileprivate let number: Int
    fileprivate let item: Int?

    /// - Parameter last: The amount that was told before.
    func receive(_ event: LoadEvent, after last: LoadAmount) { log.receive(event, after: last, of: self) }
  }

  private struct Load {
    weak let load: (any LoggedLoad)?
  }

  private struct Reference {
    weak var observer: (any LoadObserver)?
  }

  /// Called when the total progress has changed.
  var onProgress: ((LoadProgress) -> Void)?

  private var sum = LoadSum()
  /// The loads of each item that have not ended; with the key `nil`, the loads of the whole drop.
  private var pending: [Int?: [Int: Load]] = [:]
  /// The observers of each item; with the key `nil`, the observers of all loads.
  private var observers: [Int?: [Reference]] = [:]
  /// The number of the newest load.
  private var lastNumber = 0
  /// Whether the content was dropped, and whether the drop is over.
  private var isOpen = false
  private var isOver = false
  /// Whether a load has ended with content, and whether one has failed.
  private(set) var hasLoaded = false
  private(set) var hasFailed = false
  /// Whether a load of a listed file's content has begun.
  private(set) var hasReadFile = false

  var progress: LoadProgress { sum.progress }

  /// Records loads from now on. Called at the drop.
  func open() { isOpen = true }

  func noteFile() { hasReadFile = true }

  /// Adds a load.
  ///
  /// - Parameters:
  ///   - item: The item to load from; `nil` for the whole drop.
  /// - Returns: `nil` before the drop, and if it is over.
  func begin(_ load: any LoggedLoad, item: Int?) -> Entry? {
    guard isOpen, !isOver else { return nil }
    lastNumber += 1
    let entry = Entry(log: self, number: lastNumber, item: item)
    pending[item, default: [:]][lastNumber] = Load(load: load)
    entry.receive(.began, after: load.amount)
    return entry
  }

  private func receive(_ event: LoadEvent, after last: LoadAmount, of load: Entry) {
    let observers = observers(of: load.item)
    if case .ended(let error) = event {
      pending[load.item]?[load.number] = nil
      if error == nil { hasLoaded = true } else { hasFailed = true }
    }
    sum.receive(event, after: last)
    for observer in observers { observer.receive(event, after: last) }
    if event != .concluded { onProgress?(progress) }
  }

  private func observers(of item: Int?) -> [any LoadObserver] {
    ((observers[nil] ?? []) + (item.flatMap { observers[$0] } ?? [])).compactMap(\.observer)
  }

  // MARK: Observers

  /// Reports the current loads to an observer, and later events as they happen.
  func add(_ observer: any LoadObserver) {
    guard !isOver else { return observer.dropEnded(nil) }
    let others = observers[observer.observedItem]?.filter { $0.observer != nil } ?? []
    observers[observer.observedItem] = others + [Reference(observer: observer)]
    for load in loads(of: observer.observedItem) {
      observer.receive(.began, after: LoadAmount())
      observer.receive(.progressed(load.amount), after: LoadAmount())
    }
  }

  /// Cancels the loads that an observer observes.
  func cancelLoads(of observer: any LoadObserver) {
    for load in loads(of: observer.observedItem) { load.cancel() }
  }

  /// The loads that have not ended, oldest first.
  ///
  /// - Parameter item: The item of the loads; `nil` for all loads of the drop.
  private func loads(of item: Int?) -> [any LoggedLoad] {
    let loads = item == nil ? pending.values.flatMap(\.self) : pending[item].map(Array.init) ?? []
    return loads.sorted { $0.key < $1.key }.compactMap(\.value.load)
  }

  /// Notes the end of the drop, and ends the loads. Only the first call has an effect.
  func end(_ error: XDnDError?) {
    guard !isOver else { return }
    isOver = true
    let ended = observers.sorted { ($0.key ?? -1) < ($1.key ?? -1) }.flatMap(\.value)
    observers = [:]
    for reference in ended { reference.observer?.dropEnded(error) }
    for load in loads(of: nil) { load.dropEnded(error) }
  }
}
