/// The owner of one selection: serves all conversion requests (ICCCM §2.6).
///
/// A server lives while its content may be requested. That can be longer than a drag: Dolphin converts only after the
/// user has typed a file name. It serves any requestor at any timestamp: GTK 4 converts with `CurrentTime` from a
/// hidden window, and JUCE sends coordinates instead of the timestamp.
///
/// A `MULTIPLE` request may list up to ``Limits/pairs`` conversions; a longer one is refused. In one turn of the
/// driver, at most ``Limits/slice`` of them begin, so that a long list does not block the host.
struct SelectionServer: Equatable, Sendable {
  enum Input: Equatable, Sendable {
    /// The content of a drag, or the target under the pointer, has changed: these types are served from now on.
    case offering([AtomName], allowsDeletion: Bool)
    /// This program has acquired the selection at a later time.
    case acquired(at: Timestamp)
    case request(SelectionRequest)
    /// The answer to ``Effect/readPairs(_:)``: the target and property of each conversion of a `MULTIPLE` request.
    case pairs([ConversionPair]?, for: SelectionRequest)
    case transfer(TransferID, OutgoingTransfer.Input)
    case propertyDeleted(AtomName, of: WindowID)
    case windowVanished(WindowID)
    /// The offered content was dropped on a target that has agreed to an operation.
    case dropped(on: DropTarget, DragOperation, time: Timestamp)
    case dragEnded(DragOutcome)
    /// The application cancels the delivery: later requests for content are refused.
    case cancelled
    case deadlineReached
  }

  enum Effect: Equatable, Sendable {
    case reply(PropertyValue, to: AtomName, of: WindowID)
    case notify(SelectionNotify)
    case readPairs(SelectionRequest)
    case watch(WindowID)
    case unwatch(WindowID)
    /// Ask the provider for a representation. The answer is `.opened`, `.refused` or, later, `.failed`.
    case open(TransferID, Destination)
    case transfer(TransferID, Destination, OutgoingTransfer.Effect)
    /// The drop's target has requested content for the first time. If it did so before the drop, this follows the drop.
    case contentRequested
    /// The drop's target has reported Move and requests the deletion of the moved content.
    case deletionRequested
    case ignored(Violation)
  }

  /// The property that a transfer writes to, and the requested target.
  struct Destination: Hashable, Sendable {
    var requestor: WindowID
    var property: AtomName
    var target: AtomName
  }

  /// Limits of `MULTIPLE` requests.
  enum Limits {
    /// The conversions of one request.
    static let pairs = 4096
    static let slice = 64
    /// Unanswered requests.
    static let lists = 64
    static let listsPerClient = 16
  }

  private struct Conversion: Equatable, Sendable {
    var destination: Destination
    /// The request that this conversion belongs to, and its index in the list of a `MULTIPLE` request.
    var request: SelectionRequest
    var index: Int?
  }

  private struct Transfer: Equatable, Sendable {
    var machine: OutgoingTransfer
    var conversion: Conversion
  }

  /// A `MULTIPLE` request. It is answered once all its conversions are.
  private struct Multiple: Equatable, Sendable {
    let request: SelectionRequest
    /// `nil` while the list is being read. A refused conversion loses its property.
    private(set) var pairs: [ConversionPair]?
    /// The index of the first conversion that has not begun.
    private var next = 0
    private var unanswered = 0

    init(_ request: SelectionRequest) { self.request = request }

    var isUnfinished: Bool { next < pairs?.count ?? 0 }

    var isAnswered: Bool { pairs != nil && unanswered == 0 }

    mutating func take(_ pairs: [ConversionPair]) {
      self.pairs = pairs
      unanswered = pairs.count
    }

    mutating func takeNext() -> (index: Int, pair: ConversionPair)? {
      guard let pairs, next < pairs.count else { return nil }
      defer { next += 1 }
      return (next, pairs[next])
    }

    mutating func answer(_ index: Int, isGiven: Bool) {
      unanswered -= 1
      if !isGiven { pairs?[index].property = nil }
    }
  }

