// Only debug builds and fuzzers have `@testable` imports, and `swift build -c release` builds this target, too.
#if DEBUG || XDND_FUZZ

@testable package import XDnD

/// What must hold for whatever a source machine does; the search through all drags uses it, too.
package struct SourceBookkeeper: Hashable {
  package var holdsGrab = false
  package var watched: WindowID?
  /// Whom the last Enter went to, until Leave or Drop.
  package var entered: WindowID?
  package var isStatusDue = false
  /// Whether the last Status of the target was a yes.
  package var isWelcome = false
  package var hasDropped = false
  package var endCount = 0
  package var isServerLost = false
  package var complaint: String?

  package init() {}

  package mutating func hear(_ input: SourceMachine.Input, _ state: SourceMachine.State) {
    switch input {
    case .serverLost: isServerLost = true
    case .grabFailed, .grabRefused: if case .grabbing = state { holdsGrab = false }
    case .message(.status(let status)):
      guard let entered, status.target == entered else { return }
      isStatusDue = false
      isWelcome = status.acceptance != nil
    default: break
    }
  }

  package mutating func see(_ effect: SourceMachine.Effect) {
    if case .ignored = effect { return }
    if endCount > 0 { complaint = "did something after the end" }
    switch effect {
    case .grab: holdsGrab = true
    case .movePointer, .listDropPlaces:
      if !holdsGrab { complaint = "moved the pointer without the grab" }
    case .ungrab:
      if !holdsGrab { complaint = "let go what was not held" }
      holdsGrab = false
    case .watch(let window):
      if watched != nil { complaint = "watched two windows" }
      watched = window
    case .unwatch(let window):
      if watched != window { complaint = "unwatched what was not watched" }
      watched = nil
      entered = nil
    case .send(let message, let target): see(message, to: target.window)
    case .ended:
      endCount += 1
      if endCount > 1 { complaint = "ended twice" }
      if !isServerLost, holdsGrab { complaint = "kept the grab" }
      if !isServerLost, watched != nil { complaint = "kept a watch" }
    default: break
    }
  }

  private mutating func see(_ message: XdndMessage, to target: WindowID) {
    if hasDropped { complaint = "spoke after the Drop" }
    switch message {
    case .enter:
      if entered != nil { complaint = "entered without having left" }
      entered = target
      isStatusDue = false
      isWelcome = false
      return
    case .position:
      if isStatusDue { complaint = "two Positions without Status" }
      isStatusDue = true
    case .leave: isStatusDue = false
    case .drop:
      if holdsGrab { complaint = "dropped with the grab" }
      if isStatusDue { complaint = "dropped before the Status" }
      if !isWelcome { complaint = "dropped where it was not welcome" }
      hasDropped = true
    case .status, .finished: complaint = "sent what only targets send"
    }
    if entered != target { complaint = "spoke to a target that was not entered" }
    if message.kind == .leave { entered = nil }
  }
}

