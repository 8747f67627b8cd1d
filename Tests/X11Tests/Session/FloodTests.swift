import XDnDX11
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// Peers that send faster than a server answers.
@Suite("Floods", .requiresXvfb, .timeLimit(.minutes(2)))
struct FloodTests {
  /// A window that takes drops, and another client that sends it messages.
  private final class Stage: DropDelegate {
    let driver: DragAndDrop
    let window: WindowID
    let peer: XlibPeer
    let source: WindowID

    init(_ server: XServer) throws {
      guard DisplayConnection.threadsAreReady else { throw HarnessError("this libX11 has no threads") }
      driver = try DragAndDrop(connectingTo: server.displayName)
      let display = try #require(driver.display)
      window = WindowID(XCreateSimpleWindow(display, XDefaultRootWindow(display), 0, 0, 200, 200, 0, 0, 0))
      XMapWindow(display, window.xid)
      peer = try XlibPeer(server)
      source = peer.makeWindow(Rect(x: 300, y: 0, width: 50, height: 50))
      driver.registerDropTarget(window, accepting: DropOffer(["*/*"]), delegate: self)
      XSetSelectionOwner(peer.display, peer.atom("XdndSelection"), source.xid, 0)
      XSync(display, False)
    }

    func performDrop(_ drop: DropSession) { drop.finish(.copy) }

    var questions: Int { (driver.reactor.system as? XlibConnection)?.display.roundTrips ?? 0 }

    /// Sends messages without waiting for the server.
    func send(_ type: String, _ messages: [[Int]]) { peer.flood(window, with: type, messages) }

    func enter(_ source: WindowID, type: XDnDX11.Atom? = nil) -> [Int] {
      [Int(source.rawValue), 5 << 24, Int(type ?? peer.atom("text/plain")), 0, 0]
    }

    /// Runs the target until an honest drag has its answer.
    func expectHonestDrag() throws {
      let copy = Int(peer.atom("XdndActionCopy"))
      send("XdndEnter", [enter(source)])
      send("XdndPosition", [[Int(source.rawValue), 0, 50 << 16 | 50, 0, copy]])
      let deadline = ContinuousClock.now + .seconds(60)
      var event = XEvent()
      repeat {
        try #require(ContinuousClock.now < deadline, "no Status")
        try driver.process()
      } while XCheckTypedEvent(peer.display, ClientMessage, &event) == 0
      #expect(event.xclient.message_type == peer.atom("XdndStatus"))
      #expect(event.xclient.data.l.1 & 1 == 1)
      send("XdndLeave", [[Int(source.rawValue), 0, 0, 0, 0]])
    }
  }

  /// The sources of a flood.
  enum Sources: CaseIterable {
    /// Windows that do not exist.
    case bogus
    /// Windows that do not exist, with numbers that are no atoms.
    case nameless
    /// Windows of a client, each several times.
    case live
  }

  @Test func `an event that the driver does not need counts for the length of a turn, too`() async throws {
    try await XServer.with { server in
      let stage = try Stage(server)
      let us = try #require(stage.driver.reactor.system as? XlibConnection)
      stage.send("UNKNOWN", Array(repeating: [0, 0, 0, 0, 0], count: 10))
      XSync(stage.peer.display, False)
      _ = us.serverTime()
      var others = 0
      while let arrival = us.nextArrival() { if case .other = arrival { others += 1 } }
      #expect(others >= 10)
    }
  }

  @Test(arguments: Sources.allCases, [false, true])
  func `twenty thousand visits cost few questions, and the next drag is answered`(
    from sources: Sources, withLeaves: Bool
  ) async throws {
    try await XServer.with { server in
      let stage = try Stage(server)
      try stage.expectHonestDrag()
      let before = stage.questions
      let windows: [WindowID] =
        switch sources {
        case .bogus, .nameless: (0..<20_000).map { WindowID(rawValue: 0x7000_0000 + $0) }
        case .live:
          Array(
            repeatElement(
              (0..<2_000).map { _ in
                WindowID(XCreateSimpleWindow(stage.peer.display, stage.peer.root, 0, 0, 1, 1, 0, 0, 0))
              }, count: 10
            ).joined())
        }
      for window in windows {
        let type = sources == .nameless ? XDnDX11.Atom(window.rawValue - 0x6000_0000) : nil
        stage.send("XdndEnter", [stage.enter(window, type: type)])
        if withLeaves { stage.send("XdndLeave", [[Int(window.rawValue), 0, 0, 0, 0]]) }
      }
      stage.peer.sync()
      try stage.expectHonestDrag()
      // The server answers while the flood is read, so more than one visit is asked about, but far from each.
      #expect(stage.questions - before < windows.count / 20)
    }
  }

  /// A host on a borrowed display, and a peer that sends it messages.
  private final class Host: DropDelegate {
    let driver: DragAndDrop
    /// Released after the driver, which uses its display.
    private let host: XlibPeer
    private let peer: XlibPeer
    private let window: WindowID

    init(_ server: XServer) throws {
      host = try XlibPeer(server)
      peer = try XlibPeer(server)
      driver = try DragAndDrop(borrowing: host.display)
      window = host.makeWindow(Rect(x: 0, y: 0, width: 200, height: 200))
      driver.registerDropTarget(window, accepting: DropOffer(["*/*"]), delegate: self)
      host.sync()
    }

    func performDrop(_ drop: DropSession) { drop.reject() }

    /// Measures the processor time of reading positions of missing windows, and then events of the host's own.
    func readingTime(ofEvents count: Int) throws -> Double {
      let copy = Int(peer.atom("XdndActionCopy"))
      let positions = (0..<10).map { [0x7000_0000 + $0, 0, 50 << 16 | 50, 0, copy] }
      peer.flood(window, with: "XdndPosition", positions)
      peer.flood(window, with: "FLOOD_TEST", Array(repeating: [0, 0, 0, 0, 0], count: count))
      peer.sync()
      // All of them are in Xlib's queue.
      host.sync()
      for _ in positions { filterNext() }
      // The Status messages have failed. The loss of their windows is reported after older events.
      host.sync()
      let time = WorkGrowth.processorTime { while XPending(host.display) > 0 { filterNext() } }
      try driver.process()
      return time
    }

    private func filterNext() {
      var event = XEvent()
      XNextEvent(host.display, &event)
      _ = driver.filter(xEvent: &event)
    }
  }

  @Test func `after positions from windows that do not exist, each event of a borrowed display costs the same`()
    async throws
  {
    try await XServer.with { server in
      try await onOwnThread {
        let (host, count) = (try Host(server), 2_000)
        // What follows the registration.
        _ = try host.readingTime(ofEvents: 10)
        var ratio = Double.infinity
        for _ in 0..<5 where ratio > WorkGrowth.limit {
          let small = try host.readingTime(ofEvents: count)
          let large = try host.readingTime(ofEvents: count * WorkGrowth.factor)
          ratio = min(ratio, large / small)
        }
        #expect(ratio < WorkGrowth.limit)
      }
    }
  }
}

extension XlibPeer {
  /// Sends messages without waiting for the server.
  fileprivate func flood(_ window: WindowID, with type: String, _ messages: [[Int]]) {
    var event = XEvent()
    event.xclient.type = ClientMessage
    event.xclient.window = window.xid
    event.xclient.message_type = atom(type)
    event.xclient.format = 32
    for words in messages {
      event.xclient.data.l = (words[0], words[1], words[2], words[3], words[4])
      XSendEvent(display, window.xid, False, NoEventMask, &event)
    }
    XFlush(display)
  }
}
