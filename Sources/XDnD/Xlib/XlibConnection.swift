import CX11
import Logging

/// The X server, as the driver sees it.
///
/// Confined to whoever made it, like everything else here. On a connection of its own it reads all events; on a
/// display that belongs to a host, the host offers it each event through ``filter(_:deliver:)``.
final class XlibConnection {
  /// Gets each event that is of no interest to drags, on an owned connection: the windows of the tools, for example.
  var unhandledEvent: ((UnsafeMutablePointer<XEvent>) -> Void)?

  let dragWindow: WindowID

  let server: DisplayHandle
  let atoms: AtomTable
  let properties: Properties
  let messages: Messages
  let masks: EventMasks
  let selections: ServerSelections
  let pointerGrab: Grab
  let cursors: Cursors
  let locator: WindowLocator
  let decoder: EventDecoder

  let logger: Logger

  /// What the driver watches.
  var watchers = Watchers()

  /// What ``nextEvent()`` will return before it reads on.
  var pending: [ServerEvent] = []

  /// Opens a connection of its own; `nil` if the server cannot be reached.
  ///
  /// - Parameter name: The display's name; `nil` for what `DISPLAY` says.
  convenience init?(connectingTo name: String?, logger: Logger) {
    guard let display = XOpenDisplay(name) else { return nil }
    self.init(DisplayHandle(owning: display), logger)
  }

  /// Works on a display that belongs to a host and outlives this object.
  ///
  /// - Parameter display: A `Display *`.
  convenience init(borrowing display: OpaquePointer, logger: Logger) {
    self.init(DisplayHandle(borrowing: display), logger)
  }

  private init(_ server: DisplayHandle, _ logger: Logger) {
    self.server = server
    self.logger = logger
    atoms = AtomTable(server)
    properties = Properties(server, atoms)
    messages = Messages(server, atoms)
    masks = EventMasks(server)
    dragWindow = DragWindow.create(server, atoms)
    selections = ServerSelections(server, atoms, window: dragWindow)
    pointerGrab = Grab(server, window: dragWindow)
    cursors = Cursors(server)
    locator = WindowLocator(server, properties, masks)
    decoder = EventDecoder(display: server, atoms: atoms, shapeEvent: locator.shapeEvent)
    locator.ignored = [dragWindow]
    if selections.ownerChangeEvent == nil { logger.notice("the server has no XFIXES: selections change unseen") }
    if locator.shapeEvent == nil { logger.notice("the server has no SHAPE: all windows count as rectangles") }
  }

  deinit { close() }

  /// Gives everything back that was taken from the server, and an owned connection too.
  func close() {
    if !isClosed {
      ungrab(at: .currentTime)
      masks.removeAll()
      cursors.free()
      DragWindow.destroy(dragWindow, server)
    }
    server.release()
  }

  /// The `Display *`, for the windows of whoever uses this connection.
  var display: OpaquePointer { server.pointer }

  /// Readable when there may be events; -1 once the connection is closed.
  var fileDescriptor: Int32 { server.fileDescriptor }

  /// Windows that the pointer passes through: besides ``dragWindow`` for example the drag image.
  var ignoredWindows: Set<WindowID> {
    get { locator.ignored.subtracting([dragWindow]) }
    set { locator.ignored = newValue.union([dragWindow]) }
  }

  /// Keeps a model of the windows on the screen from now on, so that ``locateTarget(at:)`` is fast and
  /// ``ServerEvent/stackingChanged`` is told. A grab does so by itself.
  func beginTracking() { locator.beginTracking() }

  /// Ends ``beginTracking()``.
  func endTracking() { locator.endTracking() }
}
