internal import CX11

/// The cursor over a part of the window.
enum PointerShape: CaseIterable {
  case ordinary
  /// Over something that can be dragged.
  case grab
  /// Over the text field.
  case text

  /// The name in cursor themes.
  fileprivate var name: String? {
    switch self {
    case .ordinary: nil
    case .grab: "grab"
    case .text: "text"
    }
  }

  /// The glyph of the X cursor font, for themes without this cursor.
  fileprivate var fontShape: UInt32 {
    switch self {
    case .ordinary: 0
    case .grab: UInt32(XC_hand1)
    case .text: UInt32(XC_xterm)
    }
  }
}

extension ToolWindow {
  /// Shows a cursor; loads it on first use.
  func showPointer(_ shape: PointerShape) {
    guard let display, shape != pointerShape else { return }
    pointerShape = shape
    guard let name = shape.name else {
      XUndefineCursor(display, window)
      return
    }
    let cursor = cursors[shape] ?? loadCursor(name, orElse: shape.fontShape, on: display)
    cursors[shape] = cursor
    XDefineCursor(display, window, cursor)
  }

  private func loadCursor(_ name: String, orElse shape: UInt32, on display: OpaquePointer) -> CX11.Cursor {
    let themed = XcursorLibraryLoadCursor(display, name)
    return themed != 0 ? themed : XCreateFontCursor(display, shape)
  }
}
