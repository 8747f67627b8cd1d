import XDnDX11
import XDnDXlibint

/// Performs the effects of ``GrabMachine`` on a connection, and feeds the machine replies and events.
final class Grab {
  private let display: DisplayHandle
  private let windows: WindowQueries
  private let devices: InputExtension
  private let window: WindowID

  private var machine = GrabMachine() {
    didSet { if machine.isHeld != oldValue.isHeld { machine.isHeld ? startGuard() : endGuard() } }
  }
  private var noted = NotedReleases()
  /// The request that the server has not answered.
  private var attempt: Attempt?
  /// The keys and modifiers, read with the last request that was answered.
  private var keyboard: Keyboard?
  /// The cursor that was shown last.
  private var cursor: Cursor = 0
  /// Ends a grab that is held while the host's event loop hangs.
  private var grabGuard: OpaquePointer?

  /// How long the event loop may ignore events during a drag. After that, the user would think that the desktop has
  /// crashed.
  private static let patience = Duration.seconds(5)

  private final class Attempt {
    let receive: (GrabResult) -> Void
    /// The events of the grab window since the request.
    private(set) var events: [XEvent] = []
    /// Whether the keys may have changed since the request.
    var hasNewKeys = false

    /// The maximum number of events: far more than a user causes in one round trip.
    private static let limit = 256

    init(_ receive: @escaping (GrabResult) -> Void) {
      self.receive = receive
    }

    func keep(_ event: XEvent) {
      if event.type == MotionNotify, events.last?.type == MotionNotify { events.removeLast() }
      // The newest events are kept: a release or a key among them may end the drag.
      if events.count == Self.limit { events.removeFirst() }
      events.append(event)
    }
  }

  init(_ display: DisplayHandle, _ devices: InputExtension, window: WindowID) {
    self.display = display
    self.devices = devices
    self.windows = WindowQueries(display)
    self.window = window
  }

  deinit { endGuard() }

  private static let pointerEvents =
    ButtonPressMask | ButtonReleaseMask | PointerMotionMask | EnterWindowMask | LeaveWindowMask

  /// The event mask that the grab window must select, so that the end of a grab is reported.
  static let windowEvents = StructureNotifyMask | EnterWindowMask | LeaveWindowMask | FocusChangeMask

  /// The events that are reported during a grab by XInput 2.
  private static let (pointerInput, keyboardInput) = (
    [XI_ButtonPress, XI_ButtonRelease, XI_Motion], [XI_KeyPress, XI_KeyRelease]
  )

  // MARK: Requests of the driver

  /// Requests the grabs of the pointer and the keyboard.
  ///
  /// - Parameters:
  ///   - device: The device to grab; without XInput 2, the core pointer is grabbed.
  ///   - receive: Called later, when the replies have arrived. Never called if ``release(at:)`` or another
  ///     request comes before it, or if the connection is lost.
  func take(
    _ device: InputDevice, cursor: Cursor, at time: Timestamp, then receive: @escaping (GrabResult) -> Void
  ) {
    // If this request fails, the earlier grab must not stay.
    release(at: .currentTime)
    noteReleases(since: time)
    noted.device = device
    self.cursor = cursor
    let attempt = Attempt(receive)
    self.attempt = attempt
    switch device {
    case .core: request(.core, for: device, at: time, attempt)
    case .touch: request(.touch(device), for: device, at: time, attempt)
    case .device(let id):
      var known: [InputExtension.Device] = []
      var batch = RequestBatch(display)
      devices.ask(in: &batch) { known = $0 }
      batch.send { [unowned self, weak attempt] in
        guard let attempt else { return }
        request(InputExtension.hold(for: Int32(clamping: id), among: known), for: device, at: time, attempt)
      }
    }
  }

  /// Releases the grab. An unanswered request is followed by its ungrab; one that waits for the devices is dropped.
  func release(at time: Timestamp) {
    feed(.release(at: time))
    attempt = nil
  }

