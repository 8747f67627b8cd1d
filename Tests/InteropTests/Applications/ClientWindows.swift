import XDnDX11
import Foundation
import Glibc
import TestSupport
import XDnD

/// A window that the window manager manages.
struct ClientWindow: Equatable, Sendable {
  let id: UInt32
  /// `WM_CLASS`: the class of the program.
  let programClass: String
  /// `_NET_WM_NAME`.
  let title: String
  /// In root coordinates, without the frame.
  let frame: Rect
}

extension DisplayConnection {
  /// Blocks until the managed windows are as `condition` says, and returns them; `nil` if `timeout` passes first.
  ///
  /// It looks after each change of the list, of a title, or of a place.
  func awaitClients(
    timeout: Duration = .seconds(20), where condition: ([ClientWindow]) -> Bool
  ) -> [ClientWindow]? {
    self { display, root in
      XSelectInput(display, root, PropertyChangeMask | SubstructureNotifyMask)
      defer { XSelectInput(display, root, 0) }
      let deadline = ContinuousClock.now + timeout
      while true {
        let clients = Self.clients(of: root, on: display)
        if condition(clients) { return clients }
        let left = (deadline - .now) / Duration.milliseconds(1)
        guard left > 0 else { return nil }
        if XPending(display) == 0 {
          var descriptor = pollfd(fd: XConnectionNumber(display), events: Int16(POLLIN), revents: 0)
          poll(&descriptor, 1, Int32(left.rounded(.up)))
        }
        while XPending(display) > 0 {
          var event = XEvent()
          XNextEvent(display, &event)
        }
      }
    }
  }

  private static func clients(of root: Window, on display: OpaquePointer) -> [ClientWindow] {
    // A window that goes away between two requests would be an error, and an error ends the process: while the server
    // is grabbed none goes. The list may name some that are gone.
    XGrabServer(display)
    defer {
      XUngrabServer(display)
      XFlush(display)
    }
    let framed = Set(children(of: root, on: display).flatMap { children(of: $0, on: display) })
    let list = property("_NET_CLIENT_LIST", of: root, on: display)
    // Xlib gives 32-bit items as C longs.
    let ids = list.withUnsafeBytes { Array($0.bindMemory(to: Window.self)) }
    return ids.filter(framed.contains).map { id in
      // Before the look at the title, so that no change of it is missed.
      XSelectInput(display, id, PropertyChangeMask)
      var (x, y): (Int32, Int32) = (0, 0)
      var (child, owner): (Window, Window) = (0, 0)
      var (left, top): (Int32, Int32) = (0, 0)
      var (width, height, border, depth): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
      XGetGeometry(display, id, &owner, &left, &top, &width, &height, &border, &depth)
      XTranslateCoordinates(display, id, root, 0, 0, &x, &y, &child)
      let names = property("WM_CLASS", of: id, on: display).split(separator: 0)
      return ClientWindow(
        id: UInt32(id), programClass: String(decoding: names.last ?? [], as: UTF8.self),
        title: String(decoding: property("_NET_WM_NAME", of: id, on: display), as: UTF8.self),
        frame: Rect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
    }
  }

  private static func children(of window: Window, on display: OpaquePointer) -> [Window] {
    var (root, parent): (Window, Window) = (0, 0)
    var list: UnsafeMutablePointer<Window>?
    var count: UInt32 = 0
    XQueryTree(display, window, &root, &parent, &list, &count)
    guard let list else { return [] }
    defer { XFree(list) }
    return Array(UnsafeBufferPointer(start: list, count: Int(count)))
  }

  /// The bytes of a property as Xlib has them in memory.
  private static func property(_ name: String, of window: Window, on display: OpaquePointer) -> [UInt8] {
    var (type, format): (XDnDX11.Atom, Int32) = (0, 0)
    var (count, left): (UInt, UInt) = (0, 0)
    var data: UnsafeMutablePointer<UInt8>?
    let longest = 4096
    XGetWindowProperty(
      display, window, XInternAtom(display, name, 0), 0, longest, 0, XDnDX11.Atom(AnyPropertyType), &type, &format,
      &count,
      &left, &data)
    guard let data else { return [] }
    defer { XFree(data) }
    let size = format == 32 ? MemoryLayout<CLong>.size : Int(format) / 8
    return Array(UnsafeBufferPointer(start: data, count: Int(count) * size))
  }
}
