import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// Drops that take long: what the window shows of them, and how they are cancelled.
@Suite("Progress of drops on xdnd-probe", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ProbeProgressTests {
  /// How the user cancels a drop.
  enum Way: CaseIterable {
    case button, escape

    /// Cancels what a line says is being done, and returns when the probe has heard.
    func cancel(_ busy: JSONLine, of probe: ChildProcess, with pointer: Pointer) async throws {
      pointer.move(to: busy.point)
      switch self {
      case .button:
        pointer.press()
        pointer.release()
        try await probe.waitFor("failed")
      case .escape:
        // Without a window manager, the window under the pointer gets the keys. For a second after a drag Escape means
        // nothing.
        while probe.printed("failed").isEmpty {
          try pointer.tap(key: "Escape")
          try await Task.sleep(for: .milliseconds(50))
        }
      }
    }
  }

  @Test(arguments: Way.allCases)
  func `content of unknown length has a bar without an end, and can be cancelled by`(_ way: Way) async throws {
    try await XServer.with { server in
      let output = server.directory("out")
      let probe = try server.launchProbe(DragScene.targetGeometry, ["--once", "--output", output])
      let window = try #require(try await probe.waitFor("ready").integer("window"))
      let name = server.displayName
      let drop = ScriptedDrop(content: [("text/plain", .trickle)])
      async let outcome = onOwnThread { try drop.perform(on: window, of: name) }
      let busy = try await probe.waitFor("busy")
      #expect(busy.string("words")?.hasPrefix("receiving") == true)
      #expect(busy.string("action") == "cancel")
      #expect(busy.integer("percent") == nil)
      try await way.cancel(busy, of: probe, with: Pointer(server))
      #expect(try await outcome.finished == "")
      #expect(try await probe.exit() == .exited(2))
      #expect(probe.printed("failed").map { $0.string("reason") } == ["cancelled by the user"])
      #expect(access(output, F_OK) != 0)
      let documented = try DocumentedFields()
      for line in probe.output.text.split(separator: "\n") {
        #expect(documented.unknown(in: try #require(JSONLine(String(line)))) == [])
      }
    }
  }

  @Test func `content of known length is counted in percent, in the title too`() async throws {
    try await XServer.with { server in
      let probe = try server.launchProbe(DragScene.targetGeometry, ["--once"])
      let window = try #require(try await probe.waitFor("ready").integer("window"))
      let name = server.displayName
      let part = [UInt8](repeating: 0x61, count: 500)
      let drop = ScriptedDrop(content: [("text/plain", .stall(announced: 1000, [part]))])
      async let outcome = onOwnThread { try drop.perform(on: window, of: name) }
      let busy = try await probe.waitFor("busy")
      #expect(busy.integer("percent") == 50)
      #expect(busy.string("words")?.contains("500 B of 1000 B") == true)
      let title = try XlibPeer(server).title(of: WindowID(rawValue: UInt32(window)))
      #expect(title == "50 % – xdnd-probe")
      try await Way.button.cancel(busy, of: probe, with: Pointer(server))
      #expect(try await outcome.finished == "")
      #expect(try await probe.exit() == .exited(2))
    }
  }

  @Test(arguments: Way.allCases)
  func `nothing is left of a drop that was being saved, and the source hears of its end, by`(_ way: Way) async throws {
    try await XServer.with { server in
      let gate = try Gate(server.directory)
      let scene = try await SavingScene.set(
        on: server, source: ["--type", "a/b=!\(gate.command(before: "head -c 1000000 /dev/zero"))"],
        probe: ["--accept", "a/b"])
      try await scene.carryUntilAccepted()
      scene.drop()
      let busy = try await scene.probe.waitFor("busy")
      #expect(busy.string("words")?.hasPrefix("saving") == true)
      try await way.cancel(busy, of: scene.probe, with: scene.scene.pointer)
      let ended = try await scene.source.waitFor("ended")
      #expect(["refused", "transfer-failed"].contains(ended.string("outcome")))
      #expect(try await scene.probe.exit() == .exited(2), scene.report)
      #expect(scene.entries == [], scene.report)
      gate.open()
    }
  }

  @Test func `a question about a file that is being saved goes away with it`() async throws {
    try await XServer.with { server in
      let file = try server.directory.write("new".utf8, to: "note.txt")
      let scene = try await SavingScene.set(
        on: server, source: ["--action", "copy", file], probe: ["--accept", "text/uri-list"])
      #expect(FileManager.default.createFile(atPath: scene.directory + "/note.txt", contents: Data("old".utf8)))
      try await scene.carryUntilAccepted()
      scene.drop()
      try await scene.probe.waitFor("question")
      // The slower the machine, the sooner it is shown.
      let shown = scene.probe.printed("busy").first
      let busy = if let shown { shown } else { try await scene.probe.waitFor("busy") }
      try await Way.button.cancel(busy, of: scene.probe, with: scene.scene.pointer)
      #expect(try await scene.probe.exit() == .exited(2), scene.report)
      #expect(scene.probe.printed("answer").isEmpty)
      #expect(scene.entries == ["note.txt"])
      #expect(scene.content("note.txt") == "old")
    }
  }
}
