import XDnDX11

/// The cursors of a drag, loaded from the user's theme on first use, or drawn if the theme lacks them.
final class Cursors {
  private let display: DisplayHandle
  private let settings: SettingsReader
  private var cache: [CursorShape: Cursor] = [:]
  private var look = Look()

  /// The settings that cursors depend on. They are passed to Xcursor with each call: `XcursorSetTheme` would change the
  /// theme of the whole display, which may be a host's.
  private struct Look: Equatable {
    var theme: String?
    var size = 24
  }

  init(_ display: DisplayHandle, _ settings: SettingsReader) {
    self.display = display
    self.settings = settings
    // The first question about RENDER takes three round trips, for which no drag should wait.
    _ = display.wait { XcursorSupportsARGB($0) }
  }

  func cursor(_ shape: CursorShape) -> Cursor {
    // A drag does not wait for settings that have just changed.
    let settings = settings.latest
    let current = Look(theme: settings.cursorTheme, size: settings.cursorSize ?? 24)
    if current != look {
      free()
      look = current
    }
    if let cursor = cache[shape] { return cursor }
    // Without RENDER, or with the resource `Xcursor.core` or the theme `core`, use the two-coloured cursor font.
    let hasAlpha = display.request(onError: .swallow) { XcursorSupportsARGB($0) == XcursorTrue } ?? false
    let cursor = hasAlpha && look.theme != "core" ? fromTheme(shape) ?? drawn(shape) : fromFont(shape)
    cache[shape] = cursor
    return cursor ?? 0
  }

  /// Frees all cursors; the server keeps one that is displayed until it is replaced.
  func free() {
    for cursor in cache.values {
      display.request(onError: .swallow) { XFreeCursor($0, cursor) }
    }
    cache.removeAll()
  }

  // MARK: Themes

  private typealias Images = UnsafeMutablePointer<XcursorImages>

  /// Loads a theme's cursor, with all frames if animated. Xcursor names the cursor after its file, and
  /// `XFixesGetCursorImageAndName` returns this name.
  private func fromTheme(_ shape: CursorShape) -> Cursor? {
    guard let images = images(for: shape) else { return nil }
    defer { XcursorImagesDestroy(images) }
    let cursor = display.request(onError: .swallow) { XcursorImagesLoadCursor($0, images) }
    return cursor == 0 ? nil : cursor
  }

  /// Loads the first of the shape's names that the user's theme has, otherwise the first that the theme `default` has.
  ///
  /// Xcursor falls back to `default` for each missing name. With a theme that has only the older names, its result for
  /// the newer names would be another theme's cursor.
  private func images(for shape: CursorShape) -> Images? {
    var substitute: Images?
    for name in shape.themeNames {
      guard let images = XcursorLibraryLoadImages(name, look.theme, Int32(look.size)) else { continue }
      guard look.theme != nil, isSubstitute(images, for: name) else {
        if let substitute { XcursorImagesDestroy(substitute) }
        return images
      }
      if substitute == nil { substitute = images } else { XcursorImagesDestroy(images) }
    }
    return substitute
  }

  private func isSubstitute(_ images: Images, for name: String) -> Bool {
    guard let others = XcursorLibraryLoadImages(name, nil, Int32(look.size)) else { return false }
    defer { XcursorImagesDestroy(others) }
    // Comparing the first frames is enough.
    guard images.pointee.nimage > 0, others.pointee.nimage > 0, let image = images.pointee.images[0]?.pointee,
      let other = others.pointee.images[0]?.pointee, image.width == other.width, image.height == other.height
    else { return false }
    let count = Int(image.width) * Int(image.height)
    return UnsafeBufferPointer(start: image.pixels, count: count)
      .elementsEqual(UnsafeBufferPointer(start: other.pixels, count: count))
  }

  // MARK: Without a theme

  private func drawn(_ shape: CursorShape) -> Cursor? {
    let drawing = CursorImage(drawing: shape, size: look.size)
    guard let image = XcursorImageCreate(Int32(drawing.bitmap.width), Int32(drawing.bitmap.height)) else { return nil }
    defer { XcursorImageDestroy(image) }
    image.pointee.size = XcursorDim(look.size)
    image.pointee.xhot = XcursorDim(drawing.hotspot.x)
    image.pointee.yhot = XcursorDim(drawing.hotspot.y)
    image.pointee.pixels.update(from: drawing.bitmap.pixels, count: drawing.bitmap.pixels.count)
    return named(shape) { XcursorImageLoadCursor($0, image) }
  }

  /// Creates a cursor from the cursor font, which every server has.
  private func fromFont(_ shape: CursorShape) -> Cursor? {
    named(shape) { XCreateFontCursor($0, UInt32(shape.fontGlyph)) }
  }

  /// Creates a cursor and names it after the shape's first theme name.
  private func named(_ shape: CursorShape, _ make: (OpaquePointer) -> Cursor) -> Cursor? {
    let cursor = display.request(onError: .swallow) { display in
      let cursor = make(display)
      if cursor != 0, let name = shape.themeNames.first { XFixesSetCursorName(display, cursor, name) }
      return cursor
    }
    return cursor == 0 ? nil : cursor
  }
}

extension CursorShape {
  /// The closest glyph of the cursor font, <X11/cursorfont.h>.
  fileprivate var fontGlyph: Int32 {
    switch self {
    case .copy: XC_plus
    case .move: XC_fleur
    case .link: XC_hand2
    case .ask: XC_question_arrow
    case .notAllowed: XC_X_cursor
    case .disappearing: XC_pirate
    case .dragging: XC_left_ptr
    }
  }
}
