import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// The long deliveries of dragged content. One row of each drag shows the progress, and has a button to cancel.
final class Deliveries {
  /// Called when rows must be redrawn.
  var onChange: (() -> Void)?

  /// Returns the index of a row in the window; `nil` if the user has closed the window, which no longer shows it.
  var placeInWindow: (Int) -> Int? = { $0 }

  /// The deliveries in progress, the newest last.
  private var deliveries: [Delivery] = []
  private let window: ToolWindow
  private let session: DriverSession

  private final class Delivery {
    let log: DragLog
    let work: RowWork
    /// The row and its activity, once the delivery has taken long enough.
    var shown: (row: Int, activity: RowActivity)?

    init(of log: DragLog, _ work: RowWork) {
      self.log = log
      self.work = work
    }
  }

  init(in window: ToolWindow, _ session: DriverSession) {
    self.window = window
    self.session = session
  }

  /// Shows the deliveries of a drag from now on.
  func follow(_ log: DragLog) {
    var earlier = log.drag.progress
    log.drag.onProgress = { [weak self, weak log] progress in
      if let self, let log { received(progress, of: log, after: earlier) }
      if progress.pendingLoadCount == 0 { earlier = progress }
    }
  }

  // MARK: Progress

  /// - Parameter earlier: The total progress of the drag's earlier deliveries.
  private func received(_ progress: LoadProgress, of log: DragLog, after earlier: LoadProgress) {
    let delivery = deliveries.first { $0.log === log }
    guard progress.pendingLoadCount > 0 else {
      deliveries.removeAll { $0 === delivery }
      onChange?()
      return
    }
    let work = delivery?.work ?? begin(of: log)
    let sent = progress.receivedByteCount - earlier.receivedByteCount
    work.advance(to: sent, of: progress.expectedByteCount.map { $0 - (earlier.expectedByteCount ?? 0) })
  }

  private func begin(of log: DragLog) -> RowWork {
    let verb = log.rows.count == 1 ? "sending" : "sending \(Formatting.count(log.rows.count, "item"))"
    let work = RowWork(verb, .cancel, on: session.loop, end: { [weak log] in log?.cancelDelivery() }) {
      [weak self, weak log] in
      if let self, let log { show($0, of: log) }
    }
    deliveries.append(Delivery(of: log, work))
    return work
  }

  private func show(_ activity: RowActivity, of log: DragLog) {
    guard let delivery = deliveries.first(where: { $0.log === log }),
      let row = delivery.shown?.row ?? log.rows.first(where: { window.isVisible(row: $0) }) ?? log.rows.first
    else { return }
    let isNew = delivery.shown == nil
    delivery.shown = (row, activity)
    onChange?()
    guard isNew, window.isMapped, let place = placeInWindow(row),
      let report = Report.busy(activity, inRow: place, of: window)
    else { return }
    session.reporter.printForPrograms(report)
  }

  // MARK: Rows

  /// The activity that each row shows. For several deliveries, this is their number, and the progress of the newest.
  var activities: [Int: RowActivity] {
    Dictionary(grouping: deliveries.compactMap(\.shown), by: \.row).compactMapValues { shown in
      guard var activity = shown.last?.activity else { return nil }
      if shown.count > 1 { activity.words = "sending \(Formatting.count(shown.count, "drop"))" }
      return activity
    }
  }

  /// The progress of the newest delivery that is shown, in percent; `nil` if there is none, or if its progress is
  /// unknown.
  var percent: Int? { deliveries.last { $0.shown != nil }?.shown?.activity.percent }

  /// Cancels the deliveries that a row shows.
  func cancel(shownInRow row: Int) {
    for delivery in deliveries where delivery.shown?.row == row { delivery.work.stop() }
  }

  /// Cancels the newest delivery of a row, and all others that are shown in the same row, which may be another row of
  /// the drag.
  ///
  /// - Parameter row: `nil` for the newest delivery of any row.
  /// - Returns: Whether there was a delivery to cancel.
  func cancel(ofRow row: Int?) -> Bool {
    let newest = deliveries.last { delivery in
      delivery.shown != nil && row.map { delivery.log.rows.contains($0) } ?? true
    }
    guard let shown = newest?.shown else { return false }
    cancel(shownInRow: shown.row)
    return true
  }
}
