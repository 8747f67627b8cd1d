/// A request for one representation of a ``DragItem`` or a ``FilePromise``. It is answered once; a request that is
/// deallocated without an answer is refused.
///
/// The answer may come later, in the isolation domain of the ``DragAndDrop``. Content from a file, a pipe or a task is
/// streamed: it is read part by part, and no faster than the requestor takes it. A slow or failing provider affects
/// this request only. A provider that delivers nothing for ``Configuration/promiseTimeout`` has failed.
public final class DataRequest {
  /// The requested type.
  public let type: ContentType
  /// The window that receives the content; `.none` for the file of a ``FilePromise``.
  package let requestor: WindowID

  /// Rung when more of the answer can be read.
  let doorbell: Doorbell
  private var answer: (((any ContentReader)?) -> Void)?

  /// - Parameter answer: Called once, with `nil` for a refusal.
  init(
    type: ContentType, requestor: WindowID, doorbell: Doorbell, answer: @escaping ((any ContentReader)?) -> Void
  ) {
    self.type = type
    self.requestor = requestor
    self.doorbell = doorbell
    self.answer = answer
  }

  deinit { refuse() }

  /// Identifies the ``DragAndDrop`` of the request: its ``DragAndDrop/id``.
  package var dragAndDrop: ObjectIdentifier { ObjectIdentifier(doorbell) }

  /// Answers with bytes.
  ///
  /// - Parameters:
  ///   - bytes: The whole content.
  ///   - propertyType: The type of the property that carries the bytes; `nil` for the requested type. For example, the
  ///     answer to the target `TEXT` names the encoding that was chosen.
  public func fulfill(_ bytes: [UInt8], as propertyType: ContentType? = nil) {
    fulfill(bytes, as: propertyType, in: .byte)
  }

  /// Answers with units in this machine's byte order. Refuses the request if the last unit is incomplete.
  /// `application/x-color` consists of four ``PropertyUnit/short``, as GTK and Qt write and expect it.
  package func fulfill(_ bytes: [UInt8], as propertyType: ContentType? = nil, in unit: PropertyUnit) {
    guard bytes.count.isMultiple(of: unit.byteCount) else { return refuse() }
    answer(with: BytesReader(bytes, propertyType: propertyType?.atomName, unit: unit))
  }

  /// Answers with the contents of a file, which is read part by part. The request is refused if the file cannot be
  /// opened.
  ///
  /// A FIFO or a device is read like a pipe: see ``fulfill(readingFrom:as:byteCount:isComplete:)``. If a regular file
  /// is changed before its end is read, the transfer fails.
  public func fulfill(contentsOfFile path: String, as propertyType: ContentType? = nil) {
    fulfill(contentsOfFile: Array(path.utf8), as: propertyType)
  }

  /// Answers with the contents of a file whose path need not be UTF-8.
  public func fulfill(contentsOfFile rawPath: [UInt8], as propertyType: ContentType? = nil) {
    answer(with: FileReader.open(rawPath, doorbell: doorbell, propertyType: propertyType?.atomName))
  }

  /// Answers with the data from a pipe or a socket, up to its end.
  ///
  /// It never blocks: the descriptor is set to non-blocking while it is read. A read error fails the transfer.
  ///
  /// - Parameters:
  ///   - descriptor: The library takes ownership and closes it at the end.
  ///   - propertyType: The type of the property that carries the bytes; `nil` for the requested type.
  ///   - byteCount: The total length, if it is known. If the stream ends earlier, the transfer fails.
  ///   - isComplete: Called at the end of the stream, because the end alone does not tell whether the writer has
  ///     succeeded or died. `false` fails the transfer.
  public func fulfill(
    readingFrom descriptor: CInt, as propertyType: ContentType? = nil, byteCount: Int? = nil,
    isComplete: @escaping () -> Bool = { true }
  ) {
    answer(
      with: PipeReader(
        descriptor, doorbell: doorbell, byteCount: byteCount, propertyType: propertyType?.atomName,
        isComplete: isComplete))
  }

  /// Answers with the chunks of an asynchronous sequence, which is iterated in its own task.
  ///
  /// Back-pressure: the sequence is suspended while 1 MiB waits to be read. The task is cancelled when the content is no
  /// longer wanted.
  ///
  /// - Parameters:
  ///   - chunks: Chunks of any length. An error that the sequence throws fails the transfer.
  ///   - propertyType: The type of the property that carries the bytes; `nil` for the requested type.
  ///   - byteCount: The total length, if it is known. If the sequence ends earlier, the transfer fails.
  public func fulfill<Chunks: AsyncSequence & Sendable>(
    chunks: Chunks, as propertyType: ContentType? = nil, byteCount: Int? = nil
  ) where Chunks.Element == [UInt8] {
    stream(as: propertyType, byteCount: byteCount) { channel in
      for try await chunk in chunks {
        guard await channel.send(chunk) else { return }
      }
    }
  }

  /// Answers with the result of an asynchronous closure, which runs in its own task. The task is cancelled when the
  /// content is no longer wanted.
  ///
  /// - Parameters:
  ///   - propertyType: The type of the property that carries the bytes; `nil` for the requested type.
  ///   - make: Called once, outside the isolation domain of the ``DragAndDrop``. An error that it throws refuses the
  ///     request.
  public func fulfill(
    as propertyType: ContentType? = nil, _ make: @escaping @Sendable () async throws -> [UInt8]
  ) {
    stream(as: propertyType, byteCount: nil) { _ = await $0.send(try await make()) }
  }

  /// Refuses the request.
  public func refuse() { answer(with: nil) }

  private func stream(
    as propertyType: ContentType?, byteCount: Int?,
    _ produce: @escaping @Sendable (ChunkChannel) async throws -> Void
  ) {
    // After the first answer, do not start a task.
    guard answer != nil else { return }
    answer(
      with: ChunkReader(
        doorbell: doorbell, byteCount: byteCount, propertyType: propertyType?.atomName, produce))
  }

  func answer(with reader: (any ContentReader)?) {
    guard let answer else { return }
    // Answering may call back into code that releases this object; `deinit` must not refuse then.
    self.answer = nil
    answer(reader)
  }
}
