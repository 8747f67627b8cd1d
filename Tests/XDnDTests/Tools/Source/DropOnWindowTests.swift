import CX11
import Foundation
import Glibc
import Testing

@testable import XDnD

/// `xdnd-source --to`: a drop on a given window without a pointer.
@Suite("Drops without a pointer", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct DropOnWindowTests {
  @Test func `a window is found by number and by name, and each place is answered`() async throws {
    try await XvfbServer.with { server in
      let (probe, window) = try await server.launchTarget()
      defer { probe.kill() }
      let corner = try #require(probe.printed("ready").first?.point)
      for name in ["\(window)", "0x" + String(window, radix: 16), "xdnd-probe", "PROBE"] {
        let source = try server.launchBareSource(
          ["--to", name, "--via", "5,6", "--via", "70,80", "--at", "30,40", "--text", "x"])
        #expect(try await source.exit() == .exited(0))
        let places = source.printed("answer").map { Point(x: $0.point.x - corner.x, y: $0.point.y - corner.y) }
        #expect(places == [Point(x: 5, y: 6), Point(x: 70, y: 80), Point(x: 30, y: 40)])
        #expect(source.printed("answer").allSatisfy { $0.string("operation") == "copy" })
        #expect(try await probe.waitFor("data").integer("bytes") == 1)
      }
    }
  }

  @Test func `steps lead from the corner to the middle`() async throws {
    try await XvfbServer.with { server in
      let (probe, window) = try await server.launchTarget()
      defer { probe.kill() }
      let source = try server.launchBareSource(["--to", "\(window)", "--steps", "3", "--text", "x"])
      #expect(try await source.exit() == .exited(0))
      let places = source.printed("answer").map(\.point)
      #expect(places.count == 4)
      #expect(places.map { $0.x - places[0].x } == [0, 50, 100, 150])
    }
  }

  @Test func `pointer and focus stay where they are`() async throws {
    try await XvfbServer.with(windowManager: .openbox) { server in
      let (probe, window) = try await server.launchTarget()
      defer { probe.kill() }
      let pointer = try Pointer(server)
      pointer.move(to: Point(x: 33, y: 44))
      let peer = try XlibPeer(server)
      let (before, motion) = (peer.focus, try PointerWatch(server))
      let source = try server.launchBareSource(["--to", "\(window)", "--text", "x"])
      #expect(try await source.exit() == .exited(0))
      #expect(pointer.position == Point(x: 33, y: 44))
      #expect(peer.focus == before)
      #expect(!motion.hasMoved)
    }
  }

  @Test func `a refusal is 1, and nothing is dropped`() async throws {
    try await XvfbServer.with { server in
      let (probe, window) = try await server.launchTarget(["--accept", "image/png"])
      defer { probe.kill() }
      let source = try server.launchBareSource(["--to", "\(window)", "--text", "x"])
      #expect(try await source.exit() == .exited(1))
      #expect(source.printed("drop-sent").isEmpty)
      #expect(source.printed("answer").allSatisfy { $0.string("operation") == nil })
      #expect(!source.printed("answer").isEmpty)
    }
  }

  @Test func `what takes no drops is 3, and so is a window that is not there`() async throws {
    try await XvfbServer.with { server in
      let peer = try XlibPeer(server)
      let deaf = peer.makeWindow(Rect(x: 10, y: 10, width: 100, height: 100))
      for window in ["\(deaf.rawValue)", "0x7777777", "no such name"] {
        let source = try server.launchBareSource(["--to", window, "--text", "x"])
        #expect(try await source.exit() == .exited(3))
      }
    }
  }

  @Test func `a silent target is 4`() async throws {
    try await XvfbServer.with { server in
      let peer = try XlibPeer(server)
      let silent = peer.makeTarget(Rect(x: 10, y: 10, width: 100, height: 100))
      let source = try server.launchBareSource(["--to", "\(silent.rawValue)", "--text", "x"])
      #expect(try await source.exit() == .exited(4))
      let impatient = try server.launchBareSource(
        ["--to", "\(silent.rawValue)", "--timeout", "0.3", "--text", "x"])
      #expect(try await impatient.exit() == .exited(4))
      #expect(impatient.printed("timed-out").count == 1)
    }
  }

  @Test func `a target that dies is 5, before its answer and after the drop`() async throws {
    try await XvfbServer.with { server in
      for isStopped in [true, false] {
        let (probe, window) = try await server.launchTarget(["--accept", "a/b"])
        defer { probe.kill() }
        if isStopped { probe.send(SIGSTOP) }
        let source = try server.launchBareSource(["--to", "\(window)", "--type", "a/b=!sleep 30"])
        try await source.waitFor(isStopped ? "target" : "drop-sent")
        probe.kill()
        #expect(try await source.exit() == .exited(5))
      }
    }
  }

  @Test func `a window is picked with a click, and Escape picks none`() async throws {
    try await XvfbServer.with { server in
      let (probe, _) = try await server.launchTarget()
      let peer = try XlibPeer(server)
      let pointer = try Pointer(server)
      pointer.move(to: Point(x: 700, y: 200))
      let source = try server.launchBareSource(["--to", "pick", "--text", "x"])
      try await peer.awaitGrab()
      pointer.press()
      pointer.release()
      #expect(try await probe.waitFor("data").integer("bytes") == 1)
      #expect(try await source.exit() == .exited(0))

      for isKey in [true, false] {
        let other = try server.launchBareSource(["--to", "pick", "--text", "x"])
        try await peer.awaitGrab()
        if isKey {
          try pointer.tap(key: "Escape")
        } else {
          pointer.press(3)
          pointer.release(3)
        }
        #expect(try await other.exit() == .exited(2))
        #expect(peer.isInputFree)
      }
    }
  }
}

/// The same against toolkits of others.
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

    try await XvfbServer.with(windowManager: .openbox) { server in
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
  fileprivate func launchDelivery(to window: Int, on server: XvfbServer) throws -> ChildProcess {
    guard let folder else { return try server.launchBareSource(["--to", "\(window)"] + toolArguments) }
    let tool = try BuiltProducts.executable("xdnd-source")
    return try server.launch("bash", ["-c", #"exec "$@" "$0"/*"#, folder, tool, "--json", "--to", "\(window)"])
  }
}

/// Hears whether the pointer moves, wherever it is: it is over the root window here.
private struct PointerWatch {
  private let peer: XlibPeer

  init(_ server: XvfbServer) throws {
    peer = try XlibPeer(server)
    XSelectInput(peer.display, peer.root, PointerMotionMask)
    peer.sync()
  }

  var hasMoved: Bool {
    peer.sync()
    var event = XEvent()
    return XCheckTypedEvent(peer.display, MotionNotify, &event) != 0
  }
}
