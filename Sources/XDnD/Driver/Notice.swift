/// What the driver has to tell the application: values, so that nothing below `Session/` knows a delegate.
enum Notice: Equatable, Sendable {
  case target(WindowID, TargetNotice)
  case load(TransferID, LoadNotice)
  case save(TransferID, SaveNotice)
  case drag(DragID, DragNotice)
  case offer(OfferID, OfferNotice)
  case selection(AtomName, SelectionNotice)
  /// For the interactions of the window.
  case gesture(DragGesture.Input, in: WindowID)
  /// What the desktop has set may be something else now.
  case settingsChanged

  enum TargetNotice: Equatable, Sendable {
    case entered(SessionID, source: WindowID, version: ProtocolVersion, OfferedContent)
    case proposalNeeded(TargetMachine.ProposalRequest)
    case scrolled(SessionID, WheelScroll, at: Point)
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

  /// What a direct save needs of the file system, and what becomes of it.
  enum SaveNotice: Equatable, Sendable {
    /// Answer with ``DirectSaveReceiver/Input/placed(_:)``.
    case placeNeeded(name: String?)
    /// Answer with ``DirectSaveReceiver/Input/looked(_:)``.
    case lookNeeded
    /// Answer with ``DirectSaveReceiver/Input/takenOver(_:)``.
    case takeOverNeeded
    /// Finish the drop: the source has saved, or will when it is told so.
    case dropOver
    /// Load `application/octet-stream` and answer with ``DirectSaveReceiver/Input/fetched(_:)``.
    case dataNeeded
    case ended(DirectSaveReceiver.Result)
  }

  enum DragNotice: Equatable, Sendable {
    case began
    case targetChanged(WindowID?)
    case proposed(DragOperation?)
    /// The target has answered to a position, in root coordinates.
    case answered(at: Point, DragOperation?)
    /// What the target has been told of has to be there before the drop is sent: answer with `.prepared`.
    case preparationNeeded
    case dropSent(DragOperation, DragRelation)
    case ended(DragOutcome)
    case ignored(Violation)
  }

  /// What happens to the content of a drag, also after its end, or to that on a clipboard.
  enum OfferNotice: Equatable, Sendable {
    /// Somebody wants a representation: answer with ``Reactor/provide(_:_:)``.
    case contentNeeded(TransferID, type: AtomName, requestor: WindowID)
    case transferProgressed(TransferID, bytes: Int)
    case transferEnded(TransferID, OutgoingTransfer.Result)
    /// Save the file: see ``DirectSavePlace/local(_:)``; answer with `.saved`.
    case saveNeeded(to: [[UInt8]])
    /// The target gets its answer to a direct save by this transfer.
    case directSaveAnswered(TransferID)
    /// The target that was dropped on has asked for content, now or while the drag was over it; told once.
    case contentRequested
    /// The target has said that it has moved what was dropped, and asks to delete it; told once.
    case deletionRequested
    /// Nobody can ask for the content any more: another offer or another client has taken the selection.
    case released
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
