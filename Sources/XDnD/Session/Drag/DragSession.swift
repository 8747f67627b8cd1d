/// A drag that begins in this program. The counterpart of `UIDragSession` and `NSDraggingSession`.
///
/// The ``DragAndDrop`` retains it until ``DragDelegate/dragReleased(_:)``. It belongs to the isolation domain of its
/// ``DragAndDrop``.
public final class DragSession {
  /// The dragged items, in order.
  public private(set) var items: [DragItem] = []
  /// All items, merged into the XDND offer.
  private(set) var content = DragItem()
  /// The offer of each item to drops within the process, in order. A single item is the merged offer, unless it has
  /// types for this process only.
  private(set) var itemContents: [DragItem] = []
  /// The types that are offered to targets, best first.
  public var types: [ContentType] { content.types }
  /// The operations that all items permit; a copy if they have none in common.
  public var operations: [DragOperation] { content.operations }
  /// How the drag ended; `nil` before its end.
  public private(set) var outcome: DragOutcome?
  /// How the container of the drop relates to the container that the drag came from; `nil` before the drop.
  ///
  /// Use it with ``outcome`` to update the selection: items that were moved within their container are selected in
  /// their new place, and items that were copied elsewhere stay selected here.
  public private(set) var relation: DragRelation?
  /// Whether the target has moved the content and asks the source to delete it.
  ///
  /// It is `true` only if the drag ends with ``DragOutcome/dropped(_:)`` and ``DragOperation/move``, and the target has
  /// converted `DELETE` (ICCCM §2.6.3) since the drop. The request may arrive after the end of the drag.
  package private(set) var isDeletionRequested = false
  /// Whether the target of the drop has requested content: while the drag was over it, after the drop, or since the end
  /// of the drag. Always `false` before the drop.
  ///
  /// A target that finishes without a request may still make one later, as Dolphin does. An FLTK target that finishes
  /// without a request has refused, which FLTK cannot report.
  package private(set) var isContentRequested = false
  /// Whether content is being delivered. The delivery may continue after the end of the drag.
  package var isSending: Bool { context?.reactor.offers[id]?.isSending ?? false }

  /// Whether promised files are being written. The writing may continue after the end of the drag.
  public var isWriting: Bool { promises?.isWriting ?? false }

  /// The progress of the delivery since the drag began: the transfers of the merged offer, also to this program's
  /// windows, and the writing of promised files. Loads of a ``DropItem`` count in ``DropSession/progress`` only.
  ///
  /// ``LoadProgress/expectedByteCount``, if known, is exact. It is known once each request is answered with bytes, a
  /// file, or content whose length the answer states.
  public var progress: LoadProgress { sum.progress }

  /// Called when ``progress`` has changed, before the delegate's methods for the same event. Retained as long as the
  /// session.
  public var onProgress: ((LoadProgress) -> Void)?

  /// Whether only windows of the same ``DragAndDrop`` can be targets, because of an item's
  /// ``DragItem/isRestrictedToApplication``. The counterpart of the `UIDragSession` property of the same name.
  package let isRestrictedToDraggingApplication: Bool

  /// The container that the drag comes from, as passed to `beginDrag`; `nil` if none was given.
  public let container: DragContainer?

  /// The drag image at the pointer. It can be replaced at any time, for example to show the effect of a drop, but
  /// should not change on each motion.
  ///
  /// Each image starts at the ``DragItem/origin`` of the item with the same index, or else at its own origin.
  public var preview: DragPreview {
    didSet {
      var (old, new) = (oldValue, preview)
      old.badge = preview.badge
      new.badge = shownBadge
      if old != preview { hasAutomaticPreview = false }
      changeAppearance {
        $0.preview = new
        if old != preview { $0.origins = origins }
      }
    }
  }

  /// The badge of the drag image. While the pointer is over a window of the same ``DragAndDrop`` that would take only
  /// some of the items, the image shows their number instead: see ``DropSession/acceptedItems`` and
  /// ``DropProposal/itemCount``.
  public var badge: DragBadge {
    get { preview.badge }
    set { preview.badge = newValue }
  }

  /// Whether the drag image returns to its origin when the drag is cancelled or fails. Otherwise it grows and fades.
  /// The counterpart of the `NSDraggingSession` property of the same name.
  public var animatesToStartingPositionsOnCancelOrFail = true {
    didSet { changeAppearance { $0.returnsOnFailure = animatesToStartingPositionsOnCancelOrFail } }
  }

