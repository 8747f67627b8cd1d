import FuzzRuns

@testable import XDnD

/// A source, the programs that take drops, the links between them, a user, and somebody who means harm: all of it one value.
///
/// There is one drag. One window belongs to one program. Another one belongs to a program that takes drops itself, and has a
/// proxy by which a third program takes those in a part of it.
struct DragWorld: SearchedWorld {
  /// A place that takes drops.
  enum Place: UInt8, Hashable, Sendable, CaseIterable {
    /// A window of one program.
    case window
    /// The part of the proxied window that the proxy's program takes.
    case proxy
    /// The rest of the proxied window.
    case owner
  }

  /// What a world is made of. It stays as it is.
  struct Setting: Sendable {
    var places = Place.allCases
    /// Whether the user knows the keys and the wheel.
    var isSteered = false
    /// Whether content is fetched, or saved directly, and files are promised.
    var hasContent = false
    var faults: Faults = .all
    /// How many faults there are; `nil` for as many as one likes.
    var faultLimit: Int? = 2
    /// What is wrong with the machines, in a test of the search.
    var defect: Defect?
  }

  struct Faults: OptionSet, Sendable {
    let rawValue: UInt8

    /// A program or the server ends, or loses what it owns.
    static let losses = Faults(rawValue: 1)
    /// The programs themselves end what they do.
    static let programs = Faults(rawValue: 2)
    /// A source sends any message.
    static let hostileSource = Faults(rawValue: 4)
    /// A target sends any message.
    static let hostileTarget = Faults(rawValue: 8)
    static let all: Faults = [.losses, .programs, .hostileSource, .hostileTarget]
  }

  /// One thing that may happen next.
  enum Event: Hashable, Sendable {
    // The server answers.
    case own, loseClaim, grab, refuseGrab, failGrab, grabReleased, locate, readLists(Place)
    // The links.
    case deliver(Place), answer(Place)
    // The user.
    case moveOver(Place), moveAway, toggleShift, release, escape, tab, arrow, wheel, enterKey
    // The programs.
    case accept(Place), refuse(Place), reconsider(Place), finishCopy(Place), finishMove(Place), reject(Place), work(
      Place)
    case answerDeletion(Place), changeOffer, cancel, unregister(Place)
    // The content.
    case promise, prepare, failToPrepare, progress, deliverContent, failContent, save, failSave
    // Time.
    case sourceDeadline, targetDeadline(Place)
    // Faults.
    case dies(Place), sourceDies, serverDies, stealSelection
    case forgedEnter(Place), forgedPosition(Place), forgedLeave(Place), forgedDrop(Place), repeatedDrop(Place)
    case forgedAcceptance, forgedRefusal, forgedFinished
  }

  /// A message on its way.
  struct Letter: Hashable, Sendable {
    var message: XdndMessage
    /// Whether it belongs to the source's present visit.
    var isPresent: Bool
    /// Whether it is a Status that answers no Position.
    var isUnasked = false
  }

  static let source = WindowID(rawValue: 0x200)
  static let stranger = WindowID(rawValue: 0x300)

  let setting: Setting
  var source: SourceMachine
  var books = SourceBookkeeper()
  var parts: [Part]
  private(set) var relay = RelayMachine()
  var now = LoopTime.zero
  var isSourceThere = true
  private var faultCount = 0
  private var hasChangedOffer = false
  private var isShifted = false
  private var isQuiet = false

  // What the source has asked and not been answered.
  private var isClaiming = false
  private var isGrabbing = false
  private var locating: Point?
  private var isPreparing = false

  // What is true, whatever the source believes.

  /// Whether the last Status that belongs to the present visit accepts.
  private var isWelcome = false
  /// Whether a Status has arrived that belongs to the present visit.
  private var isAnswered = false
  /// Whether the source cannot tell which visit a Status belongs to: one was forged, or answered no Position, or overtook
  /// another program's, or so much time has passed that it has forgotten what is owed. It may drop where it is not welcome, and the target refuses.
  private var isUncertain = false
  /// Whether a target has said that it has moved the content.
  private var isMoved = false
  private(set) var complaint: String?

