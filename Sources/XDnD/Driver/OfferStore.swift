/// Serves the content that this program offers: of the current drag, of earlier drags, and of the clipboards.
///
/// Some applications read a drop long after they have sent Finished (QTBUG-5441), when the user may have begun another
/// drag. So earlier drags are kept; the timestamp of a request tells them apart. The newest drag is kept as long as
/// this program owns `XdndSelection`.
final class OfferStore {
  /// How much is kept of earlier drags.
  struct History: Equatable, Sendable {
    /// The number of drags, including the newest.
    var count = 4
    /// The number of bytes that they may hold in memory together, including the newest.
    var byteCount = 64 << 20
    /// The time after the end of a drag. Firefox keeps its files for five minutes.
    var duration = Duration.seconds(600)
  }

  /// One offer.
  private struct Offer {
    let id: OfferID
    var server: SelectionServer {
      didSet { alarm.time = server.nextDeadline }
    }
    let alarm: Alarm
    /// Types that are served without being offered.
    var unlisted: [AtomName] = []
    /// How many bytes the content holds in memory.
    var byteCount = 0
    /// When the drag ended; `nil` before, and for clipboards.
    var endedAt: LoopTime?
    /// Whether the selection is lost: running transfers go on, and no new ones can begin.
    var isRevoked = false

    var selection: AtomName { server.selection }

    /// Whether it may be released: no transfer is running, and if it is a drag, it has ended.
    var isIdle: Bool { !server.isBusy && (endedAt != nil || selection != .xdndSelection) }
  }

  /// A requestor whose events are not selected yet.
  private struct UnwatchedRequestor {
    let question: Question
    /// The transfers to it that are to begin then.
    var transfers: [(id: TransferID, destination: SelectionServer.Destination, offer: OfferID)] = []
  }

  private let context: DriverContext
  private let content: OutgoingContent
  private let directSaves: DirectSaveOffers
  /// Oldest first.
  private var offers: [Offer] = []
  /// Content is asked for when its requestor is watched: the requestor may delete a property as soon as it is written.
  private var unwatched: [WindowID: UnwatchedRequestor] = [:]
  /// The `MULTIPLE` requests whose properties are being read.
  private var multiples: [SelectionRequest: Question] = [:]
  /// Rings when an earlier drag has been kept for long enough.
  private lazy var historyAlarm = context.alarms.alarm(for: .itself) { [unowned self] in release() }
  private var lastID = 0

  init(_ context: DriverContext, content: OutgoingContent, directSaves: DirectSaveOffers) {
    self.context = context
    self.content = content
    self.directSaves = directSaves
  }

  func nextID() -> OfferID {
    lastID += 1
    return OfferID(rawValue: lastID)
  }

  // MARK: State

  /// Oldest first.
  var ids: [OfferID] { offers.map(\.id) }
  var selections: [AtomName] { offers.map(\.selection) }
  var isBusy: Bool { offers.contains(where: \.server.isBusy) }
  var hasRevoked: Bool { offers.contains(where: \.isRevoked) }

  // MARK: Drags

  /// Adds the content of a drag that begins.
  ///
  /// - Parameters:
  ///   - unlisted: Types that are served without being offered.
  ///   - byteCount: How many bytes the content holds in memory.
  func add(_ drag: DragID, _ offer: SourceMachine.Offer, unlisted: [AtomName], byteCount: Int) {
    offers.append(
      Offer(
        id: drag,
        server: server(
          of: drag, .xdndSelection, types: offer.types + unlisted, acquired: offer.time,
          allowsDeletion: offer.operations.contains(.move)),
        alarm: alarm(of: drag), unlisted: unlisted, byteCount: byteCount))
    release()
  }

  /// The types that are served for a drag, whether they are offered or not.
  func types(of drag: DragID) -> [AtomName] { offers.first { $0.id == drag }?.server.types ?? [] }

  /// Replaces the content of a drag.
  func change(_ drag: DragID, types: [AtomName], unlisted: [AtomName], allowsDeletion: Bool, byteCount: Int) {
    change(drag) {
      $0.server.types = types + unlisted
      $0.unlisted = unlisted
      $0.server.allowsDeletion = allowsDeletion
      $0.byteCount = byteCount
    }
  }

  /// Serves the types that are published for the target under the pointer, and the unlisted ones.
  ///
  /// - Parameter withheld: Unlisted types that this target must not get.
  func serve(_ types: [AtomName], of drag: DragID, withholding withheld: Set<AtomName>) {
    change(drag) { $0.server.types = types + $0.unlisted.filter { !withheld.contains($0) } }
  }

