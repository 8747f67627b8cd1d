import CX11

/// What an event of a display is to us.
enum EventClaim: Equatable {
  /// Nothing: it belongs to somebody else.
  case foreign
  /// Of interest to us, but the host may have asked for it too.
  case observed(ServerEvent?)
  /// Ours alone: nobody else could make sense of it.
  case consumed(ServerEvent?)

  /// What the driver is to be told.
  var event: ServerEvent? {
    switch self {
    case .foreign: nil
    case .observed(let event), .consumed(let event): event
    }
  }
}

extension XlibConnection {
  /// Has each event of an owned connection that is not about drags handed on, as a pointer to an `XEvent`.
  func onForeignEvent(_ handler: ((UnsafeRawPointer) -> Void)?) {
    unhandledEvent = handler.map { handler in { handler(UnsafeRawPointer($0)) } }
  }

  func nextEvent() -> ServerEvent? {
    guard display.isOwned else { return nextPendingOfHost() }
    while true {
      if let event = nextPending() { return event }
      // Reading may bring errors and no event.
      guard var event = nextXEvent() else { return nextPending() }
      let claim = claim(&event)
      if case .consumed = claim {} else { unhandledEvent?(&event) }
      if let event = claim.event { return event }
    }
  }

  /// The host decides when it takes an event out of the queue. What has to wait for that waits no longer if it has not done so
  /// from one time to the next.
  private func nextPendingOfHost() -> ServerEvent? {
    let event = nextPending(isInOrder: !isWaitingForHost)
    isWaitingForHost = event == nil && display.hasVanished
    return event
  }

  /// Takes an event that the host of a borrowed display has read.
  ///
  /// - Parameter xEvent: An `XEvent`.
  /// - Returns: Whether it is ours alone, and the host should not see it.
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

  /// Works an event in, and says whose it is.
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
      // On a window of the host's, and yet from our conversion.
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

  /// News about windows of others, which the host may watch too.
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
      // Told to those who watch the window itself. Those who watch its parent get another event.
      if watchers.isWatched(window, for: .destruction) { news.append(.windowVanished(window)) }
      if watchers.isWatched(window, for: .gestures) { news.append(.gesture(.cancelled, in: window)) }
      watchers.forget(window)
      masks.forget(window)
    default:
      break
    }
    pending += news.dropFirst()
    // A host that did not ask for an event must not be surprised by it: it would take any DestroyNotify for its own.
    guard isForHost else { return .consumed(news.first) }
    return news.isEmpty ? .foreign : .observed(news.first)
  }

  /// The bit of an event mask that brings an event.
  private static func selector(of event: UnsafePointer<XEvent>) -> Int {
    switch event.pointee.type {
    case PropertyNotify: PropertyChangeMask
    case CreateNotify: SubstructureNotifyMask
    case DestroyNotify, UnmapNotify, MapNotify, ReparentNotify, ConfigureNotify, GravityNotify, CirculateNotify:
      // They all begin with the window that the event was selected on, and the one that it is about.
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
    // The first window field of an event is the one that it was reported to. Cookies (XInput 2) have none.
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
      // Always selected, for the clock's sake, but told only to those who asked.
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

  /// The next event that has arrived; never waits.
  private func nextXEvent() -> XEvent? {
    display.roundTrip { display in
      // After a lost server `XNextEvent` must not be called: it would read an empty queue.
      guard XPending(display) > 0 else { return nil }
      var event = XEvent()
      XNextEvent(display, &event)
      if event.type == MotionNotify { Self.skipMotion(&event, display) }
      return event
    }
  }

  /// Of several motions in a row only the last one matters. A key or a button between them ends the row.
  private static func skipMotion(_ event: inout XEvent, _ display: OpaquePointer) {
    var next = XEvent()
    while XEventsQueued(display, QueuedAlready) > 0 {
      XPeekEvent(display, &next)
      guard next.type == MotionNotify, next.xmotion.window == event.xmotion.window else { return }
      XNextEvent(display, &event)
    }
  }
}
