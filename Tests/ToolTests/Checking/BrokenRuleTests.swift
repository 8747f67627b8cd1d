import XDnDConformance
import Glibc
import TestSupport
import Testing
import XDnD

@Suite("Checks of peers that break a rule", .requiresXvfb, .timeLimit(.minutes(15)))
struct BrokenRuleTests {
  // MARK: Targets

  @Test func `a target that keeps the rules breaks none`() async throws {
    try await XServer.with { server in
      let window = try await FaultyTarget().start(on: server)
      let (status, verdicts) = try await server.check(Int(window.rawValue))
      #expect(verdicts.rules("broken") == [], "\(verdicts.values.map(\.description))")
      #expect(verdicts.rules("advice") == [], "\(verdicts.values.map(\.description))")
      #expect(status == .exited(0))
    }
  }

  @Test(arguments: ConformanceRule.all(of: .target))
  func `a target that breaks a rule is found out`(_ rule: ConformanceRule) async throws {
    let fault = try #require(TargetFault.named(rule.id), "no fault breaks it")
    try await XServer.with { server in
      let window = try await FaultyTarget(fault).start(on: server)
      let (status, verdicts) = try await server.check(Int(window.rawValue), ["--rule", rule.id])
      #expect(
        verdicts.rules(rule.isAdvice ? "advice" : "broken") == [rule.id], "\(verdicts[rule.id]?.description ?? "")")
      // Advice does not fail.
      #expect(status == .exited(rule.isAdvice ? 0 : 1))
    }
  }

  // MARK: Sources

  @Test func `a source that keeps the rules breaks none`() async throws {
    let verdicts = try await check(FaultySource())
    #expect(verdicts.rules("broken") == [], "\(verdicts.values.map(\.description))")
    #expect(verdicts.rules("advice") == [], "\(verdicts.values.map(\.description))")
  }

  /// A grab is not part of the traffic. `ToolkitSourceCheckTests` and recordings have programs that drop during one.
  static let rulesOfTraffic = ConformanceRule.all(of: .source).filter { $0.id != "drop-after-ungrab" }

  @Test(arguments: rulesOfTraffic)
  func `a source that breaks a rule is found out`(_ rule: ConformanceRule) async throws {
    let fault = try #require(SourceFault.named(rule.id), "no fault breaks it")
    let verdicts = try await check(FaultySource(fault))
    let found = verdicts.rules(rule.isAdvice ? "advice" : "broken")
    #expect(found.contains(rule.id), "\(verdicts[rule.id]?.description ?? "")")
  }

  /// Checks a source until its drop, or until it has left.
  private func check(_ source: FaultySource) async throws -> [String: JSONLine] {
    try await XServer.with { server in
      let check = try server.launch(
        BuiltProducts.executable("xdnd-probe"),
        ["check", "--format", "json", "--geometry", DragScene.targetGeometry, "--timeout", "90"])
      let window = try #require(try await check.waitFor("ready").integer("window"))
      let outcome = try await source.drop(on: window, of: server)
      // The check waits for a drop that it accepts.
      if !outcome.isAccepted { check.send(SIGTERM) }
      try await check.waitFor("checked", timeout: .seconds(60))
      return CheckScene.verdicts(of: check)
    }
  }
}
