import CX11

/// The cursors of a drag, made the first time they are shown: from the user's theme, else drawn by the library.
final class Cursors {
  private let display: DisplayHandle
  private let settings: SettingsReader
  private var cache: [CursorShape: Cursor] = [:]
  private var look = Look()

  /// What cursors depend on. It goes to Xcursor with each call: what `XcursorSetTheme` sets would hold for the whole
  /// display, and that may be a host's.
  private struct Look: Equatable {
    var theme: String?
    var size = 24
  }

  init(_ display: DisplayHandle, _ settings: SettingsReader) {
    self.display = display
    self.settings = settings
  }

  func cursor(_ shape: CursorShape) -> Cursor {
    let settings = settings.settings
    let current = Look(theme: settings.cursorTheme, size: settings.cursorSize ?? 24)
    if current != look {
      free()
      look = current
    }
    if let cursor = cache[shape] { return cursor }
    // Users without RENDER, or with `Xcursor.core` or the theme `core`, get the two colours that they asked for.
    let hasAlpha = display.request(onError: .swallow) { XcursorSupportsARGB($0) == XcursorTrue } ?? false
    let cursor = hasAlpha && look.theme != "core" ? fromTheme(shape) ?? drawn(shape) : fromFont(shape)
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

  // MARK: Themes

  private typealias Images = UnsafeMutablePointer<XcursorImages>

  /// With all its frames, if it is animated. Xcursor names it after the file it found, so that
  /// `XFixesGetCursorImageAndName` can tell.
  private func fromTheme(_ shape: CursorShape) -> Cursor? {
    guard let images = images(for: shape) else { return nil }
    defer { XcursorImagesDestroy(images) }
    return display.roundTrip { display in
      let cursor = XcursorImagesLoadCursor(display, images)
      return cursor == 0 ? nil : cursor
    }
  }

  /// The best name that the user's theme has, and if it has none the best one of the theme `default`.
  ///
  /// Xcursor looks into `default` for each name that a theme lacks. Taken as it comes, a theme with the older names only
  /// would get the look of another one.
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
    // The first frame is enough to know a theme by.
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

  /// The cursors that every server has.
  private func fromFont(_ shape: CursorShape) -> Cursor? {
    named(shape) { XCreateFontCursor($0, UInt32(shape.fontGlyph)) }
  }

  /// A cursor that comes without a name gets the first of those that the theme lacked.
  private func named(_ shape: CursorShape, _ make: (OpaquePointer) -> Cursor) -> Cursor? {
    display.roundTrip { display in
      let cursor = make(display)
      guard cursor != 0 else { return nil }
      if let name = shape.themeNames.first { XFixesSetCursorName(display, cursor, name) }
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
    case .disappearing: XC_pirate
    case .dragging: XC_left_ptr
    }
  }
}
