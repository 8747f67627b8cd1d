/// Represents dropped content in an application's list while the content is loaded. The counterpart of
/// `UICollectionViewDropPlaceholder` and `UITableViewDropPlaceholder`, without a view.
///
/// ```swift
/// func performDrop(_ drop: DropSession) {
///   for item in drop.items {
///     let placeholder = DropPlaceholder(for: item)
///     placeholder.onChange = { [weak self] in self?.redraw($0) }
///     rows.append(.placeholder(placeholder))
///     item.load(Photo.self) { [weak self] result in
///       self?.replace(placeholder, with: try? result.get())
///     }
///   }
/// }
/// ```
///
/// It follows all loads, present and later, with a completion or with `async`:
///
/// - for a whole drop, all its loads, including those of its items and a direct save;
/// - for one of several items, the loads of any `DropItem` with the same ``DropItem/index``. The load of an array from
///   the drop is one load of the whole drop.
///
/// It ends when its loads have ended: after the completion of the last one, which may begin another load instead of a
/// failed one. The end of the drop ends it, too.
///
/// It does not retain the drop, and does not answer it: call ``DropSession/finish(_:)`` or ``DropSession/reject()``. It
/// belongs to the isolation domain of its ``DragAndDrop``.
public final class DropPlaceholder: Identifiable {
  /// The state of the content.
  public enum State: Hashable, Sendable {
    /// No load has begun.
    case waiting
    /// Content is loaded: see ``DropPlaceholder/progress``.
    case loading
    /// The load that ended last has delivered its content.
    case arrived
    /// The load that ended last has failed, or the drop has: the source is gone, or the application has not answered in
    /// time.
    case failed(XDnDError)
    /// The placeholder or the load was cancelled, or the drop was answered first.
    case cancelled
  }

  /// The position of the item in ``DropSession/items``; `nil` for the whole drop.
  public let index: Int?
  /// The types of the item or the drop, best first.
  public let types: [ContentType]
  /// The state of the content.
  public var state: State { course.state }
  /// Whether the content has arrived or failed, or was cancelled.
  public var isOver: Bool { course.isOver }
  /// The total progress of the placeholder's loads. It does not change once ``isOver`` is `true`.
  public var progress: LoadProgress { course.sum.progress }
  /// Called when ``state`` or ``progress`` has changed, also from inside the methods that begin loads. Retained as long
  /// as the placeholder.
  public var onChange: ((DropPlaceholder) -> Void)?

  let observedItem: Int?
  private var course = PlaceholderCourse()
  private weak var log: LoadLog?

  /// Creates a placeholder for one item of a drop. If it is the only item, the placeholder represents the whole drop.
  ///
  /// - Parameter item: Not retained. If its drop is over, the placeholder is cancelled.
  public convenience init(for item: DropItem) {
    self.init(index: item.index, observing: item.observedIndex, in: item.loadLog, item.types)
  }

  /// Creates a placeholder for a whole drop.
  ///
  /// - Parameter drop: Not retained. If it is over, the placeholder is cancelled.
  public convenience init(for drop: DropSession) {
    self.init(index: nil, observing: nil, in: drop.loadLog, drop.types)
  }

  private init(index: Int?, observing item: Int?, in log: LoadLog, _ types: [ContentType]) {
    self.index = index
    self.types = types
    self.log = log
    observedItem = item
    log.add(self)
  }

  /// Cancels the loads, and ends as ``State/cancelled`` at once. Does nothing after the end.
  ///
  /// The completions of the loads are called with ``XDnDError/Code/cancelled``; answer the drop there.
  public func cancel() {
    guard !isOver else { return }
    advance { $0.cancel() }
    log?.cancelLoads(of: self)
  }

  private func advance(_ change: (inout PlaceholderCourse) -> Void) {
    let (state, progress) = (state, progress)
    change(&course)
    if self.state != state || self.progress != progress { onChange?(self) }
  }
}

extension DropPlaceholder: LoadObserver {
  func receive(_ event: LoadEvent, after last: LoadAmount) { advance { $0.receive(event, after: last) } }

  func dropEnded(_ error: XDnDError?) { advance { $0.dropEnded(error) } }
}

@available(*, unavailable)
extension DropPlaceholder: Sendable {}

/// The state machine of a placeholder.
///
///     waiting ── began ──▶ loading ── the last one concluded ──▶ arrived, failed, cancelled
///        └── cancelled, drop over ──┴───────────────────────────────────────▲
struct PlaceholderCourse: Hashable, Sendable {
  private(set) var state = DropPlaceholder.State.waiting
  private(set) var sum = LoadSum()
  /// The state that follows from the load that ended last; `nil` if a load has begun since.
  private var result: DropPlaceholder.State?

  var isOver: Bool {
    switch state {
    case .waiting, .loading: false
    case .arrived, .failed, .cancelled: true
    }
  }

  /// See ``LoadObserver/receive(_:after:)``.
  mutating func receive(_ event: LoadEvent, after last: LoadAmount) {
    guard !isOver else { return }
    sum.receive(event, after: last)
    switch event {
    case .began:
      state = .loading
      result = nil
    case .progressed: break
    case .ended(let error):
      result = error.map { $0.code == .cancelled ? .cancelled : .failed($0) } ?? .arrived
    case .concluded: settle()
    }
  }

  mutating func cancel() {
    if !isOver { state = .cancelled }
  }

  /// See ``LoadObserver/dropEnded(_:)``.
  mutating func dropEnded(_ error: XDnDError?) {
    guard !isOver else { return }
    // An application answers the drop in the completion of a load, before the load is concluded.
    settle()
    if !isOver { state = error.map { .failed($0) } ?? .cancelled }
  }

  /// Takes over the result of the last load if no other is pending.
  private mutating func settle() {
    if let result, sum.progress.pendingLoadCount == 0 { state = result }
  }
}
