/// The loads of this program.
final class Loads {
  private let context: DriverContext
  private let lateAnswers: LateAnswers
  /// Oldest first.
  private(set) var loads: [Load] = []

  init(_ context: DriverContext, lateAnswers: LateAnswers) {
    self.context = context
    self.lateAnswers = lateAnswers
  }

  var count: Int { loads.count }

  /// The application's halves, oldest first.
  var halves: [AnyObject] { loads.compactMap(\.half) }

  // MARK: Begin

  /// Converts the content of a drag. Notices report progress and the end.
  ///
  /// - Parameters:
  ///   - time: The timestamp of a position, for a drag that hovers; `nil` for a drop.
  ///   - sink: Receives the bytes as they arrive.
  /// - Returns: `nil` if the drag is over, or if `time` is `nil` and nothing has been dropped.
  func load(
    _ type: AtomName, of visit: Visit, at time: Timestamp? = nil, for half: AnyObject? = nil,
    limits: IncomingTransfer.Limits? = nil, sink: @escaping ContentSink
  ) -> Load? {
    guard time == nil ? visit.takesConversions : !visit.isOver else { return nil }
    return convert(type, of: visit, at: time, for: half, purpose: .content(sink), limits: limits)
  }

  /// Loads content of an item of a drag within this process, or of a file. ``Notice/LoadNotice/contentNeeded(type:)``
  /// asks for the provider's reader.
  ///
  /// - Parameters:
  ///   - visit: `nil` for a clipboard.
  ///   - drag: The drag; `nil` for a file, and once the drag has ended.
  /// - Returns: `nil` if nothing has been dropped, or the drop is over.
  func load(
    _ type: AtomName, of visit: Visit?, from drag: Drag?, for half: AnyObject?, limits: IncomingTransfer.Limits? = nil,
    sink: @escaping ContentSink
  ) -> Load? {
    guard visit?.takesConversions != false else { return nil }
    var limits = limits ?? context.timing.incoming
    // A provider of this process may be slow. It only has to deliver something within the time limit of promises.
    (limits.duration, limits.minimumPace) = (.seconds(1 << 30), 0)
    limits.stall = context.timing.outgoing.promise
    return begin(
      context.nextTransfer(), type, from: ItemContent(type, of: drag, context), of: visit, for: half,
      purpose: .content(sink), limits: limits)
  }

  /// Extends the time limits of the loads that may wait for the promised files of a drag, and of their drops.
  func progressed(of drag: DragID) {
    for load in loads where isOwn(load.visit) || (load.peer as? ItemContent)?.isOf(drag) == true {
      load.receive(.providerProgressed)
      load.visit?.progressed()
    }
  }

  /// Whether the drag over a window is this program's own.
  private func isOwn(_ visit: Visit?) -> Bool { visit?.source == context.system.dragWindow }

  /// Converts the content of a clipboard, or its `TARGETS`.
  ///
  /// - Returns: `nil` if the selection has no owner.
  func load(
    _ type: AtomName, from selection: AtomName, for half: AnyObject?, limits: IncomingTransfer.Limits? = nil,
    sink: @escaping ContentSink
  ) -> Load? {
    request(for: type, of: selection).map { convert($0, for: half, purpose: .content(sink), limits: limits) }
  }

  /// Asks the clipboard manager to fetch the clipboard's content, so that it outlives this program (freedesktop.org
  /// ClipboardManager specification). A property lists the targets to save, and the answer comes when they are saved.
  /// Meanwhile the manager converts them like any other requestor.
  ///
  /// - Returns: `nil` without a clipboard manager.
  func handOver(_ types: [AtomName], for half: AnyObject?, within limit: Duration) -> Load? {
    guard let request = request(for: .saveTargets, of: .clipboardManager) else { return nil }
    var limits = context.timing.incoming
    limits.stall = limit
    return convert(request, for: half, purpose: .handOver(types), limits: limits)
  }

  /// Asks the source of a drop for its types and discards the answer: the request shows the source that this program
  /// is still performing the drop. A source that has not answered yet is not asked again.
  func renewLease(of visit: Visit, answered: @escaping () -> Void = {}) {
    let isPending = loads.contains {
      if case .renewal = $0.purpose { $0.visit === visit } else { false }
    }
    if !isPending, !visit.isOver { convert(.targets, of: visit, purpose: .renewal(answered: answered)) }
  }

  private func request(for target: AtomName, of selection: AtomName) -> OwnerContent.Request? {
    let owner = context.system.owner(of: selection)
    guard owner != .none else { return nil }
    return OwnerContent.Request(
      target: target, selection: selection, owner: owner, requestor: context.system.dragWindow,
      time: context.system.serverTime())
  }

  /// Begins a conversion of a drag's content.
  @discardableResult
  func convert(
    _ target: AtomName, of visit: Visit, at time: Timestamp? = nil, for half: AnyObject? = nil,
    purpose: Load.Purpose, limits: IncomingTransfer.Limits? = nil
  ) -> Load {
    var limits = limits ?? context.timing.incoming
    if isOwn(visit), time == nil { limits.stall = max(limits.stall, context.timing.outgoing.promise) }
    return convert(
      OwnerContent.Request(
        target: target, selection: .xdndSelection, owner: visit.source, requestor: visit.requestor,
        time: time ?? visit.time ?? .currentTime), of: visit, for: half, purpose: purpose, limits: limits)
  }

