/// All that the owner of one selection owes to whoever asks: ICCCM section 2.6.
///
/// It lives as long as its content may be asked for. For a drag that is longer than the drag itself: Dolphin converts only when its
/// user has typed a file name. Any requestor is served, at any time that it names: GTK 4 asks with `CurrentTime` from
/// a hidden window, JUCE puts coordinates where the time should be.
struct SelectionServer: Equatable, Sendable {
  enum Input: Equatable, Sendable {
    case request(SelectionRequest)
    /// The answer to ``Effect/readPairs(_:)``: target and property of each conversion of a `MULTIPLE` request.
    case pairs([ConversionPair]?, for: SelectionRequest)
    case transfer(TransferID, OutgoingTransfer.Input)
    case propertyDeleted(AtomName, of: WindowID)
    case windowVanished(WindowID)
    /// What is offered was dropped, and the target has agreed to an operation.
    case dropped(on: DropTarget, DragOperation)
    case dragEnded(DragOutcome)
    case deadlineReached
  }

  enum Effect: Equatable, Sendable {
    /// Write a small value that is known at once.
    case reply(PropertyValue, to: AtomName, of: WindowID)
    case notify(SelectionNotify)
    case readPairs(SelectionRequest)
    case watch(WindowID)
    case unwatch(WindowID)
    /// Ask the provider for a representation; the answer is `.opened`, `.refused` or, later, `.failed`.
    case open(TransferID, Destination)
    case transfer(TransferID, Destination, OutgoingTransfer.Effect)
    /// The target that was dropped on asks for content, for the first time, or has done so while the drag was over it.
    case contentRequested
    /// The target has moved what was dropped, has said so, and asks to delete it.
    case deletionRequested
    case ignored(Violation)
  }

  /// Where a transfer writes to.
  struct Destination: Hashable, Sendable {
    var requestor: WindowID
    var property: AtomName
    var target: AtomName
  }

  private struct Transfer: Equatable, Sendable {
    var machine: OutgoingTransfer
    var destination: Destination
    var origin: Origin

    /// Whom to tell that the data is there.
    enum Origin: Equatable, Sendable {
      case single(SelectionRequest)
      case multiple(SelectionRequest, index: Int)
    }
  }

  /// A `MULTIPLE` request is answered once, when each of its conversions is.
  private struct Multiple: Equatable, Sendable {
    var pairs: [ConversionPair]
    var unanswered = 0
  }

  let selection: AtomName
  /// Best first.
  var types: [AtomName]
  /// When we took the selection: the answer to `TIMESTAMP`.
  let acquired: Timestamp
  /// Whether the target may ask us to delete.
  var allowsDeletion: Bool
  let limits: OutgoingTransfer.Limits

  private var recipient: DropRecipient
  private var transfers: [TransferID: Transfer] = [:]
  private var multiples: [SelectionRequest: Multiple] = [:]
  private var nextID: TransferID

  /// - Parameters:
  ///   - resourceMask: See ``WindowSystem/resourceMask``.
  ///   - firstID: Ids count up from here, so that several servers of one program do not share any.
  init(
    selection: AtomName, types: [AtomName], acquired: Timestamp, allowsDeletion: Bool,
    limits: OutgoingTransfer.Limits = .init(), resourceMask: UInt32, firstID: TransferID = TransferID(rawValue: 0)
  ) {
    self.recipient = DropRecipient(resourceMask: resourceMask)
    self.selection = selection
    self.types = types
    self.acquired = acquired
    self.allowsDeletion = allowsDeletion
    self.limits = limits
    self.nextID = firstID
  }

  var nextDeadline: LoopTime? { transfers.values.reduce(nil) { LoopTime.earliest($0, $1.machine.nextDeadline) } }

  /// Whom anything is owed to.
  var requestors: Set<WindowID> {
    Set(transfers.values.map(\.destination.requestor)).union(multiples.keys.map(\.requestor))
  }

  /// Whether anything is under way.
  var isBusy: Bool { !transfers.isEmpty || !multiples.isEmpty }

