/// Content that this program offers in a drag or on a clipboard.
final class Offer {
  let id: OfferID
  /// The application's half, where notices go.
  let half: AnyObject?
  private(set) var server: SelectionServer {
    didSet { alarm.time = server.nextDeadline }
  }
  /// The drag, until it has ended; `nil` for a clipboard.
  weak var drag: Drag?
  /// The file that is offered by direct save.
  private(set) var directSave: DirectSaveOffer?
  /// Types that are served without being offered.
  private var unlisted: [AtomName]
  /// How many bytes the content holds in memory.
  private(set) var byteCount: Int
  /// Types whose bytes are not content.
  private var uncounted: Set<AtomName>
  /// When the drag ended; `nil` before, and for clipboards.
  private(set) var endedAt: LoopTime?
  /// Whether the selection is lost or given up. Running transfers continue; then the offer is released.
  var isRevoked = false

  private let inbox = Inbox<SelectionServer.Input>()
  private lazy var alarm = context.alarms.alarm { [unowned self] in receive(.deadlineReached) }
  /// The running transfers.
  private var running: [TransferID: Delivery] = [:]
  /// The requestors whose events are not selected yet. Their content is requested once the events are selected, because
  /// a requestor may delete a property as soon as it is written.
  private var unwatched: [WindowID: Question] = [:]
  /// The `MULTIPLE` requests whose properties are being read.
  private var multiples: [SelectionRequest: Question] = [:]
  private let context: DriverContext
  private unowned let store: OfferStore

  init(
    _ id: OfferID, of half: AnyObject?, _ server: SelectionServer, _ content: Drags.Content, _ context: DriverContext,
    in store: OfferStore
  ) {
    self.id = id
    self.half = half
    self.server = server
    (unlisted, uncounted, byteCount) = (content.unlisted, content.uncounted, content.byteCount)
    self.context = context
    self.store = store
  }

  var selection: AtomName { server.selection }

  /// Whether the offer may be released: no transfer is running, and if it is a drag, it has ended.
  var isIdle: Bool { !server.isBusy && (endedAt != nil || selection != .xdndSelection) }

  /// Whether content is being delivered.
  var isSending: Bool { !running.isEmpty }

  /// The running transfers, oldest first.
  var deliveries: [Delivery] { running.values.sorted { $0.id < $1.id } }

  // MARK: Changes

  /// Replaces the content of a drag.
  func change(types: [AtomName], allowsDeletion: Bool, _ content: Drags.Content) {
    (unlisted, uncounted, byteCount) = (content.unlisted, content.uncounted, content.byteCount)
    receive(.offering(types + unlisted, allowsDeletion: allowsDeletion))
  }

  /// Replaces the time at which this program acquired the selection, which was the time of the press.
  func acquire(at time: Timestamp) { receive(.acquired(at: time)) }

  /// Serves the types that are published for the target under the pointer, and the unlisted ones.
  ///
  /// - Parameter withheld: Unlisted types that this target must not get.
  func serve(_ types: [AtomName], withholding withheld: Set<AtomName>) {
    let served = types + unlisted.filter { !withheld.contains($0) }
    receive(.offering(served, allowsDeletion: server.allowsDeletion))
  }

  /// Replaces the file that is offered by direct save.
  func setFile(_ file: DirectSaveOffer.File?) {
    directSave = file.map { DirectSaveOffer($0, of: self, context) }
  }

  /// Whether a newer drag has replaced this one's file on the drag window.
  var isFileReplaced: Bool { store.offersFile(after: id) }

  /// Notes the end of the drag. Its content is still served, as long as ``OfferStore/History`` allows.
  func end() {
    endedAt = context.now
    store.release()
  }

  // MARK: Providers

  /// Takes the answer to ``Notice/OfferNotice/contentNeeded(_:type:requestor:)``; `nil` refuses. A second answer, or
  /// one after the end of the transfer, has no effect.
  func provide(_ transfer: TransferID, _ reader: (any ContentReader)?) {
    guard let delivery = running[transfer], delivery.isAwaited else { return }
    delivery.provide(reader)
    // Reports the total now: a slow provider of little content may deliver for a while before the first part is sent.
    if reader?.byteCount != nil { tellProgress(of: delivery, by: 0) }
    receive(.transfer(transfer, reader.map { .opened(byteCount: $0.byteCount) } ?? .refused))
  }

  /// Reads again from the providers that had no bytes.
  func takeArrivedContent() {
    for delivery in deliveries {
      if let input = delivery.readOn() { receive(.transfer(delivery.id, input)) }
    }
  }

  // MARK: The machine

  func receive(_ input: SelectionServer.Input) {
    let isSettled = inbox.process(input) { input in
      for effect in server.receive(input, at: context.now) { perform(effect) }
    }
    if isSettled { store.release() }
  }

