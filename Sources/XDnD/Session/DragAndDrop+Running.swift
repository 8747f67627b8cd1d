import Glibc

extension DragAndDrop {
  /// Runs a blocking event loop as long as `condition` holds. Not for a borrowed connection, whose events the host
  /// reads.
  ///
  /// - Parameters:
  ///   - deadline: Returns when to evaluate the condition again at the latest; `nil` for no deadline. Called before
  ///     each wait.
  ///   - condition: Evaluated after each call of ``process()``.
  /// - Throws: ``XDnDError/Code/displayClosed`` once the connection is lost.
  public func run(
    wakingAt deadline: () -> ContinuousClock.Instant? = { nil }, while condition: () -> Bool
  ) throws(XDnDError) {
    while true {
      try process()
      guard condition() else { return }
      wait(until: [nextDeadline, deadline()].compactMap { $0 }.min())
    }
  }

  /// Sleeps until something arrives or the deadline passes. A signal ends the sleep, too.
  private func wait(until deadline: ContinuousClock.Instant?) {
    var descriptor = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&descriptor, 1, deadline?.pollTimeout ?? -1)
  }
}