  /// See ``WindowSystem/movePointer(_:at:)``.
  func movePointer(_ move: PointerMove, at time: Timestamp) -> PointerSample? {
    guard machine.isHeld, let hold = machine.grab?.hold, let keyboard else { return nil }
    let (origin, x, y) =
      switch move {
      case .by(let dx, let dy): (WindowID.none, dx, dy)
      case .to(let point): (display.root, point.x, point.y)
      }
    switch hold {
    case .core:
      display.request(onError: .swallow) {
        XWarpPointer($0, 0, origin.xid, 0, 0, 0, 0, Int32(clamping: x), Int32(clamping: y))
      }
    case .pair(let pointer, _): devices.warp(pointer, relativeTo: origin, Int32(clamping: x), Int32(clamping: y))
    // A touch cannot be moved.
    case .touch: return nil
    }
    // The server clamps the warp to the screen's edges, and to the parts that a monitor shows.
    var (state, asked): (PointerState?, UInt) = (nil, 0)
    var batch = RequestBatch(display)
    askPointer(of: hold, in: &batch) { (state, asked) = ($0, $1) }
    batch.run()
    guard let state else { return nil }
    feed(.warped(to: state.point, asked: asked))
    return PointerSample(point: state.point, time: time, modifiers: keyboard.modifiers(inState: state.mask))
  }

  func show(_ cursor: Cursor) {
    self.cursor = cursor
    guard let grab = machine.grab else { return }
    switch grab.hold {
    case .core:
      display.request(onError: .swallow) {
        XChangeActivePointerGrab($0, UInt32(Self.pointerEvents), cursor, Timestamp.currentTime.xTime)
      }
    case .pair(let pointer, _):
      // XInput 2 has no request for this, but a new grab replaces this client's earlier one. With the earlier grab's
      // time, the server accepts the same ungrabs as before.
      var batch = RequestBatch(display)
      devices.grab(pointer, window, Self.pointerInput, cursor, grab.time, in: &batch) { _ in }
      batch.send {}
    case .touch: break
    }
  }

  /// Reads the modifier mapping again after a `MappingNotify`: Alt may have moved.
  func keyboardChanged() {
    attempt?.hasNewKeys = true
    if machine.isHeld { keyboard?.remap(display) }
  }

  // MARK: The guard

  /// Notes that the host's event loop runs.
  func noteTurn() { if let grabGuard { XDnDGrabGuardNoteTurn(grabGuard) } }

  private func startGuard() {
    display.request(onError: .swallow) { x in
      grabGuard = XDnDGrabGuardCreate(
        XDisplayString(x), XConnectionNumber(x), window.rawValue, Int64(Self.patience / .milliseconds(1)))
    }
  }

  private func endGuard() {
    XDnDGrabGuardFree(grabGuard)
    grabGuard = nil
  }

  // MARK: Effects

  private func receive(_ input: GrabMachine.Input) -> [GrabMachine.Effect] {
    machine.receive(input, next: display.nextSerial)
  }

  private func feed(_ input: GrabMachine.Input) { for effect in receive(input) { _ = perform(effect) } }

  /// - Parameter event: The event that the machine has received; `nil` for other inputs.
  /// - Returns: The event to report to the drag; `nil` if there is none.
  private func perform(_ effect: GrabMachine.Effect, _ event: XEvent? = nil) -> ServerEvent? {
    switch effect {
    case .ungrab(let hold, let pointer, let keyboard, let time):
      ungrab(hold, pointer: pointer, keyboard: keyboard, at: time)
    case .settle(let result):
      let settled = attempt
      attempt = nil
      display.request(onError: .swallow) { display in
        for var event in settled?.events.reversed() ?? [] { XPutBackEvent(display, &event) }
      }
      if let result { settled?.receive(result) }
    case .keep: if let event { attempt?.keep(event) }
    case .report(let place): return event.flatMap { decode($0, at: place) }
    case .lost:
      map()
      return .grabLost
    // ``interpret(_:_:)`` handles the last two, which the machine returns alone.
    case .swallow, .findPressedWindow, .redirect: break
    }
    return nil
  }

