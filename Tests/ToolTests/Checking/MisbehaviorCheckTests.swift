import XDnDConformance
import Glibc
import TestSupport
import Testing
import XDnD

/// What one tool does wrong on purpose, the other one finds.
@Suite("Checks of peers that misbehave", .requiresXvfb, .timeLimit(.minutes(15)))
struct MisbehaviorCheckTests {
  @Test(arguments: ConformanceRule.all(of: .target))
  func `a target that breaks a rule is found out`(_ rule: ConformanceRule) async throws {
    let id = rule.id
    try await XServer.with { server in
      let probe = try server.launchProbe(DragScene.targetGeometry, ["--accept", "text/plain", "--misbehave", id])
      let window = try #require(try await probe.waitFor("ready").integer("window"))
      let (status, verdicts) = try await server.check(window, ["--rule", id])
      #expect(verdicts.rules(rule.isAdvice ? "advice" : "broken").contains(id), "\(verdicts[id]?.description ?? "")")
      // Advice does not fail.
      #expect(status == .exited(rule.isAdvice ? 0 : 1))
    }
  }

  /// Grabs are none of what goes over the wire, so no tool can be made to hold one: GTK 4 and tkdnd do.
  static let committable = ConformanceRule.all(of: .source).filter { $0.id != "drop-after-ungrab" }

  @Test(arguments: committable)
  func `a source that breaks a rule is found out`(_ rule: ConformanceRule) async throws {
    let id = rule.id
    try await XServer.with { server in
      let content = try Self.content(for: id, on: server)
      let check = try await CheckScene.set(on: server) {
        try server.launchSource($0, content + ["--misbehave", id])
      }
      if id == "drop-accepted" {
        try await check.dropRefused()
        try await check.scene.source.waitFor("ended")
      }
      try await check.drop(whenAnswerIsDue: false)
      // Some never come to a drop that is taken, and are checked by what they have done until then.
      if (try? await check.scene.target.waitFor("checked", timeout: .seconds(15))) == nil {
        check.scene.target.send(SIGTERM)
        try await check.scene.target.waitFor("checked")
      }
      let verdicts = CheckScene.verdicts(of: check.scene.target)
      #expect(verdicts.rules(rule.isAdvice ? "advice" : "broken").contains(id), "\(verdicts[id]?.description ?? "")")
    }
  }

  /// What the fault is about.
  private static func content(for id: String, on server: XServer) throws -> [String] {
    switch id {
    case "incr-form": ["--type", "a/b=@" + (try server.directory.write(Sample.noise(4 << 20), to: "large"))]
    case "uri-list-form": [try server.directory.write([1], to: "file")]
    default: ["--text", "Grüße"]
    }
  }
}
