import Foundation
import Glibc
import Testing
import XDnD

/// The toolkit programs against one another: what fails here is not the library's fault.
@Suite(
  "The toolkit peers among themselves", .serialized, .requiresXvfb, .requiresOpenbox, .requiresGTK3, .requiresQt5,
  .timeLimit(.minutes(3)))
struct PeerSelfTests {
  typealias Toolkit = ToolkitPeer.Toolkit

  /// Every content once in each direction between the toolkits, and one cell of each toolkit with itself.
  static let cells: [(Toolkit, Toolkit, PeerContent)] =
    ProcessInfo.processInfo.environment["XDND_ALL_PEERS"] == nil
    ? [
      (.gtk3, .qt5, .text), (.qt5, .gtk3, .text), (.gtk3, .qt5, .files), (.qt5, .gtk3, .files),
      (.gtk3, .gtk3, .blob), (.qt5, .qt5, .image),
    ]
    : Toolkit.allCases.flatMap { source in
      Toolkit.allCases.flatMap { target in PeerContent.allCases.map { (source, target, $0) } }
    }

  @Test(arguments: cells)
  func `what is dragged arrives whole`(_ source: Toolkit, _ target: Toolkit, _ content: PeerContent) async throws {
    try await XvfbServer.with(windowManager: .openbox) { server in
      let made = try content.make(in: server.directory)
      let from = try await ToolkitPeer(source, .source, on: server, in: Self.left, made.arguments + ["--once"])
      let to = try await ToolkitPeer(
        target, .target, on: server, in: Self.right, ["--accept", accepted(made, target), "--once"])
      let (drop, end) = try await Self.drag(from, to, on: server)
      #expect(drop.action == "copy")
      #expect(end.action == "copy")
      #expect(end.success == true)
      #expect(try await from.process.exit() == .exited(0))
      #expect(try await to.process.exit() == .exited(0))
      if let bytes = made.bytes {
        #expect(drop.bytes == bytes.count)
        #expect(drop.sha256 == (try await Self.sha256(bytes, server)))
      } else {
        #expect(drop.paths == made.paths)
      }
    }
  }

  @Test(arguments: [(Toolkit.gtk3, Toolkit.qt5), (.qt5, .gtk3), (.gtk3, .gtk3), (.qt5, .qt5)], ["move", "link"])
  func `a move and a link are what both sides say`(_ pair: (Toolkit, Toolkit), _ action: String) async throws {
    try await XvfbServer.with { server in
      let from = try await ToolkitPeer(
        pair.0, .source, on: server, in: Self.left, ["--text", "words", "--actions", "copy,move,link"])
      let to = try await ToolkitPeer(pair.1, .target, on: server, in: Self.right, ["--prefer", action])
      let (drop, end) = try await Self.drag(from, to, on: server)
      #expect(drop.action == action)
      #expect(end.action == action)
      // GTK deletes when the target asks for DELETE, which Qt never does; Qt deletes when the action was a move.
      #expect(end.deleted == (action == "move" && pair != (.gtk3, .qt5)))
    }
  }

  @Test(arguments: Toolkit.allCases)
  func `a peer ends cleanly when asked to, and by itself when its time is up`(_ toolkit: Toolkit) async throws {
    try await XvfbServer.with { server in
      let asked = try await ToolkitPeer(toolkit, .target, on: server, in: Self.left)
      asked.process.send(SIGTERM)
      #expect(try await asked.process.exit() == .exited(0))
      let late = try await ToolkitPeer(toolkit, .source, on: server, in: Self.left, ["--text", "x", "--timeout", "1"])
      #expect(try await late.process.exit() == .exited(3))
    }
  }

  static let left = Rect(x: 100, y: 120, width: 300, height: 240)
  static let right = Rect(x: 700, y: 300, width: 320, height: 260)

  /// Drags from the middle of one window to the middle of the other and returns what both said at the end.
  static func drag(
    _ from: ToolkitPeer, _ to: ToolkitPeer, on server: XvfbServer
  ) async throws -> (drop: PeerEvent, end: PeerEvent) {
    let pointer = try Pointer(server)
    try await pointer.drag(along: [from.centre, Point(x: from.centre.x + 60, y: from.centre.y + 30)])
    try await from.event("drag-begin")
    try await pointer.glide(to: to.centre, steps: 20)
    try await to.event { $0.event == "motion" && $0.action != "none" }
    pointer.release()
    return (try await to.event("drop", "drop-failed"), try await from.event("drag-end"))
  }

  /// GTK calls its text `UTF8_STRING`, and so do all; Qt shows every text as `text/plain`.
  private func accepted(_ made: PeerContent.Made, _ target: Toolkit) -> String {
    made.type.hasPrefix("text/plain") ? (target == .qt5 ? "text/plain" : "UTF8_STRING") : made.type
  }

  private static func sha256(_ bytes: [UInt8], _ server: XvfbServer) async throws -> String {
    let path = try server.directory.write(bytes, to: "expected")
    return String(try await ChildProcess("sha256sum", [path]).waitForLine().prefix { $0 != " " })
  }
}
