/// A source of content: a ``DropSession`` or a ``Clipboard``. Its loads play the part of those of `NSItemProvider`.
///
/// The offered types are known first. Each representation is transferred only when it is loaded: as a whole, as chunks,
/// or into a file. The subclasses also load ``Transferable`` values.
///
/// All closures are called in the isolation domain of the ``DragAndDrop``, from inside ``DragAndDrop/process()`` and
/// other calls into the library. They may call back into it.
public class ContentProvider {
  /// `nil` once the ``DragAndDrop`` is deallocated.
  private(set) weak var loads: PendingLoads?

  init(_ loads: PendingLoads) {
    self.loads = loads
  }

  /// Begins the transfer of a task, or ends the task with an error.
  func start(_ task: LoadTask, limit: Int?, sink: @escaping ContentSink) {
    task.end(.failure(.nothingDropped))
  }
}