  @discardableResult
  private func convert(
    _ request: OwnerContent.Request, of visit: Visit? = nil, for half: AnyObject?, purpose: Load.Purpose,
    limits: IncomingTransfer.Limits?
  ) -> Load {
    let property = unusedProperty(of: request.requestor)
    let id = context.nextTransfer()
    let content = OwnerContent(id, request, property: property, context, lateAnswers: lateAnswers)
    return begin(
      id, request.target, from: content, of: visit, for: half, purpose: purpose,
      limits: limits ?? context.timing.incoming)
  }

  private func begin(
    _ id: TransferID, _ target: AtomName, from peer: any LoadPeer, of visit: Visit?, for half: AnyObject?,
    purpose: Load.Purpose, limits: IncomingTransfer.Limits
  ) -> Load {
    let load = Load(id, target, from: peer, of: visit, for: half, purpose: purpose, limits: limits, context, in: self)
    loads.append(load)
    load.begin()
    return load
  }

  /// A property that is used neither by a running conversion nor by one that was given up. Names are reused, because
  /// atoms live as long as the server.
  private func unusedProperty(of window: WindowID) -> AtomName {
    let places = loads.compactMap(\.ownerContent?.place).filter { $0.window == window }
    let used = Set(places.map(\.name) + lateAnswers.properties(of: window))
    for index in 0... {
      let name = AtomName("XDND_TRANSFER_\(index)")
      if !used.contains(name) { return name }
    }
    return .xdndSelection
  }

  // MARK: Events

  /// Passes the answer of an owner to the conversion that it is for.
  func receive(_ notify: SelectionNotify) {
    let (matches, late) = (loads(answeredBy: notify), lateAnswers.contents(refusedBy: notify))
    let match = matches.min { $0.id < $1.id }
    // A refusal does not say which conversion it answers. An owner answers in order, so it is taken for the oldest
    // one that it matches, which may have been given up since. If it matches several, that is uncertain: they may
    // have different owners.
    let isCertain = matches.count + late.count < 2
    if let oldest = late.min(by: { $0.id < $1.id }), match.map({ oldest.id < $0.id }) ?? true {
      return lateAnswers.refused(oldest, isCertain: isCertain)
    }
    guard let match else { return lateAnswers.discard(notify) }
    match.ownerContent?.answered(hasData: notify.property != nil, isCertain: isCertain)
  }

  /// Whether a SelectionNotify answers a conversion of this program, even one that was given up.
  ///
  /// `false` for the refusal of a conversion that was given up, because it looks like a refusal for other code of the
  /// host.
  func expects(_ notify: SelectionNotify) -> Bool {
    !loads(answeredBy: notify).isEmpty || lateAnswers.expects(notify)
  }

  /// The unanswered conversions that an answer matches: at most one, unless the answer is a refusal, which names no
  /// property.
  private func loads(answeredBy notify: SelectionNotify) -> [Load] {
    loads.filter { $0.ownerContent?.mayBeAnswered(by: notify) == true }
  }

  func propertyChanged(_ property: AtomName, of window: WindowID) {
    let place = WindowProperty(property, of: window)
    loads.first { $0.ownerContent?.place == place }?.receive(.propertyChanged)
    lateAnswers.propertyChanged(property, of: window)
  }

  /// Handles the release of `XdndSelection`: the source of a drop may have cancelled it.
  func dragSelectionReleased() {
    for load in loads where load.visit != nil && load.ownerContent != nil { load.receive(.ownerWithdrew) }
  }

  /// Whether a window belongs to a clipboard manager that is fetching the clipboard's content.
  ///
  /// The managers of GNOME, MATE and Xfce acquire the clipboard once all their conversions are answered, long before
  /// the last parts of INCR transfers.
  func isHandingOver(to owner: WindowID) -> Bool {
    loads.contains { if case .handOver = $0.purpose { $0.ownerContent?.request.owner == owner } else { false } }
  }

  /// Whether content that the owner has written to a requestor is being read.
  ///
  /// If the owner is destroyed meanwhile, these loads post ``ServerEvent/windowVanished(_:)`` again when they end.
  /// Until then, no other object should get it: the content that the owner has written may still finish a drop.
  func isReading(from owner: WindowID) -> Bool {
    loads.contains { $0.ownerContent?.isReading(from: owner) == true }
  }

  /// Ends the loads of a visit.
  func end(of visit: Visit) {
    for load in loads where load.visit === visit { load.receive(.cancel) }
  }

  /// Handles the destruction of a window: of an owner, or of a requestor.
  func windowVanished(_ window: WindowID) {
    for load in loads { load.ownerContent?.windowVanished(window) }
  }

  /// Reads again from the providers that had no bytes.
  func takeArrivedContent() {
    for case let content as ItemContent in loads.map(\.peer) where content.awaitsContent { content.goOn() }
  }

  /// Ends all loads. Requested pages never arrive.
  func serverLost() {
    for load in loads { load.receive(.requestorVanished) }
  }

  /// Removes a load that has ended.
  func remove(_ load: Load) {
    loads.removeAll { $0 === load }
  }
}
