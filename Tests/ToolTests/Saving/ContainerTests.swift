import XDnDX11
import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// The temporary container of `xdnd-source`: what programs copy out of that only take `text/uri-list`.
@Suite("The temporary container of xdnd-source", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ContainerTests {
  private static let accepting = ["--accept", "text/uri-list"]

  /// What is in `~/.cache/xdnd`, each entry a drag.
  private static func containers(_ server: XServer) -> [String] {
    let root = server.directory("home/.cache/xdnd")
    return ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).sorted().map { root + "/" + $0 }
  }

  private static func mode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
  }

  /// Sets back the times of the files, those of the mark of their completion, and those of the container, in this order.
  private static func age(_ path: String, seconds: Int) throws {
    let time = timespec(tv_sec: Glibc.time(nil) - seconds, tv_nsec: 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted().reversed()
    for path in names.map({ "\(path)/\($0)" }) + [path] { #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0) }
  }

  /// Asks for the list while the drag hovers, as Nautilus and browsers do.
  private static func askForList(_ server: XServer) async throws -> String {
    try await onOwnThread {
      let peer = try XlibPeer(server)
      let window = peer.makeWindow(Rect(x: 1200, y: 700, width: 5, height: 5), mapped: false)
      XConvertSelection(
        peer.display, peer.atom("XdndSelection"), peer.atom("text/uri-list"), peer.atom("LIST"), window.xid,
        XDnDX11.Time(CurrentTime))
      peer.sync()
      guard let event = peer.event(SelectionNotify), event.xselection.property != 0 else { return "" }
      var (type, format, count, left) = (XDnDX11.Atom(), Int32(), UInt(), UInt())
      var data: UnsafeMutablePointer<UInt8>?
      XGetWindowProperty(
        peer.display, window.xid, peer.atom("LIST"), 0, 1 << 16, True, 0, &type, &format, &count, &left, &data)
      defer { if let data { XFree(data) } }
      return String(decoding: UnsafeBufferPointer(start: data, count: Int(count)), as: UTF8.self)
    }
  }

  @Test func `what is dropped as a list is copied out of a directory that is kept for slow targets`() async throws {
    try await XServer.with { server in
      let scene = try await SavingScene.set(
        on: server, source: ["--save-as", "x.bin", "--type", "a/b=!printf made"], probe: Self.accepting)
      try await scene.carryUntilAccepted()
      #expect(Self.containers(server).isEmpty)
      scene.drop()
      #expect(try await scene.ends() == (.exited(0), .exited(0)), scene.report)
      #expect(scene.content("x.bin") == "made")
      let saved = try #require(scene.probe.printed("saved").first, scene.report)
      #expect(saved.string("how") == "copy")

      let container = try #require(Self.containers(server).first)
      #expect(Self.containers(server).count == 1)
      #expect(saved.string("from") == container + "/x.bin")
      #expect(FileManager.default.contents(atPath: container + "/x.bin") == Data("made".utf8))
      #expect(Self.mode(container) == 0o700)
      #expect(Self.mode(server.directory("home/.cache/xdnd")) == 0o700)
    }
  }

  @Test func `a drag that is cancelled leaves none, though somebody has asked for the list`() async throws {
    try await XServer.with { server in
      let mark = server.directory("mark")
      let source = try server.launchSource(
        DragScene.sourceGeometry, ["--save-as", "x.bin", "--type", "a/b=!touch '\(mark)'; printf made"])
      let start = try await DragScene.readyPoint(of: source)
      let pointer = try Pointer(server)
      try await pointer.drag(along: [start, DragScene.nowhere])
      try await source.waitFor("drag-began")
      let list = try await Self.askForList(server)
      let container = try #require(Self.containers(server).first)
      #expect(list == "\(FileURI.encode(path: Array((container + "/x.bin").utf8)))\r\n")
      #expect(Self.mode(container) == 0o700)
      #expect(access(mark, F_OK) != 0)
      try pointer.tap(key: "Escape")
      try await source.waitFor("ended")
      source.send(SIGTERM)
      #expect(try await source.exit() == .exited(2))
      #expect(Self.containers(server).isEmpty)
      #expect(access(mark, F_OK) != 0)
    }
  }

  @Test func `the next one sweeps what is old, but not what is in use or young`() async throws {
    try await XServer.with { server in
      let arguments = ["--save-as", "x.bin", "--type", "a/b=made"]
      func drop(_ directory: String) async throws -> SavingScene {
        let scene = try await SavingScene.set(
          on: server, source: arguments, probe: Self.accepting, directory: directory)
        #expect(try await scene.dragAndDrop() == (.exited(0), .exited(0)), scene.report)
        return scene
      }
      _ = try await drop("first")
      let first = try #require(Self.containers(server).first)
      try Self.age(first, seconds: 80_000)
      _ = try await drop("second")
      #expect(Self.containers(server).count == 2)

      // A program that still runs holds its own, however old it is.
      let running = try await DragScene.set(
        on: server, source: { try server.launchSource($0, arguments) },
        target: {
          try server.launchProbe(
            $0, ["--once", "--save", server.directory("second"), "--existing", "keep-both"] + Self.accepting)
        })
      try await running.carryUntilAccepted()
      let before = Set(Self.containers(server))
      running.pointer.release()
      try await running.source.waitFor("ended")
      let held = try #require(Set(Self.containers(server)).subtracting(before).first)
      _ = try await running.target.exit()

      for path in Self.containers(server) { try Self.age(path, seconds: 90_000) }
      running.source.send(SIGSTOP)
      _ = try await drop("third")
      let left = Self.containers(server)
      #expect(left.count == 2)
      #expect(left.contains(held))
      #expect(!left.contains(first))
      running.source.send(SIGCONT)
    }
  }

  @Test func `a source that is killed in the middle leaves what the next one sweeps`() async throws {
    try await XServer.with { server in
      let gate = try Gate(server.directory)
      let scene = try await SavingScene.set(
        on: server, source: ["--save-as", "x.bin", "--type", "a/b=!\(gate.command(before: "printf half"))"],
        probe: Self.accepting)
      try await scene.carryUntilAccepted()
      scene.drop()
      try await scene.source.waitForCommand()
      scene.source.kill()
      #expect(try await scene.probe.exit() == .exited(5), scene.report)
      #expect(scene.entries == [])
      gate.open()
      let container = try #require(Self.containers(server).first)
      // Nobody is misled by half a file.
      #expect(try FileManager.default.contentsOfDirectory(atPath: container).filter { !$0.hasPrefix(".xdnd-") } == [])
      try Self.age(container, seconds: 90_000)
      let next = try await SavingScene.set(
        on: server, source: ["--save-as", "x.bin", "--type", "a/b=made"], probe: Self.accepting, directory: "next")
      #expect(try await next.dragAndDrop() == (.exited(0), .exited(0)), next.report)
      #expect(!Self.containers(server).contains(container))
    }
  }

  @Test(arguments: ["symlink", "writable"])
  func `a cache that others could put something into is not used`(_ kind: String) async throws {
    try await XServer.with { server in
      let cache = server.directory("home/.cache")
      let elsewhere = server.directory("elsewhere")
      #expect(mkdir(elsewhere, 0o700) == 0)
      _ = mkdir(cache, 0o700)
      if kind == "symlink" {
        #expect(symlink(elsewhere, cache + "/xdnd") == 0)
      } else {
        #expect(mkdir(cache + "/xdnd", 0o700) == 0 && chmod(cache + "/xdnd", 0o777) == 0)
      }
      let scene = try await SavingScene.set(
        on: server, source: ["--save-as", "x.bin", "--type", "a/b=made"], probe: Self.accepting)
      let ends = try await scene.dragAndDrop()
      #expect(ends == (.exited(6), .exited(1)), scene.report)
      #expect(scene.source.printed("not-saved").count == 1, scene.report)
      #expect(scene.entries == [])
      #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere) == [])
    }
  }
}
