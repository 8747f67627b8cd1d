/// A load in progress. Comparable to the `Progress` that `NSItemProvider` returns.
///
/// It need not be retained: the load continues until it ends, or until the drop does.
public final class LoadTask {
  /// The requested type, under the source's name: see ``ContentProvider/offeredType(for:)``. While several candidates
  /// are tried, the current one.
  package private(set) var type: ContentType
  /// The amount that was last reported.
  private(set) var amount = LoadAmount()
  /// The number of bytes received so far.
  package var receivedByteCount: Int { amount.received }
  /// The expected total length in bytes; `nil` if the source has not announced it, or has sent more than it announced,
  /// and while several items are loaded.
  ///
  /// For content in one property it is exact. For an INCR transfer it is the announced length: a lower bound (ICCCM
  /// §2.7.2) of at most 4 GiB. A transfer that ends before that length fails.
  package var expectedByteCount: Int? { amount.expected }
  /// Whether the load has ended, successfully or not.
  package private(set) var isFinished = false
  /// Whether ``cancel()`` was called. The load may have ended before.
  package private(set) var isCancelled = false

  /// The entry of this load in the log of its drop; `nil` if the load is not counted.
  private var entry: LoadLog.Entry?
  /// Retained until the load ends, because a deallocated session answers the drop.
  private var provider: ContentProvider?
  var progress: ((Int, Int?) -> Void)?
  private var step: Step?
  /// The number of bytes of the items that have been loaded; `nil` for a load of one item.
  private var loadedByteCount: Int?

  /// The current transfer.
  private struct Step {
    let load: Load
    /// The provider of the content, which may be one item of the drop.
    let origin: ContentProvider
    let then: (Result<ContentType, XDnDError>) -> Void
  }

  /// - Parameters:
  ///   - type: The type to begin with.
  ///   - provider: The provider that the application loads from. The load counts for the progress and the default
  ///     answer of its drop if the provider has the drop's log.
  ///   - itemCount: The number of items that are loaded, one after another.
  init(_ type: ContentType, of provider: ContentProvider, itemCount: Int = 1, progress: ((Int, Int?) -> Void)? = nil) {
    self.type = type
    self.provider = provider
    self.progress = progress
    loadedByteCount = itemCount == 1 ? nil : 0
    entry = provider.log?.begin(self, item: provider.itemIndex)
  }

  /// Cancels the load, which ends with ``XDnDError/Code/cancelled``. The source's next part is not read.
  public func cancel() {
    isCancelled = true
    give(.cancel)
  }

  /// Continues after the sink has answered ``SinkAnswer/full``.
  package func resume() { give(.resume) }

  private func give(_ input: IncomingTransfer.Input) {
    if let step { provider?.context?.reactor.perform { _ in step.load.receive(input) } }
  }

  // MARK: Steps

  /// Transfers one representation. Another transfer may follow it, or the load ends.
  ///
  /// - Parameters:
  ///   - type: The type: see ``ContentProvider/offeredType(for:)``.
  ///   - limit: The largest number of bytes to accept; `nil` for the default.
  ///   - then: Called once with the type of the property; before this method returns if there is nothing to load from.
  func transfer(
    _ type: ContentType, from provider: ContentProvider, limit: Int?, into sink: @escaping ContentSink,
    then: @escaping (Result<ContentType, XDnDError>) -> Void
  ) {
    let origin = provider.holder(of: type)
    let type = origin.ownType(for: type)
    step(type, from: origin, orElse: origin.emptiness, then: then) {
      origin.begin(type, limit: limit, sink, for: self, $0)
    }
  }

  /// Begins a transfer.
  ///
  /// - Parameters:
  ///   - error: The failure if there is nothing to transfer.
  ///   - begin: Returns the transfer that has begun; `nil` if there is nothing to transfer.
  func step(
    _ type: ContentType, from origin: ContentProvider, orElse error: XDnDError,
    then: @escaping (Result<ContentType, XDnDError>) -> Void, begin: (SessionContext) -> Load?
  ) {
    self.type = type
    let start = LoadAmount(received: loadedByteCount ?? 0)
    if amount != start { note(start) }
    // An observer of the drop's progress may have cancelled the load before it begins.
    guard !isCancelled else { return then(.failure(XDnDError(cancelled: type))) }
    let hasBegun = origin.context.map { context in
      // Inside one `perform`: the notices that it delivers at its end need `step`.
      context.reactor.perform { _ in
        step = begin(context).map { Step(load: $0, origin: origin, then: then) }
        return step != nil
      }
    }
    if hasBegun != true { then(.failure(error)) }
  }

  /// Notes that an item is loaded and the next one follows.
  func endItem() { if loadedByteCount != nil { loadedByteCount = receivedByteCount } }

  func receive(_ notice: Notice.LoadNotice, of transfer: TransferID) {
    // The drop may have ended the step.
    guard let step, step.load.id == transfer else { return }
    switch notice {
    case .contentNeeded(let type): step.origin.provide(type, to: step.load)
    case .progressed(let received, let expected): report(received, expected)
    case .ended(.complete(let header)): endStep(.success(ContentType(header.type)))
    case .ended(.failed(.ownerVanished)) where step.origin.context?.isClosed == true:
      endStep(.failure(.displayClosed))
    case .ended(.failed(let failure)): endStep(.failure(XDnDError(failure, type: type)))
    }
  }

  /// Ends the load because no driver will run it any more.
  func abandon() { dropEnded(nil) }

  private func report(_ received: Int, _ expected: Int?) {
    note(LoadAmount(received: (loadedByteCount ?? 0) + received, expected: loadedByteCount == nil ? expected : nil))
    progress?(receivedByteCount, expectedByteCount)
  }

  private func note(_ amount: LoadAmount) {
    let last = self.amount
    self.amount = amount
    entry?.receive(.progressed(amount), after: last)
  }

  private func endStep(_ result: Result<ContentType, XDnDError>) {
    let step = step
    self.step = nil
    step?.then(result)
  }

  /// Ends the load, and notifies the application. Only the first call has an effect.
  func end<Content>(_ result: Result<Content, XDnDError>, _ completion: (Result<Content, XDnDError>) -> Void) {
    guard !isFinished else { return }
    isFinished = true
    entry?.receive(.ended(result.error), after: amount)
    completion(result)
    entry?.receive(.concluded, after: amount)
    entry = nil
    provider = nil
  }
}

extension LoadTask: LoggedLoad {
  func dropEnded(_ error: XDnDError?) { endStep(.failure(error ?? XDnDError(cancelled: type))) }
}

/// One loaded representation.
public struct LoadedContent: Sendable {
  /// The type of the property that the source has delivered. It may differ from the requested type.
  public let type: ContentType
  /// The requested type, under the source's name: see ``ContentProvider/offeredType(for:)``.
  public let requestedType: ContentType
  /// The whole content.
  public let bytes: [UInt8]

  init(type: ContentType, requestedType: ContentType? = nil, bytes: [UInt8]) {
    self.type = type
    self.requestedType = requestedType ?? type
    self.bytes = bytes
  }
}
