internal import CX11

/// A window that shows a ``Scene`` and says what is done to it.
///
/// It lives on a connection that somebody else owns and reads: offer it every event with ``handle(event:)``. Release
/// it before the connection is closed, or call ``detach()`` when the server is lost.
///
/// The window's event mask is chosen once, when the window is made; others on the same connection may add their own
/// bits with `XSelectInput` at any time.
public final class ToolWindow {
  /// The X window. It stays the same after ``detach()``, for messages.
  public let windowID: UInt32
  /// How many device pixels a logical one has.
  public let scale: Double

  /// A button other than the wheel went down.
  public var onPress: ((PointerEvent) -> Void)?
  /// The pointer moved while a button was down.
  public var onMotion: ((PointerEvent) -> Void)?
  /// A button other than the wheel went up.
  public var onRelease: ((PointerEvent) -> Void)?
  /// A button of the scene's bar was pressed, with the pointer or a key; its place among them.
  public var onButton: ((Int) -> Void)?
  /// The window has another size.
  public var onResize: (() -> Void)?
  /// A tab was pressed.
  public var onTab: ((Int) -> Void)?
  /// A key went down, and not for the bar.
  public var onKey: ((KeyEvent) -> Void)?
  /// The user has edited the scene's field, or taken the focus to it or from it: the field as it is now. Put it into the
  /// next scene.
  public var onField: ((Scene.TextField) -> Void)?
  /// The user wants the window closed, or somebody destroyed it.
  public var onClose: (() -> Void)?
  /// There is something to see for the first time: what takes long has waited for this. Called once.
  public var onDrawn: (() -> Void)?
  /// The window appeared on the screen.
  public var onMapped: (() -> Void)?

  /// What is shown. A change is drawn when the event loop comes round, however many there were.
  public var scene = Scene() {
    didSet {
      guard scene != oldValue else { return }
      if scene.appearance != oldValue.appearance || scene.frame != oldValue.frame
        || scene.framedPart != oldValue.framedPart
      {
        setBackground()
      }
      if scene.bar != oldValue.bar { barState = BarState(scene.bar) }
      invalidate()
    }
  }

  /// What the title bar says.
  public var title: String {
    didSet {
      guard let display, title != oldValue else { return }
      hints(on: display).setTitle(title)
    }
  }

  /// Whether nothing can be shown any more: after ``detach()``, or when the window was destroyed.
  public var isDetached: Bool { display == nil }
  /// The size in device pixels.
  public internal(set) var size: PixelSize
  /// Whether the window is mapped.
  public private(set) var isMapped = false

  private static let eventMask =
    ExposureMask | StructureNotifyMask | ButtonPressMask | ButtonReleaseMask | PointerMotionMask | LeaveWindowMask
    | KeyPressMask

  /// `nil` once nothing may be asked of the server any more.
  private(set) var display: OpaquePointer?
  let window: CX11.Window
  /// Made when the first thing is drawn: cairo asks the server a dozen questions, and the window need not wait for them.
  var store: BackingStore?
  private let protocolsAtom: CX11.Atom
  private let deleteAtom: CX11.Atom
  private let pingAtom: CX11.Atom
  private let takeFocusAtom: CX11.Atom
  /// Made when the first text is drawn: loading fonts takes longer than mapping the window.
  lazy var text = Typesetter()
  /// What is known about the icons of rows.
  let icons = IconStore()
  var scrollOffset = 0.0
  /// What the user is doing with the bar.
  var barState = BarState() {
    didSet { if barState != oldValue { invalidate() } }
  }
  /// What the pointer is over, or holds.
  var hover = HoverState() {
    didSet { if hover != oldValue { invalidate() } }
  }
  /// What the pointer looks like over the window.
  var pointerShape = PointerShape.ordinary
  /// Those that have been loaded; the server has them until the connection ends.
  var cursors: [PointerShape: CX11.Cursor] = [:]
  /// How far the text of the field is scrolled.
  var fieldOffset = 0.0
  /// Whether the pointer went down in the field: what it does until it goes up selects text.
  var isSelectingInField = false
  /// Open from the first key on that is typed into the field.
  var inputMethod: InputMethod?
  /// Whether the window manager has offered the focus because of a press that is still held.
  var isFocusOffered = false
  /// Whether anything was drawn before.
  var isShown = false
  /// Whether what was drawn is out of date.
  var isDirty = true
  var isExposeUnderway = false

