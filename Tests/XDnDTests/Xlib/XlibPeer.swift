import CX11
import Glibc

@testable import XDnD

/// Another client on the display of a test: bare Xlib, so that it can also do what no good client does.
final class XlibPeer {
  let display: OpaquePointer
  let root: Window
  private let screen: Int32

  init(_ server: XvfbServer) throws {
    guard DisplayConnection.threadsAreReady, let display = XOpenDisplay(server.displayName) else {
      throw HarnessError("cannot connect to the display \(server.displayName)")
    }
    LostServers.survive(on: display)
    self.display = display
    root = XDefaultRootWindow(display)
    screen = XDefaultScreen(display)
  }

  deinit {
    XCloseDisplay(display)
    LostServers.forget(display)
  }

  /// Returns when the server has done all that was asked.
  func sync() { XSync(display, False) }

  func atom(_ name: String) -> CX11.Atom { XInternAtom(display, name, False) }

  // MARK: Windows

  /// A window, mapped unless said otherwise; with `override`, no window manager touches it.
  func makeWindow(
    in parent: WindowID? = nil, _ frame: Rect, border: Int = 0, mapped: Bool = true, override: Bool = true
  ) -> WindowID {
    var attributes = XSetWindowAttributes()
    attributes.override_redirect = override ? True : False
    let window = XCreateWindow(
      display, parent?.xid ?? root, Int32(frame.origin.x), Int32(frame.origin.y), UInt32(frame.width),
      UInt32(frame.height), UInt32(border), 0, UInt32(InputOutput), nil, UInt(CWOverrideRedirect), &attributes)
    if mapped { XMapWindow(display, window) }
    sync()
    return WindowID(window)
  }

  /// A window that takes drops.
  func makeTarget(
    in parent: WindowID? = nil, _ frame: Rect, border: Int = 0, mapped: Bool = true, version: UInt32 = 5
  ) -> WindowID {
    let window = makeWindow(in: parent, frame, border: border, mapped: false)
    setWords([version], "XdndAware", type: "ATOM", on: window)
    if mapped { XMapWindow(display, window.xid) }
    sync()
    return window
  }

  func setProxy(_ proxy: WindowID, on window: WindowID) {
    setWords([proxy.rawValue], "XdndProxy", type: "WINDOW", on: window)
  }

  /// Sets the bounding (0) or the input (2) shape, through XFixes.
  func setShape(_ kind: Int32, _ rectangles: [Rect], on window: WindowID) {
    var list = rectangles.map {
      XRectangle(
        x: Int16($0.origin.x), y: Int16($0.origin.y), width: UInt16($0.width), height: UInt16($0.height))
    }
    let region = XFixesCreateRegion(display, &list, Int32(list.count))
    XFixesSetWindowShapeRegion(display, window.xid, kind, 0, 0, region)
    XFixesDestroyRegion(display, region)
    sync()
  }

  func destroy(_ window: WindowID) {
    XDestroyWindow(display, window.xid)
    sync()
  }

  /// The event mask that this client has on a window.
  func mask(on window: WindowID) -> Int {
    var attributes = XWindowAttributes()
    XGetWindowAttributes(display, window.xid, &attributes)
    return attributes.your_event_mask
  }

  // MARK: Properties and messages

  func setWords(_ words: [UInt32], _ name: String, type: String, on window: WindowID) {
    let longs = words.map { Int($0) }
    longs.withUnsafeBytes {
      _ = XChangeProperty(
        display, window.xid, atom(name), atom(type), 32, PropModeReplace, $0.bindMemory(to: UInt8.self).baseAddress,
        Int32(words.count))
    }
    sync()
  }

  func send(_ type: String, _ words: [Int], to window: WindowID) {
    var event = XEvent()
    event.xclient.type = ClientMessage
    event.xclient.window = window.xid
    event.xclient.message_type = atom(type)
    event.xclient.format = 32
    event.xclient.data.l = (words[0], words[1], words[2], words[3], words[4])
    XSendEvent(display, window.xid, False, NoEventMask, &event)
    sync()
  }

  /// The next event of this type, within five seconds.
  func event(_ type: Int32) -> XEvent? {
    let deadline = ContinuousClock.now + .seconds(5)
    while ContinuousClock.now < deadline {
      var event = XEvent()
      if XCheckTypedEvent(display, type, &event) != 0 { return event }
      var descriptor = pollfd(fd: XConnectionNumber(display), events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, 100)
    }
    return nil
  }
}

extension XlibConnection {
  convenience init(_ server: XvfbServer) throws {
    guard DisplayConnection.threadsAreReady else { throw HarnessError("this libX11 has no threads") }
    try self.init(connectingTo: server.displayName)
  }

  /// The next event for which `isWanted` holds, while patience lasts; those before it are dropped.
  func next(
    patience: Duration = .seconds(5), where isWanted: (ServerEvent) -> Bool = { _ in true }
  ) -> ServerEvent? {
    let deadline = ContinuousClock.now + patience
    while ContinuousClock.now < deadline, !isClosed {
      while let event = nextEvent() {
        if isWanted(event) { return event }
      }
      flush()
      var descriptor = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, 100)
    }
    return nil
  }

  /// All that has happened up to now.
  func drain() -> [ServerEvent] {
    _ = serverTime()
    var events: [ServerEvent] = []
    while let event = nextEvent() { events.append(event) }
    return events
  }

  /// The bytes of a property, and how many parts it came in.
  func bytes(_ name: String, of window: WindowID, delete: Bool = false) -> (
    header: PropertyHeader, bytes: [UInt8], parts: Int
  )? {
    var bytes: [UInt8] = []
    var parts = 0
    let header = read(AtomName(name), of: window, delete: delete) { _, part in
      bytes += part
      parts += 1
    }
    return header.map { ($0, bytes, parts) }
  }
}
