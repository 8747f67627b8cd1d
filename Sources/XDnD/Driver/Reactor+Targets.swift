import Logging

extension Reactor {
  /// What is needed to convert the content of a drop.
  struct DropContext {
    var window: WindowID
    var source: WindowID
    /// The drop's time; `nil` until there is a drop, and so nothing to ask for.
    var time: Timestamp?
  }

  /// One conversion that we asked for.
  struct Load {
    var machine: IncomingTransfer
    var session: SessionID
    var target: AtomName
    /// The requestor: the window that was dropped on, because Qt sources refuse hidden ones in some cases.
    var window: WindowID
    var property: AtomName
    var purpose: Purpose

    enum Purpose {
      /// Takes the bytes; answers whether it could.
      case content((UnsafeRawBufferPointer) -> Bool)
      /// The conversion of `DELETE` after a move.
      case deletion
    }
  }

  /// How many windows are remembered after they were unregistered.
  static let keptRetired = 16

  /// A conversion that has ended for us while its owner may still answer.
  struct Abandoned: Equatable {
    var window: WindowID
    var property: AtomName
    /// When to remove what has come; the owner has given up by then.
    var cleanAt: LoopTime?
  }

  /// How many conversions are remembered after they were given up on.
  static let keptAbandoned = 64

  // MARK: What the application asks for

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

  /// Asks for one representation of a drop. Notices with the transfer's id say what became of it.
  ///
  /// - Parameter sink: Takes the bytes as they come, and answers whether it could.
  func load(
    _ type: AtomName, of session: SessionID, limits: IncomingTransfer.Limits? = nil,
    sink: @escaping (UnsafeRawBufferPointer) -> Bool
  ) -> TransferID? {
    guard let context = drops[session], context.time != nil else { return nil }
    return convert(
      type, of: session, context, purpose: .content(sink), limits: limits ?? timing.incoming)
  }

  private func convert(
    _ target: AtomName, of session: SessionID, _ context: DropContext, purpose: Load.Purpose,
    limits: IncomingTransfer.Limits
  ) -> TransferID {
    lastTransfer += 1
    let transfer = TransferID(rawValue: lastTransfer)
    loads[transfer] = Load(
      machine: IncomingTransfer(limits: limits), session: session, target: target, window: context.window,
      property: unusedProperty(of: context.window), purpose: purpose)
    system.watch(context.window, for: .properties)
    enqueue(.load(transfer, .begin))
    return transfer
  }

  /// A property that no transfer uses, nor one that was given up on and may still be answered.
  ///
  /// Atoms live as long as the server, so the names are used again.
  private func unusedProperty(of window: WindowID) -> AtomName {
    let used = Set(loads.values.map(\.property) + abandoned.filter { $0.window == window }.map(\.property))
    for index in 0... {
      let name = AtomName("XDND_TRANSFER_\(index)")
      if !used.contains(name) { return name }
    }
    return .xdndSelection
  }

  // MARK: Targets

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
    case .send(let message, let source, let version): system.send(message, version: version, to: source, via: source)
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
    case .askForProposal(let request): tell(.target(window, .proposalNeeded(request)))
    case .exited(let session, let reason):
      drops[session] = nil
      tell(.target(window, .exited(session, reason)))
    case .dropped(let session, let details):
      drops[session]?.time = details.time
      tell(.target(window, .dropped(session, details)))
    case .ended(let session, let result):
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

  // MARK: Loads

  func routeToLoad(_ notify: SelectionNotify) {
    // A refusal does not name the property, and one of Qt not even the target. Owners answer in order, so the oldest
    // unanswered conversion that it can be about is the one that was refused.
    let match = loads.filter { _, load in
      guard load.window == notify.requestor, load.machine.awaitsAnswer else { return false }
      if let property = notify.property { return property == load.property }
      return notify.target == load.target || notify.target == nil
    }.keys.min()
    guard let match else { return discard(notify) }
    answer([.load(match, .answered(hasData: notify.property != nil))])
  }

  /// Removes what comes after all, so that it does not lie about on a window of ours.
  private func discard(_ notify: SelectionNotify) {
    let late = abandoned.lastIndex { $0.window == notify.requestor && $0.property == notify.property }
    guard let late else { return }
    system.delete(abandoned[late].property, of: notify.requestor)
    abandoned[late].cleanAt = now + timing.incoming.stall * 2
  }

  /// Removes the last part of each INCR that was given up on: its owner wrote it when we deleted the one before, and
  /// would go on for as long as we do.
  func cleanAbandoned() {
    for index in abandoned.indices {
      guard let time = abandoned[index].cleanAt, time <= now else { continue }
      abandoned[index].cleanAt = nil
      system.delete(abandoned[index].property, of: abandoned[index].window)
    }
  }

  func run(load transfer: TransferID, _ input: IncomingTransfer.Input) {
    guard var load = loads[transfer] else { return }
    let effects = load.machine.receive(input, at: now)
    loads[transfer] = load
    for effect in effects { perform(effect, transfer, load) }
  }

  private func perform(_ effect: IncomingTransfer.Effect, _ transfer: TransferID, _ load: Load) {
    switch effect {
    case .convert:
      system.convert(
        .xdndSelection, to: load.target, property: load.property, requestor: load.window,
        time: drops[load.session]?.time ?? .currentTime)
    case .readProperty: read(transfer, load)
    case .progressed(let received, let expected):
      guard case .content = load.purpose else { break }
      answer([.target(load.window, .progressed(load.session))])
      tell(.load(transfer, .progressed(received: received, expected: expected)))
    case .deleteProperty: system.delete(load.property, of: load.window)
    case .ended(let result):
      loads[transfer] = nil
      system.unwatch(load.window, for: .properties)
      if result.mayStillBeAnswered {
        abandoned =
          abandoned.suffix(Self.keptAbandoned - 1) + [
            Abandoned(window: load.window, property: load.property, cleanAt: now + timing.incoming.stall * 2)
          ]
      }
      switch load.purpose {
      case .content: tell(.load(transfer, .ended(result)))
      case .deletion: answer([.target(load.window, .deletionAnswered(load.session))])
      }
    }
  }

  private func read(_ transfer: TransferID, _ load: Load) {
    var announced: Int?
    var isSunk = true
    let limit = load.machine.limits.byteCount
    let header = system.read(load.property, of: load.window, delete: true) { header, part in
      if header.type == .incr {
        if part.count >= 4 { announced = Int(part.loadUnaligned(as: UInt32.self)) }
      } else if case .content(let sink) = load.purpose, header.byteCount <= limit, isSunk {
        isSunk = sink(part)
      }
    }
    answer([.load(transfer, isSunk ? .read(header, announced: announced) : .sinkFailed)])
  }
}

extension IncomingTransfer.Result {
  /// Whether the owner does not know that nobody waits any more.
  fileprivate var mayStillBeAnswered: Bool {
    switch self {
    case .complete, .failed(.refused), .failed(.noData), .failed(.ownerVanished): false
    case .failed(.timedOut), .failed(.tooLarge), .failed(.sinkFailed), .failed(.cancelled): true
    }
  }
}
