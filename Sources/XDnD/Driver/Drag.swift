import Logging

/// One drag that begins in this program.
final class Drag {
  /// The parts of the driver that a drag works with.
  struct Environment {
    let context: DriverContext
    let offers: OfferStore
    let lists: DragWindowLists
    let image: DragImagePlayer
    let targets: DropTargets
    /// The quirks that may apply: special treatments of named programs.
    let quirks: Set<Quirk>
  }

  let drag: DragID
  private(set) var machine: SourceMachine
  private let inbox = Inbox<SourceMachine.Input>()
  private let hand: any DragHand
  /// Whether the user leads the drag.
  var isUsers: Bool { hand.isUsers }
  /// The dragged content.
  private let offer: Offer
  /// The container that the content is dragged from.
  private let container: DragContainer?
  private var descriptions: [DragOperation: String]
  /// Whether only windows that are registered here are targets.
  private let isRestricted: Bool
  /// The appearance of the image, which the ``DragImagePlayer`` takes over when the drag has begun.
  private var appearance: DragAppearance?
  /// The cursor where nothing takes drops, except in the container of the source.
  private var cursorOutside = CursorShape.notAllowed
  /// The unanswered claim of the selection.
  private var claim: Question?
  /// The point of the last search for a target.
  private var sought = Point(x: 0, y: 0)
  private lazy var alarm = context.alarms.alarm { [unowned self] in advance() }
  private let environment: Environment
  private unowned let drags: Drags

  init(
    _ drag: DragID, _ machine: SourceMachine, _ hand: any DragHand, _ offer: Offer, from container: DragContainer?,
    descriptions: [DragOperation: String], isRestricted: Bool, appearance: DragAppearance?,
    _ environment: Environment, in drags: Drags
  ) {
    self.drag = drag
    self.machine = machine
    self.hand = hand
    self.offer = offer
    self.container = container
    self.descriptions = descriptions
    self.isRestricted = isRestricted
    self.appearance = appearance
    self.environment = environment
    self.drags = drags
  }

  private var context: DriverContext { environment.context }
  private var image: DragImagePlayer { environment.image }

  /// Whether the user holds this drag: pointer and keyboard are grabbed, and the button has not been released.
  var isHeld: Bool { hand.holdsGrab && machine.hovering != nil }

  var isEnded: Bool { if case .ended = machine.state { true } else { false } }

  // MARK: Calls of the application

  /// Replaces the dragged content.
  func change(
    types: [AtomName], operations: [DragOperation], promised: Set<AtomName>, forFileManagers: [AtomName],
    _ content: Drags.Content
  ) {
    descriptions = content.descriptions
    offer.change(types: types, allowsDeletion: operations.contains(.move), content)
    // The earlier file may no longer be offered.
    offer.directSave?.receive(.ended)
    offer.setFile(content.file)
    receive(.offerChanged(types: types, operations: operations, promised: promised, forFileManagers: forFileManagers))
  }

  /// Changes the appearance of the image, before or after the drag has begun.
  func changeAppearance(_ change: (inout DragAppearance) -> Void) {
    guard var appearance else { return image.change(drag, change) }
    change(&appearance)
    self.appearance = appearance
  }

  /// Replaces the cursor that is shown where nothing takes drops.
  func setCursorOutside(_ cursor: CursorShape) {
    guard cursorOutside != cursor else { return }
    cursorOutside = cursor
    if hand.holdsGrab, !machine.isOverTarget { hand.show(currentCursorOutside) }
  }

  private var currentCursorOutside: CursorShape {
    machine.isCursorPlain && cursorOutside == .notAllowed ? .dragging : cursorOutside
  }

  // MARK: The machine

  /// Handles the deadlines of the machine and of the hand.
  private func advance() {
    let isDue = machine.nextDeadline.isDue(at: context.now)
    let inputs = hand.advance(machine)
    receive((isDue ? [.deadlineReached] : []) + inputs)
  }

  private func receive(_ inputs: [SourceMachine.Input]) { for input in inputs { receive(input) } }

  func receive(_ input: SourceMachine.Input) {
    let isSettled = inbox.process(input) { input in
      if let first = hand.reaction(before: input, machine) { process(first) }
      process(input)
    }
    guard isSettled else { return }
    alarm.time = .earliest(machine.nextDeadline, hand.nextDeadline)
    if isEnded { drags.remove(self) }
  }

  private func process(_ input: SourceMachine.Input) {
    let before = machine
    let effects = machine.receive(input, at: context.now)
    if isEnded, let target = before.dropTarget, !input.settlesDrop { drags.giveUp(drag, on: target) }
    if case .message(.status(let status)) = input { tellAnswer(status, to: before) }
    for case .dropSent(let operation, _) in effects { noteReduction(to: operation, from: before) }
    if machine.markedRegion != before.markedRegion { image.yield(to: machine.markedRegion, drag) }
    for effect in effects {
      context.logger.trace("drag", metadata: ["effect": "\(effect)"])
      perform(effect)
    }
    if isEnded { hand.endTracking() }
    receive(hand.reaction(after: input, machine))
  }

