import FuzzRuns
import TestSupport
import Testing

@testable import XDnD

/// Random inputs into the two machines of direct save.
@Suite(.computing, .exhaustive) struct DirectSaveFuzzTests {
  @Test(arguments: [31, 32] as [UInt64])
  func `a file that is saved for us ends once, and no way leads to a file that is not whole`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for run in 0..<10_000 {
      guard let complaint = DirectSaveFuzz.receiver(&random) else { continue }
      Issue.record("run \(run): \(complaint)")
      return
    }
  }

  @Test(arguments: [33, 34] as [UInt64])
  func `whoever asks for a file is answered once, and nothing is saved before the drop or twice at a time`(seed: UInt64)
  {
    var random = SplitMix64(seed: seed)
    for run in 0..<10_000 {
      guard let complaint = DirectSaveFuzz.provider(&random) else { continue }
      Issue.record("run \(run): \(complaint)")
      return
    }
  }
}
