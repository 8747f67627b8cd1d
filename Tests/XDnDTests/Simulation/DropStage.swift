@testable import XDnD
@testable import XDnDTesting

/// Two programs on a simulated server, of which one has a window to drop on.
final class DropStage {
  let simulation = Simulation.recordingIssues()
  let source: Simulation.Program
  let target: Simulation.Program
  let receiver = Receiver()
  let window: WindowID

  /// Takes everything, and hands it to a closure.
  final class Receiver: DropDelegate {
    /// What hovers.
    private(set) var drop: DropSession?
    private(set) var results: [DropResult] = []
    var onDrop: (DropSession) -> Void = { $0.reject() }

    var id: String { "\(ObjectIdentifier(self).hashValue)" }

    func dropEntered(_ drop: DropSession) { self.drop = drop }

    func dropExited(_ drop: DropSession, _ reason: DropExit) { self.drop = nil }

    func performDrop(_ drop: DropSession) {
      self.drop = nil
      onDrop(drop)
    }

    func dropEnded(_ drop: DropSession, _ result: DropResult) { results.append(result) }
  }

  var server: FakeXServer { simulation.server }

  func run(_ duration: Duration? = nil) { simulation.run(duration) }

  /// - Parameter configuration: Of the target.
  init(accepting types: [ContentType] = ["*/*"], _ configuration: Configuration = Configuration()) {
    source = simulation.program()
    target = simulation.program(configuration)
    window = simulation.server.createWindow(of: target.client, frame: Rect(x: 200, y: 0, width: 100, height: 100))
    target.driver.registerDropTarget(window, accepting: DropOffer(types), delegate: receiver)
    simulation.run(.milliseconds(100))
  }

  /// Drags over the window, by `program` or else by the source.
  ///
  /// - Parameter time: `nil` for that of the press.
  func hover(_ items: [DragItem], by program: Simulation.Program? = nil, at time: Timestamp? = nil) {
    server.movePointer(to: Point(x: 900, y: 900))
    server.press(.primary)
    (program ?? source).driver.beginDrag(items, at: time ?? server.time)
    run(.milliseconds(100))
    server.movePointer(to: Point(x: 250, y: 50))
    run(.milliseconds(100))
  }

  /// Drops what hovers.
  func letGo() {
    server.release(.primary)
    run(.seconds(1))
  }

  /// Drags and drops; the drop is handed to `take` in the midst of ``DragAndDrop/process()``.
  func drop(
    _ items: [DragItem], by program: Simulation.Program? = nil, take: @escaping (DropSession) -> Void
  ) {
    var dropped: DropSession?
    receiver.onDrop = { dropped = $0 }
    hover(items, by: program)
    server.release(.primary)
    run(.milliseconds(100))
    receiver.onDrop = { $0.reject() }
    guard let drop = dropped else { return server.impossible("nothing was dropped") }
    dropped = nil
    take(drop)
    run(.seconds(1))
  }
}
