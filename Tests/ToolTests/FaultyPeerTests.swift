import TestSupport
import Testing
import XDnD

/// A tool survives a peer that is wrong, and its exit code says how the drag has ended.
@Suite("The tools and faulty peers", .requiresXvfb, .timeLimit(.minutes(10)))
struct FaultyPeerTests {
  // MARK: xdnd-probe

  /// The exit codes of `xdnd-probe` that are not 0.
  private static let probeCodes: [String: Int32] = [
    "selection-owned": 1, "selection-kept": 2, "drop-accepted": 1, "advertised-delivered": 1,
    // A transfer has ten seconds.
    "conversion-answered": 4,
    // The announced size is a lower bound (ICCCM §2.7.2): to the target, the rest was cut off.
    "incr-form": 6,
    "die-on-enter": 5, "die-on-position": 5, "die-on-drop": 5, "die-on-convert": 5,
  ]

  @Test(arguments: SourceFault.all)
  func `xdnd-probe survives a source with a fault`(_ fault: SourceFault) async throws {
    try await XServer.with { server in
      let refusesText = fault.id == "drop-accepted"
      let (probe, window) = try await server.launchTarget(["--once"] + (refusesText ? ["--accept", "image/png"] : []))
      try await FaultySource(fault).drop(on: window, of: server)
      #expect(try await probe.exit(timeout: .seconds(40)) == .exited(Self.probeCodes[fault.id] ?? 0))
    }
  }

  @Test func `xdnd-probe takes the drop of a source without faults`() async throws {
    try await XServer.with { server in
      let (probe, window) = try await server.launchTarget(["--once"])
      try await FaultySource().drop(on: window, of: server)
      #expect(try await probe.exit() == .exited(0))
      #expect(probe.printed("data").first?.string("text") == "Hello")
    }
  }

  // MARK: xdnd-source

  /// The exit codes of `xdnd-source` that are not 0. After `finished-after-data` it serves the target to the end.
  private static let sourceCodes: [String: Int32] = [
    "status-answers": 4, "status-window": 4, "status-refusal": 1,
    // The status accepts, and XdndFinished reports failure.
    "unknown-types-refused": 1,
    // It ignores an XdndFinished that is not from the target, which is then gone.
    "finished-window": 5,
    "reads-incr": 6,
    // The button is released where no target is left.
    "die-on-enter": 3, "die-on-position": 3,
    "die-on-drop": 5, "die-on-convert": 5,
  ]

  /// The faults of targets that never accept.
  private static let refusals: Set<String> = ["status-answers", "status-window", "status-refusal"]

  /// The faults in the reading of parts.
  private static let partialFaults: Set<String> = ["finished-after-data", "reads-incr", "incr-end-deleted"]

  @Test(arguments: TargetFault.all)
  func `xdnd-source survives a target with a fault`(_ fault: TargetFault) async throws {
    try await XServer.with { server in
      var (content, target) = (["--text", "Grüße"], FaultyTarget(fault))
      target.takesOneDrop = true
      if ["status-refusal", "unknown-types-refused"].contains(fault.id) { target.acceptedTypes = [] }
      if Self.partialFaults.contains(fault.id) {
        content = ["--type", "a/b=@" + (try server.directory.write(Sample.noise(4 << 20), to: "large"))]
        target.acceptedTypes = ["a/b"]
      }
      let window = Int(try await target.start(on: server).rawValue)
      let source = try server.launchSource(DragScene.sourceGeometry, ["--once"] + content)
      let (start, pointer) = (try await DragScene.readyPoint(of: source), try Pointer(server))
      try await pointer.drag(along: [start, DragScene.target])
      if ["die-on-enter", "die-on-position"].contains(fault.id) {
        try await source.waitFor("target") { $0.integer("window") == window }
        try await source.waitFor("target") { $0.integer("window") == nil }
      } else {
        // Only the last answer counts, and a slow target takes its time. A target that never accepts costs a second.
        let patience = Duration.seconds(Self.refusals.contains(fault.id) ? 1 : 20)
        _ = try? await within(patience) {
          try await source.waitFor("proposal") { $0.string("operation") != nil }
        }
      }
      pointer.release()
      #expect(try await source.exit(timeout: .seconds(40)) == .exited(Self.sourceCodes[fault.id] ?? 0))
    }
  }
}
