import Logging

extension Reactor {
  /// What is needed to convert the content of a drop.
  struct DropContext {
    var window: WindowID
    var source: WindowID
    /// The drop's time; `nil` until there is a drop, and so nothing to ask for.
    var time: Timestamp?
    /// What the source promised before a URI took the name's place.
    var promisedName: String?
  }

  /// How many windows are remembered after they were unregistered.
  static let keptRetired = 16

  func register(_ window: WindowID, accepting offer: DropOffer) {
    guard targets[window] == nil else {
      targets[window]?.offer = offer
      return
    }
    registrations += 1
    retired.removeAll { $0 == window }
    targets[window] = TargetMachine(
      window: window, offer: offer, timing: timing.target, firstSession: SessionID(rawValue: registrations << 32))
    system.watch(window, for: .destruction)
    system.write(
      PropertyValue(type: .atom, contents: .words([UInt32(ProtocolVersion.advertised.number)])), to: .xdndAware,
      of: window)
    system.flush()
  }

  func unregister(_ window: WindowID) {
    guard targets[window] != nil else { return }
    enqueue(.target(window, .unregister))
  }

  func run(target window: WindowID, _ input: TargetMachine.Input) {
    guard var machine = targets[window] else { return }
    let effects = machine.receive(input, at: now)
    targets[window] = machine
    for effect in effects { perform(effect, for: window) }
  }

  private func perform(_ effect: TargetMachine.Effect, for window: WindowID) {
    logger.trace("target", metadata: ["window": "\(window)", "effect": "\(effect)"])
    switch effect {
    case .watch(let source): system.watch(source, for: [.destruction, .properties])
    case .unwatch(let source): system.unwatch(source, for: [.destruction, .properties])
    case .readOffer(let source, let typeList):
      let types = typeList ? system.atoms(in: .xdndTypeList, of: source, type: .atom)?.compactMap { $0 } : nil
      let operations = system.atoms(in: .xdndActionList, of: source, type: .atom)?.compactMap { $0 }
      answer([
        .target(
          window, .offered(types: types, operations: operations, descriptions: operationDescriptions(of: source)))
      ])
    case .checkSource(let source):
      let isAlive = system.exists(source) && system.owner(of: .xdndSelection) != .none
      answer([.target(window, .sourceChecked(isAlive: isAlive))])
    case .send(let message, let source, let version):
      traceSent(message.words, to: source)
      system.send(message, version: version, to: source, via: source)
    case .requestDeletion(let session):
      guard let context = drops[session] else {
        return answer([.target(window, .deletionAnswered(session))])
      }
      _ = convert(.delete, of: session, context, purpose: .deletion, limits: timing.incoming)
    case .entered(let session, let source, let version, let content):
      drops[session] = DropContext(window: window, source: source)
      tell(.target(window, .entered(session, source: source, version: version, content)))
    case .unregistered:
      targets[window] = nil
      retired = retired.suffix(Self.keptRetired - 1) + [window]
      if system.exists(window) { system.delete(.xdndAware, of: window) }
      system.unwatch(window, for: .destruction)
      tell(.target(window, .unregistered))
    case .askForProposal(let request): tell(.target(window, .proposalNeeded(request)))
    case .scrolled(let session, let scroll, let point): tell(.target(window, .scrolled(session, scroll, at: point)))
    case .exited(let session, let reason):
      drops[session] = nil
      tell(.target(window, .exited(session, reason)))
    case .dropped(let session, let details):
      drops[session]?.time = details.time
      tell(.target(window, .dropped(session, details)))
    case .ended(let session, let result):
      for (id, save) in saves where save.session == session && !save.machine.hasFinishedDrop {
        answer([.save(id, .cancel)])
      }
      for (transfer, load) in loads where load.session == session { answer([.load(transfer, .cancel)]) }
      drops[session] = nil
      tell(.target(window, .ended(session, result)))
    case .ignored(let violation):
      logger.debug("ignored", metadata: ["violation": "\(violation)"])
      tell(.target(window, .ignored(violation)))
    }
  }

  /// Whether messages to a window are ours to answer.
  func handlesMessages(to window: WindowID) -> Bool {
    window == system.dragWindow || targets[window] != nil || retired.contains(window)
  }

  /// Answers what was sent before the source could know that the window takes no more drops.
  func refuse(_ message: XdndMessage, to window: WindowID) {
    let (answer, source): (XdndMessage, WindowID)
    switch message {
    case .position(let position): (answer, source) = (.status(.init(target: window)), position.source)
    case .drop(let drop): (answer, source) = (.finished(.init(target: window, result: .refused)), drop.source)
    case .enter, .leave, .status, .finished: return
    }
    system.send(answer, version: .v5, to: source, via: source)
  }

  /// The words of `XdndActionDescription`: separated by NUL, in the order of the action list.
  private func operationDescriptions(of source: WindowID) -> [String] {
    var bytes: [UInt8] = []
    let header = system.read(.xdndActionDescription, of: source, delete: false) { header, part in
      guard header.format == 8, header.byteCount <= 65_536 else { return }
      bytes += part
    }
    guard header != nil, !bytes.isEmpty else { return [] }
    if bytes.last == 0 { bytes.removeLast() }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
  }
}
