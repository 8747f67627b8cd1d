/// Loads of one representation.
///
/// A requested type need not be spelled as the source spells it: see ``ContentProvider/offeredType(for:)``.
extension ContentProvider {
  /// The offered type that a load of `type` requests.
  ///
  /// - Parameter type: A type, or a pattern such as ``ContentType/image``.
  /// - Returns: In a drop, the first of these: the type itself, if the source offers it under this name; the type under
  ///   another spelling; the best offered type that serves it by the rules of ``Negotiation``, such as `UTF8_STRING` for
  ///   ``ContentType/plainText``; the type itself, which the source may serve without offering it. For a clipboard, whose
  ///   types are not known, always the type itself.
  public func offeredType(for type: ContentType) -> ContentType {
    guard let offered = offeredTypes, !offered.contains(where: { $0.name == type.name }) else { return type }
    let database = loads?.typeDatabase ?? .builtIn
    return offered.first { $0 == type } ?? Negotiation(wanted: [type], offered: offered, database: database)
      .best?.offered ?? type
  }

  /// Loads one representation as a whole.
  ///
  /// - Parameters:
  ///   - type: The type: see ``offeredType(for:)``. The source refuses types that it does not offer.
  ///   - limit: The largest number of bytes to accept; `nil` for ``Configuration/maximumTransferSize``.
  ///   - progress: Called as data arrives, with the received number of bytes and ``LoadTask/expectedByteCount``.
  ///   - completion: Called once; before this method returns if there is nothing to load from.
  /// - Returns: The load, to cancel it.
  @discardableResult
  public func load(
    _ type: ContentType, limit: Int? = nil, progress: ((Int, Int?) -> Void)? = nil,
    completion: @escaping (Result<LoadedContent, XDnDError>) -> Void
  ) -> LoadTask {
    load(type, limit: limit, isPart: false, progress: progress, completion: completion)
  }

  /// - Parameter isPart: Whether another load has begun this one.
  func load(
    _ type: ContentType, limit: Int?, isPart: Bool, progress: ((Int, Int?) -> Void)?,
    completion: @escaping (Result<LoadedContent, XDnDError>) -> Void
  ) -> LoadTask {
    let type = offeredType(for: type)
    let buffer = Buffer()
    return begin(
      type, limit: limit, isPart: isPart,
      progress: { received, expected in
        if let expected { buffer.reserve(expected) }
        progress?(received, expected)
      },
      sink: { part in
        buffer.bytes.append(contentsOf: part)
        return .more
      },
      completion: { result in
        completion(result.map { LoadedContent(type: $0, requestedType: type, bytes: buffer.bytes) })
      })
  }

  /// Loads one representation part by part, without holding it in memory.
  ///
  /// - Parameters:
  ///   - type: The type: see ``offeredType(for:)``. The source refuses types that it does not offer.
  ///   - limit: The largest number of bytes to accept; `nil` for ``Configuration/maximumTransferSize``.
  ///   - progress: Called as data arrives, with the received number of bytes and ``LoadTask/expectedByteCount``.
  ///   - sink: Receives the parts in order, each of at most 1 MiB, and returns whether to continue. The buffer is valid
  ///     only during the call.
  ///   - completion: Called once, with the type of the property that the source has delivered. It may differ from
  ///     `type`.
  /// - Returns: The load, to cancel it.
  @discardableResult
  public func load(
    _ type: ContentType, limit: Int? = nil, progress: ((Int, Int?) -> Void)? = nil,
    into sink: @escaping (UnsafeRawBufferPointer) -> Bool,
    completion: @escaping (Result<ContentType, XDnDError>) -> Void
  ) -> LoadTask {
    begin(type, limit: limit, progress: progress, sink: { sink($0) ? .more : .failed }, completion: completion)
  }

