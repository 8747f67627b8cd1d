/// Loads with `async`.
///
/// The ``DragAndDrop`` must run meanwhile, for example in ``DragAndDrop/run()``, on the caller's actor. Cancelling the
/// task cancels the transfer.
extension ContentProvider {
  /// Loads one representation as a whole.
  ///
  /// - Parameters:
  ///   - type: The type: see ``offeredType(for:)``. The source refuses types that it does not offer.
  ///   - limit: The largest number of bytes to accept; `nil` for ``PeerLimits/maximumTransferSize``.
  /// - Throws: ``XDnDError`` if the content does not arrive.
  public func load(_ type: ContentType, limit: Int? = nil) async throws(XDnDError) -> LoadedContent {
    try await outcome { load(type, limit: limit, completion: $0) }
  }

  /// Loads the first of several representations that the source actually delivers.
  ///
  /// See ``load(anyOf:limit:where:progress:onFailure:completion:)``.
  ///
  /// - Throws: ``XDnDError``, the failure of the last candidate.
  public func load(
    anyOf candidates: [ContentType], limit: Int? = nil,
    where isUsable: @escaping (LoadedContent) -> Bool = { _ in true },
    onFailure: ((ContentType, XDnDError) -> Void)? = nil
  ) async throws(XDnDError) -> LoadedContent {
    try await outcome { load(anyOf: candidates, limit: limit, where: isUsable, onFailure: onFailure, completion: $0) }
  }

  /// Loads one representation into a file, which appears under its name only when it is complete.
  ///
  /// See ``load(_:toFile:limit:inspecting:progress:completion:)``.
  ///
  /// - Returns: The type of the property that the source has delivered.
  /// - Throws: ``XDnDError`` if the content does not arrive, or the file cannot be written.
  @discardableResult
  package func load(
    _ type: ContentType, toFile destination: FileDestination, limit: Int? = nil,
    progress: ((Int, Int?) -> Void)? = nil
  ) async throws(XDnDError) -> ContentType {
    try await outcome { load(type, toFile: destination, limit: limit, progress: progress, completion: $0) }
  }

  /// Loads one representation into a file at a path. If `replacing` is `false`, an existing file is an error.
  @discardableResult
  public func load(
    _ type: ContentType, toFile path: String, replacing: Bool = true, limit: Int? = nil,
    progress: ((Int, Int?) -> Void)? = nil
  ) async throws(XDnDError) -> ContentType {
    try await load(type, toFile: FileDestination(path, replacing: replacing), limit: limit, progress: progress)
  }

  /// Waits for the result of a load. Uses a stream, whose iteration ends when the task is cancelled; a continuation
  /// would keep waiting.
  func outcome<Value: Sendable>(
    _ start: (@escaping (Result<Value, XDnDError>) -> Void) -> LoadTask
  ) async throws(XDnDError) -> Value {
    let (results, result) = AsyncStream<Result<Value, XDnDError>>.makeStream()
    let task = start {
      result.yield($0)
      result.finish()
    }
    for await result in results { return try result.get() }
    task.cancel()
    throw XDnDError(cancelled: task.type)
  }
}
