/// Runs the conversions that this program requests: content of drops and clipboards, `XdndDirectSave0`, `DELETE` and
/// `SAVE_TARGETS`.
final class LoadRunner {
  /// The addressee of a conversion request, and its requestor.
  struct Conversion {
    var selection: AtomName
    /// The selection's owner. The load ends when this window is destroyed.
    var owner: WindowID
    /// For a drop, the window that was dropped on: Qt sources refuse hidden windows in some cases. Its proxy if it is
    /// another client's.
    var requestor: WindowID
    var time: Timestamp
    /// The drop that the load belongs to, and its target; `nil` for a clipboard.
    var drop: (session: SessionID, window: WindowID)?

    var session: SessionID? { drop?.session }
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

  private struct Load {
    var machine: IncomingTransfer {
      didSet { alarm.time = machine.nextDeadline }
    }
    let alarm: Alarm
    var conversion: Conversion
    var target: AtomName
    var property: AtomName
    var purpose: Purpose
    /// The question whether the requestor's events are selected; `nil` once they are.
    var watching: Question?
    /// Where the page begins that is to be read then.
    var heldOffset: Int?
    /// The question for the page that is under way.
    var page: Question?
    /// Whether the requestor is destroyed.
    var isRequestorGone = false

    /// The requestor.
    var window: WindowID { conversion.requestor }

    /// The conversion, if the owner still has to answer it.
    func unanswered(as transfer: TransferID) -> LateAnswers.Unanswered? {
      guard machine.awaitsAnswer else { return nil }
      return LateAnswers.Unanswered(transfer: transfer, selection: conversion.selection, target: target)
    }
  }

  private let context: DriverContext
  private let drops: DropTable
  private let lateAnswers: LateAnswers
  private var loads: [TransferID: Load] = [:]

  init(_ context: DriverContext, drops: DropTable, lateAnswers: LateAnswers) {
    self.context = context
    self.drops = drops
    self.lateAnswers = lateAnswers
  }

  var count: Int { loads.count }

  // MARK: Begin

  /// Converts the content of a drop. Notices with the transfer's id report progress and the end.
  ///
  /// - Parameter sink: Receives the bytes as they arrive.
  /// - Returns: `nil` if nothing has been dropped, or the drop is over.
  func load(
    _ type: AtomName, of session: SessionID, limits: IncomingTransfer.Limits? = nil, sink: @escaping ContentSink
  ) -> TransferID? {
    guard let drop = drops[session], drop.time != nil else { return nil }
    return convert(
      type, Conversion(of: session, drop), purpose: .content(sink), limits: limits ?? context.timing.incoming)
  }

  /// Converts the content of a clipboard, or its `TARGETS`.
  ///
  /// - Returns: `nil` if the selection has no owner.
  func load(
    _ type: AtomName, from selection: AtomName, limits: IncomingTransfer.Limits? = nil, sink: @escaping ContentSink
  ) -> TransferID? {
    conversion(of: selection).map {
      convert(type, $0, purpose: .content(sink), limits: limits ?? context.timing.incoming)
    }
  }

  /// Asks the clipboard manager to fetch the clipboard's content, so that it outlives this program (freedesktop.org
  /// ClipboardManager specification). A property lists the targets to save, and the answer comes when they are saved.
  /// Meanwhile the manager converts them like any other requestor.
  ///
  /// - Returns: `nil` without a clipboard manager.
  func handOver(_ types: [AtomName], within limit: Duration) -> TransferID? {
    guard let conversion = conversion(of: .clipboardManager) else { return nil }
    var limits = context.timing.incoming
    limits.stall = limit
    return convert(.saveTargets, conversion, purpose: .handOver(types), limits: limits)
  }

  /// Asks the source of a drop for its types, and discards them. A source that has not answered yet is not asked again.
  func renewLease(of session: SessionID, answered: @escaping () -> Void = {}) {
    let isPending = loads.values.contains {
      if case .renewal = $0.purpose { $0.conversion.session == session } else { false }
    }
    guard !isPending, let drop = drops[session] else { return }
    convert(
      .targets, Conversion(of: session, drop), purpose: .renewal(answered: answered), limits: context.timing.incoming)
  }

  private func conversion(of selection: AtomName) -> Conversion? {
    let owner = context.system.owner(of: selection)
    guard owner != .none else { return nil }
    return Conversion(
      selection: selection, owner: owner, requestor: context.system.dragWindow, time: context.system.serverTime())
  }

