import Logging

/// Feeds the machines with what the window system says, and does what they answer.
///
/// There is a queue and no recursion: an event becomes inputs, inputs become effects; effects that concern the window
/// system are performed at once, and their answers are queued before anything else; what concerns the application is
/// kept until all is settled. So the application may call back into the library from wherever it is called.
final class Reactor {
  let system: any WindowSystem
  var timing: Timing
  var logger: Logger

  /// The habits of others that are allowed for.
  var quirks = Quirk.all

  /// Called after each turn.
  var onActivity: () -> Void = {}

  /// Told last, when all machines have settled.
  var onNotice: (Notice) -> Void = { _ in }

  /// What is at a place in a window of ours, in root coordinates. By default the window is a container as a whole.
  var containerLookup: (WindowID, Point) -> DragContainer = { window, _ in DragContainer(window: window) }

  // What the extensions in the neighbouring files work on.
  var targets: [WindowID: TargetMachine] = [:]
  /// The windows that took drops until lately: something may still be on its way to them.
  var retired: [WindowID] = []
  /// The drops whose content can be asked for.
  var drops: [SessionID: DropContext] = [:]
  var loads: [TransferID: Load] = [:]
  var saves: [TransferID: Save] = [:]
  var abandoned: [Abandoned] = []
  var drags: [DragID: SourceMachine] = [:]
  /// The drag that the user holds, or the last one.
  var currentDrag: DragID?
  /// What the drag window's list of operations says.
  var publishedOperations: [AtomName] = []
  /// The drags that have no pointer, and how far each has come.
  var pointerless: [DragID: PointerlessDrag] = [:]
  /// The drag that pointer and keyboard were grabbed for.
  var grabHolder: DragID?
  /// What the drags will look like that have not begun, and what is on the screen.
  var appearances: [DragID: DragAppearance] = [:]
  var shownDrag: ShownDrag?
  /// What has been offered, oldest first. The newest stays until the selection is lost.
  var offers: [Offered] = []
  /// The transfers whose content the application has been asked for and not given.
  var awaited: Set<TransferID> = []
  var readers: [TransferID: any ContentReader] = [:]
  /// What was read and not yet written: one part, or what is gathered for one property.
  var staged: [TransferID: ArraySlice<UInt8>] = [:]
  var pendingStages: [TransferID: PendingStage] = [:]
  /// The files that are offered by direct save, until nobody can ask for them.
  var directSaves: [DragID: DirectSave] = [:]
  var lastTransfer = 0
  var registrations = 0
  private var lastOffer = 0

  private let clock: () -> LoopTime
  var queue: [Job] = []
  private var answers: [Job] = []
  private var outbox: [Notice] = []
  private var isSettling = false
  private var hasReportedLoss = false

  /// The most events that one turn takes in.
  static let batch = 1024

  /// Something to be done in its turn.
  enum Job {
    case event(ServerEvent)
    case target(WindowID, TargetMachine.Input)
    case source(DragID, SourceMachine.Input)
    case offer(OfferID, SelectionServer.Input)
    case load(TransferID, IncomingTransfer.Input)
    case directSave(DragID, DirectSaveProvider.Input)
    case save(TransferID, DirectSaveReceiver.Input)
  }

  /// - Parameter clock: Monotonic, from any start.
  init(
    system: any WindowSystem, timing: Timing = Timing(), logger: Logger, clock: @escaping () -> LoopTime
  ) {
    self.system = system
    self.timing = timing
    self.logger = logger
    self.clock = clock
  }

  var now: LoopTime { clock() }

  func nextOfferID() -> OfferID {
    lastOffer += 1
    return OfferID(rawValue: lastOffer)
  }

  /// When ``process()`` has something to do although nothing arrives.
  var nextDeadline: LoopTime? {
    if system.hasQueuedEvents { return now }
    // Every turn of a loop asks this, so nothing is collected on the way.
    var next: LoopTime?
    func consider(_ deadline: LoopTime?) { next = LoopTime.earliest(next, deadline) }
    for machine in targets.values { consider(machine.nextDeadline) }
    for machine in drags.values { consider(machine.nextDeadline) }
    for offer in offers { consider(offer.server.nextDeadline) }
    for save in directSaves.values { consider(save.machine.nextDeadline) }
    for load in loads.values { consider(load.machine.nextDeadline) }
    for save in saves.values { consider(save.machine.nextDeadline) }
    for place in abandoned { consider(place.cleanAt) }
    consider(historyDeadline)
    consider(shownDrag?.nextDeadline)
    consider(pointerlessDeadline)
    return next
  }

