import Logging

/// Runs one drop target: a window that takes drops.
final class TargetRunner {
  private(set) var machine: TargetMachine {
    didSet { alarm.time = machine.nextDeadline }
  }
  private let window: WindowID
  /// The window that converts the content of drops.
  private let requestor: WindowID
  private let context: DriverContext
  private let drops: DropTable
  private let loads: LoadRunner
  private let saves: SaveRunner
  private lazy var alarm = context.alarms.alarm { [unowned self] in answer(.deadlineReached) }
  /// The last question about an offer, until it is answered: that of the present visit, or of one that has ended.
  private var offerQuestion: Question?
  /// The present visit, if it began while the question about an earlier one was not answered. Nothing has been asked about it.
  private var postponed: Visitor?
  /// The question for the window's place in this visit; `nil` once it is answered.
  private var placeQuestion: Question?
  /// The offer of the present visit, until the window's place is known: the application may ask for the place as soon as it
  /// hears of the visit.
  private var heldOffer: SourceOffer?
  /// The last check of a source.
  private var check: Question?
  /// The question for an action list that has changed.
  private var listQuestion: Question?
  /// What has happened since that question, in order. A source changes the list and then sends a position that the new
  /// list counts for, so the machine hears of the list first.
  private var held: [Held] = []
  /// The window that each source addresses, if it is not the target: the target's proxy. Answers name it.
  private(set) var addressees: [WindowID: WindowID] = [:]

  /// A visit, and what the window system is asked about it.
  private struct Visitor {
    var session: SessionID?
    var source: WindowID
    var hasTypeList: Bool
  }

  private enum Held: Equatable {
    case input(TargetMachine.Input)
    case listChange(WindowID)
  }

  init(
    _ machine: TargetMachine, of window: WindowID, requestor: WindowID, _ context: DriverContext, drops: DropTable,
    loads: LoadRunner, saves: SaveRunner
  ) {
    self.machine = machine
    self.window = window
    self.requestor = requestor
    self.context = context
    self.drops = drops
    self.loads = loads
    self.saves = saves
  }

  func setOffer(_ offer: DropOffer) { machine.offer = offer }

  /// Notes which window a source addresses: the target, or its proxy. Chromium names the proxy, and so does GTK 4 when it
  /// is under the pointer.
  func noteAddressee(_ addressee: WindowID, of source: WindowID) {
    addressees[source] = addressee == window ? nil : addressee
  }

  /// - Returns: Whether the window is unregistered now.
  func receive(_ input: TargetMachine.Input) -> Bool {
    if listQuestion != nil {
      // After the loss of the connection there is no answer.
      let isWaiting = input != .unregister && !context.system.isClosed
      if isWaiting, input.isNews {
        held.append(.input(input))
        return false
      }
      if !isWaiting { abandonQuestion() }
    }
    let effects = machine.receive(input, at: context.now)
    for effect in effects {
      context.logger.trace("target", metadata: ["window": "\(window)", "effect": "\(effect)"])
      perform(effect)
    }
    // Any client may write any number as the source of a message.
    if held.isEmpty { addressees = addressees.filter { machine.state.isVisited(by: $0.key) } }
    return effects.contains(.unregistered)
  }

  private func perform(_ effect: TargetMachine.Effect) {
    switch effect {
    case .watch: break  // With its offer.
    case .unwatch(let source):
      let session = machine.state.hover.visit?.session
      if let visitor = postponed, visitor.source == source, visitor.session != session { return postponed = nil }
      context.system.unfollow(window)
      context.system.unwatch(source, for: [.destruction, .properties])
    case .readOffer(let source, let typeList):
      let visitor = Visitor(session: machine.state.hover.visit?.session, source: source, hasTypeList: typeList)
      // However many visits a peer begins and ends in a round trip, the window system is asked about the first and the last.
      if offerQuestion == nil { ask(about: visitor) } else { postponed = visitor }
    case .checkSource(let source):
      check = context.system.checkSource(source) { [unowned self] isAlive in
        if machine.state.hover.source == source { _ = receive(.sourceChecked(isAlive: isAlive)) }
      }
    case .send(let message, let source, let version):
      let message = message.answering(as: addressees[source] ?? window)
      context.exchange.sent(message.words, to: source)
      context.system.send(message, version: version, to: source, via: source)
    case .requestDeletion(let session):
      guard let drop = drops[session] else { return answer(.deletionAnswered(session)) }
      loads.convert(.delete, .init(of: session, drop), purpose: .deletion, limits: context.timing.incoming)
    case .renewLease(let session): loads.renewLease(of: session)
    case .entered(let session, let source, let version, let content):
      drops.enter(session, window, requestor: requestor, source: source)
      tell(.entered(session, source: source, version: version, content))
    case .unregistered: break  // ``DropTargets`` removes this runner.
    case .askForProposal(let request): tell(.proposalNeeded(request))
    case .scrolled(let session, let scroll, let point): tell(.scrolled(session, scroll, at: point))
    case .exited(let session, let reason):
      drops.end(session)
      tell(.exited(session, reason))
    case .dropped(let session, let details):
      drops.drop(session, at: details.time)
      tell(.dropped(session, details))
    case .ended(let session, let result):
      context.answer(saves.jobsForEnd(of: session) + loads.jobsForEnd(of: session))
      // The source of a drop whose Finished is withheld is kept waiting.
      if machine.state.drops[session] == nil { drops.end(session) }
      tell(.ended(session, result))
    case .answered(let session): drops.end(session)
    case .ignored(let violation): context.report(violation, as: .target(window, .ignored(violation)))
    }
  }

