import CX11
public import XDnD

/// A scriptable X client without any knowledge of XDND.
///
/// It implements peers that the library is too well-behaved for: a source or target replayed from a recording, one that
/// makes unusual requests, or one that must send a message at a certain moment. Use it only on the thread that created
/// it.
///
/// X errors are not fatal. A request for a destroyed window produces a ``WireEvent/Action/vanished(_:)`` event; other
/// failed requests have no effect. After the connection is lost, no call has an effect.
public final class RawPeer {
  /// Called for everything that this client sends and receives, in order; also for events that ``next(until:where:)``
  /// has not returned yet.
  public var onWireEvent: (WireEvent) -> Void = { _ in }

  /// Called with each event of the server, a pointer to an `XEvent`, before it is processed. For windows on this
  /// connection that draw themselves. The pointer is valid during the call only.
  public var onServerEvent: (UnsafeRawPointer) -> Void = { _ in }

  /// Called when a pointer grab begins or ends over a window of ``watchPointer(over:)``.
  public var onPointerGrab: (_ isGrabbed: Bool) -> Void = { _ in }

  /// Polled while the client waits. If it returns `true`, the wait ends as if its deadline had passed.
  public var isInterrupted: () -> Bool = { false }

  /// The connection, a `Display *`. It is valid as long as this client.
  public let display: OpaquePointer
  let errors: RawPeerErrors
  /// Events that ``next(until:where:)`` has not returned yet.
  var queue: [WireEvent] = []
  /// The INCR transfers in progress.
  var outgoing: [Place: Outgoing] = [:]
  /// The event number of XFixes's owner notification; `nil` before ``watchOwner(of:)``.
  var ownerEvent: Int32?
  /// For ``serverTime()``, and for requests that need any window.
  private(set) lazy var ownWindow = makeWindow()

  private var atoms: [String: CX11.Atom] = [:]
  private var names: [CX11.Atom: AtomName?] = [0: nil]

  /// Connects to an X server; `nil` if that fails.
  ///
  /// - Parameter name: The display's name; `nil` for `$DISPLAY`.
  public init?(connectingTo name: String?) {
    guard let display = XOpenDisplay(name) else { return nil }
    self.display = display
    errors = RawPeerErrors.answer(for: display)
  }

  deinit {
    XCloseDisplay(display)
    RawPeerErrors.forget(display)
  }

  /// Whether the connection to the server is lost.
  public var isClosed: Bool { errors.isClosed }

  /// Readable when the server has sent something. Earlier events may be queued, so poll it only after
  /// ``next(until:where:)`` returned `nil`.
  public var fileDescriptor: CInt { XConnectionNumber(display) }

  /// The root window.
  public var root: WindowID { WindowID(xid: XDefaultRootWindow(display)) }

  // MARK: Names

  /// The atom for a name. Interns the name if necessary.
  public func atom(_ name: String) -> UInt32 { UInt32(truncatingIfNeeded: xatom(name)) }

  /// The name of an atom; `nil` for 0 and for a number that is no atom.
  public func name(of atom: UInt32) -> AtomName? {
    let number = CX11.Atom(atom)
    if let known = names[number] { return known }
    var name: AtomName?
    // The upper three bits of all X IDs are zero. Invalid numbers do not reach Xlib's atom cache.
    if !isClosed, atom < 0x2000_0000, let text = XGetAtomName(display, number) {
      name = AtomName(rawValue: String(cString: text))
      XFree(text)
    }
    // Failures are not cached: the number may become an atom later.
    if name != nil { names[number] = name }
    return name
  }

  func xatom(_ name: String) -> CX11.Atom {
    if let known = atoms[name] { return known }
    guard !isClosed else { return 0 }
    let atom = XInternAtom(display, name, False)
    atoms[name] = atom
    return atom
  }

  // MARK: Windows

