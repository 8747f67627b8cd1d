import XDnDX11

/// Whether an event belongs to the driver, to the host or to both, with the events for the driver in order.
enum EventClaim: Equatable {
  /// For the host only.
  case foreign
  /// Relevant to the driver; the host may have selected it too.
  case observed([ServerEvent])
  /// For the driver only: the host must not see it.
  case consumed([ServerEvent])

  /// The events to deliver to the driver.
  var events: [ServerEvent] {
    switch self {
    case .foreign: []
    case .observed(let events), .consumed(let events): events
    }
  }

  var isConsumed: Bool {
    if case .consumed = self { true } else { false }
  }
}

/// Decides whether an event is for the driver, the host or both, and decodes it for the driver. Reports traffic with
/// peers to the wire tap, and keeps the window hierarchy, the places of followed windows and the settings current.
struct EventClassifier {
  let display: DisplayHandle
  /// All events of this window are the driver's.
  let dragWindow: WindowID
  let atoms: AtomTable
  let tap: WireTap
  let decoder: EventDecoder
  let selections: ServerSelections
  let watchers: Watchers
  let masks: EventMasks
  let devices: InputExtension
  let grab: Grab
  let image: DragImageWindow
  let settings: SettingsReader
  let hierarchy: WindowHierarchy
  let places: WindowPlaces
  let proxies: ProxyWindows

  /// Whether the driver handles the XDND messages to a window of the host. A host may handle the drags of other windows
  /// itself, with its own code or a second `DragAndDrop` on its display.
  var takesMessages: (WindowID) -> Bool = { _ in true }
  /// Whether an answer to a window of the host belongs to a conversion of the driver.
  var expectsAnswer: (SelectionNotify) -> Bool = { _ in true }

  func classify(_ event: UnsafePointer<XEvent>) -> EventClaim {
    if let input = devices.read(event) { return classify(event, input) }
    let type = event.pointee.type
    if type == ButtonRelease { grab.note(event.pointee.xbutton) }
    // The first window field is the window that the event was reported to.
    let window = WindowID(event.pointee.xany.window)
    switch type {
    // Cookies, such as events of XInput 2, have no window.
    case GenericEvent: return .foreign
    case MappingNotify:
      keyboardChanged(event.pointee.xmapping)
      return .observed([])
    case _ where window == dragWindow: return .consumed([decodeOwn(event)].compactMap(\.self))
    case _ where proxies.contains(window) && [EnterNotify, MotionNotify, ButtonPress].contains(type):
      return .consumed([.proxyTouched(window)])
    case ClientMessage:
      if image.windows.contains(window) { return .consumed([]) }
      guard takesMessages(window), let message = message(event.pointee.xclient) else { return .foreign }
      return .consumed([message])
    case XDnDX11.SelectionNotify:
      // The requestor is a window of the host. The answer belongs to the code that has requested the conversion.
      let conversion = decoder.conversion(event)
      guard conversion.selection == .xdndSelection else { return .foreign }
      let answer = SelectionNotify(conversion)
      let isExpected = expectsAnswer(answer)
      if isExpected || takesMessages(window) { tap.heard(.converted(conversion)) }
      return isExpected ? .consumed([.selectionNotify(answer)]) : .observed([.selectionNotify(answer)])
    default:
      let news = decode(event, about: window)
      // A host must not see events that only the driver selected: it might assume that any `DestroyNotify` is about its
      // own window.
      if masks.isOnlyOurs(Self.selector(of: event), on: window) || image.isAbout(event) { return .consumed(news) }
      return news.isEmpty ? .foreign : .observed(news)
    }
  }

  /// Classifies an event of XInput 2. Only the host selects such events on its windows.
  private func classify(_ event: UnsafePointer<XEvent>, _ input: InputExtension.Event) -> EventClaim {
    if input.core.type == ButtonRelease { grab.note(input.core.xbutton, of: input.device) }
    if input.device.isTouch, let events = grab.follow(input.device, input.core) { return .consumed(events) }
    guard WindowID(input.core.xany.window) == dragWindow else { return classify(input) }
    if let events = grab.interpret(event, input) { return .consumed(events) }
    // The grab has redirected the event to a window of the host.
    return devices.read(event).map(classify) ?? .consumed([])
  }

  private func classify(_ input: InputExtension.Event) -> EventClaim {
    let window = WindowID(input.core.xany.window)
    guard [ButtonPress, ButtonRelease, MotionNotify].contains(input.core.type),
      watchers.isWatched(window, for: .gestures),
      let gesture = withUnsafePointer(to: input.core, { decoder.gesture($0, of: input.device) })
    else { return .foreign }
    return .observed([.gesture(gesture, in: window)])
  }

  private func keyboardChanged(_ mapping: XMappingEvent) {
    var mapping = mapping
    if display.isOwned { _ = display.wait { _ in XRefreshKeyboardMapping(&mapping) } }
    guard mapping.request != MappingPointer else { return }
    grab.keyboardChanged()
    decoder.modifierKeys.keyboardChanged()
  }

  // MARK: Events of the drag window

