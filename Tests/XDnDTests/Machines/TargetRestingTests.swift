import FuzzRuns
import Testing

@testable import XDnD

/// What a target says unasked, the wheel, and users who think.
@Suite struct TargetRestingTests {
  @Test func `an answer that has changed under a resting pointer is sent, and the drop goes by it`() {
    var run = TargetRun.make(.accepted)
    let session = run.session
    #expect(run(.reconsidered(session, .accept(.copy))) == [run.status(.copy)])
    #expect(run(.reconsidered(session, .accept(.copy))) == [])
    #expect(run(.reconsidered(session, .forbidden)) == [run.status(nil)])
    #expect(run(.reconsidered(session, .accept(.move))) == [run.status(.move)])
    #expect(run(.reconsidered(session, .accept(.link))) == [run.status(nil)])
    #expect(run(.reconsidered(session, .accept(.copy))) == [run.status(.copy)])
    #expect(run(run.source.drop()).contains(run.dropped(.copy)))
  }

  @Test func `a new quiet region is news too`() {
    var run = TargetRun.make(.accepted)
    let region = Rect(x: 1, y: 2, width: 3, height: 4)
    #expect(run(.reconsidered(run.session, .accept(.move, quietIn: region))).count == 1)
    #expect(run(.reconsidered(run.session, .accept(.move, quietIn: region))) == [])
  }

  @Test(arguments: TargetRun.Stage.allCases)
  func `it is said to nobody who waits for another answer, or for none`(_ stage: TargetRun.Stage) {
    var run = TargetRun.make(stage)
    let before = run.machine
    let effects = run(.reconsidered(run.session, .accept(.copy)))
    #expect(effects.isEmpty == (stage != .accepted && stage != .refused))
    if effects.isEmpty { #expect(run.machine == before) }
    #expect(run(.reconsidered(SessionID(rawValue: 77), .forbidden)) == [])
  }

  private func wheel(_ run: TargetRun) -> XdndMessage {
    guard case .position(var position) = run.source.position() else { return run.source.position() }
    position.scroll = WheelScroll(.down)
    return .position(position)
  }

  @Test func `the wheel turns first, and then the place is asked about`() {
    for stage in [TargetRun.Stage.hovering, .proposing, .accepted, .refused] {
      var run = TargetRun.make(stage)
      let effects = run(wheel(run))
      #expect(effects.first == .scrolled(run.session, WheelScroll(.down), at: Point(x: 10, y: 20)))
      #expect(effects.count == 2, "\(stage): \(effects)")
    }
  }

  @Test func `the wheel turns nothing before the application knows of the drag, nor after the drop`() {
    for stage in [TargetRun.Stage.outside, .reading, .readingWithDrop, .proposingWithDrop, .performing] {
      var run = TargetRun.make(stage)
      let effects = run(wheel(run))
      #expect(!effects.contains { if case .scrolled = $0 { true } else { false } })
    }
  }

  @Test func `a user who is asked has ten minutes from the drop, however often they are asked`() {
    var run = TargetRun.make(.performing)
    let start = run.now
    #expect(run(.askingUser(run.session)) == [])
    run.wait(.seconds(300))
    #expect(run(.progressed(run.session)) + run(.askingUser(run.session)) == [])
    #expect(reachEnd(&run).contains(.ended(run.session, .timedOut)))
    #expect(run.now == start + .seconds(600))
  }

  /// Reaches one deadline after the other, until the drop ends.
  private func reachEnd(_ run: inout TargetRun) -> [TargetMachine.Effect] {
    var effects: [TargetMachine.Effect] = []
    while run.machine.nextDeadline != nil { effects = run.reachDeadline() }
    return effects
  }

  @Test func `data that arrives late puts the end off as ever`() {
    var run = TargetRun.make(.performing)
    let start = run.now
    _ = run(.askingUser(run.session))
    run.wait(.seconds(590))
    _ = run(.progressed(run.session))
    #expect(reachEnd(&run).contains(.ended(run.session, .timedOut)))
    #expect(run.now == start + .seconds(620))
  }

  @Test func `asking about what is over, or being deleted, changes nothing`() {
    var run = TargetRun.make(.deleting)
    let before = run.machine
    #expect(run(.askingUser(run.session)) == [])
    #expect(run.machine == before)
  }
}
