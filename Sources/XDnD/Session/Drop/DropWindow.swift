/// A window that the application has registered: the delegate or ``DropRegions`` that handle its drags, and the
/// sessions of these drags.
///
/// ``DropTargetWindow`` retains it until the window is unregistered; a notice retains it until its delivery.
final class DropWindow: DropHost {
  private unowned let context: SessionContext
  /// Not read from ``context``, which is inaccessible during its own `deinit`. That `deinit` ends the loads of file
  /// lists, and the window then answers the waiting positions and drops.
  private unowned let reactor: Reactor
  /// Handles drags where no region accepts the content.
  private weak var delegate: (any DropDelegate)?
  /// The window's regions, which act as its delegate; `nil` if it was registered without regions.
  private var regions: DropRegions?

  /// The application's half of a visit. The session is retained while the drag is over the window; after the drop, only
  /// the application and its loads retain it.
  private final class VisitHalf {
    private(set) weak var session: DropSession?
    /// Set while the drag is over the window, and again when the application has answered the drop.
    var kept: DropSession?
    /// The last position, whose answer waits for the list of files.
    var waiting: TargetMachine.ProposalRequest?

    init(_ session: DropSession) { (self.session, kept) = (session, session) }
  }

  /// Creates the half of a window that accepts nothing yet.
  ///
  /// - Parameter context: Not retained.
  init(_ window: WindowID, _ context: SessionContext) {
    self.context = context
    reactor = context.reactor
    super.init(window, accepting: DropOffer([]))
  }

  // MARK: Registration

  /// Replaces the offer and the delegate or the regions, also for drags that are over the window.
  ///
  /// - Parameter regions: `nil` if the delegate handles all drags.
  func accept(_ offer: DropOffer, delegate: (any DropDelegate)?, regions: [DropRegion]?) {
    let old = self.regions
    self.offer = offer.using(context.configuration.typeDatabase)
    self.delegate = delegate
    self.regions = regions.map {
      DropRegions(
        $0, offer: self.offer, delegate: delegate, reactor: reactor, reducesMotion: context.configuration.reducesMotion)
    }
    old?.end()
    // Regions set the offer of the region under the drag.
    if regions == nil, let half = reactor.targets[window]?.hovering?.half as? VisitHalf {
      half.kept?.setOffer(self.offer)
    }
  }

  func add(_ region: DropRegion) {
    if let regions {
      regions.add(region)
    } else {
      accept(offer, delegate: delegate, regions: [region])
    }
  }

  func contains(_ region: DropRegion) -> Bool { regions?.regions.contains { $0 === region } ?? false }

  func remove(_ region: DropRegion) {
    accept(offer, delegate: delegate, regions: regions?.regions.filter { $0 !== region })
  }

  /// Whether the window has neither regions nor a delegate, which the host may have released.
  var isAbandoned: Bool { delegate == nil && regions?.regions.isEmpty != false }

  // MARK: Questions of the driver

  override var parts: [Rect]? {
    guard let regions, delegate == nil, offer.types.isEmpty else { return nil }
    return regions.frames
  }

  override func container(at root: Point) -> DragContainer {
    DragContainer(window: window, name: regions?.containerName(at: root, in: window))
  }

  override func container(atLocation location: Point) -> DragContainer {
    DragContainer(window: window, name: regions?.containerName(atLocation: location))
  }

  // MARK: Notices

  override func receive(_ notice: Notice.TargetNotice, of visit: Visit?) {
    guard let visit else { return }
    let half = visit.half as? VisitHalf
    switch notice {
    case .entered(_, let source, let version, let content):
      let isLocal = source == reactor.system.dragWindow
      let session = DropSession(
        visit, over: self, version: version, content: content,
        localDrag: isLocal ? context.currentDrag : nil, context: context)
      visit.half = VisitHalf(session)
      if regions == nil, delegate == nil {
        reactor.warn("all drags are refused: the delegate of the drop target was deallocated", about: window)
      }
      let mayRead = regions?.mayReadFiles(among: session.types) == true || offer.mayReadFiles(among: session.types)
      if mayRead, !isLocal { return session.setFiles(.awaited) }
      if mayRead { session.setFiles(.known(localFiles(of: session))) }
      announce(session)
    case .proposalNeeded(let request):
      guard let session = half?.kept else { break }
      guard session.awaitsFiles else { return answer(request, of: session) }
      // The driver asks about the newest of several positions; an answer to an older one has no effect.
      half?.waiting = request
      if session.files == .awaited { readFiles(of: session, at: request.time) }
    case .scrolled(_, let scroll, let point):
      guard let session = half?.kept, !session.awaitsFiles else { break }
      session.moved(to: point)
      handler(of: session)?.dropScrolled(session, scroll)
    case .exited(_, let reason):
      guard let session = half?.kept else { break }
      visit.half = nil
      session.ended()
      session.hideTaken()
      // Before the list of files is loaded, dropEntered(_:) has not been called.
      if !session.awaitsFiles { handler(of: session)?.dropExited(session, reason) }
    case .dropped(_, let details):
      guard let session = half?.kept else { break }
      session.dropped(details)
      regions?.dropped(session)
      if let requested = session.requestedOperation, requested != details.operation {
        reactor.note(
          "\(requested) is asked for, and not permitted by the drop target: \(details.operation)", about: window)
      }
      if context.configuration.activatesWindowOnDrop { session.activateWindow() }
      switch session.files {
      case .notRead: perform(session)
      case .known: examineFiles(of: session)
      case .awaited, .reading, .unknown: readFiles(of: session)
      }
    case .ended(_, let result):
      let failure = XDnDError(result)
      let session = half?.session
      // A list that is still being read must not lead to ``DropDelegate/performDrop(_:)``.
      half?.kept = nil
      session?.loadLog.end(failure)
      visit.half = nil
      guard let session else { break }
      session.ended()
      session.hideTaken()
      if session.awaitsFiles {
        // dropEntered(_:) has been called, and performDrop(_:) has not.
        handler(of: session)?.dropExited(session, failure?.code == .sourceVanished ? .sourceVanished : .refused)
      } else {
        handler(of: session)?.dropEnded(session, result)
      }
    case .lost: break
    }
  }

