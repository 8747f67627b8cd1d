import Logging

/// Drag and drop for one connection to an X server: the way in for everything.
///
/// It belongs to whoever made it: not `Sendable`, no global actor, movable once with `sending`. There are four ways to
/// run it:
///
/// 1. *A display of your own, your event loop*: ``init(borrowing:configuration:)``, then offer each event to
///    ``filter(xEvent:)`` and call ``process()`` when ``nextDeadline`` passes.
/// 2. *Its own connection, your loop*: poll ``fileDescriptor`` until ``nextDeadline``, then call ``process()``.
/// 3. *A tool*: ``run(wakingAt:while:)`` blocks.
/// 4. *Swift concurrency*: ``run()`` suspends between events.
///
/// XDND messages reach only the connection that created a window. So the windows that take drops must have been
/// created on this display: the borrowed one, or ``display``.
public final class DragAndDrop {
  let reactor: Reactor
  let configuration: Configuration
  private let connection: XlibConnection?
  let doorbell: Doorbell
  private let epoch: ContinuousClock.Instant
  var dropTargets: [WindowID: Registration] = [:]
  var dropSessions: [SessionID: SessionReference] = [:]
  var dragSessions: [DragID: DragSession] = [:]
  var loads: [TransferID: LoadTask] = [:]
  /// What earlier drags have left for slow targets.
  let keptContainers = KeptContainers()
  var saves: [TransferID: DirectSaveTask] = [:]
  /// Those that may have to act at a time of their own.
  var interactions = DragInteractions()
  /// What is on the clipboards, and what was and is still being fetched.
  var copies: [OfferID: Copy] = [:]

  /// What *copy* puts there and *paste* takes: the selection `CLIPBOARD`.
  public private(set) lazy var clipboard = Clipboard(.clipboard, of: self)

  /// What is selected, for the middle button to insert: the selection `PRIMARY`.
  public private(set) lazy var primarySelection = Clipboard(.primary, of: self)

  /// Called for each event on an owned connection that is not the library's, with an `XEvent`.
  public var onOtherEvent: ((UnsafeRawPointer) -> Void)? {
    didSet { connection?.onForeignEvent(onOtherEvent) }
  }

  /// Called when the desktop has set something else: ``desktopAppearance`` may be another one.
  public var onDesktopChange: (() -> Void)?

  /// Called for each thing that goes over the wire between this program and others: the XDND messages with their words,
  /// conversions of selections and their answers, owners of selections, and what is done to properties of peers and of the
  /// window that stands for this program in drags. What comes in is told as it is, before anybody makes sense of it.
  ///
  /// It is called in the middle of everything, and must not call back into the library. While it is `nil` nothing is
  /// gathered and nothing is asked of the server for it.
  public var onWireEvent: ((WireEvent) -> Void)? {
    didSet { connection?.tap.listener = onWireEvent }
  }

  /// How many bytes of a property ``onWireEvent`` is told; ``WireEvent/Property/byteCount`` counts all.
  public var wireEventByteLimit = 1 << 20 {
    didSet { connection?.tap.byteLimit = max(0, wireEventByteLimit) }
  }

  /// Changes what goes over the wire, to be a peer that misbehaves on purpose.
  package var tamper: (any WireTamper)? {
    didSet { connection?.tap.tamper = tamper }
  }

  struct Registration {
    weak var delegate: (any DropDelegate)?
    var offer: DropOffer
    /// The regions of the window, if it has some: then they are the delegate.
    var regions: DropRegions?
  }

  /// A session is kept while the drag hovers, and then only by those who work with it.
  struct SessionReference {
    weak var session: DropSession?
    /// Set while the drag hovers, and again once the application has answered the drop.
    var kept: DropSession?
  }

  /// Opens a connection of its own.
  ///
  /// - Parameters:
  ///   - display: Such as `:0`; by default what the environment variable `DISPLAY` says.
  ///   - configuration: Time limits, sizes and the log.
  /// - Throws: ``XDnDError/Code/displayUnavailable``, ``XDnDError/Code/resourcesExhausted``.
  public convenience init(
    connectingTo display: String? = nil, configuration: Configuration = Configuration()
  ) throws(XDnDError) {
    let connection: XlibConnection
    do {
      connection = try XlibConnection(connectingTo: display)
    } catch {
      let name =
        error.displayName.isEmpty ? "no display: DISPLAY is not set" : "cannot open display \(error.displayName)"
      throw XDnDError(.displayUnavailable, name)
    }
    try self.init(connection, configuration)
  }

