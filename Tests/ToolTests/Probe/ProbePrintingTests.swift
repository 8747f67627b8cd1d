import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// What scripts read.
@Suite("What xdnd-probe prints", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ProbePrintingTests {
  /// Names that break what is careless.
  private static let names = ["plain", "with space", "quote's \"x\" $(touch y)", "line\nend", "-n", "ünïcode 한글"]

  private func files(_ server: XServer) throws -> [String] {
    try Self.names.map { try server.directory.write(Array($0.utf8), to: $0) }
  }

  @Test func `paths are one a line, and reports are somewhere else`() async throws {
    try await XServer.with { server in
      let files = try files(server).filter { !$0.contains("\n") }
      let run = try await ProbeRun.set(on: server, source: ["--"] + files, probe: ["--print", "paths", "--once"])
      try await run.dragAll()
      #expect(try await run.probe.exit() == .exited(0))
      #expect(run.text == files.map { $0 + "\n" }.joined())
      #expect(run.probe.printed("printed").map { $0.integer("entries") } == [files.count])
      let documented = try DocumentedFields()
      for line in run.probe.output.text.split(separator: "\n") {
        #expect(documented.unknown(in: try #require(JSONLine(String(line)))) == [])
      }
    }
  }

  @Test func `URIs are those of the source`() async throws {
    try await XServer.with { server in
      let files = try files(server)
      let run = try await ProbeRun.set(on: server, source: ["--"] + files, probe: ["--print", "uris", "--once"])
      try await run.dragAll()
      #expect(try await run.probe.exit() == .exited(0))
      #expect(run.text == FileList(paths: files).uris.map { $0 + "\n" }.joined())
    }
  }

  @Test func `with --print0 names may have ends of lines`() async throws {
    try await XServer.with { server in
      let files = try files(server)
      let run = try await ProbeRun.set(on: server, source: ["--"] + files, probe: ["--print0", "--once"])
      try await run.dragAll()
      #expect(try await run.probe.exit() == .exited(0))
      #expect(run.text == files.map { $0 + "\0" }.joined())
    }
  }

  @Test func `a shell reads what is printed for it as the same names`() async throws {
    try await XServer.with { server in
      let files = try files(server)
      let run = try await ProbeRun.set(on: server, source: ["--"] + files, probe: ["--print", "shell", "--once"])
      try await run.dragAll()
      #expect(try await run.probe.exit() == .exited(0))
      let shell = try ChildProcess("/bin/sh", ["-c", #"eval "set -- $1"; printf '%s\0' "$@""#, "sh", run.text])
      #expect(try await shell.exit() == .exited(0))
      #expect(shell.output.text == files.map { $0 + "\0" }.joined())
      #expect(run.text.hasPrefix(files[0] + " '"))
    }
  }

  @Test(arguments: [("one\ntwo\n", "one\ntwo\n"), ("one", "one\n")])
  func `text is printed as it is`(_ text: String, _ printed: String) async throws {
    try await XServer.with { server in
      let run = try await ProbeRun.set(on: server, source: ["--text", text], probe: ["--print", "text", "--once"])
      try await run.dragAndDrop()
      #expect(try await run.probe.exit() == .exited(0))
      #expect(run.text == printed)
    }
  }

  @Test(arguments: ["text/csv", "text/markdown", "application/json", "application/xml", "message/rfc822"])
  func `documents are printed as the text that they are`(_ type: String) async throws {
    try await XServer.with { server in
      let run = try await ProbeRun.set(
        on: server, source: ["--type", "\(type)=Grüße"], probe: ["--print", "text", "--once"])
      try await run.dragAndDrop()
      #expect(try await run.probe.exit() == .exited(0))
      #expect(run.text == "Grüße\n")
    }
  }

  @Test func `links are printed as their addresses`() async throws {
    try await XServer.with { server in
      let run = try await ProbeRun.set(
        on: server, source: ["--uri", "https://example.org/a b Title"], probe: ["--print", "uris", "--once"])
      try await run.dragAndDrop()
      #expect(try await run.probe.exit() == .exited(0))
      #expect(run.text.hasPrefix("https://example.org/") && run.text.hasSuffix("\n"))
      #expect(run.text.split(separator: "\n").count == 1)
    }
  }

  @Test func `with --save the new files are printed`() async throws {
    try await XServer.with { server in
      let files = try files(server)
      let target = server.directory("saved")
      #expect(mkdir(target, 0o700) == 0)
      let run = try await ProbeRun.set(
        on: server, source: ["--"] + files, probe: ["--print0", "--once", "--save", target])
      try await run.dragAll()
      #expect(try await run.probe.exit() == .exited(0))
      #expect(run.text == Self.names.map { "\(target)/\($0)\0" }.joined())
      for name in Self.names { #expect(FileManager.default.fileExists(atPath: "\(target)/\(name)")) }
    }
  }

  @Test func `what cannot be printed is refused`() async throws {
    try await XServer.with { server in
      let run = try await ProbeRun.set(on: server, source: ["--type", "a/b=x"], probe: ["--print", "paths"])
      try await run.scene.carry()
      try await run.source.waitFor("proposal") { $0.string("operation") == nil }
      run.scene.pointer.release()
      #expect(try await run.source.waitFor("ended").string("outcome") == "refused")
      #expect(run.output == [])
    }
  }

  @Test func `a standard output that takes nothing is 6, and the source hears of it`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.set(
        on: server, source: { try server.launchSource($0, ["--once", "--text", "x"]) },
        target: {
          try server.launch(
            "/bin/sh",
            ["-c", #"exec "$0" "$@" 2>&1 >/dev/full"#, BuiltProducts.executable("xdnd-probe"), "--json", "--geometry"]
              + [$0, "--once", "--print", "text"])
        })
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      #expect(try await scene.target.exit() == .exited(6))
      #expect(try await scene.source.exit() == .exited(0))
    }
  }

  @Test func `the clipboard is printed, too`() async throws {
    try await XServer.with { server in
      let source = try server.launchCopy(["--text", "one\n"])
      try await source.waitFor("copied")
      let probe = try server.launch(
        BuiltProducts.executable("xdnd-probe"), ["--clipboard", "--print", "text"])
      #expect(try await probe.exit() == .exited(0))
      #expect(probe.output.text == "one\n")
      #expect(probe.errors.text.hasPrefix("On the clipboard"))
    }
  }

  @Test(arguments: [
    ["--print", "shell", "--print0"], ["--print", "paths", "--output", "-"], ["--print0", "--all"],
    ["--print", "names"], ["--count", "0"], ["--count", "2", "--once"], ["--clipboard", "--confirm"],
    ["--exec", "true", "--print0"], ["--exec", "true", "--all"], ["--exec", " "], ["--exec", "cat {}.png"],
    ["--exec", #"sh -c "cat {}""#], ["--exec", "cat ${}"],
  ])
  func `options that do not go together are 64`(_ arguments: [String]) async throws {
    let (status, output, errors) = try await Tool.probe.run(arguments)
    #expect(status == .exited(64))
    #expect(output == "")
    #expect(errors.hasPrefix("xdnd-probe: ") && errors.split(separator: "\n").count == 1)
  }
}

extension ProbeRun {
  /// Drags the heading of the source, which stands for all rows, and drops.
  func dragAll() async throws {
    try await scene.pointer.drag(along: [scene.heading, scene.end])
    try await source.waitFor("proposal") { $0.string("operation") != nil }
    scene.pointer.release()
  }
}
