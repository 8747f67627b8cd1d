import XDnDX11
import TestSupport
import Testing

@testable import XDnD

@Suite("Grabs", .requiresXvfb, .timeLimit(.minutes(1)))
struct GrabTests {
  @Test func `a grab tells where the pointer is, what is down, and then all that happens`() async throws {
    try await XServer.with { server in
      let (us, pointer) = (try XlibConnection(server), try Pointer(server))
      pointer.move(to: Point(x: 50, y: 60))
      pointer.press(1)
      try pointer.press(key: "Shift_L")
      let time = us.serverTime()
      let start = try us.grab(cursor: .copy, at: time)
      #expect(start.0 == PointerSample(point: Point(x: 50, y: 60), time: time, modifiers: .shift))
      #expect(start.down == [.primary])
      try pointer.release(key: "Shift_L")
      guard case .modifiersChanged(let sample) = us.next() else {
        Issue.record("no news of the key")
        return
      }
      #expect(sample.modifiers == [])
      #expect(sample.point == Point(x: 50, y: 60))
      pointer.move(to: Point(x: 70, y: 60))
      guard case .pointerMoved(let moved) = us.next() else {
        Issue.record("no motion")
        return
      }
      #expect(moved.point == Point(x: 70, y: 60))
      #expect(!time.isLater(than: moved.time))
      pointer.press(3)
      pointer.release(1)
      guard case .buttonPressed(PointerButton(rawValue: 3), _) = us.next(),
        case .buttonReleased(.primary, let released) = us.next()
      else {
        Issue.record("no buttons")
        return
      }
      #expect(released.point == Point(x: 70, y: 60))
      pointer.release(3)
    }
  }

  @Test func `a release from before the grab is found in the queue, and stays there for the host`() async throws {
    try await XServer.with { server in
      let (host, pointer) = (try XlibPeer(server), try Pointer(server))
      let us = XlibConnection(borrowing: host.display)
      let window = host.makeWindow(Rect(x: 0, y: 0, width: 300, height: 300))
      XSelectInput(host.display, window.xid, ButtonPressMask | ButtonReleaseMask | PointerMotionMask)
      host.sync()
      pointer.move(to: Point(x: 20, y: 20))
      pointer.press()
      var event = XEvent()
      XWindowEvent(host.display, window.xid, ButtonPressMask, &event)
      let pressed = Timestamp(event.xbutton.time)
      pointer.move(to: Point(x: 200, y: 100))
      pointer.release()
      pointer.move(to: Point(x: 250, y: 250))

      #expect(try us.grab(cursor: .copy, at: pressed).down.isEmpty)
      let release = try #require(us.queuedRelease(of: .primary, since: pressed))
      #expect(release.point == Point(x: 200, y: 100))
      #expect(us.queuedRelease(of: .secondary, since: pressed) == nil)
      let later = Timestamp(rawValue: release.time.rawValue &+ 1)
      #expect(us.queuedRelease(of: .primary, since: later) == nil)
      #expect(XCheckTypedEvent(host.display, ButtonRelease, &event) != 0)
    }
  }

