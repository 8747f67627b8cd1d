/// Receives the progress of a drag that begins in this program. The counterpart of `NSDraggingSource`, and of the
/// session methods of `UIDragInteractionDelegate`.
///
/// The methods are called from inside ``DragAndDrop/process()`` and other calls into the library, and may call back
/// into it. All of them are optional.
public protocol DragDelegate: AnyObject {
  /// Tells the delegate that another client of the server holds the pointer or the keyboard, so that the drag cannot
  /// begin yet.
  ///
  /// This happens if the host reads the press on another connection than the library's: the server has grabbed the
  /// pointer for that connection until the button goes up. Release it there (`XUngrabPointer`, `xcb_ungrab_pointer`, or
  /// `XIUngrabDevice` for a press by XInput 2) and flush that connection. The library requests the grab again until
  /// ``Configuration/grabTimeout`` has passed. Called once, before ``dragBegan(_:)``.
  func dragNeedsGrab(_ drag: DragSession)

  /// Tells the delegate that the drag has begun: the pointer and the keyboard are grabbed. Called after `beginDrag` has
  /// returned, when the server has answered; not called for a drag that ends earlier.
  func dragBegan(_ drag: DragSession)

  /// Tells the delegate that the pointer has moved over another window that accepts drops, or away from one.
  ///
  /// - Parameters:
  ///   - drag: The drag.
  ///   - target: The target's window; `nil` if there is none.
  func drag(_ drag: DragSession, movedOver target: WindowID?)

  /// Tells the delegate that a drop at the pointer would have another result now. The cursor already shows it.
  ///
  /// - Parameters:
  ///   - drag: The drag.
  ///   - operation: The operation of a drop; `nil` if the target refuses, or if there is no target.
  func drag(_ drag: DragSession, isProposed operation: DragOperation?)

  /// Tells the delegate that the target has answered a position (`XdndStatus`).
  ///
  /// Called for each answer, including one that changes nothing.
  ///
  /// - Parameters:
  ///   - drag: The drag.
  ///   - point: The position, in root coordinates.
  ///   - operation: The operation of a drop there; `nil` if the target refuses.
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
  /// The library may already have reported the file to the target as saved: see ``DragItem/promise(_:)-(FilePromise)``.
  func drag(_ drag: DragSession, failedToSave error: XDnDError)

  /// Tells the delegate that the target has moved the content and asks the source to delete it.
  ///
  /// Most targets ask before the drag ends; this method is then called immediately before ``drag(_:ended:)``.
  func dragRequestsDeletion(_ drag: DragSession)

  /// Tells the delegate that the drag is over. Targets may still request its content, until ``dragReleased(_:)``.
  func drag(_ drag: DragSession, ended outcome: DragOutcome)

  /// Tells the delegate that the content can no longer be requested, for example because another program has begun a
  /// drag. The application may release it.
  func dragReleased(_ drag: DragSession)
}

extension DragDelegate {
  /// Does nothing.
  public func dragNeedsGrab(_ drag: DragSession) {}
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
