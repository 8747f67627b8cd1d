import XDnDX11
import XDnDXlibint

/// The active grab of pointer and keyboard: both are grabbed, or neither.
///
/// The server's answer takes a round trip. Until it is there, the events of the grab window are kept. Then they go back
/// into Xlib's queue, so they are read right after the answer, in their order.
final class Grab {
  private let display: DisplayHandle
  private let windows: WindowQueries
  private let devices: InputExtension
  private let window: WindowID

  private var held: Held?
  /// The grab that the server has not answered; then ``held`` is `nil`.
  private var requested: Requested?
  private var noted = NotedReleases()
  /// The fingers that are down on a window of this client.
  private var touches: [InputDevice: Touch] = [:]
  /// The touches that ended last, because the finger was lifted or the window destroyed.
  private var lifted: [InputDevice] = []

  /// The last grab that was released, and the press that it kept from the host.
  private var released: Released?

  /// What is grabbed besides the keyboard.
  private enum Hold: Hashable {
    /// The pointer of the core protocol.
    case core
    /// A pointer of XInput 2, and its keyboard.
    case pair(InputExtension.Pair)
    /// Nothing: the server reports a touch to the window that it began in until it ends.
    case touch(InputDevice)
  }

  /// A finger, as the last event has reported it.
  private struct Touch {
    var window: WindowID
    var point: Point
  }

  private struct Released {
    /// `.core` for the pointer of the core protocol.
    var device: InputDevice
    /// The serial number of the ungrab request. Events with lower numbers were sent before the server processed it.
    var serial: UInt
    /// The host's window that the user pressed in before the ungrab took effect.
    var pressed: WindowID?
  }

  private struct Requested {
    /// The serial number of the request; older events belong to an earlier grab.
    var serial: UInt
    var time: Timestamp
    var device: InputDevice
    var cursor: Cursor
    /// `nil` while the devices are asked for.
    var hold: Hold?
    /// The events of the grab window since then.
    var events: [XEvent] = []
    /// Whether the keys may have changed since the request.
    var hasNewKeys = false

    /// The most events that are kept: far more than a user causes in one round trip.
    private static let limit = 256

    mutating func keep(_ event: XEvent) {
      switch event.type {
      case MotionNotify:
        if events.last?.type == MotionNotify { events.removeLast() }
      case ButtonPress, ButtonRelease, KeyPress, KeyRelease, LeaveNotify, FocusOut, UnmapNotify, DestroyNotify: break
      default: return
      }
      // The newest are the ones that end a drag.
      if events.count == Self.limit { events.removeFirst() }
      events.append(event)
    }
  }

  /// The first release of each button since a press, in any window: the host reads it while the drag waits for answers.
  private struct NotedReleases {
    /// The time of the press; `nil` before the first drag.
    var time: Timestamp?
    /// The device that the grab was requested of.
    var device = InputDevice.core
    private var releases: [Key: XButtonEvent] = [:]
    /// The keyboard at the last answer.
    var keyboard: Keyboard?

    private struct Key: Hashable {
      var device: InputDevice
      var button: UInt32
    }

    init(time: Timestamp? = nil) {
      self.time = time
    }

    mutating func note(_ release: XButtonEvent, of device: InputDevice) {
      let key = Key(device: device, button: release.button)
      if releases[key] == nil { releases[key] = release }
    }

    func release(of button: UInt32) -> XButtonEvent? {
      if let release = releases[Key(device: device, button: button)] { return release }
      guard device == .core else { return nil }
      // A host may know the press from XInput 2 and not say so.
      return releases.filter { $0.key.button == button && !$0.key.device.isTouch }.values.min { $0.serial < $1.serial }
    }
  }

  /// The replies to the requests of a grab; `nil` if the server has sent an error.
  private struct Replies {
    var pointer: Int?
    var keyboard: Int?
    var keys = RequestBatch.KeyState()
    var state: PointerState?
    /// The serial number of the request for `state`.
    var asked: UInt = 0
    /// The reply of the core protocol, if `state` is that of XInput 2.
    var core: PointerState?