  /// Takes in all that has arrived, from the server and from those who provide content, runs what is due, and sends.
  ///
  /// Events are taken in batches, so that a flood of positions is answered once, and a peer that never stops sending
  /// does not keep the application from its other work.
  func process() {
    var taken = 0
    repeat {
      let before = taken
      while taken < Self.batch, let event = system.nextEvent() {
        anticipate(event)
        queue.append(.event(event))
        taken += 1
        // If this event ends the grab, release it before the next press, which is for one of the host's windows.
        if event.mayEndGrab { settle() }
      }
      // Deadlines come after what has arrived: an answer that was in time counts, however late somebody looks.
      if before == 0 {
        queue += arrivedContent()
        queueDeadlines()
        leadPointerlessDrags()
        advanceFeedback()
        cleanAbandoned()
        releaseOffers()
      }
      if system.isClosed { reportLoss() }
      settle()
      // Settling makes round trips, and those may bring in events.
      if taken == before { break }
    } while taken < Self.batch
  }

  /// Takes in one event that the host has read.
  func receive(_ event: ServerEvent) {
    anticipate(event)
    queue.append(.event(event))
    settle()
  }

  /// Takes in several things, and lets nothing come between them.
  func enqueue(_ jobs: [Job]) {
    queue += jobs
    settle()
  }

  private func settle() {
    guard !isSettling else { return }
    isSettling = true
    defer { isSettling = false }
    while true {
      while !queue.isEmpty {
        perform(queue.removeFirst())
        queue.insert(contentsOf: answers, at: 0)
        answers.removeAll()
      }
      system.flush()  // Also before the application hears of what has been done.
      guard !outbox.isEmpty else { break }
      onNotice(outbox.removeFirst())
    }
    onActivity()
  }

  /// Has jobs done right after the one that is being performed, in the given order, before all else that waits.
  func answer(_ jobs: [Job]) { answers += jobs }

  func tell(_ notice: Notice) {
    if case .target(let window, .proposalNeeded(let request)) = notice {
      // Only the newest position of a flood is worth an answer.
      outbox.removeAll {
        if case .target(window, .proposalNeeded(let old)) = $0 { old.session == request.session } else { false }
      }
    }
    outbox.append(notice)
  }

  private func perform(_ job: Job) {
    switch job {
    case .event(let event): route(event)
    case .target(let window, let input): run(target: window, input)
    case .source(let drag, let input): run(drag: drag, input)
    case .offer(let offer, let input): run(offer: offer, input)
    case .load(let transfer, let input): run(load: transfer, input)
    case .directSave(let drag, let input): run(directSave: drag, input)
    case .save(let save, let input): run(save: save, input)
    }
  }

  private func queueDeadlines() {
    let now = self.now
    func isDue(_ deadline: LoopTime?) -> Bool { deadline.map { $0 <= now } ?? false }
    for (window, machine) in targets where isDue(machine.nextDeadline) {
      queue.append(.target(window, .deadlineReached))
    }
    for (drag, machine) in drags where isDue(machine.nextDeadline) { queue.append(.source(drag, .deadlineReached)) }
    for offer in offers where isDue(offer.server.nextDeadline) { queue.append(.offer(offer.id, .deadlineReached)) }
    for (drag, save) in directSaves where isDue(save.machine.nextDeadline) {
      queue.append(.directSave(drag, .deadlineReached))
    }
    for (transfer, load) in loads where isDue(load.machine.nextDeadline) {
      queue.append(.load(transfer, .deadlineReached))
    }
    for (save, context) in saves where isDue(context.machine.nextDeadline) {
      queue.append(.save(save, .deadlineReached))
    }
  }

