/// A source of content: a ``DropSession``, a ``DropItem`` or a ``Clipboard``. Its loads are the counterparts of those of
/// `NSItemProvider`.
///
/// The offered types are known first. Each representation is transferred only when it is loaded: as a whole, as chunks,
/// or into a file. The subclasses also load ``Transferable`` values.
///
/// All closures are called in the isolation domain of the ``DragAndDrop``, from inside ``DragAndDrop/process()`` and
/// other calls into the library. They may call back into it.
public class ContentProvider {
  enum Origin {
    case drop(SessionID)
    case clipboard(AtomName)
    case item(LocalContent)
  }

  /// `nil` once the ``DragAndDrop`` is deallocated.
  private(set) weak var loads: PendingLoads?
  /// The offered types, best first; `nil` if they are not known without asking for them.
  let offeredTypes: [ContentType]?
  private let origin: Origin

  init(_ origin: Origin, offering types: [ContentType]?, _ loads: PendingLoads?) {
    self.origin = origin
    offeredTypes = types
    self.loads = loads
  }

  /// Begins the transfer of a task, or ends the task.
  ///
  /// - Parameter empty: The result if the clipboard has no owner; `nil` for an error.
  func start(
    _ task: LoadTask, limit: Int?, sink: @escaping ContentSink, orElse empty: Result<ContentType, XDnDError>? = nil
  ) {
    // An observer of the drop's progress may have cancelled it before it begins.
    guard !task.isCancelled else { return task.end(.failure(XDnDError(cancelled: task.type))) }
    let (type, limits) = (task.type.atomName, loads?.limits(limit))
    switch origin {
    case .drop(let session):
      guard let loads,
        let visit = loads.reactor.targets.visit(session),
        let transfer = loads.reactor.perform({ $0.loads.load(type, of: visit, limits: limits, sink: sink) })
      else { return task.end(.failure(.nothingDropped)) }
      loads.follow(transfer, with: task)
    case .clipboard(let selection):
      guard let loads, !loads.isClosed else { return task.end(.failure(.displayClosed)) }
      guard let transfer = loads.reactor.perform({ $0.loads.load(type, from: selection, limits: limits, sink: sink) })
      else { return task.end(empty ?? .failure(.nothingOn(selection))) }
      loads.follow(transfer, with: task)
    case .item(let content):
      guard let loads, loads.reactor.targets.visit(content.session)?.takesConversions == true else {
        return task.end(.failure(.nothingDropped))
      }
      loads.begin(LocalLoad(task, of: content, limits: loads.limits(limit), sink: sink, loads: loads))
    }
  }

  /// Enters a load that the application has begun among those of the drop.
  ///
  /// - Parameter cancel: Cancels the load. It must not retain it.
  /// - Returns: `nil` if loads are not counted: of a clipboard, and before and after the drop.
  func enterLoad(cancel: @escaping () -> Void) -> LoadLog.Entry? { nil }

  /// Notes the end of a load that the application has begun.
  ///
  /// - Parameter isComplete: Whether all content has arrived and could be used.
  func loadEnded(isComplete: Bool) {}
}
