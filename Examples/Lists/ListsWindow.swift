import XDnDX11
import XDnD

/// The window: what it shows, and what presses and keys do. Drags and drops are in ``CardDragAndDrop``.
final class ListsWindow {
  /// Where the window is, unless a window manager puts it elsewhere.
  static let origin = Point(x: 40, y: 40)

  let display: OpaquePointer
  let window: Window
  /// Device pixels per point.
  let scale: Double
  private(set) var painter: Painter
  var scene: Scene {
    didSet {
      isDirty = isDirty || scene != oldValue
      if scene.board.page != oldValue.board.page { onPage?() }
    }
  }
  private(set) var isOpen = true
  /// Another page is shown.
  var onPage: (() -> Void)?
  /// Return was pressed: drag the selected cards without a button.
  var onKeyDrag: ((Timestamp) -> Void)?
  /// Escape was pressed: cancel what is on its way.
  var onCancel: (() -> Void)?

  /// The desktop's theme, and whether it allows animations.
  var appearance: DesktopAppearance {
    didSet {
      painter.theme = Theme(appearance)
      isDirty = true
    }
  }
  /// When to call ``update()`` because rows are on their way.
  private(set) var nextFrame: ContinuousClock.Instant?

  private var glides = Scene.columns.map { _ in Glide() }
  private var isDirty = false
  private var isVisible = false
  /// The scroll bar that is held, and how far below the upper end of its thumb.
  private var heldScrollBar: (column: Int, grip: Int)?
  private let closing: XDnDX11.Atom

  init(_ board: CardBoard, _ appearance: DesktopAppearance, on display: OpaquePointer) {
    self.display = display
    self.appearance = appearance
    scale = appearance.scale
    scene = Scene(board: board)
    let (width, height) = (Int(Double(Scene.width) * scale), Int(Double(Scene.height) * scale))
    window = XCreateSimpleWindow(
      display, XDefaultRootWindow(display), Int32(Self.origin.x), Int32(Self.origin.y), UInt32(width), UInt32(height),
      0, 0, 0)
    let canvas = Canvas(display, window, width: width, height: height, scale: scale)
    painter = Painter(canvas: canvas, theme: Theme(appearance))
    closing = XInternAtom(display, "WM_DELETE_WINDOW", False)
    XStoreName(display, window, "Lists")
    var protocols = closing
    XSetWMProtocols(display, window, &protocols, 1)
    var hints = XSizeHints()
    hints.flags = PMinSize | PMaxSize
    (hints.min_width, hints.min_height) = (Int32(width), Int32(height))
    (hints.max_width, hints.max_height) = (hints.min_width, hints.min_height)
    XSetWMNormalHints(display, window, &hints)
    XSetWindowBackgroundPixmap(display, window, 0)
    XSelectInput(
      display, window,
      ExposureMask | FocusChangeMask | KeyPressMask | ButtonPressMask | ButtonReleaseMask | Button1MotionMask)
  }

  /// Changes the lists, and shows where.
  func edit(_ change: (inout CardBoard) -> Void) {
    change(&scene.board)
    scene.revealCursor()
  }

  /// Lets rows be at their next places without gliding there.
  func place(_ rows: Set<CardBoard.Row.ID>) {
    for column in glides.indices { glides[column].forget(rows) }
  }

  /// Draws the window if it shows something else now; returns whether it does.
  func update() -> Bool {
    let now = ContinuousClock.now
    guard isVisible, isDirty || nextFrame.map({ $0 <= now }) == true else { return false }
    isDirty = false
    for column in glides.indices {
      let places = scene.places(in: column)
      if appearance.reducesMotion { glides[column].forget(Set(places.keys)) }
      glides[column].move(to: places, at: now)
    }
    painter.draw(scene, glides, at: now)
    XFlush(display)
    nextFrame = glides.allSatisfy { $0.isOver(at: now) } ? nil : now + .milliseconds(16)
    return true
  }

  // MARK: Pixels

  func point(atPixels pixels: Point) -> Point {
    Point(x: Int(Double(pixels.x) / scale), y: Int(Double(pixels.y) / scale))
  }

