import CX11
import Synchronization

/// Xlib's process-wide error handlers, shared with all other users of Xlib in the process.
///
/// Xlib has one error handler per process, and the default one exits. The router installs its handler once. It handles
/// the errors of exactly those requests that ``DisplayHandle`` has bracketed. All other errors go to the previous
/// handler: the host's or Xlib's own.
enum ErrorRouter {
  private static let displays = Mutex<[UInt: DisplayErrors]>([:])

  private static let previous = PreviousHandlers(
    error: XSetErrorHandler { display, event in
      ErrorRouter.handle(display, event)
    },
    ioError: XSetIOErrorHandler { display in
      ErrorRouter.handleLostServer(display)
    })

  /// Registers a display.
  ///
  /// - Parameter isOwned: Whether only this library uses the display. If so, a lost connection does not end the process
  ///   (`XSetIOErrorExitHandler`); on a borrowed display that is the host's choice.
  static func register(_ display: OpaquePointer, isOwned: Bool) -> DisplayErrors {
    _ = previous
    let errors = DisplayErrors(isOwned: isOwned)
    displays.withLock { $0[UInt(bitPattern: display)] = errors }
    if isOwned {
      // It only returns: Xlib marks the display as dead and lets the current call fail.
      XSetIOErrorExitHandler(display, { _, _ in }, nil)
      BrokenPipe.beAnError()
    }
    return errors
  }

  /// Unregisters a display before it is closed or left to its host.
  static func unregister(_ display: OpaquePointer) {
    displays.withLock { _ = $0.removeValue(forKey: UInt(bitPattern: display)) }
  }

  private static func errors(of display: OpaquePointer?) -> DisplayErrors? {
    displays.withLock { $0[UInt(bitPattern: display)] }
  }

  /// Runs inside an Xlib call, on the thread that uses the display. Must not call Xlib.
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
      // The previous handler may be Xlib's, which prints to standard error; a library must not.
      if errors.isOwned { return 0 }
    }
    return previous.ioError?(display) ?? 0
  }

  /// `@unchecked` because imported C function pointers are not marked as `Sendable`. These are constants, and Xlib
  /// itself calls them from any thread.
  private struct PreviousHandlers: @unchecked Sendable {
    let error: XErrorHandler?
    let ioError: XIOErrorHandler?
  }
}
