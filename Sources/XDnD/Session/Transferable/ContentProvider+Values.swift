extension DropSession {
  /// Whether the source offers a type that a value can be created from. The counterpart of
  /// `UIDropSession.canLoadObjects(ofClass:)`.
  public func canLoad<Value: Transferable>(_ type: Value.Type) -> Bool {
    !ValueLoad<Value>.steps(for: types, database: owner?.configuration.typeDatabase ?? .builtIn).isEmpty
  }

  /// Loads a value from the best representation that both sides support. If the source does not deliver it, or it
  /// cannot be decoded, the next one is requested.
  ///
  /// - Parameters:
  ///   - type: The type of the value, such as `String.self`, `FileList.self`, or the application's own ``Transferable``
  ///     type.
  ///   - limit: The largest number of bytes to accept for one representation; `nil` for
  ///     ``Configuration/maximumTransferSize``, and for ``Configuration/maximumFileTransferSize`` where a
  ///     ``FileRepresentation`` imports the value.
  ///   - progress: Called as data arrives, with the received and the expected number of bytes. It starts again with
  ///     each representation.
  ///   - completion: Called once. An error is that of the last representation.
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

  /// Loads a value. See ``load(_:limit:progress:completion:)``.
  ///
  /// The ``DragAndDrop`` must run meanwhile, for example in ``DragAndDrop/run()``. Cancelling the task cancels the
  /// transfer.
  public func load<Value: Transferable>(_ type: Value.Type, limit: Int? = nil) async throws(XDnDError) -> Value {
    try await outcome { load(type, limit: limit, completion: $0) }
  }
}

extension Clipboard {
  /// Loads a value from the best representation that both sides support. If the owner does not deliver it, or it cannot
  /// be decoded, the next one is requested. The owner is first asked for its types (`TARGETS`).
  ///
  /// - Parameters:
  ///   - type: The type of the value, such as `String.self`, `FileList.self`, or the application's own ``Transferable``
  ///     type.
  ///   - limit: The largest number of bytes to accept for one representation; `nil` for
  ///     ``Configuration/maximumTransferSize``, and for ``Configuration/maximumFileTransferSize`` where a
  ///     ``FileRepresentation`` imports the value.
  ///   - completion: Called once. An error is that of the last representation.
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

  /// Loads a value. See ``load(_:limit:completion:)``.
  ///
  /// The ``DragAndDrop`` must run meanwhile, for example in ``DragAndDrop/run()``. Cancelling the task cancels the
  /// transfer.
  public func load<Value: Transferable>(_ type: Value.Type, limit: Int? = nil) async throws(XDnDError) -> Value {
    try await outcome { load(type, limit: limit, completion: $0) }
  }
}
