/// Loads a value from each of several items, one after another, and ends with all of them or with the first failure.
final class ItemsLoad<Value: Transferable> {
  /// The public handle, to report progress and to cancel.
  let task: LoadTask
  private let limit: Int?
  private let found: Found
  /// The bytes of the items that have been loaded.
  private var loaded = 0

  private final class Found {
    var values: [Value] = []
  }

  init(
    _ drop: DropSession, limit: Int?, progress: ((Int, Int?) -> Void)?,
    completion: @escaping (Result<[Value], XDnDError>) -> Void
  ) {
    let found = Found()
    self.limit = limit
    self.found = found
    task = LoadTask(type: .data, provider: drop, progress: progress) { result in
      completion(result.map { _ in found.values })
    }
  }

  /// - Parameter isOnly: Whether there is one item, so that its length is the whole length.
  func load(_ items: ArraySlice<DropItem>, isOnly: Bool) {
    guard let item = items.first else { return task.end(.success(task.type)) }
    guard !task.isCancelled else { return task.end(.failure(XDnDError(cancelled: task.type))) }
    var received = 0
    let progress: (Int, Int?) -> Void = { [self] count, expected in
      received = count
      task.report(loaded + count, isOnly ? expected : nil)
    }
    let inner = item.load(Value.self, limit: limit, isPart: true, progress: progress) { [self] result in
      switch result {
      case .success(let value):
        loaded += received
        found.values.append(value)
        load(items.dropFirst(), isOnly: isOnly)
      case .failure(let error): task.end(.failure(error))
      }
    }
    if !inner.isFinished { task.control = { [weak inner] in inner?.control?($0) } }
  }
}
