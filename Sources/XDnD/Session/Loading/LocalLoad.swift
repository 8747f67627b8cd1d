/// An item of a drag within this process that is dropped on one of its windows.
struct LocalContent {
  /// The drop.
  let session: SessionID
  /// The window of the drop, which stands for the requestor.
  let window: WindowID
  /// The drag, whose wait for its target is as long as with a target of another program.
  let drag: DragID
  /// Answers a request for any of the item's types; refuses one for others.
  let provide: (DataRequest) -> Void
}

/// A load of content that this process provides itself: the answer to one ``DataRequest``, read without the X server.
///
///     ready ── asked ──▶ requested ── answered ──▶ reading ◀── full, resume ──▶ paused
///                            └── refused ──┐         └── end, failure, limit ──┐
///                                          ▼                                   ▼
///                                        ended                               ended
///
/// What ends it is what ends an ``IncomingTransfer``: a refusal, content that is impossible for its type, more bytes than
/// the limit, or a provider that is silent for too long. It advances in ``DragAndDrop/process()``, so a load never ends
/// before the call that has begun it returns.
final class LocalLoad {
  private let content: LocalContent
  private let type: ContentType
  private let task: LoadTask
  private let limits: IncomingTransfer.Limits
  private let sink: ContentSink
  private weak var loads: PendingLoads?
  private var phase = Phase.ready
  private var received = 0
  /// When the provider has been silent for too long; `nil` while it is not waited for.
  private var deadline: LoopTime?
  private var isAdvancing = false

  private enum Phase {
    /// The provider has not been asked.
    case ready
    /// The provider has not answered.
    case requested
    case reading(any ContentReader)
    case paused(any ContentReader)
    case ended
  }

  /// How many bytes are read at once.
  private static let part = 256 << 10
  /// How many bytes are read in one turn of the run loop.
  private static let turn = 4 << 20

  /// - Parameter loads: Not retained.
  init(
    _ task: LoadTask, of content: LocalContent, limits: IncomingTransfer.Limits, sink: @escaping ContentSink,
    loads: PendingLoads
  ) {
    self.content = content
    self.type = task.type
    self.task = task
    self.limits = limits
    self.sink = sink
    self.loads = loads
    task.control = { [weak self] input in
      switch input {
      case .cancel: self?.cancel()
      case .resume: self?.resume()
      default: break
      }
    }
  }

  /// The drop that the load belongs to.
  var session: SessionID { content.session }

  /// When to call ``advance(at:doorbell:)``; `nil` while it would have no effect.
  func nextDeadline(at now: LoopTime) -> LoopTime? {
    switch phase {
    case .ready: now
    case .requested: deadline
    case .reading: deadline ?? now
    case .paused, .ended: nil
    }
  }

  /// Asks the provider, or reads what it has by now.
  func advance(at now: LoopTime, doorbell: Doorbell) {
    guard !isAdvancing else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    if case .ready = phase {
      phase = .requested
      deadline = now + limits.stall
      content.provide(
        DataRequest(type: type, requestor: content.window, doorbell: doorbell) { [weak self] in self?.answered($0) })
    }
    var left = Self.turn
    while left > 0, case .reading(let reader) = phase {
      guard let count = read(reader, at: now) else { break }
      left -= count
    }
    if let deadline, deadline <= now { end(.failed(.timedOut)) }
  }

  private func answered(_ reader: (any ContentReader)?) {
    guard case .requested = phase else { return }
    guard let reader else { return end(.failed(.refused)) }
    let label = reader.propertyType ?? type.atomName
    guard type.mayArrive(as: label) else { return end(.failed(.mislabelled(label, format: reader.unit.format))) }
    if let count = reader.byteCount, count > limits.byteCount { return end(.failed(.tooLarge)) }
    phase = .reading(reader)
    deadline = nil
    loads?.wake()
  }

  /// Reads a part.
  ///
  /// - Returns: Its length; `nil` if there is nothing to read.
  private func read(_ reader: any ContentReader, at now: LoopTime) -> Int? {
    switch reader.read(upTo: Self.part) {
    case .failed: end(.failed(.noData))
    case .pending: deadline = deadline ?? now + limits.stall
    case .bytes(let part) where part.isEmpty: finish(reader)
    case .bytes(let part):
      deadline = nil
      take(part, reader)
      return part.count
    }
    return nil
  }

  private func take(_ part: ArraySlice<UInt8>, _ reader: any ContentReader) {
    guard received + part.count <= limits.byteCount else { return end(.failed(.tooLarge)) }
    received += part.count
    switch part.withUnsafeBytes(sink) {
    case .more: break
    // The sink may have cancelled the load.
    case .full: if case .reading = phase { phase = .paused(reader) }
    case .failed: return end(.failed(.sinkFailed))
    }
    if case .ended = phase { return }
    // The announced length may be too small: then the total is unknown.
    let expected = reader.byteCount.flatMap { $0 < received ? nil : $0 }
    loads?.reactor.give(.target(content.window, .progressed(session)))
    loads?.reactor.give(.source(content.drag, .transferProgressed))
    task.report(received, expected)
  }

  private func finish(_ reader: any ContentReader) {
    if let announced = reader.byteCount, received < announced {
      return end(.failed(.truncated(received: received, announced: announced)))
    }
    guard received > 0 || type.canBeEmpty else { return end(.failed(.noData)) }
    end(.complete(reader.propertyType.map { ContentType($0) } ?? type))
  }

  private func resume() {
    guard case .paused(let reader) = phase else { return }
    phase = .reading(reader)
    loads?.wake()
  }

  /// Ends the load with ``XDnDError/Code/cancelled``.
  func cancel() { end(.failed(.cancelled)) }

  private enum End {
    /// All content has arrived, under a property type.
    case complete(ContentType)
    case failed(TransferFailure)
  }

  /// Ends the load; the first end counts.
  private func end(_ end: End) {
    if case .ended = phase { return }
    phase = .ended
    deadline = nil
    let loads = loads
    loads?.forget(self)
    switch end {
    case .complete(let type):
      loads?.reactor.give(.source(content.drag, .contentDelivered))
      task.end(.success(type))
    case .failed(let failure):
      // A drop may end while content is loaded, which is no failure of the source.
      if failure != .cancelled { loads?.reactor.give(.source(content.drag, .transferFailed)) }
      task.end(.failure(XDnDError(failure, type: type)))
    }
  }
}
