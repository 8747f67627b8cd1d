/// The content of a selection, as its owner writes it: to a property of the requestor (ICCCM §2.4).
final class OwnerContent: LoadPeer {
  struct Request {
    var target: AtomName
    var selection: AtomName
    /// The selection's owner. The load ends when this window is destroyed.
    var owner: WindowID
    /// For a drop, the window that was dropped on, or its proxy if the window is another client's. Qt sources may
    /// refuse a request from a hidden window.
    var requestor: WindowID
    var time: Timestamp
  }

  /// The id of the load.
  let id: TransferID
  let request: Request
  /// Where the owner writes the content.
  let place: WindowProperty
  /// Whether the owner still has to answer, perhaps after the load was given up.
  private var isUnanswered = false
  /// Whether the refusal that has ended the load may be the answer to another conversion.
  private var mayBeAnsweredAgain = false
  /// The question whether the requestor's events are selected; `nil` once they are.
  private var watching: Question?
  /// The start of the page to read once the events are selected.
  private var heldOffset: Int?
  /// The question for a page of the property.
  private var page: Question?
  private var isRequestorGone = false
  private weak var load: Load?
  private unowned let lateAnswers: LateAnswers
  private let context: DriverContext

  init(
    _ id: TransferID, _ request: Request, property: AtomName, _ context: DriverContext, lateAnswers: LateAnswers
  ) {
    self.id = id
    self.request = request
    place = WindowProperty(property, of: request.requestor)
    self.context = context
    self.lateAnswers = lateAnswers
  }

  /// Whether content that the owner has written to another window is being read.
  func isReading(from owner: WindowID) -> Bool {
    request.owner == owner && request.requestor != owner && load?.isReading == true
  }

  /// Whether an answer may be the awaited one. A refusal names no property, and Qt's refusals do not even name the
  /// target.
  func mayBeAnswered(by notify: SelectionNotify) -> Bool {
    guard isUnanswered, notify.requestor == request.requestor, notify.selection == request.selection else {
      return false
    }
    guard let property = notify.property else { return notify.target == nil || notify.target == request.target }
    return property == place.name
  }

  // MARK: Events

  /// - Parameter isCertain: `false` for a refusal that may be the answer to another conversion.
  func answered(hasData: Bool, isCertain: Bool) {
    isUnanswered = false
    mayBeAnsweredAgain = !isCertain
    load?.receive(.answered(hasData: hasData))
  }

  /// Notes the answer to a conversion that was given up.
  func answeredLate() { isUnanswered = false }

  func windowVanished(_ window: WindowID) {
    if window == request.requestor {
      isRequestorGone = true
      load?.receive(.requestorVanished)
    } else if window == request.owner {
      load?.receive(.ownerVanished)
    }
  }

  // MARK: The load

  func begin(_ load: Load) {
    self.load = load
    if load.visit?.isWithdrawn == true { load.receive(.ownerWithdrew) }
    // The owner writes the first part of INCR after the announcement has been read and deleted, so nothing is read
    // before the requestor's events are selected.
    watching = context.system.watch(request.requestor, for: LateAnswers.interest) { [unowned self] in
      watching = nil
      heldOffset.map(requestPage)
      heldOffset = nil
    }
    if let owner = watchedOwner { context.system.watchSoon(owner, for: .destruction) }
  }

  /// The owner to watch, only for a clipboard: ``TargetMachine`` watches the source of a drop, and this program's own
  /// window needs no watch.
  private var watchedOwner: WindowID? {
    load?.visit == nil && request.owner != context.system.dragWindow ? request.owner : nil
  }

  func ask() {
    isUnanswered = true
    if case .handOver(let targets) = load?.purpose {
      context.system.write(.atoms(targets), to: place.name, of: place.window)
    }
    context.exchange.sent("ConvertSelection \(request.target)", to: request.owner)
    context.system.convert(
      request.selection, to: request.target, property: place.name, requestor: request.requestor, time: request.time)
  }

  func read(from offset: Int) {
    if watching == nil { requestPage(from: offset) } else { heldOffset = offset }
  }

  private func requestPage(from offset: Int) {
    page = context.system.requestPage(place.name, of: place.window, from: offset) { [unowned self] in receive($0) }
  }

  private func receive(_ page: ContentPage?) {
    self.page = nil
    guard let page else { load?.receive(.read(nil, announced: nil)); return }
    page.bytes.withUnsafeBytes {
      load?.receive($0, of: page.header, left: page.left, announced: page.announcedByteCount)
    }
  }

  func discard() { context.system.delete(place.name, of: place.window) }

  func progressed() {}

  func ended(with result: IncomingTransfer.Result, hasLostOwner: Bool) {
    (page, watching) = (nil, nil)
    if let owner = watchedOwner { context.system.unwatch(owner, for: .destruction) }
    // A requestor that turns out not to exist is forgotten with ``ServerEvent/windowVanished(_:)``.
    if mayBeAnsweredAgain || result.mayStillBeAnswered, !isRequestorGone, !context.system.isClosed {
      lateAnswers.add(self)
    } else {
      context.system.unwatch(request.requestor, for: LateAnswers.interest)
    }
    if case .content = load?.purpose {
      context.exchange.received("\(request.target): \(result.words)", from: request.owner)
    }
    if hasLostOwner { context.post(.event(.windowVanished(request.owner))) }
  }
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
    // Also after `ownerVanished`: the selection may belong to another window than the destroyed one.
    case .failed(.ownerVanished), .failed(.withdrawn), .failed(.timedOut), .failed(.tooSlow), .failed(.tooLarge),
      .failed(.mislabelled), .failed(.sinkFailed), .failed(.cancelled):
      true
    }
  }
}
