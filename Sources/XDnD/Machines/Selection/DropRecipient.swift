/// The target that a drag was dropped on, as the owner of `XdndSelection` knows it: whether it has asked for content, and
/// whether it may ask for the deletion of what it has moved.
///
///     hovering ─ dropped ─▶ dropped ─ Finished, with move ─▶ moved
///                              └───── any other end ───────▶ over
///
/// `DELETE` (ICCCM section 2.6.3) is a conversion like any other: each client on the display can ask for it at any time,
/// and an application deletes the user's file because of it. So it counts only together with a Finished that says *move*
/// and comes from the target; before Finished it is noted, for GTK, Java and this library convert it first.
///
/// The requestor has to be of the client that was dropped on. The window need not be the same one: GTK 3 and Qt ask from
/// hidden windows of theirs, and where the target has an `XdndProxy` the proxy's client asks. GTK 4 names the source's own
/// window as the requestor, which says nothing about who asks.
struct DropRecipient: Equatable, Sendable {
  /// What comes of a request for deletion.
  enum Deletion: Equatable, Sendable {
    /// It is answered, and counts if Finished says *move*.
    case noted
    /// It is answered, and counts.
    case due
    /// It is refused, or was noted and counts for nothing.
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
  /// When it was dropped, as the Drop says.
  private var time: Timestamp?
  /// The clients of the target's window and of its proxy; empty before the drop.
  private var clients: Set<ClientID> = []
  /// Who has asked for content while the drag was over its windows.
  private var readers: Set<ClientID> = []
  private var hasRequestedContent = false
  /// Who has asked for deletion before Finished.
  private var deletionRequestor: WindowID?
  private var isDeletionDue = false

  init(resourceMask: UInt32) {
    self.resourceMask = resourceMask
  }

  /// Whether a window was made by the client that was dropped on.
  func isSent(by window: WindowID) -> Bool { clients.contains(client(of: window)) }

  /// Whether a request is about this drop and no other, whatever else has begun at the same time: it names the time of the
  /// Drop, and comes from the client that was dropped on.
  func isNamed(by request: SelectionRequest) -> Bool { request.time == time && isSent(by: request.requestor) }

  /// - Returns: Whether the target has content from the time when the drag was over it.
  mutating func dropped(on target: DropTarget, _ operation: DragOperation, at time: Timestamp) -> Bool {
    guard phase == .hovering else { return false }
    phase = .dropped(operation)
    self.time = time
    clients = [client(of: target.window), client(of: target.destination)]
    hasRequestedContent = !readers.isDisjoint(with: clients)
    return hasRequestedContent
  }

  /// Somebody asks for content. After the drop it is for the target, whoever asks: programs have helpers.
  ///
  /// - Returns: Whether it is the first content for the target.
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
    // The user is asked what to do after the drop.
    case .dropped(.move), .dropped(.ask):
      deletionRequestor = requestor
      return .noted
    case .moved:
      defer { isDeletionDue = true }
      return isDeletionDue ? .noted : .due
    case .hovering, .dropped, .over: return .refused(requestor)
    }
  }

  /// - Returns: What comes of a request for deletion that was noted; `nil` if there was none.
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
