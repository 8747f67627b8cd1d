import Logging

extension Reactor {
  /// What was offered by a drag, for as long as somebody may ask for it.
  struct Offered {
    let drag: DragID
    var server: SelectionServer
    var descriptions: [DragOperation: String]
    /// Whether the selection is lost: what is under way goes on, and nothing new can be asked for.
    var isRevoked = false
  }

  /// How many past drags are served. Their requestors name a time, which tells them apart.
  static let keptOffers = 4

  // MARK: What the application asks for

  /// Begins a drag; notices with its id say what becomes of it.
  ///
  /// - Parameter drag: From ``nextDragID()``: whoever listens knows the id before the first notice comes.
  func beginDrag(_ drag: DragID, _ offer: SourceMachine.Offer, descriptions: [DragOperation: String] = [:]) {
    var jobs: [Job] = []
    // A source window can be over one target only, so one that still waits for an answer has to go too. A drop does not.
    if let current = currentDrag, drags[current]?.hasDropped == false {
      jobs.append(.source(current, .cancel(.application)))
    }
    drags[drag] = SourceMachine(offer: offer, timing: timing.source)
    currentDrag = drag
    offers.append(
      Offered(
        drag: drag,
        server: SelectionServer(
          selection: .xdndSelection, types: offer.types, acquired: offer.time,
          allowsDeletion: offer.operations.contains(.move), limits: timing.outgoing,
          firstID: TransferID(rawValue: drag.rawValue << 32)),
        descriptions: descriptions))
    releaseOffers()
    // All at once: the end of the old drag is a notice, and whoever hears it may begin yet another one.
    enqueue(jobs + [.source(drag, .begin)])
  }

