/// The target of a drop as the owner of `XdndSelection` sees it: whether it has requested content, and whether it may
/// request the deletion of moved content.
///
///     hovering ─ dropped ─▶ dropped ─ Finished, with move ─▶ moved
///                              └───── any other end ───────▶ over
///
/// `DELETE` (ICCCM §2.6.3) is a conversion like any other: every client of the display can request it at any time, and
/// the host deletes the user's file in response. So it takes effect only if the target also sends a Finished
/// that reports *move*. A `DELETE` before Finished is recorded, because GTK, Java and this library convert it first.
///
/// The requestor must belong to the client that was dropped on, but may be another window: GTK 3 and Qt convert from
/// hidden windows, and a target with an `XdndProxy` may convert from the proxy's client. GTK 4 names the source's own
/// window as the requestor, which does not identify the client.
struct DropRecipient: Equatable, Sendable {
  enum Deletion: Equatable, Sendable {
    /// Answered; takes effect if Finished reports *move*.
    case noted
    /// Answered; takes effect now.
    case due
    /// Refused, or noted earlier and now without effect, because the drop did not end with a move.
    case refused(WindowID)
  }

  private enum Phase: Equatable, Sendable {
    case hovering
    case dropped(DragOperation)
    case moved
    case over
  }

  private let resourceMask: UInt32
  private var phase = Phase.hovering
  private var time: Timestamp?
  /// The clients of the target's window and of its proxy; empty before the drop.
  private var clients: Set<ClientID> = []
  /// The clients that have requested content before the drop.
  private var readers: Set<ClientID> = []
  private var hasRequestedContent = false
  /// The requestor of a deletion before Finished.
  private var deletionRequestor: WindowID?
  private var isDeletionDue = false

  init(resourceMask: UInt32) {
    self.resourceMask = resourceMask
  }

  var isDropped: Bool { phase != .hovering }

  func isSent(by window: WindowID) -> Bool { clients.contains(client(of: window)) }

  /// Whether a request belongs to this drop and not to a concurrent drag: it carries the timestamp of the Drop and
  /// comes from the client that was dropped on.
  func isNamed(by request: SelectionRequest) -> Bool { request.time == time && isSent(by: request.requestor) }

  /// - Returns: Whether the target has requested content while the drag was over it.
  mutating func dropped(on target: DropTarget, _ operation: DragOperation, at time: Timestamp) -> Bool {
    guard phase == .hovering else { return false }
    phase = .dropped(operation)
    self.time = time
    clients = [client(of: target.window), client(of: target.destination)]
    hasRequestedContent = !readers.isDisjoint(with: clients)
    return hasRequestedContent
  }

  /// Records a content request. After the drop, every request counts as the target's, because programs have helper
  /// processes.
  ///
  /// - Returns: Whether it is the target's first request.
  mutating func requestContent(from requestor: WindowID) -> Bool {
    guard phase != .hovering else {
      readers.insert(client(of: requestor))
      return false
    }
    defer { hasRequestedContent = true }
    return !hasRequestedContent
  }

  /// - Parameter owner: The window that owns the selection.
  mutating func requestDeletion(from requestor: WindowID, owner: WindowID) -> Deletion {
    guard isSent(by: requestor) || requestor == owner else { return .refused(requestor) }
    switch phase {
    // With Ask, the user chooses the operation after the drop.
    case .dropped(.move), .dropped(.ask):
      deletionRequestor = requestor
      return .noted
    case .moved:
      defer { isDeletionDue = true }
      return isDeletionDue ? .noted : .due
    case .hovering, .dropped, .over: return .refused(requestor)
    }
  }

  /// - Returns: The result of a recorded deletion request; `nil` if there was none.
  mutating func ended(_ outcome: DragOutcome) -> Deletion? {
    guard case .dropped = phase else {
      phase = .over
      return nil
    }
    phase = outcome == .dropped(.move) ? .moved : .over
    guard let requestor = deletionRequestor else { return nil }
    isDeletionDue = phase == .moved
    return isDeletionDue ? .due : .refused(requestor)
  }

  private func client(of window: WindowID) -> ClientID { ClientID(of: window, resourceMask: resourceMask) }
}
