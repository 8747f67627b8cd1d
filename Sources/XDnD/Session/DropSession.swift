/// One drag that is over a window of ours, and then its drop.
///
/// It is valid from ``DropDelegate/dropEntered(_:)`` to ``DropDelegate/dropExited(_:_:)`` or
/// ``DropDelegate/dropEnded(_:_:)``. A dropped session that is let go of without an answer rejects the drop, so a
/// delegate that forgets cannot hang the application it came from.
public final class DropSession: ContentProvider {
  /// The types that the source offers, best first.
  public internal(set) var types: [ContentType]
  /// The operations that the source lists; empty if it lists none.
  public internal(set) var operations: [DragOperation]
  /// What the source calls its ``operations``, in the same order; empty if it does not say.
  public internal(set) var operationDescriptions: [String]
  /// The source's window. Not necessarily one that the user sees.
  public let sourceWindow: WindowID
  /// The window that the drag is over.
  public let window: WindowID
  /// The protocol version of the session.
  public let version: ProtocolVersion
  /// Where the pointer is, in root coordinates.
  public internal(set) var rootLocation = Point(x: 0, y: 0)
  /// The operation that the user asks for now.
  public internal(set) var requestedOperation: DragOperation?
  /// What the window's ``DropOffer`` says to it.
  public internal(set) var suggestedProposal = DropProposal.forbidden
  /// The drag itself, if it comes from this very ``DragAndDrop``; `nil` if it comes from elsewhere.
  public internal(set) var localDrag: DragSession?
  /// What is dragged, if the drag comes from this very ``DragAndDrop``: the items with their values and
  /// ``DragItem/localContext``; `nil` if it comes from elsewhere.
  public var localItems: [DragItem]? { localDrag?.items }
  /// How the place under the pointer relates to where the drag comes from.
  public var relation: DragRelation {
    guard let localDrag, let owner else { return .otherApplication }
    return DragRelation(from: localDrag.container, to: owner.reactor.containerLookup(window, rootLocation))
  }
  /// What was agreed on when the content was dropped; `nil` before.
  public internal(set) var droppedOperation: DragOperation?

  /// The region that the pointer is over, or that was dropped on, of a window that has some; `nil` over none that takes
  /// what is dragged. See ``DragAndDrop/registerDropTarget(_:accepting:delegate:regions:)``.
  public internal(set) var region: DropRegion?

  let id: SessionID
  /// What the window takes, or the region.
  var offer: DropOffer
  /// When it was dropped.
  var dropTime: Timestamp?
  private(set) var isOpen = true

  init(
    id: SessionID, window: WindowID, source: WindowID, version: ProtocolVersion, content: OfferedContent,
    offer: DropOffer, owner: DragAndDrop
  ) {
    self.id = id
    self.window = window
    self.sourceWindow = source
    self.version = version
    self.types = content.types
    self.operations = content.operations
    self.operationDescriptions = content.descriptions
    self.offer = offer
    super.init(owner: owner)
  }

  deinit {
    guard isOpen, droppedOperation != nil else { return }
    owner?.reactor.enqueue(.target(window, .finish(id, nil)))
  }

  /// Where the pointer is in the window, in pixels from its upper left corner: one round trip.
  public var location: Point? { owner?.reactor.system.translate(rootLocation, to: window) }

  /// The best of the offered types for this window, under the name that the source offers it by.
  public var bestType: ContentType? { negotiation.best?.offered }

  /// All of the offered types that serve this window, best first, and why; computed anew each time.
  ///
  /// A type may be offered and yet not be delivered: then the next candidate is worth a try.
  public var negotiation: Negotiation { offer.negotiation(with: types) }

  /// Says that the content has been taken, and how. Later calls do nothing.
  ///
  /// After a move the source is asked to delete what it offered, and then told that the drop is done.
  ///
  /// - Parameter operation: What was done: ``droppedOperation``, or what the user has chosen after
  ///   ``DragOperation/ask``. Less may be done than was agreed on, a copy instead of a move; more never is, so a move
  ///   that was not agreed on is reported as what was.
  public func finish(_ operation: DragOperation) {
    // Asking is not doing: who has asked says what the answer was, and if not, nothing is taken from the source.
    let agreed = droppedOperation == .ask ? .copy : droppedOperation
    let isAgreed = operation == droppedOperation || droppedOperation == .ask
    let isHarmless = operation == .copy || operation == .private
    close(operation != .ask && (isAgreed || isHarmless) ? operation : agreed)
  }

  /// Says that the drop is not wanted after all. Later calls do nothing.
  public func reject() { close(nil) }

  private func close(_ operation: DragOperation?) {
    guard isOpen else { return }
    isOpen = false
    owner?.keepUntilEnd(self)
    owner?.reactor.enqueue(.target(window, .finish(id, operation)))
  }

  func markEnded() { isOpen = false }

  override func start(_ task: LoadTask, limit: Int?, sink: @escaping ContentSink) {
    guard let owner,
      let transfer = owner.reactor.load(task.type.atomName, of: id, limits: owner.limits(limit), sink: sink)
    else { return task.end(.failure(.nothingDropped)) }
    owner.track(task, transfer)
  }
}
