import Synchronization

/// Reads the chunks that a task produces, and suspends the task while they are not read.
final class ChunkReader: ContentReader {
  let byteCount: Int?
  let propertyType: AtomName?
  private let channel: ChunkChannel
  private let producer: Task<Void, Never>

  /// - Parameter produce: Sends its chunks, and stops when `send` returns `false`.
  init(
    doorbell: Doorbell, byteCount: Int?, propertyType: AtomName?,
    _ produce: @escaping @Sendable (ChunkChannel) async throws -> Void
  ) {
    let channel = ChunkChannel(doorbell)
    self.byteCount = byteCount
    self.propertyType = propertyType
    self.channel = channel
    producer = Task {
      do {
        try await produce(channel)
        channel.finish(.end)
      } catch {
        channel.finish(.failed)
      }
    }
  }

  deinit {
    producer.cancel()
    channel.close()
  }

  func read(upTo count: Int) -> ContentPart { channel.take(upTo: count) }
}

/// A queue of bytes from one task to the driver's run loop.
final class ChunkChannel: Sendable {
  /// The number of buffered bytes at which the task is suspended: two parts, so that one is ready when the other is
  /// taken.
  static let capacity = 1 << 20

  private struct State {
    var chunks: [ArraySlice<UInt8>] = []
    var byteCount = 0
    /// How the content ended; set when the producer has sent everything or failed.
    var end: ContentPart?
    var isClosed = false
    /// Whether the run loop has found the queue empty, and needs a wakeup.
    var isAwaited = false
    var sender: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())
  private let doorbell: Doorbell

  init(_ doorbell: Doorbell) {
    self.doorbell = doorbell
  }

  /// Appends a chunk, and returns when there is room for another.
  ///
  /// - Returns: Whether the reader wants more.
  func send(_ chunk: [UInt8]) async -> Bool {
    update {
      // An empty part would mean the end.
      guard !chunk.isEmpty, !$0.isClosed else { return }
      $0.chunks.append(chunk[...])
      $0.byteCount += chunk.count
    }
    await withCheckedContinuation { sender in
      let hasRoom = state.withLock {
        if $0.byteCount < Self.capacity || $0.isClosed { return true }
        $0.sender = sender
        return false
      }
      if hasRoom { sender.resume() }
    }
    return state.withLock { !$0.isClosed }
  }

  func finish(_ end: ContentPart) { update { $0.end = end } }

  /// Takes the available bytes; after a failure none, because they are useless.
  func take(upTo count: Int) -> ContentPart {
    let (part, sender) = state.withLock { state -> (ContentPart, CheckedContinuation<Void, Never>?) in
      if state.end == .failed { return (.failed, nil) }
      guard let first = state.chunks.first else {
        state.isAwaited = state.end == nil
        return (state.end ?? .pending, nil)
      }
      // A chunk that is long enough is not copied.
      var part = first.prefix(count)
      state.chunks[0] = first.dropFirst(part.count)
      var used = state.chunks[0].isEmpty ? 1 : 0
      while used > 0, used < state.chunks.count, part.count < count {
        let more = state.chunks[used].prefix(count - part.count)
        part += more
        state.chunks[used] = state.chunks[used].dropFirst(more.count)
        if !state.chunks[used].isEmpty { break }
        used += 1
      }
      state.chunks.removeFirst(used)
      state.byteCount -= part.count
      guard state.byteCount < Self.capacity else { return (.bytes(part), nil) }
      return (.bytes(part), state.sender.take())
    }
    sender?.resume()
    return part
  }

  /// Ends the reading: the sender is resumed, and further chunks are dropped.
  func close() {
    let sender = state.withLock { state in
      state.isClosed = true
      state.isAwaited = false
      state.chunks = []
      return state.sender.take()
    }
    sender?.resume()
  }

  private func update(_ change: (inout State) -> Void) {
    let isAwaited = state.withLock { state in
      change(&state)
      let isAwaited = state.isAwaited && (state.end != nil || !state.chunks.isEmpty)
      if isAwaited { state.isAwaited = false }
      return isAwaited
    }
    if isAwaited { doorbell.ring() }
  }
}
