import Logging

extension Reactor {
  func nextDragID() -> DragID { nextOfferID() }

  /// Takes in something that the application wants.
  func enqueue(_ job: Job) { enqueue([job]) }

  /// Begins a drag; notices with its id say what becomes of it.
  ///
  /// - Parameters:
  ///   - drag: From ``nextDragID()``: whoever listens knows the id before the first notice comes.
  ///   - served: Types that are not in the offer and are served all the same.
  ///   - directSave: The file that is offered by direct save, if one is.
  ///   - byteCount: How many bytes the content holds in memory.
  ///   - container: Where it is dragged from.
  ///   - appearance: What is dragged looks like this; `nil` for a drag without an image.
  func beginDrag(
    _ drag: DragID, _ offer: SourceMachine.Offer, served: [AtomName] = [],
    descriptions: [DragOperation: String] = [:], directSave: DirectSave? = nil, byteCount: Int = 0,
    from container: DragContainer? = nil, appearance: DragAppearance? = nil
  ) {
    var jobs: [Job] = []
    // A source window can be over one target only, so one that still waits for an answer has to go too. A drop does not.
    if let current = currentDrag, drags[current]?.hasDropped == false {
      jobs.append(.source(current, .cancel(.application)))
    }
    drags[drag] = SourceMachine(offer: offer, timing: timing.source)
    currentDrag = drag
    directSaves[drag] = directSave
    appearances[drag] = appearance
    offers.append(
      Offered(
        id: drag,
        server: SelectionServer(
          selection: .xdndSelection, types: offer.types + served, acquired: offer.time,
          allowsDeletion: offer.operations.contains(.move), limits: timing.outgoing, serving: timing.serving,
          resourceMask: system.resourceMask, firstID: TransferID(rawValue: drag.rawValue << 32)),
        unlisted: served, descriptions: descriptions, byteCount: byteCount, container: container))
    releaseOffers()
    // All at once: the end of the old drag is a notice, and whoever hears it may begin yet another one.
    enqueue(jobs + [.source(drag, .begin)])
  }

  /// Offers something else from now on, as far as that is still possible: before the button is up.
  func changeOffer(
    of drag: DragID, types: [AtomName], operations: [DragOperation], promised: Set<AtomName>, served: [AtomName],
    descriptions: [DragOperation: String], directSave: DirectSave?, byteCount: Int
  ) {
    guard let index = offers.firstIndex(where: { $0.id == drag }) else { return }
    offers[index].server.types = types + served
    offers[index].unlisted = served
    offers[index].server.allowsDeletion = operations.contains(.move)
    offers[index].descriptions = descriptions
    offers[index].byteCount = byteCount
    // What was offered by direct save may not be any more.
    run(directSave: drag, .ended)
    directSaves[drag] = directSave
    enqueue(.source(drag, .offerChanged(types: types, operations: operations, promised: promised)))
  }

  /// Whether ``changeOffer(of:types:operations:promised:served:descriptions:directSave:byteCount:)`` would do something.
  func canChangeOffer(of drag: DragID) -> Bool { drags[drag]?.takesChanges ?? false }

  private func relation(of drag: DragID, to target: DropTarget?, at point: Point) -> DragRelation {
    guard let target, targets[target.window] != nil else { return .otherApplication }
    return DragRelation(
      from: offers.last { $0.id == drag }?.container, to: containerLookup(target.window, point))
  }

  // MARK: Drags

  func routeToUser(_ input: SourceMachine.Input) {
    if let drag = currentDrag { answer([.source(drag, input)]) }
  }

  func routeToDrag(_ message: XdndMessage) {
    if case .finished(let finished) = message,
      let drag = drags.keys.sorted().first(where: {
        drags[$0]?.awaitsFinished(from: finished.target) ?? false
      })
    {
      return answer([.source(drag, .message(message))])
    }
    routeToUser(.message(message))
  }

  func run(drag: DragID, _ input: SourceMachine.Input) {
    letGoWithoutPointer(drag, before: input)
    guard var machine = drags[drag] else { return }
    let before = machine
    let effects = machine.receive(input, at: now)
    drags[drag] = machine
    if case .message(.status(let status)) = input { tellAnswer(status, to: before, now: machine, drag) }
    for effect in effects { perform(effect, drag, machine.offer) }
    goOnWithoutPointer(drag, after: input)
  }

