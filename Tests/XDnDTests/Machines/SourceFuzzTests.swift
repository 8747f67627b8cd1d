import FuzzRuns
import TestSupport
import Testing

@testable import XDnD

@Suite(.computing, .exhaustive) struct SourceFuzzTests {
  @Test(arguments: [1, 2] as [UInt64])
  func `whatever comes, a drag keeps the order of the protocol and ends once`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var ends: [DragOutcome: Int] = [:]
    for _ in 0..<4000 {
      let run = SourceFuzz(&random)
      for outcome in run.outcomes { ends[outcome, default: 0] += 1 }
      guard run.complaint == nil else {
        Issue.record("\(run.complaint ?? "") after \(run.inputs)")
        return
      }
    }
    #expect(ends[.dropped(.copy), default: 0] > 20)
    #expect(ends[.dropped(.move), default: 0] > 20)
    #expect(ends[.refused, default: 0] > 20)
    #expect(ends[.timedOut, default: 0] > 20)
  }
}