  func pixels(_ frame: Rect) -> Rect {
    func pixels(_ points: Int) -> Int { Int(Double(points) * scale) }
    return Rect(
      x: pixels(frame.origin.x), y: pixels(frame.origin.y), width: pixels(frame.width), height: pixels(frame.height))
  }

  // MARK: Events

  func handle(_ event: XEvent) {
    switch event.type {
    case Expose: (isVisible, isDirty) = (true, true)
    case FocusIn, FocusOut:
      // A drag grabs the keyboard.
      let isOfGrab = [NotifyGrab, NotifyUngrab].contains(event.xfocus.mode)
      if !isOfGrab, event.xfocus.detail != NotifyPointer { scene.isActive = event.type == FocusIn }
    case ButtonPress: press(event.xbutton)
    case MotionNotify:
      guard let (column, grip) = heldScrollBar else { return }
      let point = point(atPixels: Point(x: Int(event.xmotion.x), y: Int(event.xmotion.y)))
      scene.scroll(column, movingThumbTo: point.y - grip)
    case ButtonRelease where event.xbutton.button == 1:
      heldScrollBar = nil
      scene.board.click()
    case KeyPress:
      var key = event.xkey
      type(XLookupKeysym(&key, 0), Modifiers(key.state), at: Timestamp(rawValue: UInt32(truncatingIfNeeded: key.time)))
    case ClientMessage where event.xclient.data.l.0 == Int(closing): isOpen = false
    default: break
    }
  }

  private func press(_ event: XButtonEvent) {
    let point = point(atPixels: Point(x: Int(event.x), y: Int(event.y)))
    if event.button == 1, let column = scene.scrollBar(at: point), let thumb = scene.thumb(in: column) {
      // A press above or below the thumb moves its middle there.
      let grip = thumb.contains(point) ? point.y - thumb.origin.y : thumb.height / 2
      heldScrollBar = (column, grip)
      scene.scroll(column, movingThumbTo: point.y - grip)
      return
    }
    if event.button == 1, let tab = scene.tabs.firstIndex(where: { $0.contains(point) }) {
      scene.board.show(page: tab)
    }
    guard let column = scene.column(at: point) else { return }
    switch event.button {
    case 1: scene.board.press(scene.row(at: point), in: scene.list(in: column), selecting(Modifiers(event.state)))
    case 4: scene.scroll(column, by: -Scene.rowHeight)
    case 5: scene.scroll(column, by: Scene.rowHeight)
    default: break
    }
  }

  private func type(_ key: KeySym, _ modifiers: Modifiers, at time: Timestamp) {
    let isControl = modifiers.contains(.control)
    switch Int32(truncatingIfNeeded: key) {
    case XK_Up: edit { $0.moveCursor(by: -1, selecting(modifiers)) }
    case XK_Down: edit { $0.moveCursor(by: 1, selecting(modifiers)) }
    case XK_Home: edit { $0.moveCursor(by: -$0.lists[$0.focus].rows.count, selecting(modifiers)) }
    case XK_End: edit { $0.moveCursor(by: $0.lists[$0.focus].rows.count, selecting(modifiers)) }
    case XK_Left: edit { $0.focus(column: 0) }
    case XK_Right: edit { $0.focus(column: 1) }
    case XK_Page_Up: edit { $0.show(page: $0.page - 1) }
    case XK_Page_Down: edit { $0.show(page: $0.page + 1) }
    case XK_Return: onKeyDrag?(time)
    case XK_Escape: onCancel?()
    case XK_Delete: edit { $0.removeSelection() }
    case XK_a where isControl: edit { $0.selectAll() }
    case XK_z where isControl && modifiers.contains(.shift), XK_y where isControl: edit { $0.redo() }
    case XK_z where isControl: edit { $0.undo() }
    default: break
    }
  }

  private func selecting(_ modifiers: Modifiers) -> CardList.Selecting {
    modifiers.contains(.shift) ? .extending : modifiers.contains(.control) ? .toggling : .only
  }
}

extension Modifiers {
  fileprivate init(_ state: UInt32) {
    self = []
    if Int32(state) & ShiftMask != 0 { insert(.shift) }
    if Int32(state) & ControlMask != 0 { insert(.control) }
  }
}
