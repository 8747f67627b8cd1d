import XDnDToolSupport
import XDnDToolWindow

extension Scene {
  /// Creates the scene of a list, without a footer.
  ///
  /// - Parameters:
  ///   - drags: The drags that have not ended.
  ///   - activities: What rows show of deliveries that take long.
  init(
    of list: RowList, selection: RowSelection, drags: [DragLog], activities: [Int: RowActivity], options: WindowOptions
  ) {
    let dragged = Set(drags.flatMap(\.rows))
    self.init(
      title: list.isEmpty ? "" : "Drag from here",
      rows: list.indices.map { index in
        let mark = list.mark(ofRow: index) ?? list.failure(ofRow: index)
        let state: Row.State =
          if list.isMoved(index) {
            .dimmed
          } else if selection.rows.contains(index) {
            .selected
          } else if dragged.contains(index) {
            .highlighted
          } else {
            list.mark(ofRow: index) != nil ? .dimmed : .plain
          }
        return Row(list[index], mark: mark, state: state, activities[index], options: options)
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

extension Scene {
  /// Leaves the rows alone that the window waits for before it closes. They say so.
  ///
  /// - Parameters:
  ///   - answer: The row that was dropped on a target that has not finished, and what that is called.
  ///   - others: The rows of drops that have not got far enough for either.
  /// - Returns: The indices of these rows before.
  mutating func finish(
    _ activities: [Int: RowActivity], waitingForAnswer answer: (row: Int, target: String?)?, others: [Int]
  ) -> [Int] {
    (title, handle, footer, hints, focusedRow) = ("", nil, "", [], nil)
    let shown = Set(activities.keys).union([answer?.row].compactMap(\.self))
    let pending = (shown.isEmpty ? others : shown.sorted()).filter(rows.indices.contains)
    rows = pending.map { index in
      var row = rows[index]
      row.wraps = false
      if let activity = activities[index] {
        row.secondary = ["Finishing…", activity.rest ?? activity.amount].compactMap(\.self).joined(separator: " ")
      } else {
        row.secondary = answer.map { Self.waiting(for: $0.target) } ?? "Finishing…"
      }
      return row
    }
    return pending
  }

  /// Says that a target has been dropped on, which may ask its user now.
  ///
  /// - Parameter target: What it is called.
  static func waiting(for target: String?) -> String { "Waiting for \(name(ofTarget: target))" }

  static func name(ofTarget target: String?) -> String { target.map(Formatting.quoted) ?? "the other program" }
}

extension Scene.Row {
  fileprivate init(
    _ row: SourceRow, mark: String?, state: State, _ activity: RowActivity?, options: WindowOptions
  ) {
    let hasTexts = options.rows != .icons
    self.init(
      hasTexts ? row.title : "",
      // A blank second line keeps the row and its icon at the full height.
      secondary: hasTexts ? activity?.words ?? mark ?? row.details : " ", state: state, progress: activity?.progress,
      action: activity?.action, icon: row.icon, wraps: activity != nil)
  }
}
