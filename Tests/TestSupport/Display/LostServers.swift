import XDnDX11
import Synchronization

/// Lets connections of the harness survive the end of their server.
///
/// libX11 has an exit handler for each display, but before it calls that, it calls the I/O error handler of the whole
/// process, and the default one ends the process (1.8.4). Ours returns for the harness's own connections and hands all
/// others on, so that it hides nothing about the code under test.
enum LostServers {
  private struct State: ~Copyable {
    var survivors: Set<UInt> = []
    var previous: XIOErrorHandler?
    var isInstalled = false
    var isHandingOn = false
  }

  private static let state = Mutex(State())

  /// From now on a loss of the server of `display` makes its requests void and does nothing else.
  static func survive(on display: OpaquePointer) {
    XSetIOErrorExitHandler(display, { _, _ in }, nil)
    state.withLock { state in
      state.survivors.insert(UInt(bitPattern: display))
      guard !state.isInstalled else { return }
      state.isInstalled = true
      state.previous = XSetIOErrorHandler { LostServers.handle($0) }
    }
  }

  /// The connection is about to be closed.
  static func forget(_ display: OpaquePointer) {
    state.withLock { _ = $0.survivors.remove(UInt(bitPattern: display)) }
  }

  private static func handle(_ display: OpaquePointer?) -> Int32 {
    // A handler that was put before this one may lead back here.
    let previous = state.withLock { state -> XIOErrorHandler? in
      if state.isHandingOn || state.survivors.contains(UInt(bitPattern: display)) { return nil }
      state.isHandingOn = true
      return state.previous
    }
    guard let previous else { return 0 }
    let result = previous(display)
    state.withLock { $0.isHandingOn = false }
    return result
  }
}