  /// Limits of concurrent work. Each transfer may hold an open file, a process or a task.
  struct ServingLimits: Equatable, Sendable {
    var total = 128
    /// The maximum number of concurrent transfers for one X client.
    var perClient = 32
    /// The maximum number of requests that wait for a transfer to end.
    var waiting = 1024

    /// The maximum number of waiting requests from one X client.
    var waitingPerClient: Int { (waiting + 3) / 4 }
  }

  /// A request that waits for a transfer to end.
  private struct Waiting: Equatable, Sendable {
    var id: TransferID
    var conversion: Conversion
    var deadline: LoopTime
  }

  let selection: AtomName
  /// The served types, best first.
  private(set) var types: [AtomName]
  /// When this program acquired the selection: the answer to `TIMESTAMP`.
  private(set) var acquired: Timestamp
  private(set) var allowsDeletion: Bool
  let limits: OutgoingTransfer.Limits
  let serving: ServingLimits

  private let resourceMask: UInt32
  private var recipient: DropRecipient
  /// In order of arrival.
  private var waiting: [Waiting] = []
  /// At most one for each property of a window.
  private var transfers: [TransferID: Transfer] = [:]
  /// The unanswered `MULTIPLE` requests, in order of arrival.
  private var multiples: [Multiple] = []
  /// Later requests of requestors whose list is being read, in order of arrival. If two name the same property, the
  /// later one replaces the earlier.
  private var deferred: [SelectionRequest] = []
  /// When the next slice of the ``multiples`` became due.
  private var waitsSince: LoopTime?
  private var nextID: TransferID