  /// Begins a conversion with a new property and a new id.
  @discardableResult
  func convert(
    _ target: AtomName, _ conversion: Conversion, purpose: Purpose, limits: IncomingTransfer.Limits
  ) -> TransferID {
    let transfer = context.nextTransfer()
    loads[transfer] = Load(
      machine: IncomingTransfer(limits: limits, target: purpose.isContent ? ContentType(target) : nil),
      alarm: context.alarms.alarm { [unowned self] in receive(.deadlineReached, for: transfer) },
      conversion: conversion, target: target, property: unusedProperty(of: conversion.requestor), purpose: purpose)
    if let session = conversion.session, drops.isWithdrawn(session) { receive(.ownerWithdrew, for: transfer) }
    // The first part of INCR comes after the announcement has been read and deleted, so pages are read when the
    // requestor's events are selected.
    let watching = context.system.watch(conversion.requestor, for: LateAnswers.interest) { [unowned self] in
      requestorWatched(for: transfer)
    }
    loads[transfer]?.watching = watching
    if let owner = watchedOwner(of: conversion) { context.system.watchSoon(owner, for: .destruction) }
    context.post([.load(transfer, .begin)])
    return transfer
  }

  /// The owner of a clipboard. The source of a drop is watched by ``TargetMachine``, and this program's own window
  /// needs no watch.
  private func watchedOwner(of conversion: Conversion) -> WindowID? {
    conversion.session == nil && conversion.owner != context.system.dragWindow ? conversion.owner : nil
  }

  /// A property that neither a running conversion uses nor one that was given up. Names are reused, because atoms live
  /// as long as the server.
  private func unusedProperty(of window: WindowID) -> AtomName {
    let used = Set(loads.values.map(\.property) + lateAnswers.properties(of: window))
    for index in 0... {
      let name = AtomName("XDND_TRANSFER_\(index)")
      if !used.contains(name) { return name }
    }
    return .xdndSelection
  }

  // MARK: Events

  /// Passes the answer of an owner to the conversion that it is for.
  func receive(_ notify: SelectionNotify) {
    let match = load(answeredBy: notify)
    // Owners answer in order, so of the unanswered conversions that a refusal matches the oldest one is refused. It may
    // have been given up since.
    if let late = lateAnswers.oldest(refusedBy: notify), match.map({ late < $0 }) ?? true {
      return lateAnswers.refused(late)
    }
    guard let match else { return lateAnswers.discard(notify) }
    receive(.answered(hasData: notify.property != nil), for: match)
  }

  /// Whether an answer is to a conversion of this program, which may have been given up.
  ///
  /// The refusal of one that was given up names nothing that tells it from a refusal for other code of the host.
  func expects(_ notify: SelectionNotify) -> Bool {
    load(answeredBy: notify) != nil || lateAnswers.expects(notify)
  }

  /// The oldest unanswered conversion that an answer matches.
  private func load(answeredBy notify: SelectionNotify) -> TransferID? {
    loads.filter { transfer, load in
      guard load.window == notify.requestor, let unanswered = load.unanswered(as: transfer) else { return false }
      return notify.property.map { $0 == load.property && notify.selection == unanswered.selection }
        ?? unanswered.mayBeRefused(by: notify)
    }.keys.min()
  }

  func propertyChanged(_ property: AtomName, of window: WindowID) {
    let waiting = loads.filter { $0.value.window == window && $0.value.property == property }.keys.sorted()
    for transfer in waiting { receive(.propertyChanged, for: transfer) }
    lateAnswers.propertyChanged(property, of: window)
  }

  /// Handles the release of `XdndSelection`: the source of a drop may have cancelled it.
  func dragSelectionReleased() {
    drops.noteWithdrawal()
    for transfer in loads.filter({ $0.value.conversion.session != nil }).keys.sorted() {
      receive(.ownerWithdrew, for: transfer)
    }
  }

  /// Whether a window belongs to a clipboard manager that is fetching the clipboard's content.
  ///
  /// The managers of GNOME, MATE and Xfce acquire the clipboard once all their conversions are answered, long before
  /// the last parts of INCR transfers.
  func isHandingOver(to owner: WindowID) -> Bool {
    loads.values.contains { if case .handOver = $0.purpose { $0.conversion.owner == owner } else { false } }
  }

  /// The jobs for the end of a drop.
  func jobsForEnd(of session: SessionID) -> [Job] {
    loads.filter { $0.value.conversion.session == session }.keys.map { .load($0, .cancel) }
  }

  /// Whether content that the owner has written to a requestor is being read.
  ///
  /// If the owner is destroyed meanwhile, these loads repeat ``ServerEvent/windowVanished(_:)`` when they end. Until
  /// then, nothing else should hear of it: with what the owner has written, a drop may still be finished.
  func isReading(from owner: WindowID) -> Bool {
    loads.values.contains { $0.conversion.owner == owner && $0.window != owner && $0.machine.isReading }
  }

  /// The jobs for the destruction of a window: of an owner, or of a requestor.
  func jobsForEnd(of window: WindowID) -> [Job] {
    loads.keys.sorted().compactMap { transfer in
      guard let load = loads[transfer] else { return nil }
      if load.window == window {
        loads[transfer]?.isRequestorGone = true
        return .load(transfer, .requestorVanished)
      }
      return load.conversion.owner == window ? .load(transfer, .ownerVanished) : nil
    }
  }

