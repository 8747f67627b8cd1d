/// The bytes of one representation, as an asynchronous sequence of chunks: see ``ContentProvider/chunks(of:limit:)``.
///
/// It buffers chunks between the transfer and the iteration, and is its own iterator: all iterations share one
/// position. Deallocating the stream cancels the transfer.
package final class ContentStream: AsyncSequence, AsyncIteratorProtocol {
  /// A chunk; never empty.
  package typealias Element = [UInt8]
  /// The error that the iteration throws.
  package typealias Failure = XDnDError

  /// The requested type.
  package let type: ContentType
  /// The type of the property that the source has delivered; `nil` until all content has arrived.
  package private(set) var propertyType: ContentType?
  var task: LoadTask?
  private var chunks: [[UInt8]] = []
  private var failure: XDnDError?
  private var isOver = false
  private var isFull = false
  private var signal: AsyncStream<Void>.Continuation?

  /// The number of chunks to read ahead: one is consumed while the next one arrives.
  private static let capacity = 2

  init(of type: ContentType) { self.type = type }

  deinit { task?.cancel() }

  /// The number of bytes received so far, including chunks that have not been consumed.
  package var receivedByteCount: Int { task?.receivedByteCount ?? 0 }

  /// The expected total length in bytes; `nil` while it is unknown. See ``LoadTask/expectedByteCount``.
  package var expectedByteCount: Int? { task?.expectedByteCount }

  /// Cancels the transfer. The iteration delivers the chunks that have arrived, and then throws
  /// ``XDnDError/Code/cancelled``.
  package func cancel() { task?.cancel() }

  /// Returns the stream itself.
  package func makeAsyncIterator() -> ContentStream { self }

  func take(_ part: UnsafeRawBufferPointer) -> SinkAnswer {
    chunks.append(Array(part))
    signal?.finish()
    isFull = chunks.count >= Self.capacity
    return isFull ? .full : .more
  }

  func finish(_ result: Result<ContentType, XDnDError>) {
    isOver = true
    switch result {
    case .success(let type): propertyType = type
    case .failure(let error): failure = error
    }
    signal?.finish()
  }

  /// Waits for the next chunk, which is never empty; returns `nil` at the end.
  ///
  /// - Throws: ``XDnDError``, once, if the rest of the content does not arrive; ``XDnDError/Code/cancelled`` if the
  ///   task was cancelled.
  package func next(isolation actor: isolated (any Actor)? = #isolation) async throws(XDnDError) -> [UInt8]? {
    while true {
      if Task.isCancelled { giveUp() }
      if !chunks.isEmpty {
        let chunk = chunks.removeFirst()
        if isFull {
          isFull = false
          task?.resume()
        }
        return chunk
      }
      if let failure {
        self.failure = nil
        throw failure
      }
      if isOver { return nil }
      let (ready, signal) = AsyncStream<Void>.makeStream()
      self.signal = signal
      for await _ in ready {}
      self.signal = nil
    }
  }

  /// A cancelled task discards the chunks that have arrived, too.
  private func giveUp() {
    guard !isOver || !chunks.isEmpty else { return }
    chunks = []
    task?.cancel()
    if failure == nil { failure = XDnDError(.cancelled, "the transfer was cancelled") }
    isOver = true
  }
}
