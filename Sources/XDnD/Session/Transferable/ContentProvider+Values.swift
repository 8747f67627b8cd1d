extension DropSession {
  /// Whether one of the types that the source offers can be made into a value.
  public func canLoad<Value: Transferable>(_ type: Value.Type) -> Bool {
    !ValueLoad<Value>.steps(for: types, database: owner?.configuration.typeDatabase ?? .builtIn).isEmpty
  }

  /// Fetches a value by the best representation that both sides have; if the source then does not give it, or it cannot
  /// be read, by the next one.
  ///
  /// - Parameters:
  ///   - type: Such as `String.self`, `FileList.self`, or a ``Transferable`` type of your own.
  ///   - limit: The most bytes to take of one representation; by default ``Configuration/maximumTransferSize``.
  ///   - progress: Called as the bytes come, anew for each representation.
  ///   - completion: Called once; with the error of the last representation if none was of use.
  /// - Returns: The load, to cancel it.
  @discardableResult
  public func load<Value: Transferable>(
    _ type: Value.Type, limit: Int? = nil, progress: ((Int, Int?) -> Void)? = nil,
    completion: @escaping (Result<Value, XDnDError>) -> Void
  ) -> LoadTask {
    let load = ValueLoad(self, limit: limit, progress: progress, completion: completion)
    load.begin(with: types)
    return load.task
  }

  /// Fetches a value, see ``load(_:limit:progress:completion:)``.
  ///
  /// Somebody has to run the driver meanwhile, such as ``DragAndDrop/run()``.
  public func load<Value: Transferable>(_ type: Value.Type, limit: Int? = nil) async throws(XDnDError) -> Value {
    try await outcome { load(type, limit: limit, completion: $0) }
  }
}

extension Clipboard {
  /// Fetches a value by the best representation that both sides have; if the owner then does not give it, or it cannot
  /// be read, by the next one.
  ///
  /// - Parameters:
  ///   - type: Such as `String.self`, `FileList.self`, or a ``Transferable`` type of your own.
  ///   - limit: The most bytes to take of one representation; by default ``Configuration/maximumTransferSize``.
  ///   - completion: Called once; with the error of the last representation if none was of use.
  /// - Returns: The load, to cancel it.
  @discardableResult
  public func load<Value: Transferable>(
    _ type: Value.Type, limit: Int? = nil, completion: @escaping (Result<Value, XDnDError>) -> Void
  ) -> LoadTask {
    let load = ValueLoad(self, limit: limit, progress: nil, completion: completion)
    let question = types { offered in
      switch offered {
      case .success(let types): load.begin(with: types)
      case .failure(let error): load.task.end(.failure(error))
      }
    }
    if !question.isFinished { load.task.control = { [weak question] in question?.control?($0) } }
    return load.task
  }

  /// Fetches a value, see ``load(_:limit:completion:)``.
  ///
  /// Somebody has to run the driver meanwhile, such as ``DragAndDrop/run()``.
  public func load<Value: Transferable>(_ type: Value.Type, limit: Int? = nil) async throws(XDnDError) -> Value {
    try await outcome { load(type, limit: limit, completion: $0) }
  }
}
