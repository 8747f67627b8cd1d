import Logging

/// Drag and drop for one connection to an X server: the way in for everything.
///
/// It belongs to whoever made it: not `Sendable`, no global actor, movable once with `sending`. There are four ways to
/// run it:
///
/// 1. *A display of your own, your event loop*: ``init(borrowing:configuration:)``, then offer each event to
///    ``filter(xEvent:)`` and call ``process()`` when ``nextDeadline`` passes.
/// 2. *Its own connection, your loop*: poll ``fileDescriptor`` until ``nextDeadline``, then call ``process()``.
/// 3. *A tool*: ``run(while:)`` blocks.
/// 4. *Swift concurrency*: ``run()`` suspends between events.
///
/// XDND messages reach only the connection that created a window. So the windows that take drops must have been
/// created on this display: the borrowed one, or ``display``.
public final class DragAndDrop {
  let reactor: Reactor
  let configuration: Configuration
  private let connection: XlibConnection?
  private let epoch: ContinuousClock.Instant
  private var dropTargets: [WindowID: DropTarget] = [:]
  private var dropSessions: [SessionID: SessionReference] = [:]
  private var dragSessions: [DragID: DragSession] = [:]
  private var loads: [TransferID: LoadTask] = [:]

  /// Called for each event on an owned connection that is not the library's, with an `XEvent`.
  public var onOtherEvent: ((UnsafeRawPointer) -> Void)? {
    didSet { connection?.onForeignEvent(onOtherEvent) }
  }

  private struct DropTarget {
    weak var delegate: (any DropDelegate)?
    var offer: DropOffer
  }

  /// A session is kept while the drag hovers, and then only by those who work with it.
  private struct SessionReference {
    weak var session: DropSession?
    /// Set while the drag hovers, and again once the application has answered the drop.
    var kept: DropSession?
  }

  /// Opens a connection of its own.
  ///
  /// - Parameter display: Such as `:0`; by default what the environment variable `DISPLAY` says.
  /// - Throws: ``XDnDError/Code/displayUnavailable``.
  public convenience init(
    connectingTo display: String? = nil, configuration: Configuration = Configuration()
  ) throws(XDnDError) {
    do {
      self.init(try XlibConnection(connectingTo: display), configuration)
    } catch {
      let name =
        error.displayName.isEmpty ? "no display: DISPLAY is not set" : "cannot open display \(error.displayName)"
      throw XDnDError(.displayUnavailable, name)
    }
  }

  /// Works on the host's connection, whose events the host reads.
  ///
  /// The host has to offer each event to ``filter(xEvent:)``, and to look for queued events before it sleeps: round
  /// trips of the library may have brought some in while the descriptor is quiet.
  ///
  /// - Parameter display: A `Display *`; it must outlive this object.
  public convenience init(
    borrowing display: OpaquePointer, configuration: Configuration = Configuration()
  ) throws(XDnDError) {
    self.init(XlibConnection(borrowing: display), configuration)
  }

  private convenience init(_ connection: XlibConnection, _ configuration: Configuration) {
    self.init(system: connection, connection: connection, configuration: configuration)
  }

  init(
    system: any WindowSystem, connection: XlibConnection? = nil, configuration: Configuration,
    clock: (() -> LoopTime)? = nil
  ) {
    let epoch = ContinuousClock.now
    self.epoch = epoch
    self.configuration = configuration
    self.connection = connection
    self.reactor = Reactor(
      system: system, timing: configuration.timing(maximumWriteSize: system.maximumWriteSize),
      logger: configuration.logger, clock: clock ?? { LoopTime(sinceStart: ContinuousClock.now - epoch) })
    reactor.onNotice = { [weak self] in self?.receive($0) }
    connection?.takesMessages = { [weak reactor] in reactor?.handlesMessages(to: $0) ?? false }
  }

  deinit {
    // Peers that wait for an answer get one, and nothing of ours stays on the server.
    for drag in dragSessions.values where drag.outcome == nil { drag.cancel() }
    for window in dropTargets.keys { reactor.unregister(window) }
    reactor.system.flush()
  }

  // MARK: Running

  /// The connection, as a `Display *`, for windows that take drops.
  public var display: OpaquePointer? { connection?.display.opaque }

