import FuzzRuns
import Testing

@testable import XDnD

@Suite("A drag whose target has been told of files that are not there yet")
struct SourcePreparationTests {
  /// The button went up over the target, and the files are being written.
  private func makePreparing() -> SourceRun {
    var run = SourceRun.makeHovering()
    _ = run(.preparationNeeded)
    _ = run.release(10)
    #expect(run.locate(run.peer) == [.prepare])
    return run
  }

  @Test func `The drop waits until they are there`() {
    var run = makePreparing()
    #expect(run(.prepared(true)).contains(.dropSent(.copy)))
  }

  @Test func `Without them there is no drop`() {
    var run = makePreparing()
    let effects = run(.prepared(false))
    #expect(effects.contains(run.sends(run.leave)))
    #expect(effects.outcomes == [.transferFailed])
  }

  @Test func `A target that changes its mind meanwhile is not dropped on`() {
    var run = makePreparing()
    #expect(run(run.peer.refuse()).outcomes == [.refused])
  }

  @Test func `A target that dies meanwhile ends the drag`() {
    var run = makePreparing()
    #expect(run(.windowVanished(run.peer.window)).outcomes == [.targetVanished])
    #expect(run(.prepared(true)) == [])
  }

  @Test func `It may take long as long as it goes on`() {
    var run = makePreparing()
    for _ in 0..<10 {
      run.wait(.seconds(50))
      #expect(run(.transferProgressed) == [])
      #expect(run(.deadlineReached) == [])
    }
    #expect(run.reachDeadline().outcomes == [.transferFailed])
  }

  @Test func `Another target has been told of nothing`() {
    var run = SourceRun.makeHovering()
    _ = run(.preparationNeeded)
    _ = run.move(50)
    _ = run.locate(run.other)
    _ = run(run.other.accept(.copy))
    _ = run.release(50)
    #expect(run.locate(run.other).contains(.dropSent(.copy)))
  }

  @Test func `What is asked for over nothing needs no preparation`() {
    var run = SourceRun.makeDragging()
    #expect(run(.preparationNeeded) == [])
    #expect(run(.prepared(true)) == [])
    #expect(run.machine == SourceRun.makeDragging().machine)
  }
}

@Suite("A drop whose content was saved directly")
struct SourceDirectSaveTests {
  @Test func `Saved and refused is done: Caja and Nemo say so`() {
    var run = SourceRun.makeDropped()
    #expect(run(.savedDirectly) == [])
    #expect(run(run.peer.failed()).outcomes == [.dropped(.copy)])
  }

  @Test func `Accepted and not saved is a failure: Thunar and pcmanfm say so`() {
    var run = SourceRun.makeDropped()
    #expect(run(.directSaveFailed) == [])
    #expect(run(run.peer.finished(.copy)).outcomes == [.transferFailed])
  }

  @Test func `Not saved and fetched instead is done`() {
    var run = SourceRun.makeDropped()
    _ = run(.directSaveFailed)
    _ = run(.contentDelivered)
    #expect(run(run.peer.finished(.copy)).outcomes == [.dropped(.copy)])
  }

  @Test func `A target that dies, or says no more, after the save changes nothing`() {
    var run = SourceRun.makeDropped()
    _ = run(.savedDirectly)
    var silent = run
    #expect(run(.windowVanished(run.peer.window)).outcomes == [.dropped(.copy)])
    #expect(silent.reachDeadline().outcomes == [.dropped(.copy)])
  }

  @Test func `A save that fails after all is a failure`() {
    var run = SourceRun.makeDropped()
    _ = run(.savedDirectly)
    #expect(run(.directSaveFailed).outcomes == [.transferFailed])
  }

  @Test func `A refused move that was saved takes nothing from the source`() {
    var run = SourceRun.makeDropped(.move)
    _ = run(.savedDirectly)
    #expect(run(run.peer.failed()).outcomes == [.dropped(.copy)])
  }
}