  private func decodeOwn(_ event: UnsafePointer<XEvent>) -> ServerEvent? {
    switch event.pointee.type {
    case ClientMessage: return message(event.pointee.xclient)
    case XDnDX11.SelectionRequest:
      let request = decoder.conversion(event)
      tap.heard(.conversion(request))
      return SelectionRequest(request, owner: dragWindow).map(ServerEvent.selectionRequest)
    case XDnDX11.SelectionNotify:
      let answer = decoder.conversion(event)
      tap.heard(.converted(answer))
      return answer.selection == .unknown ? nil : .selectionNotify(SelectionNotify(answer))
    case SelectionClear:
      let clear = event.pointee.xselectionclear
      guard let selection = decoder.name(clear.selection, inEvent: clear.serial) else { return nil }
      // XFixes reports `XdndSelection` too, with the new owner. For other selections, this may be the only report.
      if selection != .xdndSelection || selections.ownerChangeEvent == nil {
        tap.heard(.owner(of: selection, selections.owner(of: selection), Timestamp(clear.time)))
      }
      return .selectionCleared(selection, owner: dragWindow, time: Timestamp(clear.time))
    case PropertyNotify where Atom(event.pointee.xproperty.atom) == display.openBatches.mark?.property:
      display.openBatches.complete()
      return nil
    case PropertyNotify: return property(event.pointee.xproperty)
    case selections.ownerChangeEvent: return ownerChange(event)
    default: return grab.interpret(event)?.first
    }
  }

  private func ownerChange(_ event: UnsafePointer<XEvent>) -> ServerEvent? {
    let change = UnsafeRawPointer(event).load(as: XFixesSelectionNotifyEvent.self)
    guard let selection = decoder.name(change.selection, inEvent: change.serial) else { return nil }
    // When the owner was destroyed or disconnected, the event still names it.
    let owner = change.subtype == XFixesSetSelectionOwnerNotify ? WindowID(change.owner) : .none
    switch selection {
    // The manager selections of the desktop (ICCCM §2.8).
    case settings.selection:
      settings.expire()
      return .settingsChanged
    case image.compositor:
      image.compositorChanged(isRunning: owner != .none)
      return .compositorChanged
    default:
      tap.heard(.owner(of: selection, owner, Timestamp(change.selection_timestamp)))
      return .selectionOwnerChanged(selection, owner: owner)
    }
  }

  // MARK: Events of all windows

  private func message(_ event: XClientMessageEvent) -> ServerEvent? {
    guard let kind = decoder.messageKind(event) else { return nil }
    let window = WindowID(event.window)
    // Messages of another format have no words.
    let words = event.format == 32 ? EventDecoder.words(of: event) : nil
    tap.heard(tap.message(kind.name, words?.array ?? [], window: window))
    return words.map { .message(decoder.message(kind, $0, serial: event.serial), window: window) }
  }

  private func property(_ event: XPropertyEvent) -> ServerEvent? {
    let window = WindowID(event.window)
    // The drag window's property changes are always selected, because ``ServerSelections/serverTime()`` needs them.
    let isWatched = watchers.isWatched(window, for: .properties)
    guard isWatched || window == dragWindow && tap.isOpen, let name = decoder.name(event.atom, inEvent: event.serial)
    else { return nil }
    let isInternal = name == .clock || name == .replies
    if !isInternal, window != dragWindow || !DragWindow.ownProperties.contains(name) {
      tap.heard(.property(WireEvent.Property(event.state == PropertyDelete ? .removed : .changed, name, of: window)))
    }
    return isWatched ? EventDecoder.property(name, event) : nil
  }

  /// Decodes an event about another client's or the host's window, which the host may have selected too.
  private func decode(_ event: UnsafePointer<XEvent>, about window: WindowID) -> [ServerEvent] {
    var news: [ServerEvent] = []
    if let (change, window) = decoder.change(event) {
      let serial = event.pointee.xany.serial
      places.receive(change, about: window, serial: serial)
      if hierarchy.receive(change, about: window, serial: serial) { news.append(.stackingChanged) }
    }
    switch event.pointee.type {
    case PropertyNotify:
      if settings.propertyChanged(of: window) { news.append(.settingsChanged) }
      if let change = property(event.pointee.xproperty) { news.append(change) }
    case ButtonPress, ButtonRelease, MotionNotify:
      guard watchers.isWatched(window, for: .gestures) else { break }
      if let input = decoder.gesture(event) { news.append(.gesture(input, in: window)) }
    case DestroyNotify where WindowID(event.pointee.xdestroywindow.window) == window:
      // Only the event that was selected on the window itself, not the one that was selected on its parent.
      news += grab.windowVanished(window)
      if watchers.isWatched(window, for: .destruction) { news.append(.windowVanished(window)) }
      if watchers.isWatched(window, for: .gestures) { news.append(.gesture(.cancelled, in: window)) }
      watchers.forget(window)
    default: break
    }
    return news
  }

  /// The event mask bit that selects an event.
  private static func selector(of event: UnsafePointer<XEvent>) -> Int {
    switch event.pointee.type {
    case PropertyNotify: PropertyChangeMask
    case CreateNotify: SubstructureNotifyMask
    case DestroyNotify, UnmapNotify, MapNotify, ReparentNotify, ConfigureNotify, GravityNotify, CirculateNotify:
      // Each of these events begins with the window that it was selected on, then the window that it is about.
      event.pointee.xdestroywindow.event == event.pointee.xdestroywindow.window
        ? StructureNotifyMask : SubstructureNotifyMask
    default: 0
    }
  }
}
