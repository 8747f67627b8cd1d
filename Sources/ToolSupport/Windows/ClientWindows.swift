package import XDnD
internal import XDnDX11
import XDnDFiles
import XDnDToolWindow

/// Finds the top-level windows of programs, inside the frames of a window manager. Windows may vanish at any time.
struct ClientWindows {
  struct Client: Equatable {
    let window: WindowID
    /// The title; empty if the window has none.
    let title: String
    /// The two names in `WM_CLASS`: instance and class.
    var classes: [String] = []
    /// Whether the user can find the window. `false` for a window one pixel wide or high, or outside the screen:
    /// toolkits keep such windows for their own use, often under the program's name. `true` for a minimized window.
    var isFindable = true

    /// All names by which the user can choose the window.
    var names: [String] { ([title] + classes).filter { !$0.isEmpty } }
  }

  private let root: WindowID
  private let windows: WindowQueries
  private let properties: Properties
  private let names: WindowNames

  init(_ display: DisplayHandle) {
    root = display.root
    windows = WindowQueries(display)
    properties = Properties(display, AtomTable(display))
    names = WindowNames(display)
  }

  func size(of window: WindowID) -> (width: Int, height: Int)? {
    windows.state(of: window).map { ($0.width, $0.height) }
  }

  func origin(of window: WindowID) -> Point? { windows.origin(of: window) }

  /// All client windows in stacking order, from top to bottom. Minimized windows are included.
  func all() -> [Client] {
    children(of: root).reversed().compactMap { child in
      if let window = managedWindow(in: child) { return client(window) }
      // Without a window manager, client windows are children of the root. Unmapped ones cannot be dropped on.
      guard let state = windows.state(of: child), state.isViewable, !state.isInputOnly else { return nil }
      return client(child)
    }
  }

  /// The client window in a window manager's frame; without a window manager, the window itself.
  func client(in frame: WindowID) -> WindowID { managedWindow(in: frame) ?? frame }

  /// Finds the window with WM_STATE (ICCCM 4.1.3.1), at most four levels deep. Searches level by level, because a
  /// program's window may contain other windows with WM_STATE.
  private func managedWindow(in frame: WindowID) -> WindowID? {
    var level = [frame]
    for _ in 0..<4 where !level.isEmpty {
      if let found = level.first(where: { properties.value(of: AtomName("WM_STATE"), on: $0) != nil }) { return found }
      level = level.flatMap(children)
    }
    return nil
  }

  private func children(of window: WindowID) -> [WindowID] { windows.family(of: window)?.children ?? [] }

  private func client(_ window: WindowID) -> Client {
    let (instance, program) = names.classes(of: window)
    return Client(
      window: window, title: names.title(of: window) ?? "", classes: [instance, program].compactMap(\.self),
      isFindable: isFindable(window))
  }

  private func isFindable(_ window: WindowID) -> Bool {
    guard let state = windows.state(of: window), state.width > 1, state.height > 1 else { return false }
    guard state.isViewable, let origin = windows.origin(of: window), let screen = size(of: root) else { return true }
    return origin.x < screen.width && origin.y < screen.height && origin.x + state.width > 0
      && origin.y + state.height > 0
  }
}

/// The names by which a window identifies its program: its title and its class.
package struct WindowNames {
  private let display: DisplayHandle

  package init(_ display: DisplayHandle) { self.display = display }

  /// The title from `_NET_WM_NAME`, or from `WM_NAME` in any encoding; `nil` if the window has none.
  package func title(of window: WindowID) -> String? {
    display.roundTrip { display in
      for atom in [XInternAtom(display, "_NET_WM_NAME", 0), XDnDX11.Atom(XA_WM_NAME)] {
        var property = XTextProperty()
        guard XGetTextProperty(display, window.xid, &property, atom) != 0 else { continue }
        defer { XFree(property.value) }
        var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        var count: Int32 = 0
        guard Xutf8TextPropertyToTextList(display, &property, &list, &count) >= 0, let list else { continue }
        defer { XFreeStringList(list) }
        if count > 0, let first = list[0] { return String(cString: first) }
      }
      return nil
    }
  }

  /// Returns the title of a window, or of the nearest window around it that has one, for display; empty if there is
  /// none. Costs several round trips.
  package static func name(of window: WindowID, on display: OpaquePointer) -> String {
    let title = DisplayHandle.borrowing(display) { display in
      let names = WindowNames(display)
      return ([window] + WindowQueries(display).ancestors(of: window)).firstNonNil { names.title(of: $0) }
    }
    return Formatting.visible(title ?? "", limit: .title)
  }

  /// The two names in `WM_CLASS`; `nil` for those that are missing or empty.
  package func classes(of window: WindowID) -> (instance: String?, program: String?) {
    display.roundTrip { display in
      var hint = XClassHint()
      guard XGetClassHint(display, window.xid, &hint) != 0 else { return nil }
      defer {
        XFree(hint.res_name)
        XFree(hint.res_class)
      }
      func text(_ name: UnsafeMutablePointer<CChar>?) -> String? {
        name.flatMap { $0.pointee == 0 ? nil : String(cString: $0) }
      }
      return (text(hint.res_name), text(hint.res_class))
    } ?? (nil, nil)
  }
}
