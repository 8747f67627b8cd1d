import FuzzRuns
import TestSupport
import Testing

@testable import XDnD

/// Random inputs into the machines of selection transfers.
@Suite(.computing, .exhaustive) struct TransferFuzzTests {
  /// Records what goes wrong in one of many runs.
  private func expectNoComplaint(
    seed: UInt64, runs: Int, _ run: (inout SplitMix64) -> String?, _ location: SourceLocation = #_sourceLocation
  ) {
    var random = SplitMix64(seed: seed)
    for number in 0..<runs {
      guard let complaint = run(&random) else { continue }
      Issue.record("run \(number): \(complaint)", sourceLocation: location)
      return
    }
  }

  @Test func `an outgoing transfer answers once, ends once, and writes only where the last part was taken`() {
    expectNoComplaint(seed: 21, runs: 20_000) { TransferFuzz.outgoing(&$0) }
  }

  @Test func `an incoming transfer asks once, ends once, takes no more than its limit, and reads nothing while paused`()
  {
    expectNoComplaint(seed: 22, runs: 10_000) { TransferFuzz.incoming(&$0) }
  }

  @Test func `a server answers each request once, and lets go of all requestors`() {
    expectNoComplaint(seed: 23, runs: 3000) { TransferFuzz.server(&$0) }
  }
}
