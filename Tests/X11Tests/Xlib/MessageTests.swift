import XDnDX11
import TestSupport
import Testing

@testable import XDnD

@Suite("Messages over a server", .requiresXvfb, .timeLimit(.minutes(1)))
struct MessageTests {
  @Test func `messages arrive as they were sent, also above and left of the origin`() async throws {
    try await XServer.with { server in
      let (source, target) = (try XlibConnection(server), try XlibConnection(server))
      let window = target.dragWindow
      let messages: [XdndMessage] = [
        .enter(
          .init(
            source: source.dragWindow, statedVersion: 5, hasTypeList: true,
            inlineTypes: [AtomName("text/x-never-seen"), AtomName("image/png")])),
        .position(
          .init(
            source: source.dragWindow, point: Point(x: -1200, y: -7), time: Timestamp(rawValue: 0xFFFF_FFF0),
            operation: .copy)),
        .position(
          .init(source: source.dragWindow, point: Point(x: 5, y: -7), time: Timestamp(rawValue: 1), operation: nil)),
        .drop(.init(source: source.dragWindow, time: Timestamp(rawValue: 0x8000_0001))),
        .leave(.init(source: source.dragWindow)),
      ]
      for message in messages {
        source.send(message, version: .v5, to: window, via: window)
        source.flush()
        #expect(target.next() == .message(message, window: window))
      }
    }
  }

  @Test func `an x that the sign of y has run over is asked of the pointer`() async throws {
    try await XServer.with { server in
      let (us, peer, pointer) = (try XlibConnection(server), try XlibPeer(server), try Pointer(server))
      pointer.move(to: Point(x: 321, y: 100))
      // (x << 16) | y with x = 321 and y = -7, as GTK packs it.
      peer.send("XdndPosition", [0x400001, 0, 321 << 16 | -7, 0, 0], to: us.dragWindow)
      guard case .message(.position(let position), _) = us.next() else {
        Issue.record("no position arrived")
        return
      }
      #expect(position.point == Point(x: 321, y: -7))
    }
  }

  @Test func `a message goes where it is delivered to, and says whom it is addressed to`() async throws {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      let window = WindowID(rawValue: 0x1234567)
      let proxy = peer.makeWindow(Rect(x: 0, y: 0, width: 5, height: 5))
      us.send(.leave(.init(source: us.dragWindow)), version: .v5, to: window, via: proxy)
      us.flush()
      let event = try #require(peer.event(ClientMessage))
      #expect(WindowID(event.xclient.window) == window)
      #expect(event.xclient.message_type == peer.atom("XdndLeave"))
      #expect(event.xclient.data.l.0 == Int(us.dragWindow.rawValue))
    }
  }

  @Test func `a message to the root reaches the one who has asked for button presses there`() async throws {
    try await XServer.with { server in
      let (us, desktop) = (try XlibConnection(server), try XlibPeer(server))
      XSelectInput(desktop.display, desktop.root, ButtonPressMask)
      desktop.sync()
      let root = WindowID(desktop.root)
      us.send(.leave(.init(source: us.dragWindow)), version: .v5, to: root, via: root)
      us.flush()
      #expect(desktop.event(ClientMessage) != nil)
    }
  }

  @Test func `messages of other kinds and formats go to the host`() async throws {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      let window = WindowID(XCreateSimpleWindow(us.display.opaque, peer.root, 0, 0, 5, 5, 0, 0, 0))
      us.flush()
      #expect(us.exists(window))
      var seen: [Int32] = []
      us.events.onForeignEvent = { seen.append($0.load(as: XEvent.self).type) }
      peer.send("WM_PROTOCOLS", [1, 2, 3, 4, 5], to: window)
      peer.send("XdndLeave", [1, 0, 0, 0, 0], to: window)
      #expect(us.next() == .message(.leave(.init(source: WindowID(rawValue: 1))), window: window))
      #expect(seen == [ClientMessage])
    }
  }

  @Test func `a selection is converted, answered and read`() async throws {
    try await XServer.with { server in
      let (owner, requestor) = (try XlibConnection(server), try XlibConnection(server))
      let time = owner.serverTime()
      #expect(owner.own(.xdndSelection, at: time))
      #expect(requestor.owner(of: .xdndSelection) == owner.dragWindow)
      #expect(requestor.next() == .selectionOwnerChanged(.xdndSelection, owner: owner.dragWindow))
      let request = SelectionRequest(
        owner: owner.dragWindow, requestor: requestor.dragWindow, selection: .xdndSelection,
        target: AtomName("text/plain"), property: AtomName("ANSWER"), time: time)
      requestor.convert(
        .xdndSelection, to: request.target, property: AtomName("ANSWER"), requestor: requestor.dragWindow, time: time)
      requestor.flush()
      #expect(
        owner.next { $0 != .selectionOwnerChanged(.xdndSelection, owner: owner.dragWindow) }
          == .selectionRequest(request))
      var notify = SelectionNotify(
        requestor: requestor.dragWindow, selection: .xdndSelection, target: request.target, property: nil, time: time)
      owner.send(notify)
      owner.flush()
      #expect(requestor.next() == .selectionNotify(notify))
      notify.property = AtomName("ANSWER")
      owner.send(notify)
      owner.flush()
      #expect(requestor.next() == .selectionNotify(notify))
      owner.disown(.xdndSelection, at: time)
      #expect(owner.owner(of: .xdndSelection) == .none)
      #expect(requestor.next() == .selectionOwnerChanged(.xdndSelection, owner: .none))
    }
  }

  @Test func `an owner that loses its selection hears of it, and an old time wins nothing`() async throws {
    try await XServer.with { server in
      let (first, second) = (try XlibConnection(server), try XlibConnection(server))
      let early = first.serverTime()
      #expect(second.own(.xdndSelection, at: second.serverTime()))
      if second.serverTime().isLater(than: early) {
        #expect(!first.own(.xdndSelection, at: Timestamp(rawValue: early.rawValue &- 1000)))
      }
      let time = first.serverTime()
      #expect(first.own(.xdndSelection, at: time))
      let cleared = second.next { if case .selectionCleared = $0 { true } else { false } }
      #expect(cleared == .selectionCleared(.xdndSelection, owner: second.dragWindow, time: time))
    }
  }

  @Test func `a selection is claimed without waiting, and an old time wins nothing`() async throws {
    try await XServer.with { server in
      let (first, second) = (try XlibConnection(server), try XlibConnection(server))
      func claim(at time: Timestamp) -> Bool? {
        first.answer {
          let reply = first.claim(.xdndSelection, at: time, then: $0)
          if case .known = reply { Issue.record("it has waited") }
          return reply
        }
      }
      let early = first.serverTime()
      #expect(second.own(.xdndSelection, at: second.serverTime()))
      #expect(claim(at: Timestamp(rawValue: early.rawValue &- 1000)) == false)
      #expect(claim(at: first.serverTime()) == true)
      #expect(second.owner(of: .xdndSelection) == first.dragWindow)
    }
  }
}
