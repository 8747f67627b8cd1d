import Foundation
import Glibc
import TestSupport
import Testing
import XDnD

import enum TestSupport.ExitStatus

/// What `xdnd-probe` makes of content that is not what it should be, or that has a form of its own.
@Suite("What xdnd-probe makes of odd content", .requiresXvfb, .timeLimit(.minutes(3)))
struct ProbeContentTests {
  private struct Run {
    var probe: ChildProcess
    var exit: ExitStatus
    var outcome: ScriptedDrop.Outcome
  }

  private static func run(
    _ drop: ScriptedDrop, on server: XServer, _ arguments: [String]
  ) async throws -> Run {
    let probe = try server.launchProbe("300x300+100+100", ["--once"] + arguments)
    let window = try #require(try await probe.waitFor("ready").integer("window"))
    let name = server.displayName
    let outcome = try await onOwnThread { try drop.perform(on: window, of: name) }
    return Run(probe: probe, exit: try await probe.exit(timeout: .seconds(60)), outcome: outcome)
  }

  private static func utf16(_ text: String) -> [UInt8] {
    [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
  }

  // MARK: Content that is not what was announced

  @Test func `INCR that ends short of its announcement is a failure, and no file is there`() async throws {
    try await XServer.with { server in
      let output = server.directory("out")
      let drop = ScriptedDrop(content: [("text/plain", .parts(announced: 1_000_000, [Array("abc".utf8)]))])
      let run = try await Self.run(drop, on: server, ["--output", output])
      #expect(run.exit == .exited(6))
      #expect(access(output, F_OK) != 0)
      #expect(run.outcome.finished == "")
      #expect(run.probe.printed("failed").first?.string("reason")?.contains("1000000") == true)
      let saved = server.directory("saved")
      #expect(mkdir(saved, 0o700) == 0)
      let other = try await Self.run(drop, on: server, ["--save", saved])
      #expect(other.exit == .exited(6))
      #expect(try FileManager.default.contentsOfDirectory(atPath: saved).isEmpty)
    }
  }

  @Test func `numbers in the place of text, and no bytes in the place of a list, are passed over`() async throws {
    try await XServer.with { server in
      let content: [(String, ScriptedDrop.Answer)] = [
        ("text/uri-list", .property(type: "text/uri-list", [])),
        ("image/png", .property(type: "INTEGER", format: 32, [1, 0, 0, 0])),
        ("text/plain", .text("text", as: "text/plain")),
      ]
      let run = try await Self.run(ScriptedDrop(content: content), on: server, [])
      #expect(run.exit == .exited(0))
      #expect(run.probe.printed("not-given").map { $0.string("type") } == ["text/uri-list", "image/png"])
      #expect(run.probe.printed("data").map { $0.string("text") } == ["text"])
    }
  }

  @Test func `if nothing that comes is what was asked for, the drop has failed`() async throws {
    try await XServer.with { server in
      let output = server.directory("out")
      let drop = ScriptedDrop(content: [("text/plain", .property(type: "INTEGER", format: 32, [1, 0, 0, 0]))])
      let run = try await Self.run(drop, on: server, ["--output", output])
      #expect(run.exit == .exited(6))
      #expect(access(output, F_OK) != 0)
      #expect(run.outcome.finished == "")
    }
  }

  @Test func `a trickle ends when its time is over, or when the user has had enough`() async throws {
    try await XServer.with { server in
      let output = server.directory("out")
      let drop = ScriptedDrop(content: [("text/plain", .trickle)])
      let run = try await Self.run(drop, on: server, ["--output", output, "--max-time", "2"])
      #expect(run.exit == .exited(4))
      #expect(run.outcome.finished == "")
      #expect(run.probe.printed("failed").first?.string("reason") == "the source sends text/plain too slowly")
      let small = try await Self.run(drop, on: server, ["--output", output, "--max-size", "1K"])
      #expect(small.exit == .exited(6))
      #expect(access(output, F_OK) != 0)

      let probe = try server.launchProbe("300x300+100+100", ["--once", "--output", output])
      let window = try #require(try await probe.waitFor("ready").integer("window"))
      let name = server.displayName
      async let outcome = onOwnThread { try drop.perform(on: window, of: name) }
      _ = try await probe.waitFor("dropped")
      probe.send(SIGTERM)
      #expect(try await probe.exit() == .exited(2))
      _ = try await outcome
      #expect(access(output, F_OK) != 0)
    }
  }

  @Test func `drops of any size and number do not fill the memory`() async throws {
    try await XServer.with { server in
      let size = 15_000_000
      let drop = ScriptedDrop(content: [
        ("image/x-blob", .property(type: "image/x-blob", [UInt8](repeating: 7, count: size)))
      ])
      let count = 12
      let probe = try server.launchProbe("300x300+100+100", ["--count", "\(count)", "--history-size", "20M"])
      let window = try #require(try await probe.waitFor("ready").integer("window"))
      let name = server.displayName
      let before = try Self.residentBytes(of: probe.pid)
      for _ in 1..<count {
        #expect(try await onOwnThread { try drop.perform(on: window, of: name) }.finished == "XdndActionCopy")
        _ = try await probe.waitFor("ended")
      }
      let growth = try Self.residentBytes(of: probe.pid) - before
      // Eleven drops that are kept would be eleven times the size. The history keeps one; the allocator returns the memory of
      // the others late: 43 to 97 MB in 27 runs.
      #expect(growth < 8 * size, "\(growth)")
      _ = try await onOwnThread { try drop.perform(on: window, of: name) }
      #expect(try await probe.exit() == .exited(0))
    }
  }

  /// How much memory a process has.
  private static func residentBytes(of process: pid_t) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try #require(Int(line.filter(\.isNumber))) * 1024
  }

