import TestSupport
import Testing

@testable import XDnD

/// Where the drag image goes at the end of a drag, as an application decides it.
@Suite("Where the drag image goes at the end", .computing)
struct SettlingDropTests {
  private let stage = DropStage()

  /// In the coordinates of the window, which is at 200,0.
  private static let frame = Rect(x: 300, y: 400, width: 4, height: 4)
  private static let framePlace = Point(x: 500, y: 400)
  private static let dropPlace = Point(x: 250, y: 50)
  private static let home = Rect(x: 100, y: 300, width: 4, height: 4)

  private var places: [Point] { stage.target.client.imagePlaces }

  private func item(_ text: String = "text", from origin: DragOrigin? = DragOrigin(home)) -> DragItem {
    var item = DragItem(text)
    item.preview = DragImage(Bitmap(filledWith: 0xFFFF_FFFF, width: 4, height: 4), hotspot: Point(x: 0, y: 0))
    item.origin = origin
    return item
  }

  /// The image has a shadow, so its corner is not that of the frame.
  private func isNear(_ place: Point?, _ goal: Point) -> Bool {
    place.map { abs($0.x - goal.x) < 25 && abs($0.y - goal.y) < 25 } ?? false
  }

  private func drop(_ items: [DragItem], take: @escaping (DropSession) -> Void) {
    stage.receiver.onDrop = take
    stage.hover(items, by: stage.target)
    stage.letGo()
    #expect(stage.target.client.image == nil)
  }

  // MARK: Accepted

  @Test func `the image flies into the frame that the target names`() {
    drop([item()]) {
      $0.settle(into: Self.frame)
      $0.finish(.copy)
    }
    #expect(isNear(places.last, Self.framePlace), "\(places)")
    #expect(stage.receiver.results == [.finished(.copy)])
  }

  @Test func `each item has a frame of its own, and one frame takes all`() {
    drop([item("one"), item("two")]) {
      $0.settle(into: [nil, Self.frame])
      $0.finish(.copy)
    }
    #expect(isNear(places.last, Self.framePlace), "\(places)")
    drop([item("one"), item("two")]) {
      $0.settle(into: Self.frame)
      $0.finish(.copy)
    }
    #expect(isNear(places.last, Self.framePlace), "\(places)")
  }

  @Test func `the image turns back if the drop is rejected`() {
    drop([item()]) {
      $0.settle(into: Self.frame)
      $0.reject()
    }
    #expect(isNear(places.last, Self.home.origin), "\(places)")
  }

  @Test func `before the drop, and for a drag of another program, a frame has no effect`() {
    stage.receiver.onDrop = {
      $0.settle(into: Self.frame)
      $0.finish(.copy)
    }
    stage.hover([item()])
    stage.letGo()
    #expect(isNear(stage.source.client.imagePlaces.last, Self.dropPlace))
    #expect(places.isEmpty)

    stage.receiver.onDrop = { $0.finish(.copy) }
    stage.hover([item()], by: stage.target)
    stage.receiver.drop?.settle(into: Self.frame)
    stage.letGo()
    #expect(isNear(places.last, Self.dropPlace), "\(places)")
  }
}
