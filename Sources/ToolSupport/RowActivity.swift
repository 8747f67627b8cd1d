package import XDnDToolWindow

/// Work under way, as a row shows it.
package struct RowActivity: Equatable, Sendable {
  /// The work and its progress: `receiving, 12.0 MiB of 40.0 MiB, 3.0 MiB/s, 9 s left`.
  package var words: String
  /// How much is done: `12.0 MiB of 40.0 MiB`; `nil` for nothing.
  package var amount: String?
  /// How long the rest takes: `9 s`; `nil` while that is not known.
  package var rest: String?
  /// `nil` while the work waits for the user.
  package var progress: Scene.Row.Progress?
  /// The button of the row.
  package var action: Scene.Row.Action

  package init(
    words: String, amount: String? = nil, rest: String? = nil, progress: Scene.Row.Progress?, action: Scene.Row.Action
  ) {
    self.words = words
    self.amount = amount
    self.rest = rest
    self.progress = progress
    self.action = action
  }

  /// The part that is done, from 0 to 100; `nil` if the whole is unknown.
  package var percent: Int? { if case .fraction(let fraction) = progress { Int(fraction * 100) } else { nil } }
}

extension Report {
  /// The report that a row shows work, with the center of its button in root pixels. `nil` if the row has no button, or if the
  /// window is gone.
  package static func busy(_ activity: RowActivity, inRow row: Int, of window: ToolWindow) -> Report? {
    guard let button = window.center(ofRowButton: row), let origin = window.rootOrigin else { return nil }
    return Report(
      "busy", "",
      [
        "words": .string(activity.words), "percent": activity.percent.map { .integer($0) },
        "action": .string("\(activity.action)"), "x": .integer(origin.x + button.x), "y": .integer(origin.y + button.y),
      ])
  }
}
