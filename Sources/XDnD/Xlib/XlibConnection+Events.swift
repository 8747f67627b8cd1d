import CX11

/// Whether an event belongs to the driver, to the host or to both.
enum EventClaim: Equatable {
  /// The host's only.
  case foreign
  /// Relevant to the driver; the host may have selected it too.
  case observed(ServerEvent?)
  /// The driver's only: the host must not see it.
  case consumed(ServerEvent?)

  /// The event to deliver to the driver.
  var event: ServerEvent? {
    switch self {
    case .foreign: nil
    case .observed(let event), .consumed(let event): event
    }
  }
}

extension XlibConnection {
  /// Sets the handler of events that an owned connection does not consume. It gets a pointer to an `XEvent`, valid
  /// during the call.
  func onForeignEvent(_ handler: ((UnsafeRawPointer) -> Void)?) {
    unhandledEvent = handler.map { handler in { handler(UnsafeRawPointer($0)) } }
  }

  func nextEvent() -> ServerEvent? {
    guard display.isOwned else { return nextPendingOfHost() }
    while true {
      if let event = nextPending() { return event }
      // Reading may have delivered errors instead of an event.
      guard var event = nextXEvent() else { return nextPending() }
      let claim = claim(&event)
      if case .consumed = claim {} else { unhandledEvent?(&event) }
      if let event = claim.event { return event }
    }
  }

  /// Returns pending events of a borrowed display.
  ///
  /// The host reads the queue when it likes. A vanished window waits for the events that precede it only until the next
  /// call.
  private func nextPendingOfHost() -> ServerEvent? {
    let event = nextPending(isInOrder: !isWaitingForHost)
    isWaitingForHost = event == nil && display.hasVanished
    return event
  }

  /// Processes an event that the host of a borrowed display has read.
  ///
  /// - Parameters:
  ///   - xEvent: An `XEvent`.
  ///   - receive: Called for each event that the driver must handle, in order.
  /// - Returns: Whether the event is the driver's only; the host should then skip it.
  func filter(_ xEvent: UnsafeRawPointer, _ receive: (ServerEvent) -> Void) -> Bool {
    isWaitingForHost = false
    let claim = claim(xEvent.assumingMemoryBound(to: XEvent.self))
    if let event = claim.event { receive(event) }
    while let event = nextPending() { receive(event) }
    if case .consumed = claim { return true }
    return false
  }

  private func nextPending(isInOrder: Bool = true) -> ServerEvent? {
    pending += display.takeVanished(isInOrder: isInOrder).map(ServerEvent.windowVanished)
    guard !pending.isEmpty else { return nil }
    let event = pending.removeFirst()
    if tap.isOpen { hear(event) }
    return event
  }

  /// Decodes an event, updates the window tree, and returns to whom the event belongs. The wire tap sees it first.
  func claim(_ event: UnsafePointer<XEvent>) -> EventClaim {
    guard !isClosed else { return .foreign }
    guard tap.isOpen else { return interpret(event) }
    var heard = event.pointee
    guard hear(&heard) else { return .consumed(nil) }
    let claim = interpret(&heard)
    if let event = claim.event { hear(event) }
    return claim
  }

  private func interpret(_ event: UnsafePointer<XEvent>) -> EventClaim {
    if isAboutDragWindow(event) { return .consumed(decodeOfDragWindow(event)) }
    switch event.pointee.type {
    case ClientMessage:
      let window = WindowID(event.pointee.xclient.window)
      if imageWindows.contains(window) { return .consumed(nil) }
      guard takesMessages(window), let message = decoder.message(event.pointee.xclient) else { return .foreign }
      return .consumed(.message(message, window: window))
    case CX11.SelectionNotify:
      // The requestor is a window of the host, but the driver requested the conversion.
      let notify = decoder.selectionNotify(event.pointee.xselection)
      guard let notify, notify.selection == .xdndSelection else { return .foreign }
      return .consumed(.selectionNotify(notify))
    case MappingNotify:
      if display.isOwned {
        var mapping = event.pointee.xmapping
        display.request(onError: .swallow) { _ in XRefreshKeyboardMapping(&mapping) }
      }
      if event.pointee.xmapping.request != MappingPointer { pointerGrab.keyboardChanged() }
      return .observed(nil)
    default:
      return claimAboutWindow(event)
    }
  }

