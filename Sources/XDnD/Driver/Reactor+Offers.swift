import Logging

/// What is offered, and for how long.
extension Reactor {
  /// What was offered by a drag or put on a clipboard, for as long as somebody may ask for it.
  struct Offered {
    let id: OfferID
    var server: SelectionServer
    /// What is served without being in the offer.
    var unlisted: [AtomName] = []
    var descriptions: [DragOperation: String] = [:]
    /// What the cursor says where nothing takes drops.
    var cursorOutside = CursorShape.notAllowed
    /// How many bytes it holds in memory.
    var byteCount = 0
    /// Where it is dragged from, if somebody has said so.
    var container: DragContainer?
    /// When the drag ended; `nil` while it goes on, and for clipboards.
    var endedAt: LoopTime?
    /// Whether the selection is lost: what is under way goes on, and nothing new can be asked for.
    var isRevoked = false

    var selection: AtomName { server.selection }

    /// Whether it may go: nobody is fetching it, and no drag goes on whose target may still ask.
    var isIdle: Bool { !server.isBusy && (endedAt != nil || selection != .xdndSelection) }
  }

  /// How much is kept of earlier drags. Their requestors name a time, which tells them apart.
  ///
  /// Some applications read what was dropped on them long after they have said that they are done (QTBUG-5441), and by
  /// then the user may have begun another drag. The newest drag is kept for as long as the selection is ours.
  struct History: Equatable, Sendable {
    /// How many drags, the newest included.
    var count = 4
    /// How many bytes all of them may hold, the newest included.
    var byteCount = 64 << 20
    /// For how long after the end of the drag. Firefox keeps its files for five minutes.
    var duration = Duration.seconds(600)
  }

  func selectionLost(_ selection: AtomName, at time: Timestamp) {
    guard selection == .xdndSelection else { return clipboardLost(selection) }
    // The news may be older than the drag that has taken the selection back.
    let newest = offers.last { $0.selection == selection }
    if let newest, !newest.server.acquired.isLater(than: time) { routeToUser(.cancel(.selectionLost)) }
    for index in offers.indices
    where offers[index].selection == selection && !offers[index].server.acquired.isLater(than: time) {
      offers[index].isRevoked = true
    }
    releaseOffers()
  }

  /// A drag is over; its content is served on.
  func offerEnded(_ drag: DragID) {
    guard let index = offers.firstIndex(where: { $0.id == drag }) else { return }
    offers[index].endedAt = now
    releaseOffers()
  }

  /// Lets go of what nobody can ask for, or what has been kept for long enough.
  func releaseOffers() {
    let forgotten = forgottenDrags
    let ended = offers.filter { offer in
      let isSaved = directSaves[offer.id]?.machine.isNeeded ?? false
      return (offer.isRevoked || forgotten.contains(offer.id)) && offer.isIdle && !isSaved
    }.map(\.id)
    guard !ended.isEmpty else { return }
    offers.removeAll { ended.contains($0.id) }
    for offer in ended {
      directSaves[offer] = nil
      tell(.offer(offer, .released))
    }
  }

  /// The earlier drags that exceed ``History``.
  private var forgottenDrags: Set<DragID> {
    guard offers.count > 1 else { return [] }
    let newestFirst = offers.filter { $0.selection == .xdndSelection }.reversed()
    var bytes = 0
    var forgotten: Set<DragID> = []
    for (index, offer) in newestFirst.enumerated() {
      bytes = bytes.addingReportingOverflow(offer.byteCount).overflow ? .max : bytes + offer.byteCount
      guard index > 0 else { continue }
      let isOld = offer.endedAt.map { $0 + timing.history.duration <= now } ?? false
      if index >= timing.history.count || bytes > timing.history.byteCount || isOld { forgotten.insert(offer.id) }
    }
    return forgotten
  }

  /// When an earlier drag has been kept for long enough. One that is still fetched goes when that is over.
  var historyDeadline: LoopTime? {
    guard offers.count > 1 else { return nil }
    let earlier = offers.filter { $0.selection == .xdndSelection }.dropLast()
    return earlier.filter(\.isIdle).compactMap { $0.endedAt.map { $0 + timing.history.duration } }.min()
  }

  // MARK: Requests

  func routeToOffer(_ request: SelectionRequest) {
    traceReceived("ConvertSelection \(request.target)", from: request.requestor)
    guard let offer = offer(for: request) else {
      return system.send(
        SelectionNotify(
          requestor: request.requestor, selection: request.selection, target: request.target, property: nil,
          time: request.time))
    }
    answer([.offer(offer.id, .request(request)), .source(offer.id, .transferProgressed)])
  }

  /// The offer that a request is about: the last one that was made by the time that it names.
  ///
  /// The server counts milliseconds, and scripts and quick hands release and press again within one. So the target of a
  /// drop is known by the time of its Drop first.
  ///
  /// Times are not to be trusted (GTK 4 and Chromium send 0, JUCE sends coordinates): when in doubt, the newest. On a
  /// clipboard it is always the newest, for what was there before has been replaced.
  private func offer(for request: SelectionRequest) -> Offered? {
    let candidates = offers.filter { $0.selection == request.selection }
    guard request.selection == .xdndSelection, request.time != .currentTime else { return candidates.last }
    return candidates.last { $0.server.isDropNamed(by: request) }
      ?? candidates.last { !$0.server.acquired.isLater(than: request.time) } ?? candidates.last
  }

  func run(offer id: OfferID, _ input: SelectionServer.Input) {
    guard let index = offers.firstIndex(where: { $0.id == id }) else { return }
    let effects = offers[index].server.receive(input, at: now)
    for effect in effects { perform(effect, offerOf: id) }
    releaseOffers()
  }

  private func perform(_ effect: SelectionServer.Effect, offerOf id: OfferID) {
    switch effect {
    case .reply(let value, let property, let window): system.write(value, to: property, of: window)
    case .notify(let notify):
      if notify.property == nil {
        traceSent("SelectionNotify \(notify.target?.rawValue ?? ""), refused", to: notify.requestor)
      }
      system.send(notify)
    case .readPairs(let request):
      let atoms = request.property.flatMap {
        system.atoms(in: $0, of: request.requestor, type: .atomPair, limit: 2 * (SelectionServer.Limits.pairs + 1))
      }
      let pairs = atoms.flatMap { atoms in
        atoms.count.isMultiple(of: 2)
          ? stride(from: 0, to: atoms.count, by: 2).map { ConversionPair(target: atoms[$0], property: atoms[$0 + 1]) }
          : nil
      }
      answer([.offer(id, .pairs(pairs, for: request))])
    case .watch(let window): system.watch(window, for: [.destruction, .properties])
    case .unwatch(let window): system.unwatch(window, for: [.destruction, .properties])
    case .open(let transfer, let destination):
      awaited.insert(transfer)
      guard destination.target != .xdndDirectSave || directSaves[id] == nil else {
        return answer([.directSave(id, .requested(transfer))])
      }
      tell(.offer(id, .contentNeeded(transfer, type: destination.target, requestor: destination.requestor)))
    case .transfer(let transfer, let destination, let effect): perform(effect, transfer, destination, offerOf: id)
    case .contentRequested: tell(.offer(id, .contentRequested))
    case .deletionRequested: tell(.offer(id, .deletionRequested))
    case .ignored(let violation):
      logger.debug("ignored", metadata: ["violation": "\(violation)"])
      tell(.drag(id, .ignored(violation)))
    }
  }
}
