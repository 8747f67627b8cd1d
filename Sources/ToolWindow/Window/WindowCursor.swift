internal import XDnDX11

/// The cursor over the window.
final class WindowCursor {
  enum Shape {
    /// The cursor of the parent window.
    case ordinary
    /// Over something that can be dragged.
    case grab

    /// - Parameter part: The part of the scene under the pointer.
    init(over part: HoveredPart?) {
      switch part {
      case .handle: self = .grab
      case .row, .rowButton, .scrollbar, nil: self = .ordinary
      }
    }
  }

  private let display: OpaquePointer
  private let window: XDnDX11.Window
  private var shape = Shape.ordinary
  /// The cursors loaded so far. The server frees them when the connection closes.
  private var cursors: [Shape: XDnDX11.Cursor] = [:]

  init(_ display: OpaquePointer, window: XDnDX11.Window) {
    self.display = display
    self.window = window
  }

  /// Shows the cursor of a part of the scene, which is under the pointer.
  func show(over part: HoveredPart?) {
    let shape = Shape(over: part)
    guard shape != self.shape else { return }
    self.shape = shape
    switch shape {
    case .ordinary: XUndefineCursor(display, window)
    case .grab: define("grab", orElse: XC_hand1)
    }
  }

  /// Shows a cursor of the theme, or a glyph of the X cursor font for themes without it.
  private func define(_ name: String, orElse glyph: Int32) {
    let themed = cursors[shape] ?? XcursorLibraryLoadCursor(display, name)
    let cursor = themed != 0 ? themed : XCreateFontCursor(display, UInt32(glyph))
    cursors[shape] = cursor
    XDefineCursor(display, window, cursor)
  }
}
