import Foundation
import TestSupport
import Testing

@testable import XDnD

/// Lists whose entries programs would take for options, and what `xdnd-probe` makes of them.
@Suite("Arguments out of hostile drops", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct HostileArgumentTests {
  /// A file that each machine with the tools has.
  private static let file = "/etc/hostname"

  /// The arguments of `xdnd-source` that offer these bytes as a list of URIs, and nothing else.
  private func source(of list: String, on server: XServer) throws -> [String] {
    ["--once", "--exact", "--type", "text/uri-list=@\(try server.directory.write(list.utf8, to: "list"))"]
  }

  /// Drops a list on a probe, and returns when both have ended.
  private func drop(
    _ list: String, on server: XServer, _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> ProbeRun {
    let run = try await ProbeRun.set(
      on: server, source: source(of: list, on: server), probe: ["--once"] + arguments, environment: environment)
    try await run.dragAndDrop()
    _ = try await run.probe.exit()
    try expectDocumented(run)
    return run
  }

  private func expectDocumented(_ run: ProbeRun) throws {
    let documented = try DocumentedFields()
    for line in run.probe.output.text.split(separator: "\n") {
      #expect(documented.unknown(in: try #require(JSONLine(String(line)))) == [])
    }
  }

  // MARK: Commands

  @Test func `an entry without a scheme is no option of the command`() async throws {
    try await XServer.with { server in
      let run = try await drop(
        "--checkpoint=1\r\n--checkpoint-action=exec=touch pwned\r\nfile://\(Self.file)\r\n", on: server,
        ["--exec", "tar cf /dev/null {} 2> tar-says"])
      #expect(try await run.probe.exit() == .exited(0))
      #expect(try await run.source.exit() == .exited(0))
      #expect(!FileManager.default.fileExists(atPath: server.directory("pwned")))
      #expect(run.probe.printed("exec-began").map { $0.strings("files") } == [[Self.file]])
      let leftOut = try #require(run.probe.printed("left-out").first)
      #expect(leftOut.integer("count") == 2)
      let entries = try #require(leftOut.objects("entries"))
      #expect(entries.map { $0.string("uri") } == ["--checkpoint=1", "--checkpoint-action=exec=touch pwned"])
      #expect(entries.allSatisfy { $0.string("reason") == "it is not a valid file URI" })
    }
  }

  @Test func `only files of this machine are arguments`() async throws {
    try await XServer.with { server in
      let run = try await drop(
        """
        https://example.org/\r
        -rf\r
        file://elsewhere.example/etc/passwd\r
        file://localhost\(Self.file)\r
        file:relative\r
        /etc/passwd\r

        """, on: server, ["--exec", #"printf '%s\n' {} "$XDND_FILE""#])
      #expect(run.text == "\(Self.file)\n\(Self.file)\n")
      #expect(run.probe.printed("left-out").map { $0.integer("count") } == [5])
    }
  }

  @Test(arguments: ["-rf", "../x", "file:relative", "file://elsewhere.example/etc/passwd", "file:///a%00b", "# -rf"])
  func `no command runs if nothing in the list is a file of this machine`(_ entry: String) async throws {
    try await XServer.with { server in
      let run = try await drop(entry + "\r\n", on: server, ["--exec", "touch ran {}"])
      #expect(try await run.probe.exit() == .exited(1))
      #expect(try await run.source.exit() == .exited(0))
      #expect(!FileManager.default.fileExists(atPath: server.directory("ran")))
      #expect(run.probe.printed("exec-began").isEmpty)
      let failure = try #require(run.probe.printed("failed").first)
      #expect(failure.string("status") == "refused")
      #expect(failure.string("reason")?.isEmpty == false)
    }
  }

  @Test func `links reach a command as the content of a file, and never as an argument`() async throws {
    try await XServer.with { server in
      let list = "https://example.org/a\r\nhttps://example.org/b\r\n"
      let run = try await drop(list, on: server, ["--exec", "cat {}; cat"])
      #expect(try await run.probe.exit() == .exited(0))
      #expect(run.text == list + list)
      let files = try #require(run.probe.printed("exec-began").first?.strings("files"))
      #expect(files.count == 1 && files[0].hasPrefix("/"))
    }
  }

  @Test func `with a relative TMPDIR the file with the content begins with a dot and a slash`() async throws {
    try await XServer.with { server in
      try FileManager.default.createDirectory(atPath: server.directory("-tmp"), withIntermediateDirectories: false)
      let run = try await ProbeRun.set(
        on: server, source: ["--once", "--text", "x"],
        probe: ["--once", "--exec", #"printf '%s\n' {} "$XDND_FILE"; cat {}"#], environment: ["TMPDIR": "-tmp"])
      try await run.dragAndDrop()
      #expect(try await run.probe.exit() == .exited(0))
      let lines = run.text.split(separator: "\n")
      #expect(lines.count == 3 && lines[0] == lines[1] && lines[2] == "x")
      #expect(lines.first?.hasPrefix("./-tmp/") == true)
    }
  }

  // MARK: Printing

  private static let mixedList = "-rf\r\nfile://\(file)\r\nhttps://example.org/\r\nfile://elsewhere.example/x\r\n"

  @Test(arguments: [
    (["--print", "paths"], "\(file)\n"), (["--print0"], "\(file)\0"), (["--print", "shell"], "\(file)\n"),
    (["--print", "uris"], "file://\(file)\nhttps://example.org/\nfile://elsewhere.example/x\n"),
  ])
  func `what is printed as a path is one, and what is printed as a URI is one`(
    _ arguments: [String], _ printed: String
  ) async throws {
    try await XServer.with { server in
      let run = try await drop(Self.mixedList, on: server, arguments)
      #expect(try await run.probe.exit() == .exited(0))
      #expect(run.text == printed)
      #expect(run.probe.printed("left-out").map { $0.integer("count") } == [arguments == ["--print", "uris"] ? 1 : 3])
    }
  }

  @Test(arguments: [["--print", "paths"], ["--print0"], ["--print", "shell"], ["--print", "uris"]])
  func `nothing is printed of a list without a file, and the drop has failed`(_ arguments: [String]) async throws {
    try await XServer.with { server in
      let run = try await drop("-rf\r\n--\r\n", on: server, arguments)
      #expect(try await run.probe.exit() == .exited(1))
      #expect(try await run.source.exit() == .exited(0))
      #expect(run.output == [])
      #expect(run.probe.printed("failed").map { $0.string("status") } == ["refused"])
    }
  }

  @Test(arguments: [["--print", "paths"], ["--print0"], ["--print", "shell"], ["--print", "uris"]])
  func `text is no path and no URI`(_ arguments: [String]) async throws {
    try await XServer.with { server in
      let run = try await ProbeRun.set(on: server, source: ["--text", "-rf"], probe: arguments)
      try await run.scene.carry()
      try await run.source.waitFor("proposal") { $0.string("operation") == nil }
      run.scene.pointer.release()
      #expect(try await run.source.waitFor("ended").string("outcome") == "refused")
      #expect(run.output == [])
    }
  }

  @Test func `an address of a link that is no URI is not printed as one`() async throws {
    try await XServer.with { server in
      let run = try await ProbeRun.set(
        on: server, source: ["--once", "--exact", "--type", "_NETSCAPE_URL=-rf"], probe: ["--once", "--print", "uris"])
      try await run.dragAndDrop()
      #expect(try await run.probe.exit() == .exited(1))
      #expect(run.output == [])
    }
  }

  @Test(arguments: [("paths", "./-saved/"), ("uris", "file:///"), ("shell", "'./-saved/")])
  func `files saved in a relative directory are printed so that no program takes them for options`(
    _ form: String, _ prefix: String
  ) async throws {
    try await XServer.with { server in
      try FileManager.default.createDirectory(atPath: server.directory("-saved"), withIntermediateDirectories: false)
      let run = try await ProbeRun.set(
        on: server, source: ["--once", "--type", "a/b=x"],
        probe: ["--once", "--save", "-saved", "--print", form])
      try await run.dragAndDrop()
      #expect(try await run.probe.exit() == .exited(0))
      #expect(run.text.hasPrefix(prefix) && run.text.hasSuffix("\n"))
      #expect(run.text.split(separator: "\n").count == 1)
    }
  }
}
