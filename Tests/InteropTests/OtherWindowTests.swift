import XDnDX11
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// `xdnd-probe --for` on windows of other programs: sources find its proxy, each in its own way.
@Suite(
  "Drops on a window of another program", .requiresXvfb, .requiresOpenbox, .requires(program: "xterm"), .requiresGLFW,
  .requiresGTK3, .requiresGTK4, .requiresQt5, .requiresQt6, .timeLimit(.minutes(3)))
struct OtherWindowTests {
  @Test(arguments: OtherWindow.allCases, DragOrigin.allCases)
  func `it takes text, files and 8 MiB, and is as before`(_ other: OtherWindow, _ origin: DragOrigin) async throws {
    let directory = try TemporaryDirectory("content")
    let contents = try [Content.text, .files, .blob].map { try $0.prepare(in: directory) }
    let files = contents[1]
    try await XServer.with(windowManager: .openbox) { server in
      let program = try other.launch(on: server)
      defer { program.kill() }
      let peer = try XlibPeer(server)
      let window = try other.awaitWindow(on: server, peer)
      let stage = try await DragOriginStage(origin, on: server, first: contents[0])
      defer { stage.end() }
      let end = DragScene.target
      var ownDrops = 0
      func dropForProgram() async throws {
        guard other.takesFiles else { return }
        ownDrops += 1
        let drag = try await stage.drag(files, to: end)
        try files.require(try await program.waitFor("drop"))
        try await drag.requireSuccess()
      }
      // GLFW leaves the content of its drops in a property.
      try await dropForProgram()
      let before = peer.properties(of: window)
      // The probe that follows a killed one restores what that has left.
      for signal in [SIGTERM, SIGKILL, SIGTERM] {
        let probe = try server.launchTool(
          .probe,
          [
            "--for", other.titlePart, "--verbose", "--checksum", "--accept",
            "text/uri-list,\(Sample.blobType),text/plain",
            "--output",
            server.directory("dropped"),
          ])
        let ready = try await probe.waitFor("ready")
        #expect(ready.integer("window") == Int(window.rawValue))
        for content in contents {
          let drag = try await stage.drag(content, to: end) {
            // GTK 4 leaves at its second motion, with the cursor still that of the first, and comes back. It sends another
            // position when it has read the answer to the one before.
            for _ in 0..<(origin == .gtk4 ? 3 : 1) {
              try await probe.waitFor("position") { $0.string("proposed") == "copy" }
            }
          }
          try content.require(try await probe.waitFor("data"), from: origin.toolkit, begin: drag.begin)
          try await probe.waitFor("ended") { $0.string("outcome") == "dropped" }
          try await drag.requireSuccess()
          // GTK 4 had the proxy under its pointer, where it would take the program's clicks.
          let proxy = try #require(peer.number("XdndProxy", of: window))
          #expect(peer.isInputFree)
          #expect(!peer.isMapped(WindowID(rawValue: UInt32(proxy))))
        }
        probe.send(signal)
        _ = try await probe.exit()
        if signal == SIGKILL {
          #expect(peer.words("_XDND_SAVED_BY", of: window) != nil)
        } else {
          #expect(peer.properties(of: window) == before)
        }
        #expect(program.printed("drop").count == ownDrops)
        if signal != SIGKILL || origin.checksProxies { try await dropForProgram() }
      }
      #expect(peer.properties(of: window) == before)
    }
  }
}

extension XlibPeer {
  fileprivate func isMapped(_ window: WindowID) -> Bool {
    var attributes = XWindowAttributes()
    return XGetWindowAttributes(display, window.xid, &attributes) != 0 && attributes.map_state != IsUnmapped
  }
}