  /// Returns the place to which an item's image slides back when the drag is cancelled or fails. Without this closure, it
  /// is the place that the item came from. The counterpart of `dragInteraction(_:previewForCancelling:withDefault:)`.
  ///
  /// Called when the drag has failed, immediately before ``DragDelegate/drag(_:ended:)``, for each item that has an image
  /// in the ``preview``. Not called if ``animatesToStartingPositionsOnCancelOrFail`` is `false`. Retained as long as the
  /// session.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - origin: The place to which its image slides back by default: ``DragItem/origin``, or ``DragImage/origin`` in
  ///     root coordinates. `nil` if it has neither.
  /// - Returns: The place, in a window or in root coordinates. `nil` if the item no longer has one, for example because
  ///   its row was removed. Its image then fades while the others slide back; if no item has a place, the images grow and
  ///   fade.
  public var originForCancelling: ((_ item: DragItem, _ origin: DragOrigin?) -> DragOrigin?)? {
    didSet { changeAppearance { $0.asksForOrigins = originForCancelling != nil } }
  }

  let id: DragID
  private var hasAutomaticPreview: Bool
  /// Settable for the C interface: a drag that an interaction has begun gets its own delegate.
  package weak var delegate: (any DragDelegate)?
  /// The delegate, if this object retains it until the content is released.
  private var keptDelegate: (any DragDelegate)?
  private var sum = LoadSum()
  /// The badge that a target of this program shows instead of ``badge``, while the drag is over it.
  private var targetBadge: (target: SessionID, badge: DragBadge)?
  /// The writer of the promised files; `nil` if there are none.
  private(set) var promises: DragPromises?
  private weak var context: SessionContext?
  private var waiters: [CheckedContinuation<DragOutcome, Never>] = []

  /// - Parameters:
  ///   - preview: `nil` for a preview that is derived from the items.
  ///   - context: Not retained.
  init(
    id: DragID, items: [DragItem], preview: DragPreview?, container: DragContainer?, delegate: (any DragDelegate)?,
    context: SessionContext
  ) {
    self.id = id
    self.preview = preview ?? .automatic(for: items, scale: context.reactor.system.settings.scale)
    self.hasAutomaticPreview = preview == nil
    self.container = container
    self.isRestrictedToDraggingApplication = items.contains(where: \.isRestrictedToApplication)
    self.delegate = delegate
    self.context = context
    merge(items, context)
  }

  deinit {
    for waiter in waiters { waiter.resume(returning: .cancelled(.application)) }
  }

  func retain(_ delegate: any DragDelegate) { keptDelegate = delegate }

  /// Ends the drag without a drop. After the drop it only ends the wait for the target's answer.
  public func cancel() { context?.reactor.perform { $0.drags[id]?.receive(.cancel(.application)) } }

  /// Cancels the delivery of the content, for a user who does not want to wait for it. The counterpart of
  /// `Progress.cancel()`.
  ///
  /// Requests whose content has not begun to arrive are refused, and so are later ones. An INCR transfer stops. ICCCM
  /// §2.7.2 has no message for that, so the requestor waits until its own time limit; a requestor that uses this
  /// library notices the release of `XdndSelection` within a few seconds. Promised files that are not complete are
  /// removed. The target of a direct save receives an error, unless it was already told that the file is saved.
  /// Complete files stay. Loads of a ``DropItem`` in this program continue.
  ///
  /// A drag that has not ended yet ends with ``DragOutcome/Cancellation/delivery``, or with
  /// ``DragOutcome/transferFailed`` if its target was told that a file is saved.
  public func cancelDelivery() {
    context?.reactor.perform { $0.offers.withdraw(id) }
    promises?.cancel()
    context?.reactor.perform { $0.offers[id]?.receive(.cancelled) }
    context?.reactor.perform { $0.drags[id]?.receive(.cancel(.delivery)) }
  }

  /// Waits for the end of the drag. The ``DragAndDrop`` must run meanwhile, for example in ``DragAndDrop/run()``.
  /// Cancelling the task does not end the wait.
  ///
  /// - Returns: ``outcome``; a cancellation by the application if the session is deallocated.
  public func waitForOutcome() async -> DragOutcome {
    if let outcome { return outcome }
    return await withCheckedContinuation { waiters.append($0) }
  }