  /// Creates a window, which exists until ``destroy(_:)`` or as long as this client.
  ///
  /// - Parameters:
  ///   - frame: The frame in root pixels; `nil` for a window of one pixel outside of the screen.
  ///   - title: The title for the window manager; `nil` makes the window override-redirect.
  ///   - mapped: Whether to map the window.
  public func makeWindow(_ frame: Rect? = nil, title: String? = nil, mapped: Bool = false) -> WindowID {
    guard !isClosed else { return .none }
    let frame = frame ?? Rect(x: -100, y: -100, width: 1, height: 1)
    var attributes = XSetWindowAttributes()
    attributes.override_redirect = title == nil ? True : False
    attributes.background_pixel = XWhitePixel(display, XDefaultScreen(display))
    attributes.event_mask = PropertyChangeMask | StructureNotifyMask | ExposureMask
    let window = XCreateWindow(
      display, XDefaultRootWindow(display), Int32(frame.origin.x), Int32(frame.origin.y), UInt32(max(1, frame.width)),
      UInt32(max(1, frame.height)), 0, 0, UInt32(InputOutput), nil,
      UInt(CWOverrideRedirect | CWBackPixel | CWEventMask), &attributes)
    if let title {
      XStoreName(display, window, title)
      var hints = XSizeHints()
      hints.flags = PPosition | USPosition
      XSetWMNormalHints(display, window, &hints)
    }
    if mapped { XMapWindow(display, window) }
    XSync(display, False)
    return WindowID(xid: window)
  }

  /// Destroys a window.
  public func destroy(_ window: WindowID) {
    guard !isClosed else { return }
    XDestroyWindow(display, window.xid)
    XSync(display, False)
  }

  /// Reports changes of a window's properties, and its destruction.
  public func watch(_ window: WindowID) { select(PropertyChangeMask | StructureNotifyMask, of: window) }

  /// Reports to ``onPointerGrab`` when a pointer grab begins or ends over a window.
  public func watchPointer(over window: WindowID) { select(EnterWindowMask | LeaveWindowMask, of: window) }

  private func select(_ mask: Int, of window: WindowID) {
    guard !isClosed else { return }
    var attributes = XWindowAttributes()
    // Adds to the event mask, because other code on this connection may have selected events.
    guard XGetWindowAttributes(display, window.xid, &attributes) != 0 else { return }
    guard attributes.your_event_mask & mask != mask else { return }
    XSelectInput(display, window.xid, attributes.your_event_mask | mask)
    XSync(display, False)
  }

  /// Converts window-local coordinates to root pixels; `nil` if the window does not exist.
  public func translate(_ place: Point, from window: WindowID) -> Point? {
    guard !isClosed else { return nil }
    var (x, y, child): (Int32, Int32, Window) = (0, 0, 0)
    guard
      XTranslateCoordinates(
        display, window.xid, XDefaultRootWindow(display), Int32(clamping: place.x), Int32(clamping: place.y), &x, &y,
        &child) != 0
    else { return nil }
    return Point(x: Int(x), y: Int(y))
  }

  /// The window's frame without its border, in root pixels; `nil` if the window does not exist.
  public func frame(of window: WindowID) -> Rect? {
    guard !isClosed, let origin = translate(Point(x: 0, y: 0), from: window) else { return nil }
    var attributes = XWindowAttributes()
    guard XGetWindowAttributes(display, window.xid, &attributes) != 0 else { return nil }
    return Rect(x: origin.x, y: origin.y, width: Int(attributes.width), height: Int(attributes.height))
  }

  /// The window's upper left corner, in root pixels; `nil` if the window does not exist.
  public func rootOrigin(of window: WindowID) -> Point? { frame(of: window)?.origin }

  /// The window's children in stacking order, from bottom to top.
  public func children(of window: WindowID) -> [WindowID] { tree(of: window)?.children ?? [] }

  /// The window's ancestors from its parent upwards, without the root.
  public func ancestors(of window: WindowID) -> [WindowID] {
    var result: [WindowID] = []
    var parent = tree(of: window)?.parent
    // Limits the round trips for absurdly deep trees.
    while let next = parent, next != root, next != .none, result.count < 64 {
      result.append(next)
      parent = tree(of: next)?.parent
    }
    return result
  }

