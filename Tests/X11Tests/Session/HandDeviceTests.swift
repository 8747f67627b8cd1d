import XDnDX11
import TestSupport
import Testing

@testable import XDnD

extension InputDeviceTests {
  /// Fingers on a real touchscreen, and a real pen, as far as the server can tell.
  @Suite("Touchscreens and pens", .requiresXorg)
  struct FingersAndPens {
    private static let inside = Point(x: 120, y: 120)
    private static let outside = Point(x: 300, y: 300)
    private static let touches = [InputEventKind.touchBegin, .touchUpdate, .touchEnd]
    private static let presses = [InputEventKind.press, .release, .motion]

    private func withHost(
      _ body: @escaping @Sendable (XServer, InputHost, HandDevices) throws -> Void
    ) async throws {
      try await XServer.withHandDevices { server, devices in
        try await onOwnThread { try body(server, InputHost(server), devices) }
      }
    }

    /// Runs a host and a target until a condition holds.
    private func run(
      _ host: InputHost, _ target: TextTarget, at place: SourceLocation = #_sourceLocation, until condition: () -> Bool
    ) throws {
      try host.run(at: place) {
        try? target.driver.process()
        return condition()
      }
    }

    /// Moves a finger that drags to the target, and lifts it there.
    private func drop(_ touchscreen: Touchscreen, _ host: InputHost, on target: TextTarget) throws {
      for x in stride(from: 220, to: target.inside.x, by: 20) {
        try touchscreen.move(to: Point(x: x, y: target.inside.y))
        try host.process()
      }
      try touchscreen.move(to: target.inside)
      try run(host, target) { target.positions.last == target.inside }
      try touchscreen.lift()
      try run(host, target) { host.told.last == "\(DragOutcome.dropped(.copy))" }
      #expect(host.told.last == "\(DragOutcome.dropped(.copy))")
      #expect(target.texts == ["x"])
    }

    // MARK: Fingers

    /// The events are selected of all master devices, or of the touchscreen.
    @Test(arguments: [false, true])
    func `a finger that rests lifts the item, and drags it where it goes`(isOfSlave: Bool) async throws {
      try await withHost { server, host, devices in
        let target = try TextTarget(server)
        let interaction = DragInteraction(host.driver, delegate: host)
        host.driver.add(interaction, to: host.window)
        let device = isOfSlave ? try host.peer.device("touchscreen") : 1
        try host.peer.selectInput(Self.touches, on: host.window, of: device)
        try devices.touchscreen.touch(Self.inside)
        try host.run { host.told == ["lifted"] }
        let press = try #require(interaction.currentPress)
        #expect(press.device == host.pressed?.device)
        #expect(press.location == Point(x: 20, y: 20))
        try devices.touchscreen.move(to: Point(x: 150, y: 150))
        try host.run { host.told == ["lifted", "began"] }
        let seen = host.input.count
        try drop(devices.touchscreen, host, on: target)
        // The rest of the touch is the drag's own.
        #expect(host.input.count == seen)
        #expect(host.input.allSatisfy { $0.hasData })
        // The next touch is a new one.
        try devices.touchscreen.touch(Self.inside)
        try devices.touchscreen.lift()
        try host.run { host.told.last == "clicked" }
        #expect(host.input.last?.kind == .touchEnd)
      }
    }

    @Test func `a tap is a click, and a finger that moves at once is the host's`() async throws {
      try await withHost { _, host, devices in
        host.driver.add(DragInteraction(host.driver, delegate: host), to: host.window)
        try host.peer.selectInput(Self.touches, on: host.window)
        try devices.touchscreen.touch(Self.inside)
        try devices.touchscreen.lift()
        try host.run { host.told == ["clicked"] }
        try devices.touchscreen.touch(Self.inside)
        for y in [140, 160, 180] { try devices.touchscreen.move(to: Point(x: 120, y: y)) }
        try devices.touchscreen.lift()
        try host.run { host.input.count { $0.kind == .touchEnd } == 2 }
        #expect(host.told == ["clicked"])
        #expect(host.input.count { $0.kind == .touchUpdate } >= 3)
      }
    }

