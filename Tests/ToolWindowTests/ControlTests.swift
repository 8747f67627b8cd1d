import Testing

@testable import XDnDToolWindow

private func key(_ keysym: UInt) -> KeyEvent {
  KeyEvent(keysym: keysym, shortcut: KeyEvent.shortcut(of: keysym), time: 0, state: 0)
}

@Suite struct ListScrollerTests {
  private let scene = Scene(rows: (0..<50).map { Scene.Row("\($0)") })

  private func layout(_ scroller: ListScroller = ListScroller()) -> SceneLayout {
    SceneLayout(scene, width: 300, height: 300, scrollOffset: scroller.offset)
  }

  private var end: Double { layout().contentHeight - layout().list.height }

  @Test func `the wheel scrolls by a row, up to the ends of the list`() {
    var scroller = ListScroller()
    #expect(scroller.press(wheel: WheelButtons.up, in: layout()) == true)
    #expect(scroller.offset == 0)
    #expect(scroller.press(wheel: WheelButtons.down, in: layout()) == true)
    #expect(scroller.offset == layout().rowHeight)
    for _ in scene.rows { _ = scroller.press(wheel: WheelButtons.down, in: layout(scroller)) }
    #expect(scroller.offset == end)
  }

  @Test func `a wheel to the side scrolls nothing, and other buttons are no wheels`() {
    var scroller = ListScroller()
    #expect(scroller.press(wheel: 6, in: layout()) == true)
    #expect(scroller.press(wheel: 1, in: layout()) == false)
    #expect(scroller == ListScroller())
  }

  @Test func `keys scroll by a row, by a page and to the ends`() {
    let layout = layout()
    for (keysym, expected) in [
      (0xFF54, layout.rowHeight), (0xFF56, layout.page), (0xFF57, end), (0xFF52, 0), (0xFF55, 0), (0xFF50, 0),
    ] as [(UInt, Double)] {
      var scroller = ListScroller()
      #expect(scroller.type(key(keysym), in: layout) == true)
      #expect(scroller.offset == expected)
    }
    var scroller = ListScroller()
    #expect(scroller.type(key(0x61), in: layout) == false)
  }

  @Test func `the thumb follows the pointer that pressed it`() throws {
    var scroller = ListScroller()
    let (thumb, track) = (try #require(layout().scrollThumb), try #require(layout().scrollTrack))
    #expect(scroller.press(at: LogicalPoint(x: thumb.x, y: thumb.midY), in: layout()) == true)
    #expect(scroller.isDragging)
    #expect(scroller.offset == 0)
    #expect(scroller.drag(toY: track.maxY, in: layout()) == true)
    #expect(scroller.offset == end)
    #expect(scroller.release() == true)
    #expect(scroller.release() == false)
    #expect(scroller.drag(toY: track.y, in: layout(scroller)) == false)
    #expect(scroller.offset == end)
  }

  @Test func `a press beside the thumb scrolls by a page, one beside the bar does nothing`() throws {
    var scroller = ListScroller()
    let track = try #require(layout().scrollTrack)
    #expect(scroller.press(at: LogicalPoint(x: track.x - 1, y: track.midY), in: layout()) == false)
    #expect(scroller.press(at: LogicalPoint(x: track.x, y: track.maxY - 1), in: layout()) == true)
    #expect(scroller.offset == layout().page)
    #expect(scroller.isDragging)
  }
}

@Suite struct HoveredPartTests {
  private func layout(_ rows: [Scene.Row], handle: Scene.Handle? = nil) -> SceneLayout {
    var scene = Scene(rows: rows)
    scene.handle = handle
    return SceneLayout(scene, width: 300, height: 300)
  }

  @Test func `rows show a hover only if they have icons and can be dragged`() {
    let (bare, draggable) = (layout([Scene.Row("a")]), layout([Scene.Row("a", icon: Scene.Icon(.document))]))
    let place = draggable.row(0)
    #expect(HoveredPart(at: LogicalPoint(x: place.x, y: place.midY), in: draggable) == .row(0))
    #expect(HoveredPart(at: LogicalPoint(x: place.x, y: place.midY), in: bare) == nil)
  }

  @Test func `the handle and the scroll bar show a hover`() throws {
    let layout = layout((0..<50).map { Scene.Row("\($0)") }, handle: Scene.Handle("All"))
    let (handle, track) = (try #require(layout.handle), try #require(layout.scrollTrack))
    #expect(HoveredPart(at: LogicalPoint(x: handle.x, y: handle.midY), in: layout) == .handle)
    #expect(HoveredPart(at: LogicalPoint(x: track.x, y: track.midY), in: layout) == .scrollbar)
    #expect(HoveredPart(at: LogicalPoint(x: 0, y: 0), in: layout) == nil)
  }

  @Test func `the button of a row is a part of its own, at the end of the row`() throws {
    let layout = layout([
      Scene.Row("a", progress: .indeterminate, action: .cancel), Scene.Row("b", progress: .fraction(0.5)),
    ])
    let button = try #require(layout.button(ofRow: 0))
    let row = layout.row(0)
    #expect(button.maxX < row.maxX && button.x > row.midX && button.midY == row.midY)
    #expect(HoveredPart(at: LogicalPoint(x: button.midX, y: button.midY), in: layout) == .rowButton(0))
    #expect(HoveredPart(at: LogicalPoint(x: row.x, y: row.midY), in: layout) == nil)
    #expect(layout.button(ofRow: 1) == nil)
    #expect(layout.rowButton(at: LogicalPoint(x: button.midX, y: layout.row(1).midY)) == nil)
  }

  @Test func `each part has its cursor, which goes with the part`() throws {
    var scene = Scene(rows: [Scene.Row("a", icon: Scene.Icon(.document))])
    scene.handle = Scene.Handle("All")
    let layout = SceneLayout(scene, width: 300, height: 300)
    let handle = try #require(layout.handle)
    func hasGrabCursor(_ box: Box) -> Bool {
      HoveredPart(at: LogicalPoint(x: box.midX, y: box.midY), in: layout)?.hasGrabCursor == true
    }
    #expect(hasGrabCursor(handle))
    #expect(!hasGrabCursor(layout.row(0)))
    #expect(!hasGrabCursor(Box(x: 0, y: 0, width: 0, height: 0)))
  }
}

@Suite struct ReleasedButtonTests {
  /// The masks of the buttons in an event's `state` are those before the event.
  @Test(
    arguments: [
      (1, 0x100, false), (1, 0x500, true), (3, 0x400, false), (3, 0x100, true), (2, 0x201, false), (8, 0, false),
      (8, 0x100, true),
    ] as [(UInt32, UInt32, Bool)])
  func `a release leaves a button held if another one is down`(_ button: UInt32, _ state: UInt32, _ isHeld: Bool) {
    let point = PixelPoint(x: 0, y: 0)
    let release = PointerEvent(position: point, rootPosition: point, button: button, time: 0, state: state)
    #expect(release.leavesButtonHeld == isHeld)
  }
}