  private func perform(_ effect: SourceMachine.Effect) {
    switch effect {
    case .claimSelection(let time): claimSelection(at: time)
    case .publishOffer:
      environment.lists.publish(machine.offer, descriptions: descriptions)
      offer.serve(machine.offer.types, withholding: [])
      offer.directSave?.receive(.begin)
    case .publishTypes(let types):
      environment.lists.publishTypes(types)
      let isReduced = !Set(machine.offer.types).isSubset(of: types)
      offer.serve(types, withholding: isReduced ? machine.offer.promised : [])
    case .grab(let time):
      hand.begin(machine.offer, cursor: currentCursorOutside, at: time) { [unowned self] in receive($0) }
    case .ungrab(let time):
      // However the drag ends, the image stays where it is now.
      image.stopFollowing(drag)
      // The target may take seconds to answer; the image shows at once that the button is up.
      if machine.isReleased { image.drop(drag) }
      hand.end(at: time)
    case .locateTarget(let point):
      sought = point
      hand.findTarget(at: point, namingProgram: machine.offer.dependsOnQuirks) { [unowned self] in located($0) }
    case .watch(let window): context.system.watchSoon(window, for: .destruction)
    case .unwatch(let window): context.system.unwatch(window, for: .destruction)
    case .send(let message, let target): send(message, to: target)
    case .movePointer(let move, let time): movePointer(move, at: time)
    case .listDropPlaces: receive(.dropPlaces(context.system.dropPlaces().filter { isPermitted($0.target) }))
    case .showCursor(let operation):
      let isOutside = operation == nil && !machine.isOverTarget
      hand.show(isOutside ? cursorOutside : CursorShape(for: operation))
    case .showPlainCursor: hand.show(machine.isOverTarget ? .dragging : currentCursorOutside)
    case .grabNeeded: tell(.grabNeeded)
    case .began:
      if let start = machine.hovering?.pointer.point { image.begin(drag, appearance, at: start) }
      appearance = nil
      tell(.began)
    case .targetChanged(let window):
      offer.directSave?.receive(.targetChanged)
      tell(.targetChanged(window))
    case .proposed(let operation): tell(.proposed(operation))
    case .prepare:
      context.exchange.did("the button is up, makes the files")
      tell(.preparationNeeded)
    case .dropSent(let operation, let relation):
      image.drop(drag)
      offer.directSave?.receive(.dropped)
      tell(.dropSent(operation, relation))
      if case .dropped(let drop) = machine.state {
        offer.receive(.dropped(on: drop.target, operation, time: drop.time))
      }
    case .ended(let outcome):
      if image.end(drag, outcome, cursorOutside: cursorOutside) { tell(.originsNeeded) }
      offer.directSave?.receive(.ended)
      offer.receive(.dragEnded(outcome))
      tell(.ended(outcome))
      offer.end()
    case .ignored(let violation): context.ignored(violation)
    }
  }

  /// Logs a drop whose operation is not the one that the modifier keys ask for.
  private func noteReduction(to operation: DragOperation, from before: SourceMachine) {
    guard case .dragging(let dragging) = before.state,
      let wanted = DragOperation.wanted(by: dragging.pointer.modifiers), wanted != operation
    else { return }
    let who = machine.offer.operations.contains(wanted) ? "the target" : "the dragged items"
    context.logger.info("\(wanted) is asked for, and not permitted by \(who): \(operation)")
  }

  private func tell(_ notice: Notice.DragNotice) { context.tell(.drag(drag, notice), to: offer.half) }

  private func send(_ message: XdndMessage, to target: DropTarget) {
    if case .position(let position) = message {
      environment.lists.publishOperations(machine.offer, asking: position.operation, descriptions)
    }
    context.exchange.sent(message.words, to: target.window)
    context.system.send(message, version: target.version, to: target.window, via: target.destination)
  }

  // MARK: The selection

  private func claimSelection(at time: Timestamp) {
    // The atoms are known when the claim is answered, before the type list is written.
    context.system.learn(offer.server.types)
    let reply = context.system.claim(.xdndSelection, at: time) { [unowned self] in claimed($0) }
    switch reply {
    case .known(let isOurs): claimed(isOurs)
    case .pending(let question): claim = question
    }
  }

  private func claimed(_ isOurs: Bool) { receive(.claimed(isOurs || claimFreeSelection())) }