  /// Makes a window without showing it.
  ///
  /// - Parameters:
  ///   - display: An open `Display *`.
  ///   - applicationName: The instance name in `WM_CLASS`.
  ///   - geometry: What the user asked for, in device pixels.
  ///   - defaultSize: In logical pixels, if the user did not ask for a size.
  ///   - scale: How many device pixels a logical one has; by default what the resources of the server say.
  ///   - focusModel: Who decides that the window gets the focus.
  public init(
    display: OpaquePointer, title: String, applicationName: String, geometry: Geometry? = nil,
    defaultSize: PixelSize, scale: Double? = nil, focusModel: FocusModel = .passive
  ) {
    let scale = scale ?? DisplayScale.current(of: display)
    func scaled(_ size: PixelSize) -> PixelSize {
      PixelSize(width: Int(Double(size.width) * scale), height: Int(Double(size.height) * scale))
    }
    let size = geometry?.size ?? scaled(defaultSize)
    let screen = XDefaultScreen(display)
    let screenSize = PixelSize(
      width: Int(XDisplayWidth(display, screen)), height: Int(XDisplayHeight(display, screen)))
    let origin = geometry?.origin(of: size, on: screenSize) ?? PixelPoint(x: 0, y: 0)

    var attributes = XSetWindowAttributes()
    attributes.event_mask = Self.eventMask
    attributes.bit_gravity = NorthWestGravity
    let window = XCreateWindow(
      display, XRootWindow(display, screen), Int32(clamping: origin.x), Int32(clamping: origin.y),
      UInt32(clamping: max(1, size.width)), UInt32(clamping: max(1, size.height)), 0, Int32(CopyFromParent),
      UInt32(InputOutput), nil, UInt(CWEventMask | CWBitGravity), &attributes)
    let hints = WindowHints(display: display, window: window)
    hints.install(
      title: title, applicationName: applicationName, size: size,
      minimumSize: scaled(PixelSize(width: 160, height: 96)), geometry: geometry, focusModel: focusModel)

    self.display = display
    self.window = window
    self.windowID = UInt32(truncatingIfNeeded: window)
    self.scale = scale
    self.size = size
    self.title = title
    protocolsAtom = hints.atom("WM_PROTOCOLS")
    deleteAtom = hints.atom("WM_DELETE_WINDOW")
    pingAtom = hints.atom("_NET_WM_PING")
    takeFocusAtom = hints.atom("WM_TAKE_FOCUS")
    setBackground()
  }

  deinit { close() }

  /// Destroys the window. Call it before the display is closed; afterwards all calls do nothing.
  public func close() {
    guard let display else { return }
    inputMethod?.close()
    inputMethod = nil
    store?.destroy()
    XDestroyWindow(display, window)
    XFlush(display)
    detach()
  }

  /// Maps the window.
  public func show() {
    guard let display else { return }
    XMapWindow(display, window)
    XFlush(display)
    FontPreparation.begin()
  }

  /// Forgets the connection, because it is lost: from now on nothing touches it, and all calls do nothing.
  ///
  /// What cairo holds for the connection stays allocated: giving it back would mean to talk to the server.
  public func detach() {
    inputMethod = nil
    display = nil
    isMapped = false
  }

  /// Handles an `XEvent`.
  ///
  /// - Returns: Whether it was for this window and is done with. Messages of protocols that the window does not know
  ///   are for others.
  @discardableResult
  public func handle(event: UnsafeRawPointer) -> Bool {
    guard display != nil else { return false }
    var event = event.load(as: XEvent.self)
    if event.type == MappingNotify {
      XRefreshKeyboardMapping(&event.xmapping)
      return false
    }
    // What the input method says to its own windows, and the keys that it makes one character of.
    if inputMethod?.filter(&event) == true { return true }
    guard event.xany.window == window else { return false }
    switch event.type {
    case Expose: expose(event.xexpose)
    case ConfigureNotify: resize(to: event.xconfigure)
    case MapNotify:
      isMapped = true
      onMapped?()
    case UnmapNotify: isMapped = false
    case DestroyNotify:
      store?.destroy()
      detach()
      onClose?()
    case ButtonPress:
      if !scrollByWheel(event.xbutton) { press(PointerEvent(event.xbutton)) }
    case ButtonRelease:
      if !WheelButtons.contains(event.xbutton.button) { release(PointerEvent(event.xbutton)) }
    case MotionNotify: move(PointerEvent(event.xmotion))
    case LeaveNotify:
      barState.move(over: nil)
      hover.place = nil
    case KeyPress:
      if !isForInputMethod(&event) { type(key(of: &event.xkey)) }
    case ClientMessage: return receive(event.xclient)
    default: return false
    }
    return true
  }

  // MARK: Scrolling

  func scroll(to offset: Double) {
    let before = layout.scrollOffset
    scrollOffset = offset
    scrollOffset = layout.scrollOffset
    if scrollOffset != before {
      invalidate()
    }
  }

  private func scrollByWheel(_ event: XButtonEvent) -> Bool {
    let layout = self.layout
    switch event.button {
    case WheelButtons.up: scroll(to: layout.scrollOffset - layout.rowHeight)
    case WheelButtons.down: scroll(to: layout.scrollOffset + layout.rowHeight)
    default: return WheelButtons.contains(event.button)
    }
    return true
  }

  // MARK: Window manager

  private func hints(on display: OpaquePointer) -> WindowHints {
    WindowHints(display: display, window: window)
  }

  private func receive(_ message: XClientMessageEvent) -> Bool {
    guard let display, message.message_type == protocolsAtom, message.format == 32 else { return false }
    switch CX11.Atom(bitPattern: message.data.l.0) {
    case deleteAtom: onClose?()
    case takeFocusAtom: focusOffered(at: UInt32(truncatingIfNeeded: message.data.l.1))
    case pingAtom:
      let root = XDefaultRootWindow(display)
      var answer = XEvent()
      answer.xclient = message
      answer.xclient.window = root
      XSendEvent(display, root, 0, SubstructureRedirectMask | SubstructureNotifyMask, &answer)
    default: return false
    }
    return true
  }
}
