/// Somebody wants one representation of what we offer. It has to be answered once; one that is let go of is refused.
///
/// The answer may come later, from wherever the ``DragAndDrop`` is used. Content that is not at hand is taken as it
/// comes, part by part, and no faster than it is read: from a file, from a pipe, or from a task. A provider that is
/// slow or fails concerns this request only. One that gives nothing for ``Configuration/promiseTimeout`` has failed.
public final class DataRequest {
  /// What is asked for.
  public let type: ContentType
  /// The window that asks.
  public let requestor: WindowID

  /// Rung by what the answer is read from.
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

  /// Answers with bytes.
  ///
  /// - Parameters:
  ///   - bytes: All of it.
  ///   - propertyType: The type to state on the wire, where it is not the one that was asked for: the target `TEXT` has
  ///     to be answered with the encoding that was chosen.
  ///   - unit: What the bytes are, in this machine's order. `application/x-color` is four ``PropertyUnit/short``: GTK
  ///     and Qt write and expect it so. Bytes that are not a whole number of units are refused.
  public func fulfill(_ bytes: [UInt8], as propertyType: ContentType? = nil, in unit: PropertyUnit = .byte) {
    guard bytes.count.isMultiple(of: unit.byteCount) else { return refuse() }
    answer(with: BytesReader(bytes, propertyType: propertyType?.atomName, unit: unit))
  }

  /// Answers with the content of a file, read part by part; refuses if it cannot be opened.
  ///
  /// A named pipe or a device is read like any other pipe, see ``fulfill(readingFrom:as:byteCount:isComplete:)``. A
  /// regular file that turns out to be shorter than it was when it was opened has failed.
  public func fulfill(contentsOfFile path: String, as propertyType: ContentType? = nil) {
    fulfill(contentsOfFile: Array(path.utf8), as: propertyType)
  }

  /// The same for a path that need not be UTF-8.
  public func fulfill(contentsOfFile rawPath: [UInt8], as propertyType: ContentType? = nil) {
    answer(with: FileReader.open(rawPath, doorbell: doorbell, propertyType: propertyType?.atomName))
  }

  /// Answers with what comes out of a pipe or a socket until its end.
  ///
  /// It never blocks: the descriptor is made non-blocking for as long as it is read. An error of reading is a failure.
  ///
  /// - Parameters:
  ///   - descriptor: Belongs to the library from here on, and is closed at the end.
  ///   - propertyType: The type to state on the wire, where it is not the one that was asked for.
  ///   - byteCount: How much will come, if that is known. An end before that is a failure.
  ///   - isComplete: Asked when the pipe has ended: one whose writer has died ends like any other. `false` is a failure.
  public func fulfill(
    readingFrom descriptor: CInt, as propertyType: ContentType? = nil, byteCount: Int? = nil,
    isComplete: @escaping () -> Bool = { true }
  ) {
    answer(
      with: PipeReader(
        descriptor, doorbell: doorbell, byteCount: byteCount, propertyType: propertyType?.atomName,
        isComplete: isComplete))
  }

  /// Answers with what a sequence yields, in a task of its own.
  ///
  /// The sequence is asked for more only while less than 512 KiB wait to be read. The task is cancelled when nobody
  /// wants the content any more.
  ///
  /// - Parameters:
  ///   - chunks: Of any lengths. An error that it throws is a failure.
  ///   - propertyType: The type to state on the wire, where it is not the one that was asked for.
  ///   - byteCount: How much will come, if that is known. An end before that is a failure.
  public func fulfill<Chunks: AsyncSequence & Sendable>(
    chunks: Chunks, as propertyType: ContentType? = nil, byteCount: Int? = nil
  ) where Chunks.Element == [UInt8] {
    stream(as: propertyType, byteCount: byteCount) { channel in
      for try await chunk in chunks {
        guard await channel.send(chunk) else { return }
      }
    }
  }

  /// Answers with what a task of its own makes. The task is cancelled when nobody wants the content any more.
  ///
  /// - Parameters:
  ///   - propertyType: The type to state on the wire, where it is not the one that was asked for.
  ///   - make: Called once. An error that it throws is a refusal.
  public func fulfill(
    as propertyType: ContentType? = nil, _ make: @escaping @Sendable () async throws -> [UInt8]
  ) {
    stream(as: propertyType, byteCount: nil) { _ = await $0.send(try await make()) }
  }

  /// Says that this cannot be had.
  public func refuse() { answer(with: nil) }

  private func stream(
    as propertyType: ContentType?, byteCount: Int?,
    _ produce: @escaping @Sendable (ChunkChannel) async throws -> Void
  ) {
    // After the first answer nothing must be begun for another.
    guard answer != nil else { return }
    answer(
      with: ChunkReader(
        doorbell: doorbell, byteCount: byteCount, propertyType: propertyType?.atomName, produce))
  }

  func answer(with reader: (any ContentReader)?) {
    guard let answer else { return }
    // Answering may lead to a call back that lets go of this object, which then must not refuse.
    self.answer = nil
    answer(reader)
  }
}