  /// Notes the end of a drag. Its content is served on for as long as ``History`` allows.
  func end(_ drag: DragID) {
    change(drag) { $0.endedAt = context.now }
    release()
  }

  /// Releases `XdndSelection` after the drop of a drag, which tells a target that the delivery is cancelled.
  func withdraw(_ drag: DragID) {
    guard let newest = offers.last(where: { $0.selection == .xdndSelection }), newest.id == drag, !newest.isRevoked,
      newest.server.isDropped
    else { return }
    context.system.disown(.xdndSelection, at: newest.server.acquired)
    change(drag) { $0.isRevoked = true }
  }

  private func change(_ id: OfferID, _ change: (inout Offer) -> Void) {
    if let index = offers.firstIndex(where: { $0.id == id }) { change(&offers[index]) }
  }

  private func alarm(of id: OfferID) -> Alarm {
    context.alarms.alarm { [unowned self] in receive(.deadlineReached, for: id) }
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

  /// Puts content on a clipboard. Notices with the id report what becomes of it.
  ///
  /// - Parameters:
  ///   - byteCount: How many bytes the content holds in memory.
  ///   - time: The timestamp of the user's action; `nil` asks the server for the current time, in one round trip.
  /// - Returns: Whether this program owns the selection now; another client may have taken it at a later time.
  func put(
    _ id: OfferID, types: [AtomName], byteCount: Int = 0, on selection: AtomName, at time: Timestamp? = nil
  ) -> Bool {
    let time = time.flatMap { $0 == .currentTime ? nil : $0 } ?? context.system.serverTime()
    guard context.system.own(selection, at: time) else { return false }
    // The old content cannot be requested any more. Running transfers are completed.
    revoke(selection)
    offers.append(
      Offer(
        id: id, server: server(of: id, selection, types: types, acquired: time, allowsDeletion: false),
        alarm: alarm(of: id), byteCount: byteCount))
    return true
  }

  /// This program's content on a clipboard; `nil` if it has lost the clipboard or put nothing there.
  func current(on selection: AtomName) -> OfferID? {
    offers.last { $0.selection == selection && !$0.isRevoked }?.id
  }

  /// Empties a clipboard that this program owns.
  func clear(_ selection: AtomName) {
    guard let offer = offers.last(where: { $0.selection == selection && !$0.isRevoked }) else { return }
    // ICCCM section 2.3.1: with the timestamp of the acquisition, so that a later owner keeps the selection.
    context.system.disown(selection, at: offer.server.acquired)
    revoke(selection)
  }

  // MARK: Loss

  /// Handles the loss of a clipboard.
  ///
  /// - Parameter isHandingOver: Whether a window belongs to a clipboard manager that is fetching the content. Then the
  ///   end of the hand-over is reported, and not this loss.
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
    for index in offers.indices
    where offers[index].selection == .xdndSelection && !offers[index].server.acquired.isLater(than: time) {
      offers[index].isRevoked = true
    }
    return newest.map { !$0.server.acquired.isLater(than: time) } ?? false
  }

  private func revoke(_ selection: AtomName) {
    for index in offers.indices where offers[index].selection == selection { offers[index].isRevoked = true }
    release()
  }

  // MARK: Release

