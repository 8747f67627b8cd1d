import FuzzRuns
import Testing

@testable import XDnD

/// A drag that becomes another one while it is under way.
@Suite struct SourceChangeTests {
  private static let more = SourceMachine.Input.offerChanged(
    types: ["text/plain", "text/html"].map(AtomName.init(rawValue:)), operations: [.copy])

  private func enter(_ run: SourceRun, types: [String]) -> SourceRun.Effect {
    run.sends(
      .enter(
        .init(
          source: SourceRun.window, statedVersion: 5, hasTypeList: false,
          inlineTypes: types.map(AtomName.init(rawValue:)))))
  }

  @Test func `over nothing only the lists are written anew`() {
    var run = SourceRun.makeDragging()
    #expect(run(Self.more) == [.publishOffer])
    _ = run.move(10)
    #expect(run.locate(run.peer).contains(enter(run, types: ["text/plain", "text/html"])))
  }

  @Test func `a target under the pointer is left and entered anew, with the new lists`() {
    var run = SourceRun.makeHovering()
    #expect(
      run(Self.more) == [
        run.sends(run.leave), .unwatch(run.peer.window), .publishOffer, .watch(run.peer.window),
        enter(run, types: ["text/plain", "text/html"]), .targetChanged(run.peer.window), .showPlainCursor,
        .proposed(nil), run.sends(run.position(10)),
      ])
    #expect(run(run.peer.accept(.copy)) == [.showCursor(for: .copy), .proposed(.copy)])
  }

  @Test func `the answer to the old offer is not taken for one to the new`() {
    var run = SourceRun.makeAwaitingStatus()
    _ = run(Self.more)
    #expect(run(run.peer.accept(.copy)) == [])
    #expect(run(run.peer.refuse()) == [.proposed(nil), .showCursor(for: nil)])
  }

  @Test func `before the grab it is as if it had always been so`() {
    var run = SourceRun()
    _ = run(.begin)
    #expect(run(Self.more) == [])
    #expect(run.machine.offer.types.count == 2)
    #expect(run.machine.takesChanges)
    #expect(run(.claimed(true)).contains(.publishOffer))
    // The lists have been written by now.
    #expect(run(Self.more) == [.publishOffer])
  }

  @Test func `after the release nothing changes any more`() {
    var run = SourceRun.makeAwaitingStatus()
    _ = run.release(10)
    #expect(!run.machine.takesChanges)
    #expect(run(Self.more) == [])
    #expect(run.machine.offer.types.count == 1)
  }
}
