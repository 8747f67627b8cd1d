@testable import XDnD
@testable import XDnDTesting

/// A simulated desktop whose program has a window to drop on, at 200,0; this program drags, or another one.
class DropStage {
  let desktop: SimulatedDesktop
  /// The other program.
  let source: Simulation.Program
  let window: WindowID
  /// The delegate of the window.
  let receiver = Receiver()

  static let inside = Point(x: 250, y: 50)
  static let outside = Point(x: 900, y: 900)

  /// - Parameter configuration: The target's.
  init(
    accepting types: [ContentType] = ["*/*"], _ configuration: Configuration = Configuration(), windowHeight: Int = 100
  ) {
    desktop = .recordingIssues(configuration)
    source = desktop.simulation.program()
    window = desktop.makeWindow(frame: Rect(x: 200, y: 0, width: 100, height: windowHeight))
    target.driver.registerDropTarget(window, accepting: DropOffer(types), delegate: receiver)
    desktop.react()
  }

  var simulation: Simulation { desktop.simulation }
  var server: FakeXServer { desktop.server }
  var target: Simulation.Program { desktop.program }

  func run(_ duration: Duration? = nil) { simulation.run(duration) }

  // MARK: The user

  /// Begins a drag outside of the window.
  ///
  /// - Parameters:
  ///   - program: The source if it is `nil`.
  ///   - time: The timestamp of the press if it is `nil`.
  @discardableResult
  func begin(
    _ items: [DragItem], by program: Simulation.Program? = nil, at time: Timestamp? = nil,
    preview: DragPreview? = nil, policy: OperationPolicy = .standard
  ) -> DragSession {
    server.movePointer(to: Self.outside)
    server.press(.primary)
    let drag = (program ?? source).driver.beginDrag(
      items, preview: preview, at: time ?? server.time, policy: policy)
    desktop.react()
    return drag
  }

  /// Begins a drag, and moves it over the window.
  @discardableResult
  func hover(
    _ items: [DragItem], by program: Simulation.Program? = nil, at time: Timestamp? = nil,
    policy: OperationPolicy = .standard
  ) -> DragSession {
    let drag = begin(items, by: program, at: time, policy: policy)
    // The images of the items gather at the pointer within 200 milliseconds.
    move(to: Self.inside, for: .milliseconds(150))
    return drag
  }

  func move(to point: Point, for duration: Duration = SimulatedDesktop.reactionTime) {
    server.movePointer(to: point)
    run(duration)
  }

  /// Drops what hovers.
  func letGo() {
    server.release(.primary)
    run(.seconds(1))
  }

  /// Drags and drops; `take` is called with the drop after ``DragAndDrop/process()``.
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

extension DropStage {
  /// Answers by closures. Left alone it accepts what is suggested, and rejects the drop.
  final class Receiver: DropDelegate {
    /// The drop that hovers.
    private(set) var drop: DropSession?
    private(set) var results: [DropResult] = []
    var validate: (DropSession) -> Bool = { _ in true }
    var propose: (DropSession) -> DropProposal = { $0.suggestedProposal }
    var onDrop: (DropSession) -> Void = { $0.reject() }
    /// Called with a word for each call of the library.
    var note: (String) -> Void = { _ in }

    var id: String { "\(ObjectIdentifier(self).hashValue)" }

    func validateDrop(_ drop: DropSession) -> Bool { validate(drop) }

    func dropEntered(_ drop: DropSession) {
      self.drop = drop
      note("entered")
    }

    func dropUpdated(_ drop: DropSession) -> DropProposal { propose(drop) }

    func dropScrolled(_ drop: DropSession, _ scroll: WheelScroll) { note("wheel \(scroll.direction)") }

    func dropExited(_ drop: DropSession, _ reason: DropExit) {
      self.drop = nil
      note("exited, \(reason)")
    }

    func performDrop(_ drop: DropSession) {
      self.drop = nil
      note("dropped")
      onDrop(drop)
    }

    func dropEnded(_ drop: DropSession, _ result: DropResult) {
      results.append(result)
      note("ended")
    }

    /// Finishes drops with the operation that was agreed on.
    func finishDrops() { onDrop = { $0.finish($0.droppedOperation ?? .copy) } }
  }
}
