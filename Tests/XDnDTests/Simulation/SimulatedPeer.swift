import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// A client without our library: it speaks the words that a test tells it to speak.
class SimulatedPeer: SimulatedClient {
  let simulation: Simulation
  let client: FakeClient
  let window: WindowID
  /// Called with each event that the class does not handle.
  var onEvent: ((ServerEvent) -> Void)?
  /// Everything that was said to it.
  private(set) var heard: [XdndMessage] = []

  var server: FakeXServer { simulation.server }

  init(_ simulation: Simulation, frame: Rect) {
    self.simulation = simulation
    client = simulation.server.connect(checked: false)
    window = simulation.server.createWindow(of: client, frame: frame)
    simulation.add(self)
  }

  func process() {
    while let event = client.nextEvent() {
      if case .message(let message, _) = event { heard.append(message) }
      handle(event)
    }
  }

  func handle(_ event: ServerEvent) { onEvent?(event) }

  func say(_ kind: XdndMessageKind, _ words: MessageWords, to window: WindowID) {
    server.send(kind, words, to: window, via: window, from: client)
  }

  func atom(_ operation: DragOperation) -> UInt32 { server.atom(operation.name).rawValue }

  func count(_ kind: XdndMessageKind) -> Int { heard.count { $0.kind == kind } }
}

/// A window that takes drops in its own way. Left alone it is well-behaved.
final class RawTarget: SimulatedPeer {
  /// The words of the Status to a Position; `nil` says nothing.
  lazy var status: (XdndMessage.Position) -> MessageWords? = { [unowned self] _ in
    accepting(.copy)
  }
  /// The words of Finished; `nil` says nothing.
  lazy var finished: () -> MessageWords? = { [unowned self] in
    performed(.copy)
  }
  /// Instead of fetching the content when Drop comes.
  var onDrop: ((XdndMessage.Drop) -> Void)?
  /// Instead of answering with ``status``.
  var onPosition: ((XdndMessage.Position) -> Void)?
  var onEnter: ((XdndMessage.Enter) -> Void)?
  var type = AtomName.utf8String
  /// The time to convert with: GTK 4 uses 0, JUCE puts coordinates there.
  var conversionTime: (XdndMessage.Drop) -> Timestamp = { $0.time }
  /// Who asks: GTK, Qt and Tk ask from a window that nobody sees.
  lazy var requestor = window
  var answerDelay: Duration = .zero

  private(set) var received: [UInt8]?
  private var content = TransferredContent()
  private var source = WindowID.none

  init(_ pair: DragPair, frame: Rect = Rect(x: 400, y: 0, width: 100, height: 100), version: UInt32 = 5) {
    super.init(pair.simulation, frame: frame)
    client.write(PropertyValue(type: .atom, contents: .words([version])), to: .xdndAware, of: window)
  }

  static let inside = Point(x: 450, y: 50)

  /// A Status or a Finished that refuses.
  var refusal: MessageWords { MessageWords(l0: window.rawValue) }

  func accepting(_ operation: DragOperation) -> MessageWords {
    MessageWords(l0: window.rawValue, l1: 1, l4: atom(operation))
  }

  /// A Status that accepts a copy, and wants no positions within a rectangle.
  func accepting(quietIn rect: Rect) -> MessageWords {
    var words = accepting(.copy)
    words.l2 = PackedPair.word(rect.origin)
    words.l3 = PackedPair.word(rect.width, rect.height)
    return words
  }

  func performed(_ operation: DragOperation) -> MessageWords {
    MessageWords(l0: window.rawValue, l1: 1, l2: atom(operation))
  }

  /// Accepts with an operation, and finishes with it.
  func perform(_ operation: DragOperation) {
    status = { [unowned self] _ in accepting(operation) }
    finished = { [unowned self] in performed(operation) }
  }

