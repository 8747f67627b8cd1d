import CX11

/// The driver's connection to an X server.
///
/// Not `Sendable`: like the other classes of this folder except ``DisplayErrors``, it belongs to the thread or actor
/// that created it. An owned connection reads its own events. On a borrowed display, the host passes each event that it
/// reads to ``filter(_:_:)``.
final class XlibConnection {
  /// Receives the events that the driver does not consume, on an owned connection; for example those of the tools'
  /// windows.
  var unhandledEvent: ((UnsafeMutablePointer<XEvent>) -> Void)?

  let dragWindow: WindowID

  let display: DisplayHandle
  let atoms: AtomTable
  /// Observes and may alter the traffic with peers.
  let tap: WireTap
  let properties: Properties
  /// Reads and writes properties that belong to the desktop rather than to a drag: ``tap`` does not see them.
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

  /// Whether the driver handles XDND messages that are addressed to a window. A host may handle the drags of some of
  /// its windows itself.
  var takesMessages: (WindowID) -> Bool = { _ in true }

  var watchers = Watchers()

  /// The drag image's window and its last predecessors, whose `DestroyNotify` may still arrive.
  var imageWindows: [WindowID] = []
  /// Whether the owner of the compositing manager's selection is observed: from the first image on.
  var observesCompositor = false

  /// Events that ``nextEvent()`` returns before it reads more.
  var pending: [ServerEvent] = []
  /// Whether, at the last call, a vanished window had to wait for an event that is still in the borrowed display's
  /// queue.
  var isWaitingForHost = false

  /// Opens a connection that this object owns.
  ///
  /// - Parameter name: The display's name; `nil` for the value of `DISPLAY`.
  convenience init(connectingTo name: String?) throws(ConnectionFailure) {
    guard let display = XOpenDisplay(name) else {
      throw ConnectionFailure(displayName: String(cString: XDisplayName(name)))
    }
    self.init(DisplayHandle(display, isOwned: true))
  }

  /// Uses a host's display, which must outlive this object.
  ///
  /// - Parameter display: A `Display *`.
  convenience init(borrowing display: OpaquePointer) {
    self.init(DisplayHandle(display, isOwned: false))
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

  /// Releases the grab and all server resources, and closes an owned connection.
  func close() {
    if !isClosed {
      ungrab(at: .currentTime)
      endTracking()
      image.hide()
      masks.removeAll()
      cursors.free()
      DragWindow.destroy(dragWindow, display)
    }
    display.release()
  }

  /// Readable when events may have arrived; -1 once the connection is closed.
  var fileDescriptor: Int32 { display.fileDescriptor }

  /// Starts to maintain the window tree, so that ``locateTarget(at:)`` needs few round trips and
  /// ``ServerEvent/stackingChanged`` is reported. A grab starts it implicitly.
  func beginTracking() { locator.beginTracking() }

  /// Ends ``beginTracking()``.
  func endTracking() { locator.endTracking() }
}

/// The error of a connection that could not be opened.
struct ConnectionFailure: Error, Equatable {
  /// The display's name, as Xlib resolved it.
  var displayName: String
}
