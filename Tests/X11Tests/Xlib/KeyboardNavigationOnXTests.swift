import XDnDX11
import TestSupport
import Testing

@testable import XDnD

/// Keys of a real keyboard, and a real pointer that they move.
@Suite("Keyboard navigation on a display", .requiresXvfb, .timeLimit(.minutes(2)))
struct KeyboardNavigationOnXTests {
  @Test func `keys mean the same with NumLock, CapsLock and Shift, and both Enter keys drop`() async throws {
    try await XServer.with { server in
      let (us, pointer) = (try XlibConnection(server), try Pointer(server))
      _ = try us.grab(cursor: .copy, at: us.serverTime())
      let keys = ["Left", "Right", "Up", "Down", "KP_Left", "Tab", "Return", "KP_Enter", "space", "Escape", "a"]
      let meant: [DragKey] = [
        .arrow(dx: -1, dy: 0, isLarge: false), .arrow(dx: 1, dy: 0, isLarge: false),
        .arrow(dx: 0, dy: -1, isLarge: false),
        .arrow(dx: 0, dy: 1, isLarge: false), .arrow(dx: -1, dy: 0, isLarge: false), .nextTarget, .drop, .drop, .drop,
        .cancel,
      ]
      for key in keys { try pointer.tap(key: key) }
      #expect(us.drain().keys == meant)
      for lock in ["Num_Lock", "Caps_Lock"] {
        try pointer.tap(key: lock)
        for key in keys { try pointer.tap(key: key) }
        #expect(us.drain().keys == meant)
      }
      try pointer.press(key: "Shift_L")
      try pointer.tap(key: "Tab")
      try pointer.tap(key: "Return")
      try pointer.release(key: "Shift_L")
      try pointer.press(key: "Alt_L")
      try pointer.tap(key: "Up")
      try pointer.release(key: "Alt_L")
      #expect(us.drain().keys == [.previousTarget, .drop, .arrow(dx: 0, dy: -1, isLarge: true)])
    }
  }

  @Test func `the key that has begun the drag does nothing until it is pressed anew, however it repeats`() async throws
  {
    try await XServer.with { server in
      let (us, peer, pointer) = (try XlibConnection(server), try XlibPeer(server), try Pointer(server))
      XkbSetAutoRepeatRate(peer.display, UInt32(XkbUseCoreKbd), 30, 10)
      peer.sync()
      try pointer.press(key: "Return")
      _ = try us.grab(cursor: .copy, at: us.serverTime())
      let heard = us.next(patience: .milliseconds(400)) { if case .keyPressed = $0 { true } else { false } }
      #expect(heard == nil)
      try pointer.release(key: "Return")
      // A finger takes longer than the clock to tick.
      let released = us.serverTime()
      while us.serverTime() == released {}
      try pointer.tap(key: "Return")
      #expect(us.drain().keys == [.drop])
      // Other keys do repeat.
      try pointer.press(key: "Right")
      for _ in 0..<3 {
        let event = us.next { if case .keyPressed = $0 { true } else { false } }
        #expect([event].compactMap(\.self).keys == [.arrow(dx: 1, dy: 0, isLarge: false)])
      }
      try pointer.release(key: "Right")
    }
  }

  @Test func `the pointer goes where it is sent, as far as the screen reaches`() async throws {
    try await XServer.with { server in
      let (us, pointer) = (try XlibConnection(server), try Pointer(server))
      pointer.move(to: Point(x: 50, y: 60))
      let time = us.serverTime()
      #expect(us.movePointer(.to(Point(x: 1, y: 1)), at: time) == nil, "There is no grab.")
      _ = try us.grab(cursor: .copy, at: time)
      _ = us.drain()
      #expect(us.movePointer(.by(dx: 10, dy: -5), at: time) == PointerSample(point: Point(x: 60, y: 55), time: time))
      #expect(us.movePointer(.to(Point(x: 300, y: 200)), at: time)?.point == Point(x: 300, y: 200))
      #expect(us.movePointer(.by(dx: -5000, dy: 0), at: time)?.point == Point(x: 0, y: 200))
      #expect(us.movePointer(.by(dx: -10, dy: 0), at: time)?.point == Point(x: 0, y: 200), "It is at the edge already.")
      #expect(pointer.position == Point(x: 0, y: 200))
      #expect(us.drain() == [], "What was answered is not told again.")
    }
  }

  @Test func `what was on its way when the pointer was moved is told as if it had happened there`() async throws {
    try await XServer.with { server in
      let (us, pointer) = (try XlibConnection(server), try Pointer(server))
      pointer.move(to: Point(x: 50, y: 60))
      _ = try us.grab(cursor: .copy, at: us.serverTime())
      _ = us.drain()
      pointer.move(to: Point(x: 51, y: 60))
      try pointer.tap(key: "Return")
      try pointer.press(key: "Shift_L")
      pointer.press(1)
      _ = us.movePointer(.to(Point(x: 300, y: 200)), at: us.serverTime())
      pointer.release(1)
      pointer.move(to: Point(x: 310, y: 200))
      let events = us.drain()
      let points = events.map { event -> Point? in
        switch event {
        case .keyPressed(.drop, let sample), .modifiersChanged(let sample), .buttonPressed(_, let sample),
          .buttonReleased(_, let sample), .pointerMoved(let sample):
          sample.point
        default: nil
        }
      }
      let there = Point(x: 300, y: 200)
      #expect(points == [there, there, there, there, Point(x: 310, y: 200)], "\(events)")
      try pointer.release(key: "Shift_L")
    }
  }

  // MARK: Places