  /// Drags to a target that `prepare` has changed.
  static func drag(_ prepare: (DragPair, RawTarget) -> Void) -> (DragOutcome?, DragPair, RawTarget) {
    let pair = DragPair()
    let target = RawTarget(pair)
    prepare(pair, target)
    let outcome = pair.drag(operations: [.copy, .move], to: inside)
    pair.expectClean()
    return (outcome, pair, target)
  }

  override func handle(_ event: ServerEvent) {
    switch event {
    case .message(.enter(let enter), _):
      source = enter.source
      onEnter?(enter)
    case .message(.position(let position), _):
      if let onPosition { return onPosition(position) }
      guard let words = status(position) else { return }
      simulation.after(answerDelay) { [self] in say(.status, words, to: position.source) }
    case .message(.drop(let drop), _):
      if let onDrop { return onDrop(drop) }
      convert(type, at: conversionTime(drop))
    case .selectionNotify(let notify):
      guard let property = notify.property else { return finish() }
      take(property)
    case .propertyChanged(let property, _): if content.awaitsPart { take(property) }
    default: break
    }
  }

  func convert(_ type: AtomName, at time: Timestamp) {
    content = TransferredContent()
    client.watch(requestor, for: .properties)
    client.convert(.xdndSelection, to: type, property: AtomName("RAW"), requestor: requestor, time: time)
  }

  private func take(_ property: AtomName) {
    content.take(property, of: requestor, by: client)
    guard content.isComplete else { return }
    received = content.bytes
    finish()
  }

  func finish() {
    if let words = finished() { say(.finished, words, to: source) }
  }
}

/// Drags something in its own way, without looking at pointer or button.
final class RawSource: SelectionPeer {
  let pair: DragPair
  var version: UInt32 = 5

  init(_ pair: DragPair) {
    self.pair = pair
    super.init(pair.simulation, frame: Rect(x: 0, y: 500, width: 50, height: 50), owning: .xdndSelection)
    give(DragPair.text, as: .utf8String)
  }

  var statuses: [XdndMessage.Status] {
    heard.compactMap { if case .status(let status) = $0 { status } else { nil } }
  }
  var finished: [XdndMessage.Finished] {
    heard.compactMap { if case .finished(let finished) = $0 { finished } else { nil } }
  }

  func enter(_ types: [AtomName] = [.utf8String], hasList: Bool = false) {
    let atoms = types.prefix(3).map { server.atom($0).rawValue } + [0, 0, 0]
    say(
      .enter,
      MessageWords(
        l0: window.rawValue, l1: version << 24 | (hasList ? 1 : 0), l2: atoms[0], l3: atoms[1], l4: atoms[2]),
      to: pair.window)
  }

  func position(at point: Point = DragPair.inside, _ operation: DragOperation = .copy) {
    say(
      .position,
      MessageWords(
        l0: window.rawValue, l2: PackedPair.word(point), l3: server.time.rawValue, l4: atom(operation)),
      to: pair.window)
  }

  func leave() { say(.leave, MessageWords(l0: window.rawValue), to: pair.window) }

  func drop(at time: Timestamp? = nil) {
    say(.drop, MessageWords(l0: window.rawValue, l2: (time ?? server.time).rawValue), to: pair.window)
  }

  /// Enter and Position, with time for the answer.
  func hover(_ types: [AtomName] = [.utf8String], hasList: Bool = false) {
    enter(types, hasList: hasList)
    position()
    pair.run()
  }

  /// Enter, Position, Drop, with time for each.
  func dragAndDrop(_ types: [AtomName] = [.utf8String], hasList: Bool = false, at time: Timestamp? = nil) {
    hover(types, hasList: hasList)
    drop(at: time)
    pair.drive()
  }

  /// What holds after a drop on the pair's target.
  func expectDrop(_ result: DropResult, _ location: SourceLocation = #_sourceLocation) {
    #expect(pair.target.lastResult == result, sourceLocation: location)
    #expect(finished.count == 1, sourceLocation: location)
    pair.expectClean(location)
  }
}
