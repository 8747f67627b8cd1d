import XDnDX11
import TestSupport
import Testing

@testable import XDnD

@Suite("The image on the screen", .requiresXvfb, .timeLimit(.minutes(1)))
struct DragImageTests {
  private func with(
    depth: Int = 24, _ arguments: [String] = [], _ body: (XlibConnection, XlibPeer) async throws -> Void
  ) async throws {
    let server = try await XServer.start(depth: depth, arguments: arguments)
    let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
    try await body(us, peer)
    us.close()
    try await server.terminate()
  }

  private func bitmap(_ width: Int, _ height: Int, _ color: (Int, Int) -> UInt32) throws -> Bitmap {
    let pixels = (0..<height).flatMap { y in (0..<width).map { x in color(x, y) } }
    return try #require(Bitmap(width: width, height: height, pixels: pixels))
  }

  /// What the screen shows there.
  private func color(_ us: XlibConnection, _ x: Int, _ y: Int) -> UInt32? {
    us.picture(of: us.display.root, Rect(x: x, y: y, width: 1, height: 1))?.bitmap.pixels.first
  }

  private func attributes(_ window: WindowID, _ peer: XlibPeer) -> XWindowAttributes? {
    var attributes = XWindowAttributes()
    return XGetWindowAttributes(peer.display, window.xid, &attributes) != 0 ? attributes : nil
  }

  /// Whether a window's shape is more than its rectangle, or less.
  private func bounding(_ window: WindowID, _ us: XlibConnection) -> [Rect]? {
    var shape: WindowShape?
    var batch = RequestBatch(us.display)
    ShapeExtension(us.display)?.ask(about: window, in: &batch) { shape = $0 }
    batch.run()
    return shape?.bounding
  }

  private static let white: UInt32 = 0xFFFF_FFFF
  private static let red: UInt32 = 0xFFFF_0000

  /// A white window below, so that the blending is seen.
  private func makeGround(_ peer: XlibPeer) -> WindowID {
    let ground = peer.makeTarget(Rect(x: 0, y: 0, width: 400, height: 400))
    XSetWindowBackground(peer.display, ground.xid, UInt(Self.white & 0xFF_FFFF))
    XClearWindow(peer.display, ground.xid)
    peer.sync()
    return ground
  }

  @Test func `it is there until it is hidden, says what it is for, and no window manager touches it`() async throws {
    try await with { us, peer in
      us.showImage(try bitmap(40, 30) { _, _ in Self.red }, at: Point(x: 100, y: 50))
      us.flush()
      let window = try #require(us.image.window)
      _ = us.serverTime()
      let shown = try #require(attributes(window, peer))
      #expect(shown.map_state == IsViewable)
      #expect(shown.override_redirect != 0)
      #expect(shown.depth == 32)
      #expect((shown.x, shown.y, shown.width, shown.height) == (100, 50, 40, 30))
      #expect(us.atoms(in: .windowType, of: window, type: .atom) == [.dragWindowType])
      #expect(color(us, 100, 50) == Self.red)
      #expect(color(us, 139, 79) == Self.red)
      #expect(color(us, 140, 79) != Self.red)
      us.hideImage()
      #expect(!us.exists(window))
      #expect(color(us, 100, 50) != Self.red)
    }
  }

