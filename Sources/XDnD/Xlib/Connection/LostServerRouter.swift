import XDnDX11
import Glibc
import XDnDXlibint
import Synchronization

/// Xlib's process-wide I/O error handler, shared with all other users of Xlib in the process.
///
/// Xlib calls the handler when a connection is lost, and the default handler exits. The router installs its handler
/// once. It handles the loss of owned displays, and passes on the loss of other displays to the previous handler: the
/// host's or Xlib's own.
enum LostServerRouter {
  /// Several drivers may use one display.
  private static let displays = Mutex<[UInt: [DisplayErrors]]>([:])

  /// The borrowed displays whose closing is observed. A closed one is removed, because another display may get the same
  /// address.
  private static let observed = Mutex<Set<UInt>>([])

  /// The handler before this one: the host's, or Xlib's own.
  private static let previous: XIOErrorHandler? = XSetIOErrorHandler { display in
    LostServerRouter.handle(display)
  }

  /// Registers a driver of a display.
  ///
  /// - Parameter isOwned: Whether only this library uses the display. If so, a lost connection does not end the process
  ///   (`XSetIOErrorExitHandler`); on a borrowed display that is the host's choice.
  static func register(_ errors: DisplayErrors, of display: OpaquePointer, isOwned: Bool) {
    _ = previous
    displays.withLock { $0[UInt(bitPattern: display), default: []].append(errors) }
    if isOwned {
      // This handler returns: Xlib marks the display as dead and lets the current call fail. The handler also marks the
      // connection as lost, because a host may have replaced our I/O error handler.
      XSetIOErrorExitHandler(
        display,
        { display, _ in
          LostServerRouter.close(display)
          XDnDDiscardOutput(display)
        }, nil)
      BrokenPipe.beAnError()
    } else {
      observeClose(of: display)
    }
  }

  /// Treats a display as lost if its host closes it while a driver uses it.
  private static func observeClose(of display: OpaquePointer) {
    guard observed.withLock({ $0.insert(UInt(bitPattern: display)).inserted }) else { return }
    XDnDObserveClose(display) { display in
      LostServerRouter.close(display)
      LostServerRouter.observed.withLock { _ = $0.remove(UInt(bitPattern: display)) }
    }
  }

  /// Marks the connection as lost for all drivers that use it, and returns their ``DisplayErrors``. Must not call
  /// Xlib.
  @discardableResult
  private static func close(_ display: OpaquePointer?) -> [DisplayErrors] {
    let lost = displays.withLock { $0[UInt(bitPattern: display)] ?? [] }
    for errors in lost { errors.isClosed.store(true, ordering: .releasing) }
    return lost
  }

  /// Unregisters a driver whose display is closed or left to its host.
  static func unregister(_ errors: DisplayErrors, of display: OpaquePointer) {
    displays.withLock { displays in
      let others = displays.removeValue(forKey: UInt(bitPattern: display))?.filter { $0 !== errors } ?? []
      if !others.isEmpty { displays[UInt(bitPattern: display)] = others }
    }
  }

  /// Runs inside an Xlib call, on the thread that uses the display. Must not call Xlib.
  private static func handle(_ display: OpaquePointer?) -> Int32 {
    let lost = close(display)
    // The previous handler may be Xlib's, which prints to standard error; a library must not.
    if lost.contains(where: \.isOwned) { return 0 }
    return previous?(display) ?? 0
  }
}

/// The `SIGPIPE` handler of processes with an owned connection.
///
/// A write to a server that has just died raises `SIGPIPE`, whose default action ends the process. Xlib usually reads
/// the end of the connection before it writes, but not if the server dies in between.
enum BrokenPipe {
  /// Makes such a write fail with `EPIPE`, for the whole process, unless the application handles or ignores the signal
  /// already.
  ///
  /// Installs an empty handler and not `SIG_IGN`, which child processes would inherit.
  static func beAnError() { _ = handled }

  private static let handled: Void = {
    let previous = signal(SIGPIPE) { _ in }
    if previous != nil { signal(SIGPIPE, previous) }
  }()
}
