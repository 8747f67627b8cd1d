import XDnDX11
import Glibc
import TestSupport
import Testing

@testable import XDnD

@Suite("Finding the drop target", .requiresXvfb, .timeLimit(.minutes(1)))
struct LocatorTests {
  private func with(_ body: (XlibConnection, XlibPeer) throws -> Void) async throws {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      us.beginTracking()
      try body(us, peer)
    }
  }

  private func plain(_ window: WindowID, version: ProtocolVersion = .v5) -> DropTarget {
    DropTarget(window: window, destination: window, version: version)
  }

  @Test func `the upper of two overlapping windows wins, and hides the lower one when it takes nothing`() async throws {
    try await with { us, peer in
      let lower = peer.makeTarget(Rect(x: 100, y: 100, width: 200, height: 200))
      let upper = peer.makeTarget(Rect(x: 200, y: 200, width: 200, height: 200), version: 4)
      _ = peer.makeWindow(Rect(x: 100, y: 100, width: 20, height: 20))
      #expect(us.locateTarget(at: Point(x: 150, y: 150)) == plain(lower))
      #expect(us.locateTarget(at: Point(x: 250, y: 250)) == plain(upper, version: .v4))
      #expect(us.locateTarget(at: Point(x: 110, y: 110)) == nil)
      #expect(us.locateTarget(at: Point(x: 50, y: 50)) == nil)
      // The right and bottom edges are outside.
      #expect(us.locateTarget(at: Point(x: 399, y: 399)) == plain(upper, version: .v4))
      #expect(us.locateTarget(at: Point(x: 400, y: 399)) == nil)
    }
  }

  @Test func `the border of a window belongs to it`() async throws {
    try await with { us, peer in
      let window = peer.makeTarget(Rect(x: 100, y: 100, width: 50, height: 50), border: 10)
      #expect(us.locateTarget(at: Point(x: 100, y: 100)) == plain(window))
      #expect(us.locateTarget(at: Point(x: 169, y: 169)) == plain(window))
      #expect(us.locateTarget(at: Point(x: 170, y: 169)) == nil)
    }
  }

  @Test func `windows that are nested too deeply for a person's program are not searched`() async throws {
    try await with { us, peer in
      var window = peer.makeWindow(Rect(x: 100, y: 100, width: 50, height: 50))
      for _ in 1..<WindowHierarchy.deepestNesting {
        window = peer.makeWindow(in: window, Rect(x: 0, y: 0, width: 50, height: 50))
      }
      _ = peer.makeTarget(in: window, Rect(x: 0, y: 0, width: 50, height: 50))
      #expect(us.locateTarget(at: Point(x: 120, y: 120)) == nil)
    }
  }

  @Test func `a second look at a window costs no request`() async throws {
    try await with { us, peer in
      let frame = peer.makeWindow(Rect(x: 100, y: 100, width: 300, height: 300))
      let client = peer.makeTarget(in: frame, Rect(x: 5, y: 20, width: 290, height: 275))
      #expect(us.locateTarget(at: Point(x: 150, y: 150)) == plain(client))
      let serial = us.display.nextSerial
      for step in 0..<100 {
        #expect(us.locateTarget(at: Point(x: 150 + step, y: 150 + step)) == plain(client))
      }
      #expect(us.display.nextSerial == serial)
    }
  }

  @Test func `hundreds of windows take as many round trips as one, and a new one takes two`() async throws {
    try await with { us, peer in
      for index in 0..<300 { _ = peer.makeTarget(Rect(x: index, y: 400, width: 10, height: 10)) }
      let frame = peer.makeWindow(Rect(x: 100, y: 100, width: 200, height: 200))
      let client = peer.makeTarget(in: frame, Rect(x: 5, y: 20, width: 190, height: 175))
      let neighbor = peer.makeTarget(Rect(x: 400, y: 100, width: 200, height: 200))
      func roundTrips<Answer>(_ body: () -> Answer) -> (count: Int, answer: Answer) {
        let before = us.display.roundTrips
        let answer = body()
        return (us.display.roundTrips - before, answer)
      }
      // The root's event mask, its children, their geometry; the frame; its children's geometry; the client.
      let first = roundTrips { us.locateTarget(at: Point(x: 150, y: 150)) }
      #expect(first.answer == plain(client))
      #expect(first.count == 6)
      let second = roundTrips { us.locateTarget(at: Point(x: 450, y: 150)) }
      #expect(second.answer == plain(neighbor))
      #expect(second.count == 2)
      let end = roundTrips { us.endTracking() }
      #expect(end.count == 1)
    }
  }

  @Test func `windows that are not mapped are not there, until they are mapped`() async throws {
    try await with { us, peer in
      let lower = peer.makeTarget(Rect(x: 100, y: 100, width: 100, height: 100))
      let upper = peer.makeTarget(Rect(x: 100, y: 100, width: 100, height: 100), mapped: false)
      let point = Point(x: 150, y: 150)
      #expect(us.locateTarget(at: point) == plain(lower))
      XMapWindow(peer.display, upper.xid)
      peer.sync()
      #expect(us.next() == .stackingChanged)
      #expect(us.locateTarget(at: point) == plain(upper))
      XUnmapWindow(peer.display, upper.xid)
      peer.sync()
      #expect(us.next() == .stackingChanged)
      #expect(us.locateTarget(at: point) == plain(lower))
    }
  }

  @Test func `a raised, moved, resized or destroyed window changes the answer`() async throws {
    try await with { us, peer in
      let first = peer.makeTarget(Rect(x: 100, y: 100, width: 100, height: 100))
      let second = peer.makeTarget(Rect(x: 100, y: 100, width: 100, height: 100))
      let point = Point(x: 150, y: 150)
      func change(_ body: () -> Void) {
        body()
        peer.sync()
        #expect(us.drain().contains(.stackingChanged))
      }
      #expect(us.locateTarget(at: point) == plain(second))
      change { XRaiseWindow(peer.display, first.xid) }
      #expect(us.locateTarget(at: point) == plain(first))
      change { XCirculateSubwindowsDown(peer.display, peer.root) }
      #expect(us.locateTarget(at: point) == plain(second))
      change { XMoveWindow(peer.display, second.xid, 500, 500) }
      #expect(us.locateTarget(at: point) == plain(first))
      #expect(us.locateTarget(at: Point(x: 550, y: 550)) == plain(second))
      change { XResizeWindow(peer.display, second.xid, 10, 10) }
      #expect(us.locateTarget(at: Point(x: 550, y: 550)) == nil)
      change { XResizeWindow(peer.display, second.xid, 200, 200) }
      #expect(us.locateTarget(at: Point(x: 650, y: 650)) == plain(second))
      change { peer.destroy(first) }
      #expect(us.locateTarget(at: point) == nil)
    }
  }

  @Test func `a new window is found on top of the others, wherever its siblings have gone meanwhile`() async throws {
    try await with { us, peer in
      let old = peer.makeTarget(Rect(x: 100, y: 100, width: 100, height: 100))
      #expect(us.locateTarget(at: Point(x: 150, y: 150)) == plain(old))
      let windows = (0..<5).map { _ in peer.makeTarget(Rect(x: 100, y: 100, width: 100, height: 100)) }
      XLowerWindow(peer.display, windows[4].xid)
      XRaiseWindow(peer.display, windows[1].xid)
      peer.sync()
      _ = us.drain()
      #expect(us.locateTarget(at: Point(x: 150, y: 150)) == plain(windows[1]))
      for window in [1, 3, 2, 0].map({ windows[$0] }) + [old] {
        #expect(us.locateTarget(at: Point(x: 150, y: 150)) == plain(window))
        peer.destroy(window)
        _ = us.drain()
      }
      #expect(us.locateTarget(at: Point(x: 150, y: 150)) == plain(windows[4]))
    }
  }

  @Test func `the pointer goes through holes in the input shape and in the bounding shape`() async throws {
    try await with { us, peer in
      let lower = peer.makeTarget(Rect(x: 100, y: 100, width: 200, height: 200))
      let upper = peer.makeTarget(Rect(x: 100, y: 100, width: 200, height: 200))
      let (left, right) = (Point(x: 120, y: 150), Point(x: 280, y: 150))
      #expect(us.locateTarget(at: left) == plain(upper))
      for kind in [ShapeKind.input, .bounding] {
        peer.setShape(kind.rawValue, [Rect(x: 100, y: 0, width: 100, height: 200)], on: upper)
        #expect(us.drain().contains(.stackingChanged))
        #expect(us.locateTarget(at: left) == plain(lower))
        #expect(us.locateTarget(at: right) == plain(upper))
        peer.setShape(kind.rawValue, [], on: upper)
        _ = us.drain()
        #expect(us.locateTarget(at: right) == plain(lower))
        peer.setShape(kind.rawValue, [Rect(x: 0, y: 0, width: 200, height: 200)], on: upper)
        _ = us.drain()
        #expect(us.locateTarget(at: left) == plain(upper))
      }
    }
  }

  private enum ShapeKind: Int32 {
    case bounding = 0
    case input = 2
  }

  @Test func `a window in a frame is found, and forgotten when it leaves the frame`() async throws {
    try await with { us, peer in
      let client = peer.makeTarget(Rect(x: 600, y: 100, width: 100, height: 100))
      let frame = peer.makeWindow(Rect(x: 100, y: 100, width: 120, height: 140))
      #expect(us.locateTarget(at: Point(x: 150, y: 150)) == nil)
      XReparentWindow(peer.display, client.xid, frame.xid, 10, 30)
      peer.sync()
      #expect(us.drain().contains(.stackingChanged))
      #expect(us.locateTarget(at: Point(x: 150, y: 150)) == plain(client))
      #expect(us.locateTarget(at: Point(x: 105, y: 105)) == nil)
      #expect(us.locateTarget(at: Point(x: 650, y: 150)) == nil)
      XReparentWindow(peer.display, client.xid, peer.root, 600, 100)
      peer.sync()
      _ = us.drain()
      #expect(us.locateTarget(at: Point(x: 150, y: 150)) == nil)
      #expect(us.locateTarget(at: Point(x: 650, y: 150)) == plain(client))
    }
  }

  @Test func `the outermost aware window wins over those inside it`() async throws {
    try await with { us, peer in
      let outer = peer.makeTarget(Rect(x: 100, y: 100, width: 100, height: 100))
      _ = peer.makeTarget(in: outer, Rect(x: 0, y: 0, width: 50, height: 50))
      #expect(us.locateTarget(at: Point(x: 110, y: 110)) == plain(outer))
    }
  }

  @Test func `windows of the drag itself are looked through, and say nothing when they move`() async throws {
    try await with { us, peer in
      let target = peer.makeTarget(Rect(x: 100, y: 100, width: 100, height: 100))
      let image = peer.makeTarget(Rect(x: 140, y: 140, width: 20, height: 20))
      us.hierarchy.isIgnored = { $0 == image }
      #expect(us.locateTarget(at: Point(x: 150, y: 150)) == plain(target))
      XMoveWindow(peer.display, image.xid, 150, 150)
      peer.sync()
      #expect(us.drain().isEmpty)
      #expect(us.locateTarget(at: Point(x: 155, y: 155)) == plain(target))
    }
  }

  @Test func `versions below three, and awareness of a wrong type, are none`() async throws {
    try await with { us, peer in
      _ = peer.makeTarget(Rect(x: 0, y: 0, width: 50, height: 50), version: 2)
      let newer = peer.makeTarget(Rect(x: 100, y: 0, width: 50, height: 50), version: 9)
      let odd = peer.makeWindow(Rect(x: 200, y: 0, width: 50, height: 50))
      peer.setWords([5], "XdndAware", type: "CARDINAL", on: odd)
      #expect(us.locateTarget(at: Point(x: 10, y: 10)) == nil)
      #expect(us.locateTarget(at: Point(x: 110, y: 10)) == plain(newer))
      #expect(us.locateTarget(at: Point(x: 210, y: 10)) == nil)
      // It may change its mind while the pointer rests on it.
      peer.setWords([4], "XdndAware", type: "ATOM", on: odd)
      #expect(us.drain() == [.stackingChanged])
      #expect(us.locateTarget(at: Point(x: 210, y: 10)) == plain(odd, version: .v4))
    }
  }

  @Test func `a proxy that names itself gets the messages; awareness is the proxy's`() async throws {
    try await with { us, peer in
      let window = peer.makeWindow(Rect(x: 0, y: 0, width: 50, height: 50))
      let proxy = peer.makeTarget(Rect(x: 900, y: 0, width: 1, height: 1), version: 4)
      peer.setProxy(proxy, on: window)
      peer.setProxy(proxy, on: proxy)
      #expect(
        us.locateTarget(at: Point(x: 10, y: 10)) == DropTarget(window: window, destination: proxy, version: .v4))
    }
  }

  @Test func `a proxy that is gone, names nobody or names another one does not count`() async throws {
    try await with { us, peer in
      let gone = peer.makeWindow(Rect(x: 900, y: 0, width: 1, height: 1))
      peer.destroy(gone)
      let silent = peer.makeTarget(Rect(x: 900, y: 0, width: 1, height: 1))
      let astray = peer.makeTarget(Rect(x: 900, y: 0, width: 1, height: 1))
      peer.setProxy(silent, on: astray)
      for (index, proxy) in [gone, silent, astray, WindowID.none].enumerated() {
        let window = peer.makeTarget(Rect(x: index * 60, y: 0, width: 50, height: 50), version: 3)
        peer.setProxy(proxy, on: window)
        #expect(!us.drain().contains(.windowVanished(gone)))
        #expect(us.locateTarget(at: Point(x: index * 60 + 10, y: 10)) == plain(window, version: .v3))
      }
      #expect(!us.drain().contains(.windowVanished(gone)))
    }
  }

  @Test func `the bare root is its proxy's, and only where it is bare`() async throws {
    try await with { us, peer in
      let root = WindowID(peer.root)
      let desktop = peer.makeTarget(Rect(x: 0, y: 0, width: 1, height: 1), mapped: false)
      peer.setProxy(desktop, on: root)
      _ = peer.makeWindow(Rect(x: 100, y: 100, width: 50, height: 50))
      #expect(us.locateTarget(at: Point(x: 10, y: 10)) == nil)
      peer.setProxy(desktop, on: desktop)
      // Nobody told us of the proxy's own property; looking at the root again does.
      peer.setProxy(desktop, on: root)
      _ = us.drain()
      #expect(
        us.locateTarget(at: Point(x: 10, y: 10)) == DropTarget(window: root, destination: desktop, version: .v5))
      #expect(us.locateTarget(at: Point(x: 110, y: 110)) == nil)
    }
  }

  @Test func `without tracking the answer is the same, and nothing stays behind`() async throws {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      let window = peer.makeTarget(Rect(x: 0, y: 0, width: 50, height: 50))
      #expect(us.locateTarget(at: Point(x: 10, y: 10)) == plain(window))
      _ = us.drain()
      XMoveWindow(peer.display, window.xid, 100, 100)
      peer.setWords([3], "XdndAware", type: "ATOM", on: window)
      #expect(us.drain().isEmpty)
      #expect(us.locateTarget(at: Point(x: 10, y: 10)) == nil)
    }
  }

  @Test(.requiresOpenbox) func `a window that a window manager has framed is found at its new place`() async throws {
    try await XServer.with(windowManager: .openbox) { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      us.beginTracking()
      #expect(us.locateTarget(at: Point(x: 600, y: 400)) == nil)
      let window = peer.makeWindow(Rect(x: 0, y: 0, width: 300, height: 200), mapped: false, override: false)
      peer.setWords([5], "XdndAware", type: "ATOM", on: window)
      XSelectInput(peer.display, window.xid, StructureNotifyMask)
      XMapWindow(peer.display, window.xid)
      peer.sync()
      #expect(peer.event(MapNotify) != nil)
      let point = try #require(peer.rootPoint(Point(x: 150, y: 100), in: window))
      _ = us.drain()
      #expect(us.locateTarget(at: point) == plain(window))
      XIconifyWindow(peer.display, window.xid, XDefaultScreen(peer.display))
      peer.sync()
      #expect(peer.event(UnmapNotify) != nil)
      _ = us.drain()
      #expect(us.locateTarget(at: point) == nil)
    }
  }

  // MARK: Late answers

  /// The answers to questions, in the order in which they have come.
  private final class Answers {
    var heard: [String] = []
    private var questions: [Question] = []

    /// Asks for the target at a point; returns it if it is known at once.
    func ask(_ us: XlibConnection, at point: Point, _ name: String = "") -> FoundTarget? {
      note(us.locateTarget(at: point, namingProgram: false) { [unowned self] in heard.append("\(name) \($0)") })
    }

    func places(_ us: XlibConnection, of part: WindowPart) -> [Rect?]? {
      note(us.findPlaces(of: [part]) { [unowned self] in heard.append("\($0)") })
    }

    private func note<Value>(_ reply: Reply<Value>) -> Value? {
      switch reply {
      case .known(let value): return value
      case .pending(let question):
        questions.append(question)
        return nil
      }
    }
  }

  @Test func `only the newest question is answered`() async throws {
    try await with { us, peer in
      let (left, right) = (Point(x: 150, y: 150), Point(x: 350, y: 150))
      _ = peer.makeTarget(Rect(x: 100, y: 100, width: 100, height: 100))
      let target = peer.makeTarget(Rect(x: 300, y: 100, width: 100, height: 100))
      let answers = Answers()
      #expect(answers.ask(us, at: left, "left") == nil)
      #expect(answers.ask(us, at: right, "right") == nil)
      let found = FoundTarget(target: plain(target))
      us.wait { !answers.heard.isEmpty }
      #expect(us.drain() == [])
      #expect(answers.heard == ["right \(found)"])
      #expect(answers.ask(us, at: right) == found)
    }
  }

  @Test(arguments: 0..<8) func `a window that moves while a search waits is not found where it was`(turns: Int)
    async throws
  {
    try await with { us, peer in
      let (here, there) = (Point(x: 150, y: 150), Point(x: 450, y: 150))
      let frame = peer.makeWindow(Rect(x: 100, y: 100, width: 200, height: 200))
      let client = peer.makeTarget(in: frame, Rect(x: 5, y: 20, width: 190, height: 175))
      var answer: FoundTarget?
      var question: Question?
      func ask(at point: Point) {
        switch us.locateTarget(at: point, namingProgram: false, then: { answer = $0 }) {
        case .known(let found): answer = found
        case .pending(let asked): question = asked
        }
      }
      func turn() { _ = us.drain() }
      ask(at: here)
      for _ in 0..<turns { turn() }
      // Moved after some of the replies, and before the others.
      XMoveWindow(peer.display, frame.xid, 400, 100)
      peer.sync()
      for _ in 0..<10 { turn() }
      #expect(answer != nil)
      // An older answer may have been right in its time: the event of the move has asked again.
      answer = nil
      ask(at: here)
      for _ in 0..<10 where answer == nil { turn() }
      #expect(answer == .nothing)
      ask(at: there)
      for _ in 0..<10 where answer?.target == nil { turn() }
      #expect(answer?.target == plain(client))
      withExtendedLifetime(question) {}
    }
  }

  @Test func `the end of tracking ends a search for a target, and not one for places`() async throws {
    try await with { us, peer in
      let window = peer.makeTarget(Rect(x: 100, y: 100, width: 100, height: 100))
      let part = WindowPart(window: window, frame: Rect(x: 10, y: 20, width: 30, height: 5))
      let answers = Answers()
      #expect(answers.places(us, of: part) == nil)
      #expect(answers.ask(us, at: Point(x: 150, y: 150)) == nil)
      us.endTracking()
      us.wait { !answers.heard.isEmpty }
      #expect(us.drain() == [])
      #expect(answers.heard == ["\([Rect?](arrayLiteral: Rect(x: 110, y: 120, width: 30, height: 5)))"])
      #expect(!us.hierarchy.isTracking)
    }
  }

  @Test func `a target and places that are looked for together are both found, and then known`() async throws {
    try await with { us, peer in
      let frame = peer.makeWindow(Rect(x: 100, y: 100, width: 200, height: 200))
      let target = peer.makeTarget(in: frame, Rect(x: 5, y: 20, width: 190, height: 175))
      let part = WindowPart(window: target, frame: Rect(x: 10, y: 20, width: 30, height: 5))
      let places: [Rect?] = [Rect(x: 115, y: 140, width: 30, height: 5)]
      let answers = Answers()
      #expect(answers.places(us, of: part) == nil)
      #expect(answers.ask(us, at: Point(x: 150, y: 150), "target") == nil)
      us.wait { answers.heard.count == 2 }
      #expect(answers.heard == ["target \(FoundTarget(target: plain(target)))", "\(places)"])
      #expect(answers.places(us, of: part) == places)
    }
  }

  @Test func `the answer comes with an event, so a host that waits in XNextEvent wakes up`() async throws {
    try await XServer.with { server in
      let (host, peer) = (try XlibPeer(server), try XlibPeer(server))
      let us = XlibConnection(borrowing: host.display)
      let target = peer.makeTarget(Rect(x: 100, y: 100, width: 100, height: 100))
      us.beginTracking()
      let answers = Answers()
      #expect(answers.ask(us, at: Point(x: 150, y: 150), "found") == nil)
      let deadline = ContinuousClock.now + .seconds(20)
      while answers.heard.isEmpty, ContinuousClock.now < deadline {
        guard XPending(host.display) > 0 else {
          var descriptor = pollfd(fd: XConnectionNumber(host.display), events: Int16(POLLIN), revents: 0)
          poll(&descriptor, 1, 100)
          continue
        }
        var event = XEvent()
        XNextEvent(host.display, &event)
        _ = us.filter(&event) { (_: ServerEvent) in }
      }
      #expect(answers.heard == ["found \(FoundTarget(target: plain(target)))"])
      us.close()
    }
  }
}

extension XlibPeer {
  fileprivate func rootPoint(_ point: Point, in window: WindowID) -> Point? {
    var (x, y): (Int32, Int32) = (0, 0)
    var child: Window = 0
    let found = XTranslateCoordinates(display, window.xid, root, Int32(point.x), Int32(point.y), &x, &y, &child)
    return found != 0 ? Point(x: Int(x), y: Int(y)) : nil
  }
}