  /// Readable when something has arrived; see ``process()`` for the order in which to look.
  public var fileDescriptor: CInt { connection?.fileDescriptor ?? -1 }

  /// Whether the connection to the server is lost.
  public var isClosed: Bool { reactor.system.isClosed }

  /// When to call ``process()`` even if nothing arrives; `nil` if it need not be called by itself.
  public var nextDeadline: ContinuousClock.Instant? { reactor.nextDeadline.map { epoch + $0.sinceStart } }

  /// Does all that can be done now, without waiting: takes in what has arrived, runs what is due, sends what has to
  /// be sent.
  ///
  /// - Throws: ``XDnDError/Code/displayClosed`` once the server is gone. All delegates have been told before.
  public func process() throws(XDnDError) {
    reactor.process()
    if isClosed { throw .displayClosed }
  }

  /// The server's time now: one round trip.
  ///
  /// For a drag that no event begins. A drag that a press begins takes the time of the press.
  public var serverTime: Timestamp { reactor.system.serverTime() }

  /// Offers an event that the host has read from a borrowed display.
  ///
  /// - Parameter xEvent: An `XEvent`, before the host does anything with it.
  /// - Returns: Whether the event was about drag and drop, and is none of the host's business.
  public func filter(xEvent: UnsafeRawPointer) -> Bool {
    guard let connection else { return false }
    return connection.filter(xEvent) { reactor.receive($0) }
  }

  // MARK: Targets

  /// Makes a window take drops.
  ///
  /// - Parameters:
  ///   - window: A top-level window of this connection. Register it before it is mapped: some sources look only once.
  ///   - offer: What it takes. Positions are answered from this alone, unless the delegate refines it.
  ///   - delegate: Not retained.
  public func registerDropTarget(_ window: WindowID, accepting offer: DropOffer, delegate: any DropDelegate) {
    dropTargets[window] = DropTarget(delegate: delegate, offer: offer)
    reactor.register(window, accepting: offer)
  }

  /// Makes a window take no more drops. What is under way is rejected.
  public func unregisterDropTarget(_ window: WindowID) { reactor.unregister(window) }

  // MARK: Drags

  /// Begins a drag: takes `XdndSelection`, grabs pointer and keyboard, and follows the pointer until the button goes up.
  ///
  /// Returns at once. What goes wrong is the drag's outcome.
  ///
  /// - Parameters:
  ///   - item: What is dragged.
  ///   - button: The button that is held, and ends the drag when it is let go.
  ///   - time: The time of the press, from its event; never `CurrentTime`.
  ///   - delegate: Not retained.
  @discardableResult
  public func beginDrag(
    _ item: DragItem, button: PointerButton = .primary, at time: Timestamp, delegate: (any DragDelegate)? = nil
  ) -> DragSession {
    let offer = SourceMachine.Offer(
      source: reactor.system.dragWindow, types: item.types.map(\.atomName), operations: item.operations,
      button: button, time: time)
    let id = reactor.nextDragID()
    let session = DragSession(id: id, item: item, delegate: delegate, owner: self)
    dragSessions[id] = session
    reactor.beginDrag(id, offer, descriptions: item.operationDescriptions)
    return session
  }

  // MARK: Notices

  private func receive(_ notice: Notice) {
    switch notice {
    case .target(let window, let notice): receive(notice, window)
    case .load(let transfer, let notice): receive(notice, transfer)
    case .drag(let drag, let notice): receive(notice, drag)
    }
  }

