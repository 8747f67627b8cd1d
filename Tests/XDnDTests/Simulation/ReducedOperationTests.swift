import Logging
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("An operation that is asked for and not permitted")
struct ReducedOperationTests {
  @Test(arguments: [
    (
      [DragOperation.copy], [DragOperation.copy, .move],
      ["move is asked for, and not permitted by the dragged items: copy"]
    ),
    (
      [.copy, .move], [.copy],
      [
        "move is asked for, and not permitted by the drop target: copy",
        "move is asked for, and not permitted by the target: copy",
      ]
    ),
    ([.copy, .move], [.copy, .move], []),
  ])
  func `is in the log of who knows`(_ dragged: [DragOperation], _ accepted: [DragOperation], _ lines: [String]) {
    let log = LogLines()
    var configuration = Configuration()
    configuration.logger = log.logger(.info)
    let stage = DropStage(configuration)
    stage.target.driver.registerDropTarget(
      stage.window, accepting: DropOffer(["*/*"], operations: accepted), delegate: stage.receiver)
    stage.receiver.onDrop = { drop in
      #expect(drop.requestedOperation == (dragged.contains(.move) ? .move : .copy))
      drop.finish(drop.droppedOperation ?? .copy)
    }
    var item = DragItem("text")
    item.operations = dragged
    // The program drags to itself, so that both halves log here.
    stage.hover([item], by: stage.target)
    stage.server.hold(.shift)
    stage.run(.milliseconds(100))
    stage.letGo()
    #expect(log.lines.sorted() == lines)
  }
}
