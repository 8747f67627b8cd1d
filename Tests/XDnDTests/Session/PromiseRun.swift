import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// A drag of one item over the simulated server, with real pipes, files and tasks behind it.
///
/// Time is the simulation's. What comes from elsewhere is waited for in `poll`, as a program would: so this belongs on a
/// thread of its own.
final class PromiseRun {
  private let simulation = Simulation.recordingIssues()
  private let program: Simulation.Program
  let delegate = Delegate()

  final class Delegate: DragDelegate {
    var finished: [ContentType: Bool] = [:]

    func drag(_ drag: DragSession, finishedSending type: ContentType, successfully: Bool) {
      finished[type] = successfully
    }
  }

  /// 1000 bytes go in one property, INCR parts are of 100.
  init(_ item: DragItem, wholeProperty: Int = 1000, part: Int = 100) throws {
    var configuration = Configuration()
    configuration.wholePropertySize = wholeProperty
    configuration.partSize = part
    simulation.server.latency = { .zero }
    program = simulation.program(configuration)
    server.movePointer(to: Point(x: 10, y: 10))
    server.press(.primary)
    driver.beginDrag(item, at: server.time, delegate: delegate)
    try driver.process()
  }

  var server: FakeXServer { simulation.server }
  var client: FakeClient { program.client }
  var driver: DragAndDrop { program.driver }

  /// Asks for one representation.
  func ask(_ type: ContentType, isReading: Bool = true) throws -> Requestor {
    let requestor = Requestor(simulation, isReading: isReading)
    requestor.ask(type)
    try settle()
    return requestor
  }

  /// Lets everything happen that can happen now.
  func settle() throws {
    try driver.process()
    simulation.run(.zero)
  }

  /// How long a task may take to run at all: the tests that compute share its few threads, and run first.
  static let patience = Duration.seconds(240)

  /// Waits for content from elsewhere until `isDone`; whether that came.
  func run(until isDone: () -> Bool) throws -> Bool {
    let deadline = ContinuousClock.now + Self.patience
    while true {
      try settle()
      if isDone() { return true }
      guard ContinuousClock.now < deadline, isReadable(within: Self.patience) else { return false }
    }
  }

  func isReadable(within timeout: Duration = .zero) -> Bool {
    Pipe.isReadable(driver.fileDescriptor, within: timeout)
  }

  func advance(_ duration: Duration) throws {
    simulation.run(duration)
    try settle()
  }
}

/// A peer that requests a representation, and reads it in one property or by INCR.
final class Requestor: SimulatedPeer {
  private var content = TransferredContent()
  private(set) var isRefused = false
  var isReading: Bool
  private static let property = AtomName("P")

  init(_ simulation: Simulation, isReading: Bool = true) {
    self.isReading = isReading
    super.init(simulation, frame: Rect(x: -10, y: -10, width: 1, height: 1))
    client.watch(window, for: .properties)
  }

  var bytes: [UInt8] { content.bytes }
  var headers: [PropertyHeader] { content.headers }
  var announced: UInt32? { content.announced }
  var isComplete: Bool { content.isComplete }
  var isOver: Bool { isRefused || isComplete }

  func ask(_ type: ContentType) {
    client.convert(
      .xdndSelection, to: type.atomName, property: Self.property, requestor: window, time: .currentTime)
  }

  override func handle(_ event: ServerEvent) {
    switch event {
    case .selectionNotify(let notify):
      isRefused = notify.property == nil
      if !isRefused { take() }
    case .propertyChanged(Self.property, _): if announced != nil { take() }
    default: break
    }
  }

  /// Reads what is there; for one who has not been reading.
  func take() {
    guard isReading || announced == nil else { return }
    content.take(Self.property, of: window, by: client, delete: isReading)
  }
}