    @Test func `two fingers pinch, and drag nothing`() async throws {
      try await withHost { _, host, devices in
        let interaction = DragInteraction(host.driver, delegate: host)
        host.driver.add(interaction, to: host.window)
        try host.peer.selectInput(Self.touches, on: host.window)
        try devices.touchscreen.touch(Self.inside, finger: 1)
        try host.run { interaction.currentPress != nil }
        try devices.touchscreen.touch(Point(x: 160, y: 160), finger: 2)
        try host.run { interaction.currentPress == nil }
        // Longer than it takes to lift an item.
        let end = ContinuousClock.now + .milliseconds(700)
        try host.run { .now > end }
        try devices.touchscreen.move(to: Point(x: 105, y: 105), finger: 1)
        try devices.touchscreen.move(to: Point(x: 190, y: 190), finger: 2)
        try devices.touchscreen.lift(finger: 1)
        try devices.touchscreen.lift(finger: 2)
        try host.run { host.input.count { $0.kind == .touchEnd } == 2 }
        #expect(host.told.isEmpty)
        #expect(host.input.count { $0.kind == .touchUpdate } >= 2)
      }
    }

    @Test func `a host begins a drag of a finger itself, and keeps its other fingers`() async throws {
      try await withHost { server, host, devices in
        let target = try TextTarget(server)
        try host.peer.selectInput(Self.touches, on: host.window)
        try devices.touchscreen.touch(Self.inside, finger: 1)
        try host.run { host.pressed != nil }
        let pressed = try #require(host.pressed)
        host.begin(pressed.device, at: pressed.time)
        try host.run { host.told == ["began"] }
        let seen = host.input.count
        try devices.touchscreen.touch(Point(x: 160, y: 160), finger: 2)
        try devices.touchscreen.move(to: Point(x: 150, y: 160), finger: 2)
        try devices.touchscreen.lift(finger: 2)
        try host.run { host.input.count >= seen + 3 }
        #expect(host.input.last?.kind == .touchEnd)
        try drop(devices.touchscreen, host, on: target)
        // Nothing holds the pointer or the keyboard.
        #expect(try XlibPeer(server).canGrab)
      }
    }

    @Test(arguments: [true, false])
    func `a finger that is down before there is a driver drags, and one that is up already drops`(
      isDown: Bool
    ) async throws {
      try await XServer.withHandDevices { server, devices in
        try await onOwnThread {
          let target = try TextTarget(server)
          var touch: XlibPeer.TouchEvent?
          let host = try InputHost(server) { peer, window in
            try peer.selectInput(Self.touches, on: window)
            try devices.touchscreen.touch(Self.inside)
            touch = peer.nextTouch(.touchBegin)
            if !isDown { try devices.touchscreen.lift() }
          }
          let begin = try #require(touch)
          host.begin(.touch(Int(begin.device), sequence: begin.sequence), at: begin.time)
          if isDown {
            try host.run { host.told == ["began"] }
            try drop(devices.touchscreen, host, on: target)
          } else {
            try host.run { host.told.count == 2 }
            #expect(host.told == ["began", "\(DragOutcome.noTarget)"])
          }
        }
      }
    }

    @Test func `a finger that another client lets through drags`() async throws {
      try await withHost { server, host, devices in
        let (target, manager) = (try TextTarget(server), try XlibPeer(server))
        host.driver.add(DragInteraction(host.driver, delegate: host), to: host.window)
        try host.peer.selectInput(Self.touches, on: host.window)
        // As a program does that recognizes gestures on the whole screen.
        try manager.grabTouches(on: WindowID(manager.root))
        try devices.touchscreen.touch(Self.inside)
        let touch = try #require(manager.nextTouch(.touchBegin))
        try host.process()
        #expect(host.input.isEmpty)
        manager.answer(touch, accepting: false, on: WindowID(manager.root))
        try host.run { host.told == ["lifted"] }
        try devices.touchscreen.move(to: Point(x: 150, y: 150))
        try host.run { host.told == ["lifted", "began"] }
        try drop(devices.touchscreen, host, on: target)
      }
    }

