import XDnDConformance
import Foundation
import TestSupport
import Testing
import XDnD

/// What was recorded of real programs, and what is said of it. The files are those of `xdnd-probe check --save`, with long
/// text cut off, on Debian 12 with openbox.
@Suite("Checks of recordings of real programs")
struct RecordedPeerTests {
  struct Peer: Sendable, CustomTestStringConvertible {
    var file: String
    /// The rules, with words of the evidence.
    var broken: [String: String]
    var advice: [String: String]
    var testDescription: String { file }
  }

  static let peers = [
    Peer(
      file: "java-source",
      broken: [
        "position-waits": "has no Status yet", "drop-after-status": "comes before the Status",
        "timestamp": "TIMESTAMP is refused",
      ], advice: ["quiet-rectangle": "is within the rectangle"]),
    Peer(
      file: "java-target",
      broken: [
        "finished-result": "has 0 in word 1, and names XdndActionCopy", "finished-action": "of a drop that failed",
      ], advice: ["incr-end-deleted": "which is taken whole, and it is not deleted"]),
    Peer(
      file: "tk-source",
      broken: [
        "position-time": "has time 0", "action-list": "has copy, move, of which none is an action",
        "drop-after-status": "comes before the Status", "drop-time": "has time 0",
        "data-type": "is UTF8_STRING of format 8", "timestamp": "TIMESTAMP is 0", "text-form": "is not UTF-8",
      ],
      advice: ["quiet-rectangle": "is within the rectangle", "drop-after-ungrab": "while the pointer is still grabbed"]),
    Peer(
      file: "gtk4-source",
      broken: [
        "drop-after-status": "comes before the Status", "drop-time": "has time",
        "timestamp": "and the selection was taken at",
      ],
      advice: ["quiet-rectangle": "is within the rectangle", "drop-after-ungrab": "while the pointer is still grabbed"]),
    Peer(
      file: "qt6-source",
      broken: [
        "answer-fields": "with target None", "targets": "is refused", "timestamp": "is refused",
        "multiple": "is refused", "unused-words-zero": "XdndDrop has 0x3 in word 4",
      ], advice: ["hidden-requestor-served": "with time 0, is refused by"]),
    Peer(
      file: "qt6-target", broken: ["refusal-ends-drop": "XdndFinished reports success"],
      advice: ["silence-ends-drop": "XdndFinished reports success", "session-forgotten": "accepts what has left"]),
    Peer(
      file: "gtk4-target",
      broken: ["conversion-time": "with time 0", "conversion-advertised": "COMPOUND_TEXT is not offered"],
      advice: ["silence-ends-drop": "there is no XdndFinished for 12000 ms"]),
  ]

  private static func recording(_ name: String) throws -> Recording {
    let file = BuiltProducts.package.appendingPathComponent("Tests/Recordings/\(name).jsonl")
    return try Recording(text: Data(contentsOf: file))
  }

  @Test(arguments: peers)
  func `what a program does wrong is found in its recording, and nothing else is`(_ peer: Peer) throws {
    let recording = try Self.recording(peer.file)
    let results = ConformanceChecker(role: recording.role, entries: recording.entries, frame: recording.target?.frame)
      .results()
    for (outcome, expected) in [(RuleResult.Outcome.broken, peer.broken), (.advice, peer.advice)] {
      let found = results.filter { $0.outcome == outcome }
      #expect(Set(found.map(\.rule.id)) == Set(expected.keys), "\(found)")
      for result in found {
        #expect(result.evidence.contains(expected[result.rule.id] ?? ""), "\(result)")
      }
    }
  }

  @Test func `a recording by the tool says which requests it has made by itself`() throws {
    let source = try Self.recording("java-source")
    let requests = source.entries.filter { if case .conversion(_) = $0.event.action { true } else { false } }
    #expect(!requests.isEmpty && requests.allSatisfy(\.isRecordersOwn))
    #expect(try Self.recording("java-target").entries.allSatisfy { !$0.isRecordersOwn })
  }
}
