internal import XDnDX11

/// The X side of a tool window, which sends all requests. Released when the connection is lost, without sending any.
final class XWindow {
  let id: XDnDX11.Window
  let store: BackingStore
  let focus: KeyboardFocus
  let manager: WindowManager
  let stacking: StackingPlace
  private let display: OpaquePointer
  /// Whether the cursor is ``grabCursor`` instead of the parent window's.
  private var showsGrabCursor = false
  /// From the theme, or from the X cursor font for themes without it. The server frees it when the connection closes.
  private lazy var grabCursor: XDnDX11.Cursor = {
    let themed = XcursorLibraryLoadCursor(display, "grab")
    return themed != 0 ? themed : XCreateFontCursor(display, UInt32(XC_hand1))
  }()

  private static let eventMask =
    ExposureMask | StructureNotifyMask | ButtonPressMask | ButtonReleaseMask | PointerMotionMask | EnterWindowMask
    | LeaveWindowMask | KeyPressMask | FocusChangeMask

  /// Creates the window without mapping it.
  init(_ display: OpaquePointer, size: PixelSize, geometry: Geometry?) {
    let screen = XDefaultScreen(display)
    let origin = geometry?.origin(of: size, on: Monitors.screenSize(of: display)) ?? PixelPoint(x: 0, y: 0)
    var attributes = XSetWindowAttributes()
    attributes.event_mask = Self.eventMask
    attributes.bit_gravity = NorthWestGravity
    id = XCreateWindow(
      display, XRootWindow(display, screen), Int32(clamping: origin.x), Int32(clamping: origin.y),
      UInt32(clamping: max(1, size.width)), UInt32(clamping: max(1, size.height)), 0, Int32(CopyFromParent),
      UInt32(InputOutput), nil, UInt(CWEventMask | CWBitGravity), &attributes)
    self.display = display
    store = BackingStore(display, window: id, size: size)
    focus = KeyboardFocus(display, window: id)
    manager = WindowManager(display, window: id)
    stacking = StackingPlace(manager)
  }

  /// The upper left corner in root pixels. Costs one round trip.
  var rootOrigin: PixelPoint? {
    var (x, y): (Int32, Int32) = (0, 0)
    var child: XDnDX11.Window = 0
    let isFound = XTranslateCoordinates(display, id, XDefaultRootWindow(display), 0, 0, &x, &y, &child)
    return isFound != 0 ? PixelPoint(x: Int(x), y: Int(y)) : nil
  }

  /// - Parameter point: In window-local pixels.
  func movePointer(to point: PixelPoint) {
    XWarpPointer(display, 0, id, 0, 0, 0, 0, Int32(clamping: point.x), Int32(clamping: point.y))
  }

  /// Whether the root window has the property `AT_SPI_BUS`, which the launcher of the accessibility bus sets. Costs a
  /// round trip, and another one if the atom exists.
  var hasAccessibilityBus: Bool {
    let name = XInternAtom(display, "AT_SPI_BUS", 1)
    guard name != XDnDX11.Atom(None) else { return false }
    var (type, format): (XDnDX11.Atom, Int32) = (0, 0)
    var (count, rest): (UInt, UInt) = (0, 0)
    var value: UnsafeMutablePointer<UInt8>?
    let status = XGetWindowProperty(
      display, XDefaultRootWindow(display), name, 0, 0, 0, XDnDX11.Atom(AnyPropertyType), &type, &format, &count, &rest,
      &value)
    if let value { XFree(value) }
    return status == Success && type != XDnDX11.Atom(None)
  }

  func map() {
    XMapWindow(display, id)
    XFlush(display)
  }

  func resize(to size: PixelSize) {
    XResizeWindow(display, id, UInt32(clamping: max(1, size.width)), UInt32(clamping: max(1, size.height)))
    XFlush(display)
  }

  /// Sets the background, which the server uses for newly exposed areas until they are drawn.
  func setBackground(_ color: Color) {
    guard let visual = XDefaultVisual(display, XDefaultScreen(display)) else { return }
    XSetWindowBackground(display, id, color.pixel(of: visual.pointee))
  }

  /// Shows the cursor of the part of the scene under the pointer.
  func showCursor(over part: HoveredPart?) {
    let hasGrabCursor = part?.hasGrabCursor == true
    guard hasGrabCursor != showsGrabCursor else { return }
    showsGrabCursor = hasGrabCursor
    if hasGrabCursor { XDefineCursor(display, id, grabCursor) } else { XUndefineCursor(display, id) }
  }

  func destroy() {
    store.destroy()
    XDestroyWindow(display, id)
    XFlush(display)
  }
}
