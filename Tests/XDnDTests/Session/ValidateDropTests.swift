import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("Drags that a delegate refuses at entering")
struct ValidateDropTests {
  private final class Delegate: DropDelegate {
    var isValid = true
    private(set) var calls: [String] = []

    func validateDrop(_ drop: DropSession) -> Bool {
      calls.append("validate \(drop.bestType?.name ?? "nothing")")
      return isValid
    }
    func dropEntered(_ drop: DropSession) { calls.append("entered") }
    func dropUpdated(_ drop: DropSession) -> DropProposal { drop.suggestedProposal }
    func dropExited(_ drop: DropSession, _ reason: DropExit) { calls.append("exited") }
    func performDrop(_ drop: DropSession) {
      calls.append("dropped")
      drop.finish(.copy)
    }
    func dropEnded(_ drop: DropSession, _ result: DropResult) { calls.append("ended") }
  }

  // MARK: A window

  private func drag(_ item: DragItem, to delegate: Delegate) -> DragOutcome? {
    let stage = DropStage()
    stage.target.driver.registerDropTarget(stage.window, accepting: DropOffer(["a/b"]), delegate: delegate)
    let drag = stage.hover([item])
    // Another position of the same visit.
    stage.move(to: Point(x: 251, y: 51))
    stage.letGo()
    return drag.outcome
  }

  @Test func `the delegate is asked once, before it is told of the drag`() {
    let delegate = Delegate()
    #expect(drag(DragItem("a/b", [1]), to: delegate) == .dropped(.copy))
    #expect(delegate.calls == ["validate a/b", "entered", "dropped", "ended"])
  }

  @Test func `a delegate that refuses hears nothing more of the visit`() {
    let delegate = Delegate()
    delegate.isValid = false
    #expect(drag(DragItem("a/b", [1]), to: delegate) == .refused)
    #expect(delegate.calls == ["validate a/b"])
  }

  @Test func `a delegate is not asked about what its offer does not accept`() {
    let delegate = Delegate()
    #expect(drag(DragItem("c/d", [1]), to: delegate) == .refused)
    #expect(delegate.calls == ["entered", "exited"])
  }

  // MARK: Regions

  @Test func `the region below a refusing one has the drag`() {
    let stage = RegionStage()
    var count = 0
    stage.delegate("folder")?.validate = { drop in
      count += 1
      #expect(drop.bestType != nil)
      return false
    }
    stage.beginDrag(to: RegionStage.onFolder)
    #expect(stage.takeDiary() == ["list entered", "list lights up"])
    stage.move(to: RegionStage.onButton)
    stage.move(to: RegionStage.onFolder)
    #expect(count == 1)
    stage.leave()
    stage.beginDrag(to: RegionStage.onFolder)
    #expect(count == 2)
    stage.leave()
  }

  @Test func `the delegate of a window with regions refuses for the rest of the window only`() {
    let stage = RegionStage()
    let delegate = Delegate()
    delegate.isValid = false
    stage.target.driver.registerDropTarget(
      stage.window, accepting: DropOffer([.plainText]), delegate: delegate, regions: [stage.list])
    stage.beginDrag(to: RegionStage.onNothing)
    #expect(stage.statuses.last?.acceptance == nil)
    stage.move(to: RegionStage.onList)
    #expect(stage.statuses.last?.acceptance != nil)
    stage.letGo()
    #expect(stage.drag?.outcome == .dropped(.copy))
    #expect(delegate.calls == ["validate text/plain;charset=utf-8"])
  }
}
