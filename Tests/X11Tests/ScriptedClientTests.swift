import XDnDX11
import XDnDConformance
import TestSupport
import Testing
import XDnD

@Suite("The scripted client", .requiresXvfb)
struct ScriptedClientTests {
  private func peers(_ server: XServer) throws -> (ScriptedClient, ScriptedClient) {
    try #require(DisplayConnection.threadsAreReady)
    return (
      try #require(ScriptedClient(connectingTo: server.displayName)),
      try #require(ScriptedClient(connectingTo: server.displayName))
    )
  }

  private var soon: ContinuousClock.Instant { .now + .seconds(5) }

  @Test func `a message arrives word by word, with the names of its atoms`() async throws {
    try await XServer.with { server in
      let (one, other) = try peers(server)
      let window = other.makeWindow()
      var sent: [WireEvent] = []
      one.onWireEvent = { sent.append($0) }
      one.send("XdndEnter", [.window(WindowID(rawValue: 7)), 0x0500_0000, .atom("text/html"), .atom("")], to: window)
      guard case .message(let message) = other.next(until: soon)?.action else { throw HarnessError("no message") }
      #expect(message.words == [7, 0x0500_0000, other.atom("text/html"), 0, 0])
      #expect(message.names == [2: AtomName(rawValue: "text/html")])
      #expect(message.window == window)
      #expect(sent == [WireEvent(.sent, .message(message))])
    }
  }

  @Test(arguments: [nil, 1000])
  func `content arrives whole, in one piece or in parts`(_ part: Int?) async throws {
    try await XServer.with { server in
      let (owner, asker) = try peers(server)
      let window = asker.makeWindow()
      #expect(owner.own("XdndSelection", by: owner.makeWindow(), at: owner.serverTime()))
      let content = ScriptedClient.Content(
        type: AtomName(rawValue: "text/plain"), bytes: (0..<4500).map { UInt8($0 % 251) })
      let asked = asker.convert("XdndSelection", to: "text/plain", property: "HERE", on: window, at: .currentTime)
      // Both ends are in one thread, and take turns.
      guard case .conversion(let conversion) = owner.next(until: soon)?.action else { throw HarnessError("not asked") }
      owner.answer(conversion, with: content, part: part)
      var answer = asker.answer(to: asked, within: part == nil ? .seconds(5) : .milliseconds(200))
      if part != nil {
        // The first look has found the announcement and deleted it; the rest is read as it comes.
        #expect(answer == .timedOut)
        var bytes: [UInt8] = []
        while owner.isSendingParts {
          _ = owner.next(until: .now + .milliseconds(20))
          if let more = asker.readProperty("HERE", of: window, delete: true) { bytes += more.bytes }
        }
        answer = .content(ScriptedClient.Content(type: content.type, bytes: bytes))
      }
      let isWhole = answer == .content(content)
      #expect(isWhole)
    }
  }

  @Test func `a refusal is told from silence`() async throws {
    try await XServer.with { server in
      let (owner, asker) = try peers(server)
      let window = asker.makeWindow()
      owner.own("XdndSelection", by: owner.makeWindow(), at: owner.serverTime())
      let asked = asker.convert("XdndSelection", to: "text/plain", property: "HERE", on: window, at: .currentTime)
      #expect(asker.answer(to: asked, within: .milliseconds(50)) == .timedOut)
      guard case .conversion(let conversion) = owner.next(until: soon)?.action else { throw HarnessError("not asked") }
      owner.answer(conversion, with: nil)
      #expect(asker.answer(to: asked, within: .seconds(5)) == .refused)
    }
  }

  @Test func `who takes a selection is told, with the time`() async throws {
    try await XServer.with { server in
      let (owner, watcher) = try peers(server)
      watcher.watchOwner(of: "XdndSelection")
      let (window, time) = (owner.makeWindow(), owner.serverTime())
      owner.own("XdndSelection", by: window, at: time)
      #expect(watcher.next(until: soon)?.action == .owner(of: AtomName(rawValue: "XdndSelection"), window, time))
    }
  }

  @Test func `a window that is gone is an event, and no error`() async throws {
    try await XServer.with { server in
      let (one, other) = try peers(server)
      let window = other.makeWindow()
      other.destroy(window)
      one.send("XdndLeave", [0], to: window)
      #expect(one.next(until: soon)?.action == .vanished(window))
      #expect(one.readProperty("XdndAware", of: window) == nil)
      #expect(one.frame(of: window) == nil)
    }
  }

  @Test func `an error of other code on its connection is an event, too`() async throws {
    try await XServer.with { server in
      let (one, other) = try peers(server)
      let window = other.makeWindow()
      other.destroy(window)
      XMapWindow(one.display, XDnDX11.Window(window.rawValue))
      #expect(one.next(until: soon)?.action == .vanished(window))
    }
  }

  @Test func `an error of code that borrows its display is not an event`() async throws {
    try await XServer.with { server in
      let (one, other) = try peers(server)
      let window = other.makeWindow()
      other.destroy(window)
      let state = DisplayHandle.borrowing(one.display) { WindowQueries($0).state(of: window) }
      let isThere = state != nil
      #expect(!isThere)
      #expect(one.next() == nil)
    }
  }

  @Test func `words of format 32 come back as they were`() async throws {
    try await XServer.with { server in
      let (one, other) = try peers(server)
      let window = one.makeWindow()
      let content = ScriptedClient.Content(type: AtomName(rawValue: "CARDINAL"), words: [1, 0xFFFF_FFFF, 0x8000_0000])
      one.setProperty("THESE", of: window, content)
      _ = one.serverTime()
      #expect(other.readProperty("THESE", of: window) == content)
    }
  }

  @Test func `it outlives its server`() async throws {
    let server = try await XServer.start()
    let (peer, _) = try peers(server)
    let window = peer.makeWindow()
    try await server.terminate()
    #expect(peer.next(until: soon) == nil)
    #expect(peer.isClosed)
    peer.send("XdndLeave", [0], to: window)
    #expect(peer.makeWindow() == .none)
    #expect(peer.serverTime() == .currentTime)
  }
}
