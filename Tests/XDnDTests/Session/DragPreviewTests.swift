import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("The preview of a drag", .computing)
struct DragPreviewTests {
  private let stage = DropStage()

  private func image(_ side: Int, _ color: UInt32 = 0xFFFF_0000) -> DragImage? {
    Bitmap(width: side, height: side, pixels: Array(repeating: color, count: side * side)).map {
      DragImage($0, hotspot: Point(x: 0, y: 0))
    }
  }

  private func begin(_ items: [DragItem], preview: DragPreview? = nil, by program: Simulation.Program? = nil)
    -> DragSession
  {
    let drag = stage.begin(items, by: program, preview: preview)
    stage.run(.seconds(1))
    return drag
  }

  private func end() {
    stage.server.release(.primary)
    stage.run()
    #expect(stage.source.client.image == nil)
    #expect(stage.source.driver.reactor.drags.isEmpty)
  }

  @Test func `there always is an image, with the number of what is dragged`() {
    let drag = begin([DragItem("one")])
    #expect(stage.source.client.image != nil)
    #expect(drag.preview.images.count == 1)
    end()
    let two = begin([DragItem("one"), DragItem("two")])
    #expect(two.preview.images.count == 2)
    #expect(stage.source.client.image != nil)
    end()
    let files = begin([DragItem(files: ["/a", "/b", "/c"])])
    #expect(files.preview.badge == .count(3))
    end()
  }

  @Test func `the images of the items are shown, and fly from where the items lie`() throws {
    var items = [DragItem("one"), DragItem("two")]
    items[0].preview = image(20)
    items[0].origin = DragOrigin(Rect(x: 5, y: 6, width: 20, height: 20))
    let drag = begin(items)
    #expect(drag.preview.images.count == 2)
    #expect(drag.preview.images[0].bitmap == image(20)?.bitmap)
    #expect(drag.origins == [items[0].origin, nil])
    end()
  }

  @Test func `the application's own preview wins, and can be replaced`() throws {
    let drag = begin([DragItem("one")], preview: DragPreview(images: [try #require(image(50))], hasShadow: false))
    let first = try #require(stage.source.client.image?.bitmap)
    #expect(first.width >= 50)
    drag.preview = DragPreview(images: [try #require(image(10))], hasShadow: false)
    let second = try #require(stage.source.client.image?.bitmap)
    #expect(second.width < first.width)
    drag.badge = .count(7)
    #expect(drag.preview.badge == .count(7))
    #expect(stage.source.client.image?.bitmap != second)
    end()
    drag.badge = .none
    #expect(stage.source.client.image == nil)
  }

  @Test func `a configuration can do without images and without motion`() throws {
    var configuration = Configuration()
    configuration.showsDragImages = false
    let program = stage.simulation.program(configuration)
    _ = begin([DragItem("one")], by: program)
    #expect(program.client.image == nil)
    stage.server.release(.primary)
    stage.run()
    configuration.showsDragImages = true
    configuration.reducesMotion = true
    let calm = stage.simulation.program(configuration)
    let drag = begin([DragItem("one")], by: calm)
    #expect(calm.client.image != nil)
    let place = calm.client.image?.origin
    drag.cancel()
    stage.run(.milliseconds(100))
    #expect(place != nil && calm.client.image?.origin == place)
    stage.run(.milliseconds(100))
    #expect(calm.client.image == nil)
    stage.server.release(.primary)
    stage.run()
  }

  @Test func `whoever drops the driver in the middle of a flight leaves no image`() throws {
    var program: Simulation.Program? = stage.simulation.program()
    let client = try #require(program).client
    let drag = begin([DragItem("one")], by: program)
    #expect(client.image != nil)
    drag.cancel()
    #expect(client.image != nil)
    if let program { stage.simulation.remove(program) }
    program = nil
    #expect(client.image == nil)
    stage.server.release(.primary)
  }

  @Test func `a window's content can be an image`() throws {
    let image = try #require(
      stage.source.driver.image(
        ofWindow: stage.window, area: Rect(x: 10, y: 20, width: 30, height: 40), hotspot: Point(x: 3, y: 4)))
    #expect(image.bitmap.width == 30)
    #expect(image.bitmap.height == 40)
    #expect(image.hotspot == Point(x: 3, y: 4))
    #expect(image.origin == Rect(x: 210, y: 20, width: 30, height: 40))
    #expect(stage.source.driver.image(ofWindow: WindowID(rawValue: 99)) == nil)
  }
}
