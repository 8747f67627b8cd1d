/// One representation as chunks of bytes, in order, at the pace at which they are taken.
///
/// ```swift
/// for try await chunk in drop.chunks(of: "application/x-tar") { try await upload(chunk) }
/// drop.finish(.copy)
/// ```
///
/// At most two chunks of at most 1 MiB each are read ahead; then the source waits. Sources do not wait for ever, this
/// library's own for ``Configuration/transferTimeout``. Nor does the drop: after ``Configuration/finishTimeout``
/// without a byte it is over, for the source cannot know that somebody still wants it.
///
/// It can be iterated once, and belongs where the ``DragAndDrop`` belongs, which somebody has to run meanwhile.
public struct ContentStream: AsyncSequence {
  /// A chunk; never empty.
  public typealias Element = [UInt8]
  /// What keeps content from arriving.
  public typealias Failure = XDnDError

  /// What was asked for.
  public let type: ContentType
  let channel: Channel

  /// How many bytes have come, those that wait to be taken among them.
  public var receivedByteCount: Int { channel.task?.receivedByteCount ?? 0 }

  /// How many bytes it will be, see ``LoadTask/expectedByteCount``; `nil` as long as that is not known.
  public var expectedByteCount: Int? { channel.task?.expectedByteCount }

  /// The type that the source gave the data; `nil` as long as not all has come.
  public var propertyType: ContentType? { channel.propertyType }

  /// Ends it: what has come is still handed out, and then ``XDnDError/Code/cancelled`` is thrown.
  public func cancel() { channel.task?.cancel() }

  /// Another iterator goes on where this one has stopped.
  public func makeAsyncIterator() -> Iterator { Iterator(channel: channel) }

  /// Waits for the chunks.
  public struct Iterator: AsyncIteratorProtocol {
    let channel: Channel

    /// The next chunk, never empty; `nil` at the end.
    ///
    /// - Throws: What kept the rest from arriving, once; ``XDnDError/Code/cancelled`` if the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(XDnDError) -> [UInt8]? {
      try await channel.next(isolation: actor)
    }
  }

  /// What lies between the transfer and who takes the chunks. Whoever lets go of it cancels the transfer.
  final class Channel {
    var task: LoadTask?
    private(set) var propertyType: ContentType?
    private var chunks: [[UInt8]] = []
    private var failure: XDnDError?
    private var isOver = false
    private var isFull = false
    /// Wakes who waits.
    private var signal: AsyncStream<Void>.Continuation?

    /// How many chunks are read ahead: one to be taken while the next one is on its way.
    private static let capacity = 2

    deinit { task?.cancel() }

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

    func next(isolation actor: isolated (any Actor)?) async throws(XDnDError) -> [UInt8]? {
      while true {
        if Task.isCancelled { giveUp() }
        if !chunks.isEmpty {
          let chunk = chunks.removeFirst()
          goOn()
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

    private func goOn() {
      guard isFull else { return }
      isFull = false
      task?.control?(.resume)
    }

    /// Who is cancelled wants nothing of what has come, either.
    private func giveUp() {
      guard !isOver || !chunks.isEmpty else { return }
      chunks = []
      task?.cancel()
      if failure == nil { failure = XDnDError(.cancelled, "the transfer was cancelled") }
      isOver = true
    }
  }
}
