internal import XDnDX11
internal import XDnDXlibint
internal import Glibc

/// The window's properties for window managers (ICCCM §4.1.2, EWMH), and their messages.
struct WindowManager {
  /// A message from the window manager (ICCCM §4.2.8).
  enum Message {
    /// The user asked to close the window.
    case deleteWindow
    /// The window may take the keyboard focus.
    case takeFocus(time: UInt32)
    /// A check that the client still responds (EWMH); already answered.
    case ping
  }

  private let display: OpaquePointer
  private let window: XDnDX11.Window
  // Kept, because Xlib's cache may drop atoms, and each client message is compared with these.
  private let protocols: XDnDX11.Atom
  private let deleteWindow: XDnDX11.Atom
  private let takeFocus: XDnDX11.Atom
  private let ping: XDnDX11.Atom

  init(_ display: OpaquePointer, window: XDnDX11.Window) {
    self.display = display
    self.window = window
    Self.prefetchAtoms(display)
    protocols = XInternAtom(display, "WM_PROTOCOLS", 0)
    deleteWindow = XInternAtom(display, "WM_DELETE_WINDOW", 0)
    takeFocus = XInternAtom(display, "WM_TAKE_FOCUS", 0)
    ping = XInternAtom(display, "_NET_WM_PING", 0)
  }

  /// Sets the properties that window managers read when the window is mapped.
  func install(
    title: String, applicationName: String, size: PixelSize, minimumSize: PixelSize, geometry: Geometry?,
    focusModel: FocusModel, style: WindowStyle
  ) {
    var sizeHints = XSizeHints()
    sizeHints.flags = PMinSize | PWinGravity | (geometry?.size == nil ? PSize : USSize)
    sizeHints.width = Int32(clamping: size.width)
    sizeHints.height = Int32(clamping: size.height)
    sizeHints.min_width = Int32(clamping: min(size.width, minimumSize.width))
    sizeHints.min_height = Int32(clamping: min(size.height, minimumSize.height))
    sizeHints.win_gravity = Self.gravity(of: geometry)
    if geometry?.position != nil { sizeHints.flags |= USPosition }
    var windowHints = XWMHints()
    windowHints.flags = InputHint | StateHint
    windowHints.input = focusModel == .globallyActive ? 0 : 1
    windowHints.initial_state = NormalState

    // By convention the class is the instance name with a capital letter.
    let className = applicationName.prefix(1).uppercased() + applicationName.dropFirst()
    applicationName.withCString { name in
      className.withCString { type in
        // Xlib only reads these strings.
        var classHint = XClassHint(
          res_name: UnsafeMutablePointer(mutating: name), res_class: UnsafeMutablePointer(mutating: type))
        // Also sets WM_CLIENT_MACHINE. The title is set separately: Xlib would load its locale tables to convert it.
        XSetWMProperties(display, window, nil, nil, nil, 0, &sizeHints, &windowHints, &classHint)
      }
    }
    setTitle(title)
    replace("_NET_WM_PID", type: XA_CARDINAL, with: [UInt32(getpid())])
    replace("_NET_WM_WINDOW_TYPE", type: XA_ATOM, with: [UInt32(atom("_NET_WM_WINDOW_TYPE_NORMAL"))])
    var supported = [deleteWindow, ping]
    if focusModel == .globallyActive { supported.append(takeFocus) }
    XSetWMProtocols(display, window, &supported, Int32(supported.count))
    set(style)
  }

  /// Sets the title in UTF-8 (EWMH), and in `WM_NAME` as Latin-1 (`STRING`) if possible, for window managers that read
  /// only that.
  func setTitle(_ title: String) {
    let title = title.clipped(to: .title)
    let utf8 = Array(title.utf8)
    let latin1 = title.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
    let isLatin1 = latin1.count == title.unicodeScalars.count
    for name in [XA_WM_NAME, XA_WM_ICON_NAME] {
      write(isLatin1 ? latin1 : utf8, to: name, type: isLatin1 ? XA_STRING : atom("UTF8_STRING"))
    }
    for name in ["_NET_WM_NAME", "_NET_WM_ICON_NAME"] { write(utf8, to: atom(name), type: atom("UTF8_STRING")) }
  }

  /// Sets the icon that lists of windows show (EWMH).
  func setIcon(_ icon: WindowIcon) {
    replace("_NET_WM_ICON", type: XA_CARDINAL, with: icon.property)
  }

  /// Sets the time of the user's last action in the window (EWMH). Window managers compare it with the times of other
  /// windows that want the focus.
  func setUserTime(_ time: UInt32) { replace("_NET_WM_USER_TIME", type: XA_CARDINAL, with: [time]) }

  private func set(_ style: WindowStyle) {
    if style.contains(.inBackground) { setUserTime(0) }
    var states: [UInt32] = []
    if style.contains(.onTop) { states.append(UInt32(atom("_NET_WM_STATE_ABOVE"))) }
    if style.contains(.onAllDesktops) {
      states.append(UInt32(atom("_NET_WM_STATE_STICKY")))
      replace("_NET_WM_DESKTOP", type: XA_CARDINAL, with: [0xFFFF_FFFF])
    }
    if !states.isEmpty { replace("_NET_WM_STATE", type: XA_ATOM, with: states) }
    // MwmHints: `flags` = 2 (decorations), `decorations` = 0. The property's type is the atom of its own name.
    if style.contains(.frameless) { replace("_MOTIF_WM_HINTS", type: atom("_MOTIF_WM_HINTS"), with: [2, 0, 0, 0, 0]) }
  }

  private func write(_ bytes: [UInt8], to property: XDnDX11.Atom, type: XDnDX11.Atom) {
    XChangeProperty(display, window, property, type, 8, PropModeReplace, bytes, Int32(clamping: bytes.count))
  }

