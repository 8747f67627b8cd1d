/// Serves the content that this program offers in the current drag, in earlier drags, and on the clipboards.
///
/// Some applications read a drop long after they have sent Finished (QTBUG-5441), when the user may have begun another
/// drag. So earlier drags are kept; the timestamp of a request tells them apart. The newest drag is kept as long as
/// this program owns `XdndSelection`.
final class OfferStore {
  /// The limits for earlier drags that are kept.
  struct History: Equatable, Sendable {
    /// The number of drags, including the newest.
    var count = 4
    /// The number of bytes that they may hold in memory together, including the newest.
    var byteCount = 64 << 20
    /// How long a drag is kept after its end. Firefox keeps its files for five minutes.
    var duration = Duration.seconds(600)
  }

  private let context: DriverContext
  /// Oldest first.
  private(set) var offers: [Offer] = []
  /// Rings when an earlier drag has been kept for long enough.
  private lazy var historyAlarm = context.alarms.alarm(for: .itself) { [unowned self] in release() }
  private var lastID = 0

  init(_ context: DriverContext) {
    self.context = context
  }

  func nextID() -> OfferID {
    lastID += 1
    return OfferID(rawValue: lastID)
  }

  // MARK: State

  /// The application's halves, oldest first.
  var halves: [AnyObject] { offers.compactMap(\.half) }

  var isBusy: Bool { offers.contains(where: \.server.isBusy) }

  /// Whether content of a selection is being delivered.
  func isSending(on selection: AtomName) -> Bool { offers.contains { $0.selection == selection && $0.isSending } }

  /// The running transfers.
  var deliveries: [Delivery] { offers.flatMap(\.deliveries) }

  subscript(id: OfferID) -> Offer? { offers.first { $0.id == id } }

  // MARK: Drags

  /// Adds the content of a drag that begins.
  func add(_ drag: DragID, of half: AnyObject?, _ offer: SourceMachine.Offer, _ content: Drags.Content) -> Offer {
    let server = server(
      of: drag, .xdndSelection, types: offer.types + content.unlisted, acquired: offer.time,
      allowsDeletion: offer.operations.contains(.move))
    let added = Offer(drag, of: half, server, content, context, in: self)
    offers.append(added)
    release()
    return added
  }

  /// Whether a drag that is newer than the given one offers a file.
  func offersFile(after drag: DragID) -> Bool { offers.contains { $0.id > drag && $0.directSave != nil } }

  /// Releases `XdndSelection` after the drop of a drag, which tells a target that the delivery is cancelled.
  func withdraw(_ drag: DragID) {
    guard let newest = offers.last(where: { $0.selection == .xdndSelection }), newest.id == drag, !newest.isRevoked,
      newest.server.isDropped
    else { return }
    context.system.disown(.xdndSelection, at: newest.server.acquired)
    // A request for this drag may still arrive. Earlier drags are revoked, too: they would answer it with their own
    // content.
    for offer in offers where offer.selection == .xdndSelection { offer.isRevoked = true }
  }

  private func server(
    of id: OfferID, _ selection: AtomName, types: [AtomName], acquired: Timestamp, allowsDeletion: Bool
  ) -> SelectionServer {
    SelectionServer(
      selection: selection, types: types, acquired: acquired, allowsDeletion: allowsDeletion,
      limits: context.timing.outgoing, serving: context.timing.serving,
      resourceMask: context.system.resourceMask, firstID: .first(of: id))
  }

  // MARK: Clipboards

  /// Puts content on a clipboard. Notices with the id report its transfers and its release.
  ///
  /// - Parameters:
  ///   - byteCount: How many bytes the content holds in memory.
  ///   - time: The timestamp of the user's action; `nil` asks the server for the current time, in one round trip.
  /// - Returns: Whether this program owns the selection now; another client may have taken it with a later timestamp.
  func put(
    _ id: OfferID, of half: AnyObject? = nil, types: [AtomName], byteCount: Int = 0, on selection: AtomName,
    at time: Timestamp? = nil
  ) -> Bool {
    let time = time.flatMap { $0 == .currentTime ? nil : $0 } ?? context.system.serverTime()
    guard context.system.own(selection, at: time) else { return false }
    // The old content cannot be requested any more. Running transfers are completed.
    revoke(selection)
    let server = server(of: id, selection, types: types, acquired: time, allowsDeletion: false)
    offers.append(Offer(id, of: half, server, Drags.Content(byteCount: byteCount), context, in: self))
    return true
  }

  /// This program's content on a clipboard; `nil` if it does not own the clipboard.
  func current(on selection: AtomName) -> Offer? { offers.last { $0.selection == selection && !$0.isRevoked } }

  /// Empties a clipboard that this program owns.
  func clear(_ selection: AtomName) {
    guard let offer = current(on: selection) else { return }
    // ICCCM section 2.3.1: with the timestamp of the acquisition, so that a later owner keeps the selection.
    context.system.disown(selection, at: offer.server.acquired)
    revoke(selection)
  }

  // MARK: Loss

  /// Handles the loss of a clipboard.
  ///
  /// - Parameter isHandingOver: Whether a window belongs to a clipboard manager that is fetching the content. Then the
  ///   end of the hand-over is reported instead of this loss.
  func clipboardLost(_ selection: AtomName, isHandingOver: (WindowID) -> Bool) {
    guard current(on: selection) != nil else { return }
    let owner = context.system.owner(of: selection)
    // The event may be older than the present content. Timestamps cannot tell: both may be of the same millisecond.
    guard owner != context.system.dragWindow else { return }
    revoke(selection)
    if !isHandingOver(owner) { context.tell(.selection(selection, .lost)) }
  }