  private func receive(_ notice: Notice.TargetNotice, _ window: WindowID) {
    let target = dropTargets[window]
    switch notice {
    case .entered(let id, let source, let version, let content):
      let session = DropSession(
        id: id, window: window, source: source, version: version, content: content,
        offer: target?.offer ?? DropOffer([]), owner: self)
      dropSessions[id] = SessionReference(session: session, kept: session)
      target?.delegate?.dropEntered(session)
    case .proposalNeeded(let request):
      guard let session = dropSessions[request.session]?.kept else { break }
      session.rootLocation = request.point
      session.requestedOperation = request.requested
      session.suggestedProposal = request.suggested
      let proposal = target?.delegate?.dropUpdated(session) ?? .forbidden
      reactor.enqueue(.target(window, .proposal(proposal, for: request.session)))
    case .exited(let id, let reason):
      guard let session = dropSessions.removeValue(forKey: id)?.kept else { break }
      session.markEnded()
      target?.delegate?.dropExited(session, DropExit(reason))
    case .dropped(let id, let details):
      guard let session = dropSessions[id]?.kept else { break }
      dropSessions[id]?.kept = nil
      session.rootLocation = details.point
      session.droppedOperation = details.operation
      guard let delegate = target?.delegate else { return session.reject() }
      delegate.performDrop(session)
    case .ended(let id, let result):
      guard let session = dropSessions.removeValue(forKey: id)?.session else { break }
      session.markEnded()
      target?.delegate?.dropEnded(session, DropResult(result))
    case .ignored: break
    }
  }

  private func receive(_ notice: Notice.LoadNotice, _ transfer: TransferID) {
    guard let task = loads[transfer] else { return }
    switch notice {
    case .progressed(let received, let expected): task.report(received, expected)
    case .ended(let result):
      loads[transfer] = nil
      switch result {
      case .complete(let header): task.end(.success(ContentType(header.type)))
      case .failed(.ownerVanished) where isClosed: task.end(.failure(.displayClosed))
      case .failed(let failure): task.end(.failure(XDnDError(failure, type: task.type)))
      }
    }
  }

  /// Has a session live until its delegate has heard of its end.
  func keepUntilEnd(_ session: DropSession) { dropSessions[session.id]?.kept = session }

  func begin(_ task: LoadTask, limit: Int?, sink: @escaping (UnsafeRawBufferPointer) -> Bool) {
    var limits = reactor.timing.incoming
    if let limit { limits.byteCount = limit }
    guard let transfer = reactor.load(task.type.atomName, of: task.sessionID, limits: limits, sink: sink) else {
      return task.end(.failure(XDnDError(.notDropped, "there is no drop to load from")))
    }
    loads[transfer] = task
    task.cancelAction = { [weak reactor] in reactor?.enqueue(.load(transfer, .cancel)) }
  }

  private func receive(_ notice: Notice.DragNotice, _ id: DragID) {
    guard let session = dragSessions[id] else { return }
    let delegate = session.delegate
    switch notice {
    case .began: delegate?.dragBegan(session)
    case .targetChanged(let window): delegate?.drag(session, movedOver: window)
    case .proposed(let operation): delegate?.drag(session, isProposed: operation)
    case .dropSent(let operation): delegate?.drag(session, dropped: operation)
    case .ended(let outcome):
      session.end(outcome)
      delegate?.drag(session, ended: outcome)
    case .contentNeeded(let transfer, let type, let requestor):
      let type = ContentType(type)
      session.transfers[transfer] = type
      let request = DataRequest(id: transfer, type: type, requestor: requestor, reactor: reactor)
      session.item.representations.first { $0.type.name == type.name }?.provide(request)
    case .transferProgressed(let transfer, let bytes):
      if let type = session.transfers[transfer] { delegate?.drag(session, sent: bytes, of: type) }
    case .transferEnded(let transfer, let result):
      guard let type = session.transfers.removeValue(forKey: transfer) else { break }
      delegate?.drag(session, finishedSending: type, successfully: result == .delivered)
    case .deletionRequested: session.isDeletionRequested = true
    case .released:
      dragSessions[id] = nil
      delegate?.dragReleased(session)
    case .ignored: break
    }
  }
}

@available(*, unavailable)
extension DragAndDrop: Sendable {}

extension DropExit {
  init(_ reason: TargetMachine.ExitReason) {
    switch reason {
    case .left: self = .left
    case .sourceVanished: self = .sourceVanished
    case .replaced: self = .replaced
    case .refusedDrop: self = .refused
    case .unregistered: self = .unregistered
    }
  }
}

extension DropResult {
  init(_ result: TargetMachine.DropResult) {
    switch result {
    case .finished(let operation): self = .finished(operation)
    case .rejected: self = .rejected
    case .sourceVanished: self = .sourceVanished
    case .timedOut: self = .timedOut
    }
  }
}
