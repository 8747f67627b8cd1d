import XDnD

/// The parsed options of the window.
struct ProbeSettings {
  /// The accepted types and operations.
  var offer: DropOffer
  /// How many representations are fetched.
  var extent = DropReader.Extent.first
  /// The limits for one representation: size, duration and minimum pace.
  var bounds: TransferBounds
  /// Whether to report why each type is accepted or not.
  var explains = false
  /// Where content is written (`--output`).
  var output: OutputDestination?
  /// How drops are saved as files; `nil` without `--save`.
  var saving: SaveSettings?
  /// What is printed on standard output; `nil` for reports.
  var printer: Printer?
  /// The command to run for each drop (`--exec`).
  var command: CommandTemplate?
  /// Whether the user must confirm each drop.
  var confirms = false
  /// Whether the checksums of dropped files are reported.
  var computesChecksums = false
  /// Whether dropped content can be dragged out again.
  var keeps = false
  /// The budget of the history in bytes.
  var historyBudget = DropHistory.standardBudget
  /// Whether every position is reported, not only changes.
  var isVerbose = false
  /// The number of drops after which the tool ends; `nil` for no limit.
  var dropLimit: Int?

  /// The available views. The trial view exists only if drops are merely displayed.
  var views: [ProbeView] {
    let isOnlyShown = saving == nil && output == nil && printer == nil && command == nil && !confirms
    return isOnlyShown ? ProbeView.allCases : [.live, .history]
  }
}
