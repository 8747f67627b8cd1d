import XDnDX11
import CXTest
package import XDnD

/// An event of XInput 2, by its number.
package enum InputEventKind: Int32 {
  case press = 4
  case release, motion
  case touchBegin = 18
  case touchUpdate, touchEnd
}

/// XInput 2, used through libXi as toolkits do.
extension XlibPeer {
  /// Selects events of a window.
  ///
  /// - Parameter device: By default all master devices (`XIAllMasterDevices`).
  package func selectInput(_ events: [InputEventKind], on window: WindowID, of device: Int32 = 1) throws {
    var (major, minor): (Int32, Int32) = (2, 2)
    guard XIQueryVersion(display, &major, &minor) == Success else { throw HarnessError("the server has no XInput 2") }
    var bytes = [UInt8](repeating: 0, count: 4)
    for event in events { bytes[Int(event.rawValue) / 8] |= 1 << UInt8(event.rawValue % 8) }
    bytes.withUnsafeMutableBufferPointer {
      var mask = XIEventMask(deviceid: device, mask_len: Int32($0.count), mask: $0.baseAddress)
      _ = XISelectEvents(display, window.xid, &mask, 1)
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
    var count: Int32 = 0
    guard let devices = XIQueryDevice(display, 0, &count) else { throw HarnessError("no devices") }
    defer { XIFreeDeviceInfo(devices) }
    let named = UnsafeBufferPointer(start: devices, count: Int(count)).first {
      $0.name.map { String(cString: $0) } == "\(name) pointer"
    }
    guard let named else { throw HarnessError("the server has added no pointer") }
    return named.deviceid
  }

  /// Releases what this client has grabbed of a device by XInput 2.
  package func ungrab(_ device: Int32) {
    XIUngrabDevice(display, device, Time(CurrentTime))
    sync()
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
