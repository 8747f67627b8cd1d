/// A report of the driver to the application. It is a value, so that nothing below `Session/` knows a delegate.
enum Notice: Equatable {
  case target(DropHost, TargetNotice)
  case load(TransferID, LoadNotice)
  case save(TransferID, SaveNotice)
  case drag(DragID, DragNotice)
  case offer(OfferID, OfferNotice)
  case selection(AtomName, SelectionNotice)
  /// Pointer input in a window that is watched for gestures.
  case gesture(DragGesture.Input, in: WindowID)
  /// ``WindowSystem/settings`` may have changed.
  case settingsChanged

  enum TargetNotice: Equatable, Sendable {
    case entered(SessionID, source: WindowID, version: ProtocolVersion, OfferedContent)
    case proposalNeeded(TargetMachine.ProposalRequest)
    case scrolled(SessionID, WheelScroll, at: Point)
    case exited(SessionID, DropExit)
    case dropped(SessionID, TargetMachine.DropDetails)
    case ended(SessionID, DropResult)
    /// The window is no longer a drop target, or could not become one, and the application has not unregistered it.
    case lost(TargetLoss)
  }

  /// The reason why a registered window is no drop target.
  enum TargetLoss: Equatable, Sendable {
    case destroyed
    /// Another client has claimed a foreign window, or changed its `XdndAware` or `XdndProxy`.
    case replaced
    /// The window is another client's, and cannot be registered.
    case refused(ProxyMachine.Refusal)
  }

  enum LoadNotice: Equatable, Sendable {
    /// The content of an item of this process, or of a file, is needed: answer with ``Load/provide(_:)``.
    case contentNeeded(type: AtomName)
    case progressed(received: Int, expected: Int?)
    case ended(IncomingTransfer.Result)
  }

  /// The requests of a direct save to the application, and its result.
  enum SaveNotice: Equatable, Sendable {
    /// Answer with ``DirectSaveReceiver/Input/placed(_:)``.
    case placeNeeded(name: String?)
    /// Answer with ``DirectSaveReceiver/Input/looked(_:)``.
    case lookNeeded
    /// Answer with ``DirectSaveReceiver/Input/takenOver(_:)``.
    case takeOverNeeded
    /// Finish the drop: the source may be waiting for Finished before it saves.
    case dropOver
    /// Load `application/octet-stream` and answer with ``DirectSaveReceiver/Input/fetched(_:)``.
    case dataNeeded
    case ended(DirectSaveReceiver.Result)
  }

  enum DragNotice: Equatable, Sendable {
    /// Another client holds a grab. If that client is another connection of the host, the host has to release the grab.
    case grabNeeded
    case began
    case targetChanged(WindowID?)
    case proposed(DragOperation?)
    /// The target has answered the Position for a point in root coordinates.
    case answered(at: Point, DragOperation?)
    /// The files that the target has been promised must be written before the Drop: answer with
    /// ``SourceMachine/Input/prepared(_:)``.
    case preparationNeeded
    case dropSent(DragOperation, DragRelation)
    /// The drag has failed, and its image waits for the places to slide back to: answer with
    /// ``DragImagePlayer/slideBack(to:of:)``.
    case originsNeeded
    case ended(DragOutcome)
  }

  /// Content on its way to a requestor.
  struct Transfer: Equatable, Sendable {
    let id: TransferID
    let type: AtomName
    /// Whether its bytes are content: see ``Drags/Content/uncounted``.
    let isCounted: Bool
    /// The number of bytes written so far, and the length of the content.
    var amount = LoadAmount()
  }

  /// A report about the content of a clipboard or of a drag, which may have ended.
  enum OfferNotice: Equatable, Sendable {
    /// A requestor has asked for a representation. ``contentNeeded(_:type:requestor:)`` follows when the requestor's
    /// events are selected.
    case transferBegan(Transfer)
    /// A requestor wants a representation: answer with ``OfferStore/provide(_:_:)``.
    case contentNeeded(TransferID, type: AtomName, requestor: WindowID)
    /// A part was written, or the length is known now; `after` is the amount before.
    case transferProgressed(Transfer, after: LoadAmount)
    case transferEnded(Transfer, OutgoingTransfer.Result)
    /// Save the file at the first of these paths whose directory exists. Answer with
    /// ``DirectSaveProvider/Input/saved(_:)``.
    case saveNeeded(to: [[UInt8]])
    /// The drop's target has requested content, now or while the drag was over it. Reported once.
    case contentRequested
    /// The target has moved the content and requests its deletion. Reported once.
    case deletionRequested
    /// The content cannot be requested any more: the selection is lost or holds other content, or the drag exceeds
    /// ``OfferStore/History``.
    case released
  }

  enum SelectionNotice: Equatable, Sendable {
    /// This program no longer owns the selection.
    case lost
    /// The selection has a new owner, which may be this program; `nil` for none.
    case ownerChanged(WindowID?)
  }
}

/// The id of content that this program offers in a drag or on a clipboard.
struct OfferID: RawRepresentable, Hashable, Comparable, Sendable {
  let rawValue: Int

  static func < (left: OfferID, right: OfferID) -> Bool { left.rawValue < right.rawValue }
}

/// A drag has the id of its offer.
typealias DragID = OfferID

/// How much of some content has been transferred.
struct LoadAmount: Hashable, Sendable {
  /// The number of bytes that have arrived or, of content that this program offers, that were written.
  var received = 0
  /// The length of the content; `nil` if it is unknown.
  var expected: Int?
}
