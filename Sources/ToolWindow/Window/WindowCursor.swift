internal import CX11

/// The cursor over the window.
final class WindowCursor {
  /// The cursor over a part of the window.
  enum Shape {
    case ordinary
    /// Over something that can be dragged.
    case grab
    /// Over the text field.
    case text

    /// The name in cursor themes, and the glyph of the X cursor font for themes without this cursor; `nil` for the
    /// cursor of the parent window.
    fileprivate var names: (theme: String, glyph: UInt32)? {
      switch self {
      case .ordinary: nil
      case .grab: ("grab", UInt32(XC_hand1))
      case .text: ("text", UInt32(XC_xterm))
      }
    }
  }

  private let display: OpaquePointer
  private let window: CX11.Window
  private var shape = Shape.ordinary
  /// The cursors loaded so far. The server frees them when the connection closes.
  private var cursors: [Shape: CX11.Cursor] = [:]

  init(_ display: OpaquePointer, window: CX11.Window) {
    self.display = display
    self.window = window
  }

  /// Shows a cursor; loads it on first use.
  func show(_ shape: Shape) {
    guard shape != self.shape else { return }
    self.shape = shape
    guard let names = shape.names else {
      XUndefineCursor(display, window)
      return
    }
    let cursor = cursors[shape] ?? load(names.theme, orElse: names.glyph)
    cursors[shape] = cursor
    XDefineCursor(display, window, cursor)
  }

  private func load(_ name: String, orElse glyph: UInt32) -> CX11.Cursor {
    let themed = XcursorLibraryLoadCursor(display, name)
    return themed != 0 ? themed : XCreateFontCursor(display, glyph)
  }
}
