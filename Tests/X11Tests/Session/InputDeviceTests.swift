import XDnDX11
import CXTest
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// Drags that begin with presses of which the host hears by XInput 2, on another connection, or from another pointer.
///
/// One after another: libXi has a list of all displays, which it frees with the last of them and makes again for the next,
/// both without a lock.
@Suite("Input devices", .requiresXvfb, .serialized, .timeLimit(.minutes(2)))
struct InputDeviceTests {
  private static let inside = Point(x: 120, y: 120)
  private static let outside = Point(x: 300, y: 300)
  private static let presses = [InputEventKind.press, .release, .motion]

  /// A finger on the host's window. Xvfb has no touch device, so the events are made here, as libXi would make them of
  /// the server's.
  private struct Finger {
    static let device = 12
    private let host: InputHost
    private let sequence: UInt32

    init(_ host: InputHost, _ sequence: UInt32) {
      self.host = host
      self.sequence = sequence
    }

    /// Passes an event to the driver, and returns whether it is the driver's only.
    ///
    /// - Parameter place: In root coordinates.
    func report(_ kind: InputEventKind, _ place: Point, at time: Timestamp? = nil) -> Bool {
      let serial = XLastKnownRequestProcessed(host.peer.display)
      var data = XIDeviceEvent()
      data.serial = serial
      data.evtype = kind.rawValue
      data.time = UInt((time ?? host.driver.serverTime).rawValue)
      data.deviceid = Int32(Self.device)
      data.detail = Int32(bitPattern: sequence)
      data.event = host.window.xid
      (data.root_x, data.root_y) = (Double(place.x) + 0.5, Double(place.y) + 0.5)
      (data.event_x, data.event_y) = (data.root_x - 100, data.root_y - 100)
      var event = XEvent()
      event.xcookie.type = GenericEvent
      event.xcookie.serial = serial
      event.xcookie.display = host.peer.display
      event.xcookie.extension = host.peer.inputOpcode
      event.xcookie.evtype = kind.rawValue
      event.xcookie.cookie = 1
      return withUnsafeMutablePointer(to: &data) {
        event.xcookie.data = UnsafeMutableRawPointer($0)
        return host.driver.filter(xEvent: &event)
      }
    }
  }

  private func withHost(
    patience: Duration = .seconds(20), _ body: @escaping @Sendable (XServer, InputHost, Pointer) throws -> Void
  ) async throws {
    try await XServer.with { server in
      let pointer = try Pointer(server)
      try await onOwnThread { try body(server, InputHost(server, patience: patience), pointer) }
    }
  }

  // MARK: XInput 2

  @Test(arguments: [false, true])
  func `a press by XInput 2 becomes a drag, whether or not the host names the device`(isNamed: Bool) async throws {
    try await withHost { server, host, pointer in
      try host.peer.selectInput(Self.presses, on: host.window)
      pointer.move(to: Self.inside)
      pointer.press()
      try host.run { host.pressed != nil }
      let pressed = try #require(host.pressed)
      host.begin(isNamed ? pressed.device : .core, at: pressed.time)
      try host.run { !host.told.isEmpty }
      #expect(host.told == ["began"])
      let seen = host.input.count
      pointer.move(to: Self.outside)
      pointer.release()
      try host.run { host.told.count == 2 }
      #expect(host.told == ["began", "\(DragOutcome.noTarget)"])
      // The release is the drag's own.
      #expect(host.input.count == seen)
      #expect(host.input.allSatisfy { $0.hasData })
      // Pointer and keyboard are free.
      let other = try XlibPeer(server)
      #expect(other.canGrab)
    }
  }

