import Glibc
import TestSupport
import Testing
import XDnD

/// `xdnd-source --to`: a drop on a window of a toolkit without a pointer.
@Suite(
  "Drops without a pointer on real toolkits", .serialized, .requiresXvfb, .requiresOpenbox, .requiresGTK3,
  .requiresGTK4, .requiresQt5, .requiresQt6, .requiresTk, .timeLimit(.minutes(3)))
struct DropOnToolkitTests {
  @Test(arguments: Toolkit.allCases)
  func `a toolkit takes text, files, a picture and four types at once`(_ toolkit: Toolkit) async throws {
    let directory = try TemporaryDirectory("content")
    let contents = [Content.text, .files, .picture].filter(toolkit.contents.contains)
    var prepared = try contents.map { try $0.prepare(in: directory, target: toolkit) }
    var four = try Content.text.prepare(in: directory)
    four.toolArguments = [
      "--type", "application/x-xdnd-unknown=x", "--html", Sample.html, "--text", Sample.words,
      "--type", "image/png=@\(try directory.write([0x89], to: "no.png"))",
    ]
    prepared.append(four)

    try await XServer.with(windowManager: .openbox) { server in
      try prepared[0].task.post(on: server)
      let target = try toolkit.launch("target", on: server, geometry: PeerStage.right)
      let window = try #require(try await target.waitFor("ready", timeout: .seconds(60)).integer("window"))
      let pointer = try Pointer(server)
      pointer.move(to: Point(x: 33, y: 700))
      let peer = try XlibPeer(server)
      let (focus, motion) = (peer.focus, try PointerWatch(server))
      for content in prepared {
        var task = content.task
        task.take = toolkit.hearsProposal ? nil : "copy"
        try task.post(on: server)
        let source = try content.launchDelivery(to: window, on: server)
        let drop = try await target.waitFor("drop")
        try content.require(drop, isFromTool: true)
        #expect(try await source.exit() == .exited(0))
        #expect(source.printed("answer").last?.string("operation") == "copy")
      }
      #expect(peer.focus == focus)
      #expect(!motion.hasMoved)
      target.send(SIGTERM)
      _ = try await target.exit()
    }
  }
}

extension PreparedContent {
  /// Starts `xdnd-source --to`; the shell names the files, for a string cannot hold all names.
  fileprivate func launchDelivery(to window: Int, on server: XServer) throws -> ChildProcess {
    guard let folder else { return try server.launchTool(.source, ["--to", "\(window)"] + toolArguments) }
    let tool = try BuiltProducts.executable("xdnd-source")
    return try server.launch("bash", ["-c", #"exec "$@" "$0"/*"#, folder, tool, "--json", "--to", "\(window)"])
  }
}
