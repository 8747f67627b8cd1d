import XDnDX11
import Glibc

/// The window that represents this library in drags: it holds the grab, owns the selections and carries their
/// properties. It lives as long as the connection, so a clipboard's content outlives the window that it was copied
/// from.
enum DragWindow {
  /// The properties that it has independently of drags.
  static let ownProperties: Set<AtomName> = [windowClass, processID]

  private static let windowClass = AtomName("WM_CLASS")
  private static let processID = AtomName("_NET_WM_PID")

  /// Creates the window: off screen, override-redirect, and mapped, because a grab needs a viewable window.
  static func create(_ display: DisplayHandle, _ atoms: AtomTable) -> WindowID {
    let window = display.createInvisibleWindow(selecting: Grab.windowEvents | PropertyChangeMask)
    guard window != .none else { return .none }
    introduce(window, display, atoms)
    display.request(onError: .swallow) { XMapWindow($0, window.xid) }
    return window
  }

  static func destroy(_ window: WindowID, _ display: DisplayHandle) {
    display.request(onError: .swallow) { XDestroyWindow($0, window.xid) }
  }

  /// Writes `WM_CLASS` and `_NET_WM_PID`, which identify the program to `xprop` and `xdnd-probe`.
  private static func introduce(_ window: WindowID, _ display: DisplayHandle, _ atoms: AtomTable) {
    let path = CommandLine.arguments.first ?? ""
    let program = path.split(separator: "/").last.map(String.init) ?? "unknown"
    let properties = Properties(display, atoms)
    properties.write(
      PropertyValue(type: .string, contents: .bytes(Array("\(program)\0XDnD\0".utf8)[...])),
      to: windowClass, of: window)
    properties.write(
      PropertyValue(type: AtomName("CARDINAL"), contents: .words([UInt32(bitPattern: getpid())])),
      to: processID, of: window)
  }
}