  private func tree(of window: WindowID) -> (parent: WindowID, children: [WindowID])? {
    guard !isClosed else { return nil }
    var (root, parent): (Window, Window) = (0, 0)
    var list: UnsafeMutablePointer<Window>?
    var count: UInt32 = 0
    guard XQueryTree(display, window.xid, &root, &parent, &list, &count) != 0 else { return nil }
    defer { if let list { XFree(list) } }
    return (WindowID(xid: parent), UnsafeBufferPointer(start: list, count: Int(count)).map(WindowID.init(xid:)))
  }

  /// Whether the window and all its ancestors are mapped.
  public func isViewable(_ window: WindowID) -> Bool {
    var attributes = XWindowAttributes()
    return !isClosed && XGetWindowAttributes(display, window.xid, &attributes) != 0
      && attributes.map_state == IsViewable
  }

  /// The pointer's position in root pixels, and whether one of the first three buttons is pressed.
  public var pointer: (place: Point, isPressed: Bool) {
    var (root, child): (Window, Window) = (0, 0)
    var (x, y, windowX, windowY): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    var mask: UInt32 = 0
    guard !isClosed,
      XQueryPointer(display, XDefaultRootWindow(display), &root, &child, &x, &y, &windowX, &windowY, &mask) != 0
    else { return (Point(x: 0, y: 0), false) }
    let buttons = Button1Mask | Button2Mask | Button3Mask
    return (Point(x: Int(x), y: Int(y)), mask & UInt32(buttons) != 0)
  }

  // MARK: Messages

  /// One of the five words of a client message.
  public enum Word: Hashable, Sendable, ExpressibleByIntegerLiteral {
    case number(UInt32)
    /// An atom, given by name; the empty name is `None`.
    case atom(String)
    case window(WindowID)

    /// Creates a number.
    public init(integerLiteral value: UInt32) { self = .number(value) }
  }

  /// Sends a client message of format 32 with an empty event mask.
  ///
  /// - Parameters:
  ///   - words: At most five words; missing words are 0.
  ///   - window: The window that the message is addressed to.
  ///   - destination: The window that it is sent to, if that is another one: a proxy window.
  public func send(_ type: String, _ words: [Word], to window: WindowID, via destination: WindowID? = nil) {
    guard !isClosed else { return }
    var numbers = words.prefix(5).map { word -> UInt32 in
      switch word {
      case .number(let number): number
      case .atom(let name): name.isEmpty ? 0 : atom(name)
      case .window(let window): window.rawValue
      }
    }
    numbers += Array(repeating: 0, count: 5 - numbers.count)
    let longs = numbers.map { Int($0) }
    var event = XEvent()
    event.xclient.type = ClientMessage
    event.xclient.window = window.xid
    event.xclient.message_type = xatom(type)
    event.xclient.format = 32
    event.xclient.data.l = (longs[0], longs[1], longs[2], longs[3], longs[4])
    let type = AtomName(rawValue: type)
    let elsewhere = destination == window ? nil : destination
    tell(
      .sent,
      .message(
        WireEvent.Message(
          type: type, window: window, destination: elsewhere, words: numbers, names: names(in: numbers, of: type))))
    XSendEvent(display, (destination ?? window).xid, False, NoEventMask, &event)
    XFlush(display)
  }

  /// The names of the words that are atoms. Which words these are depends on the message's type.
  func names(in words: [UInt32], of type: AtomName) -> [Int: AtomName] {
    let places: [Int] =
      switch type.rawValue {
      case "XdndEnter": [2, 3, 4]
      case "XdndPosition", "XdndStatus": [4]
      case "XdndFinished": [2]
      case "WM_PROTOCOLS": [0]
      default: []
      }
    return places.reduce(into: [:]) { $0[$1] = name(of: words[$1]) }
  }

  func tell(_ direction: WireEvent.Direction, _ action: WireEvent.Action) {
    onWireEvent(WireEvent(direction, action))
  }
}

extension WindowID {
  init(xid: Window) { self.init(rawValue: UInt32(truncatingIfNeeded: xid)) }

  var xid: Window { Window(rawValue) }
}