  /// The server is gone: each machine hears it in its own words, once.
  private func reportLoss() {
    guard !hasReportedLoss else { return }
    hasReportedLoss = true
    for drag in drags.keys.sorted() { queue.append(.source(drag, .serverLost)) }
    for selection in [AtomName.clipboard, .primary] { clipboardLost(selection) }
    for transfer in loads.keys.sorted() { queue.append(.load(transfer, .ownerVanished)) }
    for save in saves.keys.sorted() { queue.append(.save(save, .serverLost)) }
    // Whoever provides content for them stops doing so.
    for offer in offers {
      queue += offer.server.requestors.sorted().map { .offer(offer.id, .windowVanished($0)) }
    }
    let sources = targets.values.flatMap { machine in
      [machine.state.hover.source].compactMap { $0 } + machine.state.drops.values.map(\.source)
    }
    for source in Set(sources) { queue.append(.event(.windowVanished(source))) }
  }

  // MARK: Routing

  private func route(_ event: ServerEvent) {
    logger.trace("event", metadata: ["event": "\(event)"])
    switch event {
    case .message(let message, let window):
      traceReceived(message.words, from: message.sender)
      if targets[window] != nil {
        answer([.target(window, .message(message))])
      } else if retired.contains(window) {
        refuse(message, to: window)
      } else {
        routeToDrag(message)
      }
    case .selectionRequest(let request): routeToOffer(request)
    case .selectionNotify(let notify): routeToLoad(notify)
    case .selectionCleared(let selection, _, let time): selectionLost(selection, at: time)
    case .selectionOwnerChanged(let selection, let owner):
      guard selection == .xdndSelection else {
        tell(.selection(selection, .ownerChanged(owner == .none ? nil : owner)))
        break
      }
      guard owner == .none else { break }
      answer(targets.keys.map { .target($0, .selectionReleased) })
    case .propertyChanged(let property, let window): propertyChanged(property, of: window)
    case .propertyDeleted(let property, let window):
      answer(offers.map { .offer($0.id, .propertyDeleted(property, of: window)) })
    case .windowVanished(let window): windowVanished(window)
    case .stackingChanged: routeToUser(.stackingChanged)
    case .compositorChanged: compositorChanged()
    case .settingsChanged: tell(.settingsChanged)
    case .gesture(let input, let window): tell(.gesture(input, in: window))
    case .pointerMoved(let pointer): routeToUser(.pointerMoved(pointer))
    case .modifiersChanged(let pointer): routeToUser(.modifiersChanged(pointer))
    case .buttonReleased(let button, let pointer): routeToUser(.buttonReleased(button, pointer))
    case .buttonPressed(let button, let pointer): routeToUser(.buttonPressed(button, pointer))
    case .keyPressed(let key, let pointer): routeToUser(.keyPressed(key, pointer))
    case .grabLost: routeToUser(.cancel(.grabLost))
    }
  }

  private func propertyChanged(_ property: AtomName, of window: WindowID) {
    let waiting = loads.filter { $0.value.window == window && $0.value.property == property }.keys
    answer(waiting.map { .load($0, .propertyChanged) })
    noteAbandoned(property, of: window)
    guard property == .xdndActionList else { return }
    let visited = targets.filter { $0.value.state.hover.source == window }.keys
    guard !visited.isEmpty else { return }
    let operations = system.atoms(in: .xdndActionList, of: window, type: .atom)?.compactMap { $0 }
    answer(visited.map { .target($0, .operationsChanged(operations)) })
  }

  private func windowVanished(_ window: WindowID) {
    // A window of ours takes its leave like one that takes no more drops: somebody may wait for its answer.
    var jobs: [Job] = targets.keys.sorted().map {
      .target($0, $0 == window ? .unregister : .windowVanished(window))
    }
    jobs += drags.keys.sorted().map { .source($0, .windowVanished(window)) }
    jobs += offers.map { .offer($0.id, .windowVanished(window)) }
    // Loads first: the application hears what became of them before it hears that the drop is over.
    let orphans = loads.filter { $0.value.conversion.owner == window || $0.value.window == window }
    // Whose drop is over, has no need of our window any more.
    let unsaved = saves.filter {
      $0.value.source == window || $0.value.window == window && !$0.value.machine.hasFinishedDrop
    }
    forgetAbandoned(on: window)
    answer(
      unsaved.keys.sorted().map { .save($0, .sourceVanished) }
        + orphans.keys.sorted().map { .load($0, .ownerVanished) } + jobs)
  }
}
