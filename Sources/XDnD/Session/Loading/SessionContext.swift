/// What the application's drags, drops and clipboards share: the driver, the settings, and the unfinished loads.
///
/// Only the ``DragAndDrop`` retains it. The loads are cancelled when it is deallocated.
final class SessionContext {
  let reactor: Reactor
  let doorbell: Doorbell
  let configuration: Configuration
  /// The tasks of the unfinished loads.
  private var tasks: [TransferID: LoadTask] = [:]

  init(_ reactor: Reactor, doorbell: Doorbell, _ configuration: Configuration) {
    self.reactor = reactor
    self.doorbell = doorbell
    self.configuration = configuration
  }

  deinit {
    // No driver will run these loads any more, and tasks may await them.
    for task in tasks.values { task.endStep(.failure(XDnDError(cancelled: task.type))) }
  }

  var loadCount: Int { tasks.count }

  var isClosed: Bool { reactor.system.isClosed }

  /// Begins a transfer of a task, which receives its notices.
  ///
  /// - Returns: `nil` if there is nothing to transfer.
  func begin(_ task: LoadTask, _ start: (SessionContext) -> TransferID?) -> TransferID? {
    reactor.perform { _ in
      let transfer = start(self)
      if let transfer { tasks[transfer] = task }
      return transfer
    }
  }

  /// Ends the loads of a drop that is over.
  ///
  /// - Parameter error: Why the drop has failed; `nil` if the application has answered it, which cancels the loads.
  func dropEnded(_ session: SessionID, _ error: XDnDError?) {
    for (transfer, task) in tasks.sorted(by: { $0.key < $1.key }) where task.loads(from: session) {
      tasks[transfer] = nil
      task.endStep(.failure(error ?? XDnDError(cancelled: task.type)))
    }
  }

  func receive(_ notice: Notice.LoadNotice, _ transfer: TransferID) {
    guard let task = tasks[transfer] else { return }
    switch notice {
    case .contentNeeded(let type): task.provide(type, to: transfer)
    case .progressed(let received, let expected): task.report(received, expected)
    case .ended(let result):
      tasks[transfer] = nil
      switch result {
      case .complete(let header): task.endStep(.success(ContentType(header.type)))
      case .failed(.ownerVanished) where isClosed: task.endStep(.failure(.displayClosed))
      case .failed(let failure): task.endStep(.failure(XDnDError(failure, type: task.type)))
      }
    }
  }
}