  private func perform(_ effect: SourceMachine.Effect, _ drag: DragID, _ offer: SourceMachine.Offer) {
    logger.trace("drag", metadata: ["effect": "\(effect)"])
    switch effect {
    case .claimSelection(let time):
      answer([.source(drag, .claimed(system.own(.xdndSelection, at: time)))])
    case .publishOffer:
      publish(offer, of: drag)
      answer([.directSave(drag, .begin)])
    case .publishTypes(let types):
      publishTypes(types)
      guard let index = offers.firstIndex(where: { $0.id == drag }) else { break }
      let withheld = Set(offer.types).subtracting(types)
      let unlisted = offers[index].unlisted
      offers[index].server.types =
        types + (withheld.isEmpty ? unlisted : unlisted.filter { !offer.promised.contains($0) })
    case .grab where pointerless[drag] != nil: startWithoutPointer(drag)
    case .grab(let time):
      do {
        let (pointer, down) = try system.grab(cursor: cursorOutside(of: drag), at: time)
        grabHolder = drag
        let isDown = offer.button.map(down.contains) ?? true
        answer((isDown ? nil : afterRelease(drag, offer)) ?? [.source(drag, .grabbed(pointer, buttonIsDown: isDown))])
      } catch {
        logger.debug("no grab", metadata: ["reason": "\(error.rawValue)"])
        // A window manager may hold the next press already.
        answer(afterRelease(drag, offer) ?? [.source(drag, .grabFailed)])
      }
    case .ungrab(let time):
      // Whatever has ended the drag: the image stays where that was.
      if shownDrag?.drag == drag { shownDrag?.followsPointer = false }
      // The target may take seconds to answer, and the hand is empty now.
      if drags[drag]?.isReleased == true { feedbackDropped(drag) }
      // A newer drag may have taken the grab over.
      guard grabHolder == drag else { break }
      grabHolder = nil
      system.ungrab(at: time)
    case .locateTarget(let point):
      let target = pointerless[drag].map(\.place?.target) ?? system.locateTarget(at: point)
      answer([
        .source(
          drag, .located(target, relation(of: drag, to: target, at: point), quirks: quirks(of: target, for: drag)))
      ])
    case .watch(let window): system.watch(window, for: .destruction)
    case .unwatch(let window): system.unwatch(window, for: .destruction)
    case .send(let message, let target):
      if case .position(let position) = message { publishOperations(offer, of: drag, asking: position.operation) }
      traceSent(message.words, to: target.window)
      system.send(message, version: target.version, to: target.window, via: target.destination)
    case .movePointer(let move, let time):
      // As an event: what follows the pointer follows it in one way, whoever moves it.
      guard let pointer = system.movePointer(move, at: time) else { break }
      // What has been read already and waits for its turn is older, as what is read from now on may be.
      queue = queue.compactMap { job in
        guard case .event(let event) = job else { return job }
        return event.onceMoved(to: pointer.point).map(Job.event)
      }
      anticipate(.pointerMoved(pointer))
      answer([.event(.pointerMoved(pointer))])
    case .listDropPlaces: answer([.source(drag, .dropPlaces(system.dropPlaces()))])
    case .showCursor where pointerless[drag] != nil, .showPlainCursor where pointerless[drag] != nil: break
    case .showCursor(let operation): showCursor(of: drag, for: operation)
    case .showPlainCursor: system.show(.dragging)
    case .began:
      if let start = drags[drag]?.pointer { feedbackBegan(drag, at: start) }
      tell(.drag(drag, .began))
    case .targetChanged(let window):
      answer([.directSave(drag, .targetChanged)])
      tell(.drag(drag, .targetChanged(window)))
    case .proposed(let operation): tell(.drag(drag, .proposed(operation)))
    case .prepare:
      traceDone("the button is up, makes the files")
      tell(.drag(drag, .preparationNeeded))
    case .dropSent(let operation, let relation):
      feedbackDropped(drag)
      answer([.directSave(drag, .dropped)])
      tell(.drag(drag, .dropSent(operation, relation)))
      if case .dropped(let drop) = drags[drag]?.state {
        run(offer: drag, .dropped(on: drop.target, operation, time: drop.time))
      }
    case .ended(let outcome):
      drags[drag] = nil
      pointerless[drag] = nil
      feedbackEnded(drag, outcome)
      answer([.directSave(drag, .ended)])
      run(offer: drag, .dragEnded(outcome))
      tell(.drag(drag, .ended(outcome)))
      offerEnded(drag)
    case .ignored(let violation):
      logger.debug("ignored", metadata: ["violation": "\(violation)"])
      tell(.drag(drag, .ignored(violation)))
    }
  }

