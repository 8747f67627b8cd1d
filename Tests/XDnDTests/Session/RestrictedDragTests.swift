import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("Drags that stay in their program")
struct RestrictedDragTests {
  private let stage = DropStage()

  private var item: DragItem {
    var item = DragItem("secret")
    item.isRestrictedToApplication = true
    return item
  }

  @Test func `a window of another program is told nothing`() {
    let drag = stage.hover([item])
    #expect(drag.isRestrictedToDraggingApplication)
    #expect(stage.receiver.drop == nil)
    #expect(stage.source.client.record.messagesSent.isEmpty)
    stage.letGo()
    #expect(drag.outcome == .noTarget)
  }

  @Test func `one restricted item restricts the drag`() {
    stage.hover([DragItem("public"), item])
    #expect(stage.receiver.drop == nil)
    stage.letGo()
  }

  @Test func `a window of the same program takes it`() {
    var text: Result<String, XDnDError>?
    stage.drop([item], by: stage.target) { drop in
      drop.load(String.self) {
        text = $0
        drop.finish(.copy)
      }
    }
    #expect((try? text?.get()) == "secret")
    #expect(stage.receiver.results == [.finished(.copy)])
  }

  @Test func `a program that asks for the content without a drag is refused`() {
    for (item, isRefused) in [(item, true), (DragItem("public"), false)] {
      stage.hover([item])
      let requestor = Requestor(stage.simulation)
      requestor.ask(.plainText)
      stage.run(.milliseconds(100))
      #expect(requestor.isRefused == isRefused)
      stage.letGo()
    }
  }

  @Test func `Tab passes over the windows of other programs`() {
    stage.begin([item])
    stage.server.press(.nextTarget)
    stage.run(.milliseconds(100))
    #expect(stage.server.pointer == DropStage.outside)
    stage.letGo()
  }

  @Test func `a restricted item cannot join a drag that others have seen`() {
    stage.hover([DragItem("public")])
    #expect(stage.source.driver.context.currentDrag?.add(item) == false)
    stage.letGo()
    stage.hover([item])
    #expect(stage.source.driver.context.currentDrag?.add(DragItem("public")) == true)
    #expect(stage.receiver.drop == nil)
    stage.letGo()
  }
}