  private func perform(_ effect: SelectionServer.Effect) {
    switch effect {
    case .reply(let value, let property, let window): context.system.write(value, to: property, of: window)
    case .notify(let notify):
      if notify.property == nil {
        context.exchange.sent("SelectionNotify \(notify.target?.rawValue ?? ""), refused", to: notify.requestor)
      }
      context.system.send(notify)
    case .readPairs(let request): readPairs(of: request)
    case .watch(let window): watch(window)
    case .unwatch(let window): context.system.unwatch(window, for: [.destruction, .properties])
    case .open(let transfer, let destination):
      let delivery = Delivery(transfer, to: destination, isCounted: !uncounted.contains(destination.target))
      running[transfer] = delivery
      tell(.transferBegan(delivery.transfer))
      if unwatched[destination.requestor] == nil { open(delivery) }
    case .transfer(let transfer, _, let effect): if let delivery = running[transfer] { perform(effect, delivery) }
    case .contentRequested: tell(.contentRequested)
    case .deletionRequested: tell(.deletionRequested)
    case .ignored(let violation): context.ignored(violation)
    }
  }

  private func perform(_ effect: OutgoingTransfer.Effect, _ delivery: Delivery) {
    let destination = delivery.destination
    switch effect {
    case .stage(let count): if let input = delivery.stage(count) { receive(.transfer(delivery.id, input)) }
    case .announce(let lowerBound):
      delivery.stopReading()
      context.exchange.sent("\(destination.target): INCR, at least \(lowerBound) bytes", to: destination.requestor)
      context.system.write(
        PropertyValue(type: .incr, contents: .words([UInt32(clamping: lowerBound)])), to: destination.property,
        of: destination.requestor)
    case .write(let count):
      let isLetter = destination.target == .xdndDirectSave
      context.exchange.sent(
        "\(destination.target): \(isLetter ? ExchangeTrace.excerpt(delivery.staged ?? []) : "\(count) bytes")",
        to: destination.requestor)
      context.system.write(delivery.takeValue(of: count), to: destination.property, of: destination.requestor)
    case .progressed(let bytes):
      tellProgress(of: delivery, by: bytes)
      drag?.receive(.transferProgressed)
    case .ended(let result):
      running[delivery.id] = nil
      tell(.transferEnded(delivery.transfer, result))
      // A transfer for `XdndDirectSave0` is an answer and not content; the direct save's machine reports the end.
      guard destination.target != .xdndDirectSave else { break }
      if result != .delivered {
        drag?.receive(.transferFailed)
      } else if server.isTarget(destination.requestor) {
        drag?.receive(.contentDelivered)
      }
    case .answer: break
    }
  }

  private func tellProgress(of delivery: Delivery, by count: Int) {
    let last = delivery.wrote(count)
    tell(.transferProgressed(delivery.transfer, after: last))
  }

  private func watch(_ requestor: WindowID) {
    let interest: WindowInterest = [.destruction, .properties]
    guard unwatched[requestor] == nil else { return context.system.watchSoon(requestor, for: interest) }
    unwatched[requestor] = context.system.watch(requestor, for: interest) { [unowned self] in
      unwatched[requestor] = nil
      for delivery in deliveries where delivery.isHeld && delivery.destination.requestor == requestor { open(delivery) }
    }
  }

  /// Asks the provider for content.
  private func open(_ delivery: Delivery) {
    delivery.ask()
    let destination = delivery.destination
    if destination.target == .xdndDirectSave, let directSave {
      directSave.receive(.requested(delivery.id))
    } else {
      tell(.contentNeeded(delivery.id, type: destination.target, requestor: destination.requestor))
    }
  }

  private func readPairs(of request: SelectionRequest) {
    guard let property = request.property else { return receive(.pairs(nil, for: request)) }
    multiples[request] = context.system.requestAtoms(
      in: property, of: request.requestor, type: .atomPair, limit: 2 * (SelectionServer.Limits.pairs + 1)
    ) { [unowned self] in pairsRead($0, of: request) }
  }

  /// - Parameter atoms: The property of a `MULTIPLE` request; `nil` if it is missing or malformed.
  private func pairsRead(_ atoms: [AtomName?]?, of request: SelectionRequest) {
    multiples[request] = nil
    let pairs = atoms.flatMap { atoms in
      atoms.count.isMultiple(of: 2)
        ? stride(from: 0, to: atoms.count, by: 2).map { ConversionPair(target: atoms[$0], property: atoms[$0 + 1]) }
        : nil
    }
    receive(.pairs(pairs, for: request))
  }

  func tell(_ notice: Notice.OfferNotice) { context.tell(.offer(id, notice), to: half) }
}