  /// Loads one representation part by part, with back-pressure: after ``SinkAnswer/full`` the source waits for
  /// ``LoadTask/resume()``.
  @discardableResult
  package func load(
    _ type: ContentType, limit: Int? = nil, progress: ((Int, Int?) -> Void)? = nil,
    pacedInto sink: @escaping ContentSink,
    completion: @escaping (Result<ContentType, XDnDError>) -> Void
  ) -> LoadTask {
    begin(type, limit: limit, progress: progress, sink: sink, completion: completion)
  }

  /// Loads one representation into a file, which appears under its name only when it is complete.
  ///
  /// The file is on the disk before the load ends, because after a move the source deletes its own. If the file cannot
  /// be written, the load ends with ``XDnDError/Code/fileNotWritten``, no partial file remains, and an existing file is
  /// unchanged. Call ``DropSession/reject()`` in that case, to tell the source.
  ///
  /// - Parameters:
  ///   - type: The type: see ``offeredType(for:)``. The source refuses types that it does not offer.
  ///   - destination: The path, and whether to replace an existing file.
  ///   - limit: The largest number of bytes to accept; `nil` for ``Configuration/maximumFileTransferSize``.
  ///   - part: Receives each part before it is written, for example to compute a checksum. The buffer is valid only
  ///     during the call.
  ///   - progress: Called as data arrives, with the received number of bytes and ``LoadTask/expectedByteCount``.
  ///   - completion: Called once, with the type of the property that the source has delivered; before this method
  ///     returns if the file cannot be created.
  /// - Returns: The load, to cancel it.
  @discardableResult
  public func load(
    _ type: ContentType, toFile destination: FileDestination, limit: Int? = nil,
    inspecting part: ((UnsafeRawBufferPointer) -> Void)? = nil, progress: ((Int, Int?) -> Void)? = nil,
    completion: @escaping (Result<ContentType, XDnDError>) -> Void
  ) -> LoadTask {
    load(
      type, toFile: destination, limit: limit, isPart: false, inspecting: part, progress: progress,
      completion: completion)
  }

  /// - Parameter isPart: Whether another load has begun this one.
  func load(
    _ type: ContentType, toFile destination: FileDestination, limit: Int?, isPart: Bool,
    inspecting part: ((UnsafeRawBufferPointer) -> Void)? = nil, progress: ((Int, Int?) -> Void)?,
    completion: @escaping (Result<ContentType, XDnDError>) -> Void
  ) -> LoadTask {
    let file = Result { () throws(XDnDError) in try FileSink(destination) }
    return write(type, to: file, limit, isPart: isPart, inspecting: part, progress, completion)
  }

  /// Loads one representation into a file at a path. If `replacing` is `false`, an existing file is an error.
  @discardableResult
  public func load(
    _ type: ContentType, toFile path: String, replacing: Bool = true, limit: Int? = nil,
    progress: ((Int, Int?) -> Void)? = nil, completion: @escaping (Result<ContentType, XDnDError>) -> Void
  ) -> LoadTask {
    load(
      type, toFile: FileDestination(path, replacing: replacing), limit: limit, progress: progress,
      completion: completion)
  }

  /// Loads one representation into a new file of a directory. The file appears under its name only when it is complete.
  ///
  /// No existing file is overwritten, and no symbolic link is followed: if the name is taken, a number is appended. The
  /// file is on the disk before the load ends. If the load fails, no partial file remains.
  ///
  /// - Parameters:
  ///   - type: The type: see ``offeredType(for:)``. The source refuses types that it does not offer.
  ///   - directory: The directory for the file.
  ///   - name: The suggested name. It is sanitized: see ``FileName``. If nothing usable is left, the load ends with
  ///     ``XDnDError/Code/fileNotWritten``.
  ///   - limit: The largest number of bytes to accept; `nil` for ``Configuration/maximumFileTransferSize``.
  ///   - part: Receives each part before it is written, for example to compute a checksum. The buffer is valid only
  ///     during the call.
  ///   - progress: Called as data arrives, with the received number of bytes and ``LoadTask/expectedByteCount``.
  ///   - completion: Called once, with the file; before this method returns if the file cannot be created.
  /// - Returns: The load, to cancel it.
  @discardableResult
  public func load(
    _ type: ContentType, into directory: FileDirectory, named name: String, limit: Int? = nil,
    inspecting part: ((UnsafeRawBufferPointer) -> Void)? = nil, progress: ((Int, Int?) -> Void)? = nil,
    completion: @escaping (Result<SavedFile, XDnDError>) -> Void
  ) -> LoadTask {
    load(
      type, into: directory, named: name, limit: limit, isPart: false, inspecting: part, progress: progress,
      completion: completion)
  }

