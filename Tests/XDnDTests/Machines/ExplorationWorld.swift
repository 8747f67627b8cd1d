@testable import XDnD

/// A source, a target, two links between them, a user, and somebody who means harm: all of it one value.
struct ExplorationWorld: Hashable {
  static let target = TargetPeer(0x100)
  static let source = SourcePeer(0x200)
  static let stranger = SourcePeer(0x300)
  static let offer = SourceMachine.Offer(
    source: source.window, types: [AtomName("text/plain")], operations: [.copy, .move], button: .primary,
    time: Timestamp(rawValue: 1000))

  /// One thing that may happen next.
  enum Event: Hashable {
    case deliverToTarget, deliverToSource
    case moveOver, moveAway, release, escape
    case tab, arrow, wheel, enterKey
    case readLists, accept, refuse, finishCopy, finishMove, reject, answerDeletion
    case sourceDeadline, targetDeadline
    case targetDies, sourceDies
    case strangerEnters, strangerDrops, strangerLeaves
    case forgedStatus, forgedFinished, repeatedDrop, unregister
  }

  private var sourceState: SourceMachine
  private var targetState: TargetMachine
  private var toTarget: [XdndMessage] = []
  private var toSource: [Letter] = []
  private var now = LoopTime.zero
  private var isTargetThere = true
  private var isSourceThere = true
  private var mischief = 0
  /// Whether the user knows the keys and the wheel.
  private let isSteered: Bool

  /// A message of the target, and whether it is about an earlier visit than the source's present one. The messages
  /// themselves do not say so.
  private struct Letter: Hashable {
    var message: XdndMessage
    var isStale: Bool
  }

  /// Whether the last Status that belongs to the present visit accepts.
  private var isWelcome = false
  /// Whether the source cannot tell which visit a Status belongs to: one was forged, or so much time has passed that it has
  /// forgotten what is owed.
  private var isUncertain = false

  // What has been asked and not been answered.
  private var isReading = false
  private var asked: TargetMachine.ProposalRequest?
  private var performing: SessionID?
  private var deleting: SessionID?

  private var books = SourceBookkeeper()
  private var owedFinished = 0
  private var owedToStranger = 0
  private var watches = 0
  private(set) var complaint: String?

  /// A drag that has begun, over nothing, in a world with one target.
  init(isSteered: Bool = false) {
    self.isSteered = isSteered
    self.sourceState = SourceMachine(offer: Self.offer)
    self.targetState = TargetMachine(
      window: Self.target.window, offer: DropOffer(["text/plain"], operations: [.copy, .move]))
    tellSource(.begin)
    tellSource(.claimed(true))
    tellSource(.grabbed(sample(99), buttonIsDown: true))
  }

  static func == (left: ExplorationWorld, right: ExplorationWorld) -> Bool {
    left.sourceState.state == right.sourceState.state && left.targetState.state == right.targetState.state
      && left.key == right.key
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(sourceState.state)
    hasher.combine(targetState.state)
    hasher.combine(key)
  }

  private var key: Key {
    Key(
      toTarget: toTarget, toSource: toSource, isWelcome: isWelcome, isUncertain: isUncertain, now: now,
      isTargetThere: isTargetThere, isSourceThere: isSourceThere,
      mischief: mischief, isReading: isReading, asked: asked, performing: performing, deleting: deleting,
      books: books, owedFinished: owedFinished, owedToStranger: owedToStranger)
  }

  private struct Key: Hashable {
    var toTarget: [XdndMessage]
    var toSource: [Letter]
    var isWelcome: Bool
    var isUncertain: Bool
    var now: LoopTime
    var isTargetThere: Bool
    var isSourceThere: Bool
    var mischief: Int
    var isReading: Bool
    var asked: TargetMachine.ProposalRequest?
    var performing: SessionID?
    var deleting: SessionID?
    var books: SourceBookkeeper
    var owedFinished: Int
    var owedToStranger: Int
  }

  // MARK: What may happen

