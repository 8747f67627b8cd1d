internal import XDnDX11
import XDnDFiles
import XDnDToolWindow
package import XDnD

/// What a window says about its program: its title and its class.
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

  /// Returns the title of a window, or of the nearest window around it that has one, for display; empty if there is none.
  /// Costs several round trips.
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
