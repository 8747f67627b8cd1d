/// A load that is under way. Comparable to the `Progress` that `NSItemProvider` returns.
///
/// It need not be retained: the load continues until it ends, or until the drop does.
public final class LoadTask {
  /// The requested type, under the source's name: see ``ContentProvider/offeredType(for:)``. While several candidates are
  /// tried, the current one.
  public internal(set) var type: ContentType
  /// The number of bytes received so far.
  public private(set) var receivedByteCount = 0
  /// The expected total length in bytes; `nil` if the source has not announced it, or has sent more than it announced.
  ///
  /// For content in one property it is exact. For an INCR transfer it is what the source announces: a lower bound
  /// (ICCCM §2.7.2) of at most 4 GiB. A transfer that ends before that length fails.
  public private(set) var expectedByteCount: Int?
  /// Whether the load has ended, successfully or not.
  public var isFinished: Bool { completion == nil }
  /// Whether ``cancel()`` was called. The load may have ended before.
  public private(set) var isCancelled = false

  /// The place of this load among those of its drop; `nil` if it is a part of another one.
  private var entry: LoadLog.Entry?
  /// Retains the session, and with it the drop, while data is on its way.
  private var provider: ContentProvider?
  /// Whether it is a part of another load, such as one of several candidates. Only the whole is reported to the provider.
  private let isPart: Bool
  private let conclude: (Result<ContentType, XDnDError>) -> Result<ContentType, XDnDError>
  private let progress: ((Int, Int?) -> Void)?
  private var completion: ((Result<ContentType, XDnDError>) -> Void)?
  /// Sends an input to the transfer; `nil` while there is none.
  var control: ((IncomingTransfer.Input) -> Void)?

  /// - Parameter conclude: Called once with the result of the transfer, for example to close a file. Returns the result of
  ///   the load.
  init(
    type: ContentType, provider: ContentProvider, isPart: Bool = false, progress: ((Int, Int?) -> Void)?,
    conclude: @escaping (Result<ContentType, XDnDError>) -> Result<ContentType, XDnDError> = { $0 },
    completion: @escaping (Result<ContentType, XDnDError>) -> Void
  ) {
    self.type = type
    self.provider = provider
    self.isPart = isPart
    self.conclude = conclude
    self.progress = progress
    self.completion = completion
    if !isPart { entry = provider.enterLoad { [weak self] in self?.cancel() } }
  }

  /// Cancels the load, which ends with ``XDnDError/Code/cancelled``. The source's next part is not taken any more.
  public func cancel() {
    isCancelled = true
    control?(.cancel)
  }

  /// Continues after the sink has answered ``SinkAnswer/full``.
  package func resume() { control?(.resume) }

  func report(_ received: Int, _ expected: Int?) {
    (receivedByteCount, expectedByteCount) = (received, expected)
    entry?.receive(.progressed(received: received, expected: expected))
    progress?(received, expected)
  }

  func end(_ result: Result<ContentType, XDnDError>) {
    guard let completion else { return }
    self.completion = nil
    control = nil
    let result = conclude(result)
    if !isPart { provider?.loadEnded(isComplete: (try? result.get()) != nil) }
    entry?.receive(.ended(result.error))
    completion(result)
    entry?.receive(.concluded)
    entry = nil
    provider = nil
  }
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