  @Test func `the pointer and the search for a target go through it`() async throws {
    try await with { us, peer in
      let ground = makeGround(peer)
      us.beginTracking()
      let target = us.locateTarget(at: Point(x: 110, y: 60))
      us.showImage(try bitmap(40, 30) { _, _ in Self.red }, at: Point(x: 100, y: 50))
      us.moveImage(to: Point(x: 105, y: 55))
      #expect(us.drain().isEmpty)
      #expect(target?.window == ground)
      #expect(us.locateTarget(at: Point(x: 110, y: 60)) == target)
      us.showImage(try bitmap(20, 20) { _, _ in Self.red }, at: Point(x: 100, y: 50))
      us.hideImage()
      us.showImage(try bitmap(20, 20) { _, _ in Self.red }, at: Point(x: 100, y: 50))
      #expect(us.drain().isEmpty)
      #expect(us.locateTarget(at: Point(x: 110, y: 60)) == target)
      // Another program asks the server itself.
      var (child, x, y): (Window, Int32, Int32) = (0, 0, 0)
      XTranslateCoordinates(peer.display, peer.root, peer.root, 110, 60, &x, &y, &child)
      #expect(WindowID(child) == ground)
      XWarpPointer(peer.display, 0, peer.root, 0, 0, 0, 0, 110, 60)
      peer.sync()
      #expect(try #require(WindowQueries(us.display).pointer()).point == Point(x: 110, y: 60))
      var pointer = (
        root: Window(), child: Window(), x: Int32(), y: Int32(), inX: Int32(), inY: Int32(), mask: UInt32()
      )
      XQueryPointer(
        peer.display, peer.root, &pointer.root, &pointer.child, &pointer.x, &pointer.y, &pointer.inX, &pointer.inY,
        &pointer.mask)
      #expect(WindowID(pointer.child) == ground)
    }
  }

  @Test func `a move is one request, and comes over windows that were raised meanwhile`() async throws {
    try await with { us, peer in
      us.showImage(try bitmap(10, 10) { _, _ in Self.red }, at: Point(x: 100, y: 50))
      _ = us.serverTime()
      let ground = makeGround(peer)
      _ = us.serverTime()
      #expect(color(us, 102, 52) == Self.white)
      for step in 0..<50 {
        let serial = us.display.nextSerial
        us.moveImage(to: Point(x: 100 + step, y: 50))
        #expect(us.display.nextSerial == serial + 1)
      }
      #expect(color(us, 149, 52) == Self.red)
      #expect(color(us, 148, 52) == Self.white)
      #expect(us.exists(ground))
      // Off the screen, and farther than the protocol can say.
      us.moveImage(to: Point(x: 70_000, y: -70_000))
      #expect(color(us, 149, 52) == Self.white)
      us.moveImage(to: Point(x: 1, y: 1))
      #expect(color(us, 1, 1) == Self.red)
    }
  }

  @Test func `without a compositor it is cut where it fades, and no edge is darker than its colour`() async throws {
    try await with { us, peer in
      _ = makeGround(peer)
      // Columns from transparent to opaque, premultiplied red.
      us.showImage(
        try bitmap(5, 1) { x, _ in UInt32(min(255, x * 64)) << 24 | UInt32(min(255, x * 64)) << 16 },
        at: Point(x: 100, y: 50))
      let row = (0..<5).map { color(us, 100 + $0, 50) }
      #expect(row == [Self.white, Self.white, Self.red, Self.red, Self.red])
    }
  }

  @Test func `it changes when a compositor comes or goes, and when its picture changes`() async throws {
    try await with { us, peer in
      let manager = peer.makeWindow(Rect(x: 0, y: 0, width: 1, height: 1), mapped: false)
      let selection = peer.atom("_NET_WM_CM_S0")
      us.showImage(try bitmap(4, 4) { x, _ in x < 2 ? 0 : Self.red }, at: Point(x: 100, y: 50))
      let window = try #require(us.image.window)
      let half = [Rect(x: 2, y: 0, width: 2, height: 4)]
      let whole = [Rect(x: 0, y: 0, width: 4, height: 4)]
      #expect(bounding(window, us) == half)
      XSetSelectionOwner(peer.display, selection, manager.xid, 0)
      peer.sync()
      #expect(us.drain() == [.compositorChanged])
      #expect(bounding(window, us) == whole)
      #expect(us.image.window == window)
      us.showImage(try bitmap(6, 4) { x, _ in x < 2 ? 0 : Self.red }, at: Point(x: 100, y: 50))
      #expect(bounding(window, us) == [Rect(x: 0, y: 0, width: 6, height: 4)])
      us.showImage(try bitmap(4, 4) { x, _ in x < 2 ? 0 : Self.red }, at: Point(x: 100, y: 50))
      peer.destroy(manager)
      #expect(us.drain() == [.compositorChanged])
      #expect(bounding(window, us) == half)
      us.hideImage()
      // What is there already when the image comes counts too.
      let next = peer.makeWindow(Rect(x: 0, y: 0, width: 1, height: 1), mapped: false)
      XSetSelectionOwner(peer.display, selection, next.xid, 0)
      peer.sync()
      _ = us.drain()
      us.showImage(try bitmap(4, 4) { x, _ in x < 2 ? 0 : Self.red }, at: Point(x: 100, y: 50))
      #expect(bounding(try #require(us.image.window), us) == whole)
    }
  }

