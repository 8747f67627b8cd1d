import CX11
import Synchronization

/// The process-wide error handlers of Xlib, shared fairly with everybody else who uses Xlib in this process.
///
/// Xlib has one error handler a process, and the default one exits. Ours is installed once and answers for exactly
/// those requests that ``DisplayHandle`` has bracketed; all other errors go to the handler that was there before,
/// which is the host's, or Xlib's own.
enum ErrorRouter {
  private static let displays = Mutex<[UInt: DisplayErrors]>([:])

  private static let previous = PreviousHandlers(
    error: XSetErrorHandler { display, event in
      ErrorRouter.handle(display, event)
    },
    ioError: XSetIOErrorHandler { display in
      ErrorRouter.handleLostServer(display)
    })

  /// Starts to answer for a display.
  ///
  /// - Parameter isOwned: Whether nobody else uses the display. Then losing its server ends the connection and not
  ///   the process (`XSetIOErrorExitHandler`); on a borrowed display that choice is the host's.
  static func register(_ display: OpaquePointer, isOwned: Bool) -> DisplayErrors {
    _ = previous
    let errors = DisplayErrors(isOwned: isOwned)
    displays.withLock { $0[UInt(bitPattern: display)] = errors }
    if isOwned {
      // Returning is all it takes: Xlib marks the display as dead and lets the current call fail.
      XSetIOErrorExitHandler(display, { _, _ in }, nil)
      BrokenPipe.beAnError()
    }
    return errors
  }

  /// Stops answering for a display, before it is closed or given back.
  static func unregister(_ display: OpaquePointer) {
    displays.withLock { _ = $0.removeValue(forKey: UInt(bitPattern: display)) }
  }

  private static func errors(of display: OpaquePointer?) -> DisplayErrors? {
    displays.withLock { $0[UInt(bitPattern: display)] }
  }

  /// Runs inside an Xlib call of whatever thread uses the display: must not call Xlib.
  private static func handle(
    _ display: OpaquePointer?, _ event: UnsafeMutablePointer<XErrorEvent>?
  ) -> Int32 {
    if let event, let errors = errors(of: display), errors.take(event.pointee) {
      return 0
    }
    return previous.error?(display, event) ?? 0
  }

  private static func handleLostServer(_ display: OpaquePointer?) -> Int32 {
    if let errors = errors(of: display) {
      errors.isClosed.store(true, ordering: .releasing)
      // The default handler prints to standard error, which is not ours to write to.
      if errors.isOwned { return 0 }
    }
    return previous.ioError?(display) ?? 0
  }

  /// Unchecked because C function pointers imported from a header are not marked as `Sendable`; they are constants,
  /// and Xlib itself calls them from any thread.
  private struct PreviousHandlers: @unchecked Sendable {
    let error: XErrorHandler?
    let ioError: XIOErrorHandler?
  }
}