    /// The pressed buttons.
    ///
    /// A finger on a window whose client selects no touches is an emulated pointer. `XIQueryPointer` does not report its button to
    /// clients of XInput 2.2 (X server 21.1), and `QueryPointer` does.
    var buttons: Set<PointerButton> {
      guard let state else { return [] }
      let isFinger = core.map { $0.point == state.point && $0.buttons.contains(.primary) } ?? false
      return isFinger ? state.buttons.union([.primary]) : state.buttons
    }
  }

  private struct Held {
    var hold: Hold
    var keyboard: Keyboard
    /// The serial number of the grab request; older events belong to an earlier grab.
    var serial: UInt
    var time: Timestamp
    /// The pointer position and the serial number of the query that returned it: at the start, and after each warp.
    /// Positions in older events are outdated.
    var known: (point: Point, serial: UInt)
  }

  init(_ display: DisplayHandle, _ devices: InputExtension, window: WindowID) {
    self.display = display
    self.devices = devices
    self.windows = WindowQueries(display)
    self.window = window
  }

  private static let pointerEvents =
    ButtonPressMask | ButtonReleaseMask | PointerMotionMask | EnterWindowMask | LeaveWindowMask

  /// The event mask that the grab window must select, so that the end of a grab is reported.
  static let windowEvents = StructureNotifyMask | EnterWindowMask | LeaveWindowMask | FocusChangeMask

  /// The events that are reported during a grab by XInput 2.
  private static let (pointerInput, keyboardInput) = (
    [XI_ButtonPress, XI_ButtonRelease, XI_Motion], [XI_KeyPress, XI_KeyRelease]
  )

  /// Requests both grabs.
  ///
  /// - Parameters:
  ///   - device: The device to grab. Without XInput 2, that is the pointer of the core protocol.
  ///   - receive: Called with the answer, as an event of its own. Never called if ``release(at:)`` or another
  ///     request comes before it, or if the connection is lost.
  func take(
    _ device: InputDevice, cursor: Cursor, at time: Timestamp, then receive: @escaping (GrabResult) -> Void
  ) {
    // If this request fails, the earlier grab must not stay.
    release(at: .currentTime)
    noteReleases(since: time)
    noted.device = device
    let serial = display.nextSerial
    requested = Requested(serial: serial, time: time, device: device, cursor: cursor)
    switch device {
    case .core: take(.core, for: serial, then: receive)
    case .touch: take(.touch(device), for: serial, then: receive)
    case .device(let id):
      var known: [RequestBatch.DeviceInfo] = []
      var batch = RequestBatch(display)
      devices.ask(in: &batch) { known = $0 }
      batch.send { [unowned self] in
        guard requested?.serial == serial else { return }
        let pair = InputExtension.pair(for: Int32(clamping: id), among: known)
        take(pair.map(Hold.pair) ?? .core, for: serial, then: receive)
      }
    }
  }

  private func take(_ hold: Hold, for serial: UInt, then receive: @escaping (GrabResult) -> Void) {
    guard let request = requested else { return }
    requested?.hold = hold
    var replies = Replies()
    // Together: a slow connection delays the first feedback by each round trip.
    var batch = RequestBatch(display)
    addRelease(to: &batch, before: hold, of: request.device)
    addPointerGrab(to: &batch, hold, request) { replies.pointer = $0 }
    if case .pair(let pair) = hold, let keyboard = pair.keyboard, let opcode = devices.opcode {
      batch.grabDevice(keyboard, opcode, window, Self.keyboardInput, nil, request.time) { replies.keyboard = $0 }
    } else {
      batch.grabKeyboard(window, request.time) { replies.keyboard = $0 }
    }
    batch.keys { replies.keys = $0 }
    if case .pair(let pair) = hold, let opcode = devices.opcode {
      batch.pointer(pair.pointer, opcode, over: display.root) { (replies.state, replies.asked) = ($0, $1) }
      batch.pointer(over: display.root) { core, _ in replies.core = core }
    } else {
      batch.pointer(over: display.root) { (replies.state, replies.asked) = ($0, $1) }
    }
    batch.send { [unowned self] in
      guard let request = requested, request.serial == serial else { return }
      requested = nil
      let result = answer(replies, hold, to: request)
      putBack(request.events)
      receive(result)
    }
  }

