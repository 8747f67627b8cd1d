internal import Glibc

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

  private struct Contents {
    var progress: FileProgress?
    var question: Conflict?
    var report: OperationReport?
  }

  private let mailbox: Mailbox<Contents>
  private let conflicts: ConflictChannel
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
    try self.init(handler) { meter, conflicts in
      OperationRunner(operation, trash: trash, meter: meter, conflicts: conflicts).run()
    }
  }

  /// Starts to undo an operation.
  ///
  /// - Parameter handler: Called from ``process()`` only.
  /// - Throws: `FileError` if the process cannot open another descriptor or start another thread.
  public convenience init(
    undoing undoable: Undoable, trash: Trash = Trash(), handler: @escaping (Event) -> Void
  ) throws(FileError) {
    try self.init(handler) { meter, _ in UndoRunner(undoable: undoable, trash: trash, meter: meter).run() }
  }

  private init(
    _ handler: @escaping (Event) -> Void, _ work: @escaping @Sendable (Meter, ConflictChannel) -> OperationReport
  ) throws(FileError) {
    let mailbox = try Mailbox(Contents())
    let conflicts = try ConflictChannel { conflict in mailbox.post { $0.question = conflict } }
    (self.mailbox, self.conflicts, self.handler) = (mailbox, conflicts, handler)
    try WorkerThread.start {
      let meter = Meter(
        report: { progress in mailbox.post { $0.progress = progress } }, isCancelled: { mailbox.isCancelled })
      let report = work(meter, conflicts)
      mailbox.post { $0.report = report }
    }
  }

  deinit { cancel() }

  /// A descriptor that is readable when ``process()`` has events to deliver. The task owns and closes it.
  public var fileDescriptor: CInt { mailbox.descriptor }

  /// Delivers pending events to the handler, without blocking.
  public func process() {
    guard !isFinished else { return }
    let contents = mailbox.collect()
    if let progress = contents.progress { handler(.progress(progress)) }
    if let question = contents.question { handler(.conflict(question)) }
    if let report = contents.report {
      isFinished = true
      handler(.finished(report))
    }
  }

  /// Answers the open conflict. Ignored if there is none.
  ///
  /// - Parameter forAll: Whether the choice is made in all further conflicts, too. They are not asked about.
  public func answer(_ choice: ConflictChoice, forAll: Bool = false) {
    conflicts.put(ConflictChannel.Answer(choice: choice, isForAll: forAll))
  }

  /// Cancels the operation as soon as possible. Finished items stay, a half-copied item is removed, and
  /// ``Event/finished(_:)`` follows.
  public func cancel() {
    mailbox.cancel()
    conflicts.close()
  }
}
