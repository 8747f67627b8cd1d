internal import CX11

/// A top-level X window that displays a ``Scene`` and reports input to its owner through closures. AppKit counterpart:
/// `NSWindow`.
///
/// The host owns the `Display` connection and reads its events; pass each of them to ``handle(event:)``. Call
/// ``close()`` before closing the connection, or ``detach()`` when the server is lost.
///
/// The window sets its event mask once, on creation. The host may add bits with `XSelectInput` at any time.
///
/// Not thread-safe: all calls and all closures run on the thread that reads the connection.
public final class ToolWindow {
  /// The X window ID. It stays readable after ``detach()``, for messages.
  public let windowID: UInt32
  /// Device pixels per logical pixel.
  public let scale: Double

  /// A button went down outside the tabs, the scroll bar, the field and the bar. Wheel buttons scroll the list
  /// instead.
  public var onPress: ((PointerEvent) -> Void)?
  /// The pointer moved while a button was down.
  public var onMotion: ((PointerEvent) -> Void)?
  /// A button went up, unless the scroll bar, the field or the bar held it. Wheel buttons are not reported.
  public var onRelease: ((PointerEvent) -> Void)?
  /// A button of the scene's bar was activated by pointer or keyboard; the argument is its index in
  /// ``Scene/Bar/buttons``.
  public var onButton: ((Int) -> Void)?
  /// The window was resized; ``size`` has the new value.
  public var onResize: (() -> Void)?
  /// A tab was pressed; the argument is its index in ``Scene/Tabs/titles``.
  public var onTab: ((Int) -> Void)?
  /// A key was pressed that neither the field nor the bar handled.
  public var onKey: ((KeyEvent) -> Void)?
  /// The user edited the scene's field or moved the focus into or out of it. The argument is the field's new state;
  /// put it into the next scene.
  public var onField: ((Scene.TextField) -> Void)?
  /// The user asked to close the window (`WM_DELETE_WINDOW`), or another client destroyed it.
  public var onClose: (() -> Void)?
  /// The complete scene was drawn for the first time. Called once; start slow work here, so that it does not delay the
  /// first frame.
  public var onDrawn: (() -> Void)?
  /// The window was mapped (`MapNotify`).
  public var onMapped: (() -> Void)?

  /// The displayed content. Changes are coalesced: one redraw happens when the event loop next runs.
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

  /// The title in the window's title bar.
  public var title: String {
    didSet {
      guard let display, title != oldValue else { return }
      hints(on: display).setTitle(title)
    }
  }

  /// Whether the window can no longer draw: after ``detach()`` or ``close()``, or when the window was destroyed.
  public var isDetached: Bool { display == nil }
  /// The window's size in device pixels.
  public internal(set) var size: PixelSize
  /// Whether the window is mapped.
  public private(set) var isMapped = false

  private static let eventMask =
    ExposureMask | StructureNotifyMask | ButtonPressMask | ButtonReleaseMask | PointerMotionMask | LeaveWindowMask
    | KeyPressMask

  /// `nil` after ``detach()``: no request may be sent any more.
  private(set) var display: OpaquePointer?
  let window: CX11.Window
  /// Created at the first drawing: cairo makes about a dozen round trips for it, which must not delay mapping the
  /// window.
  var store: BackingStore?
  private let protocolsAtom: CX11.Atom
  private let deleteAtom: CX11.Atom
  private let pingAtom: CX11.Atom
  private let takeFocusAtom: CX11.Atom
  /// Created when text is first drawn: loading fonts takes longer than mapping the window.
  lazy var text = TextRenderer()
  /// The icons found so far.
  let icons = IconStore()
  var scrollOffset = 0.0
  /// The pointer and keyboard state of the bar.
  var barState = BarState() {
    didSet { if barState != oldValue { invalidate() } }
  }
  /// What the pointer hovers over or drags.
  var hover = HoverState() {
    didSet { if hover != oldValue { invalidate() } }
  }
  /// The cursor that the window currently shows.
  var pointerShape = PointerShape.ordinary
  /// The cursors loaded so far. The server frees them when the connection closes.
  var cursors: [PointerShape: CX11.Cursor] = [:]
  /// How far the field's text is scrolled, in logical pixels.
  var fieldOffset = 0.0
  /// Whether a press in the field is still held; motion then extends the selection.
  var isSelectingInField = false
  /// Opened when the first key is typed into the field.
  var inputMethod: InputMethod?
  /// Whether the window manager sent `WM_TAKE_FOCUS` for a press that is still held.
  var isFocusOffered = false
  /// Whether the window has been drawn at least once.
  var isShown = false
  /// Whether the backing store is out of date.
  var isDirty = true
  var isExposeUnderway = false

  /// Creates the window without mapping it.
  ///
  /// - Parameters:
  ///   - display: An open `Display *`. The host keeps it open until ``close()`` or ``detach()``.
  ///   - applicationName: The instance name in `WM_CLASS`.
  ///   - geometry: The geometry that the user asked for, in device pixels.
  ///   - defaultSize: The size if `geometry` has none, in logical pixels.
  ///   - scale: Device pixels per logical pixel; by default taken from the server's `Xft.dpi` resource and `GDK_SCALE`.
  ///   - focusModel: How the window gets the keyboard focus.
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

  /// Destroys the window. Call it before closing the display; all later calls do nothing.
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

  /// Drops the connection after it was lost: nothing touches it any more, and all later calls do nothing.
  ///
  /// Cairo's resources for the connection stay allocated, because freeing them would send requests to the server.
  public func detach() {
    inputMethod = nil
    display = nil
    isMapped = false
  }

  /// Handles an `XEvent`.
  ///
  /// - Returns: Whether the event was for this window and is handled. Client messages of other protocols, such as
  ///   XDND, return `false`.
  @discardableResult
  public func handle(event: UnsafeRawPointer) -> Bool {
    guard display != nil else { return false }
    var event = event.load(as: XEvent.self)
    if event.type == MappingNotify {
      XRefreshKeyboardMapping(&event.xmapping)
      return false
    }
    // Events of the input method's own windows, and key presses that it composes.
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
