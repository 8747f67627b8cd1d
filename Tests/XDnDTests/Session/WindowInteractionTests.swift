import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("Drag interactions of windows")
struct WindowInteractionTests {
  private let desktop = SimulatedDesktop.recordingIssues()
  private let window: WindowID

  init() { window = desktop.makeWindow(frame: Rect(x: 0, y: 0, width: 100, height: 100)) }

  private var driver: DragAndDrop { desktop.dragAndDrop }

  /// Destroys a window, of which a connection reports the end of its gestures, too.
  private func destroy(_ window: WindowID) {
    desktop.destroy(window)
    desktop.server.deliver(.gesture(.cancelled, in: window), to: desktop.program.client)
    desktop.react()
  }

  @Test(arguments: [true, false])
  func `a closure is called at the end of its drag, although the interaction or its window is gone`(isDestroyed: Bool) {
    let target = desktop.makeTarget()
    var outcomes: [DragOutcome] = []
    weak var interaction: DragInteraction?
    interaction = driver.onDrag(in: window, items: { _ in [DragItem("Hello")] }, ended: { outcomes.append($1) })
    desktop.press(at: Point(x: 10, y: 10))
    desktop.movePointer(to: Point(x: 30, y: 30))
    if isDestroyed {
      destroy(window)
    } else if let interaction {
      driver.remove(interaction)
    }
    #expect(interaction == nil)
    desktop.movePointer(over: target.window)
    desktop.release()
    desktop.advance(by: .seconds(1))
    #expect(outcomes == [.dropped(.copy)])
  }

  @Test func `the destruction of a window ends the press in it, and not one in another window`() {
    let other = desktop.makeWindow(frame: Rect(x: 500, y: 0, width: 100, height: 100))
    var begun = 0
    let interaction = driver.onDrag(
      in: window,
      items: { _ in
        begun += 1
        return []
      })
    driver.add(interaction, to: other)
    desktop.press(at: Point(x: 10, y: 10))
    destroy(other)
    #expect(interaction.currentPress != nil)
    desktop.movePointer(to: Point(x: 30, y: 30))
    #expect(begun == 1)
    desktop.release()
    desktop.press(at: Point(x: 10, y: 10))
    #expect(interaction.currentPress != nil)
    destroy(window)
    #expect(interaction.currentPress == nil)
    desktop.release()
  }

  @Test(arguments: [1, 2])
  func `a finger that is held drags, and two fingers drag nothing, also on two places`(count: Int) {
    var begun = 0
    for y in [0, 50] {
      driver.onDrag(
        in: window, frame: Rect(x: 0, y: y, width: 100, height: 50),
        items: { _ in
          begun += 1
          return []
        })
    }
    let fingers = (1...count).map { number in
      (device: InputDevice.touch(4, sequence: UInt32(number)), place: Point(x: 20, y: 50 * number - 30))
    }
    for (device, place) in fingers {
      let press = DragPress(rootLocation: place, location: place, device: device, time: desktop.server.time)
      driver.interactions.receive(.pressed(press), in: window)
    }
    desktop.advance(by: .seconds(1))
    for (device, place) in fingers {
      driver.interactions.receive(.moved(to: Point(x: 60, y: place.y), by: device), in: window)
    }
    #expect(begun == (count == 1 ? 1 : 0))
  }
}
