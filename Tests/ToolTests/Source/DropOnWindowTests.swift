import XDnDX11
import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// `xdnd-source --to`: a drop on a given window without a pointer.
@Suite("Drops without a pointer", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct DropOnWindowTests {
  @Test func `a window is found by number and by name, and each place is answered`() async throws {
    try await XServer.with { server in
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
    try await XServer.with { server in
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
    try await XServer.with(windowManager: .openbox) { server in
      let (probe, window) = try await server.launchTarget()
      defer { probe.kill() }
      let pointer = try Pointer(server)
      pointer.move(to: Point(x: 33, y: 44))
      try await ActiveWindow(server).wait(for: window)
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
    try await XServer.with { server in
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
    try await XServer.with { server in
      let peer = try XlibPeer(server)
      let deaf = peer.makeWindow(Rect(x: 10, y: 10, width: 100, height: 100))
      for window in ["\(deaf.rawValue)", "0x7777777", "no such name"] {
        let source = try server.launchBareSource(["--to", window, "--text", "x"])
        #expect(try await source.exit() == .exited(3))
      }
    }
  }

  @Test func `a silent target is 4`() async throws {
    try await XServer.with { server in
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
    try await XServer.with { server in
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
    try await XServer.with { server in
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