  /// Maps the grab window again after the guard or another client has unmapped it: the server refuses grabs for an
  /// unmapped window.
  private func map() { display.request(onError: .swallow) { XMapWindow($0, window.xid) } }

  private func request(
    _ hold: GrabMachine.Hold, for device: InputDevice, at time: Timestamp, _ attempt: Attempt
  ) {
    feed(.requested(hold, at: time))
    var answer = GrabMachine.Answer()
    var keys = KeyState()
    var (state, core): (PointerState?, PointerState?)
    // In one batch: on a slow connection, each further round trip delays the first feedback.
    var batch = RequestBatch(display)
    // If this client selects presses by XInput 2, the press has given it an implicit grab, which excludes a core grab.
    // A core grab does not exclude another core grab, and an XInput 2 grab replaces an earlier one.
    var implicit: Set<Int32> = hold == .core ? [InputExtension.corePointer] : []
    if case .pair(let pointer, _) = hold { implicit.insert(pointer) }
    if case .device(let id) = device { implicit.insert(Int32(clamping: id)) }
    batch.add { [devices, implicit] in for device in implicit { devices.ungrab(device, at: .currentTime) } }
    switch hold {
    case .core:
      let request = xGrabPointerReq(
        reqType: UInt8(X_GrabPointer), ownerEvents: 0, length: 0, grabWindow: window.rawValue,
        eventMask: UInt16(Self.pointerEvents), pointerMode: UInt8(GrabModeAsync), keyboardMode: UInt8(GrabModeAsync),
        confineTo: 0, cursor: UInt32(cursor), time: time.rawValue)
      batch.ask(request, for: xGrabPointerReply.self) { answer.pointer = Self.failure($0?.head.status) }
    case .pair(let pointer, _):
      devices.grab(pointer, window, Self.pointerInput, cursor, time, in: &batch) { answer.pointer = Self.failure($0) }
    case .touch:
      if case .touch(let id, let sequence) = device, let window = machine.touch(by: device)?.window {
        batch.add { [devices] in devices.accept(sequence, of: Int32(clamping: id), in: window) }
      }
    }
    if let keyboard = hold.keyboard {
      devices.grab(keyboard, window, Self.keyboardInput, 0, time, in: &batch) { answer.keyboard = Self.failure($0) }
    } else {
      let request = xGrabKeyboardReq(
        reqType: UInt8(X_GrabKeyboard), ownerEvents: 0, length: 0, grabWindow: window.rawValue, time: time.rawValue,
        pointerMode: UInt8(GrabModeAsync), keyboardMode: UInt8(GrabModeAsync), pad: 0)
      batch.ask(request, for: xGrabKeyboardReply.self) { answer.keyboard = Self.failure($0?.head.status) }
    }
    KeyState.ask(in: &batch, display) { keys = $0 }
    askPointer(of: hold, in: &batch) { (state, answer.asked) = ($0, $1) }
    if case .pair = hold { batch.pointer(over: display.root) { reply, _ in core = reply } }
    batch.send { [unowned self, weak attempt] in
      guard let attempt else { return }
      var keyboard = Keyboard(keys)
      if attempt.hasNewKeys { keyboard.remap(display) }
      self.keyboard = keyboard
      answer.start = state.map { state in
        // A finger on a window whose client selects no touches is an emulated pointer. `XIQueryPointer` does not report
        // its button to clients of XInput 2.2 (X server 21.1), but `QueryPointer` does.
        let isFinger = core.map { $0.point == state.point && $0.buttons.contains(.primary) } ?? false
        let modifiers = keyboard.modifiers(inState: state.mask)
        return GrabStart(
          pointer: PointerSample(point: state.point, time: time, modifiers: modifiers),
          down: isFinger ? state.buttons.union([.primary]) : state.buttons)
      }
      feed(.answered(answer))
    }
  }

