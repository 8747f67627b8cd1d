/// `CLIPBOARD` and `PRIMARY`: the same offers and the same loads, without a drag.
extension Reactor {
  /// Puts content on a clipboard. Notices with its id say what becomes of it.
  ///
  /// - Parameters:
  ///   - offer: From ``nextOfferID()``.
  ///   - byteCount: How many bytes it holds in memory.
  ///   - time: A real one; `nil` is now, for which the server is asked.
  /// - Returns: Whether the selection is ours now: somebody may have taken it at a later time.
  func put(
    _ offer: OfferID, types: [AtomName], byteCount: Int = 0, on selection: AtomName, at time: Timestamp? = nil
  ) -> Bool {
    let time = time.flatMap { $0 == .currentTime ? nil : $0 } ?? system.serverTime()
    guard system.own(selection, at: time) else { return false }
    // Nobody can ask for what was there before; who fetches it already gets it whole.
    revoke(selection)
    offers.append(
      Offered(
        id: offer,
        server: SelectionServer(
          selection: selection, types: types, acquired: time, allowsDeletion: false, limits: timing.outgoing,
          serving: timing.serving, resourceMask: system.resourceMask,
          firstID: TransferID(rawValue: offer.rawValue << 32)),
        byteCount: byteCount))
    enqueue([])
    return true
  }

  /// What is ours on a clipboard.
  func currentOffer(on selection: AtomName) -> OfferID? {
    offers.last { $0.selection == selection && !$0.isRevoked }?.id
  }

  /// Empties a clipboard, if what is on it is ours.
  func clear(_ selection: AtomName) {
    guard let offer = offers.last(where: { $0.selection == selection && !$0.isRevoked }) else { return }
    // ICCCM section 2.3.1: with the time at which it was taken, so that nothing newer is undone.
    system.disown(selection, at: offer.server.acquired)
    revoke(selection)
    enqueue([])
  }

  func clipboardLost(_ selection: AtomName) {
    guard currentOffer(on: selection) != nil else { return }
    let owner = system.owner(of: selection)
    // The news may be older than what we have put there since; two times within a millisecond cannot tell.
    guard owner != system.dragWindow else { return }
    revoke(selection)
    if !isHandingOver(to: owner) { tell(.selection(selection, .lost)) }
  }

  /// Whether a window is that of the clipboard manager which is fetching what we have.
  ///
  /// The managers of GNOME, MATE and Xfce take the clipboard when they have an answer to each of their conversions, long
  /// before the parts of INCR are all there.
  private func isHandingOver(to owner: WindowID) -> Bool {
    loads.values.contains { if case .handOver = $0.purpose { $0.conversion.owner == owner } else { false } }
  }

  private func revoke(_ selection: AtomName) {
    for index in offers.indices where offers[index].selection == selection { offers[index].isRevoked = true }
    releaseOffers()
  }

  // MARK: Loads

  /// Asks whoever owns a clipboard for one representation, or for its `TARGETS`; `nil` if nobody owns it.
  func load(
    _ type: AtomName, from selection: AtomName, limits: IncomingTransfer.Limits? = nil,
    sink: @escaping ContentSink
  ) -> TransferID? {
    conversion(of: selection).map { convert(type, $0, purpose: .content(sink), limits: limits ?? timing.incoming) }
  }

  /// Has a clipboard manager fetch what is on the clipboard, so that it outlives this program; `nil` if there is none.
  ///
  /// ClipboardManager specification: the property lists what to save, and the answer comes when it is saved. Meanwhile
  /// the manager asks for all of it like any other requestor.
  func handOver(_ types: [AtomName], within limit: Duration) -> TransferID? {
    guard let conversion = conversion(of: .clipboardManager) else { return nil }
    var limits = timing.incoming
    limits.stall = limit
    return convert(.saveTargets, conversion, purpose: .handOver(types), limits: limits)
  }

  private func conversion(of selection: AtomName) -> Conversion? {
    let owner = system.owner(of: selection)
    guard owner != .none else { return nil }
    return Conversion(
      selection: selection, owner: owner, requestor: system.dragWindow, time: system.serverTime(), session: nil)
  }
}
