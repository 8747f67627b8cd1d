extension ContentProvider {
  /// Fetches one representation as a whole.
  ///
  /// - Parameters:
  ///   - type: One of those that are offered. Others may be asked for, and are refused.
  ///   - limit: The most bytes to take; by default ``Configuration/maximumTransferSize``.
  ///   - progress: Called as the bytes come, with their number and ``LoadTask/expectedByteCount``.
  ///   - completion: Called once; at once if there is nothing to load from.
  /// - Returns: The transfer, to cancel it.
  @discardableResult
  public func load(
    _ type: ContentType, limit: Int? = nil, progress: ((Int, Int?) -> Void)? = nil,
    completion: @escaping (Result<LoadedContent, XDnDError>) -> Void
  ) -> LoadTask {
    let buffer = Buffer()
    return begin(
      type, limit: limit, progress: progress,
      sink: { part in
        buffer.bytes.append(contentsOf: part)
        return .more
      },
      completion: { result in
        completion(result.map { LoadedContent(type: $0, requestedType: type, bytes: buffer.bytes) })
      })
  }

  /// Fetches one representation part by part, without holding it in memory.
  ///
  /// - Parameters:
  ///   - type: One of those that are offered. Others may be asked for, and are refused.
  ///   - limit: The most bytes to take; by default ``Configuration/maximumTransferSize``.
  ///   - progress: Called as the bytes come, with their number and ``LoadTask/expectedByteCount``.
  ///   - sink: Takes each part, in order, and answers whether to go on. A part has at most 1 MiB.
  ///   - completion: Called once, with the type that the source gave the data, which may differ from `type`.
  /// - Returns: The transfer, to cancel it.
  @discardableResult
  public func load(
    _ type: ContentType, limit: Int? = nil, progress: ((Int, Int?) -> Void)? = nil,
    into sink: @escaping (UnsafeRawBufferPointer) -> Bool,
    completion: @escaping (Result<ContentType, XDnDError>) -> Void
  ) -> LoadTask {
    begin(type, limit: limit, progress: progress, sink: { sink($0) ? .more : .failed }, completion: completion)
  }

  /// Fetches one representation part by part, at the pace of the sink: after ``SinkAnswer/full`` the source waits for
  /// ``LoadTask/resume()``.
  @discardableResult
  package func load(
    _ type: ContentType, limit: Int? = nil, progress: ((Int, Int?) -> Void)? = nil,
    pacedInto sink: @escaping ContentSink,
    completion: @escaping (Result<ContentType, XDnDError>) -> Void
  ) -> LoadTask {
    begin(type, limit: limit, progress: progress, sink: sink, completion: completion)
  }

  /// Fetches one representation straight into a file, which has its name only when it is whole.
  ///
  /// The file is on its disk before the load ends: after a move the source deletes what it had. If it cannot be
  /// written, the load ends with ``XDnDError/Code/fileNotWritten``, nothing of it remains, and the file that was there
  /// before is as it was. Answer a drop with ``DropSession/reject()`` then, and the source knows.
  ///
  /// - Parameters:
  ///   - type: One of those that are offered. Others may be asked for, and are refused.
  ///   - destination: Where to.
  ///   - limit: The most bytes to take; by default ``Configuration/maximumFileTransferSize``.
  ///   - part: Sees each part before it is written, for example to compute a checksum.
  ///   - progress: Called as the bytes come, with their number and ``LoadTask/expectedByteCount``.
  ///   - completion: Called once, with the type that the source gave the data; at once if the file cannot be made.
  /// - Returns: The transfer, to cancel it.
  @discardableResult
  public func load(
    _ type: ContentType, toFile destination: FileDestination, limit: Int? = nil,
    inspecting part: ((UnsafeRawBufferPointer) -> Void)? = nil, progress: ((Int, Int?) -> Void)? = nil,
    completion: @escaping (Result<ContentType, XDnDError>) -> Void
  ) -> LoadTask {
    let file: FileSink
    do {
      file = try FileSink(destination)
    } catch {
      let task = LoadTask(type: type, provider: self, progress: nil, completion: completion)
      task.end(.failure(error))
      return task
    }
    return begin(
      type, limit: limit ?? fileLimit, progress: progress,
      sink: {
        part?($0)
        return file.write($0) ? .more : .failed
      },
      completion: { completion(file.close(after: $0)) })
  }

  /// The same, for a path as a string; `replacing` says whether to take the place of a file that is there.
  @discardableResult
  public func load(
    _ type: ContentType, toFile path: String, replacing: Bool = true, limit: Int? = nil,
    progress: ((Int, Int?) -> Void)? = nil, completion: @escaping (Result<ContentType, XDnDError>) -> Void
  ) -> LoadTask {
    load(
      type, toFile: FileDestination(path, replacing: replacing), limit: limit, progress: progress,
      completion: completion)
  }

  /// Fetches one representation as chunks, at the pace at which they are taken: what is not taken stays with the source.
  ///
  /// The transfer begins at once. It is cancelled when nobody holds the stream any more, and when the task that waits
  /// for a chunk is cancelled.
  ///
  /// - Parameters:
  ///   - type: One of those that are offered. Others may be asked for, and are refused.
  ///   - limit: The most bytes to take; by default ``Configuration/maximumFileTransferSize``.
  public func chunks(of type: ContentType, limit: Int? = nil) -> ContentStream {
    let channel = ContentStream.Channel()
    channel.task = begin(
      type, limit: limit ?? fileLimit, progress: nil,
      sink: { [weak channel] in channel?.take($0) ?? .failed },
      completion: { [weak channel] in channel?.finish($0) })
    return ContentStream(type: type, channel: channel)
  }

  /// How many bytes go into a file, or through chunks.
  var fileLimit: Int { owner?.configuration.maximumFileTransferSize ?? .max }

  private func begin(
    _ type: ContentType, limit: Int?, progress: ((Int, Int?) -> Void)?, sink: @escaping ContentSink,
    completion: @escaping (Result<ContentType, XDnDError>) -> Void
  ) -> LoadTask {
    let task = LoadTask(type: type, provider: self, progress: progress, completion: completion)
    start(task, limit: limit, sink: sink)
    return task
  }

  private final class Buffer {
    var bytes: [UInt8] = []
  }
}
