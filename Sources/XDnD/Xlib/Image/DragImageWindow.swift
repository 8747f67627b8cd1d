import XDnDX11

/// The window that shows the drag image: on top of all others, transparent to the pointer, and existing only while it
/// shows an image.
///
/// The image is the window's background pixmap, which the server paints. So the window needs no `Expose` events and
/// does not flicker when it moves. A move is one request without a reply.
final class DragImageWindow {
  private let display: DisplayHandle
  private let properties: Properties
  private let selections: ServerSelections
  private var shown: Shown?
  /// `nil` on a server without a `TrueColor` visual, or without XFixes 2 (2003), which makes the window transparent to
  /// the pointer.
  private lazy var visual: WindowVisual? = WindowVisual(display)

  private struct Shown {
    var window: WindowID
    var colormap: Colormap
    var bitmap: Bitmap
    var origin: Point
  }

  /// The window and its last predecessors, whose `DestroyNotify` may still arrive.
  private(set) var windows: [WindowID] = []

  /// The selection that the compositing manager of this screen owns: `_NET_WM_CM_Sn` (EWMH).
  let compositor: AtomName
  /// Whether a compositing manager blends windows by their alpha; `nil` until it is known. May change while an image is
  /// shown.
  private var isBlended: Bool? {
    didSet { if let oldValue, isBlended != oldValue, let shown { paint(shown) } }
  }

  init(_ display: DisplayHandle, _ properties: Properties, _ selections: ServerSelections) {
    self.display = display
    self.properties = properties
    self.selections = selections
    compositor = AtomName("_NET_WM_CM_S\(display.screen)")
    observeCompositor()
  }

  /// The window; `nil` while no image is shown.
  var window: WindowID? { shown?.window }

  /// The window's upper-left corner, in root coordinates.
  var place: Point? { shown?.origin }

  /// Shows an image with its upper-left corner at `origin`, in root coordinates. Replaces the current image.
  func show(_ bitmap: Bitmap, at origin: Point) {
    guard !bitmap.isEmpty else { return hide() }
    if var shown {
      shown.bitmap = bitmap
      shown.origin = origin
      self.shown = shown
      paint(shown)
    } else if let shown = create(bitmap, at: origin) {
      self.shown = shown
      windows = [shown.window] + windows.prefix(3)
      paint(shown)
      display.request(onError: .swallow) { XMapRaised($0, shown.window.xid) }
    }
  }

  /// Moves the upper-left corner to `origin`, in root coordinates, and raises the window above windows that have been
  /// raised meanwhile.
  func move(to origin: Point) {
    guard let window = shown?.window else { return }
    shown?.origin = origin
    var changes = XWindowChanges()
    changes.x = Self.coordinate(origin.x)
    changes.y = Self.coordinate(origin.y)
    changes.stack_mode = Above
    display.request(onError: .swallow) {
      XConfigureWindow($0, window.xid, UInt32(CWX | CWY | CWStackMode), &changes)
    }
  }

  /// Destroys the window, if there is one.
  func hide() {
    guard let shown else { return }
    self.shown = nil
    display.request(onError: .swallow) {
      XDestroyWindow($0, shown.window.xid)
      XFreeColormap($0, shown.colormap)
    }
  }

  /// Whether an event is about the window. The host must not see such events.
  ///
  /// Structure events begin with the window that they were selected on, then the window that they are about.
  func isAbout(_ event: UnsafePointer<XEvent>) -> Bool {
    switch event.pointee.type {
    case CreateNotify, DestroyNotify, UnmapNotify, MapNotify, ReparentNotify, ConfigureNotify, GravityNotify,
      CirculateNotify:
      return windows.contains(WindowID(event.pointee.xdestroywindow.window))
    case GenericEvent, MappingNotify: return false
    default: return windows.contains(WindowID(event.pointee.xany.window))
    }
  }

  // MARK: Compositing

  /// See ``WindowSystem/isComposited``.
  var isComposited: Bool {
    if let isBlended { return isBlended }
    let isRunning = selections.owner(of: compositor) != .none
    isBlended = isRunning
    return isRunning
  }

  /// Processes a change of the owner of ``compositor``.
  func compositorChanged(isRunning: Bool) { isBlended = isRunning }

