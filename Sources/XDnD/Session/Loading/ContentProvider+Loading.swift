/// Loads of one representation.
///
/// A requested type need not be spelled as in the offer: see ``ContentProvider/offeredType(for:)``.
extension ContentProvider {
  /// The offered type that a load of `type` requests.
  ///
  /// - Parameter type: A type, or a pattern such as ``ContentType/image``.
  /// - Returns: In a drop, the first of these that is offered: the type under this name; the type under another
  ///   spelling; the best type that serves it by the rules of <doc:Content#Negotiation>, such as `UTF8_STRING` for
  ///   ``ContentType/plainText``. If none is offered, the type itself, which the source may serve nevertheless. For a
  ///   clipboard, whose types are not known, always the type itself.
  public func offeredType(for type: ContentType) -> ContentType { holder(of: type).ownType(for: type) }

  /// The type that this provider itself offers for `type`.
  func ownType(for type: ContentType) -> ContentType {
    guard let offered = offeredTypes, !offered.contains(where: { $0.name == type.name }) else { return type }
    return offered.first { $0 == type } ?? Negotiation(wanted: [type], offered: offered, database: typeDatabase)
      .best?.offered ?? type
  }

  /// Loads one representation as a whole.
  ///
  /// - Parameters:
  ///   - type: The type: see ``offeredType(for:)``. The source refuses types that it does not offer.
  ///   - limit: The largest number of bytes to accept; `nil` for ``PeerLimits/maximumTransferSize``.
  ///   - progress: Called as data arrives, with the received number of bytes and, if it is known, the
  ///     expected number.
  ///   - completion: Called once; before this method returns if there is nothing to load from.
  /// - Returns: The load, to cancel it.
  @discardableResult
  public func load(
    _ type: ContentType, limit: Int? = nil, progress: ((Int, Int?) -> Void)? = nil,
    completion: @escaping (Result<LoadedContent, XDnDError>) -> Void
  ) -> LoadTask {
    let task = LoadTask(type, of: self, progress: progress)
    task.bytes(of: type, from: self, limit: limit) { task.end($0, completion) }
    return task
  }

  /// Loads the first of several representations that the source actually delivers.
  ///
  /// If the source refuses a type that it offers, delivers nothing for it, or delivers something unusable, the next
  /// candidate is requested. Any other failure ends the load: a silent or vanished source will not deliver another type
  /// either, and content that is too large or was cancelled is not wanted in another type.
  ///
  /// - Parameters:
  ///   - candidates: The types, best first.
  ///   - limit: The largest number of bytes to accept; `nil` for ``PeerLimits/maximumTransferSize``.
  ///   - isUsable: Returns whether loaded content is well-formed. `false` is treated like a failed transfer.
  ///   - progress: Called as data arrives, with the received and the expected number of bytes. It starts again with
  ///     each candidate.
  ///   - onFailure: Called for each candidate that fails, with the error, before the next one is requested.
  ///   - completion: Called once. ``LoadedContent/requestedType`` is the candidate that was delivered, under the
  ///     source's name for it; an error is the error of the last candidate.
  /// - Returns: The load, to cancel it.
  @discardableResult
  public func load(
    anyOf candidates: [ContentType], limit: Int? = nil,
    where isUsable: @escaping (LoadedContent) -> Bool = { _ in true },
    progress: ((Int, Int?) -> Void)? = nil,
    onFailure: ((ContentType, XDnDError) -> Void)? = nil,
    completion: @escaping (Result<LoadedContent, XDnDError>) -> Void
  ) -> LoadTask {
    let task = LoadTask(candidates.first ?? "", of: self, progress: progress)
    let usable = candidates.map { type in
      LoadTask.Candidate<LoadedContent>(
        type: type,
        form: .bytes { content throws(XDnDError) in
          guard isUsable(content) else {
            throw XDnDError(.transferFailed, "the received \(type) is malformed")
          }
          return content
        })
    }
    task.first(
      of: usable[...], from: self, limit: limit, orElse: XDnDError(.transferRefused, "no type was asked for"),
      onFailure: onFailure
    ) { task.end($0, completion) }
    return task
  }