  init(_ setting: Setting = Setting()) {
    self.setting = setting
    source = SourceMachine(
      offer: SourceMachine.Offer(
        source: Self.source, types: [AtomName("text/plain")], operations: [.copy, .move], button: .primary,
        time: Timestamp(rawValue: 1000)))
    parts = Place.allCases.map { Part($0, isThere: setting.places.contains($0)) }
    tell(.begin)
  }

  /// A drag that has begun, over nothing.
  static func dragging(_ setting: Setting = Setting()) -> DragWorld {
    var world = DragWorld(setting)
    for event in [.own, .grab, .locate] as [Event] { world.perform(event) }
    return world
  }

  var fingerprint: UInt64 {
    var hasher = Hasher()
    hasher.combine(source.state)
    hasher.combine(books)
    for part in parts { part.combine(into: &hasher) }
    hasher.combine(relay)
    hasher.combine(now)
    hasher.combine(faultCount)
    hasher.combine(locating)
    var flags: UInt16 = 0
    for flag in [
      isSourceThere, hasChangedOffer, isShifted, isQuiet, isClaiming, isGrabbing, isPreparing, isWelcome, isAnswered,
      isUncertain,
      isMoved,
    ] { flags = flags << 1 | (flag ? 1 : 0) }
    hasher.combine(flags)
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }

  // MARK: What may happen

  var possibleEvents: [Event] {
    var events: [Event] = []
    events.reserveCapacity(40)
    addAnswers(&events)
    if isSourceThere { addSource(&events) }
    for place in setting.places { addPart(place, &events) }
    if faultCount < setting.faultLimit ?? .max { addFaults(&events) }
    return events
  }

  private func addAnswers(_ events: inout [Event]) {
    if isClaiming { events += [.own, .loseClaim] }
    if isGrabbing { events += [.grab, .refuseGrab, .failGrab, .grabReleased] }
    if locating != nil { events.append(.locate) }
    if isPreparing { events += [.prepare, .failToPrepare, .progress] }
  }

  private func addSource(_ events: inout [Event]) {
    if case .dragging(let dragging) = source.state, dragging.release == nil {
      for place in setting.places where place.point != dragging.pointer.point { events.append(.moveOver(place)) }
      if dragging.pointer.point != Self.nowhere { events.append(.moveAway) }
      events += [.toggleShift, .release, .escape]
      if setting.isSteered { events += [.tab, .arrow, .wheel, .enterKey] }
      if setting.hasContent, dragging.over != nil, dragging.preparation == .unneeded { events.append(.promise) }
    }
    if setting.hasContent, case .dropped = source.state {
      events += [.progress, .deliverContent, .failContent, .save, .failSave]
    }
    if source.nextDeadline != nil { events.append(.sourceDeadline) }
  }

  private func addPart(_ place: Place, _ events: inout [Event]) {
    let part = self[place]
    if !part.inbox.isEmpty { events.append(.deliver(place)) }
    if !part.outbox.isEmpty { events.append(.answer(place)) }
    guard part.isThere else { return }
    if part.isReading { events.append(.readLists(place)) }
    if part.asked != nil { events += [.accept(place), .refuse(place)] }
    if part.canReconsider { events.append(.reconsider(place)) }
    if !part.performing.isEmpty { events += [.finishCopy(place), .finishMove(place), .reject(place)] }
    if setting.hasContent, !part.performing.isEmpty { events.append(.work(place)) }
    if part.deleting != nil { events.append(.answerDeletion(place)) }
    if part.machine.nextDeadline != nil { events.append(.targetDeadline(place)) }
  }

