import TestSupport

@testable import XDnD
@testable import XDnDTesting

/// A window with regions, and a program that drags over it, with a diary of everything that the regions are told.
///
/// The window is at 200,0 on the screen. In it are a list with a folder at its upper end, and a button below the list.
final class RegionStage {
  let simulation = Simulation.recordingIssues()
  let source: Simulation.Program
  let target: Simulation.Program
  let window: WindowID
  let list = DropRegion(frame: Rect(x: 0, y: 0, width: 100, height: 60), accepting: DropOffer([.plainText]))
  let folder = DropRegion(
    frame: Rect(x: 0, y: 0, width: 100, height: 20), accepting: DropOffer([.plainText], operations: [.move, .copy]))
  let button = DropRegion(frame: Rect(x: 0, y: 60, width: 100, height: 40), accepting: DropOffer([.plainText]))
  private(set) var diary: [String] = []
  private var delegates: [Delegate] = []
  private(set) var drag: DragSession?

  static let onFolder = Point(x: 250, y: 10)
  static let onList = Point(x: 250, y: 40)
  static let onButton = Point(x: 250, y: 80)
  static let onNothing = Point(x: 290, y: 110)
  static let outside = Point(x: 900, y: 900)

  /// Writes down what a region is told.
  final class Delegate: DropDelegate {
    let name: String
    let write: (String) -> Void
    var validate: (DropSession) -> Bool = { _ in true }
    var propose: (DropSession) -> DropProposal = { $0.suggestedProposal }

    init(_ name: String, _ write: @escaping (String) -> Void) {
      self.name = name
      self.write = write
    }

    func validateDrop(_ drop: DropSession) -> Bool { validate(drop) }
    func dropEntered(_ drop: DropSession) { write("\(name) entered") }
    func dropUpdated(_ drop: DropSession) -> DropProposal { propose(drop) }
    func dropScrolled(_ drop: DropSession, _ scroll: WheelScroll) { write("\(name) wheel \(scroll.direction)") }
    func dropExited(_ drop: DropSession, _ reason: DropExit) { write("\(name) exited, \(reason)") }
    func performDrop(_ drop: DropSession) {
      write("\(name) dropped")
      drop.finish(drop.droppedOperation ?? .copy)
    }
    func dropEnded(_ drop: DropSession, _ result: DropResult) { write("\(name) ended") }
  }

  init(configuration: Configuration = Configuration()) {
    source = simulation.program()
    target = simulation.program(configuration)
    window = simulation.server.createWindow(of: target.client, frame: Rect(x: 200, y: 0, width: 100, height: 120))
    list.children = [folder]
    for (region, name) in [(list, "list"), (folder, "folder"), (button, "button")] {
      let delegate = Delegate(name) { [weak self] in self?.diary.append($0) }
      delegates.append(delegate)
      region.delegate = delegate
      region.onTargeted = { [weak self] isTargeted in
        self?.diary.append("\(name) \(isTargeted ? "lights up" : "goes dark")")
        self?.checkTargets()
      }
    }
    target.driver.registerDropTarget(window, regions: [list, button])
    simulation.run(.milliseconds(100))
  }

  var server: FakeXServer { simulation.server }

  func run(_ duration: Duration? = nil) { simulation.run(duration) }

  var regions: [DropRegion] { [list, folder, button] }

  func delegate(_ name: String) -> Delegate? { delegates.first { $0.name == name } }

  func write(_ line: String) { diary.append(line) }

  /// What has been written since the last call.
  func takeDiary() -> [String] {
    defer { diary = [] }
    return diary
  }

  private func checkTargets() {
    if regions.count(where: \.isTargeted) > 1 { server.impossible("two regions are targeted") }
  }

  // MARK: The user

  func begin(_ operations: [DragOperation] = [.copy, .move]) {
    server.movePointer(to: Self.outside)
    server.press(.primary)
    var item = DragItem(.plainText, Array("text".utf8))
    item.operations = operations
    drag = source.driver.beginDrag([item], at: server.time)
    run(.milliseconds(50))
  }

  func move(to point: Point, for duration: Duration = .milliseconds(50)) {
    server.movePointer(to: point)
    run(duration)
  }

  func letGo() {
    server.release(.primary)
    run(.seconds(1))
  }

  /// Begins a drag and moves it to a place.
  func beginDrag(
    _ operations: [DragOperation] = [.copy, .move], to point: Point, for duration: Duration = .milliseconds(50)
  ) {
    begin(operations)
    move(to: point, for: duration)
  }

  /// Ends a drag outside of the window.
  func leave() {
    move(to: Self.outside)
    letGo()
  }

  /// What ends the visit of a region without a drop.
  enum End: CaseIterable { case left, cancelled, killed, lost, unregistered, replaced, removed }

  /// Lets it happen, but no time pass.
  func end(by end: End) {
    switch end {
    case .left: server.movePointer(to: Self.outside)
    case .cancelled: server.pressEscape()
    case .killed: server.kill(source.client)
    case .lost:
      target.client.isClosed = true
      // It says that the display is closed.
      try? target.driver.process()
    case .unregistered: target.driver.unregisterDropTarget(window)
    case .replaced: target.driver.registerDropTarget(window, regions: [button])
    case .removed: target.driver.removeDropRegion(list, from: window)
    }
  }

  /// The answers that the target has sent.
  var statuses: [XdndMessage.Status] {
    target.client.messagesSent.compactMap { if case .status(let status) = $0 { status } else { nil } }
  }

  /// The rectangle of the last answer in which the source is to be silent; empty if it is not.
  var lastQuietRegion: Rect? { statuses.last?.acceptance.map { $0.wantsPositionsInside ? .zero : $0.region } }

  /// What the last answer points at.
  var lastMarkedRegion: Rect? { statuses.last?.acceptance.map { $0.wantsPositionsInside ? $0.region : .zero } }
}
