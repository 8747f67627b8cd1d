import FuzzRuns
import TestSupport
import Testing

@testable import XDnD

/// Random inputs into a target machine, and a bookkeeper who knows what everybody is owed.
@Suite(.computing, .exhaustive) struct TargetFuzzTests {
  @Test(arguments: [1, 2] as [UInt64])
  func `whatever comes, each Drop is finished once and everything is given back`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for run in 0..<4000 {
      let run = TargetFuzz(&random, isUnregistered: run.isMultiple(of: 2))
      guard run.complaints.isEmpty else {
        Issue.record("\(run.complaints) after \(run.inputs)")
        return
      }
    }
  }
}
