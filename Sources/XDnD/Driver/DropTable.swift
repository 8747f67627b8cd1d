/// The drags over windows of this program, from `XdndEnter` to the end of the drop, with the facts that their
/// conversions need.
final class DropTable {
  struct Drop {
    /// The target.
    var window: WindowID
    /// The window that converts the content: the target, or its proxy if that is another client's window.
    var requestor: WindowID
    var source: WindowID
    /// The timestamp of `XdndDrop`; `nil` before the drop, when nothing can be converted.
    var time: Timestamp?
    /// The file name that the source promised. A direct save replaces it in the property by a URI.
    fileprivate var promisedName: String?
    /// Whether the source has given up `XdndSelection` since the drop.
    fileprivate var isWithdrawn = false
  }

  private let context: DriverContext
  private var drops: [SessionID: Drop] = [:]

  init(_ context: DriverContext) {
    self.context = context
  }

  var isEmpty: Bool { drops.isEmpty }

  subscript(session: SessionID) -> Drop? { drops[session] }

  func enter(_ session: SessionID, _ window: WindowID, requestor: WindowID, source: WindowID) {
    drops[session] = Drop(window: window, requestor: requestor, source: source)
  }

  func drop(_ session: SessionID, at time: Timestamp) { drops[session]?.time = time }

  func end(_ session: SessionID) { drops[session] = nil }

  // MARK: Withdrawal

  /// Notes that `XdndSelection` has no owner any more.
  func noteWithdrawal() {
    for (session, drop) in drops where drop.time != nil { drops[session]?.isWithdrawn = true }
  }

  func isWithdrawn(_ session: SessionID) -> Bool { drops[session]?.isWithdrawn ?? false }

  // MARK: Promised names

  /// Returns the file name that the source of a drag promises (XDS), sanitized. Makes one round trip.
  func promisedName(of session: SessionID) -> String? {
    guard let drop = drops[session] else { return nil }
    if let name = drop.promisedName { return name }
    var bytes: [UInt8] = []
    let page = context.system.readPage(.xdndDirectSave, of: drop.source, from: 0, delete: false) { header, part in
      if header.format == 8, header.byteCount <= PromisedName.longest { bytes = Array(part) }
    }
    return page.flatMap { PromisedName.fileName(bytes, as: ContentType($0.header.type)) }
  }

  /// Returns the promised name, and keeps it, because a URI replaces it in the property.
  func keepPromisedName(of session: SessionID) -> String? {
    let name = promisedName(of: session)
    drops[session]?.promisedName = name
    return name
  }
}