  var possibleEvents: [Event] {
    var events: [Event] = []
    if !toTarget.isEmpty { events.append(.deliverToTarget) }
    if !toSource.isEmpty { events.append(.deliverToSource) }
    if isSourceThere, sourceState.isHeld {
      events += [.moveOver, .moveAway, .release, .escape]
      if isSteered { events += [.tab, .arrow, .wheel, .enterKey] }
    }
    if isReading { events.append(.readLists) }
    if asked != nil { events += [.accept, .refuse] }
    if performing != nil { events += [.finishCopy, .finishMove, .reject] }
    if deleting != nil { events.append(.answerDeletion) }
    if isSourceThere, sourceState.nextDeadline != nil { events.append(.sourceDeadline) }
    if targetState.nextDeadline != nil { events.append(.targetDeadline) }
    if mischief < 2 {
      if isTargetThere { events += [.targetDies, .strangerEnters, .strangerDrops, .strangerLeaves, .unregister] }
      if isSourceThere { events += [.sourceDies, .forgedStatus, .forgedFinished, .repeatedDrop] }
    }
    return events
  }

  mutating func perform(_ event: Event) {
    switch event {
    case .deliverToTarget: tellTarget(.message(toTarget.removeFirst()))
    case .deliverToSource:
      let letter = toSource.removeFirst()
      if case .status(let status) = letter.message, !letter.isStale { isWelcome = status.acceptance?.operation != nil }
      tellSource(.message(letter.message))
    case .moveOver: tellSource(.pointerMoved(sample(1)))
    case .moveAway: tellSource(.pointerMoved(sample(99)))
    case .release: tellSource(.buttonReleased(.primary, lastSample))
    case .escape: tellSource(.keyPressed(.cancel, lastSample))
    case .tab: tellSource(.keyPressed(.nextTarget, lastSample))
    case .arrow: tellSource(.keyPressed(.arrow(dx: 1, dy: 0, isLarge: false), lastSample))
    case .wheel: tellSource(.buttonPressed(PointerButton(rawValue: 4), lastSample))
    case .enterKey: tellSource(.keyPressed(.drop, lastSample))
    case .readLists:
      isReading = false
      tellTarget(.offered(types: nil, operations: Self.offer.operations.map(\.name), descriptions: []))
    case .accept: propose(.accept(.move))
    case .refuse: propose(.forbidden)
    case .finishCopy: finish(.copy)
    case .finishMove: finish(.move)
    case .reject: finish(nil)
    case .answerDeletion:
      if let session = deleting { tellTarget(.deletionAnswered(session)) }
      deleting = nil
    case .sourceDeadline:
      advance(to: sourceState.nextDeadline)
      tellSource(.deadlineReached)
    case .targetDeadline:
      advance(to: targetState.nextDeadline)
      tellTarget(.deadlineReached)
    default: harm(event)
    }
  }

  private mutating func advance(to deadline: LoopTime?) {
    guard let deadline, deadline > now else { return }
    if now + sourceState.timing.status <= deadline { isUncertain = true }
    now = deadline
  }

  private mutating func harm(_ event: Event) {
    mischief += 1
    switch event {
    case .targetDies:
      isTargetThere = false
      toTarget = []
      toSource = []
      owedFinished = 0
      owedToStranger = 0
      (isReading, asked, performing, deleting) = (false, nil, nil, nil)
      targetState = TargetMachine(window: Self.target.window, offer: targetState.offer)
      watches = 0
      tellSource(.windowVanished(Self.target.window))
    case .sourceDies:
      isSourceThere = false
      toTarget = []
      toSource = []
      owedFinished = 0
      tellTarget(.windowVanished(Self.source.window))
    case .strangerEnters: tellTarget(.message(Self.stranger.enter()))
    case .strangerDrops: tellTarget(.message(Self.stranger.drop()))
    case .strangerLeaves: tellTarget(.message(Self.stranger.leave()))
    case .repeatedDrop: tellTarget(.message(Self.source.drop()))
    case .forgedStatus:
      isUncertain = true
      tellSource(.message(Self.target.accept(.link)))
    case .forgedFinished: tellSource(.message(Self.target.finished(.move)))
    case .unregister: tellTarget(.unregister)
    default: break
    }
  }

  // MARK: Performing effects

  private func sample(_ x: Int) -> PointerSample {
    PointerSample(point: Point(x: x, y: 0), time: Timestamp(rawValue: 1001))
  }

  private var lastSample: PointerSample {
    if case .dragging(let dragging) = sourceState.state { dragging.pointer } else { sample(99) }
  }

