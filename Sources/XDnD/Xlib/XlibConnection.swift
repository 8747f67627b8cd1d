import CX11

/// The X server, as the driver sees it.
///
/// Confined to whoever made it, like everything else here. On a connection of its own it reads all events; on a
/// display that belongs to a host, the host offers it each event through ``filter(_:_:)``.
final class XlibConnection {
  /// Gets each event that is of no interest to drags, on an owned connection: the windows of the tools, for example.
  var unhandledEvent: ((UnsafeMutablePointer<XEvent>) -> Void)?

  let dragWindow: WindowID

  let display: DisplayHandle
  let atoms: AtomTable
  /// Where all passes by that goes between us and others.
  let tap: WireTap
  let properties: Properties
  /// The properties that are about the desktop and not about drags: they do not pass by ``tap``.
  let desktopProperties: Properties
  let messages: Messages
  let masks: EventMasks
  let selections: ServerSelections
  let pointerGrab: Grab
  let settingsReader: SettingsReader
  let cursors: Cursors
  let locator: WindowLocator
  let decoder: EventDecoder
  let image: DragImageWindow

  /// Whether the driver handles XDND messages to this window. A host may have windows whose drags it handles itself.
  var takesMessages: (WindowID) -> Bool = { _ in true }

  /// What the driver watches.
  var watchers = Watchers()

  /// The window that the drag image is in, and those that it was in lately: news of their ends may still be coming.
  var imageWindows: [WindowID] = []
  /// Whether we are told when a compositing manager comes or goes: from the first image on.
  var observesCompositor = false

  /// What ``nextEvent()`` will return before it reads on.
  var pending: [ServerEvent] = []
  /// Whether there was news the last time that has to come after an event in the queue of a borrowed display.
  var isWaitingForHost = false

  /// Opens a connection of its own.
  ///
  /// - Parameter name: The display's name; `nil` for what `DISPLAY` says.
  convenience init(connectingTo name: String?) throws(ConnectionFailure) {
    guard let display = XOpenDisplay(name) else {
      throw ConnectionFailure(displayName: String(cString: XDisplayName(name)))
    }
    self.init(DisplayHandle(owning: display))
  }

  /// Works on a display that belongs to a host and outlives this object.
  ///
  /// - Parameter display: A `Display *`.
  convenience init(borrowing display: OpaquePointer) {
    self.init(DisplayHandle(borrowing: display))
  }

  private init(_ display: DisplayHandle) {
    self.display = display
    atoms = AtomTable(display)
    tap = WireTap(display, atoms)
    properties = Properties(display, atoms, tap)
    desktopProperties = Properties(display, atoms)
    messages = Messages(display, atoms, tap)
    masks = EventMasks(display)
    dragWindow = DragWindow.create(display, atoms)
    atoms.parent = dragWindow
    selections = ServerSelections(display, atoms, tap, window: dragWindow)
    pointerGrab = Grab(display, window: dragWindow)
    settingsReader = SettingsReader(display, desktopProperties, selections, masks)
    cursors = Cursors(display, settingsReader)
    locator = WindowLocator(display, properties, masks)
    decoder = EventDecoder(display: display, atoms: atoms, shapeEvent: locator.shapeEvent)
    image = DragImageWindow(display, desktopProperties)
    locator.ignored = [dragWindow]
    tap.perform = { [unowned self] in perform($0) }
  }

  deinit { close() }

  /// Gives everything back that was taken from the server, and an owned connection too.
  func close() {
    if !isClosed {
      ungrab(at: .currentTime)
      image.hide()
      masks.removeAll()
      cursors.free()
      DragWindow.destroy(dragWindow, display)
    }
    display.release()
  }

  /// Readable when there may be events; -1 once the connection is closed.
  var fileDescriptor: Int32 { display.fileDescriptor }

  /// Keeps a model of the windows on the screen from now on, so that ``locateTarget(at:)`` is fast and
  /// ``ServerEvent/stackingChanged`` is told. A grab does so by itself.
  func beginTracking() { locator.beginTracking() }

  /// Ends ``beginTracking()``.
  func endTracking() { locator.endTracking() }
}

/// Why there is no connection.
struct ConnectionFailure: Error, Equatable {
  /// The display that was tried.
  var displayName: String
}