  private func addFaults(_ events: inout [Event]) {
    let faults = setting.faults
    if isSourceThere {
      if faults.contains(.losses) { events += [.sourceDies, .serverDies, .stealSelection] }
      if faults.contains(.programs) { events += [.cancel, .changeOffer] }
      if faults.contains(.hostileTarget) { events += [.forgedAcceptance, .forgedRefusal, .forgedFinished] }
    }
    for place in setting.places where self[place].isThere {
      if faults.contains(.losses) { events.append(.dies(place)) }
      if faults.contains(.programs), !self[place].isUnregistered { events.append(.unregister(place)) }
      if faults.contains(.hostileSource) {
        events += [
          .forgedEnter(place), .forgedPosition(place), .forgedLeave(place), .forgedDrop(place), .repeatedDrop(place),
        ]
      }
    }
  }

  mutating func perform(_ event: Event) {
    switch event {
    case .own, .loseClaim, .grab, .refuseGrab, .failGrab, .grabReleased, .locate: answer(event)
    case .readLists(let place):
      self[place].isReading = false
      let names = source.offer.operations.map(\.name)
      tell(place, .offered(types: nil, operations: names, descriptions: []))
    case .deliver(let place): deliver(to: place)
    case .answer(let place): deliver(from: place)
    case .moveOver(let place): tell(.pointerMoved(sample(place.point)))
    case .moveAway: tell(.pointerMoved(sample(Self.nowhere)))
    case .toggleShift:
      isShifted.toggle()
      tell(.modifiersChanged(sample(pointer)))
    case .release: tell(.buttonReleased(.primary, sample(pointer)))
    case .escape: tell(.keyPressed(.cancel, sample(pointer)))
    case .tab: tell(.keyPressed(.nextTarget, sample(pointer)))
    case .arrow: tell(.keyPressed(.arrow(dx: 1, dy: 0, isLarge: false), sample(pointer)))
    case .wheel: tell(.buttonPressed(PointerButton(rawValue: 4), sample(pointer)))
    case .enterKey: tell(.keyPressed(.drop, sample(pointer)))
    case .accept(let place): propose(.accept(isShifted ? .move : .copy), at: place)
    case .refuse(let place): propose(.forbidden, at: place)
    case .reconsider(let place):
      guard let session = self[place].machine.state.hover.visit?.session else { return }
      let count = self[place].outbox.count
      tell(place, .reconsidered(session, .forbidden))
      for index in self[place].outbox.indices.dropFirst(count) { self[place].outbox[index].isUnasked = true }
    case .finishCopy(let place): finish(.copy, at: place)
    case .finishMove(let place): finish(.move, at: place)
    case .reject(let place): finish(nil, at: place)
    case .work(let place): if let session = self[place].performing.first { tell(place, .working(session)) }
    case .answerDeletion(let place):
      if let session = self[place].deleting { tell(place, .deletionAnswered(session)) }
      self[place].deleting = nil
    case .promise: tell(.preparationNeeded)
    case .prepare, .failToPrepare:
      isPreparing = false
      tell(.prepared(event == .prepare))
    case .progress: tell(.transferProgressed)
    case .deliverContent: tell(.contentDelivered)
    case .failContent: tell(.transferFailed)
    case .save: tell(.savedDirectly)
    case .failSave: tell(.directSaveFailed)
    case .sourceDeadline:
      advance(to: source.nextDeadline)
      if setting.defect != .sourceForgetsTime { tell(.deadlineReached) }
    case .targetDeadline(let place):
      advance(to: self[place].machine.nextDeadline)
      if setting.defect != .targetForgetsTime { tell(place, .deadlineReached) }
    default: harm(event)
    }
  }

  private mutating func answer(_ event: Event) {
    switch event {
    case .own, .loseClaim:
      isClaiming = false
      tell(.claimed(event == .own))
    case .grab, .grabReleased:
      isGrabbing = false
      tell(.grabbed(sample(Self.nowhere), buttonIsDown: event == .grab))
    case .refuseGrab, .failGrab:
      isGrabbing = false
      tell(event == .failGrab ? .grabFailed : .grabRefused)
    case .locate:
      guard let point = locating else { return }
      locating = nil
      tell(.located(target(at: point)))
    default: break
    }
  }

