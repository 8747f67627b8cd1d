/// One conversion that this program has requested: content of a drop or a clipboard, `XdndDirectSave0`, `DELETE`, `TARGETS`
/// or `SAVE_TARGETS`.
final class Load {
  /// Who is asked for what.
  struct Request {
    var target: AtomName
    var selection: AtomName
    /// The selection's owner. The load ends when this window is destroyed.
    var owner: WindowID
    /// For a drop, the window that was dropped on: Qt sources refuse hidden windows in some cases. Its proxy if it is
    /// another client's.
    var requestor: WindowID
    var time: Timestamp
    /// The drop that the load belongs to; `nil` for a clipboard.
    var visit: Visit?
  }

  enum Purpose {
    case content(ContentSink)
    /// The conversion of `XdndDirectSave0`.
    case directSave(sink: ContentSink, completion: (IncomingTransfer.Result) -> Void)
    /// The conversion of `DELETE` after a move.
    case deletion
    /// The conversion of `TARGETS` that tells the source of a drop that the drop is still performed. The closure is called if it
    /// is answered, with success or refusal.
    case renewal(answered: () -> Void)
    /// The conversion of `SAVE_TARGETS`, with the targets to save.
    case handOver([AtomName])

    fileprivate var sink: ContentSink? {
      switch self {
      case .content(let sink), .directSave(let sink, _): sink
      case .deletion, .renewal, .handOver: nil
      }
    }

    fileprivate var isContent: Bool { if case .content = self { true } else { false } }
  }

  let id: TransferID
  let request: Request
  let property: AtomName
  let purpose: Purpose
  private var machine: IncomingTransfer {
    didSet { alarm.time = machine.nextDeadline }
  }
  private var inbox = Inbox<IncomingTransfer.Input>()
  private lazy var alarm = context.alarms.alarm { [unowned self] in receive(.deadlineReached) }
  /// The question whether the requestor's events are selected; `nil` once they are.
  private var watching: Question?
  /// Where the page begins that is to be read then.
  private var heldOffset: Int?
  /// The question for a page of the property.
  private var page: Question?
  private var isRequestorGone = false
  private let context: DriverContext
  private unowned let loads: Loads

  init(
    _ id: TransferID, _ request: Request, property: AtomName, purpose: Purpose, limits: IncomingTransfer.Limits,
    _ context: DriverContext, in loads: Loads
  ) {
    self.id = id
    self.request = request
    self.property = property
    self.purpose = purpose
    self.context = context
    self.loads = loads
    machine = IncomingTransfer(limits: limits, target: purpose.isContent ? ContentType(request.target) : nil)
  }

  /// The conversion, if the owner still has to answer it.
  var unanswered: LateAnswers.Unanswered? {
    guard machine.awaitsAnswer else { return nil }
    return LateAnswers.Unanswered(transfer: id, selection: request.selection, target: request.target)
  }

  /// Whether content that the owner has written to another window is being read.
  func isReading(from owner: WindowID) -> Bool {
    request.owner == owner && request.requestor != owner && machine.isReading
  }

  // MARK: Events

  func begin() {
    if request.visit?.isWithdrawn == true { receive(.ownerWithdrew) }
    // The first part of INCR comes after the announcement has been read and deleted, so pages are read when the
    // requestor's events are selected.
    watching = context.system.watch(request.requestor, for: LateAnswers.interest) { [unowned self] in
      requestorWatched()
    }
    if let owner = watchedOwner { context.system.watchSoon(owner, for: .destruction) }
    receive(.begin)
  }

  /// The owner of a clipboard. The source of a drop is watched by ``TargetMachine``, and this program's own window
  /// needs no watch.
  private var watchedOwner: WindowID? {
    request.visit == nil && request.owner != context.system.dragWindow ? request.owner : nil
  }

  func windowVanished(_ window: WindowID) {
    if window == request.requestor {
      isRequestorGone = true
      receive(.requestorVanished)
    } else if window == request.owner {
      receive(.ownerVanished)
    }
  }

  /// Reads what has waited for the events of the requestor.
  private func requestorWatched() {
    watching = nil
    if let offset = heldOffset { requestPage(from: offset) }
    heldOffset = nil
  }

