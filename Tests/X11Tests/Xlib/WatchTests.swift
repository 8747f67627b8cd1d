import XDnDX11
import TestSupport
import Testing

@testable import XDnD

@Suite("Watching windows, and their end", .requiresXvfb, .timeLimit(.minutes(1)))
struct WatchTests {
  @Test func `a window's end and its properties are told to those who asked, and to them alone`() async throws {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      let window = peer.makeWindow(Rect(x: 0, y: 0, width: 5, height: 5))
      us.watch(window, for: [.destruction, .properties])
      #expect(us.exists(window))
      peer.setWords([1], "NEWS", type: "INTEGER", on: window)
      XDeleteProperty(peer.display, window.xid, peer.atom("NEWS"))
      peer.destroy(window)
      #expect(us.next() == .propertyChanged(AtomName("NEWS"), of: window))
      #expect(us.next() == .propertyDeleted(AtomName("NEWS"), of: window))
      #expect(us.next() == .windowVanished(window))
      us.unwatch(window, for: [.destruction, .properties])

      let other = peer.makeTarget(Rect(x: 0, y: 0, width: 5, height: 5))
      us.beginTracking()
      _ = us.locateTarget(at: Point(x: 1, y: 1))
      peer.setWords([1], "NEWS", type: "INTEGER", on: other)
      peer.destroy(other)
      let events = us.drain()
      #expect(!events.isEmpty)
      #expect(events.allSatisfy { $0 == .stackingChanged })
    }
  }

  @Test func `a window that goes just before it is watched is told of`() async throws {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      let window = peer.makeWindow(Rect(x: 0, y: 0, width: 5, height: 5))
      us.watch(window, for: .destruction)  // The request itself is still in the buffer.
      peer.destroy(window)
      #expect(us.next() == .windowVanished(window))
    }
  }

  @Test func `watching a window that is gone says so at once`() async throws {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      let window = peer.makeWindow(Rect(x: 0, y: 0, width: 5, height: 5))
      peer.destroy(window)
      us.watch(window, for: .destruction)
      #expect(us.nextEvent() == .windowVanished(window))
      us.unwatch(window, for: .destruction)
    }
  }

  @Test func `the host's event mask is as before after the last unwatch, and keeps what it added meanwhile`()
    async throws
  {
    try await XServer.with { server in
      let host = try XlibPeer(server)
      let window = host.makeWindow(Rect(x: 0, y: 0, width: 50, height: 50))
      let root = WindowID(host.root)
      XSelectInput(host.display, window.xid, ExposureMask | PropertyChangeMask)
      XSelectInput(host.display, host.root, FocusChangeMask)
      let us = XlibConnection(borrowing: host.display)

      us.watch(window, for: [.destruction, .properties])
      us.watch(window, for: .destruction)
      #expect(host.mask(on: window) == ExposureMask | PropertyChangeMask | StructureNotifyMask)
      us.unwatch(window, for: .destruction)
      #expect(host.mask(on: window) == ExposureMask | PropertyChangeMask | StructureNotifyMask)
      XSelectInput(host.display, window.xid, host.mask(on: window) | KeyPressMask)
      us.unwatch(window, for: [.destruction, .properties])
      us.unwatch(window, for: .destruction)
      us.takeReplies()
      #expect(host.mask(on: window) == ExposureMask | PropertyChangeMask | KeyPressMask)

      us.beginTracking()
      _ = us.locateTarget(at: Point(x: 10, y: 10))
      #expect(host.mask(on: root) == FocusChangeMask | SubstructureNotifyMask)
      us.endTracking()
      us.takeReplies()
      #expect(host.mask(on: root) == FocusChangeMask)
      #expect(host.mask(on: window) == ExposureMask | PropertyChangeMask | KeyPressMask)

      us.watch(window, for: .destruction)
      us.close()
      #expect(host.mask(on: window) == ExposureMask | PropertyChangeMask | KeyPressMask)
    }
  }

  @Test func `a search for places needs no drag, and leaves nothing watched`() async throws {
    try await XServer.with { server in
      let host = try XlibPeer(server)
      let frame = host.makeWindow(Rect(x: 100, y: 100, width: 100, height: 100))
      let window = host.makeWindow(in: frame, Rect(x: 5, y: 20, width: 60, height: 60))
      let us = XlibConnection(borrowing: host.display)
      let parts = [Rect(x: 10, y: 10, width: 20, height: 5), Rect(x: 200, y: 0, width: 10, height: 10)]
      let places = us.answer { us.findPlaces(of: parts.map { WindowPart(window: window, frame: $0) }, then: $0) }
      #expect(places == [Rect(x: 115, y: 130, width: 20, height: 5), nil])
      #expect(!us.hierarchy.isTracking)
      for watched in [WindowID(host.root), frame, window] { #expect(host.mask(on: watched) == 0) }
      us.close()
    }
  }

  @Test func `the end of a watch is not waited for, and what is watched again meanwhile stays selected`() async throws {
    try await XServer.with { server in
      let host = try XlibPeer(server)
      let window = host.makeWindow(Rect(x: 0, y: 0, width: 50, height: 50))
      XSelectInput(host.display, window.xid, ExposureMask)
      let us = XlibConnection(borrowing: host.display)
      let watched = ExposureMask | PropertyChangeMask

      us.watch(window, for: .properties)
      us.unwatch(window, for: .properties)
      #expect(host.mask(on: window) == watched)
      us.watch(window, for: .properties)
      us.takeReplies()
      #expect(host.mask(on: window) == watched)
      us.unwatch(window, for: .properties)
      us.watchSoon(window, for: .properties)
      us.unwatch(window, for: .properties)
      us.takeReplies()
      #expect(host.mask(on: window) == ExposureMask)

      us.watch(window, for: .properties)
      us.unwatch(window, for: .properties)
      us.close()  // No reply is read any more.
      #expect(host.mask(on: window) == ExposureMask)
    }
  }

  @Test(arguments: [false, true])
  func `what a host selects before the reply stays selected, also if the host never pauses`(isBusy: Bool) async throws {
    try await XServer.with { server in
      let host = try XlibPeer(server)
      let window = host.makeWindow(Rect(x: 0, y: 0, width: 50, height: 50))
      XSelectInput(host.display, window.xid, ExposureMask)
      let us = XlibConnection(borrowing: host.display)
      let sync: (OpaquePointer) -> Void = { XSync($0, False) }
      func takeReplies() {
        us.takeReplies(pause: isBusy ? sync : nil)
        #expect(us.display.openBatches.isEmpty)
      }

      us.watchSoon(window, for: .properties)
      XSelectInput(host.display, window.xid, ExposureMask | KeyPressMask)
      takeReplies()
      #expect(host.mask(on: window) == ExposureMask | KeyPressMask | PropertyChangeMask)
      us.unwatch(window, for: .properties)
      XSelectInput(host.display, window.xid, host.mask(on: window) | FocusChangeMask)
      takeReplies()
      #expect(host.mask(on: window) == ExposureMask | KeyPressMask | FocusChangeMask)
    }
  }

  @Test func `a host's mask is asked for once if the host sends nothing meanwhile`() async throws {
    try await XServer.with { server in
      let host = try XlibPeer(server)
      let window = host.makeWindow(Rect(x: 0, y: 0, width: 50, height: 50))
      XSelectInput(host.display, window.xid, ExposureMask)
      let us = XlibConnection(borrowing: host.display)
      let before = us.display.roundTrips
      us.watchSoon(window, for: .properties)
      us.takeReplies()
      us.unwatch(window, for: .properties)
      us.takeReplies()
      #expect(us.display.roundTrips == before + 2)
      #expect(host.mask(on: window) == ExposureMask)
    }
  }

  @Test func `a host sees its own events, and not those that only concern the drag`() async throws {
    try await XServer.with { server in
      let (host, peer) = (try XlibPeer(server), try XlibPeer(server))
      let us = XlibConnection(borrowing: host.display)
      let window = host.makeWindow(Rect(x: 0, y: 0, width: 50, height: 50))
      us.beginTracking()
      _ = us.locateTarget(at: Point(x: 10, y: 10))
      host.sync()

      peer.send("XdndLeave", [7, 0, 0, 0, 0], to: window)
      var told: [ServerEvent] = []
      var message = try #require(host.event(ClientMessage))
      #expect(us.filter(&message) { told.append($0) })
      #expect(told == [.message(.leave(.init(source: WindowID(rawValue: 7))), window: window)])

      XMoveWindow(host.display, window.xid, 5, 5)
      var configure = try #require(host.event(ConfigureNotify))
      #expect(us.filter(&configure) { told.append($0) })
      #expect(told.last == .stackingChanged)
      #expect(us.nextEvent() == nil)

      XSelectInput(host.display, window.xid, StructureNotifyMask)
      XMoveWindow(host.display, window.xid, 6, 6)
      var hostsOwn = 0
      for _ in 0..<2 {  // One for who watches the window, one for who watches its parent.
        var configure = try #require(host.event(ConfigureNotify))
        let isConsumed = us.filter(&configure) { told.append($0) }
        #expect(isConsumed == (configure.xconfigure.event != window.xid))
        hostsOwn += isConsumed ? 0 : 1
      }
      #expect(hostsOwn == 1)

      us.send(.leave(.init(source: us.dragWindow)), version: .v5, to: WindowID(rawValue: 9), via: WindowID(rawValue: 9))
      host.sync()
      // This host leaves events where they are, and is waited for once.
      #expect((us.nextEvent() ?? us.nextEvent()) == .windowVanished(WindowID(rawValue: 9)))
    }
  }
}
