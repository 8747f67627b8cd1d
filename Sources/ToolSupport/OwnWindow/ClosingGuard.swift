/// Decides whether Escape closes a tool's window.
///
/// Escape cancels a drag. If the user presses it twice, the second press arrives when the drag is over and the window
/// has the keyboard again. It must not close the window, so Escape does nothing for a second after each drag.
package struct ClosingGuard: Equatable, Sendable {
  /// How long Escape does nothing after a drag.
  package static let patience = Duration.seconds(1)

  private var lastEnd: ContinuousClock.Instant?

  package init() {}

  /// Records the end of a drag, whatever its outcome.
  package mutating func dragEnded(at now: ContinuousClock.Instant) { lastEnd = now }

  /// Whether Escape closes the window. An ignored press does not prolong the wait.
  package func closesOnEscape(at now: ContinuousClock.Instant) -> Bool {
    lastEnd.map { now - $0 >= Self.patience } ?? true
  }
}
