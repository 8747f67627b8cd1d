import Logging

/// A window that takes drops.
final class DropTargetWindow {
  let window: WindowID
  var host: DropHost {
    didSet { receive(.accepting(host.offer)) }
  }
  /// The proxy of the window, if the window is another client's.
  let proxy: TargetProxy?
  /// Relays drags to the window's own client, if that takes drops, too.
  private var relay: DragRelay?
  private(set) var machine: TargetMachine {
    didSet { alarm.time = machine.nextDeadline }
  }
  private let inbox = Inbox<TargetMachine.Input>()
  private lazy var alarm = context.alarms.alarm { [unowned self] in receive(.deadlineReached) }
  private var visits: [SessionID: Visit] = [:]

  /// Why the window is no longer a target, if the application has not unregistered it.
  private var loss: Notice.TargetLoss?

  /// The last question about an offer, until it is answered. It may concern a visit that has ended.
  private var offerQuestion: Question?
  /// The present visit, if it began before the question about an earlier one was answered. Its own questions come after
  /// that answer.
  private var postponed: Visitor?
  /// The question for the window's place in this visit; `nil` once it is answered.
  private var placeQuestion: Question?
  /// The offer of the present visit, until the window's place is known: the application may ask for the place as soon
  /// as it learns of the visit.
  private var heldOffer: SourceOffer?
  /// The last check of a source.
  private var check: Question?
  /// The question for an action list that has changed.
  private var listQuestion: Question?
  /// Inputs and list changes since that question, in order. A source changes the list before it sends a position that
  /// the new list applies to, so the machine gets the list first.
  private var held: [Held] = []
  private let context: DriverContext
  private unowned let targets: DropTargets

