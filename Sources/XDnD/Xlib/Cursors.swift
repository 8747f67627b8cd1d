import CX11

/// The cursors of a drag, loaded from the user's theme the first time they are shown.
final class Cursors {
  private let display: DisplayHandle
  private var cache: [CursorShape: Cursor] = [:]

  init(_ display: DisplayHandle) {
    self.display = display
  }

  func cursor(_ shape: CursorShape) -> Cursor {
    if let cursor = cache[shape] { return cursor }
    let cursor = fromTheme(shape) ?? fromFont(shape)
    cache[shape] = cursor
    return cursor ?? 0
  }

  /// Frees them all; those on display stay until the server needs them no more.
  func free() {
    for cursor in cache.values {
      display.request(onError: .swallow) { XFreeCursor($0, cursor) }
    }
    cache.removeAll()
  }

  /// Xcursor names the cursor after the file it found, so that `XFixesGetCursorImageAndName` can tell.
  private func fromTheme(_ shape: CursorShape) -> Cursor? {
    for name in shape.themeNames {
      let cursor = display.roundTrip { display in
        let cursor = XcursorLibraryLoadCursor(display, name)
        return cursor == 0 ? nil : cursor
      }
      if let cursor { return cursor }
    }
    return nil
  }

  /// The cursors that every server has. They have no names, so they get the first of those that the theme lacked.
  private func fromFont(_ shape: CursorShape) -> Cursor? {
    display.roundTrip { display in
      let cursor = XCreateFontCursor(display, UInt32(shape.fontGlyph))
      if let name = shape.themeNames.first {
        XFixesSetCursorName(display, cursor, name)
      }
      return cursor
    }
  }
}

extension CursorShape {
  /// The nearest thing in the cursor font, <X11/cursorfont.h>.
  fileprivate var fontGlyph: Int32 {
    switch self {
    case .copy: XC_plus
    case .move: XC_fleur
    case .link: XC_hand2
    case .ask: XC_question_arrow
    case .notAllowed: XC_X_cursor
    }
  }
}