  /// Adds the release of the grab that the press has given this client by XInput 2, which excludes another one of the
  /// core protocol. A grab of the core protocol is no obstacle to the next, and a new one of XInput 2 replaces the old.
  private func addRelease(to batch: inout RequestBatch, before hold: Hold, of device: InputDevice) {
    var grabbed: [Int32] = []
    switch hold {
    case .core: grabbed = [InputExtension.corePointer]
    case .pair(let pair): grabbed = [pair.pointer]
    case .touch: break
    }
    if case .device(let id) = device { grabbed.append(Int32(clamping: id)) }
    guard devices.opcode != nil, !grabbed.isEmpty else { return }
    batch.add { [devices] in for device in Set(grabbed) { devices.ungrab(device, at: .currentTime) } }
  }

  private func addPointerGrab(
    to batch: inout RequestBatch, _ hold: Hold, _ request: Requested, _ receive: @escaping (Int?) -> Void
  ) {
    switch hold {
    case .core: batch.grabPointer(window, Self.pointerEvents, request.cursor, request.time, receive)
    case .pair(let pair):
      guard let opcode = devices.opcode else { return }
      batch.grabDevice(pair.pointer, opcode, window, Self.pointerInput, request.cursor, request.time, receive)
    case .touch(let device):
      guard case .touch(let id, let sequence) = device, let touch = touches[device] else { return }
      batch.add { [devices] in devices.accept(sequence, of: Int32(clamping: id), in: touch.window) }
    }
  }

  private func answer(_ replies: Replies, _ hold: Hold, to request: Requested) -> GrabResult {
    var keyboard = Keyboard(replies.keys)
    if request.hasNewKeys { keyboard.remap(display) }
    noted.keyboard = keyboard
    do throws(GrabFailure) {
      let isTouch = request.device.isTouch
      if !isTouch { try check(replies.pointer) }
      try check(replies.keyboard)
      guard let state = replies.state else { throw .closed }
      let touch = touches[request.device]
      let point = touch?.point ?? state.point
      held = Held(
        hold: hold, keyboard: keyboard, serial: request.serial, time: request.time, known: (point, replies.asked))
      let pointer = PointerSample(
        point: point, time: request.time, modifiers: keyboard.modifiers(inState: state.mask))
      let down: Set<PointerButton> = !isTouch ? replies.buttons : lifted.contains(request.device) ? [] : [.primary]
      return .success(GrabStart(pointer: pointer, down: down))
    } catch {
      // Only what was granted: another grab of this client may be the host's. And with the grab's own timestamp: the
      // server ignores an earlier one.
      ungrab(hold, pointer: isGranted(replies.pointer), keyboard: isGranted(replies.keyboard), at: request.time)
      return .failure(error)
    }
  }

  /// Puts events back into Xlib's queue, before all others.
  private func putBack(_ events: [XEvent]) {
    display.request(onError: .swallow) { display in
      for var event in events.reversed() { XPutBackEvent(display, &event) }
    }
  }

  /// Notes releases of buttons from now on, for ``queuedRelease(of:since:)``.
  func noteReleases(since time: Timestamp) {
    if noted.time != time { noted = NotedReleases(time: time) }
  }

  /// Notes a release in any window.
  func note(_ release: XButtonEvent, of device: InputDevice = .core) {
    guard let time = noted.time, !time.isLater(than: Timestamp(release.time)) else { return }
    noted.note(release, of: device)
  }