  /// - Parameter isPart: Whether a direct save has begun this one.
  func load(
    _ type: ContentType, into directory: FileDirectory, named name: String, limit: Int?, isPart: Bool,
    inspecting part: ((UnsafeRawBufferPointer) -> Void)? = nil, progress: ((Int, Int?) -> Void)?,
    completion: @escaping (Result<SavedFile, XDnDError>) -> Void
  ) -> LoadTask {
    let file = Result { () throws(XDnDError) in try FileSink(in: directory, named: name) }
    return write(type, to: file, limit, isPart: isPart, inspecting: part, progress) { written in
      completion(
        written.flatMap { _ in file.map { directory.saved($0.name ?? name, byteCount: $0.byteCount) } })
    }
  }

  /// - Parameter file: Ends the load if the file could not be created.
  private func write(
    _ type: ContentType, to file: Result<FileSink, XDnDError>, _ limit: Int?, isPart: Bool = false,
    inspecting part: ((UnsafeRawBufferPointer) -> Void)?, _ progress: ((Int, Int?) -> Void)?,
    _ completion: @escaping (Result<ContentType, XDnDError>) -> Void
  ) -> LoadTask {
    let task = LoadTask(
      type: offeredType(for: type), provider: self, isPart: isPart, progress: progress,
      conclude: { result in file.flatMap { $0.close(after: result) } }, completion: completion)
    switch file {
    case .failure(let error): task.end(.failure(error))
    case .success(let file):
      start(task, limit: limit ?? fileLimit) {
        part?($0)
        return file.write($0) ? .more : .failed
      }
    }
    return task
  }

  /// Loads one representation as an asynchronous sequence of chunks, with back-pressure: the source waits until the
  /// chunks are consumed.
  ///
  /// The transfer begins immediately. It is cancelled when the stream and its iterators are deallocated, or when the
  /// task that iterates is cancelled.
  ///
  /// - Parameters:
  ///   - type: The type: see ``offeredType(for:)``. The source refuses types that it does not offer.
  ///   - limit: The largest number of bytes to accept; `nil` for ``Configuration/maximumFileTransferSize``.
  /// - Returns: The stream. Errors are thrown by its iterator.
  public func chunks(of type: ContentType, limit: Int? = nil) -> ContentStream {
    let type = offeredType(for: type)
    let channel = ContentStream.Channel()
    channel.task = begin(
      type, limit: limit ?? fileLimit, progress: nil,
      sink: { [weak channel] in channel?.take($0) ?? .failed },
      completion: { [weak channel] in channel?.finish($0) })
    return ContentStream(type: type, channel: channel)
  }

  private var fileLimit: Int { loads?.fileLimit ?? .max }

  private func begin(
    _ type: ContentType, limit: Int?, isPart: Bool = false, progress: ((Int, Int?) -> Void)?,
    sink: @escaping ContentSink, completion: @escaping (Result<ContentType, XDnDError>) -> Void
  ) -> LoadTask {
    let task = LoadTask(
      type: offeredType(for: type), provider: self, isPart: isPart, progress: progress, completion: completion)
    start(task, limit: limit, sink: sink)
    return task
  }

  private final class Buffer {
    var bytes: [UInt8] = []

    /// The most that an announced size reserves. It is only what the source says.
    private static let largestReservation = 64 << 20

    /// Makes room for so many bytes at once, so that no growth copies what has arrived.
    func reserve(_ count: Int) { bytes.reserveCapacity(min(count, Self.largestReservation)) }
  }
}