  /// Classifies events about other clients' or the host's windows, which the host may have selected too.
  private func claimAboutWindow(_ event: UnsafePointer<XEvent>) -> EventClaim {
    var news: [ServerEvent] = []
    if let (change, window) = decoder.change(event),
      locator.receive(change, about: window, serial: event.pointee.xany.serial)
    {
      news.append(.stackingChanged)
    }
    let window = WindowID(event.pointee.xany.window)
    let isForHost = !masks.isOnlyOurs(Self.selector(of: event), on: window) && !isAboutImage(event)
    if event.pointee.type == PropertyNotify, settingsReader.propertyChanged(of: window) {
      news.append(.settingsChanged)
    }
    switch event.pointee.type {
    case PropertyNotify where watchers.isWatched(window, for: .properties):
      news += propertyEvent(event.pointee.xproperty).map { [$0] } ?? []
    case ButtonPress, ButtonRelease, MotionNotify:
      guard watchers.isWatched(window, for: .gestures) else { break }
      news += gestureInput(event).map { [.gesture($0, in: window)] } ?? []
    case DestroyNotify where WindowID(event.pointee.xdestroywindow.window) == window:
      // Only the event that was selected on the window itself, not the one that was selected on its parent.
      if watchers.isWatched(window, for: .destruction) { news.append(.windowVanished(window)) }
      if watchers.isWatched(window, for: .gestures) { news.append(.gesture(.cancelled, in: window)) }
      watchers.forget(window)
      masks.forget(window)
    default:
      break
    }
    pending += news.dropFirst()
    // A host must not see events that only the driver selected: it might take any `DestroyNotify` for one of its own
    // windows.
    guard isForHost else { return .consumed(news.first) }
    return news.isEmpty ? .foreign : .observed(news.first)
  }

  /// The event mask bit that selects an event.
  private static func selector(of event: UnsafePointer<XEvent>) -> Int {
    switch event.pointee.type {
    case PropertyNotify: PropertyChangeMask
    case CreateNotify: SubstructureNotifyMask
    case DestroyNotify, UnmapNotify, MapNotify, ReparentNotify, ConfigureNotify, GravityNotify, CirculateNotify:
      // Each begins with the window that the event was selected on, then the window that it is about.
      event.pointee.xdestroywindow.event == event.pointee.xdestroywindow.window
        ? StructureNotifyMask : SubstructureNotifyMask
    default: 0
    }
  }

  private func propertyEvent(_ property: XPropertyEvent) -> ServerEvent? {
    guard let name = atoms.name(Atom(property.atom)) else { return nil }
    let window = WindowID(property.window)
    return property.state == PropertyDelete ? .propertyDeleted(name, of: window) : .propertyChanged(name, of: window)
  }

  // MARK: The drag window

  func isAboutDragWindow(_ event: UnsafePointer<XEvent>) -> Bool {
    // The first window field is the window that the event was reported to. Cookies (XInput 2) have none.
    guard event.pointee.type != GenericEvent, event.pointee.type != MappingNotify else { return false }
    return WindowID(event.pointee.xany.window) == dragWindow
  }

  private func decodeOfDragWindow(_ event: UnsafePointer<XEvent>) -> ServerEvent? {
    switch event.pointee.type {
    case ClientMessage:
      return decoder.message(event.pointee.xclient).map { .message($0, window: dragWindow) }
    case CX11.SelectionRequest:
      return decoder.selectionRequest(event.pointee.xselectionrequest).map(ServerEvent.selectionRequest)
    case CX11.SelectionNotify:
      return decoder.selectionNotify(event.pointee.xselection).map(ServerEvent.selectionNotify)
    case SelectionClear:
      let clear = event.pointee.xselectionclear
      return atoms.name(Atom(clear.selection)).map {
        .selectionCleared($0, owner: dragWindow, time: Timestamp(clear.time))
      }
    case PropertyNotify:
      // Always selected, because ``ServerSelections/serverTime()`` needs it, but delivered only to those who watch it.
      return watchers.isWatched(dragWindow, for: .properties) ? propertyEvent(event.pointee.xproperty) : nil
    case selections.ownerChangeEvent:
      return ownerChange(event)
    default:
      return pointerGrab.interpret(event)
    }
  }

  private func ownerChange(_ event: UnsafePointer<XEvent>) -> ServerEvent? {
    let change = UnsafeRawPointer(event).load(as: XFixesSelectionNotifyEvent.self)
    guard let selection = atoms.name(Atom(change.selection)) else { return nil }
    // When the owner was destroyed or disconnected, the event still names it.
    let isOwned = change.subtype == XFixesSetSelectionOwnerNotify
    if selection == settingsReader.selection {
      settingsReader.expire()
      return .settingsChanged
    }
    if selection == compositor {
      image.isBlended = isOwned && change.owner != 0
      return .compositorChanged
    }
    return .selectionOwnerChanged(selection, owner: isOwned ? WindowID(change.owner) : .none)
  }

  // MARK: Reading

  /// The next event that has arrived; never blocks.
  private func nextXEvent() -> XEvent? {
    display.roundTrip { display in
      // `XNextEvent` must not be called on a lost connection: it would read an empty queue.
      guard XPending(display) > 0 else { return nil }
      var event = XEvent()
      XNextEvent(display, &event)
      if event.type == MotionNotify { Self.skipMotion(&event, display) }
      return event
    }
  }

  /// Compresses consecutive motions of one window to the last one. Any other event between them ends the run.
  private static func skipMotion(_ event: inout XEvent, _ display: OpaquePointer) {
    var next = XEvent()
    while XEventsQueued(display, QueuedAlready) > 0 {
      XPeekEvent(display, &next)
      guard next.type == MotionNotify, next.xmotion.window == event.xmotion.window else { return }
      XNextEvent(display, &event)
    }
  }
}
