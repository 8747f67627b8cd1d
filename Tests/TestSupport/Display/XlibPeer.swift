package import XDnDX11
import Glibc
package import XDnD

/// Another client on the display of a test: bare Xlib, so that it can also do what no good client does.
package final class XlibPeer {
  package let display: OpaquePointer
  package let root: Window
  private let screen: Int32

  package init(_ server: XServer) throws {
    guard DisplayConnection.threadsAreReady, let display = DisplayOpening.open(server.displayName) else {
      throw HarnessError("cannot connect to the display \(server.displayName)")
    }
    LostServers.survive(on: display)
    self.display = display
    root = XDefaultRootWindow(display)
    screen = XDefaultScreen(display)
    try ExtensionLists.keep(on: server.displayName)
  }

  deinit {
    XCloseDisplay(display)
    LostServers.forget(display)
  }

  /// Returns when the server has done all that was asked.
  package func sync() { XSync(display, False) }

  package func atom(_ name: String) -> XDnDX11.Atom { XInternAtom(display, name, False) }

  package func name(ofAtom atom: XDnDX11.Atom) -> String {
    guard let name = XGetAtomName(display, atom) else { return "" }
    defer { XFree(name) }
    return String(cString: name)
  }

  // MARK: Windows

  /// A window, mapped unless said otherwise; with `override`, no window manager touches it.
  package func makeWindow(
    in parent: WindowID? = nil, _ frame: Rect, border: Int = 0, mapped: Bool = true, override: Bool = true,
    inputOnly: Bool = false
  ) -> WindowID {
    var attributes = XSetWindowAttributes()
    attributes.override_redirect = override ? True : False
    let window = XCreateWindow(
      display, parent?.xid ?? root, Int32(frame.origin.x), Int32(frame.origin.y), UInt32(frame.width),
      UInt32(frame.height), UInt32(border), 0, UInt32(inputOnly ? InputOnly : InputOutput), nil,
      UInt(CWOverrideRedirect), &attributes)
    if mapped { XMapWindow(display, window) }
    sync()
    return WindowID(window)
  }

  /// A window that takes drops.
  package func makeTarget(
    in parent: WindowID? = nil, _ frame: Rect, border: Int = 0, mapped: Bool = true, version: UInt32 = 5,
    inputOnly: Bool = false
  ) -> WindowID {
    let window = makeWindow(in: parent, frame, border: border, mapped: false, inputOnly: inputOnly)
    setWords([version], "XdndAware", type: "ATOM", on: window)
    if mapped { XMapWindow(display, window.xid) }
    sync()
    return window
  }

  package func setProxy(_ proxy: WindowID, on window: WindowID) {
    setWords([proxy.rawValue], "XdndProxy", type: "WINDOW", on: window)
  }

  /// Sets the bounding (0) or the input (2) shape, through XFixes.
  package func setShape(_ kind: Int32, _ rectangles: [Rect], on window: WindowID) {
    var list = rectangles.map {
      XRectangle(
        x: Int16($0.origin.x), y: Int16($0.origin.y), width: UInt16($0.width), height: UInt16($0.height))
    }
    let region = XFixesCreateRegion(display, &list, Int32(list.count))
    XFixesSetWindowShapeRegion(display, window.xid, kind, 0, 0, region)
    XFixesDestroyRegion(display, region)
    sync()
  }

  package func destroy(_ window: WindowID) {
    XDestroyWindow(display, window.xid)
    sync()
  }

  /// The event mask that this client has on a window.
  package func mask(on window: WindowID) -> Int {
    var attributes = XWindowAttributes()
    XGetWindowAttributes(display, window.xid, &attributes)
    return attributes.your_event_mask
  }

  /// The window that has the keyboard.
  package var focus: WindowID {
    var window: Window = 0
    var revert: Int32 = 0
    XGetInputFocus(display, &window, &revert)
    return WindowID(window)
  }

  // MARK: Properties and messages

  package func setWords(_ words: [UInt32], _ name: String, type: String, on window: WindowID) {
    let longs = words.map { Int($0) }
    longs.withUnsafeBytes {
      _ = XChangeProperty(
        display, window.xid, atom(name), atom(type), 32, PropModeReplace, $0.bindMemory(to: UInt8.self).baseAddress,
        Int32(words.count))
    }
    sync()
  }

  /// The property of one number; `nil` if it has none or others.
  package func number(_ name: String, of window: WindowID) -> Int? {
    var (type, format, count, left) = (XDnDX11.Atom(), Int32(), UInt(), UInt())
    var data: UnsafeMutablePointer<UInt8>?
    XGetWindowProperty(
      display, window.xid, atom(name), 0, 1, False, 0, &type, &format, &count, &left, &data)
    guard let data else { return nil }
    defer { XFree(data) }
    // Xlib gives what has 32 bits on the wire as longs.
    return format == 32 && count == 1 ? data.withMemoryRebound(to: UInt.self, capacity: 1) { Int($0.pointee) } : nil
  }

  /// The elements of a property of format 32; `nil` if it has none.
  package func words(_ name: String, of window: WindowID) -> [UInt32]? {
    var (type, format, count, left) = (XDnDX11.Atom(), Int32(), UInt(), UInt())
    var data: UnsafeMutablePointer<UInt8>?
    XGetWindowProperty(
      display, window.xid, atom(name), 0, 1 << 20, False, XDnDX11.Atom(AnyPropertyType), &type, &format, &count, &left,
      &data)
    guard let data else { return nil }
    defer { XFree(data) }
    guard format == 32 else { return nil }
    // Xlib gives what has 32 bits on the wire as longs.
    return data.withMemoryRebound(to: UInt.self, capacity: Int(count)) { longs in
      (0..<Int(count)).map { UInt32(truncatingIfNeeded: longs[$0]) }
    }
  }

  /// The title of a window (EWMH).
  package func title(of window: WindowID) -> String {
    var (type, format, count, left) = (XDnDX11.Atom(), Int32(), UInt(), UInt())
    var data: UnsafeMutablePointer<UInt8>?
    XGetWindowProperty(
      display, window.xid, atom("_NET_WM_NAME"), 0, 256, False, XDnDX11.Atom(AnyPropertyType), &type, &format, &count,
      &left, &data)
    defer { if let data { XFree(data) } }
    return String(decoding: UnsafeBufferPointer(start: data, count: Int(count)), as: UTF8.self)
  }

  /// - Parameter proxy: The window that receives the message; `nil` for the one that it is addressed to.
  package func send(_ type: String, _ words: [Int], to window: WindowID, via proxy: WindowID? = nil) {
    var event = XEvent()
    event.xclient.type = ClientMessage
    event.xclient.window = window.xid
    event.xclient.message_type = atom(type)
    event.xclient.format = 32
    event.xclient.data.l = (words[0], words[1], words[2], words[3], words[4])
    XSendEvent(display, (proxy ?? window).xid, False, NoEventMask, &event)
    sync()
  }

  /// The next event of this type, if it has arrived.
  package func pendingEvent(_ type: Int32) -> XEvent? {
    var event = XEvent()
    return XCheckTypedEvent(display, type, &event) != 0 ? event : nil
  }

  /// The next event of this type, within five seconds.
  package func event(_ type: Int32) -> XEvent? {
    let deadline = ContinuousClock.now + .seconds(5)
    while ContinuousClock.now < deadline {
      if let event = pendingEvent(type) { return event }
      var descriptor = pollfd(fd: XConnectionNumber(display), events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, 100)
    }
    return nil
  }
}
