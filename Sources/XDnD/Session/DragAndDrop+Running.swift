import Glibc

extension DragAndDrop {
  /// Runs in a blocking loop for as long as `condition` holds. Not for a borrowed display, whose events the host reads.
  ///
  /// - Parameters:
  ///   - deadline: When to look at the condition although nothing has happened; asked before each wait.
  ///   - condition: Looked at after each turn.
  /// - Throws: ``XDnDError/Code/displayClosed``.
  public func run(
    wakingAt deadline: () -> ContinuousClock.Instant? = { nil }, while condition: () -> Bool
  ) throws(XDnDError) {
    while true {
      try process()
      guard condition() else { return }
      wait(until: [nextDeadline, deadline()].compactMap { $0 }.min())
    }
  }

  /// Sleeps until something arrives or the deadline passes; signals end the sleep too.
  private func wait(until deadline: ContinuousClock.Instant?) {
    var milliseconds: CInt = -1
    if let deadline {
      let (seconds, attoseconds) = (deadline - .now).components
      // Rounded up: waking a moment too early would be a turn for nothing.
      let exact = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
      milliseconds = CInt(clamping: max(0, exact))
    }
    var descriptor = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&descriptor, 1, milliseconds)
  }
}
