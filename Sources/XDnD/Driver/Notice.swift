/// What the driver has to tell the application: values, so that nothing below `Session/` knows a delegate.
enum Notice: Equatable, Sendable {
  case target(WindowID, TargetNotice)
  case load(TransferID, LoadNotice)
  /// Of a drag; and of what is on a clipboard, which has content, transfers and an end as well.
  case drag(OfferID, DragNotice)
  case selection(AtomName, SelectionNotice)

  enum TargetNotice: Equatable, Sendable {
    case entered(SessionID, source: WindowID, version: ProtocolVersion, OfferedContent)
    case proposalNeeded(TargetMachine.ProposalRequest)
    case exited(SessionID, TargetMachine.ExitReason)
    case dropped(SessionID, TargetMachine.DropDetails)
    case ended(SessionID, TargetMachine.DropResult)
    /// The window takes no more drops; it may have been registered again meanwhile.
    case unregistered
    case ignored(Violation)
  }

  enum LoadNotice: Equatable, Sendable {
    case progressed(received: Int, expected: Int?)
    case ended(IncomingTransfer.Result)
  }

  enum DragNotice: Equatable, Sendable {
    case began
    case targetChanged(WindowID?)
    case proposed(DragOperation?)
    case dropSent(DragOperation)
    case ended(DragOutcome)
    /// Somebody wants a representation: answer with ``Reactor/provide(_:_:)``.
    case contentNeeded(TransferID, type: AtomName, requestor: WindowID)
    case transferProgressed(TransferID, bytes: Int)
    case transferEnded(TransferID, OutgoingTransfer.Result)
    case deletionRequested
    /// Nobody can ask for the content any more: another drag or another client has taken the selection.
    case released
    case ignored(Violation)
  }

  enum SelectionNotice: Equatable, Sendable {
    /// Somebody else has what we have put there, or nobody has anything there any more.
    case lost
    /// Somebody, perhaps us, has taken it or let it go (`nil`).
    case ownerChanged(WindowID?)
  }
}

/// One thing that this program offers: with a drag, or on a clipboard.
struct OfferID: RawRepresentable, Hashable, Comparable, Sendable {
  let rawValue: Int

  static func < (left: OfferID, right: OfferID) -> Bool { left.rawValue < right.rawValue }
}

/// A drag goes by what it offers.
typealias DragID = OfferID
