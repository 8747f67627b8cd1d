import XDnDX11
import Synchronization

/// Lets connections of the harness survive the end of their server.
///
/// libX11 has an exit handler for each display, but before it calls that, it calls the I/O error handler of the whole
/// process, and the default one ends the process (1.8.4). Ours returns for the harness's own connections and hands all
/// others on, so that it hides nothing about the code under test.
enum LostServers {
  private struct State: ~Copyable {
    /// How many connections each display's address stands for: between the close of one and ``forget(_:)``, another
    /// thread may have opened a display at the same address.
    var survivors: [UInt: Int] = [:]
    var previous: XIOErrorHandler?
    var isInstalled = false
    var isHandingOn = false
  }

  private static let state = Mutex(State())

  /// From now on a loss of the server of `display` makes its requests void and does nothing else.
  static func survive(on display: OpaquePointer) {
    XSetIOErrorExitHandler(display, { _, _ in }, nil)
    state.withLock { state in
      state.survivors[UInt(bitPattern: display), default: 0] += 1
      guard !state.isInstalled else { return }
      state.isInstalled = true
      state.previous = XSetIOErrorHandler { LostServers.handle($0) }
    }
  }

  /// The connection is closed.
  static func forget(_ display: OpaquePointer) {
    state.withLock { state in
      let address = UInt(bitPattern: display)
      let others = (state.survivors.removeValue(forKey: address) ?? 0) - 1
      if others > 0 { state.survivors[address] = others }
    }
  }

  private static func handle(_ display: OpaquePointer?) -> Int32 {
    // A handler that was put before this one may lead back here.
    let previous = state.withLock { state -> XIOErrorHandler? in
      if state.isHandingOn || state.survivors.keys.contains(UInt(bitPattern: display)) { return nil }
      state.isHandingOn = true
      return state.previous
    }
    guard let previous else { return 0 }
    let result = previous(display)
    state.withLock { $0.isHandingOn = false }
    return result
  }
}