    @Test func `a drag takes a finger that the host has grabbed away from other clients`() async throws {
      try await withHost { server, host, devices in
        let (target, other) = (try TextTarget(server), try XlibPeer(server))
        host.driver.add(DragInteraction(host.driver, delegate: host), to: host.window)
        try host.peer.grabTouches(on: host.window)
        // It sees the touch at once, and handles it if the host does not.
        let child = other.makeWindow(in: host.window, Rect(x: 0, y: 0, width: 100, height: 100))
        try other.selectInput(Self.touches + [.touchOwnership], on: child)
        try devices.touchscreen.touch(Self.inside)
        #expect(other.nextTouch(.touchBegin) != nil)
        try host.run { host.told == ["lifted"] }
        try devices.touchscreen.move(to: Point(x: 150, y: 150))
        try host.run { host.told == ["lifted", "began"] }
        // The finger is still down.
        #expect(other.nextTouch(.touchEnd) != nil)
        try drop(devices.touchscreen, host, on: target)
      }
    }

    @Test func `a finger whose window is destroyed drags no more`() async throws {
      try await withHost { _, host, devices in
        XSelectInput(host.peer.display, host.window.xid, StructureNotifyMask)
        try host.peer.selectInput(Self.touches, on: host.window)
        try devices.touchscreen.touch(Self.inside)
        try host.run { host.pressed != nil }
        let pressed = try #require(host.pressed)
        host.begin(pressed.device, at: pressed.time)
        try host.run { host.told == ["began"] }
        host.peer.destroy(host.window)
        try host.run { host.told.count == 2 }
        #expect(host.told.last == "\(DragOutcome.cancelled(.grabLost))")
      }
    }

    /// By core events, or by those of XInput 2.
    @Test(arguments: [false, true])
    func `a finger is a pointer where the host selects no touches`(isXInput: Bool) async throws {
      try await withHost { server, host, devices in
        let target = try TextTarget(server)
        if isXInput { try host.peer.selectInput(Self.presses, on: host.window) }
        host.driver.add(DragInteraction(host.driver, delegate: host), to: host.window)
        try host.run { host.driver.serverTime != .currentTime }
        try devices.touchscreen.touch(Self.inside)
        try devices.touchscreen.move(to: Point(x: 150, y: 150))
        try host.run { host.told.last == "began" }
        #expect(host.told.first == "items at \(Point(x: 20, y: 20))")
        try drop(devices.touchscreen, host, on: target)
        #expect(try XlibPeer(server).canGrab)
      }
    }

    // MARK: Pens

    /// As with fingers.
    @Test(arguments: [false, true])
    func `a pen drags`(isOfSlave: Bool) async throws {
      try await withHost { server, host, devices in
        let target = try TextTarget(server)
        host.driver.add(DragInteraction(host.driver, delegate: host), to: host.window)
        let device = isOfSlave ? try host.peer.device("pen") : 1
        try host.peer.selectInput(Self.presses, on: host.window, of: device)
        try devices.pen.approach(Self.inside)
        try devices.pen.press(at: Self.inside)
        try host.run { host.pressed != nil }
        #expect(host.pressed?.device == .device(isOfSlave ? Int(device) : 2))
        try devices.pen.move(to: Point(x: 150, y: 150))
        try host.run { host.told.last == "began" }
        try devices.pen.move(to: target.inside)
        try run(host, target) { target.positions.last == target.inside }
        try devices.pen.lift(at: target.inside)
        try run(host, target) { host.told.last == "\(DragOutcome.dropped(.copy))" }
        #expect(host.told.last == "\(DragOutcome.dropped(.copy))")
        #expect(target.texts == ["x"])
        #expect(try XlibPeer(server).canGrab)
      }
    }
  }
}
