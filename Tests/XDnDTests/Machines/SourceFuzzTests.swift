import TestSupport
import Testing

@testable import XDnD

@Suite(.computing, .exhaustive) struct SourceFuzzTests {
  static let targets = [TargetPeer(0x100), TargetPeer(0x101)]

  static let places = targets.enumerated().map { index, peer in
    DropPlace(
      target: DropTarget(window: peer.window, destination: peer.window, version: .v5), point: Point(x: index, y: 0))
  }
  static let keys: [DragKey] = [
    .nextTarget, .previousTarget, .arrow(dx: 1, dy: 0, isLarge: false), .arrow(dx: 0, dy: 1, isLarge: true), .drop,
    .cancel,
  ]

  func randomInput(_ random: inout SplitMix64) -> SourceMachine.Input {
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
  func likelyInput(after effects: [SourceMachine.Effect]) -> SourceMachine.Input? {
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

  @Test(arguments: [1, 2] as [UInt64])
  func `whatever comes, a drag keeps the order of the protocol and ends once`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var ends: [DragOutcome: Int] = [:]
    for _ in 0..<4000 {
      var machine = SourceRun(operations: [.copy, .move], button: random.oneIn(4) ? nil : .primary).machine
      var books = SourceBookkeeper()
      var now = LoopTime.zero
      var inputs: [SourceMachine.Input] = []
      var effects: [SourceMachine.Effect] = []
      func step(_ input: SourceMachine.Input) {
        inputs.append(input)
        books.hear(input, machine.state)
        effects = machine.receive(input, at: now)
        for effect in effects {
          books.see(effect)
          if case .ended(let outcome) = effect { ends[outcome, default: 0] += 1 }
        }
        if books.endCount > 0, machine.nextDeadline != nil { books.complaint = "a deadline after the end" }
      }
      for _ in 0..<40 {
        if random.oneIn(8) { now = now + .milliseconds(random.below(4000)) }
        let likely = random.oneIn(3) ? nil : likelyInput(after: effects)
        step(likely ?? randomInput(&random))
      }
      var patience = 3
      while let deadline = machine.nextDeadline, patience > 0 {
        now = max(now, deadline)
        patience -= 1
        step(.deadlineReached)
      }
      if machine.nextDeadline != nil { books.complaint = "time alone does not end it" }
      step(.cancel(.application))
      if books.endCount != 1 { books.complaint = "ended \(books.endCount) times" }
      guard books.complaint == nil else {
        Issue.record("\(books.complaint ?? "") after \(inputs)")
        return
      }
    }
    #expect(ends[.dropped(.copy), default: 0] > 20)
    #expect(ends[.dropped(.move), default: 0] > 20)
    #expect(ends[.refused, default: 0] > 20)
    #expect(ends[.timedOut, default: 0] > 20)
  }
}
