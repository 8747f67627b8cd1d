import XDnDX11
import Foundation
import Glibc
import TestSupport
import Testing
import XDnD

/// After each end of a drag a third program sees nothing of it but its lists, on a window of its own.
@Suite("What a drag leaves behind", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct TidinessTests {
  enum End: CaseIterable {
    case dropped, moved, refused, cancelled, noTarget, timedOut, failed, peerDied
  }

  @Test(arguments: End.allCases)
  func `pointer and keyboard are given back, and so are properties on windows of others`(_ end: End) async throws {
    try await XServer.with { server in
      let file = try server.directory.write(Array("content".utf8), to: "file")
      let operation = end == .moved ? "move" : "copy,ask"
      let types = ["a/b", "a/c", "a/d", "a/e"].flatMap { ["--type", "\($0)=@\(file)"] }
      let scene = try await DragScene.tools(
        on: server, source: ["--action", operation] + types,
        probe: end == .refused ? ["--accept", "x/y"] : ["--action", "copy,move", "--output", server.directory("out")])
      let peer = try XlibPeer(server)
      let probeWindow = try UInt(#require(scene.target.printed("ready").first?.integer("window")))
      let offer = ["XdndTypeList", "XdndActionList"] + (end == .moved ? [] : ["XdndActionDescription"])

      if end == .noTarget { try await scene.carryNowhere() } else { try await carry(scene, end) }
      let dragWindow = peer.dragOwner
      #expect(dragWindow != 0)
      #expect(peer.propertyNames(of: dragWindow).isSuperset(of: offer))
      #expect(!peer.isInputFree)

      if end == .failed { #expect(unlink(file) == 0) }
      if end == .cancelled { try scene.pointer.tap(key: "Escape") }
      if end == .peerDied {
        scene.target.kill()
        try await scene.source.waitFor("target") { $0.integer("window") == nil }
      }
      scene.pointer.release()
      let outcome = try await scene.source.waitFor("ended").string("outcome")
      #expect(outcome == Self.outcomes[end])
      scene.target.send(SIGCONT)

      // GTK 4 reads the action list whenever it changes, also after the drop, and does not expect it to go.
      #expect(peer.propertyNames(of: dragWindow).filter { $0.hasPrefix("Xdnd") } == Set(offer))
      #expect(peer.isInputFree)
      if end != .peerDied {
        if end == .dropped || end == .moved || end == .failed { try await scene.target.waitFor("ended") }
        #expect(peer.remains(on: probeWindow) { $0.hasPrefix("XDND_TRANSFER") } == [])
        // It still takes drops.
        #expect(peer.propertyNames(of: probeWindow).contains("XdndAware"))
      }
      scene.source.send(SIGTERM)
      _ = try await scene.source.exit()
      #expect(peer.dragOwner == 0)
    }
  }

  @Test func `the parts of a long transfer are gone when it is over`() async throws {
    try await XServer.with { server in
      let file = server.directory("file")
      #expect(FileManager.default.createFile(atPath: file, contents: Data(count: 20 << 20)))
      let scene = try await DragScene.tools(on: server, source: ["--type", "a/b=@\(file)"])
      let peer = try XlibPeer(server)
      let window = try UInt(#require(scene.target.printed("ready").first?.integer("window")))
      try await scene.carryUntilAccepted()
      _ = try await scene.drop()
      #expect(peer.remains(on: window) { $0.hasPrefix("XDND_TRANSFER") } == [])
      #expect(scene.source.printed("sent").map { $0.boolean("ok") } == [true])
    }
  }

  private static let outcomes: [End: String] = [
    .dropped: "dropped", .moved: "dropped", .refused: "refused", .cancelled: "cancelled", .noTarget: "no-target",
    .timedOut: "timed-out", .failed: "transfer-failed", .peerDied: "no-target",
  ]

  private func carry(_ scene: DragScene, _ end: End) async throws {
    if end == .timedOut { scene.target.send(SIGSTOP) }
    try await scene.carry()
    switch end {
    case .timedOut: try await scene.source.waitFor("target")
    case .refused: try await scene.target.waitFor("position")
    default: try await scene.source.waitFor("proposal")
    }
  }
}
