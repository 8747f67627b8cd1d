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
        let mark = list.mark(ofRow: index)
        let state: Row.State =
          if selection.rows.contains(index) {
            .selected
          } else if dragged.contains(index) {
            .highlighted
          } else {
            mark != nil ? .dimmed : .plain
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
  /// Leaves the rows alone, which say what the window waits for before it closes.
  ///
  /// - Parameter answer: The row that was dropped on a target that has not finished, and what that is called.
  mutating func finish(_ activities: [Int: RowActivity], waitingForAnswer answer: (row: Int, target: String?)?) {
    (title, handle, footer, hints) = ("", nil, "", [])
    if let answer, rows.indices.contains(answer.row) {
      let target = answer.target.map(Formatting.quoted) ?? "the other program"
      rows[answer.row].secondary = "Waiting for an answer in \(target)"
    }
    for (row, activity) in activities where rows.indices.contains(row) {
      rows[row].secondary = ["Finishing…", activity.rest ?? activity.amount].compactMap(\.self).joined(separator: " ")
      rows[row].wraps = false
    }
  }
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
