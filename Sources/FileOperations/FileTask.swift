internal import XDnDFiles
internal import Glibc
internal import XDnDLinux
internal import Synchronization

/// Runs a file operation on a worker thread.
///
/// The owner adds ``fileDescriptor`` to its event loop and calls ``process()`` when it is readable. Events are kept
/// until then, and the handler runs inside that call only, on the owner's thread. Releasing the task cancels the
/// operation.
public final class FileTask {
  /// A report of a task to its owner.
  public enum Event {
    /// The current progress. Older progress that was not yet delivered is dropped.
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
    try startWorker {
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
  /// - Parameter forAll: Whether to make the same choice in all further conflicts, without asking.
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

/// The open question of an operation, and the answer of the task's owner, which may come much later.
final class ConflictChannel: Sendable {
  struct Answer {
    let choice: ConflictChoice
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

  /// Returns the answer if there is one, without waiting.
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

  /// Answers the open conflict. Ignored if there is none, or if it has been answered.
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

/// The progress of a file operation.
public struct FileProgress: Hashable, Sendable {
  /// The index of the current item.
  public internal(set) var item = 0
  /// The number of items.
  public internal(set) var itemCount = 0
  /// The current file: its name, or its path below the item.
  public internal(set) var current: RawPath = []
  /// The bytes already copied.
  public internal(set) var bytesDone = 0
  /// The bytes to copy in all. A move within a file system copies none. The total may grow during the operation.
  public internal(set) var bytesTotal = 0

  /// The progress from 0 to 1: by bytes, or by items if there are no bytes to copy.
  public var fraction: Double {
    if bytesTotal > 0 { return min(1, Double(bytesDone) / Double(bytesTotal)) }
    return itemCount > 0 ? min(1, Double(item) / Double(itemCount)) : 0
  }
}

/// Counts and reports the progress of a worker thread, and throws when the operation is cancelled.
final class Meter {
  private(set) var progress = FileProgress()
  private let report: (FileProgress) -> Void
  private let isCancelled: () -> Bool

  init(report: @escaping (FileProgress) -> Void = { _ in }, isCancelled: @escaping () -> Bool = { false }) {
    self.report = report
    self.isCancelled = isCancelled
  }

  func begin(items: Int) { progress.itemCount = items }

  func begin(item: Int, _ name: RawPath) throws(FileError) {
    progress.item = item
    try at(name)
  }

  func expect(bytes: Int) { progress.bytesTotal = ByteSize.sum(progress.bytesTotal, bytes) }

  func at(_ name: RawPath) throws(FileError) {
    progress.current = name
    try advance(bytes: 0)
  }

  func advance(bytes: Int) throws(FileError) {
    progress.bytesDone = ByteSize.sum(progress.bytesDone, bytes)
    progress.bytesTotal = max(progress.bytesTotal, progress.bytesDone)
    report(progress)
    if isCancelled() { throw .cancelled }
  }

  func check() throws(FileError) { if isCancelled() { throw .cancelled } }
}

/// Starts a worker thread. The process's other threads handle signals.
func startWorker(_ run: @escaping @Sendable () -> Void) throws(FileError) {
  do {
    try DetachedThread.start(blocksSignals: true, run)
  } catch {
    throw FileError("no thread can be started", code: error.code)
  }
}

/// Passes the reports of a worker thread to the owner of its task, which waits on a descriptor.
final class Mailbox<Contents: Sendable>: Sendable {
  /// An eventfd: readable from the first change to the next ``collect()``.
  let descriptor: CInt
  private let empty: Contents
  private let state: Mutex<(contents: Contents, isCancelled: Bool)>

  init(_ empty: Contents) throws(FileError) {
    descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
    self.empty = empty
    state = Mutex((empty, false))
    guard descriptor >= 0 else { throw .tooManyFiles }
  }

  deinit { close(descriptor) }

  func signal() { eventfd_write(descriptor, 1) }

  func post(_ change: (inout Contents) -> Void) {
    state.withLock { change(&$0.contents) }
    signal()
  }

  func collect() -> Contents {
    var count: eventfd_t = 0
    eventfd_read(descriptor, &count)
    return state.withLock { state in
      defer { state.contents = empty }
      return state.contents
    }
  }

  func cancel() { state.withLock { $0.isCancelled = true } }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }
}
