import XDnDX11
import Glibc
import Logging
import TestSupport
import Testing

@testable import XDnD

@Suite("The image of a drag on a real server", .requiresXvfb, .timeLimit(.minutes(1)))
struct FeedbackOnXTests {
  /// A drag in the middle of the screen, of four white pixels that are held by their upper left corner.
  private final class Stage {
    let us: XlibConnection
    let peer: XlibPeer
    let pointer: Pointer
    let reactor: Reactor
    private var window: WindowID?

    init(_ server: XServer) throws {
      us = try XlibConnection(server)
      peer = try XlibPeer(server)
      pointer = try Pointer(server)
      let start = ContinuousClock.now
      reactor = Reactor(
        system: us, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        clock: { LoopTime(sinceStart: ContinuousClock.now - start) })
    }

    func begin() throws {
      pointer.move(to: Point(x: 600, y: 400))
      pointer.press()
      let drag = reactor.offers.nextID()
      var dot = Bitmap(width: 4, height: 4)
      dot.pixels = Array(repeating: 0xFFFF_FFFF, count: dot.pixels.count)
      var appearance = DragAppearance(
        preview: DragPreview(
          images: [DragImage(dot, hotspot: Point(x: 0, y: 0))], formation: .none, badge: .none, hasShadow: false))
      appearance.reducesMotion = true
      let offer = SourceMachine.Offer(
        source: us.dragWindow, types: [.utf8String], operations: [.copy], button: .primary, time: us.serverTime())
      reactor.perform { $0.drags.begin(drag, offer, appearance: appearance) }
      // The server grants the selection, and then the grab.
      while us.image.window == nil { turn() }
      window = us.image.window
      #expect(window != nil)
      #expect(place == Point(x: 600, y: 400))
    }

    /// Where the server has the image.
    var place: Point? {
      guard let window else { return nil }
      var attributes = XWindowAttributes()
      _ = us.serverTime()
      guard XGetWindowAttributes(peer.display, window.xid, &attributes) != 0 else { return nil }
      return Point(x: Int(attributes.x), y: Int(attributes.y))
    }

    /// One turn of the program, once something has arrived.
    func turn() {
      if !us.hasQueuedEvents {
        var descriptor = pollfd(fd: us.fileDescriptor, events: Int16(POLLIN), revents: 0)
        poll(&descriptor, 1, 5_000)
      }
      reactor.process()
    }

    /// Takes in what the peer has got, and says where the image was when a message of the drag came.
    func placesAtMessages() -> [Point?] {
      _ = us.serverTime()
      peer.sync()
      var (last, places): (Point?, [Point?]) = (nil, [])
      while XPending(peer.display) > 0 {
        var event = XEvent()
        XNextEvent(peer.display, &event)
        switch event.type {
        case ConfigureNotify where WindowID(event.xconfigure.window) == window:
          last = Point(x: Int(event.xconfigure.x), y: Int(event.xconfigure.y))
        case ClientMessage: places.append(last)
        default: break
        }
      }
      return places
    }
  }

  @Test func `over two hundred windows it is where the pointer is, before any of them hears of the motion`()
    async throws
  {
    try await XServer.with { server in
      let stage = try Stage(server)
      for index in 0..<200 {
        let frame = Rect(x: index * 61 % 1_200, y: index * 37 % 720, width: 90, height: 70)
        _ = index % 3 == 0 ? stage.peer.makeWindow(frame) : stage.peer.makeTarget(frame)
      }
      XSelectInput(stage.peer.display, stage.peer.root, SubstructureNotifyMask)
      try stage.begin()
      _ = stage.placesAtMessages()
      var messages = 0
      for step in 1...150 {
        let place = Point(x: (600 + step * 47) % 1_270, y: (400 + step * 29) % 790)
        stage.pointer.move(to: place)
        // The messages are sent when what is asked about the windows has been answered.
        repeat { stage.turn() } while !stage.us.display.openBatches.isEmpty
        let places = stage.placesAtMessages()
        messages += places.count
        #expect(places.allSatisfy { $0 == place }, "\(places), but the pointer is at \(place)")
        #expect(WindowQueries(stage.us.display).pointer()?.point == place)
        #expect(stage.place == place)
      }
      #expect(messages > 200, "\(messages)")
      stage.pointer.release()
      stage.turn()
    }
  }

  @Test func `motion over one window costs the move of the image, and no reply`() async throws {
    try await XServer.with { server in
      let stage = try Stage(server)
      // It never answers, so there is one Position only.
      _ = stage.peer.makeTarget(Rect(x: 400, y: 200, width: 400, height: 400))
      try stage.begin()
      stage.pointer.move(to: Point(x: 601, y: 400))
      // Nothing is asked any more once the target has been found and sent a Position.
      var messages = 0
      while messages == 0 || !stage.us.display.openBatches.isEmpty {
        stage.turn()
        messages += stage.placesAtMessages().count
      }
      for step in 2...40 {
        stage.pointer.move(to: Point(x: 600 + step, y: 400))
        let serial = stage.us.display.nextSerial
        while stage.us.image.place?.x != 600 + step { stage.turn() }
        #expect(stage.us.display.nextSerial == serial + 1)
      }
      stage.pointer.release()
      stage.turn()
    }
  }

  @Test(.requiresPicom)
  func `a compositor blends it, and when it goes the image is cut to its outline`() async throws {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      let ground = peer.makeWindow(Rect(x: 0, y: 0, width: 400, height: 400))
      XSetWindowBackground(peer.display, ground.xid, 0xFF_FFFF)
      XClearWindow(peer.display, ground.xid)
      peer.sync()
      // A quarter of red at the left, all of it at the right.
      let pixels = (0..<400).map { $0 % 20 < 10 ? 0x4040_0000 : 0xFFFF_0000 as UInt32 }
      us.showImage(try #require(Bitmap(width: 20, height: 20, pixels: pixels)), at: Point(x: 100, y: 100))
      func color(_ x: Int, _ y: Int) -> UInt32 {
        us.picture(of: us.display.root, Rect(x: x, y: y, width: 1, height: 1))?.bitmap.pixels.first ?? 0
      }
      func expect(_ wanted: UInt32, _ x: Int, _ y: Int) async throws {
        let deadline = ContinuousClock.now + .seconds(45)
        while true {
          let isLate = ContinuousClock.now >= deadline
          _ = us.drain()
          let seen = color(x, y)
          if seen == wanted { return }
          // After the time is over it is looked at once more: other tests may have kept this one from running.
          guard !isLate else {
            Issue.record("\(String(seen, radix: 16)) at \(x),\(y), not \(String(wanted, radix: 16))")
            return
          }
          // Nobody tells when a compositor has painted.
          try await Task.sleep(for: .milliseconds(10))
        }
      }
      try await expect(0xFFFF_FFFF, 105, 105)
      try await expect(0xFFFF_0000, 115, 105)
      let picom = try server.launch("picom", ["--config", "/dev/null", "--backend", "xrender"])
      try await expect(0xFFFF_BFBF, 105, 105)
      try await expect(0xFFFF_0000, 115, 105)
      us.moveImage(to: Point(x: 130, y: 100))
      try await expect(0xFFFF_BFBF, 135, 105)
      try await expect(0xFFFF_FFFF, 105, 105)
      picom.send(SIGTERM)
      _ = try await picom.exit()
      try await expect(0xFFFF_FFFF, 135, 105)
      try await expect(0xFFFF_0000, 145, 105)
    }
  }
}
