/// Loading on whatever actor the caller is on.
///
/// Somebody has to run the driver meanwhile, such as ``DragAndDrop/run()``. A task that is cancelled cancels the
/// transfer: it wakes up on its own actor, which is the driver's, and says so there.
extension ContentProvider {
  /// Fetches one representation as a whole.
  ///
  /// - Parameters:
  ///   - type: One of those that are offered. Others may be asked for, and are refused.
  ///   - limit: The most bytes to take; by default ``Configuration/maximumTransferSize``.
  /// - Throws: What kept the content from arriving.
  public func load(_ type: ContentType, limit: Int? = nil) async throws(XDnDError) -> LoadedContent {
    try await outcome { load(type, limit: limit, completion: $0) }
  }

  /// Fetches the first of several representations that the source really gives.
  ///
  /// See ``load(anyOf:limit:where:progress:onFailure:completion:)``.
  ///
  /// - Throws: What kept the last of them from arriving.
  public func load(
    anyOf candidates: [ContentType], limit: Int? = nil,
    where isUsable: @escaping (LoadedContent) -> Bool = { _ in true },
    onFailure: ((ContentType, XDnDError) -> Void)? = nil
  ) async throws(XDnDError) -> LoadedContent {
    try await outcome { load(anyOf: candidates, limit: limit, where: isUsable, onFailure: onFailure, completion: $0) }
  }

  /// Fetches one representation straight into a file, which has its name only when it is whole.
  ///
  /// See ``load(_:toFile:limit:inspecting:progress:completion:)``.
  ///
  /// - Returns: The type that the source gave the data.
  /// - Throws: What kept the content from arriving, or the file from being written.
  @discardableResult
  public func load(
    _ type: ContentType, toFile destination: FileDestination, limit: Int? = nil,
    progress: ((Int, Int?) -> Void)? = nil
  ) async throws(XDnDError) -> ContentType {
    try await outcome { load(type, toFile: destination, limit: limit, progress: progress, completion: $0) }
  }

  /// The same, for a path as a string; `replacing` says whether to take the place of a file that is there.
  @discardableResult
  public func load(
    _ type: ContentType, toFile path: String, replacing: Bool = true, limit: Int? = nil,
    progress: ((Int, Int?) -> Void)? = nil
  ) async throws(XDnDError) -> ContentType {
    try await load(type, toFile: FileDestination(path, replacing: replacing), limit: limit, progress: progress)
  }

  /// A continuation could not be left early; a stream ends when its task is cancelled.
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