  private mutating func advance(to deadline: LoopTime?) {
    guard let deadline, deadline > now else { return }
    if now + source.timing.status <= deadline { isUncertain = true }
    now = deadline
  }

  private mutating func harm(_ event: Event) {
    if setting.faultLimit != nil { faultCount += 1 }
    switch event {
    case .dies(let place): kill(place)
    case .sourceDies:
      isSourceThere = false
      (isClaiming, isGrabbing, locating, isPreparing) = (false, false, nil, false)
      for place in setting.places {
        self[place].sourceDied()
        tell(place, .windowVanished(Self.source))
      }
    case .serverDies:
      tell(.serverLost)
      isSourceThere = false
      (isClaiming, isGrabbing, locating, isPreparing) = (false, false, nil, false)
      for place in setting.places { kill(place) }
    case .stealSelection:
      tell(.cancel(.selectionLost))
      for place in setting.places { tell(place, .selectionReleased) }
    case .cancel: tell(.cancel(.application))
    case .changeOffer:
      hasChangedOffer = true
      tell(.offerChanged(types: [AtomName("text/plain")], operations: [.copy]))
    case .unregister(let place):
      self[place].isUnregistered = true
      tell(place, .unregister)
      if place == .proxy { relay.end() }
    case .forgedEnter(let place):
      tell(
        place,
        .message(
          .enter(
            .init(source: Self.stranger, statedVersion: 5, hasTypeList: false, inlineTypes: [AtomName("text/plain")]))))
    case .forgedPosition(let place):
      tell(
        place,
        .message(
          .position(.init(source: Self.stranger, point: place.point, time: Timestamp(rawValue: 1), operation: .move))))
    case .forgedLeave(let place): tell(place, .message(.leave(.init(source: Self.stranger))))
    case .forgedDrop(let place):
      tell(place, .message(.drop(.init(source: Self.stranger, time: Timestamp(rawValue: 1)))))
    case .repeatedDrop(let place):
      tell(place, .message(.drop(.init(source: Self.source, time: Timestamp(rawValue: 1)))))
    case .forgedAcceptance, .forgedRefusal:
      isUncertain = true
      let acceptance = XdndMessage.Status.Acceptance(operation: .link)
      tell(.message(.status(.init(target: forger, acceptance: event == .forgedAcceptance ? acceptance : nil))))
    case .forgedFinished:
      isMoved = true
      tell(.message(.finished(.init(target: forger, result: .accepted(.move)))))
    default: break
    }
  }

  /// The window that the hostile target names as the sender: the target that the source is over, or has dropped on.
  private var forger: WindowID {
    switch source.state {
    case .dragging(let dragging): dragging.over?.target.window ?? Place.window.window
    case .dropped(let dropped): dropped.target.window
    default: Place.window.window
    }
  }

  private mutating func kill(_ place: Place) {
    guard self[place].isThere else { return }
    let outbox = self[place].outbox
    self[place] = Part(place, isThere: false)
    // What it has sent still arrives.
    self[place].outbox = outbox
    switch place {
    case .window, .owner: tell(.windowVanished(place.window))
    case .proxy: relay.end()
    }
    // The window of which it is a part is gone.
    if place == .owner {
      relay.end()
      if self[.proxy].isThere { tell(.proxy, .unregister) }
    }
  }

  // MARK: The source

  static let nowhere = Point(x: 0, y: 0)

  private var pointer: Point {
    if case .dragging(let dragging) = source.state { dragging.pointer.point } else { Self.nowhere }
  }

  private func sample(_ point: Point) -> PointerSample {
    PointerSample(point: point, time: Timestamp(rawValue: 1001), modifiers: isShifted ? [.shift] : [])
  }

