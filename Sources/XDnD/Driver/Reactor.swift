import Logging

/// The router: takes in events, alarms and calls, hands each to the object that it concerns, and delivers notices.
///
/// An object passes an event to its machine, which returns effects. The object performs them at once, on the window
/// system or on other objects; inputs that arrive meanwhile wait in its ``Inbox``. Notices for the application wait
/// until all machines have settled, so the application may call the library from any callback.
final class Reactor {
  /// The time and size limits of sources, targets and transfers.
  struct Timing: Equatable, Sendable {
    var target = TargetMachine.Timing()
    var source = SourceMachine.Timing()
    var outgoing = OutgoingTransfer.Limits()
    var serving = SelectionServer.ServingLimits()
    var incoming = IncomingTransfer.Limits()
    var saving = DirectSaveReceiver.Timing()
    var history = OfferStore.History()
    /// The maximum number of types of a peer's drag or clipboard.
    var typeCount = Negotiation.offerLimit
  }

  /// The maximum number of events and answers that a turn takes in at once.
  static let batch = 1024

  /// How long the host may be busy, between two calls of ``process(hasContentArrived:)`` or in a callback. After a
  /// longer pause, the program answers its own messages before deadlines take effect.
  static let absence: Duration = .milliseconds(500)

  /// Called whenever all notices are delivered, and after ``show(_:)``.
  var onActivity: () -> Void = {}

  /// Called with each notice when all machines have settled, and with the application's half of the notice's object:
  /// the ``OfferHalf`` of a drag or clipboard, the ``LoadTask`` of a load, or the ``DirectSaveTask`` of a save. For a
  /// drop target it is the ``Visit``.
  var onNotice: (Notice, AnyObject?) -> Void = { _, _ in }

  let system: any WindowSystem
  let targets: DropTargets
  let loads: Loads
  let lateAnswers: LateAnswers
  let saves: Saves
  let drags: Drags
  let image: DragImagePlayer
  let offers: OfferStore

  private let context: DriverContext
  private var isSettling = false
  private var hasReportedLoss = false
  /// When ``process(hasContentArrived:)`` returned last, and whether events have been taken since.
  private var lastTurn: LoopTime
  private var hasTakenEvents = false
  /// Whether the last turn took long, in a callback of the host.
  private var wasBusy = false

  /// - Parameters:
  ///   - quirks: The quirks that may apply: special treatments of named programs.
  ///   - clock: A monotonic clock with any start.
  init(
    system: any WindowSystem, timing: Timing = Timing(), quirks: Set<Quirk> = Quirk.all, logger: Logger,
    clock: @escaping () -> LoopTime
  ) {
    self.system = system
    lastTurn = clock()
    context = DriverContext(system: system, timing: timing, logger: logger, clock: clock)
    lateAnswers = LateAnswers(context)
    loads = Loads(context, lateAnswers: lateAnswers)
    saves = Saves(context, loads: loads)
    targets = DropTargets(context, loads: loads, saves: saves)
    offers = OfferStore(context)
    image = DragImagePlayer(context)
    drags = Drags(
      Drag.Environment(
        context: context, offers: offers, lists: DragWindowLists(context), image: image, targets: targets,
        quirks: quirks))
  }

  var now: LoopTime { context.now }

  var timing: Timing { context.timing }

  /// Logs a peer's mistake.
  func ignored(_ violation: Violation) { context.ignored(violation) }

  /// Logs a mistake of the host.
  func warn(_ mistake: String, about window: WindowID) {
    context.logger.warning("\(mistake)", metadata: ["window": "\(window)"])
  }

  /// Logs a fact that may explain the library's behaviour to the host's developer.
  func note(_ fact: String, about window: WindowID) {
    context.logger.info("\(fact)", metadata: ["window": "\(window)"])
  }

  /// Creates an alarm for an object of the application that waits while the user holds the pointer still.
  func alarm(ring: @escaping () -> Void) -> Alarm { context.alarms.alarm(for: .user, ring: ring) }

  // MARK: The turn

  /// When to call ``process(hasContentArrived:)`` even if nothing has arrived.
  ///
  /// `nil` during a callback: nothing is processed until it has returned.
  var nextDeadline: LoopTime? {
    guard !isSettling else { return nil }
    return system.hasQueuedEvents ? now : context.alarms.nextTime
  }

