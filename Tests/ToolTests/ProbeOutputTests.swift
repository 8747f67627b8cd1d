import Foundation
import Glibc
import TestSupport
import Testing
import XDnD

import enum TestSupport.ExitStatus

/// What `--output` leaves behind.
@Suite("Files that xdnd-probe writes", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ProbeOutputTests {
  private static let content = Array("what was dropped\n".utf8)

  @Test func `a file takes the place of the one that was there, with its permissions`() async throws {
    try await run("out") { directory in
      _ = try directory.write("a much longer text than the new one".utf8, to: "out")
      #expect(chmod(directory("out"), 0o640) == 0)
    } after: { directory, status in
      #expect(status == .exited(0))
      #expect(directory.read("out") == Self.content)
      #expect(directory.mode("out") == S_IFREG | 0o640)
      #expect(directory.names == ["out"])
    }
  }

  @Test func `a symbolic link stays, and what it leads to is written`() async throws {
    try await run("link") { directory in
      _ = try directory.write([], to: "out")
      #expect(symlink("out", directory("link")) == 0)
    } after: { directory, status in
      #expect(status == .exited(0))
      #expect(directory.mode("link").map { $0 & S_IFMT } == S_IFLNK)
      #expect(directory.read("out") == Self.content)
      #expect(directory.names == ["link", "out"])
    }
  }

  @Test func `a name as long as names can be is no problem`() async throws {
    let name = String(repeating: "n", count: 255)
    try await run(name) { _ in
    } after: { directory, status in
      #expect(status == .exited(0))
      #expect(directory.names == [name])
    }
  }

  @Test func `a full disk is 6, and the device stays what it is`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server, source: ["--once", "--text", "x"], probe: ["--once", "--output", "/dev/full"])
      try await scene.dragAndDrop()
      #expect(try await scene.target.exit() == .exited(6))
      #expect(scene.target.printed("failed").map { $0.string("reason") } == ["the disk is full"])
      #expect(scene.target.printed("failed").map { $0.string("status") } == ["transfer-failed"])
      #expect(try await scene.source.exit() == .exited(0))
      var status = stat()
      #expect(lstat("/dev/full", &status) == 0)
      #expect(status.st_mode & S_IFMT == S_IFCHR)
    }
  }

  @Test func `a file that gets too large for its place is 6, with the reason, and leaves the old one alone`()
    async throws
  {
    try await XServer.with { server in
      let directory = try TemporaryDirectory()
      let output = try directory.write("before".utf8, to: "out")
      let file = try server.directory.write(TestContent.bytes(8 << 20), to: "big")
      // 1024 units of 1 KiB; without the signal it is an error of the write, as a full disk is.
      let limited = "trap '' XFSZ; ulimit -f 1024; exec \"$0\" \"$@\""
      let scene = try await DragScene.set(
        on: server, source: { try server.launchSource($0, ["--once", "--type", "a/b=@\(file)"]) },
        target: {
          try server.launch(
            "/bin/bash",
            ["-c", limited, BuiltProducts.executable("xdnd-probe"), "--json", "--once", "--geometry", $0]
              + ["--output", output])
        })
      try await scene.dragAndDrop()
      #expect(try await scene.target.exit() == .exited(6))
      let reason = "cannot write '\(output)': File too large"
      #expect(scene.target.printed("failed").map { $0.string("reason") } == [reason])
      #expect(try await scene.source.exit() == .exited(1))
      #expect(directory.read("out") == Array("before".utf8))
      #expect(directory.names == ["out"])
    }
  }

  @Test func `a pipe that nobody reads is 6 and no standstill`() async throws {
    try await run("pipe") { directory in
      #expect(mkfifo(directory("pipe"), 0o600) == 0)
    } after: { directory, status in
      #expect(status == .exited(6))
      #expect(directory.names == ["pipe"])
    }
  }

  @Test func `a file that cannot be read leaves the old one alone`() async throws {
    try await XServer.with { server in
      let directory = try TemporaryDirectory()
      let file = try server.directory.write([1, 2, 3], to: "bytes")
      let output = try directory.write("before".utf8, to: "out")
      let scene = try await DragScene.tools(
        on: server, source: ["--once", "--type", "a/b=@\(file)"], probe: ["--once", "--output", output])
      try await scene.carryUntilAccepted()
      #expect(unlink(file) == 0)
      scene.pointer.release()
      #expect(try await scene.target.exit() == .exited(1))
      #expect(directory.read("out") == Array("before".utf8))
      #expect(directory.names == ["out"])
    }
  }

  @Test func `a signal in the middle leaves nothing behind`() async throws {
    try await XServer.with { server in
      let directory = try TemporaryDirectory()
      let path = server.directory("big")
      try #require(FileManager.default.createFile(atPath: path, contents: nil))
      #expect(truncate(path, 4 << 30) == 0)
      let scene = try await DragScene.tools(
        on: server, source: ["--once", "--type", "a/b=@\(path)"], probe: ["--output", directory("out")])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      try await scene.target.waitFor("progress")
      scene.target.send(SIGTERM)
      #expect(try await scene.target.exit() == .exited(2))
      #expect(directory.names == [])
      #expect(try await scene.source.exit() == .exited(5))
    }
  }

  @Test func `on standard output there is the content and nothing else`() async throws {
    try await XServer.with { server in
      let text = "\u{1B}[0m no line's end"
      let source = try server.launchSource(DragScene.sourceGeometry, ["--once", "--text", text])
      let probe = try server.launchProbe(DragScene.targetGeometry, ["--once", "--output", "-"])
      var reports: [String] = []
      var lines = probe.errors.lines.makeAsyncIterator()
      while let line = await lines.next() {
        reports.append(line)
        guard JSONLine(line)?.event == "ready" else { continue }
        let pointer = try Pointer(server)
        try await pointer.drag(along: [DragScene.readyPoint(of: source), DragScene.target])
        try await source.waitFor("drag-began")
        pointer.release()
      }
      #expect(try await probe.exit() == .exited(0))
      #expect(probe.output.bytes == Array(text.utf8))
      #expect(
        reports.compactMap { JSONLine($0)?.event } == [
          "ready", "entered", "position", "dropped", "data", "ended", "draggable",
        ])
    }
  }

  @Test func `each drop is written anew`() async throws {
    try await XServer.with { server in
      let directory = try TemporaryDirectory()
      let scene = try await DragScene.tools(
        on: server, source: ["--type", "a/b=0123"], probe: ["--output", directory("out")])
      for _ in 0..<3 {
        try await scene.carryUntilAccepted()
        _ = try await scene.drop()
      }
      #expect(directory.read("out") == Array("0123".utf8))
      #expect(directory.names == ["out"])
    }
  }

  /// Drops a text on a probe that writes to `name` in a directory of its own.
  private func run(
    _ name: String, before: (TemporaryDirectory) throws -> Void,
    after: (TemporaryDirectory, ExitStatus) throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    try before(directory)
    let status = try await XServer.with { server in
      let text = String(decoding: Self.content, as: UTF8.self)
      let scene = try await DragScene.tools(
        on: server, source: ["--text", text], probe: ["--once", "--output", directory(name)])
      try await scene.dragAndDrop()
      return try await scene.target.exit()
    }
    try after(directory, status)
  }
}

extension TemporaryDirectory {
  /// What is in it; `nil` if it cannot be read.
  fileprivate var names: [String]? { try? FileManager.default.contentsOfDirectory(atPath: path).sorted() }

  fileprivate func read(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: self(name)).map(Array.init) }

  fileprivate func mode(_ name: String) -> mode_t? {
    var status = stat()
    return lstat(self(name), &status) == 0 ? status.st_mode : nil
  }
}
