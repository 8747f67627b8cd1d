@testable import XDnD
@testable import XDnDTesting

/// Another program that takes values of Swift types.
extension SimulatedDesktop {
  /// Makes its window, at 200,0.
  func makeDestination<Value: Transferable>(
    for type: Value.Type, operations: [DragOperation] = [.copy], perform: @escaping ([Value]) -> Bool
  ) -> WindowID {
    let program = simulation.program()
    let window = server.createWindow(of: program.client, frame: Rect(x: 200, y: 0, width: 100, height: 100))
    program.driver.dropDestination(for: type, operations: operations, in: window) { values, _ in perform(values) }
    react()
    return window
  }

  /// Drags out of a window of the program under test to another program, and returns the values that arrive there.
  func dragOut<Value: Transferable>(
    _ type: Value.Type, of window: WindowID, operations: [DragOperation] = [.copy]
  ) -> [Value] {
    var values: [Value] = []
    let destination = makeDestination(for: type, operations: operations) {
      values += $0
      return true
    }
    press(at: root(nil, in: window))
    movePointer(over: destination)
    release()
    advance(by: .seconds(1))
    return values
  }
}
