import XDnD

/// The options of the window, checked and with defaults.
struct ProbeSettings {
  let offer: DropOffer
  let extent: DropReader.Extent
  let limits: TransferLimits
  let explains: Bool
  /// Where content is written (`--output`).
  let output: OutputDestination?
  let computesChecksums: Bool
  /// How drops are saved as files; `nil` without `--save`.
  let saving: SaveSettings?
  /// What is printed on standard output; `nil` for reports.
  let printer: ContentPrinter?
  let drops: DropOptions
  /// Whether every position is reported, not only changes.
  let isVerbose: Bool
  /// The number of drops after which the tool ends; `nil` for no limit.
  let dropLimit: Int?

  /// The available views. The trial view exists only if drops are merely displayed.
  var views: [ProbeView] {
    let isOnlyShown = saving == nil && output == nil && printer == nil && drops.command == nil && !drops.confirms
    return isOnlyShown ? ProbeView.allCases : [.live, .history]
  }
}
