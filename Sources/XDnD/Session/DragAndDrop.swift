import Glibc

/// Drag and drop, and the clipboards, for one connection to an X server. The library's entry point.
///
/// A `DragAndDrop` is bound to the isolation domain of its creator: it is not `Sendable`, has no global actor, and can
/// be moved once with `sending`. Delegate methods and closures are called synchronously from inside ``process()``,
/// ``run()``, ``filter(xEvent:)`` and other calls into the library, in the creator's isolation domain. While the user
/// drags, a thread of the library releases the grab if the host's event loop stops; it runs no code of the host.
///
/// The host runs it in one of four ways:
///
/// 1. *The host's connection and event loop*: create it with ``init(borrowing:configuration:)``, pass each event to
///    ``filter(xEvent:)``, and call ``process()`` when ``nextDeadline`` passes.
/// 2. *The library's connection, the host's event loop*: poll ``fileDescriptor`` until ``nextDeadline``, then call
///    ``process()``.
/// 3. *The library's connection, blocking*: ``run(wakingAt:while:)``, for command-line tools.
/// 4. *The library's connection, Swift concurrency*: ``run()`` suspends between events.
///
/// The X server delivers XDND messages only to the connection that created the target window. Windows that accept drops
/// are therefore created on the borrowed connection, or on ``display``. Windows of other connections accept drops through
/// a proxy: see ``checkDropTarget(_:)``.
///
/// All coordinates and sizes are in device pixels. Root coordinates start at the upper left corner of the root window.
public final class DragAndDrop {
  let reactor: Reactor
  let context: SessionContext
  let interactions: DragInteractions
  private let connection: XlibConnection?
  private let epoch: ContinuousClock.Instant

  /// Identifies this object in a request: see ``DataRequest/dragAndDrop``.
  package var id: ObjectIdentifier { ObjectIdentifier(context.doorbell) }

  /// The clipboard for *Copy* and *Paste*: the selection `CLIPBOARD`. The counterpart of `UIPasteboard.general` and
  /// `NSPasteboard.general`.
  public let clipboard: Clipboard

  /// The primary selection (`PRIMARY`): the selected content, which the middle button inserts.
  public let primarySelection: Clipboard

  /// Called with a pointer to each `XEvent` on the library's own connection that the library does not consume. Not
  /// called for a borrowed connection. The pointer is valid only during the call.
  public var onOtherEvent: ((UnsafeRawPointer) -> Void)? {
    get { connection?.events.onForeignEvent }
    set { connection?.events.onForeignEvent = newValue }
  }

  /// Called when the desktop's settings have changed. ``desktopAppearance`` may return another value.
  public var onDesktopChange: (() -> Void)?

  /// Called when a registered window stops being a drop target, although the application has not unregistered it: with
  /// ``XDnDError/Code/noWindow`` if it was destroyed, or ``XDnDError/Code/windowUnavailable`` if it belongs to another
  /// client and another program has taken over its drops.
  ///
  /// Also called, usually before ``registerDropTarget(_:accepting:delegate:)`` returns, if another client's window cannot
  /// be registered: see ``checkDropTarget(_:)``.
  public var onDropTargetLost: ((WindowID, XDnDError) -> Void)?

  /// Called for each exchange with a peer: XDND messages with their data words, selection conversions and their
  /// answers, changes of selection owners, and accesses to the properties of peers and of this program's drag window.
  /// Incoming data is reported raw, before it is parsed.
  ///
  /// Called synchronously from inside the library; do not call back into the library. While it is `nil`, nothing is
  /// recorded and no additional request goes to the server.
  package var onWireEvent: ((WireEvent) -> Void)? {
    get { connection?.tap.listener }
    set { connection?.tap.listener = newValue }
  }

  /// The largest number of bytes of a property that ``onWireEvent`` receives, 1 MiB by default.
  /// ``WireEvent/Property/byteCount`` is the full length.
  package var wireEventByteLimit: Int {
    get { connection?.tap.byteLimit ?? 0 }
    set { connection?.tap.byteLimit = max(0, newValue) }
  }

