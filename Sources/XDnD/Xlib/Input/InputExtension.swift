import XDnDX11
import XDnDXlibint

/// The X Input Extension, version 2: which devices there are, and what their events mean.
///
/// No version is requested before ``ask(in:_:)``: a host that uses XInput 2 on the same connection has then requested its
/// own, which this library's request does not change.
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
    batch.opcode(ofExtension: "XInputExtension") { [weak self] in
      self?.opcode = $0
      self?.isAnswered = true
    }
    return batch
  }

  /// Adds the question for the devices to a batch, and lets Xlib deliver their events from now on.
  ///
  /// - Parameter receive: Called with no devices if the server has no XInput 2.
  func ask(in batch: inout RequestBatch, _ receive: @escaping ([RequestBatch.DeviceInfo]) -> Void) {
    guard let opcode else { return receive([]) }
    if !deliversEvents {
      deliversEvents = true
      display.request(onError: .swallow) { XDnDInputDeliverEvents($0, opcode) }
    }
    batch.inputVersion(opcode, major: 2, minor: 2)
    batch.inputDevices(opcode) { receive($0 ?? []) }
  }

  /// What to grab for a press of a device: its master pointer and that one's keyboard, or the core protocol's if there is no
  /// such pointer.
  static func hold(for id: Int32, among devices: [RequestBatch.DeviceInfo]) -> GrabMachine.Hold {
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

  /// Releases a grab that this client has taken of a device by XInput 2, such as the implicit one of a press. A core grab
  /// stays.
  func ungrab(_ device: Int32, at time: Timestamp) {
    guard let opcode else { return }
    display.request(onError: .swallow) { XDnDInputUngrab($0, opcode, device, time.xTime) }
  }

  /// Moves a master pointer.
  ///
  /// - Parameter origin: The window that the position is relative to; `.none` to move by (x, y).
  func warp(_ device: Int32, relativeTo origin: WindowID, _ x: Int32, _ y: Int32) {
    guard let opcode else { return }
    display.request(onError: .swallow) { XDnDInputWarp($0, opcode, device, origin.xid, x, y) }
  }

  /// Accepts a touch sequence, in case that a touch grab of the host delivers it.
  func accept(_ sequence: UInt32, of device: Int32, in window: WindowID) {
    guard let opcode else { return }
    display.request(onError: .swallow) { XDnDInputAcceptTouch($0, opcode, device, sequence, window.xid) }
  }

  /// Whether this client has selected presses of a master pointer on a window.
  func selectsPresses(of pointer: Int32, on window: WindowID) -> Bool {
    guard let opcode else { return false }
    var answer = false
    var batch = RequestBatch(display)
    batch.selectsInput(XI_ButtonPress, of: pointer, on: window, opcode) { answer = $0 }
    batch.run()
    return answer
  }

  // MARK: Events

  /// An event of a device.
  struct Event {
    /// The same as an event of the core protocol. That of a touch is one of the primary button.
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
    // A missed end of a touch would leave its drag without an end. This waits only right after the library has connected.
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
