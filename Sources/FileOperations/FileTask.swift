internal import CFileSystem
internal import Glibc
internal import Synchronization

/// An operation that goes on while its owner does other things.
///
/// The work is done on a thread of its own. What it has to say is kept until its owner calls ``process()``, so that the
/// handler is called on the owner's thread only. The owner waits for ``fileDescriptor`` next to whatever else it waits
/// for. Without an owner, the work is cancelled.
public final class FileTask {
  /// What a task has to say.
  public enum Event {
    /// How far it is. Only the newest is told.
    case progress(FileProgress)
    /// A question, to be answered with ``FileTask/answer(_:)``, now or later. There is one at a time.
    case conflict(Conflict)
    /// All is done. Nothing comes after it.
    case finished(OperationReport)
  }

  private let mailbox: Mailbox
  private let handler: (Event) -> Void
  /// Whether ``Event/finished(_:)`` has been told.
  public private(set) var isFinished = false

  /// Begins an operation.
  ///
  /// - Parameter handler: Called from ``process()`` only.
  /// - Throws: If the process may not have another descriptor or thread.
  public convenience init(
    _ operation: FileOperation, trash: Trash = Trash(), handler: @escaping (Event) -> Void
  ) throws(FileError) {
    try self.init(handler) { mailbox in
      OperationRunner(operation, trash: trash, meter: mailbox.meter, desk: mailbox).run()
    }
  }

  /// Begins to take something back.
  ///
  /// - Parameter handler: Called from ``process()`` only.
  /// - Throws: If the process may not have another descriptor or thread.
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

  /// Readable when ``process()`` has something to tell.
  public var fileDescriptor: CInt { mailbox.bell }

  /// Tells what there is to tell.
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

  /// Answers the question that was asked last.
  public func answer(_ answer: ConflictAnswer) { mailbox.answer(answer) }

  /// Ends it as soon as possible. What is done stays done, what is half done is removed; the report follows.
  public func cancel() { mailbox.cancel() }
}

/// What the thread and the owner have in common.
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

  /// An eventfd: readable from the first news to the next ``collect()``.
  let bell: CInt
  /// Another, for the thread that waits for an answer.
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
      // There was no question, or it has been answered.
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
