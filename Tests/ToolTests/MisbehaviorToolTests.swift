import Glibc
import TestSupport
import Testing
import XDnDToolSupport

import enum TestSupport.ExitStatus

@testable import XDnD

/// One tool does wrong, and the other one lives with it: it ends, and its code says how.
@Suite("The tools and peers that misbehave", .requiresXvfb, .timeLimit(.minutes(10)))
struct MisbehaviorToolTests {
  /// How a pair of tools ends; `nil` for one that goes on.
  struct Ends: Equatable, Sendable {
    var source: ExitStatus
    var probe: ExitStatus?

    /// The one that does wrong may die of it.
    static func codes(_ source: Int32, _ probe: Int32?) -> Ends {
      Ends(source: .exited(source), probe: probe.map(ExitStatus.exited))
    }

    static let killed = ExitStatus.signalled(SIGKILL)
  }

  /// What does not end well: 0 on both sides.
  private static let ofSource: [String: Ends] = [
    // Nobody has the selection, or nobody any more.
    "selection-owned": .codes(1, 1), "selection-kept": .codes(1, 1), "drop-accepted": .codes(1, 1),
    // It takes for sent what has not left it, so the target's refusal is a reported failure to it.
    "advertised-delivered": .codes(0, 1),
    // Ten seconds are what a transfer is given.
    "conversion-answered": .codes(0, 4), "silent": .codes(0, 4),
    // It announces 256 MiB and sends four. What is announced is a lower bound (ICCCM §2.7.2), so the rest is missing:
    // a target cannot tell a wrong announcement from content that was cut off.
    "incr-form": .codes(0, 6),
    "die-on-enter": Ends(source: Ends.killed, probe: .exited(5)),
    "die-on-position": Ends(source: Ends.killed, probe: .exited(5)),
    "die-on-drop": Ends(source: Ends.killed, probe: .exited(5)),
    "die-on-convert": Ends(source: Ends.killed, probe: .exited(5)),
  ]

  /// `finished-after-data` ends well: the source hears Finished too early, and serves the target to the end.
  private static let ofTarget: [String: Ends] = [
    // The drag leaves again, and the probe waits for a better one.
    "status-answers": .codes(4, nil), "status-window": .codes(4, nil), "silent": .codes(4, nil),
    "status-refusal": .codes(1, nil),
    // The source drops, for the answer was yes; the target then says that it was no.
    "unknown-types-refused": .codes(1, 1),
    // The target is content and ends, and the source has not heard of it.
    "finished-window": .codes(5, 0),
    "reads-incr": .codes(6, 4),
    // The pointer is over nothing when the button goes up.
    "die-on-enter": Ends(source: .exited(3), probe: Ends.killed),
    "die-on-position": Ends(source: .exited(3), probe: Ends.killed),
    "die-on-drop": Ends(source: .exited(5), probe: Ends.killed),
    "die-on-convert": Ends(source: .exited(5), probe: Ends.killed),
  ]

  /// How it may end too. Both tools give each part the same ten seconds, and the timer that fires first decides. If it
  /// is the target's, the source hears a refusal before it has given the transfer up.
  private static let ofTargetOtherwise: [String: Ends] = ["reads-incr": .codes(1, 4)]

  @Test(arguments: Misbehavior.ids(of: .source))
  func `the probe survives a source that does this wrong`(_ id: String) async throws {
    let expected = Self.ofSource[id] ?? .codes(0, 0)
    let ends = try await drag(
      id, source: ["--misbehave", id], probe: id == "drop-accepted" ? Self.picky : [], until: expected)
    #expect(ends == expected)
  }

  @Test(arguments: Misbehavior.ids(of: .target))
  func `xdnd-source survives a target that does this wrong`(_ id: String) async throws {
    let refuses = ["status-refusal", "unknown-types-refused"].contains(id)
    let expected = Self.ofTarget[id] ?? .codes(0, 0)
    let ends = try await drag(
      id, source: [], probe: ["--misbehave", id] + (refuses ? Self.picky : []), until: expected)
    #expect([expected, Self.ofTargetOtherwise[id]].contains(ends))
  }

  @Test(arguments: Tool.allCases)
  func `a fault that a tool does not know is a usage error that lists those that it knows`(_ tool: Tool) async throws {
    let other = tool == .source ? "finished-once" : "enter-first"
    let run = try await tool.run(["--misbehave", "slow,\(other)"] + (tool == .source ? ["--text", "x"] : []))
    #expect(run.status == .exited(64))
    let known = Misbehavior.ids(of: tool == .source ? .source : .target)
    #expect(run.errors.contains("unknown fault for --misbehave: \(other); expected \(known.joined(separator: ", "))"))
    #expect(run.errors.split(separator: "\n").count == 1)
  }

  /// Takes no text.
  private static let picky = ["--accept", "image/png"]

  /// A drag with the pointer, up to the end of both; the probe is ended if it has reason to go on.
  private func drag(_ id: String, source: [String], probe: [String], until expected: Ends) async throws -> Ends {
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server, source: ["--once"] + (try Self.content(for: id, on: server)) + source, probe: ["--once"] + probe)
      try await scene.carry()
      if id.hasPrefix("die-on-"), expected.probe == Ends.killed, expected.source == .exited(3) {
        // Who dies at once has no answer, and the drag goes on without it.
        _ = try await scene.target.exit()
      } else {
        // Those that say yes do so in time, also the slow one, and perhaps after a no: only the last word counts. The
        // others cost a second.
        let isRefused = expected.source == .exited(4) || expected.source == .exited(1) && expected.probe == nil
        _ = try? await within(.seconds(isRefused ? 1 : 20)) {
          try await scene.source.waitFor("proposal") { $0.string("operation") != nil }
        }
      }
      scene.pointer.release()
      let end = try await scene.source.exit(timeout: .seconds(40))
      if expected.probe == nil {
        try await scene.target.waitFor("left")
        scene.target.send(SIGTERM)
        #expect(try await scene.target.exit() == .exited(2))
        return Ends(source: end, probe: nil)
      }
      return Ends(source: end, probe: try await scene.target.exit(timeout: .seconds(40)))
    }
  }

  /// What the fault is about.
  private static func content(for id: String, on server: XServer) throws -> [String] {
    switch id {
    case "incr-form", "reads-incr", "property-deleted", "finished-after-data":
      ["--type", "a/b=@" + (try server.directory.write(Sample.noise(4 << 20), to: "large"))]
    case "uri-list-form": [try server.directory.write([1], to: "file")]
    default: ["--text", "Grüße"]
    }
  }
}
