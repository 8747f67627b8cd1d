import CX11
public import XDnD

/// A client of the X server that says what it is told to say, and knows nothing of XDND.
///
/// It is what a peer of a drag is made of when the library is too well-behaved for it: a source or a target that is
/// replayed from a recording, that asks what no program would ask, or that has to say something at a certain moment. It
/// belongs to the thread that made it.
///
/// Errors of the server end nothing: a request to a window that is gone becomes the event that it is gone, and all others
/// are void. So is everything after the server is lost.
public final class RawPeer {
  /// Told of all that this client sends and receives, in the order in which it happens; what ``next(until:where:)`` has
  /// not returned yet, too.
  public var onWireEvent: (WireEvent) -> Void = { _ in }

  /// Told of each event of the server, a pointer to an `XEvent`, before anything is made of it: for windows on the same
  /// connection that draw themselves.
  public var onServerEvent: (UnsafeRawPointer) -> Void = { _ in }

  /// Told of grabs of the pointer over windows of ``watchPointer(over:)``: whether one has begun, or ended.
  public var onPointerGrab: (_ isGrabbed: Bool) -> Void = { _ in }

  /// Asked now and then by everything that waits: whether to give up, as if the time were over.
  public var isInterrupted: () -> Bool = { false }

  /// The connection: a `Display *`.
  public let display: OpaquePointer
  let errors: RawPeerErrors
  /// What was read from the connection and not asked for yet.
  var queue: [WireEvent] = []
  /// What is being sent in parts, by where it goes.
  var outgoing: [Place: Outgoing] = [:]
  /// The number of XFixes's event that tells of owners; `nil` until somebody wants to know them.
  var ownerEvent: Int32?
  /// For ``serverTime()``, and for what needs a window and is not about one.
  private(set) lazy var ownWindow = makeWindow()

  private var atoms: [String: CX11.Atom] = [:]
  private var names: [CX11.Atom: AtomName?] = [0: nil]

  /// - Parameter name: The display's name; `nil` for what `DISPLAY` says.
  public init?(connectingTo name: String?) {
    guard let display = XOpenDisplay(name) else { return nil }
    self.display = display
    errors = RawPeerErrors.answer(for: display)
  }

  deinit {
    XCloseDisplay(display)
    RawPeerErrors.forget(display)
  }

  /// Whether the server is lost.
  public var isClosed: Bool { errors.isClosed }

  /// Readable when the server has said something. What it has said before may be in a queue: ``next(until:where:)`` has to
  /// find nothing before this is waited for.
  public var fileDescriptor: CInt { XConnectionNumber(display) }

  /// The window that all others are in.
  public var root: WindowID { WindowID(xid: XDefaultRootWindow(display)) }

  // MARK: Names

  /// The server's number for a name.
  public func atom(_ name: String) -> UInt32 { UInt32(truncatingIfNeeded: xatom(name)) }

  /// The name of a number; `nil` for 0 and for what is no atom.
  public func name(of atom: UInt32) -> AtomName? {
    let number = CX11.Atom(atom)
    if let known = names[number] { return known }
    var name: AtomName?
    // The upper three bits of every id are zero, and Xlib's own table is not asked for nonsense.
    if !isClosed, atom < 0x2000_0000, let text = XGetAtomName(display, number) {
      name = AtomName(rawValue: String(cString: text))
      XFree(text)
    }
    // A number may become an atom later.
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

  /// Makes a window, which lives until ``destroy(_:)`` or as long as this client.
  ///
  /// - Parameters:
  ///   - frame: Where, in root coordinates; without it, a window that is never seen.
  ///   - title: For the window manager. Without one the window is none of the manager's business.
  ///   - mapped: Whether it is to be seen.
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

  /// Ends a window.
  public func destroy(_ window: WindowID) {
    guard !isClosed else { return }
    XDestroyWindow(display, window.xid)
    XSync(display, False)
  }

  /// Asks to be told when properties of a window change, and when it goes away.
  public func watch(_ window: WindowID) { select(PropertyChangeMask | StructureNotifyMask, of: window) }

  /// Asks to be told when a grab of the pointer begins or ends while it is over a window.
  public func watchPointer(over window: WindowID) { select(EnterWindowMask | LeaveWindowMask, of: window) }

  private func select(_ mask: Int, of window: WindowID) {
    guard !isClosed else { return }
    var attributes = XWindowAttributes()
    // What somebody else on this connection wants to hear goes on.
    guard XGetWindowAttributes(display, window.xid, &attributes) != 0 else { return }
    guard attributes.your_event_mask & mask != mask else { return }
    XSelectInput(display, window.xid, attributes.your_event_mask | mask)
    XSync(display, False)
  }

  /// Where a place in a window is on the root.
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

  /// What a window covers, in root coordinates, without its border; `nil` if it is gone.
  public func frame(of window: WindowID) -> Rect? {
    guard !isClosed, let origin = translate(Point(x: 0, y: 0), from: window) else { return nil }
    var attributes = XWindowAttributes()
    guard XGetWindowAttributes(display, window.xid, &attributes) != 0 else { return nil }
    return Rect(x: origin.x, y: origin.y, width: Int(attributes.width), height: Int(attributes.height))
  }

  /// Where the upper left corner of a window is on the root.
  public func rootOrigin(of window: WindowID) -> Point? { frame(of: window)?.origin }

  /// The windows in a window, the lowest first.
  public func children(of window: WindowID) -> [WindowID] { tree(of: window)?.children ?? [] }

  /// The windows that a window is in, from the inside out, without the root.
  public func ancestors(of window: WindowID) -> [WindowID] {
    var result: [WindowID] = []
    var parent = tree(of: window)?.parent
    // No program nests windows like this; a bound for what others can make.
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

  /// Whether a window, and all that it is in, is shown.
  public func isViewable(_ window: WindowID) -> Bool {
    var attributes = XWindowAttributes()
    return !isClosed && XGetWindowAttributes(display, window.xid, &attributes) != 0
      && attributes.map_state == IsViewable
  }

  /// Where the pointer is on the root, and whether one of its buttons is down.
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

  /// One of the five words of a message.
  public enum Word: Hashable, Sendable, ExpressibleByIntegerLiteral {
    case number(UInt32)
    /// By its name; the empty one is `None`.
    case atom(String)
    case window(WindowID)

    /// A number.
    public init(integerLiteral value: UInt32) { self = .number(value) }
  }

  /// Sends a client message of format 32, with no event mask.
  ///
  /// - Parameters:
  ///   - words: At most five; those that are missing are 0.
  ///   - window: Whom it is addressed to.
  ///   - destination: Where it goes, if that is another window: a proxy.
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

  /// Those words that are atoms by the type of the message: numbers look alike, so the place decides.
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