  private mutating func tellSource(_ input: SourceMachine.Input) {
    guard isSourceThere else { return }
    books.hear(input, sourceState.state)
    for effect in sourceState.receive(input, at: now) {
      books.see(effect)
      switch effect {
      case .send(let message, _): send(message)
      case .movePointer(.to(let point), _): tellSource(.pointerMoved(sample(point.x)))
      case .movePointer(.by(let dx, _), _): tellSource(.pointerMoved(sample(lastSample.point.x + dx)))
      case .listDropPlaces:
        let window = Self.target.window
        let place = DropPlace(
          target: DropTarget(window: window, destination: window, version: .v5), point: Point(x: 1, y: 0))
        tellSource(.dropPlaces(isTargetThere ? [place] : []))
      case .locateTarget(let point):
        let isOver = point.x == 1 && isTargetThere
        let window = Self.target.window
        tellSource(.located(isOver ? DropTarget(window: window, destination: window, version: .v5) : nil))
      default: break
      }
    }
    complaint = complaint ?? books.complaint
  }

  private mutating func send(_ message: XdndMessage) {
    switch message.kind {
    case .enter:
      for index in toSource.indices { toSource[index].isStale = true }
      isWelcome = false
    case .drop where !isWelcome && !isUncertain: complaint = "dropped without an acceptance of this visit"
    default: break
    }
    if isTargetThere { toTarget.append(message) }
  }

  private mutating func tellTarget(_ input: TargetMachine.Input) {
    guard isTargetThere else { return }
    if case .message(.drop(let drop)) = input {
      if drop.source == Self.source.window, isSourceThere { owedFinished += 1 }
      if drop.source == Self.stranger.window { owedToStranger += 1 }
    }
    for effect in targetState.receive(input, at: now) {
      switch effect {
      case .watch: watches += 1
      case .unwatch: watches -= 1
      case .readOffer: isReading = true
      case .askForProposal(let request): asked = request
      case .exited(let session, _): if asked?.session == session { asked = nil }
      case .dropped(let session, _): performing = session
      case .requestDeletion(let session): deleting = session
      case .ended(let session, _):
        if performing == session { performing = nil }
        if deleting == session { deleting = nil }
      case .checkSource(let source):
        tellTarget(.sourceChecked(isAlive: source == Self.source.window && isSourceThere && books.endCount == 0))
      case .send(let message, let source, _): deliver(message, to: source)
      default: break
      }
    }
    if watches < 0 { complaint = "the target unwatched what was not watched" }
  }

  private mutating func deliver(_ message: XdndMessage, to source: WindowID) {
    if case .finished = message {
      if source == Self.stranger.window { owedToStranger -= 1 } else if isSourceThere { owedFinished -= 1 }
      if owedFinished < 0 || owedToStranger < 0 { complaint = "Finished without Drop" }
    }
    guard source == Self.source.window, isSourceThere else { return }
    toSource.append(Letter(message: message, isStale: toTarget.contains { $0.kind == .enter }))
  }

  private mutating func propose(_ proposal: DropProposal) {
    if let request = asked { tellTarget(.proposal(proposal, to: request)) }
    asked = nil
  }

  private mutating func finish(_ operation: DragOperation?) {
    guard let session = performing else { return }
    performing = nil
    tellTarget(.finish(session, operation))
  }

  // MARK: Patience

  /// The user lets go, messages arrive, nobody answers anything, and time passes.
  func complaintAfterWaiting() -> String? {
    var world = self
    world.mischief = 2
    if world.isSourceThere, world.sourceState.isHeld { world.perform(.release) }
    for _ in 0..<40 {
      while !world.toTarget.isEmpty { world.perform(.deliverToTarget) }
      while !world.toSource.isEmpty { world.perform(.deliverToSource) }
      if world.isReading { world.perform(.readLists) }
      let deadlines = [world.isSourceThere ? world.sourceState.nextDeadline : nil, world.targetState.nextDeadline]
      guard let next = deadlines.compactMap({ $0 }).min() else { break }
      world.perform(next == deadlines[0] ? .sourceDeadline : .targetDeadline)
    }
    if let complaint = world.complaint { return complaint }
    if world.isSourceThere, world.books.endCount != 1 { return "the source waits for ever" }
    if world.targetState.nextDeadline != nil { return "the target waits for ever" }
    if world.owedFinished != 0 || world.owedToStranger != 0 { return "a Finished is owed for ever" }
    if world.watches != 0 { return "the target watches for ever" }
    return nil
  }
}