  // MARK: Items

  /// Whether `add(_:)` has an effect: the drag has been neither dropped nor ended.
  package var takesItems: Bool { outcome == nil && context?.reactor.drags[id]?.machine.takesChanges == true }

  /// Adds items to a drag that has not been dropped. The counterpart of the `UIDragInteractionDelegate` method
  /// `dragInteraction(_:itemsForAddingTo:withTouchAt:)`.
  ///
  /// The offer is replaced by an offer of all items, and the default ``preview`` and its badge are updated. A preview
  /// that the application has set stays. XDND fixes the types between `XdndEnter` and `XdndLeave`, so the target under
  /// the pointer receives a leave and a new enter.
  ///
  /// UIKit asks for items after a tap with a second finger; this library does not, because a dragging pointer makes no
  /// other clicks. Call this method when the application decides to, for example in a callback of ``DragDelegate``.
  ///
  /// - Returns: Whether the items were added. None can be added after the button is released. An item with
  ///   ``DragItem/isRestrictedToApplication`` cannot be added to a drag that other programs may have seen.
  @discardableResult
  public func add(_ items: [DragItem]) -> Bool {
    guard takesItems, let context else { return false }
    guard isRestrictedToDraggingApplication || !items.contains(where: \.isRestrictedToApplication) else { return false }
    let all = self.items + items
    merge(all, context)
    context.reactor.perform {
      $0.drags[id]?.change(
        types: content.types.atomNames, operations: content.operations, promised: content.promisedTypes,
        forFileManagers: content.fileManagerTypes, content.driverContent)
    }
    if hasAutomaticPreview {
      // A delegate may have added more meanwhile.
      preview = .automatic(for: self.items, scale: context.reactor.system.settings.scale)
      hasAutomaticPreview = true
    }
    changeAppearance { $0.origins = origins }
    return true
  }

  /// Adds one item to a drag that has not been dropped.
  @discardableResult
  public func add(_ item: DragItem) -> Bool { add([item]) }

  private func merge(_ items: [DragItem], _ context: SessionContext) {
    var content = DragItem(joining: items)
    // Replacing the promises also removes the files that were made for the old list.
    promises = DragPromises(
      content.filePromises, of: id, reactor: context.reactor, doorbell: context.doorbell,
      configuration: context.configuration, report: { [weak self] in self?.report($0) },
      follow: { [weak self] in self?.follow($0, after: $1) })
    content.offerFiles(of: promises)
    self.items = items
    self.content = content
    itemContents = items.count == 1 && !items[0].hasOwnProcessTypes ? [content] : contents(of: items)
  }

  private func contents(of items: [DragItem]) -> [DragItem] {
    var next = 0
    return items.map { item in
      defer { next += item.filePromises.count }
      return item.offeringFiles(next..<next + item.filePromises.count, of: promises)
    }
  }

  /// Where the images of the ``preview`` come from.
  var origins: [DragOrigin?] { items.prefix(preview.images.count).map(\.origin) }

  /// Where the images of the ``preview`` slide back to when the drag fails.
  private var originsForCancelling: [DragOrigin?] {
    preview.images.enumerated().map { index, image in
      let item = items.indices.contains(index) ? items[index] : nil
      let origin = item?.origin ?? image.origin.map { DragOrigin($0) }
      guard let item, let originForCancelling else { return origin }
      return originForCancelling(item, origin)
    }
  }

  // MARK: Targets of this program

  /// The badge that the drag image shows now.
  var shownBadge: DragBadge { targetBadge?.badge ?? badge }

  /// Shows a badge while the drag is over a target of this program.
  ///
  /// - Parameter badge: `nil` for the drag's own ``badge``. A target that the drag has left removes only its own badge.
  func show(_ badge: DragBadge?, over target: SessionID) {
    let old = shownBadge
    if let badge {
      targetBadge = (target, badge)
    } else if targetBadge?.target == target {
      targetBadge = nil
    }
    let new = shownBadge
    if new != old { changeAppearance { $0.preview.badge = new } }
  }

  private func changeAppearance(_ change: (inout DragAppearance) -> Void) {
    context?.reactor.show { $0.drags[id]?.changeAppearance(change) }
  }

  /// Notes that a drop on a window of this program loads content, which makes no request on the wire.
  func contentRequested() { isContentRequested = true }