  /// Claims the selection with the server's present time if it has no owner. Makes up to three round trips.
  ///
  /// GTK 4 releases the selection half a second after a failed drag, when its image has slid back. The server ignores a
  /// claim with the time of an earlier press. And if this program acquires the selection between GTK's check of the
  /// owner and its release, the release takes the selection away.
  ///
  /// - Returns: Whether this program owns the selection now.
  private func claimFreeSelection() -> Bool {
    guard !isEnded, !machine.hasDropped, !context.system.isClosed, context.system.owner(of: .xdndSelection) == .none
    else { return false }
    let time = context.system.serverTime()
    guard context.system.own(.xdndSelection, at: time) else { return false }
    offer.acquire(at: time)
    return true
  }

  /// Takes the selection back, and enters the target again, which may have taken the release for the end of the drag.
  ///
  /// - Returns: Whether this program owns the selection now.
  func reclaimSelection() -> Bool {
    guard claimFreeSelection() else { return false }
    let offer = machine.offer
    receive(
      .offerChanged(
        types: offer.types, operations: offer.operations, promised: offer.promised,
        forFileManagers: offer.forFileManagers))
    return true
  }

  // MARK: The pointer

  /// Moves the pointer for a key press. The machine and the image get an event, as if the user had moved the pointer.
  private func movePointer(_ move: PointerMove, at time: Timestamp) {
    guard let pointer = context.system.movePointer(move, at: time) else { return }
    // The events in the queue are older than the move. The window system rewrites older events that are read later.
    context.rewriteEvents { $0.onceMoved(to: pointer.point) }
    image.anticipate(.pointerMoved(pointer), drag, machine)
    receive(.pointerMoved(pointer))
  }

  // MARK: The target

  private func located(_ found: FoundTarget) {
    var found = found
    if let target = found.target, !isPermitted(target) { found.target = nil }
    receive(.located(found.target, relation(to: found, at: sought), quirks: quirks(of: found)))
  }

  /// Whether the drag may be over a target. A restricted drag sends messages only to windows that are registered here.
  private func isPermitted(_ target: DropTarget) -> Bool {
    !isRestricted || environment.targets.isRegistered(target.window)
  }

  private func relation(to found: FoundTarget, at point: Point) -> DragRelation {
    let isRegistered = found.target.map { environment.targets.isRegistered($0.window) } ?? false
    let own = isRegistered ? found.target?.window : found.windows.first { $0 == container?.window }
    return DragRelation(from: container, to: own.map { environment.targets.container(at: point, in: $0) })
  }

  /// The quirks of a target; `nil` if the offer does not depend on them.
  private func quirks(of found: FoundTarget) -> Set<Quirk>? {
    guard let target = found.target, machine.needsQuirks(of: target) else { return nil }
    guard let name = found.programClass else { return [] }
    let known = environment.quirks.filter { $0.windowClasses.contains(name) }
    for quirk in known {
      context.logger.debug(
        "quirk", metadata: ["name": "\(quirk.name)", "window": "\(target.window)", "class": "\(name)"])
    }
    return known
  }

  /// Reports the target's answer to a position.
  private func tellAnswer(_ status: XdndMessage.Status, to before: SourceMachine) {
    guard case .dragging(let dragging) = before.state, let over = dragging.over, over.staleAnswers == 0,
      over.target.answers(as: status.target), let point = over.sent?.point
    else { return }
    let operation: DragOperation? =
      switch machine.state {
      case .dragging(let dragging): dragging.over?.acceptance?.operation
      case .dropped(let dropped): dropped.operation
      default: nil
      }
    tell(.answered(at: point, operation))
  }
}

extension SourceMachine {
  /// Whether there is a target under the pointer, accepting or not.
  fileprivate var isOverTarget: Bool {
    if case .dragging(let dragging) = state { dragging.over != nil } else { false }
  }

  /// The region that the target marks: its Status names a rectangle, but asks for every position inside.
  fileprivate var markedRegion: Rect? {
    guard case .dragging(let dragging) = state, let acceptance = dragging.over?.acceptance,
      acceptance.wantsPositionsInside, !acceptance.region.isEmpty
    else { return nil }
    return acceptance.region
  }

  /// The target of a drop that is not finished; `nil` before the drop and after its end.
  fileprivate var dropTarget: DropTarget? {
    if case .dropped(let dropped) = state { dropped.target } else { nil }
  }

  /// Whether the plain drag cursor is shown, which neither accepts nor refuses.
  fileprivate var isCursorPlain: Bool {
    switch state {
    case .dragging(let dragging): dragging.isCursorPlain
    default: true
    }
  }

  /// Whether the button is up, and the Drop has not been sent yet.
  fileprivate var isReleased: Bool {
    if case .dragging(let dragging) = state { dragging.release != nil } else { false }
  }
}

extension SourceMachine.Input {
  /// Whether a drop that ends with this input gets no Finished afterwards.
  fileprivate var settlesDrop: Bool {
    switch self {
    case .message, .windowVanished, .serverLost: true
    default: false
    }
  }
}