  /// Subscribes, and asks without waiting, so that the answer is known when the first drag begins.
  private func observeCompositor() {
    // Subscribe first: a compositing manager that starts in between is then reported.
    selections.observeOwner(of: compositor, true)
    selections.askOwner(of: compositor) { [weak self] owner in
      guard let self, isBlended == nil else { return }
      isBlended = owner != .none
    }
  }

  /// Clamps a coordinate to the 16 bits that the protocol has; a larger one would wrap around.
  private static func coordinate(_ value: Int) -> Int32 { Int32(Int16(clamping: value)) }

  // MARK: Creation

  private func create(_ bitmap: Bitmap, at origin: Point) -> Shown? {
    guard let visual else { return nil }
    let shown = display.request(onError: .swallow) { x -> Shown in
      // A window whose depth differs from its parent's cannot inherit colormap and border: without its own,
      // `XCreateWindow` fails with `BadMatch`.
      let colormap = XCreateColormap(x, display.root.xid, visual.pointer, AllocNone)
      var attributes = XSetWindowAttributes()
      attributes.override_redirect = True
      attributes.colormap = colormap
      attributes.border_pixel = 0
      let window = XCreateWindow(
        x, display.root.xid, Self.coordinate(origin.x), Self.coordinate(origin.y), UInt32(bitmap.width),
        UInt32(bitmap.height), 0, Int32(visual.depth), UInt32(InputOutput), visual.pointer,
        UInt(CWOverrideRedirect | CWColormap | CWBorderPixel), &attributes)
      // An empty input shape: otherwise hit testing by any program would find the image and not the window below it.
      let nothing = XFixesCreateRegion(x, nil, 0)
      XFixesSetWindowShapeRegion(x, window, Int32(ShapeKind.input.rawValue), 0, 0, nothing)
      XFixesDestroyRegion(x, nothing)
      return Shown(window: WindowID(window), colormap: colormap, bitmap: bitmap, origin: origin)
    }
    if let shown {
      // Compositing managers treat this type specially: no shadow, no fading.
      properties.write(
        PropertyValue(type: .atom, contents: .atoms([.dragWindowType])), to: .windowType, of: shown.window)
    }
    return shown
  }

  /// The shape kinds of <X11/extensions/shapeconst.h>.
  private enum ShapeKind: Int32 {
    case bounding = 0
    case input = 2
  }

  // MARK: Painting

  private func paint(_ shown: Shown) {
    guard let visual else { return }
    let outline = isComposited && visual.format.hasAlpha ? nil : Outline(shown.bitmap)
    let (width, height) = (UInt32(shown.bitmap.width), UInt32(shown.bitmap.height))
    let window = shown.window.xid
    display.request(onError: .swallow) { x in
      let pixmap = XCreatePixmap(x, window, width, height, UInt32(visual.depth))
      visual.put(outline?.bitmap ?? shown.bitmap, on: pixmap, x)
      XSetWindowBackgroundPixmap(x, window, pixmap)
      // The window keeps a reference.
      XFreePixmap(x, pixmap)
      // Set the background first: the resize makes the server paint it at once in the uncovered area.
      var changes = XWindowChanges()
      changes.x = Self.coordinate(shown.origin.x)
      changes.y = Self.coordinate(shown.origin.y)
      changes.width = Int32(width)
      changes.height = Int32(height)
      changes.stack_mode = Above
      XConfigureWindow(x, window, UInt32(CWX | CWY | CWWidth | CWHeight | CWStackMode), &changes)
      var region: XserverRegion = 0
      if let outline {
        let mask = outline.mask.withUnsafeBytes {
          XCreateBitmapFromData(x, window, $0.bindMemory(to: CChar.self).baseAddress, width, height)
        }
        region = XFixesCreateRegionFromBitmap(x, mask)
        XFreePixmap(x, mask)
      }
      XFixesSetWindowShapeRegion(x, window, ShapeKind.bounding.rawValue, 0, 0, region)
      if region != 0 { XFixesDestroyRegion(x, region) }
      XClearWindow(x, window)
    }
  }
}

extension AtomName {
  /// EWMH: a window's function.
  static let windowType = AtomName("_NET_WM_WINDOW_TYPE")
  /// EWMH: a window that is dragged.
  static let dragWindowType = AtomName("_NET_WM_WINDOW_TYPE_DND")
}