  private func requestPage(from offset: Int) {
    page = context.system.requestPage(property, of: request.requestor, from: offset) { [unowned self] in receive($0) }
  }

  /// Takes a page of the property. Content goes to the sink, and not through the machine.
  private func receive(_ page: ContentPage?) {
    self.page = nil
    guard let page else { return receive(.read(nil, announced: nil)) }
    var answer = SinkAnswer.more
    if !page.bytes.isEmpty, machine.wants(page.header), let sink = purpose.sink {
      answer = page.bytes.withUnsafeBytes(sink)
    }
    let read = IncomingTransfer.Input.read(page.header, left: page.left, announced: page.announcedByteCount)
    switch answer {
    case .more: receive(read)
    case .full:
      receive(.pause)
      receive(read)
    case .failed: receive(.sinkFailed)
    }
  }

  // MARK: The machine

  func receive(_ input: IncomingTransfer.Input) {
    guard inbox.admit(input) else { return }
    while let input = inbox.next() {
      let unanswered = unanswered
      for effect in machine.receive(input, at: context.now) { perform(effect, unanswered) }
    }
  }

  /// - Parameter unanswered: The conversion, if the owner had not answered it before the effect.
  private func perform(_ effect: IncomingTransfer.Effect, _ unanswered: LateAnswers.Unanswered?) {
    let requestor = request.requestor
    switch effect {
    case .convert:
      if case .handOver(let targets) = purpose { context.system.write(.atoms(targets), to: property, of: requestor) }
      context.exchange.sent("ConvertSelection \(request.target)", to: request.owner)
      context.system.convert(
        request.selection, to: request.target, property: property, requestor: requestor, time: request.time)
    case .readProperty(let offset): if watching == nil { requestPage(from: offset) } else { heldOffset = offset }
    case .progressed(let received, let expected):
      guard purpose.isContent else { break }
      request.visit?.progressed()
      context.tell(.load(id, .progressed(received: received, expected: expected)))
    case .deleteProperty: context.system.delete(property, of: requestor)
    case .ended(let result):
      page = nil
      if let owner = watchedOwner { context.system.unwatch(owner, for: .destruction) }
      // A requestor that turns out not to exist is forgotten with ``ServerEvent/windowVanished(_:)``.
      loads.remove(self, leaving: unanswered, mayBeAnswered: result.mayStillBeAnswered && !isRequestorGone)
      conclude(with: result)
      if machine.hasLostOwner { context.post([.event(.windowVanished(request.owner))]) }
    }
  }

  private func conclude(with result: IncomingTransfer.Result) {
    switch purpose {
    case .content:
      context.exchange.received("\(request.target): \(result.words)", from: request.owner)
      context.tell(.load(id, .ended(result)))
    case .directSave(_, let completion): completion(result)
    case .deletion: request.visit.map { $0.target?.receive(.deletionAnswered($0.session)) }
    case .renewal(let answered):
      switch result {
      case .complete, .failed(.refused), .failed(.noData): answered()
      case .failed: break
      }
    case .handOver:
      // After a refusal, the list of targets is still there. The answer has no content, and some managers write none.
      context.system.delete(property, of: request.requestor)
      context.tell(.load(id, .ended(result == .failed(.noData) ? .complete(.nothing) : result)))
    }
  }
}

extension PropertyHeader {
  fileprivate static let nothing = PropertyHeader(type: .null, format: 32, byteCount: 0)
}

extension IncomingTransfer.Result {
  fileprivate var words: String {
    switch self {
    case .complete: "all of it"
    case .failed(let failure): "\(failure)"
    }
  }

  /// Whether the owner may still answer, because it does not know that the requestor has given up.
  fileprivate var mayStillBeAnswered: Bool {
    switch self {
    case .complete, .failed(.refused), .failed(.noData), .failed(.truncated): false
    // After `ownerVanished`, too: the selection may belong to another window than the destroyed one.
    case .failed(.ownerVanished), .failed(.withdrawn), .failed(.timedOut), .failed(.tooSlow), .failed(.tooLarge),
      .failed(.mislabelled), .failed(.sinkFailed), .failed(.cancelled):
      true
    }
  }
}
