/// The content of one promised file, from the request for it to its end.
final class PromisedContent {
  private enum State {
    case asked
    case refused
    case reading(any ContentReader)
  }

  /// For messages.
  private let name: String
  private var state: State
  /// Whether somebody has looked for an answer and found none.
  private var isAwaited = false
  private var byteCount = 0

  /// Content that is there.
  init(of name: String, from reader: any ContentReader) {
    self.name = name
    state = .reading(reader)
  }

  /// Content that is still to be asked for.
  init(of name: String) {
    self.name = name
    state = .asked
  }

  /// Asks for it. The provider may do anything meanwhile, also end whatever the content is for.
  func ask(
    _ provide: (DataRequest) -> Void, for type: ContentType, requestor: WindowID, doorbell: Doorbell
  ) {
    provide(
      DataRequest(type: type, requestor: requestor, doorbell: doorbell) { [weak self, doorbell] reader in
        // An answer that nobody waits for any more is let go of, and what makes it ends.
        guard let self else { return }
        state = reader.map { .reading($0) } ?? .refused
        if isAwaited { doorbell.ring() }
      })
  }

  /// What there is of it; never waits.
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
        // More is no failure: a file may have grown since it was opened.
        if let whole = reader.byteCount, byteCount < whole {
          throw XDnDError(.transferFailed, "the content of '\(name)' has ended after \(byteCount) of \(whole) bytes")
        }
      case .bytes(let bytes): byteCount += bytes.count
      }
      return part
    }
  }

  /// Nothing has come for so long that nothing will.
  var isSilent: XDnDError { XDnDError(.timedOut, "the content of '\(name)' did not come in time") }
}