  /// The target at a point. If the proxy's program is gone, its property is no longer valid.
  private func target(at point: Point) -> DropTarget? {
    guard let place = setting.places.first(where: { $0.point == point }) else { return nil }
    let isProxied = place != .window && isProxyThere
    guard isProxied || self[place == .proxy ? .owner : place].isThere else { return nil }
    return DropTarget(
      window: place.window, destination: isProxied ? Place.proxyWindow : place.window, version: .v5)
  }

  private var isProxyThere: Bool {
    self[.proxy].isThere && self[.owner].isThere && !self[.proxy].isUnregistered
  }

  private mutating func tell(_ input: SourceMachine.Input) {
    guard isSourceThere else { return }
    books.hear(input, source.state)
    for effect in source.receive(input, at: now) {
      for effect in setting.defect?.change(effect) ?? [effect] { perform(effect) }
    }
    complain(books.complaint)
    if case .dragging(let dragging) = source.state, dragging.owed.count > setting.places.count {
      complain("the list of what targets owe grows")
    }
  }

  private mutating func perform(_ effect: SourceMachine.Effect) {
    books.see(effect)
    switch effect {
    case .claimSelection: isClaiming = true
    case .grab: isGrabbing = true
    case .locateTarget(let point): locating = point
    case .send(let message, let target): send(message, to: target)
    case .movePointer(.to(let point), _): tell(.pointerMoved(sample(point)))
    case .movePointer(.by(let dx, _), _): tell(.pointerMoved(sample(Point(x: pointer.x + dx, y: 0))))
    case .listDropPlaces:
      tell(
        .dropPlaces(
          setting.places.compactMap { place in
            target(at: place.point).map { DropPlace(target: $0, point: place.point) }
          }))
    case .prepare: isPreparing = true
    case .dropSent(let operation, _):
      if !source.offer.operations.contains(operation) { complain("dropped with an operation that was not offered") }
    case .ended(let outcome):
      (locating, isPreparing) = (nil, false)
      if outcome == .dropped(.move), !isMoved { complain("the source may delete what nobody has moved") }
    default: break
    }
  }

  private mutating func send(_ message: XdndMessage, to target: DropTarget) {
    switch message.kind {
    case .enter:
      (isWelcome, isAnswered) = (false, false)
      for index in parts.indices { parts[index].forgetVisit() }
    case .drop where !isWelcome && !isUncertain: complain("dropped without an acceptance of this visit")
    default: break
    }
    let place: Place =
      target.destination == Place.proxyWindow ? .proxy : target.window == Place.window.window ? .window : .owner
    if self[place].isThere { self[place].inbox.append(Letter(message: message, isPresent: true)) }
  }

  // MARK: The links

  private mutating func deliver(to place: Place) {
    let letter = self[place].inbox.removeFirst()
    guard place == .proxy else { return hand(letter, to: place) }
    guard !self[.proxy].isUnregistered else { return hand(letter, to: place) }
    var side = RelayMachine.Side.own
    if case .position(let position) = letter.message, position.point == Place.owner.point { side = .owner }
    for delivery in relay.receive(letter.message, at: side) {
      let passed = Letter(message: delivery.message, isPresent: letter.isPresent)
      if delivery.side == .own { hand(passed, to: .proxy) } else { self[.owner].inbox.append(passed) }
    }
  }

  private mutating func hand(_ letter: Letter, to place: Place) {
    self[place].isPresent = letter.isPresent
    tell(place, .message(letter.message))
  }