  /// Opens a connection to an X server.
  ///
  /// The connection belongs to this object and is closed with it. Descriptors 0 to 2 must be open, if only on
  /// `/dev/null`: the connection takes the lowest free number, and text for standard output or error would otherwise go
  /// to the server.
  ///
  /// - Parameters:
  ///   - display: The name of the display, such as `:0`; `nil` for the environment variable `DISPLAY`.
  ///   - configuration: Time limits, size limits, and the logger. Later changes to the value have no effect.
  /// - Throws: ``XDnDError/Code/displayUnavailable`` if the server cannot be reached,
  ///   ``XDnDError/Code/resourcesExhausted`` if no file descriptor is left.
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
    try self.init(system: connection, configuration: configuration)
  }

  /// Uses the host's connection, whose events the host reads.
  ///
  /// The host passes each event to ``filter(xEvent:)``. Before it sleeps it checks `XPending`: the library's round
  /// trips may have moved events into Xlib's queue, and the descriptor does not become readable for those.
  ///
  /// - Parameters:
  ///   - display: A `Display *`. The host owns it, and it must outlive this object. After `XCloseDisplay`, ``process()``
  ///     throws ``XDnDError/Code/displayClosed``.
  ///   - configuration: Time limits, size limits, and the logger. Later changes to the value have no effect.
  /// - Throws: ``XDnDError/Code/resourcesExhausted`` if no file descriptor is left.
  public convenience init(
    borrowing display: OpaquePointer, configuration: Configuration = Configuration()
  ) throws(XDnDError) {
    try self.init(system: XlibConnection(borrowing: display), configuration: configuration)
  }

  /// - Parameters:
  ///   - system: A connection, or a simulated window system.
  ///   - clock: The clock of the simulation; `nil` for the system's clock.
  package init(
    system: any WindowSystem, configuration: Configuration, clock: (() -> LoopTime)? = nil
  ) throws(XDnDError) {
    let connection = system as? XlibConnection
    let doorbell = try Doorbell(connection: connection?.fileDescriptor ?? -1)
    let epoch = ContinuousClock.now
    let reactor = Reactor(
      system: system, timing: configuration.timing(maximumWriteSize: system.maximumWriteSize),
      quirks: configuration.quirks, logger: configuration.logger,
      clock: clock ?? { LoopTime(sinceStart: ContinuousClock.now - epoch) })
    self.connection = connection
    self.epoch = epoch
    self.reactor = reactor
    context = SessionContext(reactor, doorbell: doorbell, configuration)
    interactions = DragInteractions(reactor)
    clipboard = Clipboard(.clipboard, context)
    primarySelection = Clipboard(.primary, context)
    reactor.onNotice = { [weak self] notice, half in
      guard let self else {
        (half as? DirectSaveTask)?.abandon()
        (half as? LoadTask)?.abandon()
        return
      }
      receive(notice, for: half)
    }
    connection?.events.classifier.takesMessages = { [weak reactor] in reactor?.handlesMessages(to: $0) ?? false }
    connection?.events.classifier.expectsAnswer = { [weak reactor] in reactor?.loads.expects($0) ?? false }
  }

  deinit {
    // Answer the peers that wait, and leave no window or property on the server.
    reactor.perform { $0.drags.receiveForCurrent(.cancel(.application)) }
    reactor.image.hide()
    for window in reactor.targets.windows { reactor.unregister(window) }
    // Direct saves that have outlived their drops.
    for save in reactor.saves.halves { (save as? DirectSaveTask)?.abandon() }
    reactor.system.flush()
  }

  /// Dispatches a notice to its session, load or delegate.
  ///
  /// - Parameter half: See ``Reactor/onNotice``.
  private func receive(_ notice: Notice, for half: AnyObject?) {
    switch notice {
    case .target(let host, .lost(let loss)): onDropTargetLost?(host.window, XDnDError(loss, of: host.window))
    case .target(let host, let notice): host.receive(notice, of: half as? Visit)
    case .load(let transfer, let notice): (half as? LoadTask)?.receive(notice, of: transfer)
    case .save(_, let notice): (half as? DirectSaveTask)?.receive(notice)
    case .drag(_, let notice): (half as? DragSession)?.receive(notice)
    case .offer(_, let notice): (half as? any OfferHalf)?.receive(notice)
    case .selection(let selection, let notice):
      for clipboard in [clipboard, primarySelection] where clipboard.selection == selection {
        clipboard.receive(notice)
      }
    case .settingsChanged: onDesktopChange?()
    case .gesture(let input, let window): interactions.receive(input, in: window)
    }
  }
}

// MARK: - Running

extension DragAndDrop {
  /// The connection, as a `Display *`, on which the host creates the windows that accept drops. It is valid until this
  /// object is deallocated or the connection is lost.
  public var display: OpaquePointer? { connection?.display.opaque }