  /// Processes arrived events, answers and content, and due deadlines, without blocking.
  ///
  /// Events are taken in batches. So a flood of positions is answered once, and a peer that never stops sending does
  /// not keep the host from its other work.
  ///
  /// - Parameter hasContentArrived: Whether a provider that had no bytes may have some now.
  func process(hasContentArrived: Bool = true) {
    let start = now
    let isLate = start - lastTurn > Self.absence
    defer { (lastTurn, hasTakenEvents, wasBusy) = (now, false, now - start > Self.absence) }
    var left = Self.batch - takeEvents(atMost: Self.batch)
    if hasContentArrived { context.post(.content) }
    guard !isSettling else {
      // A loop that the host runs during a callback only takes events. The turn that called back processes them.
      if system.isClosed { reportLoss() }
      return
    }
    // Arrived events come before deadlines: an answer in time is valid, however late the host calls.
    if isLate && hasTakenEvents || wasBusy { left -= answersToOurselves() }
    for alarm in context.alarms.due(at: now, for: [.peer, .itself]) { context.post(.alarm(alarm)) }
    var taken = 0
    repeat {
      if system.isClosed { reportLoss() }
      settle()
      // Round trips while settling may have brought events, and the connection may be lost.
      taken = takeEvents(atMost: max(0, left))
      left -= taken
    } while taken > 0 || system.isClosed && !hasReportedLoss
    for alarm in context.alarms.due(at: now, for: [.user]) { context.alarms.ring(alarm, at: now) }
  }

  private func takeEvents(atMost limit: Int) -> Int {
    var taken = 0
    while taken < limit, let arrival = system.nextArrival() {
      // If this ends the grab, release it before the next press, which is for one of the host's windows.
      if take(arrival) { settle() }
      taken += 1
    }
    return taken
  }

  /// Answers this program's own messages before a deadline ends the drag or transfer that they belong to. While the
  /// host was busy, the program could not answer.
  ///
  /// - Returns: The number of events taken.
  private func answersToOurselves() -> Int {
    var taken = 0
    // A conversion takes two rounds: the owner selects the requestor's events before it answers.
    for _ in 0..<4 where !context.alarms.due(at: now, for: [.peer]).isEmpty {
      settle()
      _ = system.serverTime()  // A round trip: messages that this program sent to itself are in the queue.
      taken += takeEvents(atMost: Self.batch)
    }
    return taken
  }

  /// Processes an event that the host has read, or an answer that came with it.
  func receive(_ arrival: Arrival) {
    _ = take(arrival)
    settle()
  }

  /// - Returns: Whether processing it may end the grab.
  private func take(_ arrival: Arrival) -> Bool {
    switch arrival {
    case .event(let event):
      hasTakenEvents = true
      drags.anticipate(event)
      context.post(.event(event))
      return event.mayEndGrab
    case .answer(let answer):
      hasTakenEvents = true
      if answer.turn == .whenRead { answer.deliver() } else { context.post(.answer(answer)) }
      return answer.turn == .settled
    case .other: return false
    }
  }

  private func settle() {
    guard !isSettling else { return }
    isSettling = true
    defer { isSettling = false }
    while true {
      while let job = context.nextJob() { run(job) }
      system.flush()  // Before the application's code runs.
      guard let told = context.nextNotice() else { break }
      onNotice(told.notice, told.half)
    }
    onActivity()
  }

  private func run(_ job: Job) {
    switch job {
    case .event(let event): route(event)
    case .answer(let answer): answer.deliver()
    case .content:
      offers.takeArrivedContent()
      loads.takeArrivedContent()
    case .alarm(let number): context.alarms.ring(number, at: now)
    case .serverLoss: endAll()
    }
  }

  private func endAll() {
    for selection in [AtomName.clipboard, .primary] { clipboardLost(selection) }
    drags.serverLost()
    loads.serverLost()
    saves.serverLost()
    offers.serverLost()
    for source in targets.sources.sorted() { targets.windowVanished(source) }
  }

  // MARK: Events

