/// The views of the window, one per tab.
enum ProbeView: Int, CaseIterable {
  /// The drag over the window, or the last one.
  case live
  /// The past drops, and those in progress.
  case history
  /// A place to try spring-loading, autoscrolling and text insertion.
  case trial

  func title(isSaving: Bool) -> String {
    switch self {
    case .live: "Live"
    case .history: isSaving ? "Saved" : "Dropped"
    case .trial: "Try"
    }
  }
}
