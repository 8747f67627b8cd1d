/// Receives the progress of a drag that begins in this program. The counterpart of `NSDraggingSource`, and of the
/// session methods of `UIDragInteractionDelegate`.
///
/// The methods are called from inside ``DragAndDrop/process()`` and other calls into the library, and may call back
/// into it. All of them are optional.
public protocol DragDelegate: AnyObject {
  /// Tells the delegate that the drag has begun: the pointer and the keyboard are grabbed.
  func dragBegan(_ drag: DragSession)

  /// Tells the delegate that the pointer has moved over another window that accepts drops, or away from one.
  ///
  /// - Parameters:
  ///   - drag: The drag.
  ///   - target: The target's window; `nil` over none.
  func drag(_ drag: DragSession, movedOver target: WindowID?)

  /// Tells the delegate that a drop at the pointer would have another result now. The cursor already shows it.
  ///
  /// - Parameters:
  ///   - drag: The drag.
  ///   - operation: What a drop would do; `nil` if the target refuses or there is none.
  func drag(_ drag: DragSession, isProposed operation: DragOperation?)

  /// Tells the delegate that the target has answered a position (`XdndStatus`).
  ///
  /// Called for each answer, including one that changes nothing.
  ///
  /// - Parameters:
  ///   - drag: The drag.
  ///   - point: The position, in root coordinates.
  ///   - operation: What a drop there would do; `nil` if the target refuses.
  func drag(_ drag: DragSession, answeredAt point: Point, with operation: DragOperation?)

  /// Tells the delegate that the content was dropped. The target loads it now.
  func drag(_ drag: DragSession, dropped operation: DragOperation)

  /// Tells the delegate that a part of a representation was delivered.
  ///
  /// - Parameters:
  ///   - drag: The drag.
  ///   - bytes: The length of this part. It is not the total.
  ///   - type: The type of the representation.
  func drag(_ drag: DragSession, sent bytes: Int, of type: ContentType)

  /// Tells the delegate that the delivery of a representation has ended.
  func drag(_ drag: DragSession, finishedSending type: ContentType, successfully: Bool)

  /// Tells the delegate that a promised file was saved by direct save, at the place that the target has named or, if
  /// the name was taken, beside it.
  ///
  /// - Parameters:
  ///   - drag: The drag.
  ///   - file: Its path, as bytes, which need not be UTF-8.
  ///   - byteCount: Its length.
  func drag(_ drag: DragSession, saved file: [UInt8], byteCount: Int)

  /// Tells the delegate that a promised file could not be written.
  ///
  /// The target may already have been told that it is saved: see ``DragItem/promise(_:)-(FilePromise)``.
  func drag(_ drag: DragSession, failedToSave error: XDnDError)

  /// Tells the delegate that the target has moved the content and asks the source to delete it.
  ///
  /// ``DragSession/isDeletionRequested`` is `true` from now on. Most targets ask before the drag ends; this method is
  /// then called immediately before ``drag(_:ended:)``.
  func dragRequestsDeletion(_ drag: DragSession)

  /// Tells the delegate that the drag is over. Targets may still request its content, until ``dragReleased(_:)``.
  func drag(_ drag: DragSession, ended outcome: DragOutcome)

  /// Tells the delegate that the content can no longer be requested, because another drag or another program has
  /// replaced it. The application may release it.
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

/// A drag that begins in this program. The counterpart of `UIDragSession` and `NSDraggingSession`.
///
/// The ``DragAndDrop`` retains it until ``DragDelegate/dragReleased(_:)``. It belongs to the isolation domain of its
/// ``DragAndDrop``.
public final class DragSession {
  /// The dragged items, in order.
  public internal(set) var items: [DragItem]
  /// All items, merged into the XDND offer.
  var content: DragItem
  /// The types that are offered to targets, best first.
  public var types: [ContentType] { content.types }
  /// The operations that all items permit.
  public var operations: [DragOperation] { content.operations }
  /// How the drag ended; `nil` while it goes on.
  public private(set) var outcome: DragOutcome?
  /// How the container of the drop relates to the container that the drag came from; `nil` before the drop.
  ///
  /// Together with ``outcome`` it decides what to select afterwards: what was moved within its container is selected in
  /// its new place; what was copied elsewhere stays selected here.
  public internal(set) var relation: DragRelation?
  /// Whether the target has moved the content and asks the source to delete it.
  ///
  /// It is `true` only after ``DragOutcome/dropped(_:)`` with ``DragOperation/move``, and only if a window of the
  /// target's client has converted `DELETE` (ICCCM §2.6.3) since the drop. The request may arrive after the end of the
  /// drag.
  public internal(set) var isDeletionRequested = false
  /// Whether the target of the drop has requested content: while the drag was over it, after the drop, or since the end
  /// of the drag. Always `false` before the drop.
  ///
  /// A target that finishes without a request may still make one later, as Dolphin does. FLTK targets never do, and
  /// cannot report that they have refused.
  public internal(set) var isContentRequested = false
  /// Whether content is being delivered. It may continue after the end of the drag.
  public var isSending: Bool { !transfers.isEmpty }

  /// Whether promised files are being written. It may continue after the end of the drag.
  public var isWriting: Bool { promises?.isWriting ?? false }

  /// The container that the drag comes from, as passed to `beginDrag`; `nil` if none was given.
  public internal(set) var container: DragContainer?

  /// The drag image at the pointer. It can be replaced at any time, for example to show what a drop would do. Do not
  /// replace it on each motion.
  ///
  /// Each image starts at the ``DragItem/origin`` of the item with the same index, or else at its own origin.
  public var preview: DragPreview {
    didSet {
      var old = oldValue
      old.badge = preview.badge
      if old == preview {
        owner?.reactor.show { $0.image.setBadge(preview.badge, of: id) }
      } else {
        owner?.reactor.show { $0.image.setPreview(preview, origins: origins, of: id) }
      }
    }
  }

  /// The count at the drag image.
  public var badge: DragBadge {
    get { preview.badge }
    set { preview.badge = newValue }
  }

  /// Whether the drag image returns to its origin when the drag is cancelled or fails. Otherwise it fades out in place.
  /// The counterpart of the `NSDraggingSession` property of the same name.
  public var animatesToStartingPositionsOnCancelOrFail = true {
    didSet { owner?.reactor.image.setReturnsOnFailure(animatesToStartingPositionsOnCancelOrFail, of: id) }
  }

  /// Whether ``preview`` is derived from the items.
  var hasAutomaticPreview = false
  weak var delegate: (any DragDelegate)?
  /// The types of the transfers that are under way.
  var transfers: [TransferID: ContentType] = [:]
  /// The writer of the promised files; `nil` if there are none.
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

  /// Waits for the end of the drag. The ``DragAndDrop`` must run meanwhile, for example in ``DragAndDrop/run()``.
  /// Cancelling the task does not end the wait.
  ///
  /// - Returns: ``outcome``; a cancellation by the application if the session is deallocated.
  public func waitForOutcome() async -> DragOutcome {
    if let outcome { return outcome }
    return await withCheckedContinuation { waiters.append($0) }
  }

  /// The origins of the items, which the preview's images start from.
  var origins: [DragOrigin?] { items.map(\.origin) }

  func end(_ outcome: DragOutcome) {
    self.outcome = outcome
    for waiter in waiters { waiter.resume(returning: outcome) }
    waiters = []
  }
}
