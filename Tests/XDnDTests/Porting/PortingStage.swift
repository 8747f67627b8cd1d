import TestSupport

@testable import XDnD
@testable import XDnDTesting

/// A ported program and another one on a simulated server, and their user.
final class PortingStage {
  private let world = ClipboardWorld()
  private let programs: (ported: ClipboardWorld.Program, other: ClipboardWorld.Program)
  /// The window of the ported program, in the upper left corner of the screen.
  let window: WindowID
  let otherWindow: WindowID

  static let inside = Point(x: 50, y: 50)
  static let insideOther = Point(x: 250, y: 50)
  private static let outside = Point(x: 900, y: 900)

  init() {
    programs = (world.program(), world.program())
    window = world.server.createWindow(
      of: programs.ported.client, frame: Rect(x: 0, y: 0, width: 100, height: 100))
    otherWindow = world.server.createWindow(
      of: programs.other.client, frame: Rect(x: 200, y: 0, width: 100, height: 100))
  }

  /// The ported program's.
  var driver: DragAndDrop { programs.ported.driver }
  var otherDriver: DragAndDrop { programs.other.driver }

  func settle() { world.run(.milliseconds(100)) }

  /// Presses in the ported program's window, and moves on.
  func press(at start: Point, movingTo end: Point) {
    let interactions = driver.interactions
    world.server.movePointer(to: start)
    world.server.press(.primary)
    interactions.receive(
      .pressed(DragPress(rootLocation: start, location: start, time: world.server.time)), in: window)
    interactions.receive(.moved(to: end), in: window)
    settle()
    move(to: end)
  }

  /// Presses in the ported program's window, which begins the drag itself.
  func press(at start: Point, beginning begin: (Timestamp) -> Void) {
    world.server.movePointer(to: start)
    world.server.press(.primary)
    begin(world.server.time)
    settle()
  }

  func move(to point: Point) {
    world.server.movePointer(to: point)
    settle()
  }

  func moveOut() { move(to: Self.outside) }

  func release() {
    world.server.release(.primary)
    world.run(.seconds(1))
  }

  /// Drags out of the ported program's window to that of the other program, and returns what arrives there.
  func dragOut<Value: Transferable>(_ type: Value.Type, operations: [DragOperation] = [.copy]) -> [Value] {
    var values: [Value] = []
    otherDriver.dropDestination(for: type, operations: operations, in: otherWindow) { dropped, _ in
      values += dropped
      return true
    }
    settle()
    press(at: Self.inside, movingTo: Self.insideOther)
    release()
    return values
  }

  /// Drags from the other program into the ported program's window.
  func drag(_ item: DragItem) -> DragSession {
    world.server.movePointer(to: Self.outside)
    world.server.press(.primary)
    let drag = otherDriver.beginDrag(item, at: world.server.time)
    settle()
    move(to: Self.inside)
    return drag
  }

  /// Drops from the other program on the ported program's window.
  func drop(_ item: DragItem) -> DragOutcome? {
    let drag = drag(item)
    release()
    return drag.outcome
  }
}
