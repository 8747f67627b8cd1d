// Only debug builds and fuzzers have `@testable` imports, and `swift build -c release` builds this target, too.
#if DEBUG || XDND_FUZZ

@testable package import XDnD

/// Knows what a target owes its sources and the application.
private struct TargetBookkeeper {
  var owedFinished: [WindowID: Int] = [:]
  var owedStatus: [WindowID: Int] = [:]
  var watches = 0
  var visiting: Set<SessionID> = []
  var performing: Set<SessionID> = []
  /// What the application was asked lately.
  var asked: [TargetMachine.ProposalRequest] = []
  var complaints: [String] = []

  mutating func hear(_ input: TargetMachine.Input) {
    switch input {
    case .message(.drop(let drop), _): owedFinished[drop.source, default: 0] += 1
    case .message(.position(let position), _): owedStatus[position.source, default: 0] += 1
    default: break
    }
  }

  mutating func see(_ effect: TargetMachine.Effect) {
    switch effect {
    case .watch: watches += 1
    case .unwatch: watches -= 1
    case .send(.finished, let source, _):
      owedFinished[source, default: 0] -= 1
      if owedFinished[source, default: 0] < 0 { complaints.append("Finished without Drop") }
    case .send(.status(let status), let source, _):
      owedStatus[source, default: 0] -= 1
      if owedStatus[source, default: 0] < 0 { complaints.append("Status without Position") }
      if status.acceptance?.operation == nil, status.acceptance != nil { complaints.append("accepted nothing") }
    case .send: complaints.append("sent what only sources send")
    case .entered(let session, _, _, _):
      if !visiting.insert(session).inserted { complaints.append("entered twice") }
    case .exited(let session, _):
      if visiting.remove(session) == nil { complaints.append("exited without having entered") }
    case .dropped(let session, _):
      if visiting.remove(session) == nil { complaints.append("dropped without having entered") }
      if !performing.insert(session).inserted { complaints.append("dropped twice") }
    case .ended(let session, _):
      if performing.remove(session) == nil { complaints.append("ended without drop") }
    case .askForProposal(let request):
      if !visiting.contains(request.session) { complaints.append("asked about no visit") }
      asked = asked.suffix(2) + [request]
    default: break
    }
    if watches < 0 { complaints.append("unwatched what was not watched") }
  }
}

/// Visits and drops that a target machine goes through, with anything that may happen to it.
package struct TargetFuzz {
  package private(set) var inputs: [TargetMachine.Input] = []
  package private(set) var complaints: [String] = []

  /// - Parameters:
  ///   - isUnregistered: Whether the window is unregistered at the end. Otherwise only time passes.
  ///   - tamper: Changes the effects of the machine, to show that a fault is found.
  package init(
    _ random: inout some Choices, steps: Int = 30, isUnregistered: Bool,
    tamper: (TargetMachine.Effect) -> [TargetMachine.Effect] = { [$0] }
  ) {
    var machine = TargetMachine(
      window: WindowID(rawValue: 0x100), offer: DropOffer([.plainText], operations: [.copy, .move]))
    var books = TargetBookkeeper()
    var now = LoopTime.zero
    @discardableResult func step(_ input: TargetMachine.Input) -> [TargetMachine.Effect] {
      books.hear(input)
      let effects = machine.receive(input, at: now)
      for effect in effects.flatMap(tamper) { books.see(effect) }
      // The dead are owed nothing.
      if case .windowVanished(let window) = input { books.owedFinished[window] = 0 }
      return effects
    }
    for _ in 0..<steps where !random.isOver {
      if random.oneIn(8) { now = now + .milliseconds(random.below(8000)) }
      inputs.append(Self.randomInput(&random, machine.state.lastSession, books.asked))
      step(inputs[inputs.count - 1])
    }
    if isUnregistered {
      step(.unregister)
    } else {
      // Only time passes, and nobody is there any more when it is asked.
      for _ in 0..<1000 {
        guard let deadline = machine.nextDeadline else { break }
        now = max(now, deadline)
        for case .checkSource in step(.deadlineReached) { step(.sourceChecked(isAlive: false)) }
      }
    }
    if !books.owedFinished.values.allSatisfy({ $0 == 0 }) { books.complaints.append("Finished is owed") }
    if machine.nextDeadline != nil { books.complaints.append("a deadline is left") }
    if books.watches != 0 { books.complaints.append("\(books.watches) watches are left") }
    if !books.visiting.isEmpty || !books.performing.isEmpty { books.complaints.append("the application waits") }
    complaints = books.complaints
  }

  /// What nobody asks.
  private static let nothing = TargetMachine.ProposalRequest(
    session: SessionID(rawValue: 0), point: Point(x: 0, y: 0), time: .currentTime, requested: nil,
    content: OfferedContent(), suggested: .forbidden)

  private static let sources = [SourcePeer(0x200), SourcePeer(0x300)]

  private static func randomInput(
    _ random: inout some Choices, _ last: SessionID, _ asked: [TargetMachine.ProposalRequest]
  ) -> TargetMachine.Input {
    let source = random.pick(Self.sources)
    let session = SessionID(rawValue: max(0, last.rawValue - random.below(3)))
    let operation: DragOperation? = random.pick([nil, .copy, .move, .link, .ask, .private])
    let names = ["text/plain", "image/png", "TEXT/PLAIN", "", "XdndActionMove", "XdndActionCopy", "copy"]
    func list() -> [AtomName]? {
      random.oneIn(4) ? nil : (0..<random.below(4)).map { _ in AtomName(rawValue: random.pick(names)) }
    }
    switch random.below(16) {
    case 0, 1: return .message(source.enter(version: random.pick([2, 3, 4, 5, 9]), hasTypeList: random.oneIn(2)))
    case 2, 3: return .message(source.position(random.below(9), random.below(9), operation))
    case 4: return .message(source.leave())
    case 5, 6: return .message(source.drop())
    case 7, 8: return .offered(types: list(), operations: list(), descriptions: [])
    case 9, 10:
      let request = asked.isEmpty ? Self.nothing : random.pick(asked)
      return .proposal(operation.map { .accept($0) } ?? .forbidden, to: request)
    case 11: return .finish(session, operation)
    case 12: return .deletionAnswered(session)
    case 13:
      return random.pick([
        .progressed(session), .askingUser(session), .working(session), .operationsChanged(list()), .deadlineReached,
        .accepting(DropOffer([random.oneIn(2) ? .plainText : .png])),
      ])
    case 14: return random.pick([.selectionReleased, .sourceChecked(isAlive: random.oneIn(2)), .deadlineReached])
    default:
      return random.pick([
        .windowVanished(source.window), .unregister, .message(TargetPeer(1).refuse()), .deadlineReached,
      ])
    }
  }
}

#endif
