import XDnDToolSupport
import XDnDToolWindow

extension Scene {
  /// Creates the scene of a list, without a footer.
  ///
  /// - Parameters:
  ///   - drags: The drags that have not ended.
  ///   - activities: The progress of long deliveries, by row.
  init(
    of list: RowList, selection: RowSelection, drags: [DragLog], activities: [Int: RowActivity], options: WindowOptions
  ) {
    let dragged = Set(drags.flatMap(\.rows))
    self.init(
      title: list.isEmpty ? "" : "Drag from here",
      rows: list.indices.map { index in
        let row = list[index]
        let state: Row.State =
          if row.mark == .moved {
            .dimmed
          } else if selection.rows.contains(index) {
            .selected
          } else if dragged.contains(index) {
            .highlighted
          } else {
            row.mark != nil ? .dimmed : .plain
          }
        return Row(row, state: state, activities[index], options: options)
      },
      placeholder: list.isComplete ? "" : "Waiting for file names")
    focusedRow = selection.cursor
    let hasTexts = options.rows != .icons
    if !list.isEmpty, hasTexts { hints = ["Return starts a drag", "Ctrl+C copies"] }
    guard list.count > 1 else { return }
    // The heading that drags all rows.
    var handle = Handle(
      "All items", badge: Formatting.number(list.presentCount), details: hasTexts ? list.totalSize : "")
    handle.isHighlighted = drags.contains { $0.rows.count == list.count }
    self.handle = handle
  }
}

/// A drop whose target has received all requested content, but has not sent `XdndFinished`: it may be asking its user.
struct AnswerWait: Hashable {
  /// The first row that was dropped.
  var row: Int
  /// The name of the target; `nil` if it has none.
  var target: String?

  /// Returns the name of the target, or the number of targets, for display.
  static func targets(of waits: [AnswerWait]) -> String {
    let names = Set(waits.map(\.target))
    return names.count > 1
      ? Formatting.count(names.count, "program") : names.first?.map(Formatting.quoted) ?? "the other program"
  }
}

extension Scene {
  /// Keeps only the rows of drops that must finish before the window closes, and shows what each waits for.
  ///
  /// - Parameters:
  ///   - waits: The drops whose targets have not finished.
  ///   - others: The rows of other unfinished drops, which are kept only without any `activities` and `waits`.
  /// - Returns: The previous indices of the kept rows.
  mutating func finish(
    _ activities: [Int: RowActivity], waitingForAnswers waits: [AnswerWait], others: [Int]
  ) -> [Int] {
    (title, handle, footer, hints, focusedRow) = ("", nil, "", [], nil)
    let shown = Set(activities.keys).union(waits.map(\.row))
    let pending = (shown.isEmpty ? others : shown.sorted()).filter(rows.indices.contains)
    rows = pending.map { index in
      var row = rows[index]
      row.wraps = false
      if let activity = activities[index] {
        row.secondary = ["Finishing…", activity.rest.map { "\($0) left" } ?? activity.amount].compactMap(\.self)
          .joined(separator: " ")
      } else {
        let own = waits.filter { $0.row == index }
        row.secondary = own.isEmpty ? "Finishing…" : "Waiting for \(AnswerWait.targets(of: own))"
      }
      return row
    }
    return pending
  }
}

extension Scene.Row {
  fileprivate init(_ row: SourceRow, state: State, _ activity: RowActivity?, options: WindowOptions) {
    let hasTexts = options.rows != .icons
    let note = row.mark?.rawValue ?? row.failure
    self.init(
      hasTexts ? row.title : "",
      // A blank second line keeps the row and its icon at the full height.
      secondary: hasTexts ? activity?.words ?? note ?? row.details : " ", state: state, progress: activity?.progress,
      action: activity?.action, icon: row.icon, wraps: activity != nil)
  }
}
