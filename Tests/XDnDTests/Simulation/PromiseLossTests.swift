import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// A promised file, saved by one program for the other; in each run something else breaks at another step.
@Suite("Something breaks at every step of a direct save", .computing, .exhaustive)
struct PromiseLossTests {
  @Test(arguments: PromisePair.Manner.allCases)
  func `without a fault it ends as its manner says`(manner: PromisePair.Manner) {
    let run = PromisePair(manner)
    run.script()
    run.pair.run(.seconds(100))
    run.pair.drive()
    run.expectClean()
    run.expectTrue()
    let expected: (DirectSaveReceiver.Result, DragOutcome) =
      switch manner {
      case .atOnce, .slowly, .veryLong: (.saved, .dropped(.copy))
      // It was answered after three seconds, when nobody could know better. The drop ends with that answer, as the file
      // may be waiting for its end; what becomes of the file then nobody can tell the other.
      case .failsLate: (.failed(.nothingSaved), .dropped(.copy))
      case .cannotWrite: (.fetched, .dropped(.copy))
      case .hasNoContent, .failsAtLast: (.failed(.notSaved), .transferFailed)
      }
    #expect(Array(run.results.values) == [expected.0])
    #expect(run.pair.source.lastOutcome == expected.1)
  }

  @Test(arguments: LossTests.Fault.allCases, PromisePair.Manner.allCases)
  func `a fault at any step of a direct save leaves nothing behind`(fault: LossTests.Fault, manner: PromisePair.Manner)
  {
    strikeEachStep("\(fault), \(manner)", manner) { run in
      LossTests.inject(fault, run.pair)
    } after: { run in
      if fault == .sourceLosesServer { LossTests.expectEnd(of: run.pair.source, run.pair) }
      if fault == .targetLosesServer { LossTests.expectEnd(of: run.pair.target, run.pair) }
    }
  }

  @Test(arguments: PromisePair.Manner.allCases)
  func `a direct save ends soon when its directory is removed`(manner: PromisePair.Manner) {
    strikeEachStep("directory lost, \(manner)", manner) { $0.loseDirectory() }
  }

  private func strikeEachStep(
    _ label: String, _ manner: PromisePair.Manner, strike: (PromisePair) -> Void,
    after: (PromisePair) -> Void = { _ in }
  ) {
    // A save that takes long is a hundred looks at the same.
    let isLong = manner == .veryLong || manner == .failsLate
    for step in stride(from: 0, to: 600, by: isLong ? 11 : 1) {
      let run = PromisePair(manner)
      let pair = run.pair
      pair.label = "\(label) at step \(step)"
      run.script()
      for _ in 0..<step { _ = pair.step() }
      let isOver = pair.source.reactor.drags.isEmpty && !pair.source.outcomes.isEmpty && run.results.count == 1
      strike(run)
      pair.run(.seconds(100))
      pair.letGo(for: .seconds(100))
      for side in pair.sides where side.client.isFrozen { pair.server.kill(side.client) }
      pair.drive()
      after(run)
      run.expectClean()
      run.expectTrue()
      if isOver { return }
    }
    Issue.record("the drag never ended")
  }
}