/// A drag that a source machine goes through, with anything that may happen to it.
package struct SourceFuzz {
  package private(set) var inputs: [SourceMachine.Input] = []
  package private(set) var outcomes: [DragOutcome] = []
  private var books = SourceBookkeeper()

  /// What went wrong; `nil` if nothing has.
  package var complaint: String? { books.complaint }

  /// - Parameter tamper: Changes the effects of the machine, to show that a fault is found.
  package init(
    _ random: inout some Choices, steps: Int = 40,
    tamper: (SourceMachine.Effect) -> [SourceMachine.Effect] = { [$0] }
  ) {
    var machine = SourceMachine(
      offer: .init(
        source: WindowID(rawValue: 0x200), types: [AtomName("text/plain")], operations: [.copy, .move],
        policy: .firstOffered, button: random.oneIn(4) ? nil : .primary, time: Timestamp(rawValue: 1000), scale: 1))
    var now = LoopTime.zero
    var effects: [SourceMachine.Effect] = []
    func step(_ input: SourceMachine.Input, _ run: inout SourceFuzz) {
      run.inputs.append(input)
      run.books.hear(input, machine.state)
      effects = machine.receive(input, at: now)
      for effect in effects.flatMap(tamper) {
        run.books.see(effect)
        if case .ended(let outcome) = effect { run.outcomes.append(outcome) }
      }
      if run.books.endCount > 0, machine.nextDeadline != nil { run.books.complaint = "a deadline after the end" }
    }
    for _ in 0..<steps where !random.isOver {
      if random.oneIn(8) { now = now + .milliseconds(random.below(4000)) }
      let likely = random.oneIn(3) ? nil : Self.likelyInput(after: effects)
      step(likely ?? Self.randomInput(&random), &self)
      if complaint != nil { return }
    }
    var patience = 3
    while let deadline = machine.nextDeadline, patience > 0 {
      now = max(now, deadline)
      patience -= 1
      step(.deadlineReached, &self)
    }
    if machine.nextDeadline != nil { books.complaint = "time alone does not end it" }
    step(.cancel(.application), &self)
    if books.endCount != 1 { books.complaint = "ended \(books.endCount) times" }
  }

  private static let targets = [TargetPeer(0x100), TargetPeer(0x101)]

  private static let places = targets.enumerated().map { index, peer in
    DropPlace(
      target: DropTarget(window: peer.window, destination: peer.window, version: .v5), point: Point(x: index, y: 0))
  }
  private static let keys: [DragKey] = [
    .nextTarget, .previousTarget, .arrow(dx: 1, dy: 0, isLarge: false), .arrow(dx: 0, dy: 1, isLarge: true), .drop,
    .cancel,
  ]

  private static func randomInput(_ random: inout some Choices) -> SourceMachine.Input {
    let target = random.pick(Self.targets)
    let operation: DragOperation? = random.pick([nil, .copy, .move, .link, .private])
    let sample = PointerSample(
      point: Point(x: random.below(4), y: 0), time: Timestamp(rawValue: 990 + UInt32(random.below(99))),
      modifiers: random.pick([[], [.shift], [.control]]))
    let located: DropTarget? =
      random.oneIn(4) ? nil : DropTarget(window: target.window, destination: target.window, version: .v5)
    switch random.below(24) {
    case 20: return .keyPressed(random.pick(Self.keys), sample)
    case 21:
      let button = PointerButton(rawValue: UInt32(random.below(7) + 1))
      return random.oneIn(2) ? .buttonPressed(button, sample) : .buttonReleased(button, sample)
    case 22: return .dropPlaces(random.oneIn(3) ? [] : Self.places)
    case 23:
      return .offerChanged(
        types: random.pick([[.utf8String], [.utf8String, AtomName("text/uri-list")]]),
        operations: random.pick([[.copy], [.move, .copy], [.link]]))
    case 0, 1: return .begin
    case 2: return .claimed(!random.oneIn(8))
    case 3:
      return random.oneIn(8)
        ? random.pick([.grabFailed, .grabRefused]) : .grabbed(sample, buttonIsDown: !random.oneIn(8))
    case 4: return .pointerMoved(sample)
    case 5, 6, 7: return .located(located)
    case 8, 9: return .message(target.accept(operation))
    case 10: return .message(target.accept(operation, quietIn: Rect(x: 0, y: 0, width: 2, height: 2)))
    case 11: return .message(target.refuse())
    case 12: return .buttonReleased(PointerButton(rawValue: UInt32(random.below(2) + 1)), sample)
    case 13: return .message(random.oneIn(2) ? target.finished(operation) : target.failed())
    case 14:
      return random.pick([
        .modifiersChanged(sample), .stackingChanged, .transferProgressed, .transferFailed, .contentDelivered,
        .savedDirectly, .directSaveFailed, .preparationNeeded, .prepared(true), .prepared(false),
      ])
    case 15: return random.oneIn(4) ? .windowVanished(target.window) : .deadlineReached
    case 16: return .message(SourcePeer(7).drop())
    case 17: return random.oneIn(8) ? .cancel(random.pick([.escape, .grabLost, .selectionLost, .application])) : .begin
    case 18: return random.oneIn(20) ? .serverLost : .deadlineReached
    default: return .located(located)
    }
  }

  /// What a well-behaved world would answer to the last of `effects`.
  private static func likelyInput(after effects: [SourceMachine.Effect]) -> SourceMachine.Input? {
    let target = Self.targets[0]
    return switch effects.last {
    case .claimSelection: .claimed(true)
    case .grab:
      .grabbed(
        PointerSample(point: Point(x: 0, y: 0), time: Timestamp(rawValue: 1001)), buttonIsDown: true)
    case .locateTarget: .located(DropTarget(window: target.window, destination: target.window, version: .v5))
    case .send(.position(let position), let target):
      .message(TargetPeer(target.window.rawValue).accept(position.operation))
    case .dropSent(let operation, _): .message(target.finished(operation))
    case .listDropPlaces: .dropPlaces(Self.places)
    case .movePointer(.to(let point), let time): .pointerMoved(PointerSample(point: point, time: time))
    default: nil
    }
  }
}

#endif
