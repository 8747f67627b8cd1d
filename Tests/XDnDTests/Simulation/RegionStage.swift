import TestSupport

@testable import XDnD
@testable import XDnDTesting

/// A window with regions, and a diary of the calls of their delegates.
///
/// In the window are a list with a folder at its upper end, and a button below the list.
final class RegionStage: DropStage {
  let list = DropRegion(frame: Rect(x: 0, y: 0, width: 100, height: 60), accepting: DropOffer([.plainText]))
  let folder = DropRegion(
    frame: Rect(x: 0, y: 0, width: 100, height: 20), accepting: DropOffer([.plainText], operations: [.move, .copy]))
  let button = DropRegion(frame: Rect(x: 0, y: 60, width: 100, height: 40), accepting: DropOffer([.plainText]))
  private var diary: [String] = []
  private var delegates: [String: Receiver] = [:]
  private(set) var drag: DragSession?

  static let onFolder = Point(x: 250, y: 10)
  static let onList = Point(x: 250, y: 40)
  static let onButton = Point(x: 250, y: 80)
  static let onNothing = Point(x: 290, y: 110)

  init(configuration: Configuration = Configuration()) {
    super.init(configuration, windowHeight: 120)
    list.children = [folder]
    for (region, name) in [(list, "list"), (folder, "folder"), (button, "button")] {
      let delegate = Receiver()
      delegate.note = { [weak self] in self?.write("\(name) \($0)") }
      delegate.finishDrops()
      delegates[name] = delegate
      region.delegate = delegate
      region.onTargeted = { [weak self] isTargeted in
        self?.write("\(name) \(isTargeted ? "lights up" : "goes dark")")
        self?.checkTargets()
      }
    }
    target.driver.registerDropTarget(window, regions: [list, button])
    run(.milliseconds(100))
  }

  var regions: [DropRegion] { [list, folder, button] }

  func delegate(_ name: String) -> Receiver? { delegates[name] }

  func write(_ line: String) { diary.append(line) }

  /// The lines since the last call.
  func takeDiary() -> [String] {
    defer { diary = [] }
    return diary
  }

  private func checkTargets() {
    if regions.count(where: \.isTargeted) > 1 { server.impossible("two regions are targeted") }
  }

  // MARK: The user

  func begin(_ operations: [DragOperation] = [.copy, .move]) {
    var item = DragItem(.plainText, Array("text".utf8))
    item.operations = operations
    drag = begin([item])
  }

  /// Begins a drag and moves it to a place.
  func beginDrag(
    _ operations: [DragOperation] = [.copy, .move], to point: Point,
    for duration: Duration = SimulatedDesktop.reactionTime
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
    target.client.record.messagesSent.compactMap { if case .status(let status) = $0 { status } else { nil } }
  }

  /// The rectangle of the last answer in which the source is to be silent; empty if it is not.
  var lastQuietRegion: Rect? { statuses.last?.acceptance.map { $0.wantsPositionsInside ? .zero : $0.region } }

  /// What the last answer points at.
  var lastMarkedRegion: Rect? { statuses.last?.acceptance.map { $0.wantsPositionsInside ? $0.region : .zero } }
}