  /// Releases the offers that cannot be requested any more or exceed ``History``.
  func release() {
    defer { historyAlarm.time = endOfHistory }
    let forgotten = forgottenDrags
    let ended = offers.filter { offer in
      (offer.isRevoked || forgotten.contains(offer.id)) && offer.isIdle && !directSaves.isNeeded(offer.id)
    }.map(\.id)
    guard !ended.isEmpty else { return }
    offers.removeAll { ended.contains($0.id) }
    for offer in ended {
      directSaves.offer(nil, by: offer)
      context.tell(.offer(offer, .released))
    }
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
      // A drag with a running transfer is released when the transfer ends.
      guard offer.selection == .xdndSelection, offer.id != newest, offer.isIdle else { return nil }
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
      directSaves.receive(.targetIsAwake, for: offer.id)
    }
    receive(.request(request), for: offer.id)
    context.answer([.source(offer.id, .transferProgressed)])
  }

  /// The offer that a request is for: the newest one that is not later than the request's timestamp.
  ///
  /// Timestamps count milliseconds, and a script may press again in the millisecond of a release. So the target of a
  /// drop is recognized first, by the timestamp of its Drop. Some requestors send other numbers (GTK 4 and Chromium 0,
  /// JUCE coordinates): if in doubt, the newest drag is served. On a clipboard, the newest content is always served.
  private func offer(for request: SelectionRequest) -> Offer? {
    let candidates = offers.filter { $0.selection == request.selection }
    guard request.selection == .xdndSelection, request.time != .currentTime else { return candidates.last }
    return candidates.last { $0.server.isDropNamed(by: request) }
      ?? candidates.last { !$0.server.acquired.isLater(than: request.time) } ?? candidates.last
  }

  /// Handles the deletion of a property: a requestor has taken a part.
  func propertyDeleted(_ property: AtomName, of window: WindowID) {
    for id in offers.map(\.id) { receive(.propertyDeleted(property, of: window), for: id) }
  }

  /// The jobs for the destruction of a window, which may be a requestor.
  func jobsForEnd(of window: WindowID) -> [Job] { offers.map { .offer($0.id, .windowVanished(window)) } }

  /// The jobs that end all transfers, so that their providers stop.
  var jobsForServerLoss: [Job] {
    offers.flatMap { offer in offer.server.requestors.sorted().map { .offer(offer.id, .windowVanished($0)) } }
  }

  // MARK: The machines

  func receive(_ input: SelectionServer.Input, for id: OfferID) {
    guard let index = offers.firstIndex(where: { $0.id == id }) else { return }
    let effects = offers[index].server.receive(input, at: context.now)
    for effect in effects { perform(effect, of: id) }
    release()
  }

  private func perform(_ effect: SelectionServer.Effect, of id: OfferID) {
    switch effect {
    case .reply(let value, let property, let window): context.system.write(value, to: property, of: window)
    case .notify(let notify):
      if notify.property == nil {
        context.exchange.sent("SelectionNotify \(notify.target?.rawValue ?? ""), refused", to: notify.requestor)
      }
      context.system.send(notify)
    case .readPairs(let request): readPairs(of: request, for: id)
    case .watch(let window): watch(window)
    case .unwatch(let window): context.system.unwatch(window, for: [.destruction, .properties])
    case .open(let transfer, let destination):
      guard unwatched[destination.requestor] != nil else { return open(transfer, destination, of: id) }
      unwatched[destination.requestor]?.transfers.append((transfer, destination, id))
      context.tell(.offer(id, .transferAwaited(transfer, type: destination.target)))
    case .transfer(let transfer, let destination, let effect):
      if case .ended = effect { unwatched[destination.requestor]?.transfers.removeAll { $0.id == transfer } }
      let isTarget = offers.first { $0.id == id }?.server.isTarget(destination.requestor) ?? false
      content.perform(effect, transfer, destination, of: id, toTarget: isTarget)
    case .contentRequested: context.tell(.offer(id, .contentRequested))
    case .deletionRequested: context.tell(.offer(id, .deletionRequested))
    case .ignored(let violation): context.report(violation, as: .drag(id, .ignored(violation)))
    }
  }

  private func watch(_ requestor: WindowID) {
    let interest: WindowInterest = [.destruction, .properties]
    guard unwatched[requestor] == nil else { return context.system.watchSoon(requestor, for: interest) }
    unwatched[requestor] = UnwatchedRequestor(
      question: context.system.watch(requestor, for: interest) { [unowned self] in
        let transfers = unwatched.removeValue(forKey: requestor)?.transfers ?? []
        for transfer in transfers { open(transfer.id, transfer.destination, of: transfer.offer) }
      })
  }

  /// Asks the provider for content.
  private func open(_ transfer: TransferID, _ destination: SelectionServer.Destination, of id: OfferID) {
    content.expectReader(for: transfer)
    guard destination.target != .xdndDirectSave || !directSaves.offersFile(id) else {
      return context.answer([.directSave(id, .requested(transfer))])
    }
    context.tell(.offer(id, .contentNeeded(transfer, type: destination.target, requestor: destination.requestor)))
  }

  private func readPairs(of request: SelectionRequest, for id: OfferID) {
    guard let property = request.property else { return context.answer([.offer(id, .pairs(nil, for: request))]) }
    multiples[request] = context.system.requestAtoms(
      in: property, of: request.requestor, type: .atomPair, limit: 2 * (SelectionServer.Limits.pairs + 1)
    ) { [unowned self] in pairsRead($0, of: request, for: id) }
  }

  /// - Parameter atoms: The property of a `MULTIPLE` request; `nil` if it is missing or malformed.
  private func pairsRead(_ atoms: [AtomName?]?, of request: SelectionRequest, for id: OfferID) {
    multiples[request] = nil
    let pairs = atoms.flatMap { atoms in
      atoms.count.isMultiple(of: 2)
        ? stride(from: 0, to: atoms.count, by: 2).map { ConversionPair(target: atoms[$0], property: atoms[$0 + 1]) }
        : nil
    }
    context.answer([.offer(id, .pairs(pairs, for: request))])
  }
}