  // MARK: The cursor

  /// The cursor where there is no drop target.
  public enum CursorOutside: Hashable, Sendable, CaseIterable {
    /// A drop has no effect.
    ///
    /// In the ``DragContainer`` that the drag comes from, the plain drag cursor is shown instead.
    case notAllowed
    /// A drop removes the item, such as a button that is dragged off its toolbar. The application removes it when the
    /// drag ends with ``DragOutcome/noTarget``. The counterpart of `NSCursor.disappearingItem`.
    case disappearing
    /// A drop has an effect that only this application knows. The plain drag cursor is shown.
    case plain
  }

  /// Sets the cursor for places without a drop target. The default is ``CursorOutside/notAllowed``.
  ///
  /// It can be changed during the drag. Over a target that refuses, the cursor always shows the refusal.
  public func setCursorOutside(_ cursor: CursorOutside) {
    let shape: CursorShape =
      switch cursor {
      case .notAllowed: .notAllowed
      case .disappearing: .disappearing
      case .plain: .dragging
      }
    context?.reactor.show { $0.drags[id]?.setCursorOutside(shape) }
  }

  // MARK: Promised files

  private func report(_ result: Result<DragPromises.SavedPromise, XDnDError>) {
    switch result {
    case .success(let file): delegate?.drag(self, saved: file.path, byteCount: file.byteCount)
    case .failure(let error): delegate?.drag(self, failedToSave: error)
    }
  }

  // MARK: Progress

  private func follow(_ event: LoadEvent, after last: LoadAmount) {
    let before = progress
    sum.receive(event, after: last)
    if progress != before { onProgress?(progress) }
  }

  // MARK: Notices

  func receive(_ notice: Notice.DragNotice) {
    let delegate = delegate
    switch notice {
    case .grabNeeded: delegate?.dragNeedsGrab(self)
    case .began: delegate?.dragBegan(self)
    case .targetChanged(let window): delegate?.drag(self, movedOver: window)
    case .proposed(let operation): delegate?.drag(self, isProposed: operation)
    case .answered(let point, let operation): delegate?.drag(self, answeredAt: point, with: operation)
    case .preparationNeeded: promises?.prepareDrop()
    case .dropSent(let operation, let relation):
      self.relation = relation
      promises?.dropSent()
      delegate?.drag(self, dropped: operation)
    case .originsNeeded:
      let origins = originsForCancelling
      context?.reactor.show { $0.image.slideBack(to: origins, of: id) }
    case .ended(let outcome):
      self.outcome = outcome
      for waiter in waiters { waiter.resume(returning: outcome) }
      waiters = []
      // The target takes no files after a failure.
      if outcome.isFailureAfterDrop { promises?.cancel() }
      promises?.dragEnded()
      delegate?.drag(self, ended: outcome)
    }
  }

  func receive(_ notice: Notice.OfferNotice) {
    let delegate = delegate
    switch notice {
    case .transferBegan(let transfer): if transfer.isCounted { follow(.began, after: transfer.amount) }
    case .contentNeeded(let transfer, let type, let requestor):
      guard let context else { break }
      // Any program may convert `XdndSelection`, even if the drag has never been over it.
      guard !isRestrictedToDraggingApplication || context.reactor.targets.isRegistered(requestor) else {
        context.reactor.perform { $0.offers.provide(transfer, nil) }
        break
      }
      content.provide(ContentType(type), to: transfer, of: requestor, context)
    case .transferProgressed(let transfer, let last):
      if transfer.isCounted { follow(.progressed(transfer.amount), after: last) }
      let count = transfer.amount.received - last.received
      if count > 0 { delegate?.drag(self, sent: count, of: ContentType(transfer.type)) }
    case .transferEnded(let transfer, let result):
      let type = ContentType(transfer.type)
      let error = XDnDError(.transferFailed, "the transfer of \(type.name) has not succeeded")
      if transfer.isCounted { follow(.ended(result == .delivered ? nil : error), after: transfer.amount) }
      delegate?.drag(self, finishedSending: type, successfully: result == .delivered)
    case .saveNeeded(let paths): promises?.save(to: paths)
    case .contentRequested: isContentRequested = true
    case .deletionRequested:
      isDeletionRequested = true
      delegate?.dragRequestsDeletion(self)
    case .released:
      delegate?.dragReleased(self)
      keptDelegate = nil
    }
  }
}
