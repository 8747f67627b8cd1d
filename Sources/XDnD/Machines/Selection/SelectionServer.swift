/// All that the owner of one selection owes to whoever asks: ICCCM section 2.6.
///
/// It lives as long as its content may be asked for. For a drag that is longer than the drag itself: Dolphin converts only when its
/// user has typed a file name. Any requestor is served, at any time that it names: GTK 4 asks with `CurrentTime` from
/// a hidden window, JUCE puts coordinates where the time should be.
///
/// A `MULTIPLE` request may list ``Limits/pairs`` conversions, and is refused if it lists more. Of those that are content
/// ``Limits/slice`` are begun in one turn of the driver, the rest in the turns after it, so that no list holds the
/// application up.
struct SelectionServer: Equatable, Sendable {
  enum Input: Equatable, Sendable {
    case request(SelectionRequest)
    /// The answer to ``Effect/readPairs(_:)``: target and property of each conversion of a `MULTIPLE` request.
    case pairs([ConversionPair]?, for: SelectionRequest)
    case transfer(TransferID, OutgoingTransfer.Input)
    case propertyDeleted(AtomName, of: WindowID)
    case windowVanished(WindowID)
    /// What is offered was dropped, and the target has agreed to an operation.
    case dropped(on: DropTarget, DragOperation, time: Timestamp)
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

    fileprivate var place: Place { Place(requestor: requestor, property: property) }
  }

  /// A property that a transfer writes to: one transfer at a time.
  fileprivate struct Place: Hashable, Sendable {
    var requestor: WindowID
    var property: AtomName
  }

  /// How much of one `MULTIPLE` request is served.
  enum Limits {
    static let pairs = 4096
    static let slice = 64
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
    /// Of these ``pending`` have not been begun.
    var unanswered = 0
    var pending: ArraySlice<Pending> = []

    struct Pending: Equatable, Sendable {
      var destination: Destination
      var index: Int
    }
  }

  /// How much is done at once, whatever is asked for: behind each transfer is an open file, a process or a task.
  struct ServingLimits: Equatable, Sendable {
    /// How many transfers are under way.
    var total = 128
    /// How many of them are for one client of the server.
    var perClient = 32
    /// How many requests wait until a transfer is over.
    var waiting = 1024

    /// How many of those are from one client.
    var waitingPerClient: Int { (waiting + 3) / 4 }
  }

  /// A request whose turn has not come.
  private struct Waiting: Equatable, Sendable {
    var id: TransferID
    var destination: Destination
    var origin: Transfer.Origin
    /// When its requestor is refused.
    var deadline: LoopTime
  }

  let selection: AtomName
  /// Best first.
  var types: [AtomName]
  /// When we took the selection: the answer to `TIMESTAMP`.
  let acquired: Timestamp
  /// Whether the target may ask us to delete.
  var allowsDeletion: Bool
  let limits: OutgoingTransfer.Limits
  let serving: ServingLimits

  private let resourceMask: UInt32
  private var recipient: DropRecipient
  /// In the order in which they were asked for.
  private var waiting: [Waiting] = []
  private var transfers: [TransferID: Transfer] = [:]
  /// Which of them writes where.
  private var places: [Place: TransferID] = [:]
  private var multiples: [SelectionRequest: Multiple] = [:]
  /// Those of them that have conversions which are not begun, in the order in which they came, and since when they wait.
  private var unfinished: [SelectionRequest] = []
  private var waitsSince: LoopTime?
  private var nextID: TransferID

  /// - Parameters:
  ///   - resourceMask: See ``WindowSystem/resourceMask``.
  ///   - firstID: Ids count up from here, so that several servers of one program do not share any.
  init(
    selection: AtomName, types: [AtomName], acquired: Timestamp, allowsDeletion: Bool,
    limits: OutgoingTransfer.Limits = .init(), serving: ServingLimits = .init(), resourceMask: UInt32,
    firstID: TransferID = TransferID(rawValue: 0)
  ) {
    self.resourceMask = resourceMask
    self.recipient = DropRecipient(resourceMask: resourceMask)
    self.selection = selection
    self.types = types
    self.acquired = acquired
    self.allowsDeletion = allowsDeletion
    self.limits = limits
    self.serving = serving
    self.nextID = firstID
  }