  /// What to tell a drag whose button has gone up before the pointer was grabbed; `nil` if it has not, or nobody knows
  /// where.
  ///
  /// A hand can be quicker than a busy program: press, motion and release are all there when the first of them is looked
  /// at. That is a drag all the same, and ends where the button went up.
  private func afterRelease(_ drag: DragID, _ offer: SourceMachine.Offer) -> [Job]? {
    guard let button = offer.button, let release = system.queuedRelease(of: button, since: offer.time) else {
      return nil
    }
    return [.source(drag, .grabbed(release, buttonIsDown: true)), .source(drag, .buttonReleased(button, release))]
  }

  /// Puts the lists on the drag window, where they stay until the next drag: targets read them at Enter, so old ones
  /// mislead nobody.
  ///
  /// GTK 4 reads the action list again whenever it changes, and does so from its Enter to the next one: a change after
  /// the Drop, also a deletion, makes it complain (`gdk_drop_set_actions: assertion 'priv->state ==
  /// GDK_DROP_STATE_NONE' failed`), which ends programs under `G_DEBUG=fatal-criticals`. So a list that is right
  /// already is not written.
  private func publish(_ offer: SourceMachine.Offer, of drag: DragID) {
    let window = system.dragWindow
    publishTypes(offer.types)
    publishedOperations = system.atoms(in: .xdndActionList, of: window, type: .atom)?.compactMap(\.self) ?? []
    publishOperations(offer, of: drag, asking: nil)
  }

  private func publishTypes(_ types: [AtomName]) {
    let window = system.dragWindow
    traceDone("offers \(types.map(\.rawValue).joined(separator: ", "))")
    if types.count > 3 {
      system.write(.atoms(types), to: .xdndTypeList, of: window)
    } else {
      system.delete(.xdndTypeList, of: window)
    }
  }

  /// The habits of a target that the offer depends on: one round trip when the drag comes over it, and none where the offer
  /// is the same for all.
  private func quirks(of target: DropTarget?, for drag: DragID) -> Set<Quirk>? {
    guard let target, drags[drag]?.needsQuirks(of: target) == true else { return nil }
    var property: [UInt8] = []
    let page = system.readPage(.windowClass, of: target.window, from: 0, delete: false) { property += $1 }
    guard page?.header.format == 8 else { return [] }
    // ICCCM section 4.1.2.5: two strings, each with a NUL at its end.
    let strings = property.split(separator: 0, omittingEmptySubsequences: false)
    guard strings.count > 1, let name = String(validating: strings[1], as: UTF8.self) else { return [] }
    let found = quirks.filter { $0.windowClasses.contains(name) }
    for quirk in found {
      logger.debug("quirk", metadata: ["name": "\(quirk.name)", "window": "\(target.window)", "class": "\(name)"])
    }
    return found
  }

  /// Writes the list of what may happen, with what is asked for in front: Qt targets (5.15 and 6.4, measured) do the first
  /// in the list and read no more of a position than its place, and Qt's own sources write it so.
  ///
  /// It is always there, and never has more than may happen: Thunar and pcmanfm move whatever the list lets them move.
  private func publishOperations(_ offer: SourceMachine.Offer, of drag: DragID, asking asked: DragOperation?) {
    let window = system.dragWindow
    let first = offer.operations.filter { $0 == asked }
    let operations = first + offer.operations.filter { $0 != asked }
    let names = operations.map(\.name)
    let isListed = publishedOperations == names
    if isListed, asked != nil { return }
    publishedOperations = names
    if !isListed { system.write(.atoms(names), to: .xdndActionList, of: window) }
    let descriptions = offers.last { $0.id == drag }?.descriptions ?? [:]
    if offer.operations.contains(.ask) || !descriptions.isEmpty {
      let words = operations.map { descriptions[$0] ?? $0.description }
      system.write(
        PropertyValue(type: .string, contents: .bytes(words.flatMap { Array($0.utf8) + [0] }[...])),
        to: .xdndActionDescription, of: window)
    } else {
      system.delete(.xdndActionDescription, of: window)
    }
  }
}

extension SourceMachine {
  /// Where the pointer is, while the user drags.
  var pointer: Point? {
    if case .dragging(let dragging) = state, dragging.release == nil { dragging.pointer.point } else { nil }
  }

  /// Whether the button is up, and the target has not been sent the drop yet.
  fileprivate var isReleased: Bool {
    if case .dragging(let dragging) = state { dragging.release != nil } else { false }
  }

  /// Whether the drag is over but for the target's Finished.
  fileprivate var hasDropped: Bool {
    if case .dropped = state { true } else { false }
  }
}
