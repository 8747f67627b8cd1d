/// What is offered, and for how long.
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

  func selectionLost(at time: Timestamp) {
    // The news may be older than the drag that has taken the selection back.
    if let newest = offers.last, !newest.server.acquired.isLater(than: time) { routeToUser(.cancel(.selectionLost)) }
    for index in offers.indices where !offers[index].server.acquired.isLater(than: time) {
      offers[index].isRevoked = true
    }
    releaseOffers()
  }

  /// Lets go of what nobody can ask for and nobody is still fetching.
  func releaseOffers() {
    let excess = max(0, offers.count - Self.keptOffers)
    let ended = offers.enumerated().filter { index, offer in
      (offer.isRevoked || index < excess) && !offer.server.isBusy
    }.map(\.element.drag)
    offers.removeAll { ended.contains($0.drag) }
    for drag in ended { tell(.drag(drag, .released)) }
  }

  // MARK: Requests

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
}
