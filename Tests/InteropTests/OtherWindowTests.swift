import XDnDX11
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// `xdnd-probe --for` on an xterm: the sources of toolkits find its proxy, each in its own way.
@Suite(
  "Drops of toolkits on a window of another program", .serialized, .requiresXvfb, .requiresOpenbox,
  .requires(program: "xterm"), .requiresGTK3, .requiresGTK4, .requiresQt5, .requiresQt6, .timeLimit(.minutes(3)))
struct OtherWindowTests {
  private static let title = "somebody else's"

  @Test(arguments: [Toolkit.gtk3, .gtk4, .qt5, .qt6])
  func `an xterm takes text, files and 8 MiB, and is as before`(_ toolkit: Toolkit) async throws {
    let directory = try TemporaryDirectory("content")
    let contents = try [Content.text, .files, .blob].map { ($0, try $0.prepare(in: directory)) }
    try await XvfbServer.with(windowManager: .openbox) { server in
      let terminal = try server.launch("xterm", ["-geometry", "60x20+600+60", "-title", Self.title, "-e", "cat"])
      defer { terminal.kill() }
      let peer = try XlibPeer(server)
      try Self.awaitClient(peer)
      // What waits for the cursor keeps its connection.
      let (pointer, eyes) = (try Pointer(server), try Pointer(server))
      try contents[0].1.task.post(on: server)
      let source = try toolkit.launch("source", on: server, geometry: PeerStage.left)
      defer { source.kill() }
      let start = try await DragScene.readyPoint(of: source)
      for isKilled in [false, true] {
        let probe = try await Self.launchProbe(on: server)
        let ready = try await probe.waitFor("ready")
        let window = WindowID(rawValue: UInt32(try #require(ready.integer("window"))))
        let end = Point(
          x: try #require(ready.integer("x")) + 120, y: try #require(ready.integer("y")) + 80)
        for (content, prepared) in contents {
          var task = prepared.task
          task.actions = ["copy"]
          try task.post(on: server)
          try await pointer.drag(along: [start, end])
          let begin = try await source.waitFor("drag-begin")
          // GTK 4 leaves at its second motion, with the cursor still that of the first, and comes back. It sends another
          // position when it has read the answer to the one before.
          try await pointer.hover {
            let answers = toolkit == .gtk4 ? 3 : 1
            for _ in 0..<answers { try await probe.waitFor("position") { $0.string("proposed") == "copy" } }
            try await eyes.awaitCursor("dnd-copy")
          }
          pointer.release()
          let data = try await probe.waitFor("data")
          try prepared.require(data, from: toolkit, begin: begin)
          try await probe.waitFor("ended") { $0.string("outcome") == "dropped" }
          let told = try await source.waitFor("drag-end")
          #expect(told.boolean("success") == true, "\(content)")
          // GTK 4 had the proxy under its pointer, where it would take the terminal's clicks.
          let proxy = try #require(peer.number("XdndProxy", of: window))
          #expect(peer.isInputFree)
          #expect(!peer.isMapped(WindowID(rawValue: UInt32(proxy))))
        }
        if isKilled { probe.kill() } else { probe.send(SIGTERM) }
        _ = try await probe.exit()
        // The next probe clears what a killed one leaves.
        #expect((peer.words("XdndProxy", of: window) != nil) == isKilled)
      }
      let last = try await Self.launchProbe(on: server)
      let window = WindowID(rawValue: UInt32(try #require(try await last.waitFor("ready").integer("window"))))
      last.send(SIGTERM)
      _ = try await last.exit()
      for name in ["XdndAware", "XdndProxy", "_XDND_SAVED_BY", "_XDND_SAVED_AWARE", "_XDND_SAVED_PROXY"] {
        #expect(peer.words(name, of: window) == nil)
      }
    }
  }

  /// Starts a probe on the xterm, which it finds by a part of the title.
  private static func launchProbe(on server: XvfbServer) async throws -> ChildProcess {
    try server.launchTool(
      .probe,
      [
        "--for", "body else", "--verbose", "--accept", "text/uri-list,\(Sample.blobType),text/plain", "--output",
        server.directory("dropped"),
      ])
  }

  /// Waits until the window manager has a client.
  private static func awaitClient(_ peer: XlibPeer) throws {
    XSelectInput(peer.display, peer.root, PropertyChangeMask)
    let deadline = ContinuousClock.now + .seconds(30)
    while peer.words("_NET_CLIENT_LIST", of: WindowID(peer.root))?.isEmpty ?? true {
      guard .now < deadline else { throw HarnessError("there is no xterm") }
      _ = peer.event(PropertyNotify)
    }
  }
}

extension XlibPeer {
  fileprivate func isMapped(_ window: WindowID) -> Bool {
    var attributes = XWindowAttributes()
    return XGetWindowAttributes(display, window.xid, &attributes) != 0 && attributes.map_state != IsUnmapped
  }
}
