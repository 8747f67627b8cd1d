import FuzzRuns

@testable import XDnD

/// A source machine with a clock, driven through its inputs only.
struct SourceRun {
  typealias Effect = SourceMachine.Effect

  static let window = WindowID(rawValue: 0x200)
  static let pressed = Timestamp(rawValue: 1000)

  let peer = TargetPeer(0x100)
  let other = TargetPeer(0x101)
  var machine: SourceMachine
  var now = LoopTime.zero

  init(
    operations: [DragOperation] = [.copy, .move], types: [String] = ["text/plain"],
    policy: OperationPolicy = .firstOffered, button: PointerButton? = .primary, scale: Double = 1
  ) {
    self.machine = SourceMachine(
      offer: .init(
        source: Self.window, types: types.map { AtomName(rawValue: $0) }, operations: operations, policy: policy,
        button: button, time: Self.pressed, scale: scale))
  }

  mutating func callAsFunction(_ input: SourceMachine.Input) -> [Effect] { machine.receive(input, at: now) }

  mutating func callAsFunction(_ message: XdndMessage) -> [Effect] { machine.receive(.message(message), at: now) }

  /// Begins, up to the grab that is asked for.
  mutating func begin() {
    _ = self(.begin)
    _ = self(.claimed(true))
  }

  /// Begins, with the pointer over nothing.
  mutating func beginDragging() {
    begin()
    _ = self(.grabbed(sample(0, time: 1050), buttonIsDown: true))
    _ = locate(nil)
  }

  mutating func wait(_ duration: Duration) { now = now + duration }

  mutating func reachDeadline() -> [Effect] {
    now = machine.nextDeadline ?? now
    return self(.deadlineReached)
  }

  mutating func move(_ x: Int, _ y: Int = 0, time: UInt32 = 1100, keys: Modifiers = []) -> [Effect] {
    self(.pointerMoved(sample(x, y, time: time, keys: keys)))
  }

  mutating func release(_ x: Int, _ y: Int = 0, time: UInt32 = 1200, keys: Modifiers = []) -> [Effect] {
    self(.buttonReleased(.primary, sample(x, y, time: time, keys: keys)))
  }

  mutating func press(_ key: DragKey, time: UInt32 = 1150, keys: Modifiers = []) -> [Effect] {
    let point = if case .dragging(let dragging) = machine.state { dragging.pointer.point } else { Point(x: 0, y: 0) }
    return self(.keyPressed(key, sample(point.x, point.y, time: time, keys: keys)))
  }

  mutating func turnWheel(_ direction: WheelScroll.Direction, keys: Modifiers = []) -> [Effect] {
    self(.buttonPressed(PointerButton(rawValue: 4 + direction.rawValue), sample(0, keys: keys)))
  }

  /// Answers the question for what is under the pointer.
  mutating func locate(
    _ peer: TargetPeer?, version: ProtocolVersion = .v5, relation: DragRelation = .otherApplication
  ) -> [Effect] {
    self(.located(peer.map { target($0, version: version) }, relation))
  }

  func sample(_ x: Int, _ y: Int = 0, time: UInt32 = 1100, keys: Modifiers = []) -> PointerSample {
    PointerSample(point: Point(x: x, y: y), time: Timestamp(rawValue: time), modifiers: keys)
  }

  func target(_ peer: TargetPeer? = nil, version: ProtocolVersion = .v5) -> DropTarget {
    let window = (peer ?? self.peer).window
    return DropTarget(window: window, destination: window, version: version)
  }

  // MARK: What to expect

  func position(_ x: Int, _ y: Int = 0, time: UInt32 = 1100, asking operation: DragOperation? = .copy) -> XdndMessage {
    SourcePeer(Self.window.rawValue).position(x, y, time: time, operation)
  }

  func scroll(
    _ x: Int, _ direction: WheelScroll.Direction, keys: Modifiers = [], asking operation: DragOperation = .copy
  ) -> XdndMessage {
    .position(
      .init(
        source: Self.window, point: Point(x: x, y: 0), time: Timestamp(rawValue: 1100), operation: operation,
        scroll: WheelScroll(direction, modifiers: keys)))
  }

  func sends(_ message: XdndMessage, to peer: TargetPeer? = nil) -> Effect { .send(message, to: target(peer)) }

  var leave: XdndMessage { SourcePeer(Self.window.rawValue).leave() }

  // MARK: States

  /// Grabbed, over nothing.
  static func makeDragging(
    operations: [DragOperation] = [.copy, .move], types: [String] = ["text/plain"],
    policy: OperationPolicy = .firstOffered, button: PointerButton? = .primary, scale: Double = 1
  ) -> SourceRun {
    var run = SourceRun(operations: operations, types: types, policy: policy, button: button, scale: scale)
    run.beginDragging()
    return run
  }

  /// Over the target at 10,0, and the Status to the first Position is due.
  static func makeAwaitingStatus(
    operations: [DragOperation] = [.copy, .move], version: ProtocolVersion = .v5, button: PointerButton? = .primary
  ) -> SourceRun {
    var run = makeDragging(operations: operations, button: button)
    _ = run.move(10)
    _ = run.locate(run.peer, version: version)
    return run
  }

  /// Over the target at 10,0, which would take a drop.
  static func makeHovering(
    accepting operation: DragOperation = .copy, operations: [DragOperation] = [.copy, .move],
    version: ProtocolVersion = .v5, button: PointerButton? = .primary
  ) -> SourceRun {
    var run = makeAwaitingStatus(operations: operations, version: version, button: button)
    _ = run(run.peer.accept(operation))
    return run
  }

  /// The button went up over the target while its Status was due.
  static func makeReleasing() -> SourceRun {
    var run = makeAwaitingStatus()
    _ = run.release(10)
    _ = run.locate(run.peer)
    return run
  }

  static func makeDropped(
    _ operation: DragOperation = .copy, operations: [DragOperation] = [.copy, .move], version: ProtocolVersion = .v5
  ) -> SourceRun {
    var run = makeHovering(accepting: operation, operations: operations, version: version)
    _ = run.release(10)
    _ = run.locate(run.peer, version: version)
    return run
  }

  /// One run in each state, by name.
  static func makeAll() -> [(name: String, run: SourceRun)] {
    let ready = SourceRun()
    var claiming = ready
    _ = claiming(.begin)
    var grabbing = claiming
    _ = grabbing(.claimed(true))
    var ended = makeDragging()
    _ = ended(.cancel(.escape))
    return [
      ("ready", ready), ("claiming", claiming), ("grabbing", grabbing), ("dragging", makeDragging()),
      ("awaiting status", makeAwaitingStatus()), ("hovering", makeHovering()), ("releasing", makeReleasing()),
      ("dropped", makeDropped()), ("ended", ended),
    ]
  }
}

extension SourceMachine {
  /// Whether the user still holds the drag.
  var isHeld: Bool {
    switch state {
    case .claiming, .grabbing: true
    case .dragging(let dragging): dragging.release == nil
    case .ready, .dropped, .ended: false
    }
  }
}

extension Sequence<SourceMachine.Effect> {
  /// How the drag ended, each time that it is said.
  var outcomes: [DragOutcome] { compactMap { if case .ended(let outcome) = $0 { outcome } else { nil } } }

  /// What was sent, to whomever.
  var messages: [XdndMessage] { compactMap { if case .send(let message, _) = $0 { message } else { nil } } }

  /// Watches minus unwatches.
  var watchBalance: Int {
    reduce(0) {
      switch $1 {
      case .watch: $0 + 1
      case .unwatch: $0 - 1
      default: $0
      }
    }
  }
}
