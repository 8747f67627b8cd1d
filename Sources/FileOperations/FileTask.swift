internal import CLinux
internal import Glibc
internal import Synchronization

/// Runs a file operation on a worker thread.
///
/// The owner adds ``fileDescriptor`` to its event loop and calls ``process()`` when it is readable. Events are kept
/// until then, and the handler runs inside that call only, on the owner's thread. Releasing the task cancels the
/// operation.
public final class FileTask {
  /// A report of a task to its owner.
  public enum Event {
    /// The progress so far. Older progress that was not yet delivered is dropped.
    case progress(FileProgress)
    /// A conflict that the owner has to answer with ``FileTask/answer(_:)``, now or later. Only one is open at a time.
    case conflict(Conflict)
    /// The operation has ended. No event follows.
    case finished(OperationReport)
  }

  private let mailbox: Mailbox
  private let handler: (Event) -> Void
  /// Whether ``Event/finished(_:)`` has been delivered.
  public private(set) var isFinished = false

  /// Starts an operation.
  ///
  /// - Parameter handler: Called from ``process()`` only.
  /// - Throws: `FileError` if the process cannot open another descriptor or start another thread.
  public convenience init(
    _ operation: FileOperation, trash: Trash = Trash(), handler: @escaping (Event) -> Void
  ) throws(FileError) {
    try self.init(handler) { mailbox in
      OperationRunner(operation, trash: trash, meter: mailbox.meter, desk: mailbox).run()
    }
  }

  /// Starts to undo an operation.
  ///
  /// - Parameter handler: Called from ``process()`` only.
  /// - Throws: `FileError` if the process cannot open another descriptor or start another thread.
  public convenience init(
    undoing undoable: Undoable, trash: Trash = Trash(), handler: @escaping (Event) -> Void
  ) throws(FileError) {
    try self.init(handler) { mailbox in
      UndoRunner(undoable: undoable, trash: trash, meter: mailbox.meter).run()
    }
  }

  private init(
    _ handler: @escaping (Event) -> Void, _ work: @escaping @Sendable (Mailbox) -> OperationReport
  ) throws(FileError) {
    let mailbox = try Mailbox()
    self.mailbox = mailbox
    self.handler = handler
    try WorkerThread.start { mailbox.finish(with: work(mailbox)) }
  }

  deinit { mailbox.cancel() }

  /// A descriptor that is readable when ``process()`` has events to deliver. The task owns and closes it.
  public var fileDescriptor: CInt { mailbox.bell }

  /// Delivers pending events to the handler, without blocking.
  public func process() {
    guard !isFinished else { return }
    let news = mailbox.collect()
    if let progress = news.progress { handler(.progress(progress)) }
    if let question = news.question { handler(.conflict(question)) }
    if let report = news.report {
      isFinished = true
      handler(.finished(report))
    }
  }

  /// Answers the open conflict. Ignored if there is none.
  public func answer(_ answer: ConflictAnswer) { mailbox.answer(answer) }

  /// Cancels the operation as soon as possible. Finished items stay, a half-copied item is removed, and
  /// ``Event/finished(_:)`` follows.
  public func cancel() { mailbox.cancel() }
}

/// The state that the worker thread and the owner share.
private final class Mailbox: ConflictDesk, Sendable {
  struct News {
    var progress: FileProgress?
    var question: Conflict?
    var report: OperationReport?
  }

  private struct State {
    var news = News()
    var answer: ConflictAnswer?
    var isAsking = false
    var isCancelled = false
  }

  /// An eventfd: readable from the first undelivered event to the next ``collect()``.
  let bell: CInt
  /// An eventfd on which the worker thread waits for an answer.
  private let reply: CInt
  private let state = Mutex(State())

  init() throws(FileError) {
    bell = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
    reply = eventfd(0, CInt(EFD_CLOEXEC))
    guard bell >= 0, reply >= 0 else { throw FileError("no more files can be opened", code: EMFILE) }
  }

  deinit {
    close(bell)
    close(reply)
  }

  var meter: Meter {
    Meter(
      report: { [self] progress in tell { $0.progress = progress } },
      isCancelled: { [self] in state.withLock { $0.isCancelled } })
  }

  private func tell(_ change: (inout News) -> Void) {
    state.withLock { change(&$0.news) }
    eventfd_write(bell, 1)
  }

  func collect() -> News {
    var count: eventfd_t = 0
    eventfd_read(bell, &count)
    return state.withLock { state in
      defer { state.news = News() }
      return state.news
    }
  }

  func finish(with report: OperationReport) { tell { $0.report = report } }

  func cancel() {
    state.withLock { $0.isCancelled = true }
    eventfd_write(reply, 1)
  }

  func answer(_ answer: ConflictAnswer) {
    state.withLock { state in
      // No conflict is open, or it has been answered.
      guard state.isAsking, state.answer == nil else { return }
      state.answer = answer
    }
    eventfd_write(reply, 1)
  }

  // MARK: Questions

  func ask(_ conflict: Conflict) {
    state.withLock { $0.isAsking = true }
    tell { $0.question = conflict }
  }

  func takeAnswer() -> ConflictAnswer? {
    state.withLock { state in
      guard let answer = state.answer else { return nil }
      state.answer = nil
      state.isAsking = false
      return answer
    }
  }

  func waitForAnswer() -> ConflictAnswer? {
    while true {
      if let answer = takeAnswer() { return answer }
      if state.withLock({ $0.isCancelled }) { return nil }
      var count: eventfd_t = 0
      eventfd_read(reply, &count)
    }
  }
}
