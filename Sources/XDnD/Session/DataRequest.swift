/// Somebody wants one representation of what we offer. It has to be answered once; one that is let go of is refused.
public final class DataRequest {
  /// What is asked for.
  public let type: ContentType
  /// The window that asks.
  public let requestor: WindowID

  private let id: TransferID
  private weak var reactor: Reactor?

  init(id: TransferID, type: ContentType, requestor: WindowID, reactor: Reactor) {
    self.id = id
    self.type = type
    self.requestor = requestor
    self.reactor = reactor
  }

  deinit { refuse() }

  /// Answers with bytes.
  ///
  /// - Parameters:
  ///   - bytes: All of it.
  ///   - propertyType: The type to state on the wire, where it is not the one that was asked for: the target `TEXT` has
  ///     to be answered with the encoding that was chosen.
  public func fulfill(_ bytes: [UInt8], as propertyType: ContentType? = nil) {
    answer(with: BytesReader(bytes, propertyType: propertyType?.atomName))
  }

  /// Answers with the content of a file, read part by part; refuses if it cannot be opened.
  public func fulfill(contentsOfFile path: String) {
    fulfill(contentsOfFile: Array(path.utf8))
  }

  /// The same for a path that need not be UTF-8.
  public func fulfill(contentsOfFile rawPath: [UInt8]) {
    answer(with: FileReader(path: rawPath))
  }

  /// Says that this cannot be had.
  public func refuse() { answer(with: nil) }

  private func answer(with reader: (any ContentReader)?) {
    reactor?.provide(id, reader)
    reactor = nil
  }
}
