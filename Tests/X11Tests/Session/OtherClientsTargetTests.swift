import XDnDX11
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// `registerDropTarget` on windows that other connections have created.
@Suite("Drop targets that are other clients' windows", .requiresXvfb, .timeLimit(.minutes(1)))
struct OtherClientsTargetTests {
  private static let frame = Rect(x: 100, y: 100, width: 200, height: 200)
  private static let names = ["XdndAware", "XdndProxy", "_XDND_SAVED_BY", "_XDND_SAVED_AWARE", "_XDND_SAVED_PROXY"]

  /// Takes text.
  private final class Taker: DropDelegate {
    private(set) var texts: [String] = []
    private(set) var locations: [Point] = []
    private(set) var results: [DropResult] = []
    private(set) var (entries, exits) = (0, 0)

    func dropEntered(_ drop: DropSession) { entries += 1 }

    func dropExited(_ drop: DropSession, _ reason: DropExit) { exits += 1 }

    func performDrop(_ drop: DropSession) {
      if let location = drop.location { locations.append(location) }
      drop.load(String.self) { [self] result in
        if case .success(let text) = result { texts.append(text) }
        drop.finish(.copy)
      }
    }

    func dropEnded(_ drop: DropSession, _ result: DropResult) { results.append(result) }
  }

  /// A driver, with what it says about targets that are none.
  private final class Host {
    let driver: DragAndDrop
    let taker = Taker()
    private(set) var losses: [(window: WindowID, code: XDnDError.Code)] = []

    init(_ server: XServer) throws {
      driver = try DragAndDrop(connectingTo: server.displayName)
      driver.onDropTargetLost = { [unowned self] in losses.append(($0, $1.code)) }
    }

    func register(_ window: WindowID) {
      driver.registerDropTarget(window, accepting: DropOffer([.plainText]), delegate: taker)
    }

    func run(until condition: () -> Bool) throws {
      let deadline = ContinuousClock.now + .seconds(20)
      try driver.run(wakingAt: { .now + .milliseconds(2) }) { !condition() && .now < deadline }
      #expect(condition())
    }
  }

  private static func properties(of window: WindowID, _ peer: XlibPeer) -> [String: [UInt32]] {
    names.reduce(into: [:]) { $0[$1] = peer.words($1, of: window) }
  }

  private static func with(_ body: @escaping @Sendable (XServer, XlibPeer, Host) throws -> Void) async throws {
    try await XServer.with { server in
      try await onOwnThread { try body(server, try XlibPeer(server), try Host(server)) }
    }
  }

  @Test func `a drop on one is taken, by its proxy, wherever the window has gone`() async throws {
    try await Self.with { server, peer, host in
      let window = peer.makeWindow(Self.frame)
      host.register(window)
      let proxy = try #require(peer.number("XdndProxy", of: window))
      let id = WindowID(rawValue: UInt32(proxy))
      #expect(peer.number("XdndProxy", of: id) == proxy)
      #expect(peer.number("XdndAware", of: id) == 5)
      #expect(peer.number("XdndAware", of: window) == 5)

      let source = try DragAndDrop(connectingTo: server.displayName)
      for shift in [0, 50] {
        XMoveWindow(peer.display, window.xid, Int32(100 + shift), 100)
        peer.sync()
        let drag = source.drop([DragItem("words")], on: window, at: Point(x: 30, y: 40))
        let count = host.taker.results.count
        try host.run {
          try? source.process()
          return host.taker.results.count > count && drag.outcome != nil
        }
        #expect(drag.outcome == .dropped(.copy))
      }
      #expect(host.taker.texts == ["words", "words"])
      #expect(host.taker.locations == [Point(x: 30, y: 40), Point(x: 30, y: 40)])
      #expect(host.losses.isEmpty)

      host.driver.unregisterDropTarget(window)
      host.driver.synchronize()
      #expect(Self.properties(of: window, peer) == [:])
    }
  }

  @Test func `the end of the driver restores what the window had`() async throws {
    try await XServer.with { server in
      try await onOwnThread {
        let peer = try XlibPeer(server)
        let window = peer.makeTarget(Self.frame, version: 4)
        let stray = peer.makeWindow(Rect(x: 0, y: 0, width: 10, height: 10))
        peer.setProxy(stray, on: window)
        let before = Self.properties(of: window, peer)
        do {
          let host = try Host(server)
          host.register(window)
          host.driver.synchronize()
          #expect(peer.number("XdndAware", of: window) == 5)
          #expect(peer.number("_XDND_SAVED_AWARE", of: window) == 4)
        }
        peer.sync()
        #expect(Self.properties(of: window, peer) == before)
      }
    }
  }