  /// The descriptor to poll for reading. It becomes readable when the server sends something, when a pipe or a task
  /// delivers promised content, and when the library has work that it continues in the next turn. -1 once the
  /// connection is lost.
  ///
  /// It is an epoll descriptor with the connection as a member. The host of a borrowed connection polls it instead of its
  /// `ConnectionNumber`, or in addition. A host that polls only `ConnectionNumber` misses the wakeups for content from
  /// pipes and tasks. See ``process()``.
  public var fileDescriptor: CInt { isClosed ? -1 : context.doorbell.fileDescriptor }

  /// Whether the connection to the server is lost.
  package var isClosed: Bool { reactor.system.isClosed }

  /// When to call ``process()`` at the latest; `nil` if no deadline is pending. It is in the past while work is
  /// pending. During a callback, only promised files have deadlines.
  ///
  /// Read it again after each call into the library: a call may set an earlier deadline.
  public var nextDeadline: ContinuousClock.Instant? { nextWake.map { epoch + $0.sinceStart } }

  /// ``nextDeadline`` as the timeout of `poll`, in milliseconds: 0 while work is pending, -1 if there is no deadline.
  public var pollTimeout: CInt { nextDeadline?.pollTimeout ?? -1 }

  /// ``nextDeadline`` in the driver's time.
  package var nextWake: LoopTime? { .earliest(reactor.nextDeadline, context.promiseDeadline) }

  /// Whether the image of a drag that has ended is still on the screen, where it settles, slides back or fades.
  ///
  /// A program that ends with its drag runs its event loop until this is `false`, so that the user sees whether the drop
  /// has succeeded. The longest animation takes 400 milliseconds at the normal ``Configuration/animationSpeed``. `false`
  /// if no image is shown, and once the connection is lost.
  public var isAnimatingDragEnd: Bool { !isClosed && reactor.image.isAnimatingDragEnd }

  /// Processes pending events and due deadlines, and sends requests, without waiting for events. It may make round
  /// trips.
  ///
  /// It does not read the event queue of a borrowed connection.
  ///
  /// - Throws: ``XDnDError/Code/displayClosed`` once the connection is lost; unless called from a callback, after all
  ///   delegates have been notified.
  public func process() throws(XDnDError) {
    let hasRung = context.doorbell.silence()
    context.advancePromises()
    reactor.process(hasContentArrived: hasRung)
    if isClosed { throw .displayClosed }
  }

  /// Runs a blocking event loop while `condition` holds. Not for a borrowed connection, whose events the host reads.
  ///
  /// - Parameters:
  ///   - deadline: Returns when to evaluate the condition again at the latest; `nil` for no deadline. Called before
  ///     each wait.
  ///   - condition: Evaluated after each call of ``process()``.
  /// - Throws: ``XDnDError/Code/displayClosed`` once the connection is lost.
  public func run(
    wakingAt deadline: () -> ContinuousClock.Instant? = { nil }, while condition: () -> Bool
  ) throws(XDnDError) {
    while true {
      try process()
      guard condition() else { return }
      wait(until: [nextDeadline, deadline()].compactMap { $0 }.min())
    }
  }

  /// Sleeps until something arrives or the deadline passes. A signal ends the sleep, too.
  private func wait(until deadline: ContinuousClock.Instant?) {
    var descriptor = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&descriptor, 1, deadline?.pollTimeout ?? -1)
  }

  /// Waits until the server has processed all requests, which takes one round trip.
  ///
  /// Call this before the process ends without releasing this object, for example by `exit()`. The server may not read
  /// the last requests of a client that is gone. The source of the last drop would then not learn that the drop is
  /// finished.
  public func synchronize() { _ = reactor.system.serverTime() }

  /// The server's current time. Makes one round trip.
  ///
  /// Use it for a drag that begins without an event. For a press, use the timestamp of its event.
  package var serverTime: Timestamp { reactor.system.serverTime() }

  /// The desktop's appearance settings. The first access, and the first after a change, makes a few round trips; later
  /// ones make none. See ``onDesktopChange``.
  public var desktopAppearance: DesktopAppearance { reactor.system.settings.appearance }

  /// Gives the library an event that the host has read from a borrowed connection.
  ///
  /// - Parameter xEvent: A pointer to an `XEvent`, which the host has not processed yet. It is read only during the
  ///   call.
  /// - Returns: Whether the library has consumed the event. If so, the host ignores it.
  public func filter(xEvent: UnsafeRawPointer) -> Bool {
    guard let connection else { return false }
    return connection.filter(xEvent) { reactor.receive($0) }
  }
}

@available(*, unavailable)
extension DragAndDrop: Sendable {}