  /// Interns most atoms in one round trip; Xlib caches the answers. One round trip each would take as long as
  /// everything else before the window is mapped.
  private static func prefetchAtoms(_ display: OpaquePointer) {
    let names = [
      "UTF8_STRING", "_NET_WM_NAME", "_NET_WM_ICON_NAME", "_NET_WM_PID", "_NET_WM_WINDOW_TYPE",
      "_NET_WM_WINDOW_TYPE_NORMAL", "WM_PROTOCOLS", "WM_DELETE_WINDOW", "_NET_WM_PING", "WM_TAKE_FOCUS",
      "_NET_WM_USER_TIME", "_NET_CLIENT_LIST_STACKING", "_NET_RESTACK_WINDOW",
      // Interned by `XSetWMProperties`.
      "WM_LOCALE_NAME",
    ]
    var pointers: [UnsafeMutablePointer<CChar>?] = names.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    var atoms = [XDnDX11.Atom](repeating: 0, count: names.count)
    XInternAtoms(display, &pointers, Int32(names.count), 0, &atoms)
  }

  /// Reads a client message, and answers a ping. Returns `nil` for a message that is not from the window manager.
  func receive(_ message: XClientMessageEvent) -> Message? {
    guard message.message_type == protocols, message.format == 32 else { return nil }
    switch XDnDX11.Atom(bitPattern: message.data.l.0) {
    case deleteWindow: return .deleteWindow
    case takeFocus: return .takeFocus(time: UInt32(truncatingIfNeeded: message.data.l.1))
    case ping:
      let root = XDefaultRootWindow(display)
      var answer = XEvent()
      answer.xclient = message
      answer.xclient.window = root
      XSendEvent(display, root, 0, SubstructureRedirectMask | SubstructureNotifyMask, &answer)
      return .ping
    default: return nil
    }
  }

  // MARK: Stacking

  /// The window right above this one (`_NET_CLIENT_LIST_STACKING`); `nil` if there is none, or no window manager. Costs
  /// one round trip.
  var windowAbove: XDnDX11.Window? {
    var (type, format, count, rest) = (XDnDX11.Atom(), Int32(), UInt(), UInt())
    var bytes: UnsafeMutablePointer<UInt8>?
    XGetWindowProperty(
      display, XDefaultRootWindow(display), atom("_NET_CLIENT_LIST_STACKING"), 0, Self.mostWindows, 0,
      XDnDX11.Atom(XA_WINDOW), &type, &format, &count, &rest, &bytes)
    defer { XFree(bytes) }
    guard let bytes, format == 32 else { return nil }
    // Xlib stores each 32-bit value in a `long`.
    let windows = UnsafeRawBufferPointer(start: bytes, count: Int(count) * MemoryLayout<Int>.stride).bindMemory(
      to: XDnDX11.Window.self)
    return windows.firstIndex(of: window).flatMap { $0 + 1 < windows.count ? windows[$0 + 1] : nil }
  }

  private static let mostWindows = 4096

  /// Asks the window manager to put this window right below another one (EWMH).
  func restack(below sibling: XDnDX11.Window) {
    var message = XEvent()
    message.xclient.type = ClientMessage
    message.xclient.window = window
    message.xclient.message_type = atom("_NET_RESTACK_WINDOW")
    message.xclient.format = 32
    // Source indication 2, for programs that act for the user, such as pagers: window managers may ignore requests with
    // another indication.
    message.xclient.data.l = (2, Int(bitPattern: sibling), Int(Below), 0, 0)
    XSendEvent(
      display, XDefaultRootWindow(display), 0, SubstructureRedirectMask | SubstructureNotifyMask, &message)
  }

  private func atom(_ name: String) -> XDnDX11.Atom { XInternAtom(display, name, 0) }

  private func replace(_ property: String, type: XDnDX11.Atom, with values: [UInt32]) {
    XDnDChangeProperty(display, window, atom(property), type, 32, PropModeReplace, values, values.count)
  }

  /// Returns the corner that keeps its requested position when the window manager adds its frame.
  private static func gravity(of geometry: Geometry?) -> Int32 {
    switch geometry?.position {
    case nil, (.near, .near)?: NorthWestGravity
    case (.far, .near)?: NorthEastGravity
    case (.near, .far)?: SouthWestGravity
    case (.far, .far)?: SouthEastGravity
    }
  }
}

/// The place of the window in the stacking order before a press. Most window managers raise a pressed window before
/// they pass on the press.
final class StackingPlace {
  private let manager: WindowManager
  /// The window right above, as of ``note()``.
  private var above: XDnDX11.Window?
  /// Whether another window may have been raised since ``note()``, because the focus has moved.
  var isOld = false

  init(_ manager: WindowManager) { self.manager = manager }

  /// Costs one round trip.
  func note() {
    above = manager.windowAbove
    isOld = false
  }

  func restore() {
    if let above { manager.restack(below: above) }
  }
}

/// Window manager hints beyond those of a normal window. The effect depends on the window manager.
package struct WindowStyle: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Kept above other windows (`_NET_WM_STATE_ABOVE`).
  package static let onTop = WindowStyle(rawValue: 1 << 0)
  /// Without decorations (`_MOTIF_WM_HINTS`).
  package static let frameless = WindowStyle(rawValue: 1 << 1)
  /// Visible on all desktops (`_NET_WM_STATE_STICKY`, `_NET_WM_DESKTOP` 0xFFFFFFFF).
  package static let onAllDesktops = WindowStyle(rawValue: 1 << 2)
  /// Appears without the keyboard focus, because no action of the user asked for it (`_NET_WM_USER_TIME` 0).
  package static let inBackground = WindowStyle(rawValue: 1 << 3)
}
