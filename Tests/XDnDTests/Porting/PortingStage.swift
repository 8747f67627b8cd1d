import TestSupport

@testable import XDnD
@testable import XDnDTesting

/// A ported program and another one on a simulated server, and their user.
final class PortingStage {
  private let simulation = Simulation.recordingIssues()
  private let programs: (ported: Simulation.Program, other: Simulation.Program)
  /// The window of the ported program, in the upper left corner of the screen.
  let window: WindowID
  let otherWindow: WindowID

  static let inside = Point(x: 50, y: 50)
  static let insideOther = Point(x: 250, y: 50)
  private static let outside = Point(x: 900, y: 900)

  init() {
    programs = (simulation.program(), simulation.program())
    window = simulation.server.createWindow(
      of: programs.ported.client, frame: Rect(x: 0, y: 0, width: 100, height: 100))
    otherWindow = simulation.server.createWindow(
      of: programs.other.client, frame: Rect(x: 200, y: 0, width: 100, height: 100))
  }

  /// The ported program's.
  var driver: DragAndDrop { programs.ported.driver }
  var otherDriver: DragAndDrop { programs.other.driver }

  func settle() { simulation.run(.milliseconds(100)) }

  /// Presses in the ported program's window, and moves on.
  func press(at start: Point, movingTo end: Point) {
    let interactions = driver.interactions
    simulation.server.movePointer(to: start)
    simulation.server.press(.primary)
    interactions.receive(
      .pressed(DragPress(rootLocation: start, location: start, time: simulation.server.time)), in: window)
    interactions.receive(.moved(to: end), in: window)
    settle()
    move(to: end)
  }

  /// Presses in the ported program's window, which begins the drag itself.
  func press(at start: Point, beginning begin: (Timestamp) -> Void) {
    simulation.server.movePointer(to: start)
    simulation.server.press(.primary)
    begin(simulation.server.time)
    settle()
  }

  func move(to point: Point) {
    simulation.server.movePointer(to: point)
    settle()
  }

  func moveOut() { move(to: Self.outside) }

  func release() {
    simulation.server.release(.primary)
    simulation.run(.seconds(1))
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
    simulation.server.movePointer(to: Self.outside)
    simulation.server.press(.primary)
    let drag = otherDriver.beginDrag(item, at: simulation.server.time)
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
