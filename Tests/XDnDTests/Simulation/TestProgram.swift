import Logging
import Testing

@testable import XDnD
@testable import XDnDTesting

/// A small program on a reactor: provides content, answers proposals, loads what was dropped, and notes everything.
///
/// It also knows in which order notices may come, and records an issue for any other.
final class TestProgram: SimulatedClient {
  let client: FakeClient
  let reactor: Reactor
  /// What is registered for drops.
  private(set) var windows: Set<WindowID> = []
  private(set) var notices: [Notice] = []
  /// Sees each notice first; `true` keeps it from the usual treatment.
  var intercept: ((Notice) -> Bool)?

  // As a source.
  var content: [AtomName: [UInt8]] = [:]
  /// Whether the total length is told beforehand.
  var knowsLength = true
  /// Requests are kept in ``openRequests`` instead of being served.
  var providesLater = false
  var openRequests: [(transfer: TransferID, type: AtomName)] = []
  /// Saves a file where the target wants it; `nil` does so later.
  var save: ([[UInt8]]) -> DirectSaveProvider.SaveResult? = { _ in .saved }
  /// The drag that ``save`` was called for.
  private(set) var savingDrag: DragID?
  private(set) var outcomes: [DragID: DragOutcome] = [:]
  private(set) var deletions: [DragID: Int] = [:]
  private(set) var released: Set<DragID> = []
  private var begunTransfers: Set<TransferID> = []
  private var endedTransfers: Set<TransferID> = []
  /// The transfers that a provider was asked for.
  private var askedTransfers: Set<TransferID> = []

  // As a target.
  var answersProposals = true
  var finishesDrops = true
  var propose: (TargetMachine.ProposalRequest) -> DropProposal = { $0.suggested }
  /// What to load on a drop.
  var wanted: [AtomName] = [.utf8String]
  var operation: (TargetMachine.DropDetails) -> DragOperation? = { $0.operation }
  private(set) var received: [SessionID: [AtomName: [UInt8]]] = [:]
  private(set) var failures: [SessionID: [TransferFailure]] = [:]
  private(set) var results: [SessionID: DropResult] = [:]
  private(set) var loading: [TransferID: Loading] = [:]
  private(set) var sessions: [SessionID] = []
  private var drops: [SessionID: (WindowID, TargetMachine.DropDetails)] = [:]
  private var phases: [SessionID: Phase] = [:]

  private let log = LogLines()

  final class Loading {
    let session: SessionID
    let type: AtomName
    var bytes: [UInt8] = []
    /// What to say to each part.
    var answer: () -> SinkAnswer = { .more }

    init(session: SessionID, type: AtomName) {
      self.session = session
      self.type = type
    }
  }

  private enum Phase { case entered, dropped, over }

  init(_ simulation: Simulation, timing: Reactor.Timing) {
    let server = simulation.server
    client = server.connect()
    reactor = Reactor(
      system: client, timing: timing, logger: log.logger(.debug),
      clock: { server.clock.now })
    reactor.onNotice = { [unowned self] notice, _ in hear(notice) }
    simulation.add(self)
  }

  /// The mistakes of peers that the driver has ignored.
  var violations: [String] { log.violations }

  var nextWake: LoopTime? { reactor.nextDeadline }
  var label: String { client.server.label }

  func process() { reactor.process() }

  func register(_ window: WindowID, accepting offer: DropOffer) {
    windows.insert(window)
    reactor.register(DropHost(window, accepting: offer))
  }

  func unregister(_ window: WindowID) {
    windows.remove(window)
    reactor.unregister(window)
  }

  var lastOutcome: DragOutcome? { outcomes.max { $0.key < $1.key }?.value }
  var lastResult: DropResult? { sessions.last { results[$0] != nil }.flatMap { results[$0] } }
  var lastReceived: [AtomName: [UInt8]] { sessions.last { received[$0] != nil }.flatMap { received[$0] } ?? [:] }
  var openSessions: [SessionID] { sessions.filter { phases[$0] != .over } }

  var dragNotices: [Notice.DragNotice] {
    notices.compactMap { if case .drag(_, let notice) = $0 { notice } else { nil } }
  }
  var offerNotices: [Notice.OfferNotice] {
    notices.compactMap { if case .offer(_, let notice) = $0 { notice } else { nil } }
  }
  var targetNotices: [Notice.TargetNotice] {
    notices.compactMap { if case .target(_, let notice) = $0 { notice } else { nil } }
  }

  private func hear(_ notice: Notice) {
    notices.append(notice)
    check(notice)
    if intercept?(notice) == true { return }
    switch notice {
    case .offer(let drag, let notice): hear(notice, of: drag)
    case .target(let host, let notice): hear(notice, for: host.window)
    case .load(let transfer, let notice): hear(notice, of: transfer)
    case .drag, .save, .selection, .gesture, .settingsChanged: break
    }
  }

  // MARK: Order

