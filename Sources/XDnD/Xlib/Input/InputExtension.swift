import XDnDX11
import XDnDXlibint

/// The X Input Extension, version 2: queries and grabs devices, and reads their events.
///
/// The library requests no version before ``ask(in:_:)``. By then, a host that uses XInput 2 on the same connection has
/// requested its own, which the library's request does not change.
final class InputExtension {
  /// The first master pointer, which every server has: the one that core requests use, unless a client chooses another.
  static let corePointer: Int32 = 2

  private let display: DisplayHandle
  private var isAnswered = false
  private var deliversEvents = false
  /// The major opcode of the extension; `nil` if the server lacks it or has not answered yet.
  private(set) var opcode: Int32?

  init(_ display: DisplayHandle) {
    self.display = display
  }

  /// Asks for the extension, without waiting.
  func prepare() { question().send {} }

  /// A batch that asks for the extension.
  private func question() -> RequestBatch {
    var batch = RequestBatch(display)
    let name = Array("XInputExtension".utf8)
    let request = xQueryExtensionReq(
      reqType: UInt8(X_QueryExtension), pad: 0, length: 0, nbytes: UInt16(name.count), pad1: 0, pad2: 0)
    batch.ask(request, data: name, for: xQueryExtensionReply.self) { [weak self] reply in
      if let head = reply?.head, head.present != 0 { self?.opcode = Int32(head.major_opcode) }
      self?.isAnswered = true
    }
    return batch
  }

  /// An input device, as `XIQueryDevice` reports it.
  struct Device: Hashable {
    var id: Int32
    var use: Int32
    /// Of a master: the other half of the pair. Of a slave: its master.
    var attachment: Int32
  }

  /// Adds a query for the devices to a batch, and lets Xlib deliver their events from now on.
  ///
  /// - Parameter receive: Called with no devices if the server has no XInput 2.
  func ask(in batch: inout RequestBatch, _ receive: @escaping ([Device]) -> Void) {
    guard let opcode else { return receive([]) }
    if !deliversEvents {
      deliversEvents = true
      display.request(onError: .swallow) { XDnDInputDeliverEvents($0, opcode) }
    }
    // The server answers with an error if the host has asked for a later version that is not compatible.
    let version = xXIQueryVersionReq(
      reqType: UInt8(opcode), ReqType: UInt8(X_XIQueryVersion), length: 0, major_version: 2, minor_version: 2)
    batch.ask(version, for: xXIQueryVersionReply.self) { _ in }
    let request = xXIQueryDeviceReq(
      reqType: UInt8(opcode), ReqType: UInt8(X_XIQueryDevice), length: 0, deviceid: UInt16(XIAllDevices), pad: 0)
    batch.ask(request, for: xXIQueryDeviceReply.self) { reply in
      guard let reply else { return receive([]) }
      var devices: [Device] = []
      var tail = reply.tail
      while devices.count < reply.head.num_devices, let info = tail.next(xXIDeviceInfo.self) {
        devices.append(
          Device(id: Int32(info.deviceid), use: Int32(info.use), attachment: Int32(info.attachment)))
        // Skips the padded name and the classes.
        tail.skip((Int(info.name_len) + 3) & ~3)
        for _ in 0..<info.num_classes {
          guard let any = tail.next(xXIAnyInfo.self) else { break }
          tail.skip(4 * Int(any.length) - MemoryLayout<xXIAnyInfo>.size)
        }
      }
      receive(devices)
    }
  }

