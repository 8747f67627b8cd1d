/// A drag over one of this program's windows, and the drop that may follow. The counterpart of `UIDropSession`,
/// `NSDraggingInfo` and SwiftUI's `DropInfo`.
///
/// A session is valid from ``DropDelegate/dropEntered(_:)`` to ``DropDelegate/dropExited(_:_:)`` or
/// ``DropDelegate/dropEnded(_:_:)``. It belongs to the isolation domain of its ``DragAndDrop``. If it is deallocated
/// after the drop without an answer, the drop is rejected, so that the source does not wait for a delegate that has
/// forgotten to answer.
public final class DropSession: ContentProvider {
  /// The types that the source offers, best first.
  public internal(set) var types: [ContentType]
  /// The operations that the source offers (`XdndActionList`); empty if it publishes no list, or if no operation in it
  /// is known.
  public internal(set) var operations: [DragOperation]
  /// The source's descriptions of its ``operations``, in the same order (`XdndActionDescription`); empty if it gives
  /// none, or another number of them.
  public internal(set) var operationDescriptions: [String]
  /// The source window of the XDND messages. Often it is not a window that the user sees.
  public let sourceWindow: WindowID
  /// The window under the drag.
  public let window: WindowID
  /// The XDND version that both sides use in this session.
  public let version: ProtocolVersion
  /// The position of the pointer, in root coordinates, in device pixels.
  public internal(set) var rootLocation = Point(x: 0, y: 0)
  /// The operation that the user asks for; `nil` before the first position, or if the source names none.
  public internal(set) var requestedOperation: DragOperation?
  /// The answer that follows from the window's ``DropOffer``: the default answer to the source.
  public internal(set) var suggestedProposal = DropProposal.forbidden
  /// The drag, if it began in the same ``DragAndDrop``; otherwise `nil`. The counterpart of
  /// `UIDropSession.localDragSession`.
  public internal(set) var localDrag: DragSession?
  /// The dragged items, with their values and ``DragItem/localContext``, if the drag began in the same ``DragAndDrop``;
  /// otherwise `nil`.
  public var localItems: [DragItem]? { localDrag?.items }
  /// How the container under the pointer relates to the container that the drag comes from.
  public var relation: DragRelation {
    guard let localDrag, let owner else { return .otherApplication }
    return DragRelation(from: localDrag.container, to: owner.reactor.drags.containerLookup(window, rootLocation))
  }
  /// The operation that was agreed on at the drop; `nil` before the drop.
  public internal(set) var droppedOperation: DragOperation?

  /// The region under the pointer, or the region of the drop. `nil` if the window has no regions, or if none at the
  /// pointer accepts the content. See ``DragAndDrop/registerDropTarget(_:accepting:delegate:regions:)``.
  public internal(set) var region: DropRegion?

  let id: SessionID
  /// What the window or the region accepts.
  var offer: DropOffer
  /// The timestamp of the drop.
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

  /// The position of the pointer in device pixels from the upper left corner of ``window``. Makes one round trip.
  public var location: Point? { owner?.reactor.system.translate(rootLocation, to: window) }

  /// The best offered type for this window, under the source's name for it.
  public var bestType: ContentType? { negotiation.best?.offered }

  /// The offered types that suit this window, best first, with the reasons. Computed at each access.
  ///
  /// A source may refuse a type that it offers. Load the next candidate in that case.
  public var negotiation: Negotiation { offer.negotiation(with: types) }

  /// Reports to the source that the drop was accepted and what was done with the content. Only the first call of
  /// ``finish(_:)`` or ``reject()`` has an effect. Loads that are still under way end with
  /// ``XDnDError/Code/cancelled``.
  ///
  /// After a move the source is first asked to delete its content (`DELETE`, ICCCM §2.6.3), and then told that the drop
  /// is finished.
  ///
  /// - Parameter operation: The operation that was performed: ``droppedOperation``, or the user's choice after
  ///   ``DragOperation/ask``. It may do less than was agreed on, such as a copy in place of a move, but not more: a
  ///   move that was not agreed on is reported as ``droppedOperation``.
  public func finish(_ operation: DragOperation) {
    // Ask is not an operation. Without a choice, report a copy: it takes nothing from the source.
    let agreed = droppedOperation == .ask ? .copy : droppedOperation
    let isAgreed = operation == droppedOperation || droppedOperation == .ask
    let isHarmless = operation == .copy || operation == .private
    close(operation != .ask && (isAgreed || isHarmless) ? operation : agreed)
  }

  /// Reports to the source that the drop was rejected. Only the first call of ``finish(_:)`` or ``reject()`` has an
  /// effect.
  public func reject() { close(nil) }

  private func close(_ operation: DragOperation?) {
    guard isOpen else { return }
    isOpen = false
    owner?.keepUntilEnd(self)
    owner?.reactor.enqueue(.target(window, .finish(id, operation)))
  }

  func markEnded() { isOpen = false }

  override func start(_ task: LoadTask, limit: Int?, sink: @escaping ContentSink) {
    guard let owner else { return task.end(.failure(.nothingDropped)) }
    let transfer = owner.reactor.perform {
      $0.loads.load(task.type.atomName, of: id, limits: owner.limits(limit), sink: sink)
    }
    guard let transfer else { return task.end(.failure(.nothingDropped)) }
    owner.track(task, transfer)
  }
}