  @Test(
    arguments: [(16, []), (24, ["-extension", "Composite"]), (30, []), (24, ["-maxbigreqsize", "1"])]
      as [(Int, [String])])
  func `every screen with colours shows it, also a large one`(depth: Int, arguments: [String]) async throws {
    try await with(depth: depth, arguments) { us, peer in
      let colors: [UInt32] = [0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF, 0xFFFF_FFFF, 0xFF00_0000]
      us.showImage(try bitmap(1_200, 700) { x, y in colors[(x / 100 + y / 100) % 5] }, at: Point(x: 10, y: 10))
      for (x, y) in [(0, 0), (150, 50), (650, 350), (1_199, 0), (0, 699), (1_199, 699)] {
        #expect(color(us, 10 + x, 10 + y) == colors[(x / 100 + y / 100) % 5], "at \(x),\(y)")
      }
    }
  }

  @Test func `the host of a display hears nothing of it`() async throws {
    try await XServer.with { server in
      let host = try XlibPeer(server)
      XSelectInput(host.display, host.root, SubstructureNotifyMask)
      let us = XlibConnection(borrowing: host.display)
      us.beginTracking()
      _ = us.locateTarget(at: Point(x: 1, y: 1))
      us.showImage(try bitmap(4, 4) { _, _ in Self.red }, at: Point(x: 0, y: 0))
      us.moveImage(to: Point(x: 5, y: 5))
      let image = try #require(us.image.window)
      us.hideImage()
      let other = host.makeWindow(Rect(x: 0, y: 0, width: 10, height: 10))
      host.sync()
      var seen: Set<WindowID> = []
      while XPending(host.display) > 0 {
        var event = XEvent()
        XNextEvent(host.display, &event)
        if !us.filter(&event, { (_: ServerEvent) in }) { seen.insert(WindowID(event.xdestroywindow.window)) }
      }
      #expect(seen.contains(other))
      #expect(!seen.contains(image))
      us.close()
    }
  }

  @Test func `what a window shows can be dragged, and where it is on the screen is known while it is seen`()
    async throws
  {
    try await with { us, peer in
      let frame = peer.makeWindow(Rect(x: 300, y: 300, width: 100, height: 100))
      let window = peer.makeWindow(in: frame, Rect(x: -20, y: 10, width: 60, height: 60))
      XSetWindowBackground(peer.display, window.xid, 0x12_3456)
      XClearWindow(peer.display, window.xid)
      peer.sync()
      let area = Rect(x: 30, y: 10, width: 20, height: 5)
      let picture = try #require(us.picture(of: window, area))
      #expect(picture.bitmap == (try bitmap(20, 5) { _, _ in 0xFF12_3456 }))
      #expect(picture.place == Rect(x: 310, y: 320, width: 20, height: 5))
      #expect(us.visiblePlace(of: area, in: window) == picture.place)
      // A part of it that its frame hides.
      #expect(us.visiblePlace(of: Rect(x: 0, y: 10, width: 20, height: 5), in: window) == nil)
      let cover = peer.makeWindow(Rect(x: 310, y: 310, width: 50, height: 50))
      #expect(us.visiblePlace(of: area, in: window) == nil)
      peer.destroy(cover)
      XMoveWindow(peer.display, frame.xid, -15, 300)
      peer.sync()
      #expect(us.picture(of: window, nil)?.part == Rect(x: 35, y: 0, width: 25, height: 60))
      #expect(us.visiblePlace(of: area, in: window)?.origin == Point(x: -5, y: 320))
      XUnmapWindow(peer.display, frame.xid)
      peer.sync()
      #expect(us.picture(of: window, area) == nil)
      #expect(us.visiblePlace(of: area, in: window) == nil)
      peer.destroy(frame)
      #expect(us.picture(of: window, area) == nil)
      #expect(us.visiblePlace(of: area, in: window) == nil)
    }
  }
}