  /// Adds a grab of a device, and passes on the status that `XIGrabDevice` returns.
  ///
  /// - Parameter events: The numbers of the events that are reported.
  func grab(
    _ device: Int32, _ window: WindowID, _ events: [Int32], _ cursor: Cursor, _ time: Timestamp,
    in batch: inout RequestBatch, _ receive: @escaping (UInt8?) -> Void
  ) {
    guard let opcode else { return }
    // One bit for each event's number, from the lowest bit of the first byte.
    var mask: [UInt8] = [0, 0, 0, 0]
    for event in events { mask[Int(event) / 8] |= 1 << (event % 8) }
    let request = xXIGrabDeviceReq(
      reqType: UInt8(opcode), ReqType: UInt8(X_XIGrabDevice), length: 0, grab_window: window.rawValue,
      time: time.rawValue, cursor: UInt32(cursor), deviceid: UInt16(truncatingIfNeeded: device),
      grab_mode: UInt8(GrabModeAsync),
      paired_device_mode: UInt8(GrabModeAsync), owner_events: 0, pad: 0, mask_len: UInt16(mask.count / 4))
    batch.ask(request, data: mask, for: xXIGrabDeviceReply.self) { receive($0?.head.status) }
  }

  /// Adds a request for the state of a master pointer, as ``RequestBatch/pointer(over:_:)`` does.
  func pointer(
    _ device: Int32, in batch: inout RequestBatch, _ receive: @escaping (PointerState?, _ serial: UInt) -> Void
  ) {
    guard let opcode else { return }
    let request = xXIQueryPointerReq(
      reqType: UInt8(opcode), ReqType: UInt8(X_XIQueryPointer), length: 0, win: display.root.rawValue,
      deviceid: UInt16(truncatingIfNeeded: device), pad1: 0)
    batch.ask(request, for: xXIQueryPointerReply.self) { reply in
      receive(
        reply.map { reply in
          // Coordinates are fixed-point numbers. The buttons follow as a bit field, from button 0.
          var tail = reply.tail
          // `effective_mods` is 0 in this reply.
          let mods = reply.head.mods
          let modifiers = mods.base_mods | mods.latched_mods | mods.locked_mods
          let buttons = reply.head.buttons_len > 0 ? UInt32(tail.next(UInt8.self) ?? 0) & 0x3e : 0
          return PointerState(
            point: Point(x: Int(reply.head.root_x) >> 16, y: Int(reply.head.root_y) >> 16),
            mask: modifiers & 0xff | buttons << 7)
        }, reply?.serial ?? 0)
    }
  }

  /// The devices to grab for a press: the master pointer with its keyboard, or a floating slave alone, or else the core
  /// pointer and keyboard.
  static func hold(for id: Int32, among devices: [Device]) -> GrabMachine.Hold {
    let pressed = devices.first { $0.id == id }
    switch pressed?.use {
    case XIMasterPointer?: return .pair(pointer: id, keyboard: pressed?.attachment)
    case XISlavePointer?:
      let master = devices.first { $0.id == pressed?.attachment && $0.use == XIMasterPointer }
      return master.map { .pair(pointer: $0.id, keyboard: $0.attachment) } ?? .core
    case XIFloatingSlave?: return .pair(pointer: id, keyboard: nil)
    default: return .core
    }
  }

  /// Releases this client's XInput 2 grab of a device, such as the implicit grab of a press. A core grab stays.
  func ungrab(_ device: Int32, at time: Timestamp) {
    guard let opcode else { return }
    display.sendRequest(
      xXIUngrabDeviceReq(
        reqType: UInt8(opcode), ReqType: UInt8(X_XIUngrabDevice), length: 0, time: time.rawValue,
        deviceid: UInt16(truncatingIfNeeded: device), pad: 0))
  }

  /// Moves a master pointer.
  ///
  /// - Parameter origin: The window that the position is relative to; `.none` to move by (x, y).
  func warp(_ device: Int32, relativeTo origin: WindowID, _ x: Int32, _ y: Int32) {
    guard let opcode else { return }
    var request = xXIWarpPointerReq()
    (request.reqType, request.ReqType) = (UInt8(opcode), UInt8(X_XIWarpPointer))
    (request.dst_win, request.dst_x, request.dst_y) = (origin.rawValue, x << 16, y << 16)
    request.deviceid = UInt16(truncatingIfNeeded: device)
    display.sendRequest(request)
  }