  /// - Parameters:
  ///   - resourceMask: See ``WindowSystem/resourceMask``.
  ///   - firstID: IDs count up from here, so that the servers of one program share none.
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
    // All requests wait equally long, so the first one is due first.
    waitsSince
      ?? transfers.values.reduce(waiting.first?.deadline) { LoopTime.earliest($0, $1.machine.nextDeadline) }
  }

  /// The windows that wait for an answer or a part.
  var requestors: Set<WindowID> {
    Set(transfers.values.map(\.conversion.request.requestor)).union(waiting.map(\.conversion.request.requestor))
      .union(multiples.map(\.request.requestor))
  }

  /// Whether any request is unanswered or any transfer is running.
  var isBusy: Bool { !transfers.isEmpty || !waiting.isEmpty || !multiples.isEmpty }

  mutating func receive(_ input: Input, at now: LoopTime) -> [Effect] {
    let before = transfers.count
    let effects = handle(input, at: now)
    // Waiting requests can be admitted only when a transfer has ended.
    return transfers.count < before ? effects + admit(at: now) : effects
  }

  private mutating func handle(_ input: Input, at now: LoopTime) -> [Effect] {
    switch input {
    case .offering(let types, let allowsDeletion):
      (self.types, self.allowsDeletion) = (types, allowsDeletion)
      return []
    case .acquired(let time):
      acquired = time
      return []
    case .request(let request):
      guard isReading(from: request.requestor) else { return serve(request, at: now) }
      guard deferred.count < serving.waiting else {
        return [refusal(of: request), .ignored(.beyondLimit(.maximumWaitingRequests, peer: request.requestor))]
      }
      deferred.append(request)
      return []
    case .pairs(let pairs, let request):
      guard let index = multiples.firstIndex(where: { $0.request == request && $0.pairs == nil }) else { return [] }
      return serve(pairs, of: index, at: now) + serveDeferred(of: request.requestor, at: now)
    case .transfer(let id, let input): return advance(id, input, at: now)
    case .propertyDeleted(let property, let window):
      return ids { $0.requestor == window && $0.property == property }
        .flatMap { advance($0, .propertyDeleted, at: now) }
    case .windowVanished(let window):
      deferred.removeAll { $0.requestor == window }
      multiples.removeAll { $0.request.requestor == window }
      if !multiples.contains(where: \.isUnfinished) { waitsSince = nil }
      return dismiss { $0.conversion.request.requestor == window }.map { _ in .unwatch(window) }
        + ids { $0.requestor == window }.flatMap { advance($0, .requestorVanished, at: now) }
    case .dropped(let target, let operation, let time):
      return recipient.dropped(on: target, operation, at: time) ? [.contentRequested] : []
    case .dragEnded(let outcome):
      // Java and tkdnd never delete the empty part that ends INCR; their Finished says that they have the content.
      let input: OutgoingTransfer.Input = outcome.isFailureAfterDrop ? .requestorRefused : .requestorFinished
      let done = ids { recipient.isSent(by: $0.requestor) }.flatMap { advance($0, input, at: now) }
      return done + effects(of: recipient.ended(outcome))
    case .cancelled:
      types = []
      return refuseUnfinished() + refuse { _ in true } + ids { _ in true }.flatMap { advance($0, .cancelled, at: now) }
    case .deadlineReached:
      return refuse { $0.deadline <= now } + ids { _ in true }.flatMap { advance($0, .deadlineReached, at: now) }
        + beginSlice(at: now)
    }
  }

  /// Whether a request comes from the target that was dropped on and carries the timestamp of the Drop.
  func isDropNamed(by request: SelectionRequest) -> Bool { recipient.isNamed(by: request) }

  /// Whether the content was dropped.
  var isDropped: Bool { recipient.isDropped }

  /// Whether a window belongs to the client that was dropped on.
  func isTarget(_ window: WindowID) -> Bool { recipient.isSent(by: window) }

  private func ids(where isIncluded: (Destination) -> Bool) -> [TransferID] {
    transfers.compactMap { isIncluded($1.conversion.destination) ? $0 : nil }.sorted()
  }

  // MARK: Requests

  private mutating func serve(_ request: SelectionRequest, at now: LoopTime) -> [Effect] {
    guard request.target != .multiple else { return serveList(request) }
    // Clients older than the ICCCM send no property; ICCCM §2.2 recommends the target's name as the property.
    let destination = Destination(
      requestor: request.requestor, property: request.property ?? request.target, target: request.target)
    return begin(Conversion(destination: destination, request: request), at: now)
  }

  private mutating func serveList(_ request: SelectionRequest) -> [Effect] {
    guard request.property != nil, !multiples.contains(where: { $0.request == request }) else {
      return [refusal(of: request)]
    }
    let client = client(of: request.requestor)
    guard multiples.count < Limits.lists,
      multiples.count(where: { self.client(of: $0.request.requestor) == client }) < Limits.listsPerClient
    else { return [refusal(of: request), .ignored(.beyondLimit(.maximumListCount, peer: request.requestor))] }
    multiples.append(Multiple(request))
    return [.readPairs(request)]
  }

  private func isReading(from requestor: WindowID) -> Bool {
    multiples.contains { $0.request.requestor == requestor && $0.pairs == nil }
  }

  private mutating func serveDeferred(of requestor: WindowID, at now: LoopTime) -> [Effect] {
    var effects: [Effect] = []
    while !isReading(from: requestor), let next = deferred.firstIndex(where: { $0.requestor == requestor }) {
      effects += serve(deferred.remove(at: next), at: now)
    }
    return effects
  }

  private mutating func serve(_ pairs: [ConversionPair]?, of index: Int, at now: LoopTime) -> [Effect] {
    guard let pairs, !pairs.isEmpty, pairs.count <= Limits.pairs else {
      let request = multiples.remove(at: index).request
      let isLong = pairs.map { $0.count > Limits.pairs } ?? false
      return [refusal(of: request)]
        + (isLong ? [.ignored(.beyondLimit(.maximumPairCount, peer: request.requestor))] : [])
    }
    multiples[index].take(pairs)
    // If a slice is due already, do not begin another in this turn.
    return waitsSince == nil ? beginSlice(at: now) : []
  }

  private mutating func beginSlice(at now: LoopTime) -> [Effect] {
    var effects: [Effect] = []
    for _ in 0..<Limits.slice {
      guard let index = multiples.firstIndex(where: \.isUnfinished), let next = multiples[index].takeNext() else {
        break
      }
      let request = multiples[index].request
      guard let target = next.pair.target, let property = next.pair.property, target != .multiple else {
        effects += answer(next.index, of: request, isGiven: false)
        continue
      }
      let destination = Destination(requestor: request.requestor, property: property, target: target)
      effects += begin(Conversion(destination: destination, request: request, index: next.index), at: now)
    }
    waitsSince = multiples.contains(where: \.isUnfinished) ? now : nil
    return effects
  }

  /// Refuses the conversions of `MULTIPLE` requests that have not begun.
  private mutating func refuseUnfinished() -> [Effect] {
    waitsSince = nil
    var effects: [Effect] = []
    while let index = multiples.firstIndex(where: \.isUnfinished), let next = multiples[index].takeNext() {
      effects += answer(next.index, of: multiples[index].request, isGiven: false)
    }
    return effects
  }

  /// Answers the conversion of a target that is not content.
  private mutating func reply(_ value: PropertyValue, to conversion: Conversion, at now: LoopTime) -> [Effect] {
    let (destination, request) = (conversion.destination, conversion.request)
    var effects: [Effect] = []
    // Only `DELETE` depends on the requestor and the phase of the drag.
    if destination.target == .delete {
      let verdict = recipient.requestDeletion(from: request.requestor, owner: request.owner)
      effects = self.effects(of: verdict)
      if verdict == .refused(request.requestor) { return effects + answer(conversion, isGiven: false) }
    }
    return effects + supersede(destination.property, of: request.requestor, at: now)
      + [.reply(value, to: destination.property, of: request.requestor)] + answer(conversion, isGiven: true)
  }

  /// The value of a target that is not content; `nil` for content.
  private func immediate(_ target: AtomName) -> PropertyValue? {
    switch target {
    case .targets: .atoms([.targets, .timestamp, .multiple] + sideEffects + types)
    case .timestamp: PropertyValue(type: .integer, contents: .words([acquired.rawValue]))
    case _ where sideEffects.contains(target): PropertyValue(type: .null, contents: .words([]))
    default: nil
    }
  }

  /// Targets with a side effect, which are answered by an empty property (ICCCM §2.6.3).
  ///
  /// A clipboard lists `SAVE_TARGETS` to tell clipboard managers that they may keep its content. GTK 4 and Chromium
  /// list it too, and answer its conversion.
  private var sideEffects: [AtomName] {
    (allowsDeletion ? [.delete] : []) + (selection == .xdndSelection ? [] : [.saveTargets])
  }

  private func effects(of deletion: DropRecipient.Deletion?) -> [Effect] {
    switch deletion {
    case .due: [.deletionRequested]
    case .refused(let requestor): [.ignored(.unexpectedDeletion(requestor: requestor))]
    case .noted, nil: []
    }
  }

  /// Ends an earlier transfer into the same property: with a new request, the requestor gives up the old one.
  private mutating func supersede(_ property: AtomName, of requestor: WindowID, at now: LoopTime) -> [Effect] {
    func isEarlier(_ destination: Destination) -> Bool {
      destination.requestor == requestor && destination.property == property
    }
    return refuse { isEarlier($0.conversion.destination) }
      + ids(where: isEarlier).flatMap { advance($0, .superseded, at: now) }
  }

  private mutating func begin(_ conversion: Conversion, at now: LoopTime) -> [Effect] {
    let (target, requestor) = (conversion.destination.target, conversion.request.requestor)
    if let value = immediate(target) { return reply(value, to: conversion, at: now) }
    guard types.contains(target) else { return answer(conversion, isGiven: false) }
    var effects = supersede(conversion.destination.property, of: requestor, at: now)
    let id = nextID
    nextID = TransferID(rawValue: id.rawValue + 1)
    if recipient.requestContent(from: requestor) { effects.append(.contentRequested) }
    let client = client(of: requestor)
    let earlier = waiting.count { self.client(of: $0.conversion.request.requestor) == client }
    if earlier == 0, hasRoom(for: client) {
      return effects + [.watch(requestor)] + open(conversion, as: id, at: now)
    }
    guard waiting.count < serving.waiting, earlier < serving.waitingPerClient else {
      return effects + answer(conversion, isGiven: false)
        + [.ignored(.beyondLimit(.maximumWaitingRequests, peer: requestor))]
    }
    waiting.append(Waiting(id: id, conversion: conversion, deadline: now + limits.promise))
    return effects + [.watch(requestor)]
  }

  private mutating func open(_ conversion: Conversion, as id: TransferID, at now: LoopTime) -> [Effect] {
    // Tk, which needs short parts, names the property after the selection, as FLTK does.
    let limits = conversion.destination.property == selection ? limits.shortParts : limits
    transfers[id] = Transfer(machine: OutgoingTransfer(limits: limits, at: now), conversion: conversion)
    return [.open(id, conversion.destination)]
  }

  // MARK: Turns

  private func client(of window: WindowID) -> ClientID { ClientID(of: window, resourceMask: resourceMask) }

  private func hasRoom(for client: ClientID) -> Bool {
    transfers.count < serving.total
      && transfers.values.count { self.client(of: $0.conversion.request.requestor) == client } < serving.perClient
  }

  /// Opens waiting requests while there is room, oldest first.
  private mutating func admit(at now: LoopTime) -> [Effect] {
    var effects: [Effect] = []
    var sated: Set<ClientID> = []
    var next = waiting.startIndex
    while next < waiting.endIndex, transfers.count < serving.total {
      let client = client(of: waiting[next].conversion.request.requestor)
      if sated.contains(client) {
        next += 1
      } else if hasRoom(for: client) {
        let admitted = waiting.remove(at: next)
        effects += open(admitted.conversion, as: admitted.id, at: now)
      } else {
        sated.insert(client)
      }
    }
    return effects
  }

  private mutating func dismiss(where isIncluded: (Waiting) -> Bool) -> [Waiting] {
    let dismissed = waiting.filter(isIncluded)
    if !dismissed.isEmpty { waiting.removeAll(where: isIncluded) }
    return dismissed
  }

  private mutating func refuse(where isIncluded: (Waiting) -> Bool) -> [Effect] {
    dismiss(where: isIncluded).flatMap {
      answer($0.conversion, isGiven: false) + [.unwatch($0.conversion.request.requestor)]
    }
  }

  // MARK: Transfers

  private mutating func advance(_ id: TransferID, _ input: OutgoingTransfer.Input, at now: LoopTime) -> [Effect] {
    guard let steps = transfers[id]?.machine.receive(input, at: now), let conversion = transfers[id]?.conversion else {
      return []
    }
    var effects: [Effect] = []
    for step in steps {
      switch step {
      case .answer(let isGiven): effects += answer(conversion, isGiven: isGiven)
      case .stage, .announce, .write, .progressed: effects.append(.transfer(id, conversion.destination, step))
      case .ended:
        transfers[id] = nil
        effects += [.transfer(id, conversion.destination, step), .unwatch(conversion.request.requestor)]
      }
    }
    return effects
  }

  private mutating func answer(_ conversion: Conversion, isGiven: Bool) -> [Effect] {
    guard let index = conversion.index else {
      let property = isGiven ? conversion.destination.property : nil
      return [.notify(answer(to: conversion.request, property: property))]
    }
    return answer(index, of: conversion.request, isGiven: isGiven)
  }

  /// Answers one conversion of a `MULTIPLE` request, and after the last one the request itself.
  private mutating func answer(_ index: Int, of request: SelectionRequest, isGiven: Bool) -> [Effect] {
    guard let place = multiples.firstIndex(where: { $0.request == request }), let property = request.property else {
      return []
    }
    multiples[place].answer(index, isGiven: isGiven)
    guard multiples[place].isAnswered, let pairs = multiples.remove(at: place).pairs else { return [] }
    // ICCCM §2.6.2: the property of a failed conversion becomes None.
    let value = PropertyValue(type: .atomPair, contents: .atoms(pairs.flatMap { [$0.target, $0.property] }))
    return [.reply(value, to: property, of: request.requestor), .notify(answer(to: request, property: property))]
  }

  private func refusal(of request: SelectionRequest) -> Effect { .notify(answer(to: request, property: nil)) }

  private func answer(to request: SelectionRequest, property: AtomName?) -> SelectionNotify {
    SelectionNotify(
      requestor: request.requestor, selection: request.selection, target: request.target, property: property,
      time: request.time)
  }
}