  @Test func `what cannot be one says why, and stays as it is`() async throws {
    try await Self.with { server, peer, host in
      let proxied = peer.makeTarget(Self.frame)
      let live = peer.makeTarget(Self.frame)
      peer.setProxy(live, on: live)
      peer.setProxy(live, on: proxied)
      let gone = peer.makeWindow(Self.frame)
      peer.destroy(gone)
      let taken = peer.makeWindow(Self.frame)
      let rival = try Host(server)
      rival.register(taken)
      rival.driver.synchronize()
      let before = Self.properties(of: taken, peer)

      let cases: [(WindowID, XDnDError.Code)] = [
        (WindowID(peer.root), .windowUnavailable), (proxied, .windowUnavailable), (gone, .noWindow),
        (taken, .windowUnavailable),
      ]
      for (window, code) in cases {
        do throws(XDnDError) {
          try host.driver.checkDropTarget(window)
          Issue.record("\(window) could be registered")
        } catch {
          #expect(error.code == code)
        }
        host.register(window)
        #expect(host.losses.last?.window == window)
        #expect(host.losses.last?.code == code)
      }
      #expect(host.losses.count == cases.count)
      host.driver.synchronize()
      #expect(peer.number("XdndProxy", of: proxied) == Int(live.rawValue))
      #expect(Self.properties(of: taken, peer) == before)
      #expect(rival.losses.isEmpty)
      #expect(Self.properties(of: WindowID(peer.root), peer) == [:])
    }
  }

  @Test func `a second connection in one program is another client`() async throws {
    try await Self.with { server, peer, host in
      let own = try #require(host.driver.display)
      let window = WindowID(XCreateSimpleWindow(own, peer.root, 0, 0, 100, 100, 0, 0, 0))
      host.register(window)
      host.driver.synchronize()
      #expect(peer.number("XdndAware", of: window) == 5)
      #expect(peer.number("XdndProxy", of: window) == nil)
      let second = try Host(server)
      second.register(window)
      second.driver.synchronize()
      #expect(peer.number("XdndProxy", of: window) != nil)
    }
  }

  @Test func `the end of the window is told, and so is an owner that takes drops itself`() async throws {
    try await Self.with { server, peer, host in
      let windows = (0..<3).map { _ in peer.makeWindow(Self.frame) }
      for window in windows { host.register(window) }
      // What the driver has written itself is no change.
      for _ in 0..<3 {
        host.driver.synchronize()
        try host.driver.process()
      }
      #expect(host.losses.isEmpty)

      peer.destroy(windows[0])
      try host.run { host.losses.count == 1 }
      #expect(host.losses[0] == (windows[0], .noWindow))

      // The very value that is there already.
      peer.setWords([5], "XdndAware", type: "ATOM", on: windows[1])
      try host.run { host.losses.count == 2 }
      #expect(host.losses[1] == (windows[1], .windowUnavailable))
      host.driver.synchronize()
      #expect(Self.properties(of: windows[1], peer) == ["XdndAware": [5]])

      let proxy = peer.makeTarget(Self.frame)
      peer.setProxy(proxy, on: proxy)
      peer.setProxy(proxy, on: windows[2])
      try host.run { host.losses.count == 3 }
      host.driver.synchronize()
      #expect(peer.number("XdndProxy", of: windows[2]) == Int(proxy.rawValue))
      #expect(peer.words("_XDND_SAVED_BY", of: windows[2]) == nil)
    }
  }

  @Test func `an embedded window is reached by the top-level window of its embedder`() async throws {
    try await Self.with { server, peer, host in
      let top = peer.makeWindow(Self.frame)
      let socket = peer.makeWindow(in: top, Rect(x: 50, y: 50, width: 100, height: 100))
      let own = try #require(host.driver.display)
      let plug = WindowID(XCreateSimpleWindow(own, socket.xid, 0, 0, 100, 100, 0, 0, 0))
      XMapWindow(own, plug.xid)
      host.driver.synchronize()
      #expect(host.driver.topLevelWindow(of: plug) == top)
      #expect(host.driver.topLevelWindow(of: top) == top)
      peer.setWords([1, 0], "WM_STATE", type: "WM_STATE", on: socket)
      #expect(host.driver.topLevelWindow(of: plug) == socket)
      #expect(host.driver.topLevelWindow(of: WindowID(peer.root)) == nil)
      #expect(host.driver.topLevelWindow(of: WindowID(rawValue: 1)) == nil)

      var places: [Point] = []
      let frame = Rect(x: 50, y: 50, width: 100, height: 100)
      host.driver.onDrop(of: [.plainText], in: top, frame: frame) { drop, place in
        places.append(place)
        drop.finish(.copy)
        return true
      }
      let source = try DragAndDrop(connectingTo: server.displayName)
      for (point, isTaken) in [(Point(x: 60, y: 70), true), (Point(x: 5, y: 5), false)] {
        let drag = source.drop([DragItem("words")], on: top, at: point)
        try host.run {
          try? source.process()
          return drag.outcome != nil
        }
        #expect((drag.outcome == .dropped(.copy)) == isTaken)
      }
      #expect(places == [Point(x: 60, y: 70)])
    }
  }