  /// The jobs that end all loads. Pages under way never arrive.
  var jobsForServerLoss: [Job] { loads.keys.sorted().map { .load($0, .requestorVanished) } }

  // MARK: The machine

  func receive(_ input: IncomingTransfer.Input, for transfer: TransferID) {
    guard var load = loads[transfer] else { return }
    let unanswered = load.unanswered(as: transfer)
    let effects = load.machine.receive(input, at: context.now)
    loads[transfer] = load
    for effect in effects { perform(effect, transfer, load, unanswered) }
  }

  /// Reads what has waited for the events of its requestor.
  private func requestorWatched(for transfer: TransferID) {
    let offset = loads[transfer]?.heldOffset
    loads[transfer]?.watching = nil
    loads[transfer]?.heldOffset = nil
    if let offset { requestPage(from: offset, for: transfer) }
  }

  private func requestPage(from offset: Int, for transfer: TransferID) {
    guard let load = loads[transfer] else { return }
    let page = context.system.requestPage(load.property, of: load.window, from: offset) { [unowned self] in
      receive($0, for: transfer)
    }
    loads[transfer]?.page = page
  }

  /// Takes a page of a property. Content goes to the sink, and not through the machine. The page of a load that has
  /// ended is dropped.
  private func receive(_ page: ContentPage?, for transfer: TransferID) {
    guard let load = loads[transfer] else { return }
    loads[transfer]?.page = nil
    guard let page else { return receive(.read(nil, announced: nil), for: transfer) }
    var answer = SinkAnswer.more
    if !page.bytes.isEmpty, load.machine.wants(page.header), let sink = load.purpose.sink {
      answer = page.bytes.withUnsafeBytes(sink)
    }
    let read = IncomingTransfer.Input.read(page.header, left: page.left, announced: page.announcedByteCount)
    switch answer {
    case .more: receive(read, for: transfer)
    case .full:
      receive(.pause, for: transfer)
      receive(read, for: transfer)
    case .failed: receive(.sinkFailed, for: transfer)
    }
  }

  /// - Parameter unanswered: The conversion, if the owner had not answered it before the effect.
  private func perform(
    _ effect: IncomingTransfer.Effect, _ transfer: TransferID, _ load: Load, _ unanswered: LateAnswers.Unanswered?
  ) {
    switch effect {
    case .convert:
      if case .handOver(let targets) = load.purpose {
        context.system.write(.atoms(targets), to: load.property, of: load.window)
      }
      context.exchange.sent("ConvertSelection \(load.target)", to: load.conversion.owner)
      context.system.convert(
        load.conversion.selection, to: load.target, property: load.property, requestor: load.window,
        time: load.conversion.time)
    case .readProperty(let offset):
      if load.watching == nil { requestPage(from: offset, for: transfer) } else { loads[transfer]?.heldOffset = offset }
    case .progressed(let received, let expected):
      guard load.purpose.isContent else { break }
      if let drop = load.conversion.drop { context.answer([.target(drop.window, .progressed(drop.session))]) }
      context.tell(.load(transfer, .progressed(received: received, expected: expected)))
    case .deleteProperty: context.system.delete(load.property, of: load.window)
    case .ended(let result):
      loads[transfer] = nil
      if let owner = watchedOwner(of: load.conversion) { context.system.unwatch(owner, for: .destruction) }
      // A requestor that turns out not to exist is forgotten with ``ServerEvent/windowVanished(_:)``.
      if result.mayStillBeAnswered, !load.isRequestorGone, !context.system.isClosed {
        lateAnswers.add(load.property, of: load.window, unanswered)
      } else {
        context.system.unwatch(load.window, for: LateAnswers.interest)
      }
      conclude(transfer, load, with: result)
      if load.machine.hasLostOwner { context.answer([.event(.windowVanished(load.conversion.owner))]) }
    }
  }

  private func conclude(_ transfer: TransferID, _ load: Load, with result: IncomingTransfer.Result) {
    switch load.purpose {
    case .content:
      context.exchange.received("\(load.target): \(result.words)", from: load.conversion.owner)
      context.tell(.load(transfer, .ended(result)))
    case .directSave(_, let completion): completion(result)
    case .deletion:
      if let drop = load.conversion.drop { context.answer([.target(drop.window, .deletionAnswered(drop.session))]) }
    case .renewal(let answered):
      switch result {
      case .complete, .failed(.refused), .failed(.noData): answered()
      case .failed: break
      }
    case .handOver:
      // After a refusal, the list of targets is still there. The answer has no content, and some managers write none.
      context.system.delete(load.property, of: load.window)
      context.tell(.load(transfer, .ended(result == .failed(.noData) ? .complete(.nothing) : result)))
    }
  }
}

extension LoadRunner.Conversion {
  init(of session: SessionID, _ drop: DropTable.Drop) {
    self.init(
      selection: .xdndSelection, owner: drop.source, requestor: drop.requestor, time: drop.time ?? .currentTime,
      drop: (session, drop.window))
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
