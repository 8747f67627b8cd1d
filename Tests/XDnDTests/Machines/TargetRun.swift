import FuzzRuns

@testable import XDnD

/// A target machine with a clock, driven through its inputs only.
struct TargetRun {
  typealias Effect = TargetMachine.Effect

  static let window = WindowID(rawValue: 0x100)

  let source = SourcePeer(0x200)
  let rival = SourcePeer(0x300)
  var machine: TargetMachine
  var now = LoopTime.zero
  /// What the application was asked last.
  var asked = TargetMachine.ProposalRequest.nothing

  init(operations: [DragOperation] = [.copy, .move, .link]) {
    self.machine = TargetMachine(window: Self.window, offer: DropOffer([.plainText, .png], operations: operations))
  }

  /// The visit or drop that began last.
  var session: SessionID { machine.state.lastSession }

  mutating func callAsFunction(_ input: TargetMachine.Input) -> [Effect] {
    let effects = machine.receive(input, at: now)
    for case .askForProposal(let request) in effects { asked = request }
    return effects
  }

  mutating func callAsFunction(_ message: XdndMessage) -> [Effect] { self(.message(message)) }

  mutating func wait(_ duration: Duration) { now = now + duration }

  /// Waits until the next deadline and reports it.
  mutating func reachDeadline() -> [Effect] {
    now = machine.nextDeadline ?? now
    return self(.deadlineReached)
  }

  mutating func offered(
    _ types: [String]? = nil, operations: [String]? = ["XdndActionCopy", "XdndActionMove"], descriptions: [String] = []
  ) -> [Effect] {
    self(
      .offered(
        types: types?.map { AtomName(rawValue: $0) }, operations: operations?.map { AtomName(rawValue: $0) },
        descriptions: descriptions))
  }

  mutating func propose(_ operation: DragOperation?) -> [Effect] {
    self(.proposal(operation.map { .accept($0) } ?? .forbidden, to: asked))
  }

  mutating func finish(_ operation: DragOperation?) -> [Effect] { self(.finish(session, operation)) }

  // MARK: What to expect

  func status(_ operation: DragOperation?, to source: SourcePeer? = nil, version: ProtocolVersion = .v5) -> Effect {
    .send(
      .status(.init(target: Self.window, acceptance: operation.map { .init(operation: $0) })),
      to: (source ?? self.source).window, version: version)
  }

  func finished(_ operation: DragOperation, to source: SourcePeer? = nil, version: ProtocolVersion = .v5) -> Effect {
    .send(
      .finished(.init(target: Self.window, result: .accepted(operation))), to: (source ?? self.source).window,
      version: version)
  }

  func failed(to source: SourcePeer? = nil) -> Effect {
    .send(
      .finished(.init(target: Self.window, result: .refused)), to: (source ?? self.source).window, version: .v5)
  }

  func entered(_ types: [ContentType], _ operations: [DragOperation] = [.copy, .move]) -> Effect {
    .entered(session, source: source.window, version: .v5, OfferedContent(types: types, operations: operations))
  }

  func dropped(_ operation: DragOperation, time: UInt32 = 2000, x: Int = 10, y: Int = 20) -> Effect {
    .dropped(
      session,
      .init(
        time: Timestamp(rawValue: time), operation: operation, point: Point(x: x, y: y),
        content: OfferedContent(types: ["text/plain"], operations: [.copy, .move])))
  }

  func ends(_ result: DropResult) -> [Effect] { [.unwatch(source.window), .ended(session, result)] }

  func exits(_ reason: DropExit) -> [Effect] { [.unwatch(source.window), .exited(session, reason)] }

  // MARK: States

  enum Stage: CaseIterable {
    case outside, reading, readingWithPosition, hovering, proposing, accepted, refused
    case readingWithDrop, proposingWithDrop, performing, deleting

    var hasVisit: Bool {
      switch self {
      case .outside, .performing, .deleting: false
      default: true
      }
    }

    /// Whether the source has dropped and waits for Finished.
    var owesFinished: Bool {
      switch self {
      case .readingWithDrop, .proposingWithDrop, .performing, .deleting: true
      default: false
      }
    }
  }

  static func make(_ stage: Stage) -> TargetRun {
    var run = TargetRun()
    let source = run.source
    let messages: [XdndMessage] =
      switch stage {
      case .outside: []
      case .reading, .hovering: [source.enter()]
      case .readingWithPosition: [source.enter(), source.position()]
      case .readingWithDrop: [source.enter(), source.position(), source.drop()]
      default: [source.enter(), source.position()]
      }
    for message in messages { _ = run(message) }
    switch stage {
    case .outside, .reading, .readingWithPosition, .readingWithDrop: return run
    default: _ = run.offered()
    }
    switch stage {
    case .accepted, .performing, .deleting: _ = run.propose(.move)
    case .refused: _ = run.propose(nil)
    case .proposingWithDrop: _ = run(source.drop())
    default: break
    }
    if stage == .performing || stage == .deleting { _ = run(source.drop()) }
    if stage == .deleting { _ = run.finish(.move) }
    return run
  }
}

extension TargetMachine.ProposalRequest {
  /// What nobody asks.
  static let nothing = Self(
    session: SessionID(rawValue: 0), point: Point(x: 0, y: 0), time: .currentTime, requested: nil,
    content: OfferedContent(), suggested: .forbidden)

  /// The operations that may be answered.
  var permitted: [DragOperation] { content.permittedOperations(requested: requested) }
}

extension Sequence<TargetMachine.Effect> {
  /// How many Finished went to `source`.
  func finishedCount(to source: SourcePeer) -> Int {
    count { if case .send(.finished, source.window, _) = $0 { true } else { false } }
  }

  /// How many Status went to `source`.
  func statusCount(to source: SourcePeer) -> Int {
    count { if case .send(.status, source.window, _) = $0 { true } else { false } }
  }

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
