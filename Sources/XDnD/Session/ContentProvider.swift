/// Something that content can be fetched from: a ``DropSession``, or a ``Clipboard``.
///
/// The types are known first; each is fetched when it is asked for, as a whole, as chunks, or straight into a file. Values
/// are loaded with methods of the two.
public class ContentProvider {
  weak var owner: DragAndDrop?

  init(owner: DragAndDrop) {
    self.owner = owner
  }

  /// Begins the transfer that `task` stands for, or ends the task.
  func start(_ task: LoadTask, limit: Int?, sink: @escaping ContentSink) {
    task.end(.failure(.nothingDropped))
  }
}
