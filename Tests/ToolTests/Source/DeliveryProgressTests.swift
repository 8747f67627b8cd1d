import Foundation
import Glibc
import TestSupport
import Testing
import XDnD
import XDnDConformance

import enum TestSupport.ExitStatus

/// Drops whose content takes long to send: what the window shows of them, and how they are cancelled.
@Suite("Progress of drops from xdnd-source", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct DeliveryProgressTests {
  /// How the user cancels a drop.
  enum Way: CaseIterable {
    case button, escape

    /// Cancels what a line says is being sent, and returns when the source has heard.
    func cancel(_ busy: JSONLine, of source: ChildProcess, with pointer: Pointer) async throws {
      pointer.move(to: busy.point)
      switch self {
      case .button:
        pointer.press()
        pointer.release()
      case .escape:
        // Without a window manager, the window under the pointer gets the keys.
        try pointer.tap(key: "Escape")
      }
      try await source.waitFor("ended")
    }
  }

  /// A source whose row is dropped on a scripted target.
  private struct Stage {
    let server: XServer
    let source: ChildProcess
    let pointer: Pointer
    let window: WindowID
    private let row: Point

    init(_ server: XServer, _ content: String) async throws {
      self.server = server
      // Wide enough for a row that says everything in one line: its button stays where it is.
      source = try server.launchSource("500x300+60+60", ["--once", "--type", content])
      let ready = try await source.waitFor("ready")
      window = WindowID(rawValue: UInt32(try #require(ready.integer("window"))))
      row = try #require(ready.objects("rows")?.first).point
      pointer = try Pointer(server)
    }

    /// Drags to the target, whenever its window appears, and drops.
    func drop() async throws {
      try await pointer.drag(along: [row, DragScene.target])
      try await source.waitFor("proposal") { $0.string("operation") != nil }
      pointer.release()
    }

    /// Returns when the window has a title.
    func waitForTitle(_ title: String) async throws {
      let peer = try XlibPeer(server)
      let deadline = ContinuousClock.now + .seconds(20)
      while peer.title(of: window) != title {
        guard .now < deadline else { throw HarnessError("the title is '\(peer.title(of: window))'") }
        try await Task.sleep(for: .milliseconds(20))
      }
    }

    func expectCancelled() async throws {
      #expect(try await source.exit() == .exited(2))
      let ended = try #require(source.printed("ended").last)
      #expect(ended.string("outcome") == "cancelled" && ended.string("reason") == "delivery")
      let documented = try DocumentedFields()
      for line in source.output.text.split(separator: "\n") {
        #expect(documented.unknown(in: try #require(JSONLine(String(line)))) == [])
      }
    }
  }

  @Test(arguments: Way.allCases)
  func `a file that is sent is counted in percent, in the title too, and its transfer can be cancelled by`(_ way: Way)
    async throws
  {
    try await XServer.with { server in
      let (partSize, partCount) = (Configuration().partSize, 32)
      let bytes = [UInt8](repeating: 7, count: partCount * partSize)
      let stage = try await Stage(server, "a/b=@\(try server.directory.write(bytes, to: "big"))")
      let end = server.directory("end")
      // When a part is taken, the next one is sent.
      let target = ScriptedTarget(onDrop: [
        .take("a/b", parts: partCount / 2 - 1), .idle { access(end, F_OK) == 0 }, .finish(isAccepted: false),
      ])
      async let answers = target.play(on: server)
      try await stage.drop()
      let busy = try await stage.source.waitFor("busy")
      #expect(busy.string("words")?.hasPrefix("sending") == true)
      #expect(busy.string("action") == "cancel")
      try await stage.waitForTitle("50 % – big")
      try await way.cancel(busy, of: stage.source, with: stage.pointer)
      try await stage.expectCancelled()
      #expect(stage.source.printed("sent").map { $0.boolean("ok") } == [false])
      _ = try server.directory.write([], to: "end")
      #expect(try await answers.isEmpty)
    }
  }

  @Test(arguments: Way.allCases)
  func `a command has a bar without an end, and when it is cancelled the target is refused, by`(_ way: Way)
    async throws
  {
    try await XServer.with { server in
      let gate = try Gate(server.directory)
      let stage = try await Stage(server, "a/b=!\(gate.command())")
      let target = ScriptedTarget(onDrop: [.convert("a/b"), .finish(isAccepted: false)])
      async let answers = target.play(on: server)
      try await stage.drop()
      let busy = try await stage.source.waitFor("busy")
      #expect(busy.string("words") == "sending")
      #expect(busy.integer("percent") == nil)
      try await way.cancel(busy, of: stage.source, with: stage.pointer)
      #expect(try await answers == [.refused])
      try await stage.expectCancelled()
    }
  }

  @Test func `nothing is left of a promised file whose writing is cancelled`() async throws {
    try await XServer.with { server in
      let gate = try Gate(server.directory)
      let command = gate.command(before: "head -c 1000000 /dev/zero")
      let scene = try await SavingScene.set(on: server, source: ["--save-as", "x.bin", "--type", "a/b=!\(command)"])
      try await scene.carryUntilAccepted()
      scene.drop()
      let busy = try await scene.source.waitFor("busy")
      #expect(busy.string("words")?.hasPrefix("sending") == true)
      try await Way.button.cancel(busy, of: scene.source, with: scene.scene.pointer)
      let ends = try await scene.ends()
      #expect(ends.source == .exited(2), scene.report)
      // If it was told before that the file is saved, it takes the source for dead.
      #expect([.exited(2), .exited(5)].contains(ends.probe), scene.report)
      #expect(scene.source.printed("not-saved").count == 1, scene.report)
      #expect(scene.source.printed("ended").last?.string("outcome") == "cancelled", scene.report)
      #expect(scene.entries == [], scene.report)
    }
  }
}