  /// Accepts a touch sequence, in case a touch grab of the host delivers it.
  func accept(_ sequence: UInt32, of device: Int32, in window: WindowID) {
    guard let opcode else { return }
    display.sendRequest(
      xXI2_2AllowEventsReq(
        reqType: UInt8(opcode), ReqType: UInt8(X_XIAllowEvents), length: 0, time: Timestamp.currentTime.rawValue,
        deviceid: UInt16(truncatingIfNeeded: device), mode: UInt8(XIAcceptTouch), pad: 0, touchid: sequence,
        grab_window: window.rawValue))
  }

  /// Whether this client has selected presses of a master pointer on a window.
  func selectsPresses(of pointer: Int32, on window: WindowID) -> Bool {
    guard let opcode else { return false }
    let request = xXIGetSelectedEventsReq(
      reqType: UInt8(opcode), ReqType: UInt8(X_XIGetSelectedEvents), length: 0, win: window.rawValue)
    var isSelected = false
    var batch = RequestBatch(display)
    batch.ask(request, for: xXIGetSelectedEventsReply.self) { reply in
      guard var tail = reply?.tail else { return }
      while let mask = tail.next(xXIEventMask.self) {
        let bits = (0..<4 * Int(mask.mask_len)).compactMap { _ in tail.next(UInt8.self) }
        let isPresses = bits.first.map { $0 & 1 << XI_ButtonPress != 0 } ?? false
        if isPresses, [XIAllDevices, XIAllMasterDevices, pointer].contains(Int32(mask.deviceid)) { isSelected = true }
      }
    }
    batch.run()
    return isSelected
  }

  // MARK: Events

  /// An event of a device.
  struct Event {
    /// The event in the form of the core protocol. A touch becomes an event of the primary button.
    var core: XEvent
    var device: InputDevice
  }

  /// Redirects a device event to another window, in place. The host then reads the changed event.
  ///
  /// - Parameter origin: The window's origin in root coordinates.
  func redirect(_ event: UnsafePointer<XEvent>, to window: WindowID, at origin: Point) {
    guard let opcode else { return }
    display.request(onError: .swallow) {
      XDnDInputRedirectEvent($0, event, opcode, window.xid, Int32(clamping: origin.x), Int32(clamping: origin.y))
    }
  }

  /// Reads an event of a device; `nil` for other events. The host may still read it.
  func read(_ event: UnsafePointer<XEvent>) -> Event? {
    guard event.pointee.type == GenericEvent else { return nil }
    // If the end of a touch were missed, its drag would never end. This waits only right after the library has
    // connected.
    if !isAnswered { question().run() }
    guard let opcode else { return nil }
    var input = XDnDInputEvent()
    let isRead = display.request(onError: .swallow) { XDnDInputReadEvent($0, event, opcode, &input) }
    guard isRead == true else { return nil }
    let type: Int32 =
      switch input.kind {
      case XI_KeyPress: KeyPress
      case XI_KeyRelease: KeyRelease
      case XI_ButtonPress, XI_TouchBegin: ButtonPress
      case XI_ButtonRelease, XI_TouchEnd: ButtonRelease
      default: MotionNotify
      }
    let isTouch = [XI_TouchBegin, XI_TouchUpdate, XI_TouchEnd].contains(input.kind)
    // `XKeyEvent`, `XButtonEvent` and `XMotionEvent` share the layout of all other fields.
    var core = XEvent()
    core.xbutton = XButtonEvent(
      type: type, serial: input.serial, send_event: input.isSent ? True : False, display: event.pointee.xany.display,
      window: input.window, root: input.root, subwindow: input.child, time: input.time, x: input.x, y: input.y,
      x_root: input.rootX, y_root: input.rootY, state: input.state,
      button: isTouch ? PointerButton.primary.rawValue : input.detail, same_screen: True)
    if type == MotionNotify {
      core.xmotion.is_hint = CChar(NotifyNormal)
      core.xmotion.same_screen = True
    }
    return Event(
      core: core,
      device: isTouch ? .touch(Int(input.device), sequence: input.detail) : .device(Int(input.device)))
  }
}
