import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// `--type MIME=!COMMAND`: content that a command makes when it is asked for.
@Suite("Content that a command makes", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct CommandContentTests {
  @Test func `a command is run once for each request, and never before`() async throws {
    try await XServer.with { server in
      let runs = server.directory("runs")
      let source = try server.launchCopy(["--text", "x", "--type", "a/b=!echo run >>'\(runs)'; printf content"])
      try await source.waitFor("copied")
      let other = try server.launchPaste(["--accept", "text/plain"])
      #expect(try await other.exit() == .exited(0))
      #expect(access(runs, F_OK) != 0)
      for count in 1...2 {
        let probe = try server.launchPaste(["--accept", "a/b"])
        #expect(Digest(try await probe.waitFor("data")) == Digest(Array("content".utf8)))
        #expect(try await probe.exit() == .exited(0))
        #expect(try String(contentsOfFile: runs, encoding: .utf8) == String(repeating: "run\n", count: count))
      }
    }
  }

  @Test func `a drag does not run it; a drop does, with standard input empty`() async throws {
    try await XServer.with { server in
      let file = server.directory("ran")
      let scene = try await DragScene.tools(
        on: server, source: ["--type", "a/b=!touch '\(file)'; cat; printf done"],
        probe: ["--accept", "a/b", "--checksum"])
      try await scene.carryUntilAccepted()
      #expect(access(file, F_OK) != 0)
      #expect(Digest(try await scene.drop().data) == Digest(Array("done".utf8)))
      #expect(access(file, F_OK) == 0)
    }
  }

  @Test func `long output is streamed, and arrives whole`() async throws {
    try await XServer.with { server in
      let count = 20_000_000
      let source = try server.launchCopy(["--type", "a/b=!head -c \(count) /dev/zero | tr '\\0' x"])
      try await source.waitFor("copied")
      let probe = try server.launchPaste([])
      #expect(Digest(try await probe.waitFor("data")) == Digest([UInt8](repeating: 0x78, count: count)))
      #expect(probe.printed("progress").count > 1)
      #expect(try await source.waitFor("sent").boolean("ok") == true)
    }
  }

  @Test(arguments: ["exit 3", "printf half; exit 3", "kill -9 $$", "/missing/program"])
  func `a command that fails gives nothing, and the probe takes the next type`(_ command: String) async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server, source: ["--type", "a/b=!\(command)", "--type", "c/d=next"],
        probe: ["--accept", "a/b,c/d", "--once"])
      try await scene.carryUntilAccepted()
      let result = try await scene.drop()
      #expect(scene.target.printed("not-given").map { $0.string("type") } == ["a/b"])
      #expect(result.data.string("type") == "c/d")
      #expect(result.probe.string("outcome") == "dropped")
      #expect(try await scene.target.exit() == .exited(0))
      let sent = scene.source.printed("sent")
      #expect(sent.map { $0.string("type") } == ["a/b", "c/d"])
      #expect(sent.map { $0.boolean("ok") } == [false, true])
    }
  }

  @Test func `output that ends is enough, though the command goes on`() async throws {
    try await XServer.with { server in
      let file = server.directory("pid")
      let source = try server.launchCopy(["--type", "a/b=!echo $$ >'\(file)'; printf x; exec sleep 600 >&-"])
      try await source.waitFor("copied")
      let probe = try server.launchPaste([])
      #expect(Digest(try await probe.waitFor("data")) == Digest(Array("x".utf8)))
      let process = try Self.process(in: file)
      #expect(kill(process, 0) == 0)
      kill(process, SIGKILL)
    }
  }

  @Test func `hundreds of requests run a few commands at once, and each gets its turn`() async throws {
    try await XServer.with { server in
      let gate = server.directory("gate")
      try #require(mkfifo(gate, 0o600) == 0)
      let scene = try await DragScene.tools(on: server, source: ["--type", "a/b=!read line <'\(gate)'; printf x"])
      try await scene.carryNowhere()
      let (count, source) = (200, scene.source.pid)
      let running = try await onOwnThread {
        let fetcher = try XlibFetcher(server)
        for number in 0..<count { fetcher.fetch("a/b", expecting: Array("x".utf8), drag: number, at: .currentTime) }
        // The list is answered without a command: once when all requests before it have been taken in, and again when all
        // that they lead to has been done. In between, the server answers up to four questions of the source about the
        // events of the requestor.
        for turn in 0..<6 {
          fetcher.fetch("TARGETS", expecting: [], drag: turn, at: .currentTime)
          try fetcher.run { $0.wrong.contains("TARGETS/\(turn)") }
        }
        let running = try Self.children(of: source)
        let writer = open(gate, O_RDWR | O_CLOEXEC)
        try #require(writer >= 0)
        defer { close(writer) }
        let lines = [UInt8](repeating: 0x0A, count: count)
        try #require(write(writer, lines, count) == count)
        try fetcher.run { $0.exact.count == count }
        return running
      }
      #expect(0 < running && running <= 8)
    }
  }

  @Test func `the number of commands at once has no limit`() async throws {
    try await XServer.with { server in
      let source = try server.launchCopy(["--max-commands", "\(Int.max)", "--type", "a/b=!printf x"])
      try await source.waitFor("copied")
      let probe = try server.launchPaste(["--accept", "a/b"])
      #expect(Digest(try await probe.waitFor("data")) == Digest(Array("x".utf8)))
      #expect(try await probe.exit() == .exited(0))
      #expect(source.isRunning)
    }
  }

  /// How many processes a process has started that have not been reaped.
  private static func children(of process: pid_t) throws -> Int {
    let list = try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
    return list.split(separator: " ").count
  }

  enum End: CaseIterable {
    /// The program that asks dies.
    case death
    /// The tool is asked to end.
    case signal
    /// The drag is cancelled, while a program asks that does not wait for a drop.
    case escape
  }

  @Test(arguments: End.allCases)
  func `a command that hangs is ended with all that it has started when nobody wants its output`(
    _ end: End
  ) async throws {
    try await XServer.with { server in
      let path = server.directory("life")
      let life = try Life(path)
      let command = "exec 9>'\(path)'; sleep 600 & echo begun >&9; printf begun; wait"
      let scene = try await DragScene.tools(on: server, source: ["--type", "a/b=!\(command)"])
      if end == .escape {
        try await scene.carryNowhere()
      } else {
        try await scene.carryUntilAccepted()
      }
      let fetcher = end == .escape ? try XlibFetcher(server) : nil
      fetcher?.fetch("a/b", expecting: [], drag: 0, at: .currentTime)
      if end != .escape { scene.pointer.release() }
      let hasBegun = try await onOwnThread { life.begins }
      #expect(hasBegun)
      switch end {
      case .death: scene.target.send(SIGKILL)
      case .signal: scene.source.send(SIGTERM)
      case .escape: try scene.pointer.tap(key: "Escape")
      }
      let hasEnded = try await onOwnThread { life.ends }
      #expect(hasEnded)
      withExtendedLifetime(fetcher) {}
    }
  }

  /// Sees when a command and all that it has started are gone: then nobody has the other end of a pipe.
  private final class Life: Sendable {
    private let descriptor: CInt

    init(_ path: String) throws {
      guard mkfifo(path, 0o600) == 0 else { throw HarnessError("cannot make \(path)", code: errno) }
      descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { throw HarnessError("cannot open \(path)", code: errno) }
    }

    deinit { close(descriptor) }

    /// Waits for the first word.
    var begins: Bool { next == Array("begun\n".utf8) }

    /// Waits for the end.
    var ends: Bool { next == [] }

    /// What is there next, within twenty seconds; nothing at the end.
    private var next: [UInt8]? {
      var readiness = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&readiness, 1, 20_000) == 1 else { return nil }
      var bytes = [UInt8](repeating: 0, count: 16)
      let count = read(descriptor, &bytes, bytes.count)
      return count >= 0 ? Array(bytes.prefix(count)) : nil
    }
  }

  private static func process(in file: String) throws -> pid_t {
    let text = try String(contentsOfFile: file, encoding: .utf8)
    return try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
  }
}
