internal import XDnDX11

/// A top-level X window that displays a ``Scene`` and reports input to its owner through closures. AppKit counterpart:
/// `NSWindow`.
///
/// The host owns the `Display` connection and reads its events; pass each of them to ``handle(event:)``. Call
/// ``close()`` before closing the connection, or ``detach()`` when the server is lost.
///
/// The window sets its event mask once, on creation. The host may add bits with `XSelectInput` at any time.
///
/// Not thread-safe: all calls and all closures run on the thread that reads the connection.
package final class ToolWindow {
  /// The X window ID. It stays readable after ``detach()``, for messages.
  package let windowID: UInt32
  /// Device pixels per logical pixel.
  package let scale: Double

  /// A button went down outside the bar and, if it is the primary one, outside the scroll bar and the rows' buttons.
  /// Wheel buttons scroll the list instead.
  package var onPress: ((PointerEvent) -> Void)?
  /// The pointer moved while a button was down, unless a control of the scene held it.
  package var onMotion: ((PointerEvent) -> Void)?
  /// A button went up, unless a control of the scene held it. Wheel buttons are not reported.
  package var onRelease: ((PointerEvent) -> Void)?
  /// A button of the scene's bar was activated by pointer or keyboard; the argument is its index in
  /// ``Scene/Bar/buttons``. Check boxes are not reported; see ``checkedButtons``.
  package var onButton: ((Int) -> Void)?
  /// The button of a row was clicked; the argument is the index of the row.
  package var onRowAction: ((Int) -> Void)?
  /// Assistive technology asked for another selection of rows.
  package var onSelection: ((RowSelectionRequest) -> Void)?
  /// The window was resized; ``size`` has the new value.
  package var onResize: (() -> Void)?
  /// The window was moved, resized or mapped again, possibly at the place that it had. Called for each step of a move
  /// by the user.
  package var onPlaced: (() -> Void)?
  /// A key was pressed that the bar did not handle.
  package var onKey: ((KeyEvent) -> Void)?
  /// The user asked to close the window (`WM_DELETE_WINDOW`), or another client destroyed it.
  package var onClose: (() -> Void)?
  /// The complete scene was drawn for the first time. Called once; start slow work here, so that it does not delay the
  /// first frame.
  package var onDrawn: (() -> Void)?
  /// The window is on the screen for the first time. A window manager that starts later maps it again: see
  /// ``onPlaced``.
  package var onMapped: (() -> Void)?

  /// The displayed content. Changes are coalesced: one redraw happens when the event loop next runs.
  package var scene = Scene() {
    didSet {
      guard scene != oldValue else { return }
      cachedLayout = nil
      if scene.appearance != oldValue.appearance || scene.dropHighlight != oldValue.dropHighlight { setBackground() }
      if scene.bar != oldValue.bar { controls.bar = BarState(scene.bar) }
      updateHover()
      invalidate()
    }
  }

  package var title: String {
    didSet {
      guard title != oldValue else { return }
      xWindow?.manager.setTitle(title)
      showToAssistiveTechnology()
    }
  }

  /// The window's size in device pixels.
  package private(set) var size: PixelSize

  /// The X side of the window; `nil` after ``detach()``, when no request may be sent.
  private var xWindow: XWindow?
  private let renderer: SceneRenderer
  /// The icon for the window manager, until it is set after the first frame.
  private var icon: WindowIcon?
  /// The layout of the current scene, size and scroll offset; computed on first use.
  private var cachedLayout: SceneLayout?
  private var hasBeenMapped = false
  private let icons = IconStore()
  private var accessibility: WindowAccessibility?
  private var controls = ControlState() {
    didSet {
      guard controls != oldValue else { return }
      if controls.scroller.offset != oldValue.scroller.offset {
        cachedLayout = nil
        updateHover()
      }
      invalidate()
    }
  }
  /// Where the pointer was last seen, and whether a button was down; `nil` outside the window, unless a press
  /// holds it.
  private var pointer: (position: PixelPoint, isButtonHeld: Bool)? {
    didSet { updateHover() }
  }
  private var activity = UserActivity() {
    didSet {
      if let time = activity.time, time != oldValue.time { xWindow?.manager.setUserTime(time) }
    }
  }
  private var focusTracker = FocusTracker() {
    didSet { controls.hasKeyboard = focusTracker.hasKeyboard }
  }

  /// Creates the window without mapping it.
  ///
  /// - Parameters:
  ///   - display: An open `Display *`. The host keeps it open until ``close()`` or ``detach()``.
  ///   - applicationName: The instance name in `WM_CLASS`.
  ///   - geometry: The geometry that the user asked for, in device pixels.
  ///   - defaultSize: The size if `geometry` has none, in logical pixels.
  ///   - scale: Device pixels per logical pixel.
  ///   - icon: The icon in lists of windows.
  ///   - focusModel: How the window gets the keyboard focus.
  ///   - style: Hints for the window manager.
  package init(
    display: OpaquePointer, title: String, applicationName: String, geometry: Geometry? = nil,
    defaultSize: PixelSize, scale: Double, icon: WindowIcon = .target, focusModel: FocusModel = .passive,
    style: WindowStyle = []
  ) {
    func scaled(_ size: PixelSize) -> PixelSize {
      PixelSize(width: Int(Double(size.width) * scale), height: Int(Double(size.height) * scale))
    }
    size = geometry?.size ?? scaled(defaultSize)
    let xWindow = XWindow(display, size: size, geometry: geometry)
    xWindow.manager.install(
      title: title, applicationName: applicationName, size: size,
      minimumSize: scaled(PixelSize(width: 160, height: 96)), geometry: geometry, focusModel: focusModel, style: style)
    self.xWindow = xWindow
    windowID = UInt32(truncatingIfNeeded: xWindow.id)
    self.scale = scale
    self.title = title
    self.icon = icon
    renderer = SceneRenderer(scale: scale, icons: icons)
    setBackground()
  }

  deinit { close() }

  // MARK: Life cycle

  package func show() {
    guard let xWindow else { return }
    xWindow.map()
    FontPreparation.begin()
  }

  /// Asks the window manager to make the window smaller. A side that is already smaller stays.
  ///
  /// - Parameter size: In logical pixels.
  package func shrink(to size: PixelSize) {
    func side(_ present: Int, _ wanted: Int) -> Int { min(present, Int(Double(wanted) * scale)) }
    xWindow?.resize(
      to: PixelSize(width: side(self.size.width, size.width), height: side(self.size.height, size.height)))
  }

  package var isMapped: Bool { xWindow?.store.isMapped ?? false }

  /// Destroys the window, and releases its closures. Call it before closing the display; all later calls do nothing.
  package func close() {
    xWindow?.destroy()
    detach()
    (onPress, onMotion, onRelease, onButton, onRowAction, onSelection) = (nil, nil, nil, nil, nil, nil)
    (onResize, onPlaced, onKey, onClose, onDrawn, onMapped) = (nil, nil, nil, nil, nil, nil)
  }

  /// Stops using the connection after it was lost. All later calls do nothing.
  ///
  /// Cairo's resources for the connection stay allocated, because freeing them would send requests to the server.
  package func detach() {
    accessibility?.close()
    xWindow = nil
  }

  // MARK: Events

  /// Handles an `XEvent`.
  ///
  /// - Returns: Whether the event was for this window and was handled. Client messages of other protocols, such as
  ///   XDND, return `false`.
  @discardableResult
  package func handle(event: UnsafeRawPointer) -> Bool {
    guard let xWindow else { return false }
    var event = event.load(as: XEvent.self)
    if event.type == MappingNotify {
      XRefreshKeyboardMapping(&event.xmapping)
      return false
    }
    guard event.xany.window == xWindow.id else { return false }
    switch event.type {
    case Expose: draw(on: xWindow.store, event.xexpose)
    case ConfigureNotify:
      resize(to: PixelSize(width: Int(event.xconfigure.width), height: Int(event.xconfigure.height)))
      placeForAssistiveTechnology()
      onPlaced?()
    case MapNotify:
      xWindow.store.isMapped = true
      placeForAssistiveTechnology()
      if hasBeenMapped { onPlaced?() } else { onMapped?() }
      hasBeenMapped = true
    case UnmapNotify:
      xWindow.store.isMapped = false
      showToAssistiveTechnology()
    case DestroyNotify:
      xWindow.store.destroy()
      detach()
      onClose?()
    case ButtonPress:
      if !controls.scroller.press(wheel: event.xbutton.button, in: layout) { press(PointerEvent(event)) }
    case ButtonRelease:
      if !WheelButtons.contains(event.xbutton.button) { release(PointerEvent(event)) }
    case MotionNotify:
      // A window manager raises the window before it passes on a press, so the stacking order is noted earlier.
      if xWindow.stacking.isOld, event.xmotion.state & PointerEvent.anyButton == 0 { xWindow.stacking.note() }
      move(PointerEvent(event))
    // Includes the crossing events of a grab: a drag takes the pointer away, and its end brings it back.
    case EnterNotify:
      focusTracker.receive(event.xcrossing)
      if event.xcrossing.state & PointerEvent.anyButton == 0 { xWindow.stacking.note() }
      let entry = PointerEvent(crossing: event.xcrossing)
      pointer = (entry.position, entry.isButtonHeld)
    case LeaveNotify:
      focusTracker.receive(event.xcrossing)
      let exit = PointerEvent(crossing: event.xcrossing)
      // A button that was pressed in the window still belongs to it outside.
      let isCaptured = event.xcrossing.mode == NotifyNormal && exit.isButtonHeld
      pointer = isCaptured ? (exit.position, true) : nil
    case FocusIn, FocusOut:
      focusTracker.receive(event.xfocus)
      // The focus came through a key such as Alt+Tab, which has raised this window.
      if event.type == FocusIn, event.xfocus.mode == NotifyNormal {
        xWindow.stacking.note()
      } else {
        xWindow.stacking.isOld = true
      }
    case KeyPress:
      activity.act(at: UInt32(truncatingIfNeeded: event.xkey.time))
      type(KeyEvent(&event.xkey))
    case ClientMessage:
      switch xWindow.manager.receive(event.xclient) {
      case .deleteWindow: onClose?()
      case .takeFocus(let time): xWindow.focus.offer(at: time, size: size)
      case .ping: break
      case nil: return false
      }
    default: return false
    }
    return true
  }

  private func resize(to size: PixelSize) {
    guard size != self.size else { return }
    self.size = size
    cachedLayout = nil
    xWindow?.store.resize(to: size)
    updateHover()
    onResize?()
  }

  // The scene's own controls get input first; the host gets the rest.

  private func press(_ event: PointerEvent) {
    activity.press()
    if !controls.press(event, at: logical(event.position), in: layout) { onPress?(event) }
  }

  private func release(_ event: PointerEvent) {
    pointer = (event.position, event.leavesButtonHeld)
    activity.release(at: event.time)
    let release = controls.release(event, at: logical(event.position), in: layout, scene.bar)
    guard release != .unused else {
      onRelease?(event)
      return
    }
    takeOfferedFocus(at: event.time)
    switch release {
    case .rowButton(let row): onRowAction?(row)
    case .button(let index): activate(button: index)
    case .unused, .used: break
    }
  }

  /// The indices of the bar's check boxes that are on.
  package var checkedButtons: Set<Int> { controls.bar.checked }

  private func activate(button index: Int) {
    guard let bar = scene.bar, bar.buttons.indices.contains(index) else { return }
    if controls.bar.activate(index, in: bar) != .handled { onButton?(index) }
  }

  private func move(_ event: PointerEvent) {
    if event.isButtonHeld, controls.scroller.drag(toY: logical(event.position).y, in: layout) { return }
    pointer = (event.position, event.isButtonHeld)
    if event.isButtonHeld, !controls.holdsPointer { onMotion?(event) }
  }

  /// Finds the part under the pointer again, because the scene may have changed under a resting pointer.
  private func updateHover() {
    let isButtonHeld = pointer?.isButtonHeld == true
    controls.hover(at: pointer.map { logical($0.position) }, isButtonHeld: isButtonHeld, in: layout)
    // While a button is held, the cursor stays as it was at the press.
    if !isButtonHeld { xWindow?.showCursor(over: controls.hovered) }
  }

  private func type(_ key: KeyEvent) {
    guard let question = scene.bar else {
      onKey?(key)
      return
    }
    switch controls.bar.type(key, in: question) {
    case .ignored: onKey?(key)
    case .handled: break
    case .pressed(let index): onButton?(index)
    }
  }

  // MARK: Focus

  /// Whether keyboard input goes to this window. Costs one round trip.
  ///
  /// Without a window manager the focus usually follows the pointer (`PointerRoot`), which is treated as active.
  package var isActive: Bool { xWindow?.focus.isActive ?? false }

  /// Takes the keyboard focus that was offered with a press, because the press turned out to be a click.
  package func takeOfferedFocus(at time: UInt32) {
    activity.act(at: time)
    xWindow?.focus.takeOffered(at: time)
  }

  /// Ignores the focus that was offered with a press, because the press became a drag. The press then does not count as
  /// the user's action in this window (`_NET_WM_USER_TIME`), and the window returns to its place below the window that
  /// was above it, which may be the target of the drag.
  package func declineOfferedFocus() {
    activity.drag()
    xWindow?.focus.declineOffered()
    xWindow?.stacking.restore()
  }

  // MARK: Scrolling

  /// Scrolls the list down by a number of device pixels; negative values scroll up.
  ///
  /// - Returns: Whether the list moved; at its end it does not.
  @discardableResult
  package func scroll(by pixels: Int) -> Bool {
    let before = layout
    controls.scroller.scroll(by: Double(pixels) / scale, in: before)
    return controls.scroller.offset != before.scrollOffset
  }

  /// Scrolls the list with the arrow keys, Page Up, Page Down, Home and End.
  ///
  /// - Returns: Whether the key was one of these.
  @discardableResult
  package func scroll(with key: KeyEvent) -> Bool { controls.scroller.type(key, in: layout) }

  package func scrollToTop() { controls.scroller.scroll(to: 0, in: layout) }

  package func reveal(row index: Int) {
    guard scene.rows.indices.contains(index) else { return }
    let layout = layout
    controls.scroller.scroll(to: layout.scrollOffset(revealing: index), in: layout)
  }

  /// How many rows a page scrolls by; at least one.
  package var rowsPerPage: Int { max(1, Int(layout.page / layout.rowHeight)) }

  // MARK: Places

  private var layout: SceneLayout {
    if let cachedLayout { return cachedLayout }
    let layout = SceneLayout(
      scene, width: Double(size.width) / scale, height: Double(size.height) / scale,
      scrollOffset: controls.scroller.offset, measure: renderer.text)
    cachedLayout = layout
    return layout
  }

  private func logical(_ point: PixelPoint) -> LogicalPoint {
    LogicalPoint(x: Double(point.x) / scale, y: Double(point.y) / scale)
  }

  /// The window's upper left corner in root pixels. Costs one round trip; `nil` after ``detach()``.
  package var rootOrigin: PixelPoint? { xWindow?.rootOrigin }

  /// The space available to the list, in device pixels, window-local.
  package var listPlace: PixelArea { layout.view.pixels(scale: scale) }

  /// Returns the row at a point in device pixels, window-local.
  package func row(at point: PixelPoint) -> Int? { layout.row(at: logical(point)) }

  /// Whether a point in device pixels, window-local, is on the scene's handle.
  package func isHandle(at point: PixelPoint) -> Bool { layout.handle?.contains(logical(point)) == true }

  /// Returns the center of a row in device pixels, window-local. The row may be scrolled out of sight.
  package func center(ofRow index: Int) -> PixelPoint { layout.row(index).center(scale: scale) }

  /// Returns the center of a row's button in device pixels, window-local; `nil` if the row has none.
  package func center(ofRowButton index: Int) -> PixelPoint? { layout.button(ofRow: index)?.center(scale: scale) }

  /// The height of a row that does not wrap, in device pixels.
  package var rowHeight: Int { Int((layout.rowHeight * scale).rounded()) }

  /// Whether a row is at least partly visible.
  package func isVisible(row index: Int) -> Bool { layout.visibleRows.contains(index) }

  /// The index of the first row that is at least partly visible; 0 if there is none.
  package var firstVisibleRow: Int { layout.visibleRows.lowerBound }

  /// Moves the pointer to the center of a row, where a drag by keys begins. Does nothing if the row is scrolled out of
  /// sight.
  package func movePointer(toRow index: Int) {
    let point = center(ofRow: index)
    if row(at: point) == index { xWindow?.movePointer(to: point) }
  }

  // MARK: Drawing

  private func invalidate() {
    xWindow?.store.invalidate()
    showToAssistiveTechnology()
  }

  private func setBackground() { xWindow?.setBackground(Theme(scene.appearance).background(for: scene.dropHighlight)) }

  private func draw(on store: BackingStore, _ event: XExposeEvent) {
    let isComplete = store.expose(event) { cairo, isFirstFrame in
      renderer.draw(scene, in: layout, controls, isFirstFrame: isFirstFrame, on: cairo)
      // The layout was measured before the fonts had the options of the window's surface.
      if isFirstFrame { cachedLayout = nil }
    }
    guard isComplete else { return }
    if let icon = icon.take() { xWindow?.manager.setIcon(icon) }
    icons.search()
    startAccessibility()
    if let onDrawn {
      self.onDrawn = nil
      onDrawn()
    }
  }

  /// Renders a row as a card; in a comfortable list, it is no wider than its texts. Returns `nil` if there is no such
  /// row or no space for it.
  package func picture(ofRow index: Int) -> RowPicture? { renderer.picture(ofRow: index, in: scene, layout: layout) }

  /// Renders the content of a row as it is dragged. Returns `nil` if there is no such row or nothing to see.
  package func picture(of content: ContentPicture, ofRow index: Int) -> RowPicture? {
    renderer.picture(of: content, ofRow: index, in: scene, layout: layout)
  }

  // MARK: Icons and pictures, which a worker thread loads

  /// A file descriptor that is readable when ``takeIcons()`` has work to do. Owned by the window; do not close it.
  package var iconDescriptor: CInt { icons.descriptor }

  /// Shows the icons found so far and calls the completions of finished decodings. Never blocks.
  package func takeIcons() {
    if icons.update() { invalidate() }
  }

  /// The name of the desktop's icon theme; `nil` shows only the built-in symbols.
  package var iconTheme: String? {
    get { icons.theme }
    set {
      guard newValue != icons.theme else { return }
      icons.theme = newValue
      invalidate()
    }
  }

  /// Decodes an image in the background, in any format that gdk-pixbuf supports.
  ///
  /// - Parameters:
  ///   - side: The side of the square that the picture is scaled down to, in device pixels.
  ///   - completion: Called by ``takeIcons()``, unless a later call of this method replaces the image. The picture is
  ///     `nil` if the image cannot be decoded or exceeds the decoder's limits (100 million pixels, 256 MiB).
  package func decodePicture(
    _ image: EncodedPicture, fitting side: Int = 1024, _ completion: @escaping (Picture?) -> Void
  ) {
    icons.decode(IconWorker.DecodingOrder(image: image, side: side), completion)
  }

  /// The size at which to decode a picture for ``ContentPicture/picture(_:)``: the side of a square, in device pixels.
  package var draggedPictureSide: Int { Int((DraggedPicture.longest.width * scale).rounded(.up)) }

  // MARK: Assistive technology

  /// Shows the window to assistive technology once the desktop reports that assistive technology is on. Nothing is
  /// queried or loaded before the first frame or ``announce(_:)``.
  ///
  /// - Returns: A file descriptor that is readable when ``takeAccessibilityRequests()`` has work to do. Owned by the
  ///   window; do not close it.
  package func makeAccessible(as applicationName: String) -> CInt {
    let accessibility = accessibility ?? WindowAccessibility(applicationName: applicationName)
    self.accessibility = accessibility
    return accessibility.descriptor
  }

  /// Performs the requests of assistive technology: calls the closures as if the user had used pointer or keyboard.
  /// Never blocks.
  package func takeAccessibilityRequests() {
    for request in accessibility?.takeRequests() ?? [] { perform(request) }
  }

  /// Whether several rows can be selected at once, for assistive technology.
  package var selectsSeveralRows = false

  /// Speaks a message through the screen reader, if there is one. The footer and the question of the scene are spoken
  /// anyway.
  package func announce(_ message: String) {
    // A drag that starts at once shows no window, so no first frame has started accessibility.
    startAccessibility()
    accessibility?.announce(message)
  }

  private func startAccessibility() {
    guard let xWindow else { return }
    accessibility?.start(hasBusProperty: { xWindow.hasAccessibilityBus })
  }

  private func placeForAssistiveTechnology() {
    guard let accessibility, accessibility.isOn, let origin = xWindow?.rootOrigin else { return }
    accessibility.origin = origin
    showToAssistiveTechnology()
  }

  private func showToAssistiveTechnology() {
    guard let accessibility else { return }
    accessibility.show(
      WindowSnapshot(
        scene: scene, controls: controls, title: title, size: size, scale: scale, origin: accessibility.origin,
        isMapped: isMapped, selectsSeveralRows: selectsSeveralRows))
  }

  /// Checks indices, because the scene may have changed since assistive technology last saw it.
  private func perform(_ request: AccessibilityRequest) {
    switch request {
    case .snapshot: placeForAssistiveTechnology()
    case .act(.button(let index)): activate(button: index)
    case .focus(.button(let index)):
      guard scene.bar?.buttons.indices.contains(index) == true else { return }
      controls.bar.focus(index)
    case .act(.rowButton(let index)):
      if scene.rows.indices.contains(index), scene.rows[index].action != nil { onRowAction?(index) }
    case .act(.row(let index)), .focus(.row(let index)): select(.only(index))
    case .select(let rows): select(rows)
    case .act, .focus: break
    }
  }

  private func select(_ rows: RowSelectionRequest) {
    switch rows {
    case .only(let index), .add(let index), .remove(let index):
      if scene.rows.indices.contains(index) { onSelection?(rows) }
    case .all, .none: onSelection?(rows)
    }
  }
}
