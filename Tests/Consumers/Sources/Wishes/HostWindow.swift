import Glibc
import XDnD
import XDnDX11

/// An Xlib window with its event loop.
final class HostWindow {
  let id: WindowID
  let dragAndDrop: DragAndDrop
  /// Draws the content of the window, which is cleared before.
  var draw: (HostWindow) -> Void = { _ in }
  /// Handles a press of the left button.
  var onClick: () -> Void = {}
  /// Handles a press of the right button.
  var onSecondaryClick: () throws -> Void = {}

  private let display: OpaquePointer
  private let window: Window
  private let context: GC
  private var isReady = false

  /// Creates a window that is not mapped yet.
  ///
  /// - Parameter geometry: The size and the place, such as `300x300+60+60`.
  init(title: String, geometry: String) throws {
    guard let display = XOpenDisplay(nil) else { fatalError("no display") }
    var (x, y, width, height) = (CInt(60), CInt(60), CUnsignedInt(300), CUnsignedInt(300))
    XParseGeometry(geometry, &x, &y, &width, &height)
    window = XCreateSimpleWindow(display, XDefaultRootWindow(display), x, y, width, height, 0, 0, 0xFFFFFF)
    context = XCreateGC(display, window, 0, nil)
    XStoreName(display, window, title)
    // The client area, and not its frame, stands at this place.
    var hints = XSizeHints()
    hints.flags = USPosition | USSize | PWinGravity
    hints.win_gravity = StaticGravity
    XSetWMNormalHints(display, window, &hints)
    XSelectInput(display, window, ExposureMask | ButtonPressMask | StructureNotifyMask)
    self.display = display
    id = WindowID(window)
    dragAndDrop = try DragAndDrop(borrowing: display)
  }

  /// Maps the window, and handles events until it is destroyed.
  func run() throws {
    XMapWindow(display, window)
    var event = XEvent()
    while true {
      while XPending(display) > 0 {
        XNextEvent(display, &event)
        if dragAndDrop.filter(xEvent: &event) { continue }
        if event.type == DestroyNotify, event.xdestroywindow.window == window { return }
        try handle(event)
      }
      try dragAndDrop.process()
      if XPending(display) > 0 { continue }  // Events that the library's round trips have read.
      var descriptor = pollfd(fd: dragAndDrop.fileDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, dragAndDrop.pollTimeout)
    }
  }

  private func handle(_ event: XEvent) throws {
    switch event.type {
    case Expose:
      redraw()
      if !isReady { show("ready") }
      isReady = true
    case ButtonPress where event.xbutton.button == Button1: onClick()
    case ButtonPress where event.xbutton.button == Button3: try onSecondaryClick()
    default: break
    }
  }

  // MARK: Drawing

  func redraw() {
    XClearWindow(display, window)
    draw(self)
    XFlush(display)
  }

  /// Fills a rectangle, in pixels of the window, with black.
  func fill(_ area: Rect) {
    XFillRectangle(
      display, window, context, CInt(area.origin.x), CInt(area.origin.y), CUnsignedInt(area.width),
      CUnsignedInt(area.height))
  }

  /// Writes a line of text on this base line.
  func write(_ text: String, at place: Point) {
    XDrawString(display, window, context, CInt(place.x), CInt(place.y), text, CInt(text.utf8.count))
  }
}

/// Shows text to the user, as a line of the standard output.
///
/// - Returns: Whether it was written.
@discardableResult
func show(_ text: String) -> Bool {
  print(text)
  return fflush(nil) == 0
}