  @Test func `a press before the grab is given back is for the window that was pressed in`() async throws {
    try await XServer.with { server in
      let (host, pointer) = (try XlibPeer(server), try Pointer(server))
      let us = XlibConnection(borrowing: host.display)
      let window = host.makeWindow(Rect(x: 100, y: 100, width: 300, height: 300))
      let presses = ButtonPressMask | ButtonReleaseMask | PointerMotionMask
      XSelectInput(host.display, window.xid, presses)
      host.sync()
      pointer.move(to: Point(x: 120, y: 120))
      pointer.press()
      var event = XEvent()
      XWindowEvent(host.display, window.xid, ButtonPressMask, &event)
      let pressed = Timestamp(event.xbutton.time)
      // The motion to the place of the press came before it, and is still in the queue.
      while XCheckTypedEvent(host.display, MotionNotify, &event) != 0 {}
      _ = try us.grab(cursor: .copy, at: pressed)

      // All of this is told to the grab's window, before the program looks.
      pointer.release()
      pointer.move(to: Point(x: 150, y: 160))
      pointer.press()
      pointer.move(to: Point(x: 180, y: 190))
      host.sync()
      var heard: [ServerEvent] = []
      var forHost: [XEvent] = []
      while XPending(host.display) > 0 {
        XNextEvent(host.display, &event)
        let isOurs = us.filter(&event) { news in
          heard.append(news)
          if case .buttonReleased(_, let release) = news { us.ungrab(at: release.time) }
        }
        if !isOurs, [ButtonPress, MotionNotify].contains(event.type) { forHost.append(event) }
      }
      #expect(heard.contains { if case .buttonReleased = $0 { true } else { false } })
      #expect(!heard.contains { if case .buttonPressed = $0 { true } else { false } })
      #expect(forHost.map(\.type) == [ButtonPress, MotionNotify])
      #expect(forHost.allSatisfy { $0.xany.window == window.xid })
      let press = try #require(forHost.first).xbutton
      #expect(Point(x: Int(press.x), y: Int(press.y)) == Point(x: 50, y: 60))
      pointer.release()
    }
  }

  @Test func `modifiers are those after the key, the other Shift remains, and Alt is where the server has it`()
    async throws
  {
    try await XServer.with { server in
      let (us, peer, pointer) = (try XlibConnection(server), try XlibPeer(server), try Pointer(server))
      // Alt moves from Mod1 to Mod3.
      let map = XGetModifierMapping(peer.display)
      let keys = [XK_Alt_L, XK_Meta_L].map { XKeysymToKeycode(peer.display, KeySym($0)) }
      var moved = map
      for key in keys { moved = XDeleteModifiermapEntry(moved, key, Mod1MapIndex) }
      moved = XInsertModifiermapEntry(moved, keys[0], Int32(Mod3MapIndex))
      #expect(XSetModifierMapping(peer.display, moved) == MappingSuccess)
      XFreeModifiermap(moved)
      peer.sync()

      _ = try us.grab(cursor: .copy, at: us.serverTime())
      func press(_ key: String, _ expected: Modifiers, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try pointer.press(key: key)
        expect(expected, sourceLocation)
      }
      func release(_ key: String, _ expected: Modifiers, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try pointer.release(key: key)
        expect(expected, sourceLocation)
      }
      func expect(_ expected: Modifiers, _ sourceLocation: SourceLocation) {
        let event = us.next { if case .modifiersChanged = $0 { true } else { false } }
        guard case .modifiersChanged(let sample) = event else {
          Issue.record("no news of the key", sourceLocation: sourceLocation)
          return
        }
        #expect(sample.modifiers == expected, sourceLocation: sourceLocation)
      }
      try press("Control_L", .control)
      try press("Shift_L", [.control, .shift])
      try press("Shift_R", [.control, .shift])
      try release("Shift_L", [.control, .shift])
      try release("Shift_R", .control)
      try press("Alt_L", [.control, .alt])
      pointer.move(to: Point(x: 9, y: 9))
      guard case .pointerMoved(let sample) = us.next() else {
        Issue.record("no motion")
        return
      }
      #expect(sample.modifiers == [.control, .alt])
      try release("Control_L", .alt)
      try release("Alt_L", [])
    }
  }

  @Test func `Escape is told, other keys are not, and motions in a row are one`() async throws {
    try await XServer.with { server in
      let (us, pointer) = (try XlibConnection(server), try Pointer(server))
      _ = try us.grab(cursor: .copy, at: us.serverTime())
      try pointer.tap(key: "a")
      try pointer.tap(key: "Escape")
      for x in 1...50 { pointer.move(to: Point(x: x, y: 1)) }
      try pointer.tap(key: "Escape")
      let events = us.drain()
      #expect(events.keys == [.cancel, .cancel])
      let motions = events.compactMap { if case .pointerMoved(let sample) = $0 { sample.point } else { nil } }
      #expect(motions == [Point(x: 50, y: 1)])
      #expect(events.count == 3)
    }
  }