  mutating func receive(_ input: Input, at now: LoopTime) -> [Effect] {
    switch input {
    case .request(let request): return serve(request, at: now)
    case .pairs(let pairs, let request): return serve(pairs, of: request, at: now)
    case .transfer(let id, let input): return advance(id, input, at: now)
    case .propertyDeleted(let property, let window):
      return ids { $0.requestor == window && $0.property == property }
        .flatMap { advance($0, .propertyDeleted, at: now) }
    case .windowVanished(let window):
      multiples = multiples.filter { $0.key.requestor != window }
      return ids { $0.requestor == window }.flatMap { advance($0, .requestorVanished, at: now) }
    case .dropped(let target, let operation):
      return recipient.dropped(on: target, operation) ? [.contentRequested] : []
    case .dragEnded(let outcome):
      // Java and tkdnd leave the empty part that ends INCR where it is, and say with Finished that they have it.
      let done = ids { recipient.isSent(by: $0.requestor) }.flatMap { advance($0, .requestorFinished, at: now) }
      return done + effects(of: recipient.ended(outcome))
    case .deadlineReached: return ids { _ in true }.flatMap { advance($0, .deadlineReached, at: now) }
    }
  }

  private func ids(where isIncluded: (Destination) -> Bool) -> [TransferID] {
    transfers.filter { isIncluded($0.value.destination) }.keys.sorted()
  }

  // MARK: Requests

  private mutating func serve(_ request: SelectionRequest, at now: LoopTime) -> [Effect] {
    // Clients older than ICCCM leave the property out; the target's name is then as good as any (section 2.2).
    let property = request.property ?? request.target
    guard request.target != .multiple else {
      guard request.property != nil, multiples[request] == nil else { return [refusal(of: request)] }
      return [.readPairs(request)]
    }
    if let value = immediate(request.target) {
      var effects: [Effect] = []
      guard admits(request.target, of: request, &effects) else { return effects + [refusal(of: request)] }
      effects += supersede(property, of: request.requestor, at: now)
      return effects + [
        .reply(value, to: property, of: request.requestor),
        .notify(answer(to: request, property: property)),
      ]
    }
    guard types.contains(request.target) else { return [refusal(of: request)] }
    return begin(
      Destination(requestor: request.requestor, property: property, target: request.target), for: .single(request),
      at: now)
  }

  private mutating func serve(_ pairs: [ConversionPair]?, of request: SelectionRequest, at now: LoopTime) -> [Effect] {
    guard let pairs, !pairs.isEmpty, multiples[request] == nil else { return [refusal(of: request)] }
    var multiple = Multiple(pairs: pairs)
    var effects: [Effect] = []
    var begun: [(Destination, Int)] = []
    for (index, pair) in multiple.pairs.enumerated() {
      guard let target = pair.target, let property = pair.property, target != .multiple else {
        multiple.pairs[index].property = nil
        continue
      }
      if let value = immediate(target) {
        guard admits(target, of: request, &effects) else {
          multiple.pairs[index].property = nil
          continue
        }
        effects += supersede(property, of: request.requestor, at: now)
        effects.append(.reply(value, to: property, of: request.requestor))
      } else if types.contains(target) {
        begun.append((Destination(requestor: request.requestor, property: property, target: target), index))
      } else {
        multiple.pairs[index].property = nil
      }
    }
    multiple.unanswered = begun.count
    multiples[request] = multiple
    for (destination, index) in begun { effects += begin(destination, for: .multiple(request, index: index), at: now) }
    return effects + concludeIfAnswered(request)
  }

  /// The value of a target that is not content.
  private func immediate(_ target: AtomName) -> PropertyValue? {
    switch target {
    case .targets: .atoms([.targets, .timestamp, .multiple] + sideEffects + types)
    case .timestamp: PropertyValue(type: .integer, contents: .words([acquired.rawValue]))
    case _ where sideEffects.contains(target): PropertyValue(type: .null, contents: .words([]))
    default: nil
    }
  }

  /// Targets that ask to do something, and are answered with nothing (ICCCM section 2.6.3).
  ///
  /// A clipboard says with `SAVE_TARGETS` that a clipboard manager may keep its content; GTK 4 and Chromium list it too,
  /// and answer whoever converts it.
  private var sideEffects: [AtomName] {
    (allowsDeletion ? [.delete] : []) + (selection == .xdndSelection ? [] : [.saveTargets])
  }

