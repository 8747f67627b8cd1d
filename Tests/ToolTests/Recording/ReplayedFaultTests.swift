import XDnDConformance
import TestSupport
import Testing
import XDnD

/// A recording of a program with a defect is a program with that defect.
@Suite("Replaying what programs do wrong", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ReplayedFaultTests {
  /// The messages that a source has sent, without what has to differ: windows, times, places and numbers of atoms.
  private static func messages(in recording: Recording) -> [String] {
    recording.entries.compactMap { entry in
      guard case .message(let message) = entry.event.action, entry.event.direction == .received else { return nil }
      let type = message.type.rawValue
      let isFree = type == "XdndDrop" ? [1, 3, 4] : type == "XdndLeave" ? [1, 2, 3, 4] : [1]
      return ([type] + isFree.map { String(message.words[$0], radix: 16) }).joined(separator: " ")
        + message.names.sorted { $0.key < $1.key }.map { " \($0.value)" }.joined()
    }
  }

  /// Records a drop of a scripted source. One that neither drops nor leaves is recorded until the time is over.
  private static func record(_ source: FaultySource, as name: String, in scene: RecordingScene) async throws {
    let recorder = try scene.probe("record", "--timeout", "15", "--once", "-o", scene.path(name))
    let window = try await scene.open(recorder)
    try await source.drop(on: try #require(Int(window)), of: scene.server)
    _ = try await recorder.exit()
  }

  @Test(arguments: ["unused-words-zero", "version-3", "type-list-bit", "leave-or-drop"])
  func `a source that breaks a rule breaks it again`(_ rule: String) async throws {
    let fault = try #require(SourceFault.named(rule))
    try await XServer.with { server in
      let scene = RecordingScene(server: server)
      try await Self.record(FaultySource(fault), as: "first", in: scene)
      let recording = try scene.recording("first")
      try await Self.record(FaultySource(), as: "faultless", in: scene)
      #expect(
        try Self.messages(in: scene.recording("faultless")) != Self.messages(in: recording), "nothing was done wrong")

      let second = try scene.probe("record", "--timeout", "15", "--once", "-o", scene.path("second"))
      let replay = try scene.probe("replay", scene.path("first"), "--to", try await scene.open(second))
      _ = try await replay.exit()
      _ = try await second.exit()
      #expect(try Self.messages(in: scene.recording("second")) == Self.messages(in: recording))
    }
  }
}
