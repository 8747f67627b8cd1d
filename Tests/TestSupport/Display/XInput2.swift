import XDnDX11
import CXTest
package import XDnD

/// An event of XInput 2, by its number.
package enum InputEventKind: Int32 {
  case press = 4
  case release, motion
  case touchBegin = 18
  case touchUpdate, touchEnd, touchOwnership
}

/// XInput 2, used through libXi as toolkits do.
extension XlibPeer {
  /// Selects events of a window.
  ///
  /// - Parameter device: By default all master devices (`XIAllMasterDevices`).
  package func selectInput(_ events: [InputEventKind], on window: WindowID, of device: Int32 = 1) throws {
    try withMask(of: events, device) { _ = XISelectEvents(display, window.xid, &$0, 1) }
  }

  private func withMask(
    of events: [InputEventKind], _ device: Int32 = 1, _ request: (inout XIEventMask) -> Void
  ) throws {
    var (major, minor): (Int32, Int32) = (2, 2)
    guard XIQueryVersion(display, &major, &minor) == Success else { throw HarnessError("the server has no XInput 2") }
    var bytes = [UInt8](repeating: 0, count: 4)
    for event in events { bytes[Int(event.rawValue) / 8] |= 1 << UInt8(event.rawValue % 8) }
    bytes.withUnsafeMutableBufferPointer {
      var mask = XIEventMask(deviceid: device, mask_len: Int32($0.count), mask: $0.baseAddress)
      request(&mask)
    }
    sync()
  }

  /// Adds another pointer and another keyboard.
  ///
  /// - Returns: The number of the pointer.
  package func addPointer(_ name: String) throws -> Int32 {
    var (major, minor): (Int32, Int32) = (2, 2)
    guard XIQueryVersion(display, &major, &minor) == Success else { throw HarnessError("the server has no XInput 2") }
    name.withCString {
      // 1 is `XIAddMaster`.
      var change = XIAddMasterInfo(type: 1, name: UnsafeMutablePointer(mutating: $0), send_core: True, enable: True)
      _ = XIChangeHierarchy(display, &change, 1)
    }
    sync()
    return try device("\(name) pointer")
  }

  /// The number of a device.
  package func device(_ name: String) throws -> Int32 {
    var count: Int32 = 0
    guard let devices = XIQueryDevice(display, 0, &count) else { throw HarnessError("no devices") }
    defer { XIFreeDeviceInfo(devices) }
    let named = UnsafeBufferPointer(start: devices, count: Int(count)).first {
      $0.name.map { String(cString: $0) } == name
    }
    guard let named else { throw HarnessError("the server has no device \(name)") }
    return named.deviceid
  }

  /// Releases what this client has grabbed of a device by XInput 2.
  package func ungrab(_ device: Int32) {
    XIUngrabDevice(display, device, Time(CurrentTime))
    sync()
  }

  // MARK: Touches

  /// An event of a touch.
  package struct TouchEvent {
    package let device: Int32
    package let sequence: UInt32
    package let time: Timestamp
  }

  /// Grabs the touches that begin in a window, until the client answers for each.
  package func grabTouches(on window: WindowID) throws {
    try withMask(of: [.touchBegin, .touchUpdate, .touchEnd]) { mask in
      // Whatever keys are down.
      var modifiers = XIGrabModifiers(modifiers: Int32(bitPattern: 1 << 31), status: 0)
      _ = XIGrabTouchBegin(display, 1, window.xid, False, &mask, 1, &modifiers)
    }
  }

  /// Takes a touch that this client has grabbed, or passes it on to the next client.
  package func answer(_ touch: TouchEvent, accepting: Bool, on window: WindowID) {
    // `XIAcceptTouch` and `XIRejectTouch`.
    XIAllowTouchEvents(display, touch.device, touch.sequence, window.xid, accepting ? 6 : 7)
    sync()
  }

  /// The next event of this kind, within five seconds. Events of other kinds are skipped.
  package func nextTouch(_ kind: InputEventKind) -> TouchEvent? {
    while var event = event(GenericEvent) {
      guard XGetEventData(display, &event.xcookie) != False else { continue }
      defer { XFreeEventData(display, &event.xcookie) }
      guard event.xcookie.evtype == kind.rawValue, let data = event.xcookie.data else { continue }
      let input = data.assumingMemoryBound(to: XIDeviceEvent.self).pointee
      return TouchEvent(device: input.deviceid, sequence: UInt32(bitPattern: input.detail), time: Timestamp(input.time))
    }
    return nil
  }
}

extension Pointer {
  /// Moves another pointer of the server from now on.
  package func control(_ device: Int32) {
    connection { display, _ in
      var (major, minor): (Int32, Int32) = (2, 2)
      _ = XIQueryVersion(display, &major, &minor)
      _ = XISetClientPointer(display, 0, device)
    }
  }
}
