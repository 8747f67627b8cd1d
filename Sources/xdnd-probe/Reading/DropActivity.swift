import XDnDToolWindow

/// What is being done with a drop, as the drop's row shows it.
struct DropActivity: Equatable {
  /// What is done, and how far it is: `fetching, 12.0 MiB of 40.0 MiB, 3.0 MiB/s, 9 s left`.
  var words: String
  var progress: Scene.Row.Progress
  /// The button of the row.
  var action: Scene.Row.Action

  /// The part that is done, from 0 to 100; `nil` if the whole is unknown.
  var percent: Int? { if case .fraction(let fraction) = progress { Int(fraction * 100) } else { nil } }
}