  /// The visit that a question to the window system is about.
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
    _ machine: TargetMachine, of host: DropHost, proxy: TargetProxy?, _ context: DriverContext, in targets: DropTargets
  ) {
    self.machine = machine
    self.host = host
    window = machine.window
    self.proxy = proxy
    self.context = context
    self.targets = targets
    proxy?.onReplaced = { [unowned self] in lose(.replaced) }
    guard proxy?.isOwnerAware == true else { return }
    relay = DragRelay(window, context) { [unowned self] message, addressee in receive(message, to: addressee) }
  }

  func visit(_ session: SessionID) -> Visit? { visits[session] }

  /// The visit of the drag that is over the window.
  var hovering: Visit? { machine.state.hover.visit.flatMap { visits[$0.session] } }

  var hasVisits: Bool { !visits.isEmpty }

  /// The sources of the present drag and of the drops that have not ended.
  var sources: Set<WindowID> {
    Set([machine.state.hover.source].compactMap(\.self) + machine.state.drops.values.map(\.source))
  }

  // MARK: Events

  /// - Parameter addressee: The window, or its proxy. Chromium names the proxy, and GTK 4 does so when the proxy is
  ///   under the pointer.
  func receive(_ message: XdndMessage, to addressee: WindowID) {
    let own = relay?.receive(message, sentTo: addressee, parts: host.parts) ?? [message]
    // The relay's own Leave does not come from the source.
    if own.contains(message) { noteEnd(of: message) }
    for message in own { receive(.message(message, to: addressee)) }
  }

  /// Tells the proxy that a drag has left the window or was dropped.
  private func noteEnd(of message: XdndMessage) {
    switch message {
    case .leave: proxy?.receive(.left)
    case .drop: proxy?.receive(.uncover)
    case .enter, .position, .status, .finished: break
    }
  }

  /// Handles the release of `XdndSelection`: the drag may be over.
  func dragSelectionReleased() {
    receive(.selectionReleased)
    proxy?.receive(.uncover)
    relay?.end()
  }

  func noteWithdrawal() { for visit in visits.values { visit.noteWithdrawal() } }

  /// Handles the destruction of a window. If it is this one, unregisters it, and answers the waiting sources.
  func windowVanished(_ window: WindowID) {
    guard window == self.window else { return receive(.windowVanished(window)) }
    lose(.destroyed)
  }

  private func lose(_ loss: Notice.TargetLoss) {
    self.loss = loss
    receive(.unregister)
  }

  // MARK: The machine

  func receive(_ input: TargetMachine.Input) {
    inbox.process(input) { input in
      for input in released(by: input) {
        for effect in machine.receive(input, at: context.now) {
          context.logger.trace("target", metadata: ["window": "\(window)", "effect": "\(effect)"])
          perform(effect)
        }
      }
    }
  }

  /// Returns the inputs that the machine can process when an input has arrived. While an action list is being read,
  /// inputs from sources and the server wait.
  private func released(by input: TargetMachine.Input) -> [TargetMachine.Input] {
    guard listQuestion != nil else { return [input] }
    // After the loss of the connection there is no answer.
    if input != .unregister, !context.system.isClosed {
      guard input.isNews else { return [input] }
      held.append(.input(input))
      return []
    }
    listQuestion = nil
    let inputs = held.compactMap { if case .input(let input) = $0 { input } else { nil } }
    held = []
    return inputs + [input]
  }

  private func unregistered() {
    relay?.end()
    if let proxy {
      proxy.receive(loss == .destroyed ? .windowVanished : .release)
    } else {
      if loss != .destroyed { context.system.delete(.xdndAware, of: window) }
      context.system.unwatch(window, for: .destruction)
    }
    if let loss { tell(.lost(loss)) }
    targets.remove(self)
  }

  private func perform(_ effect: TargetMachine.Effect) {
    switch effect {
    case .watch: break  // Done by `readOffer`.
    case .unwatch(let source):
      let session = machine.state.hover.visit?.session
      if let visitor = postponed, visitor.source == source, visitor.session != session { return postponed = nil }
      context.system.unfollow(window)
      context.system.unwatch(source, for: [.destruction, .properties])
    case .readOffer(let source, let typeList):
      let visitor = Visitor(session: machine.state.hover.visit?.session, source: source, hasTypeList: typeList)
      // However many visits a peer begins and ends in a round trip, the window system is asked only about the first and
      // the last.
      if offerQuestion == nil { ask(about: visitor) } else { postponed = visitor }
    case .checkSource(let source):
      check = context.system.checkSource(source) { [unowned self] isAlive in
        if machine.state.hover.source == source { receive(.sourceChecked(isAlive: isAlive)) }
      }
    case .send(let message, let source, let version):
      context.exchange.sent(message.words, to: source)
      context.system.send(message, version: version, to: source, via: source)
    case .requestDeletion(let session):
      guard let visit = visits[session] else { return receive(.deletionAnswered(session)) }
      targets.loads.convert(.delete, of: visit, purpose: .deletion)
    case .renewLease(let session): if let visit = visits[session] { targets.loads.renewLease(of: visit) }
    case .entered(let session, let source, let version, let content):
      let visit = Visit(session, over: self, requestor: proxy?.proxy ?? window, source: source, context.system)
      visits[session] = visit
      tell(.entered(session, source: source, version: version, content), of: visit)
    case .unregistered: unregistered()
    case .askForProposal(let request): tell(.proposalNeeded(request), of: visits[request.session])
    case .scrolled(let session, let scroll, let point):
      tell(.scrolled(session, scroll, at: point), of: visits[session])
    case .exited(let session, let reason):
      let visit = visits[session]
      end(session)
      tell(.exited(session, reason), of: visit)
      visit.map(targets.end)
    case .dropped(let session, let details):
      visits[session]?.time = details.time
      tell(.dropped(session, details), of: visits[session])
    case .ended(let session, let result):
      let visit = visits[session]
      // While Finished is withheld, the source waits, and the visit is kept.
      if machine.state.drops[session] == nil { end(session) }
      tell(.ended(session, result), of: visit)
      visit.map(targets.end)
    case .answered(let session): end(session)
    case .ignored(let violation): context.ignored(violation)
    }
  }

  /// Watches a visitor, and asks for the place of this window and for the offer.
  private func ask(about visitor: Visitor) {
    // Asks for the place before the offer, so that it is known when the application learns of the visit.
    heldOffer = nil
    placeQuestion = context.system.follow(window) { [unowned self] in placeSettled() }
    context.system.watchSoon(visitor.source, for: .destruction)
    offerQuestion = context.system.readOffer(of: visitor.source, typeList: visitor.hasTypeList) { [unowned self] in
      offerRead($0)
    }
  }

  private func end(_ session: SessionID) { visits.removeValue(forKey: session)?.isOver = true }

  private func tell(_ notice: Notice.TargetNotice, of visit: Visit? = nil) {
    context.tell(.target(host, notice), to: visit)
  }

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
    let limit = context.timing.typeCount
    if let types = offer.types, types.count > limit, let source = machine.state.hover.source {
      context.ignored(.beyondLimit(.maximumTypeCount, peer: source))
    }
    let types = offer.types.map { Array($0.prefix(limit)) }
    receive(.offered(types: types, operations: offer.operations, descriptions: offer.descriptions))
  }

  /// Asks for the changed action list of a source whose drag is over the window.
  func operationsChanged(of source: WindowID) {
    guard listQuestion == nil else {
      // One more question is enough: its answer is the newest list.
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
    let news = held
    held = []
    receive(.operationsChanged(operations?.compactMap(\.self)))
    for news in news {
      switch news {
      case .input(let input): receive(input)
      case .listChange(let source): operationsChanged(of: source)
      }
    }
  }
}

extension TargetMachine.Input {
  /// Whether the input comes from a source or the server, and not from the application or the driver.
  fileprivate var isNews: Bool {
    switch self {
    case .message, .windowVanished, .selectionReleased, .sourceChecked: true
    case .accepting, .offered, .operationsChanged, .proposal, .reconsidered, .finish, .progressed, .askingUser,
      .working,
      .deletionAnswered, .unregister, .deadlineReached:
      false
    }
  }
}