  private func askPointer(
    of hold: GrabMachine.Hold, in batch: inout RequestBatch, _ receive: @escaping (PointerState?, UInt) -> Void
  ) {
    if case .pair(let pointer, _) = hold {
      devices.pointer(pointer, in: &batch, receive)
    } else {
      batch.pointer(over: display.root, receive)
    }
  }

  /// `nil` for a granted grab.
  private static func failure(_ status: UInt8?) -> GrabFailure? {
    switch status.map(Int32.init) {
    case GrabSuccess: nil
    case AlreadyGrabbed: .alreadyGrabbed
    case GrabNotViewable: .notViewable
    case GrabInvalidTime: .invalidTime
    case GrabFrozen: .frozen
    default: .closed
    }
  }

  private func ungrab(_ hold: GrabMachine.Hold, pointer: Bool, keyboard: Bool, at time: Timestamp) {
    if pointer, case .pair(let device, _) = hold { devices.ungrab(device, at: time) }
    if keyboard, let device = hold.keyboard { devices.ungrab(device, at: time) }
    display.request(onError: .swallow) {
      if pointer, hold == .core { XUngrabPointer($0, time.xTime) }
      if keyboard, hold.keyboard == nil { XUngrabKeyboard($0, time.xTime) }
      XFlush($0)
    }
  }

  // MARK: Events

  /// Processes an event of the grab window.
  ///
  /// - Parameter input: The decoded event of XInput 2; `nil` for an event of the core protocol.
  /// - Returns: The events to report to the drag. `nil` for an event of XInput 2 that was meant for a window of the
  ///   host; it is rewritten for that window.
  func interpret(_ event: UnsafePointer<XEvent>, _ input: InputExtension.Event? = nil) -> [ServerEvent]? {
    let (core, device) = input.map { ($0.core, $0.device) } ?? (event.pointee, .core)
    if core.type == UnmapNotify { map() }
    guard let kind = Self.kind(of: core) else { return [] }
    let known = GrabMachine.Event(kind: kind, device: device, serial: core.xany.serial)
    var effects = receive(.event(known))
    if effects == [.findPressedWindow] {
      effects = receive(.pressed(in: ownWindow(at: core.xbutton.rootPoint, pressedBy: device)))
    }
    guard case .redirect(let window)? = effects.first else { return effects.compactMap { perform($0, core) } }
    guard let origin = windows.origin(of: window) else { return [] }
    if input != nil {
      devices.redirect(event, to: window, at: origin)
      return nil
    }
    // `XMotionEvent` and `XButtonEvent` share the layout of these fields.
    var copy = core
    copy.xbutton.window = window.xid
    copy.xbutton.subwindow = 0
    copy.xbutton.x = copy.xbutton.x_root - Int32(clamping: origin.x)
    copy.xbutton.y = copy.xbutton.y_root - Int32(clamping: origin.y)
    display.request(onError: .swallow) { XPutBackEvent($0, &copy) }
    return []
  }

  private static func kind(of event: XEvent) -> GrabMachine.EventKind? {
    switch event.type {
    case MotionNotify: .motion
    case ButtonPress: .press
    case ButtonRelease: .release
    case KeyPress, KeyRelease: .key
    case LeaveNotify: event.xcrossing.mode == NotifyUngrab ? .end : nil
    case FocusOut: event.xfocus.mode == NotifyUngrab ? .end : nil
    case UnmapNotify, DestroyNotify: .end
    default: nil
    }
  }

