/// What a drag out of this program does, for whoever began it.
///
/// All methods are called from ``DragAndDrop/process()`` and its relatives, and may call back into the library.
public protocol DragDelegate: AnyObject {
  /// Pointer and keyboard are ours; the user drags now.
  func dragBegan(_ drag: DragSession)

  /// The pointer is over another window that takes drops, or over none.
  func drag(_ drag: DragSession, movedOver target: WindowID?)

  /// What a drop would do now has changed; `nil` for nothing. The cursor says so already.
  func drag(_ drag: DragSession, isProposed operation: DragOperation?)

  /// The target has answered: what a drop at this place, in root coordinates, would do; `nil` for nothing.
  ///
  /// Each answer is told, also one that changes nothing.
  func drag(_ drag: DragSession, answeredAt point: Point, with operation: DragOperation?)

  /// The content was dropped; the target fetches it now.
  func drag(_ drag: DragSession, dropped operation: DragOperation)

  /// So many bytes of a representation have been handed over.
  func drag(_ drag: DragSession, sent bytes: Int, of type: ContentType)

  /// A representation has been handed over, or not.
  func drag(_ drag: DragSession, finishedSending type: ContentType, successfully: Bool)

  /// A promised file has been saved where the target wanted it: direct save.
  func drag(_ drag: DragSession, saved file: [UInt8], byteCount: Int)

  /// A promised file could not be written. The target may have been told that it is there: see
  /// ``DragItem/promise(_:)-(FilePromise)``.
  func drag(_ drag: DragSession, failedToSave error: XDnDError)

  /// The target has moved what was dropped, and asks to delete it here: ``DragSession/isDeletionRequested`` is true from
  /// now on. Most targets ask before the end of the drag, and are told here right before ``drag(_:ended:)``.
  func dragRequestsDeletion(_ drag: DragSession)

  /// The drag is over. Data may be asked for even later.
  func drag(_ drag: DragSession, ended outcome: DragOutcome)

  /// Nobody can ask for the content any more: another drag or another program has taken its place.
  func dragReleased(_ drag: DragSession)
}

extension DragDelegate {
  /// Does nothing.
  public func dragBegan(_ drag: DragSession) {}
  /// Does nothing.
  public func drag(_ drag: DragSession, movedOver target: WindowID?) {}
  /// Does nothing.
  public func drag(_ drag: DragSession, isProposed operation: DragOperation?) {}
  /// Does nothing.
  public func drag(_ drag: DragSession, answeredAt point: Point, with operation: DragOperation?) {}
  /// Does nothing.
  public func drag(_ drag: DragSession, dropped operation: DragOperation) {}
  /// Does nothing.
  public func drag(_ drag: DragSession, sent bytes: Int, of type: ContentType) {}
  /// Does nothing.
  public func drag(_ drag: DragSession, finishedSending type: ContentType, successfully: Bool) {}
  /// Does nothing.
  public func drag(_ drag: DragSession, saved file: [UInt8], byteCount: Int) {}
  /// Does nothing.
  public func drag(_ drag: DragSession, failedToSave error: XDnDError) {}
  /// Does nothing.
  public func dragRequestsDeletion(_ drag: DragSession) {}
  /// Does nothing.
  public func drag(_ drag: DragSession, ended outcome: DragOutcome) {}
  /// Does nothing.
  public func dragReleased(_ drag: DragSession) {}
}

/// One drag out of this program.
public final class DragSession {
  /// What is dragged, in order.
  public internal(set) var items: [DragItem]
  /// All items as one, as they are on the wire.
  var content: DragItem
  /// The types that others see, best first.
  public var types: [ContentType] { content.types }
  /// What may be done with all of the items.
  public var operations: [DragOperation] { content.operations }
  /// How it ended; `nil` while it goes on.
  public private(set) var outcome: DragOutcome?
  /// How the place of the drop relates to where the drag came from; `nil` before the drop.
  ///
  /// With ``outcome`` it tells what becomes of the selection: what was moved within its container is selected in its new
  /// place, what was copied elsewhere is still selected here.
  public internal(set) var relation: DragRelation?
  /// Whether the target has asked to delete what it has moved: it has its own copy now.
  ///
  /// True only after ``DragOutcome/dropped(_:)`` with ``DragOperation/move``, and only if a window of the target's client has
  /// converted `DELETE` (ICCCM section 2.6.3): since the drop, or after the end of the drag.
  public internal(set) var isDeletionRequested = false
  /// Whether the target that was dropped on has asked for content, while the drag was over it, after the drop, or since
  /// the end of the drag. Before the drop it is false.
  ///
  /// A target that finishes without content may still ask: Dolphin does. Others never do, and cannot say that they have
  /// refused: FLTK.
  public internal(set) var isContentRequested = false
  /// Whether content is being handed over right now. That can go on after the end of the drag.
  public var isSending: Bool { !transfers.isEmpty }

  /// Whether promised files are still being written. That can go on after the end of the drag.
  public var isWriting: Bool { promises?.isWriting ?? false }

  /// What it is dragged out of, if somebody has said so.
  public internal(set) var container: DragContainer?

  /// What the user sees at the pointer. Can be replaced at any time, to show what a drop would do; not constantly.
  ///
  /// An image comes from where the item with the same index lies, see ``DragItem/origin``; else from its own origin.
  public var preview: DragPreview {
    didSet {
      var old = oldValue
      old.badge = preview.badge
      if old == preview {
        owner?.reactor.setBadge(preview.badge, of: id)
      } else {
        owner?.reactor.setPreview(preview, origins: origins, of: id)
      }
    }
  }

  /// The number at the image, or none.
  public var badge: DragBadge {
    get { preview.badge }
    set { preview.badge = newValue }
  }

  /// Whether the image of a drag that is cancelled or fails goes back to where it came from. If not, it fades away where
  /// it is.
  public var animatesToStartingPositionsOnCancelOrFail = true {
    didSet { owner?.reactor.setReturnsOnFailure(animatesToStartingPositionsOnCancelOrFail, of: id) }
  }

  /// Whether ``preview`` is made of the items.
  var hasAutomaticPreview = false
  weak var delegate: (any DragDelegate)?
  /// The types of the transfers that are under way.
  var transfers: [TransferID: ContentType] = [:]
  /// The files that are written when somebody wants them; `nil` if there are none.
  var promises: DragPromises?
  weak var owner: DragAndDrop?
  private var waiters: [CheckedContinuation<DragOutcome, Never>] = []
  let id: DragID

  init(
    id: DragID, items: [DragItem], content: DragItem, preview: DragPreview, delegate: (any DragDelegate)?,
    owner: DragAndDrop
  ) {
    self.id = id
    self.items = items
    self.content = content
    self.preview = preview
    self.delegate = delegate
    self.owner = owner
  }

  deinit {
    for waiter in waiters { waiter.resume(returning: .cancelled(.application)) }
  }

  /// Ends the drag without a drop. After the drop it only ends the wait for the target's answer.
  public func cancel() { owner?.reactor.enqueue(.source(id, .cancel(.application))) }

  /// Waits for the end. Somebody has to run the driver meanwhile, such as ``DragAndDrop/run()``.
  public func waitForOutcome() async -> DragOutcome {
    if let outcome { return outcome }
    return await withCheckedContinuation { waiters.append($0) }
  }

  /// Where the images of the preview come from, as far as the items know.
  var origins: [DragOrigin?] { items.map(\.origin) }

  func end(_ outcome: DragOutcome) {
    self.outcome = outcome
    for waiter in waiters { waiter.resume(returning: outcome) }
    waiters = []
  }
}
