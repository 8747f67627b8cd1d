import XDnDX11
import Glibc
import TestSupport
import Testing

@testable import XDnD

@Suite("The places of followed windows", .requiresXvfb, .timeLimit(.minutes(1)))
struct WindowPlacesTests {
  /// A window in a window in a frame, each with a border.
  private final class Stage {
    let us: XlibConnection
    let peer: XlibPeer
    let frame: WindowID
    let outer: WindowID
    let inner: WindowID

    init(_ server: XServer) throws {
      us = try XlibConnection(server)
      peer = try XlibPeer(server)
      frame = peer.makeWindow(Rect(x: 100, y: 100, width: 300, height: 300), border: 3)
      outer = peer.makeWindow(in: frame, Rect(x: 5, y: 20, width: 200, height: 200), border: 2)
      inner = peer.makeWindow(in: outer, Rect(x: 10, y: 10, width: 50, height: 50), border: 1)
    }

    /// Takes in what the peer has done, and the answers to what that makes unknown.
    func settle() {
      peer.sync()
      repeat { _ = us.drain() } while !us.display.openBatches.isEmpty
    }

    /// The place of a root point in a window; `nil` if the server would have to be asked.
    func known(_ window: WindowID, _ point: Point = Point(x: 200, y: 200)) -> Point? {
      let serial = us.display.nextSerial
      let place = us.translate(point, to: window)
      return us.display.nextSerial == serial ? place : nil
    }

    func asked(_ window: WindowID, _ point: Point = Point(x: 200, y: 200)) -> Point? {
      WindowQueries(us.display).translate(point, from: us.display.root, to: window)?.point
    }

    /// Changes something, and compares what is known then with what the server says.
    func expectSame(after change: () -> Void, _ location: SourceLocation = #_sourceLocation) {
      change()
      settle()
      #expect(known(inner) != nil, sourceLocation: location)
      #expect(known(inner) == asked(inner), sourceLocation: location)
    }
  }

  private func with(_ body: (Stage) throws -> Void) async throws {
    try await XServer.with { try body(Stage($0)) }
  }

  @Test func `the server is asked until the answers have arrived, and not after that`() async throws {
    try await with { stage in
      #expect(stage.known(stage.inner) == nil)
      stage.us.follow(stage.inner)
      #expect(stage.known(stage.inner) == nil)
      #expect(stage.us.translate(Point(x: 200, y: 200), to: stage.inner) == Point(x: 79, y: 64))
      stage.settle()
      #expect(stage.known(stage.inner) == Point(x: 79, y: 64))
      #expect(stage.known(stage.inner, Point(x: 0, y: 0)) == Point(x: -121, y: -136))
      #expect(stage.asked(stage.inner, Point(x: 0, y: 0)) == Point(x: -121, y: -136))
    }
  }

  @Test func `the place is right after the window or one around it was moved, resized or got another border`()
    async throws
  {
    try await with { stage in
      let display = stage.peer.display
      let (frame, outer, inner) = (stage.frame.xid, stage.outer.xid, stage.inner.xid)
      stage.us.follow(stage.inner)
      stage.expectSame {}
      stage.expectSame { XMoveWindow(display, frame, 301, 207) }
      stage.expectSame { XMoveWindow(display, outer, 1, 3) }
      stage.expectSame { XMoveWindow(display, inner, -7, 9) }
      stage.expectSame { XSetWindowBorderWidth(display, outer, 11) }
      stage.expectSame {
        for step in 0..<50 { XMoveWindow(display, frame, Int32(step), 400 - Int32(step)) }
      }
      // It keeps its distance from the lower right corner of what it is in.
      var attributes = XSetWindowAttributes()
      attributes.win_gravity = SouthEastGravity
      XChangeWindowAttributes(display, outer, UInt(CWWinGravity), &attributes)
      stage.expectSame { XResizeWindow(display, frame, 350, 330) }
      stage.expectSame { XUnmapWindow(display, frame) }
      stage.expectSame { XMoveWindow(display, frame, 20, 30) }
    }
  }

  @Test func `the place is right after the window or one around it was put into another`() async throws {
    try await with { stage in
      let display = stage.peer.display
      let other = stage.peer.makeWindow(Rect(x: 500, y: 300, width: 300, height: 300), border: 4)
      stage.us.follow(stage.inner)
      stage.expectSame {}
      stage.expectSame { XReparentWindow(display, stage.outer.xid, other.xid, 7, 9) }
      #expect(stage.known(stage.inner) == Point(x: -324, y: -126))
      stage.expectSame { XMoveWindow(display, other.xid, 501, 302) }
      stage.expectSame { XMoveWindow(display, stage.frame.xid, 0, 0) }
      stage.expectSame { XReparentWindow(display, stage.inner.xid, stage.peer.root, 40, 50) }
      stage.expectSame { XReparentWindow(display, stage.inner.xid, stage.frame.xid, 4, 5) }
      stage.expectSame { XMoveWindow(display, stage.frame.xid, 60, 70) }
    }
  }

  @Test func `a destroyed window has no place, and neither has one in it`() async throws {
    try await with { stage in
      stage.us.follow(stage.inner)
      stage.us.follow(stage.outer)
      stage.settle()
      stage.peer.destroy(stage.inner)
      stage.settle()
      #expect(stage.us.translate(Point(x: 200, y: 200), to: stage.inner) == nil)
      #expect(stage.known(stage.outer) == stage.asked(stage.outer))
      stage.peer.destroy(stage.frame)
      stage.settle()
      #expect(stage.us.translate(Point(x: 200, y: 200), to: stage.outer) == nil)
      stage.us.unfollow(stage.inner)
      stage.us.unfollow(stage.outer)
      stage.us.follow(stage.outer)
      stage.settle()
      #expect(stage.us.translate(Point(x: 200, y: 200), to: stage.outer) == nil)
      stage.us.unfollow(stage.outer)
      stage.settle()
    }
  }