  /// Answers ``Notice/DragNotice/contentNeeded(_:type:requestor:)``, once; `nil` refuses.
  ///
  /// Too late an answer, for example when the requestor is gone, changes nothing.
  func provide(_ transfer: TransferID, _ reader: (any ContentReader)?) {
    guard awaited.remove(transfer) != nil,
      let drag = offers.last(where: { $0.drag.rawValue == transfer.rawValue >> 32 })?.drag
    else { return }
    readers[transfer] = reader
    enqueue(
      .offer(drag, .transfer(transfer, reader.map { .opened(byteCount: $0.byteCount) } ?? .refused)))
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

  func selectionLost(at time: Timestamp) {
    // The news may be older than the drag that has taken the selection back.
    if let newest = offers.last, !newest.server.acquired.isLater(than: time) { routeToUser(.cancel(.selectionLost)) }
    for index in offers.indices where !offers[index].server.acquired.isLater(than: time) {
      offers[index].isRevoked = true
    }
    releaseOffers()
  }

  /// Lets go of what nobody can ask for and nobody is still fetching.
  private func releaseOffers() {
    let excess = max(0, offers.count - Self.keptOffers)
    let ended = offers.enumerated().filter { index, offer in
      (offer.isRevoked || index < excess) && !offer.server.isBusy
    }.map(\.element.drag)
    offers.removeAll { ended.contains($0.drag) }
    for drag in ended { tell(.drag(drag, .released)) }
  }

  func run(drag: DragID, _ input: SourceMachine.Input) {
    guard var machine = drags[drag] else { return }
    let effects = machine.receive(input, at: now)
    drags[drag] = machine
    for effect in effects { perform(effect, drag, machine.offer) }
  }

  private func perform(_ effect: SourceMachine.Effect, _ drag: DragID, _ offer: SourceMachine.Offer) {
    logger.trace("drag", metadata: ["effect": "\(effect)"])
    switch effect {
    case .claimSelection(let time):
      answer([.source(drag, .claimed(system.own(.xdndSelection, at: time)))])
    case .publishOffer: publish(offer, of: drag)
    case .withdrawOffer:
      // A newer drag has its own lists there by now.
      guard currentDrag == drag else { break }
      for property in [AtomName.xdndTypeList, .xdndActionList, .xdndActionDescription] {
        system.delete(property, of: system.dragWindow)
      }
    case .grab(let time):
      do {
        let (pointer, down) = try system.grab(cursor: .notAllowed, at: time)
        grabHolder = drag
        let isDown = offer.button.map(down.contains) ?? true
        answer([.source(drag, .grabbed(pointer, buttonIsDown: isDown))])
      } catch {
        logger.debug("no grab", metadata: ["reason": "\(error.rawValue)"])
        answer([.source(drag, .grabFailed)])
      }
    case .ungrab(let time):
      // A newer drag may have taken the grab over.
      guard grabHolder == drag else { break }
      grabHolder = nil
      system.ungrab(at: time)
    case .locateTarget(let point): answer([.source(drag, .located(system.locateTarget(at: point)))])
    case .watch(let window): system.watch(window, for: .destruction)
    case .unwatch(let window): system.unwatch(window, for: .destruction)
    case .send(let message, let target):
      system.send(message, version: target.version, to: target.window, via: target.destination)
    case .showCursor(let operation): system.show(CursorShape(for: operation))
    case .began: tell(.drag(drag, .began))
    case .targetChanged(let window): tell(.drag(drag, .targetChanged(window)))
    case .proposed(let operation): tell(.drag(drag, .proposed(operation)))
    case .dropSent(let operation): tell(.drag(drag, .dropSent(operation)))
    case .ended(let outcome):
      drags[drag] = nil
      tell(.drag(drag, .ended(outcome)))
    case .ignored(let violation):
      logger.debug("ignored", metadata: ["violation": "\(violation)"])
      tell(.drag(drag, .ignored(violation)))
    }
  }

  private func publish(_ offer: SourceMachine.Offer, of drag: DragID) {
    let window = system.dragWindow
    if offer.types.count > 3 {
      system.write(.atoms(offer.types), to: .xdndTypeList, of: window)
    } else {
      system.delete(.xdndTypeList, of: window)
    }
    // Always there, and never with more than may happen: Thunar and pcmanfm move whatever the list lets them move.
    system.write(.atoms(offer.operations.map(\.name)), to: .xdndActionList, of: window)
    let descriptions = offers.last { $0.drag == drag }?.descriptions ?? [:]
    if offer.operations.contains(.ask) || !descriptions.isEmpty {
      let words = offer.operations.map { descriptions[$0] ?? $0.description }
      system.write(
        PropertyValue(type: .string, contents: .bytes(words.flatMap { Array($0.utf8) + [0] }[...])),
        to: .xdndActionDescription, of: window)
    } else {
      system.delete(.xdndActionDescription, of: window)
    }
  }

  // MARK: Offers

  func routeToOffer(_ request: SelectionRequest) {
    guard request.selection == .xdndSelection, let offer = offer(at: request.time) else {
      return system.send(
        SelectionNotify(
          requestor: request.requestor, selection: request.selection, target: request.target, property: nil,
          time: request.time))
    }
    answer([.offer(offer.drag, .request(request)), .source(offer.drag, .transferProgressed)])
  }

  /// The offer that a request at `time` is about: the last one that was made by then.
  ///
  /// Times are not to be trusted (GTK 4 and Chromium send 0, JUCE sends coordinates): when in doubt, the newest.
  private func offer(at time: Timestamp) -> Offered? {
    guard time != .currentTime else { return offers.last }
    return offers.last { !$0.server.acquired.isLater(than: time) } ?? offers.last
  }

  func run(offer drag: DragID, _ input: SelectionServer.Input) {
    guard let index = offers.firstIndex(where: { $0.drag == drag }) else { return }
    let effects = offers[index].server.receive(input, at: now)
    for effect in effects { perform(effect, offerOf: drag) }
    releaseOffers()
  }

  private func perform(_ effect: SelectionServer.Effect, offerOf drag: DragID) {
    switch effect {
    case .reply(let value, let property, let window): system.write(value, to: property, of: window)
    case .notify(let notify): system.send(notify)
    case .readPairs(let request):
      let atoms = request.property.flatMap { system.atoms(in: $0, of: request.requestor, type: .atomPair) }
      let pairs = atoms.flatMap { atoms in
        atoms.count.isMultiple(of: 2)
          ? stride(from: 0, to: atoms.count, by: 2).map { ConversionPair(target: atoms[$0], property: atoms[$0 + 1]) }
          : nil
      }
      answer([.offer(drag, .pairs(pairs, for: request))])
    case .watch(let window): system.watch(window, for: [.destruction, .properties])
    case .unwatch(let window): system.unwatch(window, for: [.destruction, .properties])
    case .open(let transfer, let destination):
      awaited.insert(transfer)
      tell(.drag(drag, .contentNeeded(transfer, type: destination.target, requestor: destination.requestor)))
    case .transfer(let transfer, let destination, let effect): perform(effect, transfer, destination, offerOf: drag)
    case .deletionRequested: tell(.drag(drag, .deletionRequested))
    }
  }

  private func perform(
    _ effect: OutgoingTransfer.Effect, _ transfer: TransferID, _ destination: SelectionServer.Destination,
    offerOf drag: DragID
  ) {
    switch effect {
    case .stage(let count):
      guard let part = readers[transfer]?.read(upTo: count) else {
        return answer([.offer(drag, .transfer(transfer, .failed))])
      }
      staged[transfer] = part
      answer([.offer(drag, .transfer(transfer, .staged(part.count)))])
    case .announce(let lowerBound):
      system.write(
        PropertyValue(type: .incr, contents: .words([UInt32(clamping: lowerBound)])), to: destination.property,
        of: destination.requestor)
    case .write:
      let part = staged.removeValue(forKey: transfer) ?? []
      let type = readers[transfer]?.propertyType ?? destination.target
      system.write(
        PropertyValue(type: type, contents: .bytes(part)), to: destination.property, of: destination.requestor)
    case .progressed(let bytes):
      tell(.drag(drag, .transferProgressed(transfer, bytes: bytes)))
      answer([.source(drag, .transferProgressed)])
    case .ended(let result):
      awaited.remove(transfer)
      readers[transfer] = nil
      staged[transfer] = nil
      tell(.drag(drag, .transferEnded(transfer, result)))
      if result != .delivered { answer([.source(drag, .transferFailed)]) }
    case .answer: break
    }
  }
}

extension SourceMachine {
  /// Whether the drag is over but for the target's Finished.
  fileprivate var hasDropped: Bool {
    if case .dropped = state { true } else { false }
  }
}
