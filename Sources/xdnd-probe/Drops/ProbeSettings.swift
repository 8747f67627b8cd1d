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

  /// Whether drops are merely displayed: nothing is saved, written, printed or passed to a command.
  private var isOnlyShown: Bool { saving == nil && output == nil && printer == nil && drops.command == nil }

  /// The available views. The trial view exists only if drops are merely displayed.
  var views: [ProbeView] { isOnlyShown && !drops.confirms ? ProbeView.allCases : [.live, .history] }

  /// Returns the answer for a part of the window where drops are processed as the options say.
  ///
  /// What is merely displayed stays with the source, so a copy is proposed in place of the accepted operation: after a
  /// move the source would delete content that is stored nowhere.
  func proposal(for suggested: DropProposal) -> DropProposal {
    var proposal = suggested
    if isOnlyShown, suggested.operation != nil { proposal.operation = .copy }
    return proposal
  }
}