  /// Opens another client's window, of 200×200 pixels at 100,100, that is a drop target of its own client.
  private static func openEmbedder(_ server: XServer, _ peer: XlibPeer) throws -> (Host, window: WindowID) {
    let embedder = try Host(server)
    let display = try #require(embedder.driver.display)
    let window = WindowID(XCreateSimpleWindow(display, peer.root, 100, 100, 200, 200, 0, 0, 0))
    XMapWindow(display, window.xid)
    embedder.register(window)
    embedder.driver.synchronize()
    return (embedder, window)
  }

  @Test func `drops outside the regions of an embedder's window reach the embedder, if it takes drops itself`()
    async throws
  {
    try await Self.with { server, peer, host in
      let (embedder, top) = try Self.openEmbedder(server, peer)

      let region = DropRegion(
        frame: Rect(x: 50, y: 50, width: 100, height: 100), accepting: DropOffer([.plainText]), delegate: host.taker)
      host.driver.registerDropTarget(top, regions: [region])
      let source = try DragAndDrop(connectingTo: server.displayName)
      func drop(at point: Point) throws {
        let drag = source.drop([DragItem("at \(point.x)")], on: top, at: point)
        try host.run {
          try? source.process()
          try? embedder.driver.process()
          return drag.outcome != nil
        }
        #expect(drag.outcome == .dropped(.copy))
      }
      try drop(at: Point(x: 60, y: 70))
      try drop(at: Point(x: 5, y: 6))
      #expect(host.taker.texts == ["at 60"])
      #expect(embedder.taker.texts == ["at 5"])
      #expect(host.taker.locations == [Point(x: 60, y: 70)])
      #expect(embedder.taker.locations == [Point(x: 5, y: 6)])

      // The region has moved.
      region.frame = Rect(x: 0, y: 0, width: 20, height: 20)
      try drop(at: Point(x: 5, y: 6))
      try drop(at: Point(x: 60, y: 70))
      #expect(host.taker.texts == ["at 60", "at 5"])
      #expect(embedder.taker.texts == ["at 5", "at 60"])

      // A region without a frame is the whole window.
      host.driver.onDrop(of: [.plainText], in: top) { $0.finish(.copy) }
      try drop(at: Point(x: 150, y: 150))
      #expect(embedder.taker.texts.count == 2)

      host.driver.unregisterDropTarget(top)
      host.driver.synchronize()
      try drop(at: Point(x: 6, y: 6))
      #expect(embedder.taker.texts.last == "at 6")
    }
  }

  @Test(arguments: [true, false])
  func `an embedder hears of a Leave only if the pointer has left: GTK 4 goes on with the window itself`(isOver: Bool)
    async throws
  {
    try await Self.with { server, peer, host in
      let (embedder, top) = try Self.openEmbedder(server, peer)
      let region = DropRegion(frame: Rect(x: 150, y: 150, width: 50, height: 50), accepting: DropOffer([.plainText]))
      host.driver.registerDropTarget(top, regions: [region])
      let proxy = WindowID(rawValue: UInt32(try #require(peer.number("XdndProxy", of: top))))

      let source = peer.makeWindow(Rect(x: 0, y: 0, width: 10, height: 10))
      XWarpPointer(peer.display, 0, peer.root, 0, 0, 0, 0, isOver ? 110 : 50, 110)
      let text = Int(XInternAtom(peer.display, "text/plain", 0))
      let copy = Int(XInternAtom(peer.display, "XdndActionCopy", 0))
      let id = Int(source.rawValue)
      peer.send("XdndEnter", [id, 5 << 24, text, 0, 0], to: top, via: proxy)
      peer.send("XdndPosition", [id, 0, 110 << 16 | 110, 1, copy], to: top, via: proxy)
      try host.run {
        try? embedder.driver.process()
        return embedder.taker.entries == 1
      }
      peer.send("XdndLeave", [id, 0, 0, 0, 0], to: top, via: proxy)
      // Each turn brings the answer to one question of the search for the pointer.
      for _ in 0..<10 {
        host.driver.synchronize()
        try host.driver.process()
        embedder.driver.synchronize()
        try embedder.driver.process()
      }
      #expect(embedder.taker.exits == (isOver ? 0 : 1))
      // The end of the registration is the end of the visit.
      host.driver.unregisterDropTarget(top)
      try host.run {
        try? embedder.driver.process()
        return embedder.taker.exits == 1
      }
    }
  }

  @Test func `a window on a borrowed connection is the host's own`() async throws {
    try await XServer.with { server in
      try await onOwnThread {
        let peer = try XlibPeer(server)
        let window = peer.makeWindow(Self.frame)
        let other = try XlibPeer(server)
        let foreign = other.makeWindow(Self.frame)
        do {
          let driver = try DragAndDrop(borrowing: peer.display)
          let taker = Taker()
          for window in [window, foreign] {
            driver.registerDropTarget(window, accepting: DropOffer([.plainText]), delegate: taker)
          }
          driver.synchronize()
          #expect(peer.number("XdndProxy", of: window) == nil)
          #expect(peer.number("XdndProxy", of: foreign) != nil)
        }
        #expect(Self.properties(of: window, peer) == [:])
        #expect(Self.properties(of: foreign, peer) == [:])
      }
    }
  }
}