  var nextDeadline: LoopTime? {
    // All that wait do so for the same time.
    waitsSince
      ?? transfers.values.reduce(waiting.first?.deadline) { LoopTime.earliest($0, $1.machine.nextDeadline) }
  }

  /// Whom anything is owed to.
  var requestors: Set<WindowID> {
    Set(transfers.values.map(\.destination.requestor)).union(waiting.map(\.destination.requestor))
      .union(multiples.keys.map(\.requestor))
  }

  /// Whether anything is under way.
  var isBusy: Bool { !transfers.isEmpty || !waiting.isEmpty || !multiples.isEmpty }

  mutating func receive(_ input: Input, at now: LoopTime) -> [Effect] {
    let before = transfers.count
    let effects = handle(input, at: now)
    // Whose turn it is can have changed only when something is over.
    return transfers.count < before ? effects + admit(at: now) : effects
  }

  private mutating func handle(_ input: Input, at now: LoopTime) -> [Effect] {
    switch input {
    case .request(let request): return serve(request, at: now)
    case .pairs(let pairs, let request): return serve(pairs, of: request, at: now)
    case .transfer(let id, let input): return advance(id, input, at: now)
    case .propertyDeleted(let property, let window):
      return advance(Place(requestor: window, property: property), .propertyDeleted, at: now)
    case .windowVanished(let window):
      multiples = multiples.filter { $0.key.requestor != window }
      unfinished.removeAll { $0.requestor == window }
      if unfinished.isEmpty { waitsSince = nil }
      let gone = dismiss { $0.destination.requestor == window }
      return gone.map { .unwatch($0.destination.requestor) }
        + ids { $0.requestor == window }.flatMap { advance($0, .requestorVanished, at: now) }
    case .dropped(let target, let operation, let time):
      return recipient.dropped(on: target, operation, at: time) ? [.contentRequested] : []
    case .dragEnded(let outcome):
      // Java and tkdnd leave the empty part that ends INCR where it is, and say with Finished that they have it.
      let done = ids { recipient.isSent(by: $0.requestor) }.flatMap { advance($0, .requestorFinished, at: now) }
      return done + effects(of: recipient.ended(outcome))
    case .deadlineReached:
      return refuse { $0.deadline <= now } + ids { _ in true }.flatMap { advance($0, .deadlineReached, at: now) }
        + beginSlice(at: now)
    }
  }

