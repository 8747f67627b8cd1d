import XDnDConformance
import Testing
package import XDnD

/// A source and `xdnd-probe check`, and the hand that drags from one to the other.
package struct CheckScene {
  package let scene: DragScene
  /// The last quarter of the window, where drops are refused.
  package var refusing: Point { Point(x: scene.end.x + 125, y: scene.end.y) }

  package static func set(
    on server: XServer, _ arguments: [String] = ["--format", "json"],
    source: (_ geometry: String) throws -> ChildProcess
  ) async throws -> CheckScene {
    CheckScene(
      scene: try await DragScene.set(
        on: server, source: source,
        target: {
          try server.launch(
            BuiltProducts.executable("xdnd-probe"), ["check", "--geometry", $0, "--timeout", "60"] + arguments)
        }))
  }

  /// Lets go where it is refused.
  package func dropRefused(_ began: String = "drag-began") async throws {
    try await begin(at: scene.end, began)
    try await scene.pointer.glide(to: refusing, pace: .milliseconds(15))
    // A source that is wrong about the place is not refused.
    _ = try? await scene.target.waitFor("answered", timeout: .seconds(5)) { $0.boolean("accepted") == false }
    try await rest()
    scene.pointer.release()
  }

  /// Moves to and fro within what is asked to be silent, and out of it, and drops while an answer is due.
  package func drop(_ began: String = "drag-began") async throws {
    let end = scene.end
    try await begin(at: Point(x: end.x - 60, y: end.y), began)
    for x in [-54, -60, -54, -60, 0, 3, 6, 9, 6, 3, 0] {
      try await scene.pointer.glide(to: Point(x: end.x + x, y: end.y), steps: 2, pace: .milliseconds(15))
    }
    try await rest()
    let isHeld = try await awaitHeldAnswer()
    try #require(isHeld, "the check has held back no answer")
    scene.pointer.release()
  }

  /// Leaves the silent square until the check holds back an answer, which it does not in the beginning.
  ///
  /// The hand trembles where it arrives: GTK 4 forgets a motion that comes while an answer is due.
  private func awaitHeldAnswer() async throws -> Bool {
    let held = scene.target.printed("holding").count
    let end = ContinuousClock.now + .seconds(30)
    while true {
      for x in [48, 0] {
        for tremor in [0, 1, 0, 1, 0] {
          scene.pointer.move(to: Point(x: scene.end.x + x + tremor, y: scene.end.y))
          let next = ContinuousClock.now + .milliseconds(150)
          while ContinuousClock.now < next {
            if scene.target.printed("holding").count > held { return true }
            if ContinuousClock.now > end || !scene.target.isRunning { return false }
            try await Task.sleep(for: .milliseconds(10))
          }
        }
      }
    }
  }

  /// Presses and goes there, once more if that was no drag: a press while GTK 4 lets the last image fly back is lost.
  ///
  /// On a busy machine it may have been a drag that is late, so the button goes up where nothing takes drops, and only after
  /// a while: GTK drops on the window that it was over when it last looked.
  private func begin(at place: Point, _ began: String) async throws {
    for patience in [8, 20] {
      try await scene.pointer.drag(along: [scene.start, place], pace: .milliseconds(15))
      if (try? await scene.source.waitFor(began, timeout: .seconds(patience))) != nil { return }
      try await scene.pointer.glide(to: DragScene.nowhere)
      try await Task.sleep(for: .seconds(2))
      scene.pointer.release()
    }
    throw scene.source.failure("has not begun a drag")
  }

  /// Longer than the slowest answer of the window; nothing says when a source has heard the last one.
  private func rest() async throws { try await Task.sleep(for: .milliseconds(400)) }

  /// What came out, by rule.
  package func verdicts() async throws -> [String: JSONLine] {
    try await scene.target.waitFor("checked", timeout: .seconds(60))
    return Self.verdicts(of: scene.target)
  }

  package static func verdicts(of process: ChildProcess) -> [String: JSONLine] {
    Dictionary(process.printed("verdict").map { ($0.string("rule") ?? "", $0) }) { first, _ in first }
  }
}

extension [String: JSONLine] {
  /// The names of the rules that came out so.
  package func rules(_ result: String) -> Set<String> {
    Set(filter { $0.value.string("result") == result }.keys)
  }

  /// Expects that these rules are broken and no others, and that the evidence for each has these words.
  package func expectBroken(_ broken: [String: String]) {
    let advice = Set(ConformanceRule.all.filter(\.isAdvice).map(\.id))
    let known = Set(broken.keys)
    #expect(rules("broken") == known.subtracting(advice), "\(values.map(\.description))")
    #expect(rules("advice") == known.intersection(advice), "\(values.map(\.description))")
    for (rule, words) in broken {
      let evidence = self[rule]?.string("evidence") ?? ""
      #expect(evidence.contains(words), "\(rule): \(evidence)")
    }
  }
}

extension XServer {
  /// Runs `xdnd-probe check --target` to its end.
  package func check(
    _ window: Int, _ arguments: [String] = []
  ) async throws -> (status: ExitStatus, verdicts: [String: JSONLine]) {
    let process = try launch(
      BuiltProducts.executable("xdnd-probe"),
      ["check", "--format", "json", "--timeout", "60", "--target", String(window)] + arguments)
    let status = try await process.exit(timeout: .seconds(90))
    return (status, CheckScene.verdicts(of: process))
  }
}
