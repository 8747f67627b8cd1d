internal import XDnDLinux
internal import Glibc
internal import Synchronization

/// The open question of an operation, and the answer of the task's owner, which may take any time.
final class ConflictChannel: Sendable {
  struct Answer {
    let choice: ConflictChoice
    /// Whether the choice is made in all further conflicts, too.
    let isForAll: Bool
  }

  private struct State {
    var isAsking = false
    var answer: Answer?
    var isClosed = false
  }

  private let onQuestion: @Sendable (Conflict) -> Void
  /// An eventfd on which the worker thread waits.
  private let reply: CInt
  private let state = Mutex(State())

  init(onQuestion: @escaping @Sendable (Conflict) -> Void) throws(FileError) {
    self.onQuestion = onQuestion
    reply = eventfd(0, CInt(EFD_CLOEXEC))
    guard reply >= 0 else { throw .tooManyFiles }
  }

  deinit { Glibc.close(reply) }

  // MARK: The worker thread's side

  func ask(_ conflict: Conflict) {
    state.withLock { $0.isAsking = true }
    onQuestion(conflict)
  }

  /// The answer given since, without waiting.
  func takeAnswer() -> Answer? {
    state.withLock { state in
      guard let answer = state.answer else { return nil }
      state.answer = nil
      state.isAsking = false
      return answer
    }
  }

  /// Blocks until there is an answer; `nil` if the operation was cancelled.
  func waitForAnswer() -> Answer? {
    while true {
      if let answer = takeAnswer() { return answer }
      if state.withLock({ $0.isClosed }) { return nil }
      var count: eventfd_t = 0
      eventfd_read(reply, &count)
    }
  }

  // MARK: The owner's side

  /// Ignored if no conflict is open, or if it has been answered.
  func put(_ answer: Answer) {
    state.withLock { if $0.isAsking, $0.answer == nil { $0.answer = answer } }
    eventfd_write(reply, 1)
  }

  /// Ends the wait for an answer.
  func close() {
    state.withLock { $0.isClosed = true }
    eventfd_write(reply, 1)
  }
}