  /// Whether a target that is not content is answered. Only `DELETE` depends on who asks and when.
  private mutating func admits(_ target: AtomName, of request: SelectionRequest, _ effects: inout [Effect]) -> Bool {
    guard target == .delete else { return true }
    let verdict = recipient.requestDeletion(from: request.requestor, owner: request.owner)
    effects += self.effects(of: verdict)
    return verdict != .refused(request.requestor)
  }

  private func effects(of deletion: DropRecipient.Deletion?) -> [Effect] {
    switch deletion {
    case .due: [.deletionRequested]
    case .refused(let requestor): [.ignored(.unexpectedDeletion(requestor: requestor))]
    case .noted, nil: []
    }
  }

  /// Who asks again for the same property has given up on what was on its way there.
  private mutating func supersede(_ property: AtomName, of requestor: WindowID, at now: LoopTime) -> [Effect] {
    ids { $0.requestor == requestor && $0.property == property }.flatMap { advance($0, .superseded, at: now) }
  }

  private mutating func begin(
    _ destination: Destination, for origin: Transfer.Origin, at now: LoopTime
  ) -> [Effect] {
    var effects = supersede(destination.property, of: destination.requestor, at: now)
    let id = nextID
    nextID = TransferID(rawValue: id.rawValue + 1)
    transfers[id] = Transfer(
      machine: OutgoingTransfer(limits: limits, at: now), destination: destination, origin: origin)
    if recipient.requestContent(from: destination.requestor) { effects.append(.contentRequested) }
    effects += [.watch(destination.requestor), .open(id, destination)]
    return effects
  }

  // MARK: Transfers

  private mutating func advance(_ id: TransferID, _ input: OutgoingTransfer.Input, at now: LoopTime) -> [Effect] {
    guard var transfer = transfers[id] else { return [] }
    let steps = transfer.machine.receive(input, at: now)
    transfers[id] = transfer
    var effects: [Effect] = []
    for step in steps {
      switch step {
      case .answer(let isGiven): effects += answer(transfer, isGiven: isGiven)
      case .ended(let result): effects += end(id, result)
      case .stage, .announce, .write, .progressed: effects.append(.transfer(id, transfer.destination, step))
      }
    }
    return effects
  }

  private mutating func end(_ id: TransferID, _ result: OutgoingTransfer.Result) -> [Effect] {
    guard let transfer = transfers.removeValue(forKey: id) else { return [] }
    return [
      .transfer(id, transfer.destination, .ended(result)), .unwatch(transfer.destination.requestor),
    ]
  }

  private mutating func answer(_ transfer: Transfer, isGiven: Bool) -> [Effect] {
    switch transfer.origin {
    case .single(let request):
      return [
        .notify(answer(to: request, property: isGiven ? transfer.destination.property : nil))
      ]
    case .multiple(let request, let index):
      guard multiples[request] != nil else { return [] }
      if !isGiven { multiples[request]?.pairs[index].property = nil }
      multiples[request]?.unanswered -= 1
      return concludeIfAnswered(request)
    }
  }

  private mutating func concludeIfAnswered(_ request: SelectionRequest) -> [Effect] {
    guard let property = request.property, let multiple = multiples[request], multiple.unanswered == 0 else {
      return []
    }
    multiples[request] = nil
    // ICCCM 2.6.2: pairs that could not be converted get None instead of their property.
    let pairs = PropertyValue(
      type: .atomPair, contents: .atoms(multiple.pairs.flatMap { [$0.target, $0.property] }))
    return [.reply(pairs, to: property, of: request.requestor), .notify(answer(to: request, property: property))]
  }

  private func refusal(of request: SelectionRequest) -> Effect { .notify(answer(to: request, property: nil)) }

  private func answer(to request: SelectionRequest, property: AtomName?) -> SelectionNotify {
    SelectionNotify(
      requestor: request.requestor, selection: request.selection, target: request.target, property: property,
      time: request.time)
  }
}
