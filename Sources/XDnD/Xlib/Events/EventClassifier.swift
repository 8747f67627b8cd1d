import XDnDX11

/// Whether an event belongs to the driver, to the host or to both, and what it means for the driver, in order.
enum EventClaim: Equatable {
  /// The host's only.
  case foreign
  /// Relevant to the driver; the host may have selected it too.
  case observed([ServerEvent])
  /// The driver's only: the host must not see it.
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

/// Decides to whom an event belongs, decodes it for the driver, and keeps the window hierarchy, the places of followed
/// windows and the settings current.
struct EventClassifier {
  let display: DisplayHandle
  let decoder: EventDecoder
  let dragWindow: DragWindowEvents
  let recipients: MessageRecipients
  let watchers: Watchers
  let masks: EventMasks
  let devices: InputExtension
  let grab: Grab
  let image: DragImageWindow
  let settings: SettingsReader
  let hierarchy: WindowHierarchy
  let places: WindowPlaces
  let proxies: ProxyWindows

  func classify(_ event: UnsafePointer<XEvent>) -> EventClaim {
    if let input = devices.read(event) { return classify(event, input) }
    if event.pointee.type == ButtonRelease { grab.note(event.pointee.xbutton) }
    if dragWindow.isAddressed(by: event) { return .consumed(dragWindow.decode(event).map { [$0] } ?? []) }
    switch event.pointee.type {
    case ClientMessage:
      let window = WindowID(event.pointee.xclient.window)
      if image.windows.contains(window) { return .consumed([]) }
      guard recipients.contains(window), let message = decoder.message(event.pointee.xclient) else { return .foreign }
      return .consumed([.message(message, window: window)])
    case XDnDX11.SelectionNotify:
      // The requestor is a window of the host. Who has requested the conversion decides whose the answer is.
      let notify = decoder.selectionNotify(event.pointee.xselection)
      guard let notify, notify.selection == .xdndSelection else { return .foreign }
      return recipients.expects(notify) ? .consumed([.selectionNotify(notify)]) : .observed([.selectionNotify(notify)])
    case MappingNotify:
      if display.isOwned {
        var mapping = event.pointee.xmapping
        _ = display.wait { _ in XRefreshKeyboardMapping(&mapping) }
      }
      if event.pointee.xmapping.request != MappingPointer {
        grab.keyboardChanged()
        decoder.modifierKeys.keyboardChanged()
      }
      return .observed([])
    case EnterNotify, MotionNotify, ButtonPress:
      let window = WindowID(event.pointee.xany.window)
      return proxies.contains(window) ? .consumed([.proxyTouched(window)]) : claimAboutWindow(event)
    default:
      return claimAboutWindow(event)
    }
  }

  /// Classifies an event of XInput 2. Only the host selects those on windows.
  private func classify(_ event: UnsafePointer<XEvent>, _ input: InputExtension.Event) -> EventClaim {
    if input.core.type == ButtonRelease { grab.note(input.core.xbutton, of: input.device) }
    if input.device.isTouch, let events = grab.follow(input.device, input.core) { return .consumed(events) }
    guard WindowID(input.core.xany.window) == dragWindow.window else { return classify(input) }
    if let events = grab.interpret(event, input) { return .consumed(events) }
    // It is now an event of a window of the host.
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

  /// Classifies events about other clients' or the host's windows, which the host may have selected too.
  private func claimAboutWindow(_ event: UnsafePointer<XEvent>) -> EventClaim {
    var news: [ServerEvent] = []
    if let (change, window) = decoder.change(event) {
      let serial = event.pointee.xany.serial
      places.receive(change, about: window, serial: serial)
      if hierarchy.receive(change, about: window, serial: serial) { news.append(.stackingChanged) }
    }
    let window = WindowID(event.pointee.xany.window)
    let isForHost = !masks.isOnlyOurs(Self.selector(of: event), on: window) && !image.isAbout(event)
    if event.pointee.type == PropertyNotify, settings.propertyChanged(of: window) {
      news.append(.settingsChanged)
    }
    switch event.pointee.type {
    case PropertyNotify where watchers.isWatched(window, for: .properties):
      if let change = decoder.property(event.pointee.xproperty) { news.append(change) }
    case ButtonPress, ButtonRelease, MotionNotify:
      guard watchers.isWatched(window, for: .gestures) else { break }
      if let input = decoder.gesture(event) { news.append(.gesture(input, in: window)) }
    case DestroyNotify where WindowID(event.pointee.xdestroywindow.window) == window:
      // Only the event that was selected on the window itself, not the one that was selected on its parent.
      news += grab.windowVanished(window)
      if watchers.isWatched(window, for: .destruction) { news.append(.windowVanished(window)) }
      if watchers.isWatched(window, for: .gestures) { news.append(.gesture(.cancelled, in: window)) }
      watchers.forget(window)
    default:
      break
    }
    // A host must not see events that only the driver selected: it might take any `DestroyNotify` for one of its own
    // windows.
    guard isForHost else { return .consumed(news) }
    return news.isEmpty ? .foreign : .observed(news)
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
}
