import XDnDX11
import CXTest
import Glibc
import Synchronization
import XDnD

/// The lists of displays in libXext, which XTEST uses, and in libXi.
///
/// Both libraries free their list when the last display that is in it closes, and make a new one for the next display,
/// without a lock (`XextDestroyExtension`; libXext 1.3.4, libXi 1.8). Another thread that adds its display just then
/// writes into the freed memory. A display that is never closed keeps the lists.
enum ExtensionLists {
  private static let areKept = Mutex(false)

  /// Returns once the lists exist for good. Call this before the first use of XTEST or XInput 2 on a display.
  ///
  /// - Parameter name: The display's name. The server must have another client: some start anew without one.
  static func keep(on name: String) throws {
    try areKept.withLock { areKept in
      guard !areKept else { return }
      guard let display = DisplayOpening.open(name) else { throw HarnessError("cannot connect to the display \(name)") }
      LostServers.survive(on: display)
      var (major, minor, event, error): (Int32, Int32, Int32, Int32) = (2, 2, 0, 0)
      guard XTestQueryExtension(display, &event, &error, &major, &minor) != 0 else {
        throw HarnessError("the display \(name) has no XTEST")
      }
      _ = XIQueryVersion(display, &major, &minor)
      // For the server, the client is gone.
      shutdown(XConnectionNumber(display), Int32(SHUT_RDWR))
      areKept = true
    }
  }
}