  @Test func `only the windows on the way to the root are watched, and only as long as one follows`() async throws {
    try await with { stage in
      let neighbor = stage.peer.makeWindow(in: stage.frame, Rect(x: 0, y: 0, width: 5, height: 5))
      func masks(_ windows: [WindowID]) -> [Int?] {
        windows.map { WindowQueries(stage.us.display).state(of: $0)?.eventMask }
      }
      let way = [stage.inner, stage.outer, stage.frame]
      let others = [stage.us.display.root, neighbor]
      let before = masks(others)
      #expect(masks(way) == [0, 0, 0])
      stage.us.follow(stage.inner)
      stage.us.follow(stage.inner)
      stage.us.follow(stage.outer)
      stage.settle()
      #expect(masks(way) == [StructureNotifyMask, StructureNotifyMask, StructureNotifyMask])
      #expect(masks(others) == before)
      stage.us.unfollow(stage.outer)
      stage.us.unfollow(stage.inner)
      stage.settle()
      #expect(stage.known(stage.inner) == stage.asked(stage.inner))
      stage.us.unfollow(stage.inner)
      stage.settle()
      #expect(stage.known(stage.inner) == nil)
      #expect(masks(way) == [0, 0, 0])
      #expect(masks(others) == before)
    }
  }

  @Test func `a way that was followed before takes two round trips, however deep the window is`() async throws {
    try await with { stage in
      stage.us.follow(stage.inner)
      stage.settle()
      stage.us.unfollow(stage.inner)
      stage.settle()
      XMoveWindow(stage.peer.display, stage.frame.xid, 150, 160)
      stage.peer.sync()
      stage.us.follow(stage.inner)
      for _ in 0..<2 { _ = stage.us.drain() }
      #expect(stage.known(stage.inner) == Point(x: 29, y: 4))
    }
  }

  @Test func `a window whose place cannot be known is told of as well`() async throws {
    try await with { stage in
      func isSettled(_ window: WindowID) -> Bool {
        var isSettled = false
        guard let question = stage.us.follow(window, then: { isSettled = true }) else { return true }
        stage.us.wait { isSettled }
        withExtendedLifetime(question) {}
        return isSettled
      }
      #expect(isSettled(stage.inner))
      #expect(stage.known(stage.inner) == Point(x: 79, y: 64))
      #expect(stage.us.follow(stage.inner) {} == nil)
      stage.peer.destroy(stage.frame)
      stage.settle()
      #expect(isSettled(WindowID(rawValue: 9)))
      #expect(isSettled(stage.outer))
      #expect(stage.known(stage.outer) == nil)
    }
  }

  /// What a window is told of a drag, with the position in it at each.
  private final class Delegate: DropDelegate {
    private(set) var places: [Point?] = []
    private(set) var hasExited = false

    func dropUpdated(_ drop: DropSession) -> DropProposal {
      places.append(drop.location)
      return drop.suggestedProposal
    }

    func dropExited(_ drop: DropSession, _ reason: DropExit) { hasExited = true }

    func performDrop(_ drop: DropSession) {}
  }

  @Test func `each position over a visited window costs its answer, and no reply`() async throws {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      let frame = peer.makeWindow(Rect(x: 100, y: 100, width: 300, height: 300))
      let source = peer.makeWindow(Rect(x: 600, y: 100, width: 10, height: 10))
      let display = try #require(us.display.opaque)
      let window = WindowID(XCreateSimpleWindow(display, frame.xid, 10, 20, 200, 200, 0, 0, 0))
      let driver = try DragAndDrop(system: us, configuration: Configuration())
      let delegate = Delegate()
      driver.registerDropTarget(window, accepting: DropOffer(["*/*"]), delegate: delegate)
      func turns(until isDone: () -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(5)
        while !isDone(), ContinuousClock.now < deadline {
          try driver.process()
          var descriptor = pollfd(fd: driver.fileDescriptor, events: Int16(POLLIN), revents: 0)
          if driver.nextDeadline.map({ $0 > .now }) ?? true { poll(&descriptor, 1, 20) }
        }
        #expect(isDone())
      }
      func position(_ x: Int, _ y: Int) throws {
        let count = delegate.places.count
        let action = Int(peer.atom("XdndActionCopy"))
        peer.send("XdndPosition", [Int(source.rawValue), 0, x << 16 | y, 1, action], to: window)
        try turns { delegate.places.count > count }
      }
      try turns { us.display.openBatches.isEmpty }
      let waits = us.display.waits
      let type = Int(peer.atom("UTF8_STRING"))
      peer.send("XdndEnter", [Int(source.rawValue), 5 << 24, type, 0, 0], to: window)
      try position(150, 150)
      #expect(delegate.places == [Point(x: 40, y: 30)])
      #expect(us.display.waits == waits)
      try turns { us.display.openBatches.isEmpty }
      for step in 1...20 {
        let serial = us.display.nextSerial
        try position(150 + step, 150)
        #expect(us.display.nextSerial == serial + 1)
        #expect(delegate.places.last == Point(x: 40 + step, y: 30))
      }
      XMoveWindow(peer.display, frame.xid, 110, 100)
      peer.sync()
      try position(200, 150)
      #expect(delegate.places.last == Point(x: 80, y: 30))
      peer.send("XdndLeave", [Int(source.rawValue), 0, 0, 0, 0], to: window)
      try turns { delegate.hasExited }
    }
  }
}
