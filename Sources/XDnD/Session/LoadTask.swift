/// A load that is under way.
///
/// It need not be kept: the load goes on until it ends, or until the drop does.
public final class LoadTask {
  /// What was asked for; while several types are tried, the one that is asked for now.
  public internal(set) var type: ContentType
  /// How many bytes have come.
  public private(set) var receivedByteCount = 0
  /// How many it will be: `nil` if the source has not said, or has said less than what came.
  ///
  /// Of content in one property it is exact. Of content that comes in parts it is what the source announces: a lower
  /// bound by ICCCM section 2.7.2, and cannot say more than 4 GiB. A transfer that ends before it fails.
  public private(set) var expectedByteCount: Int?
  /// Whether it has ended, well or not.
  public var isFinished: Bool { completion == nil }
  /// Whether ``cancel()`` was called. It may be too late.
  public private(set) var isCancelled = false

  /// Keeps a session, and with it the drop, open while data is on its way.
  private var provider: ContentProvider?
  private let progress: ((Int, Int?) -> Void)?
  private var completion: ((Result<ContentType, XDnDError>) -> Void)?
  /// How to reach the transfer, while there is one.
  var control: ((IncomingTransfer.Input) -> Void)?

  init(
    type: ContentType, provider: ContentProvider, progress: ((Int, Int?) -> Void)?,
    completion: @escaping (Result<ContentType, XDnDError>) -> Void
  ) {
    self.type = type
    self.provider = provider
    self.progress = progress
    self.completion = completion
  }

  /// Stops it; it ends with ``XDnDError/Code/cancelled``, and the source waits in vain for the next part to be taken.
  public func cancel() {
    isCancelled = true
    control?(.cancel)
  }

  /// Goes on after the sink was ``SinkAnswer/full``.
  package func resume() { control?(.resume) }

  func report(_ received: Int, _ expected: Int?) {
    (receivedByteCount, expectedByteCount) = (received, expected)
    progress?(received, expected)
  }

  func end(_ result: Result<ContentType, XDnDError>) {
    guard let completion else { return }
    self.completion = nil
    control = nil
    completion(result)
    provider = nil
  }
}

/// One representation as it arrived.
public struct LoadedContent: Sendable {
  /// The type that the source gave the data, which may differ from what was asked for.
  public let type: ContentType
  /// The type that was asked for.
  public let requestedType: ContentType
  /// All of it.
  public let bytes: [UInt8]

  init(type: ContentType, requestedType: ContentType? = nil, bytes: [UInt8]) {
    self.type = type
    self.requestedType = requestedType ?? type
    self.bytes = bytes
  }
}