  private func route(_ event: ServerEvent) {
    context.logger.trace("event", metadata: ["event": "\(event)"])
    switch event {
    case .message(let message, let window):
      context.exchange.received(message.words, from: message.sender)
      // A target answers to the source window of its Enter. A message to another window of this program is not for a
      // drag.
      if !targets.receive(message, to: window), window == system.dragWindow { drags.receive(message) }
    case .selectionRequest(let request): offers.receive(request)
    case .selectionNotify(let notify): loads.receive(notify)
    case .selectionCleared(.xdndSelection, _, let time) where !drags.reclaimSelection():
      if offers.dragSelectionLost(at: time) { drags.receiveForCurrent(.cancel(.selectionLost)) }
      offers.release()
    case .selectionCleared(.xdndSelection, _, _): break
    case .selectionCleared(let selection, _, _): clipboardLost(selection)
    case .selectionOwnerChanged(.xdndSelection, let owner):
      if owner == .none { targets.dragSelectionReleased() }
    case .selectionOwnerChanged(let selection, let owner):
      context.tell(.selection(selection, .ownerChanged(owner == .none ? nil : owner)))
    case .propertyChanged(let property, let window):
      loads.propertyChanged(property, of: window)
      if property == .xdndActionList { targets.operationsChanged(of: window) }
    case .propertyDeleted(let property, let window): offers.propertyDeleted(property, of: window)
    case .awarenessChanged(let property, let window, let serial):
      targets.awarenessChanged(property, of: window, serial: serial)
    case .windowVanished(let window):
      lateAnswers.forget(window)
      // Content that an owner wrote before its window was destroyed is read first. The loads that read it post the
      // event again.
      guard !loads.isReading(from: window) else { return loads.windowVanished(window) }
      // Saves and loads come first, so that their ends are reported before the end of the drop.
      saves.windowVanished(window)
      loads.windowVanished(window)
      targets.windowVanished(window)
      drags.windowVanished(window)
      offers.windowVanished(window)
    case .proxyTouched(let proxy): targets.proxyTouched(proxy)
    case .stackingChanged: drags.receiveForCurrent(.stackingChanged)
    case .compositorChanged: image.redraw()
    case .settingsChanged: context.tell(.settingsChanged)
    case .gesture(let input, let window): context.tell(.gesture(input, in: window))
    case .pointerMoved(let pointer): drags.receiveFromUser(.pointerMoved(pointer))
    case .modifiersChanged(let pointer): drags.receiveFromUser(.modifiersChanged(pointer))
    case .buttonReleased(let button, let pointer): drags.receiveFromUser(.buttonReleased(button, pointer))
    case .buttonPressed(let button, let pointer): drags.receiveFromUser(.buttonPressed(button, pointer))
    case .keyPressed(let key, let pointer): drags.receiveFromUser(.keyPressed(key, pointer))
    case .grabLost: drags.receiveFromUser(.cancel(.grabLost))
    }
  }

  private func clipboardLost(_ selection: AtomName) {
    offers.clipboardLost(selection, isHandingOver: loads.isHandingOver)
  }

  /// Posts the end of all drags, loads, saves, transfers and visits, once, after the events that arrived before the
  /// loss.
  private func reportLoss() {
    guard !hasReportedLoss else { return }
    hasReportedLoss = true
    context.post(.serverLoss)
  }

  // MARK: Calls of the application

  /// Calls objects of the driver, processes the jobs that they have posted, and delivers the notices.
  ///
  /// Wrap each call that posts jobs or notices, so that the call ends before the application is notified: an object
  /// must not settle between two steps of a call. The compiler does not check this; without `perform`, a call takes
  /// effect in the next turn. During a callback, the jobs wait for the turn that called back.
  @discardableResult
  func perform<Result>(_ call: (Reactor) -> Result) -> Result {
    let result = call(self)
    settle()
    return result
  }

  /// Changes the display of a drag, and sends the requests at once: the host may be busy for a while after a callback.
  func show(_ change: (Reactor) -> Void) {
    change(self)
    system.flush()
    onActivity()
  }

  /// Registers a window as a drop target, or replaces the accepted types and operations of a registered one.
  func register(_ host: DropHost) {
    targets.register(host)
    // Only a refused registration posts a notice.
    if !targets.isRegistered(host.window) { settle() }
  }

  func unregister(_ window: WindowID) {
    perform { $0.targets[window]?.receive(.unregister) }
  }

  func handlesMessages(to window: WindowID) -> Bool {
    window == system.dragWindow || targets.handlesMessages(to: window)
  }
}
