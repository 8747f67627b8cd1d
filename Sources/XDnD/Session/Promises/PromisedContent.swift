/// The content of one promised file, from its request to its end.
final class PromisedContent {
  private enum State {
    case asked
    case refused
    case reading(any ContentReader)
  }

  private let name: String
  private var state: State
  /// Whether the writer is waiting for the answer, and needs a wakeup.
  private var isAwaited = false
  private var byteCount = 0

  /// - Parameter reader: `nil` for content that is yet to be requested.
  init(of name: String, from reader: (any ContentReader)? = nil) {
    self.name = name
    state = reader.map { .reading($0) } ?? .asked
  }

  /// Requests the content. The provider may do anything during the call, including cancelling the writer.
  func ask(_ provide: (DataRequest) -> Void, for type: ContentType, doorbell: Doorbell) {
    // There is no requestor window: the writer requests the content.
    provide(
      DataRequest(type: type, requestor: .none, doorbell: doorbell) { [weak self, doorbell] reader in
        // A reader that is no longer wanted is deallocated, which ends its producer.
        guard let self else { return }
        state = reader.map { .reading($0) } ?? .refused
        if isAwaited { doorbell.ring() }
      })
  }

  /// Reads the available content without blocking.
  ///
  /// - Throws: ``XDnDError/Code/transferRefused``, ``XDnDError/Code/transferFailed``.
  func read(upTo count: Int) throws(XDnDError) -> ContentPart {
    switch state {
    case .refused: throw XDnDError(.transferRefused, "the content of '\(name)' is not given")
    case .asked:
      isAwaited = true
      return .pending
    case .reading(let reader):
      let part = reader.read(upTo: count)
      switch part {
      case .failed: throw XDnDError(.transferFailed, "the content of '\(name)' could not be read")
      case .pending: break
      case .bytes(let bytes) where bytes.isEmpty:
        // More bytes than announced are not an error: the announced length may have been an estimate.
        if let whole = reader.byteCount, byteCount < whole {
          throw XDnDError(.transferFailed, "the content of '\(name)' has ended after \(byteCount) of \(whole) bytes")
        }
      case .bytes(let bytes): byteCount += bytes.count
      }
      return part
    }
  }

  /// The length that the provider has stated with its answer; `nil` if it has not answered, or has stated none.
  var announcedByteCount: Int? { if case .reading(let reader) = state { reader.byteCount } else { nil } }

  var isSilent: XDnDError { XDnDError(.timedOut, "the content of '\(name)' did not come in time") }
}