  /// Loads one representation part by part, without holding it in memory.
  ///
  /// - Parameters:
  ///   - type: The type: see ``offeredType(for:)``. The source refuses types that it does not offer.
  ///   - limit: The largest number of bytes to accept; `nil` for ``PeerLimits/maximumTransferSize``.
  ///   - progress: Called as data arrives, with the received number of bytes and, if it is known, the
  ///     expected number.
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
    load(
      type, limit: limit, progress: progress, pacedInto: { sink($0) ? .more : .failed }, completion: completion)
  }

  /// Loads one representation part by part, with back-pressure: after ``SinkAnswer/full`` the source waits for
  /// ``LoadTask/resume()``.
  @discardableResult
  package func load(
    _ type: ContentType, limit: Int? = nil, progress: ((Int, Int?) -> Void)? = nil,
    pacedInto sink: @escaping ContentSink,
    completion: @escaping (Result<ContentType, XDnDError>) -> Void
  ) -> LoadTask {
    let task = LoadTask(type, of: self, progress: progress)
    task.transfer(type, from: self, limit: limit, into: sink) { task.end($0, completion) }
    return task
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
  ///   - limit: The largest number of bytes to accept; `nil` for ``PeerLimits/maximumFileTransferSize``.
  ///   - part: Receives each part before it is written, for example to compute a checksum. The buffer is valid only
  ///     during the call.
  ///   - progress: Called as data arrives, with the received number of bytes and, if it is known, the
  ///     expected number.
  ///   - completion: Called once, with the type of the property that the source has delivered; before this method
  ///     returns if the file cannot be created.
  /// - Returns: The load, to cancel it.
  @discardableResult
  package func load(
    _ type: ContentType, toFile destination: FileDestination, limit: Int? = nil,
    inspecting part: ((UnsafeRawBufferPointer) -> Void)? = nil, progress: ((Int, Int?) -> Void)? = nil,
    completion: @escaping (Result<ContentType, XDnDError>) -> Void
  ) -> LoadTask {
    let task = LoadTask(offeredType(for: type), of: self, progress: progress)
    let file = Result { () throws(XDnDError) in try FileSink(destination) }
    task.write(type, from: self, to: file, limit: limit, inspecting: part) { task.end($0, completion) }
    return task
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
  ///   - name: The suggested name. It is sanitized. If nothing usable is left, the load ends with
  ///     ``XDnDError/Code/fileNotWritten``.
  ///   - limit: The largest number of bytes to accept; `nil` for ``PeerLimits/maximumFileTransferSize``.
  ///   - part: Receives each part before it is written, for example to compute a checksum. The buffer is valid only
  ///     during the call.
  ///   - progress: Called as data arrives, with the received number of bytes and, if it is known, the
  ///     expected number.
  ///   - completion: Called once, with the file; before this method returns if the file cannot be created.
  /// - Returns: The load, to cancel it.
  @discardableResult
  public func load(
    _ type: ContentType, into directory: FileDirectory, named name: String, limit: Int? = nil,
    inspecting part: ((UnsafeRawBufferPointer) -> Void)? = nil, progress: ((Int, Int?) -> Void)? = nil,
    completion: @escaping (Result<SavedFile, XDnDError>) -> Void
  ) -> LoadTask {
    let task = LoadTask(offeredType(for: type), of: self, progress: progress)
    task.write(type, from: self, into: directory, named: name, limit: limit, inspecting: part) {
      task.end($0, completion)
    }
    return task
  }

  /// Loads one representation as an asynchronous sequence of chunks, with back-pressure: the source waits until the
  /// chunks are consumed.
  ///
  /// The transfer begins immediately. It is cancelled when the sequence and its iterators are deallocated, or when the
  /// task that iterates is cancelled.
  ///
  /// - Parameters:
  ///   - type: The type: see ``offeredType(for:)``. The source refuses types that it does not offer.
  ///   - limit: The largest number of bytes to accept; `nil` for ``PeerLimits/maximumFileTransferSize``.
  /// - Returns: The chunks, none of them empty. They can be iterated once, and are not `Sendable`: they belong to the
  ///   isolation domain of the ``DragAndDrop``, which must run meanwhile. At most two chunks of at most 1 MiB each are
  ///   read ahead; then the source waits. Sources do not wait forever: a source that uses this library waits for
  ///   ``PeerLimits/transferTimeout``. The drop also ends after ``Configuration/finishTimeout`` without a transferred
  ///   byte. If the rest of the content does not arrive, the iterator throws an ``XDnDError`` once.
  public func chunks(of type: ContentType, limit: Int? = nil) -> some AsyncSequence<[UInt8], XDnDError> {
    contentStream(of: type, limit: limit)
  }

  /// Loads one representation like ``chunks(of:limit:)``, as a stream that reports its progress.
  package func contentStream(of type: ContentType, limit: Int? = nil) -> ContentStream {
    let type = offeredType(for: type)
    let stream = ContentStream(of: type)
    stream.task = load(
      type, limit: limit ?? fileLimit, pacedInto: { [weak stream] in stream?.take($0) ?? .failed },
      completion: { [weak stream] in stream?.finish($0) })
    return stream
  }
}
