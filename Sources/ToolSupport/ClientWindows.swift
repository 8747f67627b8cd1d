internal import CX11
import XDnD

/// Finds the top-level windows of programs, inside the frames of a window manager.
struct ClientWindows {
  /// A client window with its names.
  struct Client: Equatable {
    let window: WindowID
    /// The title; empty if the window has none.
    let title: String
    /// The two names in `WM_CLASS`: instance and class.
    var classes: [String] = []

    /// All names by which the user can choose the window.
    var names: [String] { ([title] + classes).filter { !$0.isEmpty } }
  }

  private let display: OpaquePointer
  private let stateAtom: CX11.Atom
  private let nameAtom: CX11.Atom

  init(_ display: OpaquePointer) {
    self.display = display
    stateAtom = XInternAtom(display, "WM_STATE", 0)
    nameAtom = XInternAtom(display, "_NET_WM_NAME", 0)
  }

  func exists(_ window: WindowID) -> Bool { size(of: window) != nil }

  func size(of window: WindowID) -> (width: Int, height: Int)? {
    ignoringErrors { attributes(of: CX11.Window(window.rawValue)).map { (Int($0.width), Int($0.height)) } }
  }

  /// All client windows in stacking order, from top to bottom. Minimized windows are included.
  func all() -> [Client] {
    ignoringErrors {
      children(of: XDefaultRootWindow(display)).reversed().compactMap { child in
        if let window = managedWindow(in: child) { return client(window) }
        // Without a window manager, client windows are children of the root. Unmapped ones cannot be dropped on.
        guard let attributes = attributes(of: child), attributes.map_state == IsViewable,
          attributes.class == InputOutput
        else { return nil }
        return client(child)
      }
    }
  }

  /// The client window in a window manager's frame; without a window manager, the window itself.
  func client(in frame: CX11.Window) -> WindowID {
    WindowID(rawValue: UInt32(truncatingIfNeeded: ignoringErrors { managedWindow(in: frame) ?? frame }))
  }

  /// Finds the window with WM_STATE (ICCCM 4.1.3.1), at most four levels deep. Searches level by level, because a
  /// program may put other such windows inside of its own.
  private func managedWindow(in frame: CX11.Window) -> CX11.Window? {
    var level = [frame]
    for _ in 0..<4 where !level.isEmpty {
      if let found = level.first(where: isManaged) { return found }
      level = level.flatMap(children)
    }
    return nil
  }

  // MARK: Questions to the server

  private func client(_ window: CX11.Window) -> Client {
    Client(
      window: WindowID(rawValue: UInt32(truncatingIfNeeded: window)), title: title(of: window),
      classes: classes(of: window))
  }

  private func attributes(of window: CX11.Window) -> XWindowAttributes? {
    var attributes = XWindowAttributes()
    return XGetWindowAttributes(display, window, &attributes) == 0 ? nil : attributes
  }

  private func children(of window: CX11.Window) -> [CX11.Window] {
    var (root, parent) = (CX11.Window(), CX11.Window())
    var list: UnsafeMutablePointer<CX11.Window>?
    var count: UInt32 = 0
    guard XQueryTree(display, window, &root, &parent, &list, &count) != 0, let list else { return [] }
    defer { XFree(list) }
    return Array(UnsafeBufferPointer(start: list, count: Int(count)))
  }

  private func isManaged(_ window: CX11.Window) -> Bool {
    var (type, format, count, rest) = (CX11.Atom(), Int32(), UInt(), UInt())
    var bytes: UnsafeMutablePointer<UInt8>?
    XGetWindowProperty(
      display, window, stateAtom, 0, 0, 0, UInt(AnyPropertyType), &type, &format, &count, &rest, &bytes)
    if let bytes { XFree(bytes) }
    return type != 0
  }

  /// The title from `_NET_WM_NAME`, or from `WM_NAME` in any encoding.
  private func title(of window: CX11.Window) -> String {
    for atom in [nameAtom, CX11.Atom(XA_WM_NAME)] {
      var property = XTextProperty()
      guard XGetTextProperty(display, window, &property, atom) != 0 else { continue }
      defer { XFree(property.value) }
      var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
      var count: Int32 = 0
      guard Xutf8TextPropertyToTextList(display, &property, &list, &count) >= 0, let list else { continue }
      defer { XFreeStringList(list) }
      if count > 0, let first = list[0] { return String(cString: first) }
    }
    return ""
  }

  private func classes(of window: CX11.Window) -> [String] {
    var hint = XClassHint()
    guard XGetClassHint(display, window, &hint) != 0 else { return [] }
    defer {
      XFree(hint.res_name)
      XFree(hint.res_class)
    }
    return [hint.res_name, hint.res_class].compactMap { $0.map { String(cString: $0) } }
  }

  /// Runs the closure and ignores X errors: windows of other clients may vanish at any time.
  func ignoringErrors<Result>(_ body: () -> Result) -> Result {
    XSync(display, 0)
    let handler = XSetErrorHandler { _, _ in 0 }
    defer {
      XSync(display, 0)
      XSetErrorHandler(handler)
    }
    return body()
  }
}
