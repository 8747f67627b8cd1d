package import XDnDX11
import CXTest
import Foundation
import Glibc
package import XDnD

/// A connection of the harness itself to a display, used by one thread at a time.
///
/// It asks only for what cannot fail while the server lives, so it needs no error handler and leaves those of the code
/// under test alone. A server that dies makes its requests void instead of ending the test run.
package final class DisplayConnection: Sendable {
  /// Guarded by `lock`.
  nonisolated(unsafe) private let display: OpaquePointer
  private let lock = NSLock()

  /// libX11 and its extension libraries keep lists of all displays, which they lock only after this call; tests run in
  /// parallel. Whoever opens a display without this class says it too before that.
  package static let threadsAreReady = XInitThreads() != 0

  /// Connects to the display named `name`, such as `:7`.
  package init(_ name: String) throws {
    guard Self.threadsAreReady else { throw HarnessError("this libX11 has no threads") }
    guard let display = DisplayOpening.open(name) else { throw HarnessError("cannot connect to the display \(name)") }
    LostServers.survive(on: display)
    self.display = display
    try ExtensionLists.keep(on: name)
    // The first use of an extension asks the server for it. If the server is gone by then, XQueryExtension of libX11
    // 1.8.4 takes an answer that was never written for present, and XInitExtension writes beyond the display's tables.
    var answer = (first: Int32(), second: Int32(), third: Int32(), fourth: Int32())
    guard XTestQueryExtension(display, &answer.first, &answer.second, &answer.third, &answer.fourth) != 0,
      XFixesQueryExtension(display, &answer.first, &answer.second) != 0
    else { throw HarnessError("the display \(name) has no XTEST or no XFIXES") }
  }

  deinit {
    XCloseDisplay(display)
    LostServers.forget(display)
  }

  /// Uses the display and its root window; every request is handled by the server when this returns.
  package func callAsFunction<Value>(_ body: (_ display: OpaquePointer, _ root: Window) throws -> Value) rethrows
    -> Value
  {
    lock.lock()
    defer { lock.unlock() }
    let value = try body(display, XDefaultRootWindow(display))
    XSync(display, 0)
    return value
  }

  /// Blocks until the root window has the property `name`; whether that was so before `timeout` passed.
  package func awaitRootProperty(_ name: String, timeout: Duration) -> Bool {
    self { display, root in
      let atom = XInternAtom(display, name, 0)
      XSelectInput(display, root, PropertyChangeMask)
      let deadline = ContinuousClock.now + timeout
      while true {
        if Self.hasProperty(atom, of: root, on: display) { return true }
        while XPending(display) > 0 {
          var event = XEvent()
          XNextEvent(display, &event)
        }
        // What came in after the look at the property is in the queue or still in the socket: poll sees the latter,
        // and the former was taken out just now, so look once more before going to sleep.
        if Self.hasProperty(atom, of: root, on: display) { return true }
        if XEventsQueued(display, QueuedAlready) > 0 { continue }
        let left = (deadline - .now) / Duration.milliseconds(1)
        guard left > 0 else { return false }
        var descriptor = pollfd(fd: XConnectionNumber(display), events: Int16(POLLIN), revents: 0)
        poll(&descriptor, 1, Int32(left.rounded(.up)))
        if descriptor.revents & Int16(POLLHUP | POLLERR) != 0 { return false }
      }
    }
  }

  /// Blocks until a top-level window is shown at a place in root coordinates; whether that was so before `timeout`
  /// passed.
  package func awaitWindow(at place: Point, timeout: Duration = .seconds(20)) -> Bool {
    self { display, root in
      XSelectInput(display, root, SubstructureNotifyMask)
      defer { XSelectInput(display, root, 0) }
      let deadline = ContinuousClock.now + timeout
      while true {
        var (x, y): (Int32, Int32) = (0, 0)
        var child: Window = 0
        XTranslateCoordinates(display, root, root, Int32(place.x), Int32(place.y), &x, &y, &child)
        let left = (deadline - .now) / Duration.milliseconds(1)
        if child != 0 { return true }
        guard left > 0 else { return false }
        var event = XEvent()
        if XPending(display) > 0 {
          XNextEvent(display, &event)
        } else {
          var descriptor = pollfd(fd: XConnectionNumber(display), events: Int16(POLLIN), revents: 0)
          poll(&descriptor, 1, Int32(left.rounded(.up)))
        }
      }
    }
  }

  /// Blocks until somebody owns a selection; whether that was so before `timeout` passed.
  package func awaitOwner(of selection: String, timeout: Duration = .seconds(20)) -> Bool {
    self { display, root in
      let atom = XInternAtom(display, selection, 0)
      XFixesSelectSelectionInput(display, root, atom, UInt(XFixesSetSelectionOwnerNotifyMask))
      defer { XFixesSelectSelectionInput(display, root, atom, 0) }
      let deadline = ContinuousClock.now + timeout
      while XGetSelectionOwner(display, atom) == 0 {
        let left = (deadline - .now) / Duration.milliseconds(1)
        guard left > 0 else { return false }
        var event = XEvent()
        if XPending(display) > 0 {
          XNextEvent(display, &event)
        } else {
          var descriptor = pollfd(fd: XConnectionNumber(display), events: Int16(POLLIN), revents: 0)
          poll(&descriptor, 1, Int32(left.rounded(.up)))
        }
      }
      return true
    }
  }

  /// Blocks until the window manager maps what wants to be mapped; whether that was so before `timeout` passed.
  ///
  /// openbox says that it manages before it does: a window that is mapped in between stays unmapped for good.
  func awaitManager(timeout: Duration) -> Bool {
    guard awaitRootProperty("_NET_SUPPORTING_WM_CHECK", timeout: timeout) else { return false }
    return self { display, root in
      let deadline = ContinuousClock.now + timeout
      // Each window gets more time than the one before: a busy machine may need longer than the first ones have.
      var patience = Duration.milliseconds(250)
      while ContinuousClock.now < deadline {
        let window = XCreateSimpleWindow(display, root, 0, 0, 40, 40, 0, 0, 0)
        XSelectInput(display, window, StructureNotifyMask)
        XMapWindow(display, window)
        let isMapped = Self.awaitEvent(MapNotify, of: window, on: display, within: patience)
        XDestroyWindow(display, window)
        guard isMapped, Self.awaitEvent(DestroyNotify, of: window, on: display, within: patience) else {
          patience *= 2
          continue
        }
        // Its frame has to be gone, too.
        let list = XInternAtom(display, "_NET_CLIENT_LIST", 0)
        while Self.length(of: list, of: root, on: display) > 0, ContinuousClock.now < deadline { usleep(1000) }
        return true
      }
      return false
    }
  }

  private static func awaitEvent(
    _ type: Int32, of window: Window, on display: OpaquePointer, within patience: Duration
  ) -> Bool {
    let deadline = ContinuousClock.now + patience
    while ContinuousClock.now < deadline {
      var event = XEvent()
      if XCheckTypedWindowEvent(display, window, type, &event) != 0 { return true }
      var descriptor = pollfd(fd: XConnectionNumber(display), events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, 50)
    }
    return false
  }

  private static func length(of property: XDnDX11.Atom, of window: Window, on display: OpaquePointer) -> UInt {
    var (type, format): (XDnDX11.Atom, Int32) = (0, 0)
    var (count, left): (UInt, UInt) = (0, 0)
    var data: UnsafeMutablePointer<UInt8>?
    XGetWindowProperty(display, window, property, 0, 1, 0, 0, &type, &format, &count, &left, &data)
    if let data { XFree(data) }
    return count
  }

  private static func hasProperty(_ atom: XDnDX11.Atom, of window: Window, on display: OpaquePointer) -> Bool {
    var type: XDnDX11.Atom = 0
    var format: Int32 = 0
    var count: UInt = 0
    var left: UInt = 0
    var data: UnsafeMutablePointer<UInt8>?
    XGetWindowProperty(display, window, atom, 0, 0, 0, 0, &type, &format, &count, &left, &data)
    if let data { XFree(data) }
    return type != 0
  }
}