  @Test func `a press that the host knows from a pen moves the pointer of the pen's master`() async throws {
    try await withHost { server, host, pointer in
      // The server's own device for XTEST is a slave of the first pointer, as a pen is.
      let pen: Int32 = 4
      try host.peer.selectInput(Self.presses, on: host.window, of: pen)
      pointer.move(to: Self.inside)
      pointer.press()
      try host.run { host.pressed != nil }
      let pressed = try #require(host.pressed)
      #expect(pressed.device == .device(Int(pen)))
      host.begin(pressed.device, at: pressed.time)
      try host.run { !host.told.isEmpty }
      #expect(host.told == ["began"])
      let target = try TextTarget(server)
      pointer.move(to: target.inside)
      try host.run {
        try? target.driver.process()
        return target.positions.last == target.inside
      }
      #expect(pointer.position == target.inside)
      pointer.release()
      try host.run {
        try? target.driver.process()
        return host.told.count == 2
      }
      #expect(host.told.last == "\(DragOutcome.dropped(.copy))")
      #expect(try XlibPeer(server).canGrab)
    }
  }

  @Test func `a device is grabbed by its master, and one without a master by itself`() {
    let devices = [(2, 1, 3), (3, 2, 2), (4, 3, 2), (5, 4, 3), (6, 1, 7), (7, 2, 6), (8, 3, 6), (9, 5, 0)].map {
      InputExtension.Device(id: $0.0, use: $0.1, attachment: $0.2)
    }
    func hold(_ id: Int32) -> GrabMachine.Hold { InputExtension.hold(for: id, among: devices) }
    #expect(hold(2) == .pair(pointer: 2, keyboard: 3))
    #expect(hold(4) == .pair(pointer: 2, keyboard: 3))
    #expect(hold(8) == .pair(pointer: 6, keyboard: 7))
    #expect(hold(9) == .pair(pointer: 9, keyboard: nil))
    // Keyboards, and what does not exist.
    for id: Int32 in [3, 5, 7, 10, -1] { #expect(hold(id) == .core) }
  }

  @Test func `an interaction observes a window whose events are those of XInput 2`() async throws {
    try await withHost { _, host, pointer in
      try host.peer.selectInput(Self.presses, on: host.window)
      let interaction = DragInteraction(host.driver, delegate: host)
      host.driver.add(interaction, to: host.window)
      pointer.move(to: Self.inside)
      pointer.press()
      try host.run { interaction.currentPress != nil }
      #expect(interaction.currentPress?.device == .device(2))
      #expect(interaction.currentPress?.location == Point(x: 20, y: 20))
      pointer.move(to: Self.outside)
      try host.run { host.told.contains("began") }
      pointer.release()
      try host.run { host.told.count == 3 }
      #expect(host.told == ["items at \(Point(x: 20, y: 20))", "began", "\(DragOutcome.noTarget)"])
      #expect(host.input.contains { $0.kind == .press } && host.input.allSatisfy { $0.hasData })
    }
  }

  @Test func `without libXi, a grab of a device tells of motion, keys and buttons`() async throws {
    try await XServer.with { server in
      let (us, pointer) = (try XlibConnection(server), try Pointer(server))
      pointer.move(to: Point(x: 50, y: 60))
      pointer.press(1)
      us.prepareInput()
      let start = try us.grab(.device(2), cursor: .copy, at: us.serverTime())
      #expect(start.0.point == Point(x: 50, y: 60))
      #expect(start.down == [.primary])
      #expect(pointer.cursorName == "copy" || !pointer.cursorName.isEmpty)
      pointer.move(to: Point(x: 70, y: 61))
      try pointer.press(key: "Shift_L")
      try pointer.tap(key: "Escape")
      try pointer.release(key: "Shift_L")
      pointer.release(1)
      let events = us.drain()
      let words = events.map { event in
        switch event {
        case .pointerMoved(let sample): "moved to \(sample.point)"
        case .modifiersChanged(let sample): "modifiers \(sample.modifiers.rawValue)"
        case .keyPressed(let key, let sample): "\(key) \(sample.modifiers.rawValue)"
        case .buttonReleased(let button, let sample): "released \(button.rawValue) at \(sample.point)"
        default: "\(event)"
        }
      }
      #expect(
        words == [
          "moved to \(Point(x: 70, y: 61))", "modifiers 1", "\(DragKey.cancel) 1", "modifiers 0",
          "released 1 at \(Point(x: 70, y: 61))",
        ])
      let moved = us.movePointer(.by(dx: 5, dy: 0), at: us.serverTime())
      #expect(moved?.point == Point(x: 75, y: 61))
      #expect(pointer.position == Point(x: 75, y: 61))
      us.ungrab(at: us.serverTime())
      let other = try XlibConnection(server)
      _ = try other.grab(cursor: .copy, at: other.serverTime())
    }
  }

