// xdnd.h documents the functions of the interface.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import XDnD
public import XDnDInterface

/// The object of an `xdnd_drag` handle: calls the callbacks of `xdnd_drag_options`.
final class Drag: HandledObject, DragDelegate {
  private let options: xdnd_drag_options
  private(set) weak var session: DragSession?

  init(_ options: xdnd_drag_options, of context: Context) {
    self.options = options
    super.init(of: context)
  }

  deinit { options.destroyed?(options.user) }

  /// Begins a drag, and passes its handle to the host.
  static func begin(
    in context: Context, _ options: UnsafePointer<xdnd_drag_options>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ begin: ([DragItem], xdnd_drag_options, Drag) -> DragSession
  ) throws(Failure) {
    guard !context.driver.isClosed else { throw Failure(.displayClosed) }
    let options = try xdnd_drag_options(required: options, "the options of the drag")
    let items = try Item.all(options.items, options.item_count)
    let drag = Drag(options, of: context)
    out?.pointee = drag.handle
    drag.follow(begin(items, options, drag))
    // A callback may have closed the context.
    guard context.isOpen else {
      out?.pointee = nil
      throw .noHandle
    }
  }

  static func session(of handle: OpaquePointer?) throws(Failure) -> DragSession {
    guard let session = Handles.find(handle, Drag.self)?.session else { throw .noHandle }
    return session
  }

  /// Takes the session of the drag that has begun.
  func follow(_ session: DragSession) {
    self.session = session
    if options.progress != nil { session.onProgress = { [weak self] in self?.progressed($0) } }
  }

  private func progressed(_ progress: LoadProgress) {
    guard isOpen else { return }
    let expected = progress.expectedByteCount.map { Int64($0) } ?? -1
    options.progress?(handle, UInt64(progress.receivedByteCount), expected, options.user)
  }

  func dragNeedsGrab(_ drag: DragSession) {
    if isOpen { options.grab_needed?(handle, options.user) }
  }

  func dragBegan(_ drag: DragSession) {
    if isOpen { options.began?(handle, options.user) }
  }

  func drag(_ drag: DragSession, isProposed operation: DragOperation?) {
    if isOpen { options.proposed?(handle, xdnd_operation(operation), options.user) }
  }

  func drag(_ drag: DragSession, dropped operation: DragOperation) {
    if isOpen { options.dropped?(handle, xdnd_operation(operation), options.user) }
  }

  func dragRequestsDeletion(_ drag: DragSession) {
    if isOpen { options.deletion_requested?(handle, options.user) }
  }

  func drag(_ drag: DragSession, ended outcome: DragOutcome) {
    guard isOpen else { return }
    let operation: DragOperation? =
      switch outcome {
      case .dropped(let operation), .unconfirmed(let operation): operation
      default: nil
      }
    options.ended?(handle, xdnd_outcome(outcome), xdnd_operation(operation), options.user)
  }

  func dragReleased(_ drag: DragSession) {
    guard isOpen else { return }
    options.released?(handle, options.user)
    endHandle()
  }
}

extension InputDevice {
  init(_ options: xdnd_drag_options) {
    self =
      if options.device == 0 {
        .core
      } else if options.is_touch {
        .touch(Int(options.device), sequence: options.touch)
      } else {
        .device(Int(options.device))
      }
  }
}

extension xdnd_outcome {
  init(_ outcome: DragOutcome) {
    self =
      switch outcome {
      case .dropped: XDND_OUTCOME_DROPPED
      case .unconfirmed: XDND_OUTCOME_UNCONFIRMED
      case .delivered: XDND_OUTCOME_DELIVERED
      case .refused: XDND_OUTCOME_REFUSED
      case .noTarget: XDND_OUTCOME_NO_TARGET
      case .cancelled: XDND_OUTCOME_CANCELLED
      case .timedOut: XDND_OUTCOME_TIMED_OUT
      case .targetVanished: XDND_OUTCOME_TARGET_VANISHED
      case .transferFailed: XDND_OUTCOME_TRANSFER_FAILED
      case .serverLost: XDND_OUTCOME_SERVER_LOST
      }
  }
}

// MARK: - The interface

@c @implementation
public func xdnd_begin_drag(
  _ context: OpaquePointer?, _ options: UnsafePointer<xdnd_drag_options>?,
  _ drag: UnsafeMutablePointer<OpaquePointer?>?
) -> xdnd_result {
  result { () throws(Failure) in
    let context = try Context.find(context)
    try Drag.begin(in: context, options, drag) { items, options, drag in
      context.driver.beginDrag(
        items, button: options.button == 0 ? nil : PointerButton(rawValue: options.button),
        of: InputDevice(options), at: Timestamp(rawValue: options.time), delegate: drag)
    }
  }
}

@c @implementation
public func xdnd_drop_on(
  _ context: OpaquePointer?, _ window: xdnd_window, _ x: CInt, _ y: CInt,
  _ options: UnsafePointer<xdnd_drag_options>?, _ drag: UnsafeMutablePointer<OpaquePointer?>?
) -> xdnd_result {
  result { () throws(Failure) in
    let context = try Context.find(context)
    try Drag.begin(in: context, options, drag) { items, _, drag in
      context.driver.drop(
        items, on: WindowID(rawValue: window), at: Point(x: Int(x), y: Int(y)), delegate: drag)
    }
  }
}

@c @implementation
public func xdnd_drag_cancel(_ drag: OpaquePointer?) -> xdnd_result {
  result { () throws(Failure) in try Drag.session(of: drag).cancel() }
}

@c @implementation
public func xdnd_drag_cancel_delivery(_ drag: OpaquePointer?) -> xdnd_result {
  result { () throws(Failure) in try Drag.session(of: drag).cancelDelivery() }
}
