import XDnD

/// What the command line wants of the window.
struct ProbeSettings {
  /// What is taken.
  var offer: DropOffer
  /// How much of it is fetched.
  var extent = Intake.Extent.first
  /// How much of one type is taken, and for how long.
  var bounds: TransferBounds
  /// Whether to say why each type is taken or not.
  var explains = false
  /// Where content is written.
  var output: Output?
  /// How drops become files; `nil` if they do not.
  var saving: SaveSettings?
  /// What standard output gets; `nil` for reports.
  var printer: Printer?
  /// What is run with each drop.
  var command: CommandTemplate?
  /// Whether the user is asked before anything is done with a drop.
  var confirms = false
  /// Whether the checksums of dropped files are reported.
  var computesChecksums = false
  /// Whether what was dropped can be dragged out again.
  var keeps = false
  /// How many bytes of what was dropped the window holds.
  var historyBudget = DropHistory.standardBudget
  /// Whether each position is reported.
  var isVerbose = false
  /// After how many drops to end; `nil` for never.
  var dropLimit: Int?
}