  private func check(_ notice: Notice) {
    func expect(_ isRight: Bool) {
      if !isRight { Issue.record("\(notice) out of order \(label)") }
    }
    switch notice {
    case .target(_, .entered(let session, _, _, _)):
      expect(phases[session] == nil)
      phases[session] = .entered
      sessions.append(session)
    case .target(_, .scrolled(let session, _, _)): expect(phases[session] == .entered)
    case .target(_, .proposalNeeded(let request)): expect(phases[request.session] == .entered)
    case .target(_, .exited(let session, _)):
      expect(phases[session] == .entered)
      phases[session] = .over
    case .target(_, .dropped(let session, _)):
      expect(phases[session] == .entered)
      phases[session] = .dropped
    case .target(_, .ended(let session, let result)):
      expect(phases[session] == .dropped)
      phases[session] = .over
      results[session] = result
    case .drag(let drag, .ended(let outcome)):
      expect(outcomes[drag] == nil)
      outcomes[drag] = outcome
    case .drag(let drag, .began), .drag(let drag, .proposed), .drag(let drag, .targetChanged),
      .drag(let drag, .dropSent):
      expect(outcomes[drag] == nil)
    case .offer(let drag, .released): expect(released.insert(drag).inserted)
    case .offer(_, .transferEnded(let transfer, _)): expect(endedTransfers.insert(transfer.id).inserted)
    case .offer(_, .contentNeeded(let transfer, _, _)):
      expect(
        !endedTransfers.contains(transfer) && begunTransfers.contains(transfer)
          && askedTransfers.insert(transfer).inserted)
    case .offer(_, .transferBegan(let transfer)):
      expect(!endedTransfers.contains(transfer.id) && begunTransfers.insert(transfer.id).inserted)
    case .offer(_, .transferProgressed(let transfer, _)):
      expect(!endedTransfers.contains(transfer.id) && begunTransfers.contains(transfer.id))
    case .target(_, .lost), .drag, .offer, .load, .save, .selection,
      .gesture, .settingsChanged:
      break
    }
  }

  // MARK: Source

  private func hear(_ notice: Notice.OfferNotice, of drag: DragID) {
    switch notice {
    case .contentNeeded(let transfer, let type, _):
      openRequests.append((transfer, type))
      if !providesLater { provide() }
    case .saveNeeded(let paths):
      savingDrag = drag
      if let result = save(paths) { reactor.perform { $0.offers.receive(.saved(result), for: drag) } }
    case .deletionRequested: deletions[drag, default: 0] += 1
    default: break
    }
  }

  /// Serves all open requests.
  func provide() {
    let requests = openRequests
    openRequests = []
    for (transfer, type) in requests {
      reactor.provide(transfer, content[type].map { TestReader($0, knowsLength: knowsLength) })
    }
  }

  // MARK: Target

  private func hear(_ notice: Notice.TargetNotice, for window: WindowID) {
    switch notice {
    case .proposalNeeded(let request):
      if answersProposals { answer(request, for: window) }
    case .dropped(let session, let details):
      drops[session] = (window, details)
      guard finishesDrops else { return }
      for type in wanted { load(type, of: session) }
      if loading.isEmpty { finishIfLoaded(session) }
    default: break
    }
  }

  func answer(_ request: TargetMachine.ProposalRequest, for window: WindowID) {
    reactor.perform { $0.targets[window]?.receive(.proposal(propose(request), to: request)) }
  }

  @discardableResult
  func load(_ type: AtomName, of session: SessionID, limits: IncomingTransfer.Limits? = nil) -> TransferID? {
    let load = Loading(session: session, type: type)
    let transfer = reactor.load(type, of: session, limits: limits) { part in
      load.bytes.append(contentsOf: part.bindMemory(to: UInt8.self))
      return load.answer()
    }
    if let transfer { loading[transfer] = load }
    return transfer
  }

  private func hear(_ notice: Notice.LoadNotice, of transfer: TransferID) {
    guard case .ended(let result) = notice, let load = loading.removeValue(forKey: transfer) else { return }
    switch result {
    case .complete(let header):
      #expect(header.byteCount == load.bytes.count, "\(label)")
      received[load.session, default: [:]][load.type] = load.bytes
    case .failed(let failure): failures[load.session, default: []].append(failure)
    }
    if finishesDrops { finishIfLoaded(load.session) }
  }

  private func finishIfLoaded(_ session: SessionID) {
    guard !loading.values.contains(where: { $0.session == session }) else { return }
    finish(session)
  }

  /// With what was agreed on, or a rejection if something could not be loaded.
  func finish(_ session: SessionID) {
    guard let (window, details) = drops[session] else { return }
    let operation = failures[session] == nil ? operation(details) : nil
    reactor.perform { $0.targets[window]?.receive(.finish(session, operation)) }
  }
}

/// Reads from memory; need not know the length, may fail on the way, and may have fewer bytes than it says.
final class TestReader: ContentReader {
  private var rest: ArraySlice<UInt8>
  private let failsAfter: Int?
  private var given = 0
  /// If set, there is something only each other time; called when there is not.
  var onPending: (() -> Void)?
  private var isReady = true
  let byteCount: Int?
  let propertyType: AtomName? = nil

  init(_ bytes: [UInt8], knowsLength: Bool = true, failsAfter: Int? = nil) {
    self.rest = bytes[...]
    self.byteCount = knowsLength ? bytes.count : nil
    self.failsAfter = failsAfter
  }

  func read(upTo count: Int) -> ContentPart {
    if let failsAfter, given >= failsAfter { return .failed }
    if let onPending {
      isReady.toggle()
      guard isReady else {
        onPending()
        return .pending
      }
    }
    let part = rest.prefix(count)
    rest = rest.dropFirst(count)
    given += part.count
    return .bytes(part)
  }
}