  @Test func `a grab of a device begins with the locked modifiers, as one of the core pointer does`() async throws {
    try await XServer.with { server in
      let (us, other) = (try XlibConnection(server), try XlibPeer(server))
      XkbLockModifiers(other.display, UInt32(XkbUseCoreKbd), UInt32(ControlMask), UInt32(ControlMask))
      XSync(other.display, 0)
      us.prepareInput()
      for device in [InputDevice.core, .device(2)] {
        let start = try us.grab(device, cursor: .copy, at: us.serverTime())
        #expect(start.0.modifiers == .control)
        us.ungrab(at: us.serverTime())
      }
    }
  }

  @Test func `the cursor changes during a grab of a device, and the grab can be released`() async throws {
    try await XServer.with { server in
      let (us, other, pointer) = (try XlibConnection(server), try XlibConnection(server), try Pointer(server))
      us.prepareInput()
      _ = try us.grab(.device(2), cursor: .copy, at: us.serverTime())
      us.flush()
      let first = pointer.cursorName
      us.show(.move)
      _ = us.drain()
      #expect(pointer.cursorName != first)
      // An old time must not leave the pointer caught.
      us.ungrab(at: Timestamp(rawValue: 1))
      _ = us.drain()
      _ = try other.grab(cursor: .copy, at: other.serverTime())
    }
  }

  @Test func `a grab of a device that another client holds is refused, and leaves the keyboard free`() async throws {
    try await XServer.with { server in
      let (us, other) = (try XlibConnection(server), try XlibConnection(server))
      us.prepareInput()
      _ = try other.grab(cursor: .copy, at: other.serverTime())
      #expect(throws: GrabFailure.alreadyGrabbed) { try us.grab(.device(2), cursor: .copy, at: us.serverTime()) }
      other.ungrab(at: .currentTime)
      _ = other.serverTime()
      _ = try us.grab(.device(2), cursor: .copy, at: us.serverTime())
    }
  }

  @Test func `a device that does not exist is the pointer of the core protocol`() async throws {
    try await XServer.with { server in
      let (us, pointer) = (try XlibConnection(server), try Pointer(server))
      us.prepareInput()
      _ = try us.grab(.device(77), cursor: .copy, at: us.serverTime())
      pointer.move(to: Point(x: 9, y: 9))
      #expect(us.drain().contains { if case .pointerMoved = $0 { true } else { false } })
    }
  }

  // MARK: Touches

  @Test func `a finger that holds begins a drag, and its touch leads the drag to a drop`() async throws {
    try await withHost { server, host, _ in
      let target = try TextTarget(server)
      let interaction = DragInteraction(host.driver, delegate: host)
      interaction.touchTrigger = .hold(.milliseconds(30))
      host.driver.add(interaction, to: host.window)
      let finger = Finger(host, 5)
      #expect(!finger.report(.touchBegin, Self.inside))
      #expect(interaction.currentPress?.device == .touch(Finger.device, sequence: 5))
      try host.run { host.told == ["lifted"] }
      #expect(!finger.report(.touchUpdate, Point(x: 140, y: 120)))
      try host.run { host.told.last == "began" }
      // Another finger is the host's.
      #expect(!Finger(host, 6).report(.touchUpdate, Point(x: 900, y: 700)))
      #expect(finger.report(.touchUpdate, target.inside))
      try host.run {
        try? target.driver.process()
        return target.positions.last == target.inside
      }
      #expect(finger.report(.touchEnd, target.inside))
      try host.run {
        try? target.driver.process()
        return host.told.count == 3
      }
      #expect(host.told.last == "\(DragOutcome.dropped(.copy))")
      #expect(!finger.report(.touchEnd, target.inside))
      #expect(try XlibPeer(server).canGrab)
    }
  }

