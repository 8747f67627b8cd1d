import XDnDFiles
import XDnDToolSupport
import XDnDToolWindow

/// What became of one item of a drop that is saved.
struct SavedItem {
  let report: Report
  /// For display.
  let name: String
  /// What became of it, or why not, for display.
  let details: String
  var state = Scene.Row.State.plain
  /// The absolute path of the saved file; `nil` if there is none.
  var path: RawPath?
}