  /// See ``WindowSystem/queuedRelease(of:since:)``.
  ///
  /// Until the grab is active, the server reports press, motion and release to the window that was pressed. All of them
  /// have been read by now: they precede the replies of ``take(_:cursor:at:then:)``.
  func queuedRelease(of button: PointerButton, since time: Timestamp) -> PointerSample? {
    let passed = noted.release(of: button.rawValue).flatMap { time.isLater(than: Timestamp($0.time)) ? nil : $0 }
    // A finger's release is not in the core protocol.
    let queued = noted.device.isTouch ? nil : queued(button, since: time)
    guard let release = passed ?? queued else { return nil }
    let keyboard = held?.keyboard ?? noted.keyboard ?? Keyboard(display)
    return PointerSample(
      point: Point(x: Int(release.x_root), y: Int(release.y_root)), time: Timestamp(release.time),
      modifiers: keyboard.modifiers(inState: release.state))
  }

  private func queued(_ button: PointerButton, since time: Timestamp) -> XButtonEvent? {
    var found: XButtonEvent?
    display.visitEvents { event in
      guard found == nil, event.pointee.type == ButtonRelease else { return }
      let release = event.pointee.xbutton
      if release.button == button.rawValue, !time.isLater(than: Timestamp(release.time)) { found = release }
    }
    return found
  }

  /// Releases the grab, or what the server grants of the one that it has not answered.
  func release(at time: Timestamp) {
    guard let start = held?.time ?? requested?.time else { return }
    let (hold, request) = (held?.hold ?? requested?.hold, requested)
    (held, requested) = (nil, nil)
    // The server ignores an ungrab with a timestamp before the grab's, and the pointer would stay grabbed. And if it
    // refuses this grab, a later one of the host must stay.
    let isLate = time == .currentTime ? request == nil : !start.isLater(than: time)
    if let hold { ungrab(hold, pointer: true, keyboard: true, at: isLate ? time : start) }
    putBack(request?.events ?? [])
  }

  private func ungrab(_ hold: Hold, pointer: Bool, keyboard: Bool, at time: Timestamp) {
    switch hold {
    case .core: ungrabCore(pointer: pointer, keyboard: keyboard, at: time)
    case .touch: ungrabCore(pointer: false, keyboard: keyboard, at: time)
    case .pair(let pair):
      if let device = pair.keyboard {
        if keyboard { devices.ungrab(device, at: time) }
      } else {
        ungrabCore(pointer: false, keyboard: keyboard, at: time)
      }
      if pointer {
        released = Released(device: .device(Int(pair.pointer)), serial: display.nextSerial)
        devices.ungrab(pair.pointer, at: time)
      }
      display.request(onError: .swallow) { XFlush($0) }
    }
  }

  private func ungrabCore(pointer: Bool, keyboard: Bool, at time: Timestamp) {
    display.request(onError: .swallow) {
      if keyboard { XUngrabKeyboard($0, time.xTime) }
      if pointer {
        released = Released(device: .core, serial: XNextRequest($0))
        XUngrabPointer($0, time.xTime)
      }
      XFlush($0)
    }
  }

  /// Finds the host's window that an event of a released grab was meant for, and its origin in root coordinates.
  ///
  /// The server keeps a grab until it processes the ungrab request. The user may release and press again before this
  /// program has read the release. The server then reports that press, and the events after it, to the grab window.
  /// The host gets them as the server would have reported them without the grab.
  private func redirection(
    of event: UnsafePointer<XEvent>, from device: InputDevice
  ) -> (window: WindowID, origin: Point)? {
    // `XMotionEvent` and `XButtonEvent` share the layout of the fields that are used here.
    let input = event.pointee.xbutton
    guard let released, released.device == device, input.serial < released.serial else { return nil }
    switch input.type {
    case ButtonPress where released.pressed == nil:
      let window = ownWindow(at: Point(x: Int(input.x_root), y: Int(input.y_root)), pressedBy: device)
      guard let window else { return nil }
      self.released?.pressed = window
    case ButtonPress, ButtonRelease, MotionNotify: break
    default: return nil
    }
    guard let window = self.released?.pressed, let origin = windows.origin(of: window) else { return nil }
    if input.type == ButtonRelease { self.released?.pressed = nil }
    return (window, origin)
  }