  private func with(_ body: (XlibConnection, XlibPeer) throws -> Void) async throws {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      try body(us, peer)
      us.beginTracking()
      try body(us, peer)
    }
  }

  /// The places, once all news of the windows has been heard.
  private func places(_ us: XlibConnection) -> [DropPlace] {
    _ = us.drain()
    return us.dropPlaces()
  }

  @Test func `windows are listed from the top, each with a place where it is the target`() async throws {
    try await with { us, peer in
      let windows = [
        peer.makeTarget(Rect(x: 100, y: 100, width: 200, height: 200)),
        peer.makeTarget(Rect(x: 150, y: 100, width: 200, height: 200)),
        peer.makeWindow(Rect(x: 600, y: 100, width: 50, height: 50)),
        peer.makeTarget(Rect(x: 610, y: 110, width: 20, height: 20)),
      ]
      defer { windows.forEach(peer.destroy) }
      let places = self.places(us)
      #expect(places.map(\.target.window) == [windows[3], windows[1], windows[0]])
      #expect(places.prefix(2).map(\.point) == [Point(x: 620, y: 120), Point(x: 250, y: 200)])
      #expect(places.last?.point.x == 125)
      for place in places { #expect(us.locateTarget(at: place.point) == place.target) }
    }
  }

  @Test func `what is covered, unmapped, off the screen, without input or takes no drops has no place`() async throws {
    try await with { us, peer in
      let seen = peer.makeTarget(Rect(x: 400, y: 300, width: 100, height: 100))
      let glass = peer.makeTarget(Rect(x: 100, y: 100, width: 100, height: 100))
      peer.setShape(2, [], on: glass)
      let windows = [
        seen, glass, peer.makeTarget(Rect(x: 10, y: 10, width: 50, height: 50)),
        peer.makeWindow(Rect(x: 0, y: 0, width: 80, height: 80)),
        peer.makeTarget(Rect(x: 200, y: 200, width: 50, height: 50), mapped: false),
        peer.makeTarget(Rect(x: -500, y: 0, width: 50, height: 50)),
      ]
      defer { windows.forEach(peer.destroy) }
      #expect(places(us).map(\.target.window) == [seen])
    }
  }

  @Test func `a window that cannot be seen has no place`() async throws {
    try await with { us, peer in
      let windows = [
        // KWin's in the corner.
        peer.makeTarget(Rect(x: 0, y: 0, width: 3, height: 3)),
        peer.makeTarget(Rect(x: 100, y: 100, width: 100, height: 100), inputOnly: true),
        peer.makeTarget(Rect(x: 300, y: 100, width: 100, height: 100)),
      ]
      defer { windows.forEach(peer.destroy) }
      #expect(places(us).map(\.target.window) == [windows[2]])
    }
  }

  @Test func `windows in a frame are found, and only where the frame shows them`() async throws {
    try await with { us, peer in
      let frame = peer.makeWindow(Rect(x: 100, y: 100, width: 100, height: 120), border: 5)
      let client = peer.makeTarget(in: frame, Rect(x: 0, y: 20, width: 400, height: 400))
      defer { peer.destroy(frame) }
      let places = self.places(us)
      #expect(places.map(\.target.window) == [client])
      #expect(places.allSatisfy { us.locateTarget(at: $0.point) == $0.target })
      let corner = peer.makeWindow(Rect(x: 0, y: 0, width: 150, height: 300))
      defer { peer.destroy(corner) }
      let left = self.places(us)
      #expect(left.map(\.target.window) == [client])
      #expect(left.allSatisfy { us.locateTarget(at: $0.point) == $0.target })
    }
  }

  @Test func `the time of a search among many shapes grows no faster than the number of windows`() async throws {
    /// Makes a screen with `count` comb-shaped windows side by side, which cut the free area into many rectangles.
    func makeScreen(_ server: XServer, combs count: Int) throws -> (us: XlibConnection, peer: XlibPeer) {
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      for number in 0..<count {
        let comb = peer.makeTarget(Rect(x: number % 9 * 140, y: number / 9 * 50, width: 128, height: 40))
        peer.setShape(0, (0..<64).map { Rect(x: 2 * $0, y: 0, width: 1, height: 40) }, on: comb)
      }
      #expect(places(us).count == count)
      return (us, peer)
    }
    try await XServer.with { server in
      let few = try makeScreen(server, combs: 16)
      try await XServer.with { server in
        let many = try makeScreen(server, combs: 16 * WorkGrowth.factor)
        #expect(WorkGrowth.ratio({ _ = few.us.dropPlaces() }, { _ = many.us.dropPlaces() }) < WorkGrowth.limit)
      }
    }
  }

  @Test func `a shape with holes is met where it is`() async throws {
    try await with { us, peer in
      let ring = peer.makeTarget(Rect(x: 100, y: 100, width: 100, height: 100))
      peer.setShape(
        0, [Rect(x: 0, y: 0, width: 100, height: 20), Rect(x: 0, y: 80, width: 100, height: 20)], on: ring)
      defer { peer.destroy(ring) }
      let places = self.places(us)
      #expect(places.map(\.target.window) == [ring])
      #expect(places.allSatisfy { us.locateTarget(at: $0.point) == $0.target })
      // A comb with more teeth than are looked at covers what it may cover, and shows some of what it shows.
      let comb = peer.makeTarget(Rect(x: 300, y: 100, width: 400, height: 100))
      peer.setShape(0, (0..<200).map { Rect(x: 2 * $0, y: 0, width: 1, height: 100) }, on: comb)
      defer { peer.destroy(comb) }
      let both = self.places(us)
      #expect(both.map(\.target.window) == [comb, ring])
      #expect(both.allSatisfy { us.locateTarget(at: $0.point) == $0.target })
    }
  }
}
