import XDnDConformance
import TestSupport
import Testing

/// What was recorded of a source is done again with a toolkit's window as the target.
@Suite(
  "Replaying drags onto toolkits", .serialized, .requiresXvfb, .requiresOpenbox, .requiresGTK3, .requiresQt5,
  .timeLimit(.minutes(3)))
struct ReplayOnToolkitTests {
  @Test(arguments: [Toolkit.gtk3, .qt5])
  func `a recorded source drops on a toolkit, and what the recorder fetched by itself is no difference`(
    _ toolkit: Toolkit
  ) async throws {
    try await XServer.with(windowManager: .openbox) { server in
      let scene = RecordingScene(server: server)
      try await scene.recordSource("first", "--text", "Hello")
      let peer = try toolkit.launch("target", on: server, geometry: RecordingScene.right)
      try PeerTask(kind: "text").post(on: server)
      let window = try await scene.open(peer)
      let replay = try scene.probe("replay", scene.path("first"), "--to", window, "-o", scene.path("live"))
      let drop = try await peer.waitFor("drop")
      #expect(drop.string("text") == "Hello")
      // The recorder has fetched everything, so that it can be given again, and a toolkit fetches one thing: no difference.
      #expect(try await replay.exit() == .exited(0))
      #expect(replay.printed("ended").first?.string("outcome") == "same")
      #expect(replay.printed("difference").isEmpty)
      let live = try scene.recording("live")
      #expect(try scene.recording("first").steps(of: .source) == live.steps(of: .source))
      #expect(live.exchange(by: .target).last == "XdndFinished: done, copy")
    }
  }
}
