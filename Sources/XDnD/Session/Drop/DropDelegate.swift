/// Receives the drags over a window and the drops on it. The counterpart of `UIDropInteractionDelegate`,
/// `NSDraggingDestination` and SwiftUI's `DropDelegate`.
///
/// The methods are called from inside ``DragAndDrop/process()`` and other calls into the library, after the library's
/// own state has settled. They may call back into the library. Only ``performDrop(_:)`` is required.
public protocol DropDelegate: AnyObject {
  /// Returns whether the delegate handles a drag at all. The counterpart of SwiftUI's `validateDrop(info:)` and of
  /// UIKit's `dropInteraction(_:canHandle:)`.
  ///
  /// Called once for each visit of the window, before ``dropEntered(_:)``, and only if the ``DropOffer`` accepts the
  /// drag. A region that the drag enters again is not asked again. After `false` no other method is called for the
  /// visit, and the library refuses a drop; in a window with regions, the enclosing region is asked next.
  /// ``DropSession/region`` is not updated yet.
  ///
  /// The default returns `true`: the offer decides.
  func validateDrop(_ drop: DropSession) -> Bool

  /// Tells the delegate that a drag has entered the window.
  ///
  /// The offered types are known. If the content of files may be accepted (``DropOffer/readsFiles``), the files are
  /// known too, unless their list could not be loaded in time. The content can be loaded only after the drop.
  func dropEntered(_ drop: DropSession)

  /// Returns the proposal for a drop at the pointer. Called when the pointer has moved, the user asks for another
  /// operation, or a region has scrolled or sprung open.
  ///
  /// Return quickly: the drag source waits for the answer. The default returns ``DropSession/suggestedProposal``.
  func dropUpdated(_ drop: DropSession) -> DropProposal

  /// Tells the delegate that the user turns the wheel during the drag.
  ///
  /// Only some sources forward the wheel: this library's, JX and Emacs.
  ///
  /// ``dropUpdated(_:)`` follows for the same position.
  func dropScrolled(_ drop: DropSession, _ scroll: WheelScroll)

  /// Tells the delegate that the drag has left the window without a drop. The session is over, unless the drag has only
  /// left a ``DropRegion``.
  func dropExited(_ drop: DropSession, _ reason: DropExit)

  /// Tells the delegate that the content was dropped.
  ///
  /// Start the loads, and call ``DropSession/finish(_:)`` or ``DropSession/reject()`` when they have ended.
  ///
  /// From here on the library no longer retains the session; a load retains it until it ends. A session that is
  /// deallocated without an answer finishes the drop if a load has succeeded, and rejects it if not: see
  /// ``DropSession``.
  func performDrop(_ drop: DropSession)

  /// Tells the delegate that the drop is over: finished, rejected, timed out, or the source has vanished.
  ///
  /// The counterpart of AppKit's `concludeDragOperation(_:)` and of UIKit's `dropInteraction(_:concludeDrop:)`.
  /// Together with ``dropExited(_:_:)``, which ends a visit without a drop, it is the counterpart of
  /// `dropInteraction(_:sessionDidEnd:)`.
  ///
  /// Not called if the session has been deallocated without an answer.
  func dropEnded(_ drop: DropSession, _ result: DropResult)
}

extension DropDelegate {
  /// Returns `true`: the ``DropOffer`` decides.
  public func validateDrop(_ drop: DropSession) -> Bool { true }
  /// Does nothing.
  public func dropEntered(_ drop: DropSession) {}
  /// Returns the proposal that follows from the ``DropOffer``.
  public func dropUpdated(_ drop: DropSession) -> DropProposal { drop.suggestedProposal }
  /// Does nothing.
  public func dropScrolled(_ drop: DropSession, _ scroll: WheelScroll) {}
  /// Does nothing.
  public func dropExited(_ drop: DropSession, _ reason: DropExit) {}
  /// Does nothing.
  public func dropEnded(_ drop: DropSession, _ result: DropResult) {}
}