  /// Handles the loss of `XdndSelection`.
  ///
  /// - Returns: Whether the newest drag has lost it. The event may be older than a drag that has taken the selection
  ///   back.
  func dragSelectionLost(at time: Timestamp) -> Bool {
    let newest = offers.last { $0.selection == .xdndSelection }
    for offer in offers where offer.selection == .xdndSelection && !offer.server.acquired.isLater(than: time) {
      offer.isRevoked = true
      offer.directSave?.receive(.selectionLost)
    }
    return newest.map { !$0.server.acquired.isLater(than: time) } ?? false
  }

  private func revoke(_ selection: AtomName) {
    for offer in offers where offer.selection == selection { offer.isRevoked = true }
    release()
  }

  // MARK: Release

  /// Releases the offers that cannot be requested any more or exceed ``History``.
  func release() {
    defer { historyAlarm.time = endOfHistory }
    let forgotten = forgottenDrags
    let ended = offers.filter { offer in
      (offer.isRevoked || forgotten.contains(offer.id)) && offer.isIdle && offer.directSave?.isNeeded != true
    }
    guard !ended.isEmpty else { return }
    offers.removeAll { offer in ended.contains { $0 === offer } }
    for offer in ended { offer.tell(.released) }
  }

  /// The earlier drags that exceed ``History``.
  private var forgottenDrags: Set<DragID> {
    guard offers.count > 1 else { return [] }
    let history = context.timing.history
    let newestFirst = offers.filter { $0.selection == .xdndSelection }.reversed()
    var bytes = 0
    var forgotten: Set<DragID> = []
    for (index, offer) in newestFirst.enumerated() {
      bytes = bytes.addingReportingOverflow(offer.byteCount).overflow ? .max : bytes + offer.byteCount
      guard index > 0 else { continue }
      let isOld = offer.endedAt.map { $0 + history.duration <= context.now } ?? false
      if index >= history.count || bytes > history.byteCount || isOld { forgotten.insert(offer.id) }
    }
    return forgotten
  }

  /// When the first of the earlier drags has been kept for long enough.
  private var endOfHistory: LoopTime? {
    guard offers.count > 1, let newest = offers.last(where: { $0.selection == .xdndSelection })?.id else { return nil }
    return offers.earliest { offer in
      // A drag with a running transfer or a direct save is released when that ends.
      guard offer.selection == .xdndSelection, offer.id != newest, offer.isIdle, offer.directSave?.isNeeded != true
      else { return nil }
      return offer.endedAt.map { $0 + context.timing.history.duration }
    }
  }

  // MARK: Requests

  /// Passes a request to the offer that it is for, and refuses one without an offer.
  func receive(_ request: SelectionRequest) {
    context.exchange.received("ConvertSelection \(request.target)", from: request.requestor)
    guard let offer = offer(for: request) else {
      return context.system.send(
        SelectionNotify(
          requestor: request.requestor, selection: request.selection, target: request.target, property: nil,
          time: request.time))
    }
    if request.target != .xdndDirectSave, offer.server.isTarget(request.requestor) {
      offer.directSave?.receive(.targetIsAwake)
    }
    offer.receive(.request(request))
    offer.drag?.receive(.transferProgressed)
  }

  /// The offer that a request is for: the newest one that is not later than the request's timestamp.
  ///
  /// Timestamps count milliseconds, so a scripted drag can begin in the millisecond in which the one before was
  /// dropped. Therefore a request goes first to the drag whose target sends it with the timestamp of its Drop. Some
  /// requestors send other numbers (GTK 4 and Chromium 0, JUCE coordinates): if in doubt, the newest drag is served. On
  /// a clipboard, the newest content is always served.
  private func offer(for request: SelectionRequest) -> Offer? {
    let candidates = offers.filter { $0.selection == request.selection }
    guard request.selection == .xdndSelection, request.time != .currentTime else { return candidates.last }
    return candidates.last { $0.server.isDropNamed(by: request) }
      ?? candidates.last { !$0.isRevoked && !$0.server.acquired.isLater(than: request.time) }
      ?? candidates.last { !$0.isRevoked }
  }

  /// Handles the deletion of a property: a requestor has taken a part.
  func propertyDeleted(_ property: AtomName, of window: WindowID) {
    for offer in offers { offer.receive(.propertyDeleted(property, of: window)) }
  }

  /// Handles the destruction of a window, which may be a requestor.
  func windowVanished(_ window: WindowID) {
    for offer in offers { offer.receive(.windowVanished(window)) }
  }

  /// Ends all transfers, so that their providers stop.
  func serverLost() {
    for offer in offers {
      for requestor in offer.server.requestors.sorted() { offer.receive(.windowVanished(requestor)) }
    }
  }

  // MARK: Inputs of the application

  func receive(_ input: DirectSaveProvider.Input, for drag: DragID) {
    self[drag]?.directSave?.receive(input)
    release()
  }

  /// Takes the answer to ``Notice/OfferNotice/contentNeeded(_:type:requestor:)``; `nil` refuses.
  func provide(_ transfer: TransferID, _ reader: (any ContentReader)?) {
    self[transfer.offer]?.provide(transfer, reader)
  }

  /// Reads again from the providers that had no bytes.
  func takeArrivedContent() {
    for offer in offers { offer.takeArrivedContent() }
  }
}