  /// Whether a request is from the target that was dropped on, at the time of the Drop.
  func isDropNamed(by request: SelectionRequest) -> Bool { recipient.isNamed(by: request) }

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
    guard let pairs, !pairs.isEmpty, pairs.count <= Limits.pairs, multiples[request] == nil else {
      return [refusal(of: request)]
    }
    var multiple = Multiple(pairs: pairs)
    var effects: [Effect] = []
    let types = Set(types)
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
        multiple.pending.append(
          .init(
            destination: Destination(requestor: request.requestor, property: property, target: target), index: index))
      } else {
        multiple.pairs[index].property = nil
      }
    }
    multiple.unanswered = multiple.pending.count
    multiples[request] = multiple
    if multiple.pending.isEmpty { return effects + concludeIfAnswered(request) }
    unfinished.append(request)
    // What came before goes first, and only so many go in one turn.
    return unfinished.count > 1 ? effects : effects + beginSlice(at: now)
  }

  private mutating func beginSlice(at now: LoopTime) -> [Effect] {
    var effects: [Effect] = []
    var room = Limits.slice
    while room > 0, let request = unfinished.first {
      let slice = multiples[request]?.pending.prefix(room) ?? []
      multiples[request]?.pending.removeFirst(slice.count)
      if multiples[request]?.pending.isEmpty ?? true { unfinished.removeFirst() }
      room -= slice.count
      for conversion in slice {
        effects += begin(conversion.destination, for: .multiple(request, index: conversion.index), at: now)
      }
    }
    waitsSince = unfinished.isEmpty ? nil : now
    return effects
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
    refuse { $0.destination.place == Place(requestor: requestor, property: property) }
      + advance(Place(requestor: requestor, property: property), .superseded, at: now)
  }

  private mutating func begin(
    _ destination: Destination, for origin: Transfer.Origin, at now: LoopTime
  ) -> [Effect] {
    var effects = supersede(destination.property, of: destination.requestor, at: now)
    let id = nextID
    nextID = TransferID(rawValue: id.rawValue + 1)
    if recipient.requestContent(from: destination.requestor) { effects.append(.contentRequested) }
    let request = Waiting(id: id, destination: destination, origin: origin, deadline: now + limits.promise)
    let client = self.client(of: destination.requestor)
    let earlier = waiting.count { self.client(of: $0.destination.requestor) == client }
    if earlier == 0, hasRoom(for: client) {
      return effects + [.watch(destination.requestor)] + open(request, at: now)
    }
    guard waiting.count < serving.waiting, earlier < serving.waitingPerClient else {
      return effects + answer(origin, at: destination, isGiven: false)
    }
    waiting.append(request)
    effects.append(.watch(destination.requestor))
    return effects
  }

  private mutating func open(_ request: Waiting, at now: LoopTime) -> [Effect] {
    transfers[request.id] = Transfer(
      machine: OutgoingTransfer(limits: limits, at: now), destination: request.destination, origin: request.origin)
    places[request.destination.place] = request.id
    return [.open(request.id, request.destination)]
  }

  // MARK: Turns

  private func client(of window: WindowID) -> ClientID { ClientID(of: window, resourceMask: resourceMask) }

  private func hasRoom(for client: ClientID) -> Bool {
    transfers.count < serving.total
      && transfers.values.count { self.client(of: $0.destination.requestor) == client } < serving.perClient
  }

  /// Begins what has waited for long enough, the oldest first.
  private mutating func admit(at now: LoopTime) -> [Effect] {
    var effects: [Effect] = []
    /// Those that have as many transfers as they may.
    var sated: Set<ClientID> = []
    var next = waiting.startIndex
    while next < waiting.endIndex, transfers.count < serving.total {
      let client = self.client(of: waiting[next].destination.requestor)
      if sated.contains(client) {
        next += 1
      } else if hasRoom(for: client) {
        effects += open(waiting.remove(at: next), at: now)
      } else {
        sated.insert(client)
      }
    }
    return effects
  }

  /// Takes requests out of those that wait.
  private mutating func dismiss(where isIncluded: (Waiting) -> Bool) -> [Waiting] {
    guard !waiting.isEmpty else { return [] }
    let dismissed = waiting.filter(isIncluded)
    if !dismissed.isEmpty { waiting.removeAll(where: isIncluded) }
    return dismissed
  }

  private mutating func refuse(where isIncluded: (Waiting) -> Bool) -> [Effect] {
    dismiss(where: isIncluded).flatMap {
      answer($0.origin, at: $0.destination, isGiven: false) + [.unwatch($0.destination.requestor)]
    }
  }

  // MARK: Transfers

  private mutating func advance(
    _ place: Place, _ input: OutgoingTransfer.Input, at now: LoopTime
  ) -> [Effect] {
    places[place].map { advance($0, input, at: now) } ?? []
  }

  private mutating func advance(_ id: TransferID, _ input: OutgoingTransfer.Input, at now: LoopTime) -> [Effect] {
    guard var transfer = transfers[id] else { return [] }
    let steps = transfer.machine.receive(input, at: now)
    transfers[id] = transfer
    var effects: [Effect] = []
    for step in steps {
      switch step {
      case .answer(let isGiven): effects += answer(transfer.origin, at: transfer.destination, isGiven: isGiven)
      case .ended(let result): effects += end(id, result)
      case .stage, .announce, .write, .progressed: effects.append(.transfer(id, transfer.destination, step))
      }
    }
    return effects
  }

  private mutating func end(_ id: TransferID, _ result: OutgoingTransfer.Result) -> [Effect] {
    guard let transfer = transfers.removeValue(forKey: id) else { return [] }
    if places[transfer.destination.place] == id { places[transfer.destination.place] = nil }
    return [
      .transfer(id, transfer.destination, .ended(result)), .unwatch(transfer.destination.requestor),
    ]
  }

  private mutating func answer(
    _ origin: Transfer.Origin, at destination: Destination, isGiven: Bool
  ) -> [Effect] {
    switch origin {
    case .single(let request):
      return [.notify(answer(to: request, property: isGiven ? destination.property : nil))]
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
