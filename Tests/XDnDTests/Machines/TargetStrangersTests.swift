import FuzzRuns
import Testing

@testable import XDnD

/// Sources that come without a word, go without one, or talk out of turn.
@Suite struct TargetStrangersTests {
  @Test(arguments: [0, 1, 2] as [UInt32])
  func `a version that cannot be mixed with ours is not let in`(version: UInt32) {
    var run = TargetRun()
    #expect(
      run(run.source.enter(version: version)) == [.ignored(.unsupportedVersion(version, source: run.source.window))])
    #expect(run.machine.nextDeadline == nil)
  }

  @Test func `a version above ours is let in, because GTK sources copy the target's number`() {
    var run = TargetRun()
    _ = run(run.source.enter(version: 9))
    #expect(run.offered().first == run.entered(["text/plain"]))
  }

  @Test func `Position without Enter is refused, so that its source is not stuck`() {
    var run = TargetRun()
    #expect(
      run(run.source.position()) == [
        .ignored(.notEntered(.position, source: run.source.window)), run.status(nil),
      ])
  }

  @Test func `Leave without Enter is nothing`() {
    var run = TargetRun()
    #expect(run(run.source.leave()) == [.ignored(.notEntered(.leave, source: run.source.window))])
  }

  @Test func `Position and Leave of a foreign source do not disturb the one that is over the window`() {
    for stage in TargetRun.Stage.allCases where stage.hasVisit {
      var run = TargetRun.make(stage)
      let before = run.machine
      #expect(run(run.rival.position()) == [.ignored(.foreignSource(.position, source: run.rival.window))])
      #expect(run(run.rival.leave()) == [.ignored(.foreignSource(.leave, source: run.rival.window))])
      #expect(run.machine == before, "\(stage)")
    }
  }

  @Test func `Status and Finished are for sources, not for us`() {
    var run = TargetRun.make(.accepted)
    let peer = TargetPeer(0x200)
    #expect(run(peer.accept(.copy)) == [.ignored(.misdirected(.status))])
    #expect(run(peer.finished(.copy)) == [.ignored(.misdirected(.finished))])
  }

  @Test func `a second Enter replaces the first, and nothing of it is left`() {
    for enterer in [SourcePeer(0x200), SourcePeer(0x300)] {
      var run = TargetRun.make(.accepted)
      let old = run.session
      #expect(
        run(enterer.enter(types: ["image/png"])) == [
          .ignored(.enteredTwice(source: enterer.window)), .unwatch(run.source.window), .exited(old, .replaced),
          .watch(enterer.window), .readOffer(of: enterer.window, typeList: false),
        ])
      #expect(run.session > old)
      _ = run.offered(operations: nil)
      #expect(run.machine.state.hover.visit?.content == OfferedContent(types: [.png]))
      #expect(run(enterer.drop()).contains(run.failed(to: enterer)))
    }
  }

  @Test func `Leave forgets everything: the next drag starts as the first one did`() {
    for stage in TargetRun.Stage.allCases where stage.hasVisit {
      var run = TargetRun.make(stage)
      _ = run(run.source.leave())
      #expect(run.machine.state.hover == .outside, "\(stage)")
      #expect(run.machine.nextDeadline == nil, "\(stage)")
      #expect(run(run.source.position()).contains(run.status(nil)), "\(stage)")
    }
  }

  // MARK: Sources that vanish

  @Test func `a source that dies is forgotten in every state, and is sent nothing`() {
    for stage in TargetRun.Stage.allCases where stage != .outside {
      var run = TargetRun.make(stage)
      let effects = run(.windowVanished(run.source.window))
      #expect(effects.contains(.unwatch(run.source.window)), "\(stage)")
      #expect(effects.finishedCount(to: run.source) + effects.statusCount(to: run.source) == 0, "\(stage)")
      #expect(run.machine.nextDeadline == nil, "\(stage)")
      #expect(run(.windowVanished(run.source.window)) == [], "\(stage)")
    }
  }

  @Test func `the application hears of the death, and of the visit, too, if it had not heard of that`() {
    var reading = TargetRun.make(.reading)
    let effects = reading(.windowVanished(reading.source.window))
    guard case .entered(reading.session, reading.source.window, _, _)? = effects.first else {
      Issue.record("\(effects) does not begin with the visit")
      return
    }
    #expect(
      effects.dropFirst() == [.unwatch(reading.source.window), .exited(reading.session, .sourceVanished)])
    var hovering = TargetRun.make(.hovering)
    #expect(
      hovering(.windowVanished(hovering.source.window)) == [
        .unwatch(hovering.source.window), .exited(hovering.session, .sourceVanished),
      ])
    var performing = TargetRun.make(.performing)
    #expect(
      performing(.windowVanished(performing.source.window)) == [
        .unwatch(performing.source.window), .ended(performing.session, .sourceVanished),
      ])
  }

  @Test func `another window's death is nothing`() {
    for stage in TargetRun.Stage.allCases {
      var run = TargetRun.make(stage)
      let before = run.machine
      #expect(run(.windowVanished(run.rival.window)) == [], "\(stage)")
      #expect(run.machine == before, "\(stage)")
    }
  }

  @Test func `a silent source is looked for whenever its silence has doubled, and stays while it is alive`() {
    var run = TargetRun.make(.accepted)
    run.wait(.milliseconds(4999))
    #expect(run(.deadlineReached) == [])
    run.wait(.milliseconds(1))
    #expect(run(.deadlineReached) == [.checkSource(run.source.window)])
    #expect(run(.sourceChecked(isAlive: true)) == [])
    for seconds in [5, 10, 20, 40] {
      #expect(run.machine.nextDeadline == run.now + .seconds(seconds))
      #expect(run.reachDeadline() == [.checkSource(run.source.window)])
      #expect(run(.sourceChecked(isAlive: true)) == [])
    }
    _ = run(run.source.position())
    #expect(run.machine.nextDeadline == run.now + .seconds(5))
    #expect(run.reachDeadline() == [.checkSource(run.source.window)])
    #expect(run(.sourceChecked(isAlive: false)) == run.exits(.sourceVanished))
  }

  @Test func `a source that moves is not silent`() {
    var run = TargetRun.make(.accepted)
    run.wait(.seconds(4))
    _ = run(run.source.position())
    #expect(run.machine.nextDeadline == run.now + .seconds(5))
  }

  @Test func `a selection that nobody owns ends a hover, and no drop`() {
    for stage in TargetRun.Stage.allCases {
      var run = TargetRun.make(stage)
      let effects = run(.selectionReleased)
      let ends = stage.hasVisit && !stage.owesFinished
      #expect(effects.contains(.unwatch(run.source.window)) == ends, "\(stage)")
      #expect(run.machine.nextDeadline != nil || ends || stage == .outside, "\(stage)")
    }
  }
}