  /// Watches a visitor, and asks for the place of this window and for the offer.
  private func ask(about visitor: Visitor) {
    // Before the offer is asked for: the answers are there when the application hears of the visit.
    heldOffer = nil
    placeQuestion = context.system.follow(window) { [unowned self] in placeSettled() }
    context.system.watchSoon(visitor.source, for: .destruction)
    offerQuestion = context.system.readOffer(of: visitor.source, typeList: visitor.hasTypeList) { [unowned self] in
      offerRead($0)
    }
  }

  private func answer(_ input: TargetMachine.Input) { context.answer([.target(window, input)]) }

  private func tell(_ notice: Notice.TargetNotice) { context.tell(.target(window, notice)) }

  // MARK: Answers of the window system

  private func offerRead(_ offer: SourceOffer) {
    offerQuestion = nil
    if let visitor = postponed {
      postponed = nil
      return ask(about: visitor)
    }
    guard placeQuestion == nil else { return heldOffer = offer }
    offered(offer)
  }

  private func placeSettled() {
    placeQuestion = nil
    if let offer = heldOffer { offered(offer) }
    heldOffer = nil
  }

  private func offered(_ offer: SourceOffer) {
    _ = receive(.offered(types: offer.types, operations: offer.operations, descriptions: offer.descriptions))
  }

  /// Asks for the action list of the source that is over the window.
  func operationsChanged(of source: WindowID) {
    guard listQuestion == nil else {
      // The next question is answered with the newest list.
      if !held.contains(.listChange(source)) { held.append(.listChange(source)) }
      return
    }
    guard machine.state.hover.source == source else { return }
    listQuestion = context.system.requestAtoms(
      in: .xdndActionList, of: source, type: .atom, limit: Negotiation.offerLimit
    ) { [unowned self] in operationsRead($0) }
  }

  private func operationsRead(_ operations: [AtomName?]?) {
    listQuestion = nil
    // Newer than the list that was read with the offer.
    heldOffer?.operations = operations?.compactMap(\.self)
    heldOffer?.descriptions = []
    let jobs = held.map { held in
      switch held {
      case .input(let input): Job.target(window, input)
      case .listChange(let source): Job.event(.propertyChanged(.xdndActionList, of: source))
      }
    }
    held = []
    context.answer([.target(window, .operationsChanged(operations?.compactMap(\.self)))] + jobs)
  }

  private func abandonQuestion() {
    listQuestion = nil
    let inputs = held
    held = []
    for case .input(let input) in inputs { _ = receive(input) }
  }
}

extension XdndMessage {
  /// The answer of a target, in the name of the window that the source has addressed.
  fileprivate func answering(as window: WindowID) -> XdndMessage {
    switch self {
    case .status(var status):
      status.target = window
      return .status(status)
    case .finished(var finished):
      finished.target = window
      return .finished(finished)
    case .enter, .position, .leave, .drop: return self
    }
  }
}

extension TargetMachine.Input {
  /// Whether a source or the server is the origin, and not the application or the driver.
  fileprivate var isNews: Bool {
    switch self {
    case .message, .windowVanished, .selectionReleased, .sourceChecked: true
    case .offered, .operationsChanged, .proposal, .reconsidered, .finish, .progressed, .askingUser, .working,
      .deletionAnswered, .unregister, .deadlineReached:
      false
    }
  }
}