  @Test func `a tap is a click, and a finger that moves early is the host's`() async throws {
    try await withHost { _, host, _ in
      let interaction = DragInteraction(host.driver, delegate: host)
      host.driver.add(interaction, to: host.window)
      let (first, second) = (Finger(host, 1), Finger(host, 2))
      #expect(!first.report(.touchBegin, Self.inside))
      #expect(!first.report(.touchEnd, Self.inside))
      #expect(host.told == ["clicked"])
      #expect(!second.report(.touchBegin, Self.inside))
      #expect(!second.report(.touchUpdate, Self.outside))
      #expect(!second.report(.touchEnd, Self.outside))
      try host.process()
      #expect(host.told == ["clicked"])
    }
  }

  @Test func `a finger that is up before the drag has its grab drops where it was`() async throws {
    try await withHost { _, host, _ in
      let finger = Finger(host, 5)
      let time = host.driver.serverTime
      _ = finger.report(.touchBegin, Self.inside, at: time)
      host.begin(.touch(Finger.device, sequence: 5), at: time)
      _ = finger.report(.touchEnd, Self.outside, at: time)
      try host.run { host.told.count == 2 }
      #expect(host.told == ["began", "\(DragOutcome.noTarget)"])
    }
  }

  @Test func `keys during the drag of a finger count where the finger is, and Escape ends it`() async throws {
    try await withHost { server, host, pointer in
      pointer.move(to: Point(x: 900, y: 700))
      let (finger, target) = (Finger(host, 5), try TextTarget(server))
      let time = host.driver.serverTime
      _ = finger.report(.touchBegin, target.inside, at: time)
      host.begin(.touch(Finger.device, sequence: 5), at: time)
      try host.run {
        try? target.driver.process()
        return target.positions.last == target.inside
      }
      try pointer.press(key: "Shift_L")
      try pointer.tap(key: "Escape")
      try pointer.release(key: "Shift_L")
      try host.run { host.told.count == 2 }
      #expect(host.told == ["began", "\(DragOutcome.cancelled(.escape))"])
      #expect(target.positions.allSatisfy { $0 == target.inside })
    }
  }

  @Test func `a finger on a window that is destroyed drags no more`() async throws {
    try await withHost { _, host, _ in
      XSelectInput(host.peer.display, host.window.xid, StructureNotifyMask)
      let time = host.driver.serverTime
      _ = Finger(host, 5).report(.touchBegin, Self.inside, at: time)
      host.begin(.touch(Finger.device, sequence: 5), at: time)
      try host.run { host.told == ["began"] }
      host.peer.destroy(host.window)
      try host.run { host.told.count == 2 }
      #expect(host.told.last == "\(DragOutcome.cancelled(.grabLost))")
    }
  }

  // MARK: Several pointers

  @Test func `a drag follows its own pointer, and leaves the others free`() async throws {
    try await withHost { server, host, pointer in
      let second = try Pointer(server)
      let device = try host.peer.addPointer("second")
      second.control(device)
      try host.peer.selectInput(Self.presses, on: host.window)
      pointer.move(to: Point(x: 500, y: 500))
      second.move(to: Self.inside)
      second.press()
      try host.run { host.pressed != nil }
      let pressed = try #require(host.pressed)
      #expect(pressed.device == .device(Int(device)))
      let target = try TextTarget(server)
      host.begin(pressed.device, at: pressed.time)
      try host.run { !host.told.isEmpty }
      #expect(host.told == ["began"])
      // The first pointer is another user's.
      pointer.move(to: Point(x: 510, y: 500))
      let other = try XlibPeer(server)
      #expect(other.canGrab)
      second.move(to: target.inside)
      try host.run {
        try? target.driver.process()
        return target.positions.last == target.inside
      }
      second.release()
      try host.run {
        try? target.driver.process()
        return host.told.count == 2
      }
      #expect(host.told.last == "\(DragOutcome.dropped(.copy))")
      #expect(target.positions.allSatisfy { $0 == target.inside })
    }
  }