  /// - Parameter place: The place to report; `nil` for the event's own.
  private func decode(_ event: XEvent, at place: Point?) -> ServerEvent? {
    // Button, motion and key events share the layout of these fields.
    let input = event.xbutton
    let point = place ?? input.rootPoint
    if event.type == KeyPress || event.type == KeyRelease { return keyboard?.interpret(event.xkey, at: point) }
    let sample = PointerSample(
      point: point, time: Timestamp(input.time), modifiers: keyboard?.modifiers(inState: input.state) ?? [])
    let button = PointerButton(rawValue: input.button)
    return switch event.type {
    case ButtonPress: .buttonPressed(button, sample)
    case ButtonRelease: .buttonReleased(button, sample)
    default: .pointerMoved(sample)
    }
  }

  /// The innermost window at a root position on which this client selects presses of a device.
  private func ownWindow(at place: Point, pressedBy device: InputDevice) -> WindowID? {
    var (parent, found): (WindowID, WindowID?) = (display.root, nil)
    while let child = windows.translate(place, from: display.root, to: parent)?.child,
      let state = windows.state(of: child)
    {
      // Another client's window does not match: presses can be selected by only one client per window.
      let isSelected =
        if case .device(let id) = device {
          devices.selectsPresses(of: Int32(clamping: id), on: child)
        } else {
          state.eventMask & ButtonPressMask != 0
        }
      if isSelected { found = child }
      parent = child
    }
    return found
  }

  /// Processes a touch, given as an event of the primary button.
  ///
  /// - Returns: `nil` for a finger that does not drag. Otherwise the events to report to the drag, if there are any.
  func follow(_ device: InputDevice, _ event: XEvent) -> [ServerEvent]? {
    guard let kind = Self.kind(of: event) else { return nil }
    let touch = GrabMachine.Touch(
      kind: kind, device: device, window: WindowID(event.xany.window), point: event.xbutton.rootPoint)
    let effects = receive(.touch(touch))
    return effects.isEmpty ? nil : effects.compactMap { perform($0, event) }
  }

  /// Forgets the fingers on a window that is destroyed.
  ///
  /// - Returns: ``ServerEvent/grabLost`` if one of them drags.
  func windowVanished(_ window: WindowID) -> [ServerEvent] {
    receive(.destroyed(window)).compactMap { perform($0) }
  }

  // MARK: Releases before the grab

  /// Notes releases of buttons from now on, for ``queuedRelease(of:since:)``.
  func noteReleases(since time: Timestamp) { noted.begin(since: time) }

  /// Notes a release in any window.
  func note(_ release: XButtonEvent, of device: InputDevice = .core) {
    noted.note(NotedReleases.Release(release, of: device))
  }

  /// See ``WindowSystem/queuedRelease(of:since:)``.
  ///
  /// Until the grab is active, the server reports press, motion and release to the window that was pressed. All of them
  /// have been read by now: they precede the replies of ``take(_:cursor:at:then:)``.
  func queuedRelease(of button: PointerButton, since time: Timestamp) -> PointerSample? {
    guard let release = noted.release(of: button, since: time) ?? queued(button, since: time) else { return nil }
    let keyboard = keyboard ?? Keyboard(display)
    return PointerSample(
      point: release.point, time: release.time, modifiers: keyboard.modifiers(inState: release.state))
  }

  private func queued(_ button: PointerButton, since time: Timestamp) -> NotedReleases.Release? {
    // A finger's release is not in the core protocol.
    if noted.device.isTouch { return nil }
    var found: NotedReleases.Release?
    display.visitEvents { event in
      guard found == nil, event.pointee.type == ButtonRelease else { return }
      let release = NotedReleases.Release(event.pointee.xbutton, of: .core)
      if release.button == button, !time.isLater(than: release.time) { found = release }
    }
    return found
  }
}

extension XButtonEvent {
  fileprivate var rootPoint: Point { Point(x: Int(x_root), y: Int(y_root)) }
}

extension NotedReleases.Release {
  fileprivate init(_ event: XButtonEvent, of device: InputDevice) {
    self.init(
      device: device, button: PointerButton(rawValue: event.button), point: event.rootPoint,
      time: Timestamp(event.time), state: event.state)
  }
}
