/// What the driver has to tell the application: values, so that nothing below `Session/` knows a delegate.
enum Notice: Equatable, Sendable {
  case target(WindowID, TargetNotice)
  case load(TransferID, LoadNotice)
  case drag(DragID, DragNotice)

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
}

/// One drag out of this program.
struct DragID: RawRepresentable, Hashable, Comparable, Sendable {
  let rawValue: Int

  static func < (left: DragID, right: DragID) -> Bool { left.rawValue < right.rawValue }
}
