/// The unfinished direct saves (XDS) of drops.
///
/// Only the ``DragAndDrop`` retains it. The saves are cancelled when it is deallocated.
final class PendingSaves {
  private let reactor: Reactor
  private var tasks: [TransferID: DirectSaveTask] = [:]

  init(_ reactor: Reactor) {
    self.reactor = reactor
  }

  deinit {
    for task in tasks.values { task.end(.failure(XDnDError(.cancelled, "nobody waits for the file any more"))) }
  }

  var isEmpty: Bool { tasks.isEmpty }

  /// Begins a save of a drop's content, or ends the task with an error.
  ///
  /// - Parameter offersData: Whether the content can be loaded if the source does not save.
  func begin(_ task: DirectSaveTask, of drop: SessionID, offersData: Bool) {
    guard !task.isCancelled else { return task.end(.failure(XDnDError(DirectSaveReceiver.Failure.cancelled))) }
    guard let visit = reactor.targets.visit(drop), let save = reactor.saves.prepare(visit, offersData: offersData)
    else {
      return task.end(.failure(.nothingToSave))
    }
    tasks[save] = task
    task.control = { [weak reactor] input in reactor?.perform { $0.saves.receive(input, for: save) } }
    task.control?(.begin)
  }

  func receive(_ notice: Notice.SaveNotice, _ save: TransferID) {
    let task = tasks[save]
    if case .ended = notice { tasks[save] = nil }
    task?.receive(notice)
  }
}