  private func announce(_ session: DropSession) {
    // ``DropRegions`` asks the window's delegate itself.
    if regions == nil { session.validate(by: delegate) }
    handler(of: session)?.dropEntered(session)
  }

  private func answer(_ request: TargetMachine.ProposalRequest, of session: DropSession) {
    session.update(for: request)
    let proposal = handler(of: session)?.dropUpdated(session) ?? .forbidden
    session.showTaken(by: proposal)
    reactor.targets[window]?.receive(.proposal(session.onRoot(proposal), to: request))
  }

  private func perform(_ session: DropSession) {
    half(of: session)?.kept = nil
    guard let handler = handler(of: session) else { return session.reject() }
    handler.performDrop(session)
  }

  // MARK: Files

  /// How long a source may take to list its files while the user waits for an answer. Qt's targets wait for up to five
  /// seconds, without answering.
  private static let patience: Duration = .milliseconds(500)

  /// Loads the list of files: to answer a position while the drag hovers, or before ``DropDelegate/performDrop(_:)``
  /// after the drop.
  ///
  /// - Parameter time: The timestamp of the position; `nil` after the drop.
  private func readFiles(of session: DropSession, at time: Timestamp? = nil) {
    guard let type = session.fileListType else { return }
    session.setFiles(.reading)
    let origin = time.map { ContentProvider.Origin.hovering(session.id, $0, within: Self.patience) }
    let list = ContentProvider(origin ?? .drop(session.id), offering: [type], context)
    let task = LoadTask(type, of: list)
    task.bytes(of: type, from: list, limit: FileList.sizeLimit) { [weak self] content in
      task.end(content) { _ in }
      self?.filesRead(content, of: session)
    }
  }

  /// The files of a drag from this program, which are known without asking.
  private func localFiles(of session: DropSession) -> [DraggedFile] {
    let lists = session.localItems?.compactMap { $0.value as? FileList } ?? []
    return lists.flatMap { DraggedFile.all(in: $0, context.configuration.typeDatabase) }
  }

  private func filesRead(_ content: Result<LoadedContent, XDnDError>, of session: DropSession) {
    guard half(of: session)?.kept === session else { return }
    switch content.flatMap({ content in
      Result { try FileList(decoding: content.bytes, as: content.requestedType) }.mapError { _ in .nothingDropped }
    }) {
    case .success(let list): session.setFiles(.known(DraggedFile.all(in: list, context.configuration.typeDatabase)))
    // The notice that the drop has ended follows.
    case .failure(let error) where error.code == .sourceVanished && session.droppedOperation != nil: return
    case .failure: session.setFiles(session.droppedOperation == nil ? .unknown : .known([]))
    }
    if session.droppedOperation != nil { return examineFiles(of: session) }
    announce(session)
    guard let request = half(of: session)?.waiting else { return }
    answer(request, of: session)
  }

  /// Examines the files of a drop, and calls ``DropDelegate/performDrop(_:)``.
  private func examineFiles(of session: DropSession) {
    session.setFiles(.known(session.files.known.compactMap { $0.examined() }))
    perform(session)
  }

  /// Returns the delegate or the regions that handle a drag; `nil` if the delegate has refused it or is deallocated.
  private func handler(of drop: DropSession) -> (any DropDelegate)? {
    // Regions may accept what the window's delegate refuses.
    if let regions { return regions }
    return drop.isRefused ? nil : delegate
  }

  func keepUntilEnd(_ session: DropSession) { half(of: session)?.kept = session }

  private func half(of session: DropSession) -> VisitHalf? { session.visit?.half as? VisitHalf }
}

extension DropOffer {
  func using(_ database: TypeDatabase) -> DropOffer {
    var offer = self
    offer.database = database
    return offer
  }
}

extension XDnDError {
  /// The failure of a drop; `nil` if the application has answered it.
  fileprivate init?(_ result: DropResult) {
    switch result {
    case .finished, .rejected: return nil
    case .sourceVanished: self.init(.sourceVanished, "the source is gone")
    case .timedOut: self.init(.timedOut, "the drop was not finished in time")
    }
  }
}
