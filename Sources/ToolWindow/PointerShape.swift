internal import CX11

/// What the pointer looks like over a part of the window.
enum PointerShape: CaseIterable {
  case ordinary
  /// Here is something to take hold of.
  case grab
  /// Here one types.
  case text

  /// As cursor themes call it.
  fileprivate var name: String? {
    switch self {
    case .ordinary: nil
    case .grab: "grab"
    case .text: "text"
    }
  }

  /// Where a theme has none.
  fileprivate var fontShape: UInt32 {
    switch self {
    case .ordinary: 0
    case .grab: UInt32(XC_hand1)
    case .text: UInt32(XC_xterm)
    }
  }
}

extension ToolWindow {
  /// Has the pointer look as it should at a place; cursors are loaded when they are seen for the first time.
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
