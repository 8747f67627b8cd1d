import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

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

  // MARK: Failed

  /// Cancels a drag that hovers over the window.
  private func cancel(_ items: [DragItem], _ prepare: (DragSession) -> Void) {
    stage.hover(items, by: stage.target)
    if let drag = stage.target.driver.context.currentDrag { prepare(drag) }
    stage.server.pressEscape()
    stage.run(.seconds(1))
    #expect(stage.target.client.image == nil)
  }

  @Test func `the image slides back to where the application says at the failure`() {
    let list = stage.server.createWindow(
      of: stage.target.client, frame: Rect(x: 600, y: 100, width: 90, height: 90))
    var asked: [(text: Any?, origin: DragOrigin?)] = []
    cancel([item("one"), item("two", from: nil)]) { drag in
      drag.originForCancelling = { item, origin in
        asked.append((item.value, origin))
        return DragOrigin(Rect(x: 20, y: 30, width: 4, height: 4), in: list)
      }
      #expect(asked.isEmpty)
    }
    #expect(asked.map { $0.text as? String } == ["one", "two"])
    #expect(asked.map(\.origin) == [DragOrigin(Self.home), nil])
    #expect(isNear(places.last, Point(x: 620, y: 130)), "\(places)")
  }

  @Test func `an item whose row is gone does not slide back`() {
    cancel([item()]) { drag in drag.originForCancelling = { _, _ in nil } }
    #expect(isNear(places.last, Self.dropPlace), "\(places)")
    cancel([item("one"), item("two")]) { drag in
      drag.originForCancelling = { item, origin in
        item.value as? String == "one" ? nil : DragOrigin(Rect(x: 700, y: 500, width: 4, height: 4))
      }
    }
    #expect(isNear(places.last, Point(x: 700, y: 500)), "\(places)")
    cancel([item()]) { drag in
      drag.originForCancelling = { _, _ in nil }
      drag.originForCancelling = nil
    }
    #expect(isNear(places.last, Self.home.origin), "\(places)")
  }

  @Test func `nothing is asked if nothing would slide back`() {
    var count = 0
    let ask: (DragItem, DragOrigin?) -> DragOrigin? = {
      count += 1
      return $1
    }
    cancel([item()]) { drag in
      drag.originForCancelling = ask
      drag.animatesToStartingPositionsOnCancelOrFail = false
    }
    drop([item()]) { $0.finish(.copy) }
    #expect(count == 0)
    cancel([item()]) { drag in drag.originForCancelling = ask }
    #expect(count == 1 && isNear(places.last, Self.home.origin), "\(places)")
  }
}
