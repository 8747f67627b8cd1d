import Logging
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("A delegate that the host has not kept")
struct ReleasedDelegateTests {
  @Test func `its drags are refused, and the log says why`() throws {
    let log = LogLines()
    var configuration = Configuration()
    configuration.logger = log.logger(.warning)
    let stage = DropStage(configuration)
    func drop() -> DragOutcome? {
      let drag = stage.source.driver.drop([DragItem("text")], on: stage.window)
      stage.run()
      return drag.outcome
    }
    var delegate: DropStage.Receiver? = DropStage.Receiver()
    stage.target.driver.registerDropTarget(
      stage.window, accepting: DropOffer(["*/*"]), delegate: try #require(delegate))
    delegate?.onDrop = { $0.finish(.copy) }
    #expect(drop() == .dropped(.copy))
    #expect(log.lines == [])
    delegate = nil
    #expect(drop() == .refused)
    #expect(
      log.lines == ["all drags are refused: the delegate of the drop target was deallocated"])
  }
}