  @Test func `after an ungrab all is free and silent, and another grab hears nothing of the first one`() async throws {
    try await XServer.with { server in
      let (us, other, pointer) = (try XlibConnection(server), try XlibConnection(server), try Pointer(server))
      _ = try us.grab(cursor: .copy, at: us.serverTime())
      #expect(throws: GrabFailure.alreadyGrabbed) { try other.grab(cursor: .copy, at: other.serverTime()) }
      // An old time must not leave the pointer caught.
      us.ungrab(at: Timestamp(rawValue: 1))
      pointer.move(to: Point(x: 5, y: 5))
      #expect(us.drain().isEmpty)
      _ = try other.grab(cursor: .copy, at: other.serverTime())
      other.ungrab(at: .currentTime)
      _ = other.serverTime()
      _ = try us.grab(cursor: .copy, at: .currentTime)
      #expect(us.drain().isEmpty)
      us.ungrab(at: us.serverTime())
      #expect(us.drain().isEmpty)
      _ = try other.grab(cursor: .copy, at: .currentTime)
    }
  }

  @Test func `a keyboard that somebody else holds fails the grab and leaves the pointer free`() async throws {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      XGrabKeyboard(peer.display, peer.root, False, GrabModeAsync, GrabModeAsync, CurrentTime.time)
      peer.sync()
      #expect(throws: GrabFailure.alreadyGrabbed) { try us.grab(cursor: .copy, at: us.serverTime()) }
      #expect(us.drain().isEmpty)
      let status = XGrabPointer(
        peer.display, peer.root, False, 0, GrabModeAsync, GrabModeAsync, 0, 0, CurrentTime.time)
      #expect(status == GrabSuccess)
    }
  }

  @Test func `a pointer that somebody else holds fails the grab and leaves the keyboard free`() async throws {
    try await XServer.with { server in
      let (us, peer, other) = (try XlibConnection(server), try XlibPeer(server), try XlibPeer(server))
      XGrabPointer(peer.display, peer.root, False, 0, GrabModeAsync, GrabModeAsync, 0, 0, CurrentTime.time)
      peer.sync()
      #expect(throws: GrabFailure.alreadyGrabbed) { try us.grab(cursor: .copy, at: us.serverTime()) }
      #expect(us.drain().isEmpty)
      let status = XGrabKeyboard(other.display, other.root, False, GrabModeAsync, GrabModeAsync, CurrentTime.time)
      #expect(status == GrabSuccess)
    }
  }

  // MARK: Before the answer

  /// Passes the events in the host's queue to the driver, and returns what the driver reports.
  private func read(_ host: XlibPeer, _ us: XlibConnection) -> [ServerEvent] {
    host.sync()
    var heard: [ServerEvent] = []
    while XPending(host.display) > 0 {
      var event = XEvent()
      XNextEvent(host.display, &event)
      _ = us.filter(&event) { heard.append($0) }
    }
    return heard
  }

  /// A request for the grab, and what the answer to it is.
  private final class Request {
    private var question: Question?
    private(set) var answers: [String] = []
    /// The events that complete the answer. Until a driver sees them, all other events are older than the answer.
    private(set) var marks: [XEvent] = []

    init(_ host: XlibPeer, _ us: XlibConnection) {
      let reply = us.grab(.core, cursor: .copy, at: us.serverTime()) { [unowned self] in
        if case .success(let start) = $0 { answers.append("grabbed at \(start.pointer.point.x)") }
      }
      if case .pending(let question) = reply { self.question = question } else { Issue.record("it has waited") }
      host.sync()
      var event = XEvent()
      while XCheckTypedWindowEvent(host.display, us.dragWindow.xid, PropertyNotify, &event) != 0 { marks.append(event) }
    }
  }

  private func request(_ host: XlibPeer, _ us: XlibConnection) -> Request {
    _ = read(host, us)
    return Request(host, us)
  }

  /// Passes the events that complete the answer to the driver.
  private func complete(_ request: Request, _ us: XlibConnection) -> [String] {
    for var event in request.marks { #expect(us.filter(&event) { (news: ServerEvent) in Issue.record("\(news)") }) }
    return request.answers
  }

  /// A short word for an event.
  private func word(_ event: ServerEvent) -> String {
    switch event {
    case .pointerMoved(let sample): "moved to \(sample.point.x)"
    case .buttonPressed(_, let sample): "pressed at \(sample.point.x)"
    case .buttonReleased(_, let sample): "released at \(sample.point.x)"
    case .grabLost: "lost"
    default: "\(event)"
    }
  }

  @Test func `what is reported before the answer comes after it, in its order`() async throws {
    try await XServer.with { server in
      let (host, pointer) = (try XlibPeer(server), try Pointer(server))
      let us = XlibConnection(borrowing: host.display)
      pointer.move(to: Point(x: 10, y: 10))
      let grab = request(host, us)
      pointer.move(to: Point(x: 30, y: 10))
      pointer.move(to: Point(x: 40, y: 10))
      pointer.press()
      pointer.move(to: Point(x: 70, y: 10))
      pointer.release()
      #expect(read(host, us) == [])
      #expect(complete(grab, us) == ["grabbed at 10"])
      #expect(read(host, us).map(word) == ["moved to 40", "pressed at 40", "moved to 70", "released at 70"])
    }
  }

  /// As a window manager unmaps it when the user changes the workspace.
  @Test func `the window that was pressed in is unmapped, and the grab goes on`() async throws {
    try await XServer.with { server in
      let (us, peer, pointer) = (try XlibConnection(server), try XlibPeer(server), try Pointer(server))
      let display = try #require(us.display.opaque)
      let window = XCreateSimpleWindow(display, peer.root, 0, 0, 300, 300, 0, 0, 0)
      XSelectInput(display, window, ButtonPressMask | ButtonReleaseMask)
      XMapWindow(display, window)
      #expect(us.exists(WindowID(window)))
      pointer.move(to: Point(x: 20, y: 20))
      pointer.press()
      _ = try us.grab(cursor: .copy, at: us.serverTime())
      XUnmapWindow(peer.display, window)
      peer.sync()
      pointer.move(to: Point(x: 70, y: 60))
      pointer.release()
      let heard = us.drain()
      #expect(!heard.contains(.grabLost))
      #expect(
        heard.contains {
          if case .buttonReleased(.primary, let sample) = $0 { sample.point == Point(x: 70, y: 60) } else { false }
        })
    }
  }

  @Test func `a grab that ends before the answer is granted, and then lost`() async throws {
    try await XServer.with { server in
      let (host, peer) = (try XlibPeer(server), try XlibPeer(server))
      let us = XlibConnection(borrowing: host.display)
      let grab = request(host, us)
      XUnmapWindow(peer.display, us.dragWindow.xid)
      peer.sync()
      #expect(read(host, us) == [])
      #expect(complete(grab, us).count == 1)
      #expect(read(host, us).filter { $0 != .stackingChanged } == [.grabLost])
      let other = try XlibConnection(server)
      _ = try other.grab(cursor: .copy, at: other.serverTime())
    }
  }

  @Test func `a grab that is given up before the answer is free at once, and its answer is dropped`() async throws {
    try await XServer.with { server in
      let (host, pointer) = (try XlibPeer(server), try Pointer(server))
      let us = XlibConnection(borrowing: host.display)
      let window = host.makeWindow(Rect(x: 100, y: 100, width: 300, height: 300))
      XSelectInput(host.display, window.xid, ButtonPressMask | ButtonReleaseMask)
      let grab = request(host, us)
      // Reported to the grab's window, and kept.
      pointer.move(to: Point(x: 120, y: 130))
      pointer.press()
      #expect(read(host, us) == [])
      us.ungrab(at: Timestamp(rawValue: 1))
      // The press goes to the window that it would have gone to without the grab.
      var press = XEvent()
      var isPressed = false
      host.sync()
      while XPending(host.display) > 0 {
        XNextEvent(host.display, &press)
        if !us.filter(&press, { (_: ServerEvent) in }), press.type == ButtonPress {
          isPressed = true
          #expect(press.xbutton.window == window.xid)
        }
      }
      #expect(isPressed)
      #expect(complete(grab, us) == [])
      pointer.release()
      let other = try XlibConnection(server)
      _ = try other.grab(cursor: .copy, at: other.serverTime())
    }
  }

  @Test func `a newer request takes the place of one without an answer`() async throws {
    try await XServer.with { server in
      let (us, other) = (try XlibConnection(server), try XlibConnection(server))
      var granted: [Int] = []
      let replies = (1...2).map { number in
        us.grab(.core, cursor: .copy, at: us.serverTime()) { if case .success = $0 { granted.append(number) } }
      }
      _ = us.drain()
      withExtendedLifetime(replies) {}
      #expect(granted == [2])
      us.ungrab(at: us.serverTime())
      #expect(us.drain().isEmpty)
      _ = try other.grab(cursor: .copy, at: other.serverTime())
    }
  }

  @Test func `a release that the host reads while the selection is being acquired is found`() async throws {
    try await XServer.with { server in
      let (host, pointer) = (try XlibPeer(server), try Pointer(server))
      let us = XlibConnection(borrowing: host.display)
      let window = host.makeWindow(Rect(x: 0, y: 0, width: 300, height: 300))
      XSelectInput(host.display, window.xid, ButtonPressMask | ButtonReleaseMask | PointerMotionMask)
      host.sync()
      pointer.move(to: Point(x: 20, y: 20))
      pointer.press()
      var event = XEvent()
      XWindowEvent(host.display, window.xid, ButtonPressMask, &event)
      let pressed = Timestamp(event.xbutton.time)
      var isClaimed = false
      let claim = us.claim(.xdndSelection, at: pressed) { isClaimed = $0 }
      pointer.move(to: Point(x: 200, y: 100))
      pointer.release()
      pointer.move(to: Point(x: 250, y: 250))
      host.sync()
      var released = false
      while XPending(host.display) > 0 {
        XNextEvent(host.display, &event)
        let isConsumed = us.filter(&event) { (_: ServerEvent) in }
        if event.type == ButtonRelease { released = !isConsumed }
      }
      #expect(released, "It is an event of the host.")
      withExtendedLifetime(claim) {}
      #expect(isClaimed)

      #expect(try us.grab(cursor: .copy, at: pressed).down.isEmpty)
      let release = try #require(us.queuedRelease(of: .primary, since: pressed))
      #expect(release.point == Point(x: 200, y: 100))
      #expect(us.queuedRelease(of: .secondary, since: pressed) == nil)
      #expect(us.queuedRelease(of: .primary, since: Timestamp(rawValue: release.time.rawValue &+ 1)) == nil)
    }
  }

  @Test func `a grab that ends without us is reported once, and both devices are free`() async throws {
    try await XServer.with { server in
      let (us, peer, other) = (try XlibConnection(server), try XlibPeer(server), try XlibConnection(server))
      _ = try us.grab(cursor: .copy, at: us.serverTime())
      XUnmapWindow(peer.display, us.dragWindow.xid)
      peer.sync()
      #expect(us.drain().filter { $0 != .stackingChanged } == [.grabLost])
      _ = try other.grab(cursor: .copy, at: other.serverTime())
      other.ungrab(at: .currentTime)
      _ = other.serverTime()
      // The window is mapped again, for the next drag.
      _ = try us.grab(cursor: .copy, at: us.serverTime())
    }
  }
}

extension Int {
  /// `CurrentTime` is a plain number in C.
  fileprivate var time: Time { Time(self) }
}

extension [ServerEvent] {
  /// The keys that steer, in order.
  var keys: [DragKey] { compactMap { if case .keyPressed(let key, _) = $0 { key } else { nil } } }
}