  @Test(arguments: [false, true])
  func `a press before a drag gives the pointer back is for the window that was pressed in`(
    isSecond: Bool
  ) async throws {
    try await withHost { _, host, pointer in
      if isSecond { pointer.control(try host.peer.addPointer("second")) }
      try host.peer.selectInput(Self.presses, on: host.window)
      pointer.move(to: Self.inside)
      pointer.press()
      try host.run { host.pressed != nil }
      let first = try #require(host.pressed)
      host.begin(first.device, at: first.time)
      try host.run { !host.told.isEmpty }
      #expect(host.told == ["began"])
      let earlier = host.input.count
      // The server reports these events to the grab window. The host reads them only afterwards.
      pointer.release()
      pointer.move(to: Point(x: 130, y: 140))
      pointer.press()
      pointer.move(to: Point(x: 135, y: 140))
      pointer.release()
      host.peer.sync()
      try host.run { host.told.count == 2 }
      #expect(host.told.last == "\(DragOutcome.noTarget)")
      #expect(host.input[earlier...].map(\.kind) == [.press, .motion, .release])
      let second = try #require(host.pressed)
      #expect(second.device == first.device)
      #expect(second.window == host.window)
      #expect(second.location == Point(x: 30, y: 40))
      // Events after the second release are not redirected.
      pointer.press()
      try host.run { host.input.last?.kind == .press }
      #expect(host.pressed?.location == Point(x: 35, y: 40))
      pointer.release()
    }
  }

  // MARK: Another connection

  @Test func `a host releases the grab of its other connection, and the drag begins`() async throws {
    try await withHost { server, host, pointer in
      let toolkit = try XlibPeer(server)
      let window = toolkit.makeWindow(Rect(x: 0, y: 0, width: 90, height: 90))
      XSelectInput(toolkit.display, window.xid, ButtonPressMask | ButtonReleaseMask)
      toolkit.sync()
      host.onGrabNeeded = {
        XUngrabPointer(toolkit.display, Time(CurrentTime))
        XFlush(toolkit.display)
      }
      pointer.move(to: Point(x: 20, y: 20))
      pointer.press()
      var event = XEvent()
      XWindowEvent(toolkit.display, window.xid, ButtonPressMask, &event)
      host.begin(.core, at: Timestamp(event.xbutton.time))
      try host.run { host.told.count == 2 }
      #expect(host.told == ["needs grab", "began"])
      pointer.release()
      try host.run { host.told.count == 3 }
      #expect(host.told.last == "\(DragOutcome.noTarget)")
    }
  }

  @Test func `a host releases the grab that its other connection has by XInput 2`() async throws {
    try await withHost { server, host, pointer in
      let toolkit = try XlibPeer(server)
      let window = toolkit.makeWindow(Rect(x: 0, y: 0, width: 90, height: 90))
      try toolkit.selectInput(Self.presses, on: window)
      host.onGrabNeeded = { toolkit.ungrab(2) }
      pointer.move(to: Point(x: 20, y: 20))
      pointer.press()
      host.begin(.device(2), at: host.driver.serverTime)
      try host.run { host.told.count == 2 }
      #expect(host.told == ["needs grab", "began"])
      pointer.release()
      try host.run { host.told.count == 3 }
    }
  }

  @Test func `a grab that another client keeps ends the drag when the patience is over`() async throws {
    try await withHost(patience: .milliseconds(100)) { server, host, _ in
      let other = try XlibConnection(server)
      _ = try other.grab(cursor: .copy, at: other.serverTime())
      host.begin(.core, at: host.driver.serverTime)
      try host.run { host.told.count == 2 }
      #expect(host.told == ["needs grab", "\(DragOutcome.cancelled(.grabLost))"])
    }
  }
}

extension XlibConnection {
  /// Claims the selection, as a drag does first. The server answers the question about XInput 2 before this one.
  func prepareInput() {
    #expect(answer { claim(.xdndSelection, at: serverTime(), then: $0) } == true)
  }
}

extension XlibPeer {
  /// The major opcode of the X Input Extension.
  fileprivate var inputOpcode: Int32 {
    var (opcode, event, error): (Int32, Int32, Int32) = (0, 0, 0)
    XQueryExtension(display, "XInputExtension", &opcode, &event, &error)
    return opcode
  }
}
