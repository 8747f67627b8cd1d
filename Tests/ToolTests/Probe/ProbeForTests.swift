import XDnDX11
import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// `xdnd-probe --for`: drops on another program's window.
@Suite("A probe on another window", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ProbeForTests {
  private static let frame = Rect(x: 100, y: 100, width: 200, height: 150)
  private static let names = ["XdndAware", "XdndProxy", "_XDND_SAVED_BY", "_XDND_SAVED_AWARE", "_XDND_SAVED_PROXY"]

  private static func properties(of window: WindowID, _ peer: XlibPeer) -> [String: [UInt32]] {
    names.reduce(into: [:]) { $0[$1] = peer.words($1, of: window) }
  }

  private static func launch(_ server: XServer, _ arguments: [String]) async throws -> ChildProcess {
    let probe = try server.launchTool(.probe, arguments)
    try await probe.waitFor("ready")
    return probe
  }

  @Test func `it has no window of its own, and takes drops until it is ended`() async throws {
    try await XServer.with { server in
      let peer = try XlibPeer(server)
      let window = peer.makeTarget(Self.frame, version: 4)
      let before = Self.properties(of: window, peer)
      let directory = try TemporaryDirectory("content")
      let blob = try directory.write(Sample.blob, to: "blob")
      let probe = try await Self.launch(
        server, ["--for", "\(window.rawValue)", "--accept", "\(Sample.blobType),text/plain", "--checksum"])
      #expect(probe.printed("ready").first?.integer("window") == Int(window.rawValue))
      #expect(probe.printed("ready").first?.integer("x") == Self.frame.origin.x)
      #expect(Self.viewable(peer) == [window])
      for content in [["--text", "words"], ["--type", "\(Sample.blobType)=@\(blob)"]] {
        let source = try server.launchBareSource(["--to", "\(window.rawValue)"] + content)
        #expect(try await source.exit() == .exited(0))
        let data = try await probe.waitFor("data")
        if content[0] == "--text" {
          #expect(data.string("text") == "words")
        } else {
          #expect(Digest(data) == Sample.blobDigest)
        }
        try await probe.waitFor("ended") { $0.string("outcome") == "dropped" }
      }
      probe.send(SIGTERM)
      #expect(try await probe.exit() == .exited(2))
      #expect(Self.properties(of: window, peer) == before)
    }
  }

  @Test func `drops are saved, printed and passed to a command`() async throws {
    try await XServer.with { server in
      let peer = try XlibPeer(server)
      let window = peer.makeWindow(Self.frame)
      let directory = try TemporaryDirectory("saved")
      let cases: [(options: [String], written: String)] = [
        (["--output", directory("output")], "output"), (["--exec", "cp {} \(directory("copy"))"], "copy"),
      ]
      for (options, written) in cases {
        let probe = try server.launchTool(
          .probe, ["--for", "0x" + String(window.rawValue, radix: 16), "--once"] + options)
        try await Self.awaitAwareness(of: window, peer)
        let source = try server.launchBareSource(["--to", "\(window.rawValue)", "--text", "words"])
        #expect(try await source.exit() == .exited(0))
        #expect(try await probe.exit() == .exited(0))
        #expect(FileManager.default.contents(atPath: directory(written)) == Data("words".utf8))
        #expect(Self.properties(of: window, peer) == [:])
      }
      let folder = directory("folder")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/letter.txt"))
      let file = try directory.write(Array("new".utf8), to: "letter.txt")
      // A question that cannot be asked has its default answer: both are kept.
      let probe = try await Self.launch(server, ["--for", "\(window.rawValue)", "--once", "--save", folder])
      let source = try server.launchBareSource(["--to", "\(window.rawValue)", file])
      #expect(try await source.exit() == .exited(0))
      #expect(try await probe.exit() == .exited(0))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
    }
  }

  @Test func `a killed probe leaves what the next one restores`() async throws {
    try await XServer.with { server in
      let peer = try XlibPeer(server)
      let window = peer.makeTarget(Self.frame, version: 4)
      let before = Self.properties(of: window, peer)
      let first = try await Self.launch(server, ["--for", "\(window.rawValue)"])
      first.kill()
      _ = try await first.exit()
      #expect(peer.number("_XDND_SAVED_AWARE", of: window) == 4)
      let second = try await Self.launch(server, ["--for", "\(window.rawValue)", "--once"])
      let source = try server.launchBareSource(["--to", "\(window.rawValue)", "--text", "words"])
      #expect(try await source.exit() == .exited(0))
      #expect(try await second.exit() == .exited(0))
      #expect(Self.properties(of: window, peer) == before)
    }
  }

  @Test func `it ends with the window, and says why it cannot begin`() async throws {
    try await XServer.with { server in
      let peer = try XlibPeer(server)
      let window = peer.makeWindow(Self.frame)
      let probe = try await Self.launch(server, ["--for", "\(window.rawValue)"])
      let second = try server.launchTool(.probe, ["--for", "\(window.rawValue)"])
      #expect(try await second.exit() == .exited(3))
      #expect(second.errors.text.contains("drop target of another program already"))
      #expect(second.printed("ended").map { $0.string("outcome") } == ["no-target"])
      #expect(second.printed("ended").first?.string("reason")?.contains("of another program already") == true)
      peer.destroy(window)
      #expect(try await probe.exit() == .exited(5))
      #expect(probe.printed("failed").last?.string("status") == "peer-died")
      #expect(probe.printed("ended").map { $0.string("outcome") } == ["peer-died"])
      // A place where nothing can be written is known before there is a window.
      let third = try server.launchTool(.probe, ["--save", "/nonexistent"])
      #expect(try await third.exit() == .exited(64))
      #expect(third.printed("ended").map { $0.string("outcome") } == ["usage"])
      for argument in ["\(window.rawValue)", "\(peer.root)", "no such name"] {
        let run = try server.launchTool(.probe, ["--for", argument])
        #expect(try await run.exit() == .exited(3))
        #expect(!run.errors.text.isEmpty)
      }
      let clash = try server.launchTool(.probe, ["--for", "1", "--confirm"])
      #expect(try await clash.exit() == .exited(64))
    }
  }

  @Test func `a window is picked with a click, and Escape picks none`() async throws {
    try await XServer.with { server in
      let peer = try XlibPeer(server)
      let window = peer.makeWindow(Self.frame)
      let pointer = try Pointer(server)
      pointer.move(to: Self.frame.middle)
      let probe = try server.launchTool(.probe, ["--for", "pick"])
      try await peer.awaitGrab()
      pointer.press()
      pointer.release()
      #expect(try await probe.waitFor("ready").integer("window") == Int(window.rawValue))
      probe.send(SIGTERM)
      _ = try await probe.exit()
      let other = try server.launchTool(.probe, ["--for", "pick"])
      try await peer.awaitGrab()
      try pointer.tap(key: "Escape")
      #expect(try await other.exit() == .exited(2))
    }
  }

  @Test func `with --timeout a window that has no such name yet is waited for`() async throws {
    try await XServer.with { server in
      let peer = try XlibPeer(server)
      let probe = try server.launchTool(.probe, ["--for", "late", "--timeout", "60", "--once"])
      #expect(try await probe.waitFor("waiting").string("reason") == "no window named 'late'")
      let window = peer.makeWindow(Self.frame)
      XStoreName(peer.display, window.xid, "late")
      peer.sync()
      #expect(try await probe.waitFor("ready").integer("window") == Int(window.rawValue))
      let source = try server.launchBareSource(["--to", "\(window.rawValue)", "--text", "words"])
      #expect(try await source.exit() == .exited(0))
      #expect(try await probe.exit() == .exited(0))
      #expect(Self.properties(of: window, peer) == [:])
    }
  }

  @Test func `a window that is not found in time, or not waited for, is named in the error`() async throws {
    try await XServer.with { server in
      let impatient = try server.launchTool(.probe, ["--for", "no such name"])
      #expect(try await impatient.exit() == .exited(3))
      #expect(impatient.errors.text.contains("no window named 'no such name'; with --timeout the tool waits for it"))
      let patient = try server.launchTool(.probe, ["--for", "no such name", "--timeout", "0.3"])
      #expect(try await patient.exit() == .exited(4))
      #expect(patient.printed("timed-out").count == 1)
      #expect(patient.printed("failed").last?.string("reason") == "no window named 'no such name'")
      // No other window will get this number.
      let other = try server.launchTool(.probe, ["--for", "0x3ffffff", "--timeout", "60"])
      #expect(try await other.exit() == .exited(3))
      let ended = try server.launchTool(.probe, ["--for", "no such name", "--timeout", "60"])
      try await ended.waitFor("waiting")
      ended.send(SIGTERM)
      #expect(try await ended.exit() == .exited(2))
    }
  }

  @Test func `a program that takes drops itself has its window back`() async throws {
    try await XServer.with { server in
      let peer = try XlibPeer(server)
      let window = peer.makeWindow(Self.frame)
      let probe = try await Self.launch(server, ["--for", "\(window.rawValue)"])
      peer.setWords([5], "XdndAware", type: "ATOM", on: window)
      #expect(try await probe.exit() == .exited(3))
      #expect(Self.properties(of: window, peer) == ["XdndAware": [5]])
    }
  }

  /// The top-level windows that can be seen.
  private static func viewable(_ peer: XlibPeer) -> [WindowID] {
    var (root, parent): (Window, Window) = (0, 0)
    var list: UnsafeMutablePointer<Window>?
    var count: UInt32 = 0
    XQueryTree(peer.display, peer.root, &root, &parent, &list, &count)
    defer { XFree(list) }
    return UnsafeBufferPointer(start: list, count: Int(count)).filter { window in
      var attributes = XWindowAttributes()
      XGetWindowAttributes(peer.display, window, &attributes)
      return attributes.map_state == IsViewable && attributes.class == InputOutput
    }.map { WindowID($0) }
  }

  /// Waits for a probe whose reports are elsewhere.
  private static func awaitAwareness(of window: WindowID, _ peer: XlibPeer) async throws {
    XSelectInput(peer.display, window.xid, PropertyChangeMask)
    while peer.number("XdndAware", of: window) == nil { _ = peer.event(PropertyNotify) }
  }
}