  private mutating func deliver(from place: Place) {
    let letter = self[place].outbox.removeFirst()
    // It passes for the answer to a Position, and the answer for one of another visit.
    if letter.isUnasked, !letter.isPresent || books.isStatusDue || books.entered == nil { isUncertain = true }
    switch letter.message {
    case .status(let status) where letter.isPresent:
      isWelcome = status.acceptance?.operation != nil
      isAnswered = true
    // Both programs of a window answer in its name, and the answers of two programs may overtake each other.
    case .status where isAnswered: isUncertain = true
    case .finished(let finished) where finished.result == .accepted(.move): isMoved = true
    default: break
    }
    if setting.defect == .takesStaleAnswers, !letter.isPresent, case .status = letter.message {
      tell(.message(letter.message))
    }
    tell(.message(letter.message))
  }

  // MARK: The targets

  // A `_read` that yields the part is wrong here: in debug builds, Swift 6.3.1 reads its result after the accessor has
  // freed it.
  subscript(place: Place) -> Part {
    get { parts[Int(place.rawValue)] }
    _modify { yield &parts[Int(place.rawValue)] }
  }

  private mutating func tell(_ place: Place, _ input: TargetMachine.Input) {
    guard self[place].isThere else { return }
    if case .message(.drop(let drop), _) = input, drop.source != Self.source || isSourceThere {
      self[place].hear(drop)
    }
    let effects = self[place].machine.receive(input, at: now)
    for effect in effects {
      for effect in setting.defect?.change(effect) ?? [effect] { perform(effect, at: place) }
    }
    complain(self[place].complaint)
  }

  private mutating func perform(_ effect: TargetMachine.Effect, at place: Place) {
    self[place].note(effect, isSourceThere: isSourceThere)
    switch effect {
    case .watch(Self.source) where !isSourceThere: tell(place, .windowVanished(Self.source))
    case .checkSource(let window):
      tell(place, .sourceChecked(isAlive: window == Self.source && isSourceThere && books.endCount == 0))
    case .send(let message, let window, _) where window == Self.source && isSourceThere:
      self[place].outbox.append(Letter(message: message, isPresent: self[place].isPresent))
    default: break
    }
  }

  private mutating func propose(_ proposal: DropProposal, at place: Place) {
    if let request = self[place].asked { tell(place, .proposal(proposal, to: request)) }
    self[place].asked = nil
  }

  private mutating func finish(_ operation: DragOperation?, at place: Place) {
    if let session = self[place].performing.first { tell(place, .finish(session, operation)) }
  }

  private mutating func complain(_ text: String?) { complaint = complaint ?? text }

  // MARK: Quiet

  /// The user lets go, messages arrive, the server answers, nobody else does anything, and time passes.
  mutating func becomeQuiet() {
    isQuiet = true
    faultCount = 0
    guard isSourceThere, case .dragging(let dragging) = source.state, dragging.release == nil else { return }
    perform(.release)
  }

  mutating func passQuietly() -> Bool {
    if isClaiming {
      perform(.own)
    } else if isGrabbing {
      perform(.grab)
      becomeQuiet()
    } else if locating != nil {
      perform(.locate)
    } else if let place = setting.places.first(where: { !self[$0].inbox.isEmpty }) {
      perform(.deliver(place))
    } else if let place = setting.places.first(where: { !self[$0].outbox.isEmpty }) {
      perform(.answer(place))
    } else if let place = setting.places.first(where: { self[$0].isReading }) {
      perform(.readLists(place))
    } else {
      return passTime()
    }
    return true
  }

  private mutating func passTime() -> Bool {
    var next: (time: LoopTime, event: Event)?
    if isSourceThere, let time = source.nextDeadline { next = (time, .sourceDeadline) }
    for place in setting.places where self[place].isThere {
      if let time = self[place].machine.nextDeadline, time < next?.time ?? LoopTime(sinceStart: .seconds(1_000_000)) {
        next = (time, .targetDeadline(place))
      }
    }
    guard let next else { return false }
    perform(next.event)
    return true
  }

  var complaintAtRest: String? {
    if isSourceThere, books.endCount != 1 { return "the source waits for ever" }
    return setting.places.lazy.compactMap { self[$0].complaintAtRest }.first
  }
}