  /// Works on the host's connection, whose events the host reads.
  ///
  /// The host has to offer each event to ``filter(xEvent:)``, and to look for queued events before it sleeps: round
  /// trips of the library may have brought some in while the descriptor is quiet.
  ///
  /// - Parameters:
  ///   - display: A `Display *`; it must outlive this object.
  ///   - configuration: Time limits, sizes and the log.
  /// - Throws: ``XDnDError/Code/resourcesExhausted``.
  public convenience init(
    borrowing display: OpaquePointer, configuration: Configuration = Configuration()
  ) throws(XDnDError) {
    try self.init(XlibConnection(borrowing: display), configuration)
  }

  private convenience init(_ connection: XlibConnection, _ configuration: Configuration) throws(XDnDError) {
    try self.init(system: connection, connection: connection, configuration: configuration)
  }

  init(
    system: any WindowSystem, connection: XlibConnection? = nil, configuration: Configuration,
    clock: (() -> LoopTime)? = nil
  ) throws(XDnDError) {
    self.doorbell = try Doorbell(connection: connection?.fileDescriptor ?? -1)
    let epoch = ContinuousClock.now
    self.epoch = epoch
    self.configuration = configuration
    self.connection = connection
    self.reactor = Reactor(
      system: system, timing: configuration.timing(maximumWriteSize: system.maximumWriteSize),
      logger: configuration.logger, clock: clock ?? { LoopTime(sinceStart: ContinuousClock.now - epoch) })
    reactor.quirks = configuration.quirks
    reactor.onNotice = { [weak self] in self?.receive($0) }
    reactor.containerLookup = { [weak self] window, point in
      let regions = self?.dropTargets[window]?.regions
      return DragContainer(window: window, name: regions?.containerName(at: point, in: window))
    }
    connection?.takesMessages = { [weak reactor] in reactor?.handlesMessages(to: $0) ?? false }
  }

  deinit {
    // Peers that wait for an answer get one, and nothing of ours stays on the server.
    for drag in dragSessions.values where drag.outcome == nil { drag.cancel() }
    reactor.hideFeedback()
    for window in dropTargets.keys { reactor.unregister(window) }
    reactor.system.flush()
    // Nobody will run these any more, and somebody may wait for them.
    for task in loads.values { task.end(.failure(XDnDError(cancelled: task.type))) }
    for task in saves.values { task.end(.failure(XDnDError(.cancelled, "nobody waits for the file any more"))) }
  }

  // MARK: Running

  /// The connection, as a `Display *`, for windows that take drops.
  public var display: OpaquePointer? { connection?.display.opaque }

  /// Readable when something has arrived: from the server, from a pipe that content is read from, or from a task that
  /// makes content. -1 once the connection is lost. See ``process()`` for the order in which to look.
  ///
  /// It is an epoll descriptor that has the connection as a member. The host of a borrowed display polls it instead of
  /// its `ConnectionNumber`, or besides; whoever polls only that one hears late of content that comes from elsewhere.
  public var fileDescriptor: CInt { isClosed ? -1 : doorbell.fileDescriptor }

  /// Whether the connection to the server is lost.
  public var isClosed: Bool { reactor.system.isClosed }

  /// When to call ``process()`` even if nothing arrives; `nil` if it need not be called by itself.
  public var nextDeadline: ContinuousClock.Instant? { nextWake.map { epoch + $0.sinceStart } }

  /// ``nextDeadline`` in the driver's time.
  var nextWake: LoopTime? {
    let deadlines =
      [reactor.nextDeadline, keptContainers.nextDeadline, interactions.nextDeadline]
      + dragSessions.values.map { $0.promises?.nextDeadline } + dropTargets.values.map { $0.regions?.nextDeadline }
    return deadlines.compactMap { $0 }.min()
  }

  /// Does all that can be done now, without waiting: takes in what has arrived, runs what is due, sends what has to
  /// be sent.
  ///
  /// - Throws: ``XDnDError/Code/displayClosed`` once the server is gone. All delegates have been told before.
  public func process() throws(XDnDError) {
    doorbell.silence()
    for drag in dragSessions.keys.sorted() { dragSessions[drag]?.promises?.advance() }
    keptContainers.expire(at: reactor.now)
    reactor.process()
    // After what has arrived: a pointer that has moved on no longer rests.
    for registration in dropTargets.values { registration.regions?.advance(to: reactor.now) }
    interactions.advance()
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
    var offer = offer
    offer.database = configuration.typeDatabase
    dropTargets.updateValue(Registration(delegate: delegate, offer: offer), forKey: window)?.regions?.end()
    reactor.register(window, accepting: offer)
  }

  /// Makes a window take no more drops. What is under way is rejected.
  public func unregisterDropTarget(_ window: WindowID) { reactor.unregister(window) }
}

@available(*, unavailable)
extension DragAndDrop: Sendable {}
