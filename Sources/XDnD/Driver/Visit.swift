/// A drag over a registered window, from `XdndEnter` to `XdndLeave` or to the end of the drop.
final class Visit {
  let session: SessionID
  /// The window that requests the content: the target, or its proxy if the target is another client's window.
  let requestor: WindowID
  let source: WindowID
  /// The window that the drag is over.
  let window: WindowID
  /// `nil` once the window is no longer a drop target.
  private(set) weak var target: DropTargetWindow?
  /// The application's half, which the application sets when it learns of the visit.
  var half: AnyObject?
  /// The timestamp of `XdndDrop`; `nil` before the drop, when a conversion needs the timestamp of a position.
  var time: Timestamp?
  /// Whether the drag has left, or its drop has ended.
  var isOver = false
  /// Whether the source has given up `XdndSelection` since the drop.
  private(set) var isWithdrawn = false
  /// The file name that the source promised. A direct save replaces it in the property by a URI.
  private var keptName: String?
  private let system: any WindowSystem

  init(
    _ session: SessionID, over target: DropTargetWindow, requestor: WindowID, source: WindowID,
    _ system: any WindowSystem
  ) {
    self.session = session
    self.target = target
    self.requestor = requestor
    self.source = source
    window = target.window
    self.system = system
  }

  /// Whether the content of the drop can be converted.
  var takesConversions: Bool { time != nil && !isOver }

  /// Notes that `XdndSelection` no longer has an owner.
  func noteWithdrawal() { if time != nil { isWithdrawn = true } }

  /// Extends the time limit of the drop, because content arrives.
  func progressed() { target?.receive(.progressed(session)) }

  /// The file name that the source promises (XDS), sanitized. Makes up to two round trips.
  func promisedName() -> String? {
    if let keptName { return keptName }
    guard let (header, bytes) = system.value(of: .xdndDirectSave, on: source), header.format == 8,
      header.byteCount <= PromisedName.longest
    else { return nil }
    return PromisedName.fileName(bytes, as: ContentType(header.type))
  }

  /// Returns the promised name, and keeps it, because a URI replaces it in the property.
  func keepPromisedName() -> String? {
    keptName = promisedName()
    return keptName
  }
}
