import XDnDX11
import Synchronization

/// Opens displays from any thread.
///
/// The first connection of a process must not be made by two threads at once. libXau keeps the name of the authority
/// file in a static buffer (`XauFileName`, up to at least 1.0.12), allocates it at the first connection without a lock,
/// and may write to it after another thread has freed it. Later connections only read it.
package enum DisplayOpening {
  private static let hasSucceeded = Mutex(false)

  /// Opens a display, which the caller closes.
  ///
  /// - Parameter name: The display's name; `nil` for the value of `DISPLAY`.
  package static func open(_ name: String?) -> OpaquePointer? {
    let opened = hasSucceeded.withLock { hasSucceeded -> UInt? in
      if hasSucceeded { return nil }
      let display = XOpenDisplay(name)
      hasSucceeded = display != nil
      return UInt(bitPattern: display)
    }
    return opened.map { OpaquePointer(bitPattern: $0) } ?? XOpenDisplay(name)
  }
}