  /// Puts an event of a released grab of the core protocol back into the queue.
  private func redirect(_ event: UnsafePointer<XEvent>) {
    guard let (window, origin) = redirection(of: event, from: .core) else { return }
    var copy = event.pointee
    copy.xbutton.window = window.xid
    copy.xbutton.subwindow = 0
    copy.xbutton.x = copy.xbutton.x_root - Int32(clamping: origin.x)
    copy.xbutton.y = copy.xbutton.y_root - Int32(clamping: origin.y)
    display.request(onError: .swallow) { XPutBackEvent($0, &copy) }
  }

  /// Redirects an event of a released XInput 2 grab, in place.
  ///
  /// - Returns: The changed event; `nil` if the event does not belong to a released grab.
  func redirect(_ event: UnsafePointer<XEvent>, _ input: InputExtension.Event) -> InputExtension.Event? {
    guard WindowID(input.core.xany.window) == window,
      let (window, origin) = withUnsafePointer(to: input.core, { redirection(of: $0, from: input.device) })
    else { return nil }
    devices.redirect(event, to: window, at: origin)
    return devices.read(event)
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

  /// See ``WindowSystem/movePointer(_:at:)``.
  func movePointer(_ move: PointerMove, at time: Timestamp) -> PointerSample? {
    guard let held else { return nil }
    var state: PointerState?
    let asked: UInt
    switch held.hold {
    case .core:
      display.request(onError: .swallow) {
        switch move {
        case .by(let dx, let dy): XWarpPointer($0, 0, 0, 0, 0, 0, 0, Int32(clamping: dx), Int32(clamping: dy))
        case .to(let point):
          XWarpPointer($0, 0, display.root.xid, 0, 0, 0, 0, Int32(clamping: point.x), Int32(clamping: point.y))
        }
      }
      // The server clamps the warp to the screen's edges, and to the parts that a monitor shows.
      asked = display.nextSerial
      state = windows.pointer()
    case .pair(let pair):
      guard let opcode = devices.opcode else { return nil }
      devices.warp(pair.pointer, move)
      asked = display.nextSerial
      var batch = RequestBatch(display)
      batch.pointer(pair.pointer, opcode, over: display.root) { answer, _ in state = answer }
      batch.run()
    // A finger is where it is.
    case .touch: return nil
    }
    guard let state else { return nil }
    self.held?.known = (state.point, asked)
    return PointerSample(point: state.point, time: time, modifiers: held.keyboard.modifiers(inState: state.mask))
  }

  func show(_ cursor: Cursor) {
    requested?.cursor = cursor
    guard let hold = held?.hold ?? requested?.hold, let time = held?.time ?? requested?.time else { return }
    switch hold {
    case .core:
      display.request(onError: .swallow) {
        XChangeActivePointerGrab($0, UInt32(Self.pointerEvents), cursor, Timestamp.currentTime.xTime)
      }
    case .pair(let pair):
      // XInput 2 has no request for this. A grab replaces another one of the same client; with the same time, the
      // server takes each ungrab that it would have taken of the first.
      guard let opcode = devices.opcode else { return }
      var batch = RequestBatch(display)
      batch.grabDevice(pair.pointer, opcode, window, Self.pointerInput, cursor, time) { _ in }
      batch.send {}
    case .touch: break
    }
  }

  // MARK: Touches

  /// Processes an event of a finger: one of the primary button.
  ///
  /// - Returns: `nil` for a finger that does not drag. Otherwise what it means for the drag, which may be nothing.
  func follow(_ device: InputDevice, _ event: XButtonEvent) -> [ServerEvent]? {
    let point = Point(x: Int(event.x_root), y: Int(event.y_root))
    if event.type == ButtonRelease {
      forget(device)
    } else {
      // Of windows that are gone, no end is reported.
      if touches.count == Self.touchLimit { touches.removeAll() }
      touches[device] = Touch(window: WindowID(event.window), point: point)
    }
    if requested?.hold == .touch(device) { return [] }
    guard let held, held.hold == .touch(device) else { return nil }
    let sample = PointerSample(
      point: point, time: Timestamp(event.time), modifiers: held.keyboard.modifiers(inState: event.state))
    switch event.type {
    case ButtonRelease: return [.buttonReleased(.primary, sample)]
    case MotionNotify: return [.pointerMoved(sample)]
    default: return []
    }
  }

  /// Forgets the fingers on a window that is destroyed, because no end of their touches will be reported.
  ///
  /// - Returns: ``ServerEvent/grabLost`` if one of them drags.
  func windowVanished(_ window: WindowID) -> ServerEvent? {
    for (device, touch) in touches where touch.window == window { forget(device) }
    guard case .touch(let device)? = held?.hold, touches[device] == nil else { return nil }
    return lose()
  }

  private func forget(_ device: InputDevice) {
    touches[device] = nil
    if lifted.count == Self.touchLimit { lifted.removeFirst() }
    lifted.append(device)
  }

  /// The maximum number of touches that are followed, and of ended ones that are remembered.
  private static let touchLimit = 64

  /// Decodes an event of the grab window; `nil` for irrelevant ones, for those of an earlier grab, and for those that
  /// are kept until the answer to a request.
  func interpret(_ event: UnsafePointer<XEvent>) -> ServerEvent? {
    if let requested, event.pointee.xany.serial >= requested.serial {
      self.requested?.keep(event.pointee)
      return nil
    }
    guard let held, event.pointee.xany.serial >= held.serial else {
      redirect(event)
      return nil
    }
    // A key or button event that is older than a warp is read after it: use the position after the warp.
    let known = event.pointee.xany.serial < held.known.serial ? held.known.point : nil
    switch event.pointee.type {
    case MotionNotify:
      guard known == nil else { return nil }
      let motion = event.pointee.xmotion
      return .pointerMoved(
        PointerSample(
          point: Point(x: Int(motion.x_root), y: Int(motion.y_root)), time: Timestamp(motion.time),
          modifiers: held.keyboard.modifiers(inState: motion.state)))
    case ButtonPress, ButtonRelease:
      let press = event.pointee.xbutton
      let button = PointerButton(rawValue: press.button)
      let sample = PointerSample(
        point: known ?? Point(x: Int(press.x_root), y: Int(press.y_root)), time: Timestamp(press.time),
        modifiers: held.keyboard.modifiers(inState: press.state))
      return event.pointee.type == ButtonPress ? .buttonPressed(button, sample) : .buttonReleased(button, sample)
    case KeyPress, KeyRelease:
      let key = event.pointee.xkey
      // The event has the place of a pointer, which need not be where the finger is.
      let finger: Point? = if case .touch(let device) = held.hold { touches[device]?.point } else { nil }
      return self.held?.keyboard.interpret(
        key, at: finger ?? known ?? Point(x: Int(key.x_root), y: Int(key.y_root)))
    case LeaveNotify:
      return event.pointee.xcrossing.mode == NotifyUngrab ? lose() : nil
    case FocusOut:
      return event.pointee.xfocus.mode == NotifyUngrab ? lose() : nil
    case UnmapNotify, DestroyNotify:
      return lose()
    default:
      return nil
    }
  }

  /// Reads the modifier mapping again after a `MappingNotify`: Alt may have moved.
  func keyboardChanged() {
    held?.keyboard.remap(display)
    requested?.hasNewKeys = true
  }

  /// The server has ended one of the two grabs: releases the other and reports the loss once.
  private func lose() -> ServerEvent? {
    release(at: .currentTime)
    return .grabLost
  }

  private func check(_ status: Int?) throws(GrabFailure) {
    if isGranted(status) { return }
    switch status.map(Int32.init) {
    case AlreadyGrabbed: throw .alreadyGrabbed
    case GrabNotViewable: throw .notViewable
    case GrabInvalidTime: throw .invalidTime
    case GrabFrozen: throw .frozen
    default: throw .closed
    }
  }

  private func isGranted(_ status: Int?) -> Bool { status == Int(GrabSuccess) }
}
