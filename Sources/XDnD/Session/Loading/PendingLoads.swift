/// The loads of drops and clipboards that are under way, each with its transfer, and those of items of this process.
///
/// Only the ``DragAndDrop`` retains it. Loads that are under way at its end are cancelled.
final class PendingLoads {
  let reactor: Reactor
  /// The default limit of loads into a file and as chunks, in bytes.
  let fileLimit: Int
  let typeDatabase: TypeDatabase
  private let doorbell: Doorbell
  private var tasks: [TransferID: LoadTask] = [:]
  /// The loads from items of drags within this process, oldest first.
  private var localLoads: [LocalLoad] = []

  init(_ reactor: Reactor, doorbell: Doorbell, _ configuration: Configuration) {
    self.reactor = reactor
    self.doorbell = doorbell
    fileLimit = configuration.maximumFileTransferSize
    typeDatabase = configuration.typeDatabase
  }

  deinit {
    // No driver will run these loads any more, and tasks may await them.
    for task in tasks.values { task.end(.failure(XDnDError(cancelled: task.type))) }
    for load in localLoads { load.cancel() }
  }

  var count: Int { tasks.count + localLoads.count }

  var isClosed: Bool { reactor.system.isClosed }

  /// - Parameter byteCount: The largest number of bytes to accept; `nil` for the default.
  func limits(_ byteCount: Int?) -> IncomingTransfer.Limits {
    var limits = reactor.timing.incoming
    if let byteCount { limits.byteCount = byteCount }
    return limits
  }

  /// Connects a transfer that has begun with its task.
  func follow(_ transfer: TransferID, with task: LoadTask) {
    tasks[transfer] = task
    task.control = { [weak reactor] in reactor?.give(.load(transfer, $0)) }
  }

  func receive(_ notice: Notice.LoadNotice, _ transfer: TransferID) {
    guard let task = tasks[transfer] else { return }
    switch notice {
    case .progressed(let received, let expected): task.report(received, expected)
    case .ended(let result):
      tasks[transfer] = nil
      switch result {
      case .complete(let header): task.end(.success(ContentType(header.type)))
      case .failed(.ownerVanished) where isClosed: task.end(.failure(.displayClosed))
      case .failed(let failure): task.end(.failure(XDnDError(failure, type: task.type)))
      }
    }
  }

  // MARK: Within the process

  /// Begins a load from an item of a drag within this process, in the next turn of the run loop.
  func begin(_ load: LocalLoad) {
    localLoads.append(load)
    wake()
  }

  func forget(_ load: LocalLoad) { localLoads.removeAll { $0 === load } }

  /// Cancels the loads of a drop that is over.
  func dropEnded(_ session: SessionID) {
    for load in localLoads where load.session == session { load.cancel() }
  }

  /// Tells the run loop that a load can go on: ``nextDeadline`` has passed.
  func wake() { reactor.perform { _ in } }

  var nextDeadline: LoopTime? {
    if localLoads.isEmpty { return nil }
    let now = reactor.now
    return localLoads.earliest { $0.nextDeadline(at: now) }
  }

  func advance() {
    for load in localLoads { load.advance(at: reactor.now, doorbell: doorbell) }
  }
}