  // MARK: Parameters

  @Test(arguments: ["text/html;charset=UTF-16", "text/html; charset=utf-8"])
  func `HTML is read in the charset that its type names, and saved so that browsers read it`(
    type: String
  ) async throws {
    try await XServer.with { server in
      let html = "<p>žluť</p>"
      let bytes = type.hasSuffix("16") ? Self.utf16(html) : Array(html.utf8)
      let drop = ScriptedDrop(content: [(type, .property(type: type, bytes))])
      let shown = try await Self.run(drop, on: server, [])
      #expect(shown.probe.printed("data").first?.string("text") == html)
      let saved = server.directory("saved")
      #expect(mkdir(saved, 0o700) == 0)
      let run = try await Self.run(drop, on: server, ["--save", saved])
      #expect(run.exit == .exited(0))
      let name = try #require(try FileManager.default.contentsOfDirectory(atPath: saved).first)
      #expect(name == "žluť.html")
      let file = try String(contentsOfFile: saved + "/" + name, encoding: .utf8)
      #expect(file.hasSuffix(html))
      #expect(file.contains("charset=\"utf-8\""))
    }
  }

  @Test func `a list of files is one with a charset too`() async throws {
    try await XServer.with { server in
      let type = "text/uri-list;charset=utf-8"
      let drop = ScriptedDrop(content: [
        ("text/plain", .text("flat", as: "text/plain")), (type, .text("file:///etc/hostname\r\n", as: type)),
      ])
      let run = try await Self.run(drop, on: server, [])
      let data = try #require(run.probe.printed("data").first)
      #expect(data.string("type") == type)
      #expect(data.objects("files")?.map { $0.string("path") } == ["/etc/hostname"])
    }
  }

  // MARK: Operations

  @Test func `what may only be moved is looked at, and its source is told that it was copied`() async throws {
    try await XServer.with { server in
      let drop = ScriptedDrop(
        content: [("text/uri-list", .text("file:///etc/hostname\r\n", as: "text/uri-list"))],
        actions: ["XdndActionMove", "XdndActionAsk"], requested: "XdndActionMove")
      let run = try await Self.run(drop, on: server, [])
      #expect(run.exit == .exited(0))
      #expect(run.outcome.status == "XdndActionCopy")
      #expect(run.outcome.finished == "XdndActionCopy")
      #expect(run.outcome.requests == ["text/uri-list"])
    }
  }

  @Test(arguments: ["Move", "Link", "Ask"])
  func `what is merely displayed is not moved, unless --action accepts that`(_ action: String) async throws {
    try await XServer.with { server in
      let drop = ScriptedDrop(
        content: [("text/uri-list", .text("file:///etc/hostname\r\n", as: "text/uri-list"))],
        actions: ["XdndAction\(action)", "XdndActionCopy"], requested: "XdndAction\(action)")
      let plain = try await Self.run(drop, on: server, [])
      let answer = action == "Link" ? action : "Copy"
      #expect(plain.exit == .exited(0))
      #expect(plain.outcome.status == "XdndAction\(answer)")
      #expect(plain.outcome.finished == "XdndAction\(answer)")
      #expect(plain.probe.printed("question").isEmpty)
      // Otherwise it is what the source asks for, or a question.
      guard action != "Ask" else { return }
      let accepting = ["--action", "move,link,ask,copy"]
      for options in [accepting, accepting + ["--output", server.directory("out")]] {
        let run = try await Self.run(drop, on: server, options)
        #expect(run.outcome.status == "XdndAction\(action)")
        #expect(run.outcome.finished == "XdndAction\(action)")
        #expect(run.probe.printed("ended").map { $0.string("operation") } == [action.lowercased()])
      }
    }
  }

  @Test func `what Writer drags is saved as what others can open`() async throws {
    try await XServer.with { server in
      let saved = server.directory("saved")
      #expect(mkdir(saved, 0o700) == 0)
      let content: [(String, ScriptedDrop.Answer)] = [
        (
          #"application/x-openoffice-embed-source-xml;windows_formatname="Star Embed Source (XML)""#,
          .property(type: "application/x-openoffice-embed-source-xml", [1, 2, 3])
        ),
        ("text/rtf", .text(#"{\rtf1 words}"#, as: "text/rtf")), ("text/html", .text("<p>words</p>", as: "text/html")),
        ("text/plain;charset=utf-8", .text("words", as: "text/plain;charset=utf-8")),
      ]
      let run = try await Self.run(ScriptedDrop(content: content), on: server, ["--save", saved])
      #expect(run.exit == .exited(0))
      #expect(try FileManager.default.contentsOfDirectory(atPath: saved) == ["words.html"])
    }
  }
}
