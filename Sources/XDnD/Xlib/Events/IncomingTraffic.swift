import XDnDX11

/// Passes incoming traffic with peers to ``WireTap`` before it is decoded.
struct IncomingTraffic {
  let tap: WireTap
  let atoms: AtomTable
  let selections: ServerSelections
  let watchers: Watchers
  let dragWindow: DragWindowEvents
  let recipients: MessageRecipients
  let image: DragImageWindow
  let settings: SettingsReader

  var isObserved: Bool { tap.isOpen }

  /// Reports an event to the wire tap if it is traffic with a peer.
  ///
  /// - Parameter event: A tamper hook may alter it.
  /// - Returns: Whether to process the event.
  func hear(_ event: inout XEvent) -> Bool {
    let isOurs = withUnsafePointer(to: event) { dragWindow.isAddressed(by: $0) }
    switch event.type {
    case ClientMessage: return hearMessage(&event.xclient, isOurs: isOurs)
    case XDnDX11.SelectionRequest where isOurs:
      return tap.heard(.conversion(WireEvent.Conversion(event.xselectionrequest, atoms))) != nil
    case XDnDX11.SelectionNotify:
      let converted = WireEvent.Conversion(event.xselection, atoms)
      guard isOurs || converted.selection == .xdndSelection && isExpected(event.xselection) else { return true }
      return tap.heard(.converted(converted)) != nil
    case SelectionClear where isOurs:
      let clear = event.xselectionclear
      guard let selection = atoms.name(Atom(clear.selection)) else { return true }
      // XFixes reports this selection too, with the new owner. For the others, this may be the only report.
      guard selection != .xdndSelection || selections.ownerChangeEvent == nil else { return true }
      return tap.heard(.owner(of: selection, selections.owner(of: selection), Timestamp(clear.time))) != nil
    case selections.ownerChangeEvent where isOurs:
      let change = withUnsafeBytes(of: event) { $0.load(as: XFixesSelectionNotifyEvent.self) }
      guard let selection = atoms.name(Atom(change.selection)), !isOfDesktop(selection) else { return true }
      // When the owner was destroyed or disconnected, the event still names it.
      let isOwned = change.subtype == XFixesSetSelectionOwnerNotify
      return tap.heard(
        .owner(
          of: selection, isOwned ? WindowID(change.owner) : .none, Timestamp(change.selection_timestamp))) != nil
    case PropertyNotify: return hearProperty(event.xproperty, isOurs: isOurs)
    default: return true
    }
  }

  /// Reports a vanished window: it may come from an error as well as from an event, so it has no `XEvent` to report.
  func hear(_ event: ServerEvent) {
    if isObserved, case .windowVanished(let window) = event { _ = tap.heard(.vanished(window)) }
  }

  /// Whether the requestor is a drop target, or has been one when the driver requested the conversion.
  private func isExpected(_ event: XSelectionEvent) -> Bool {
    recipients.contains(WindowID(event.requestor))
      || dragWindow.decoder.selectionNotify(event).map(recipients.expects) ?? false
  }

  private func hearMessage(_ event: inout XClientMessageEvent, isOurs: Bool) -> Bool {
    let window = WindowID(event.window)
    guard isOurs || recipients.contains(window), !image.windows.contains(window),
      let kind = atoms.name(Atom(event.message_type)).flatMap({ XdndMessageKind(rawValue: $0.rawValue) })
    else { return true }
    let l = event.data.l
    // Messages of another format have no words.
    let words = event.format == 32 ? [l.0, l.1, l.2, l.3, l.4].map(Format32.word) : []
    let message = tap.message(kind.name, words, window: window)
    guard case .message(let heard)? = tap.heard(message) else { return false }
    if heard.words != words, heard.words.count == 5 {
      let longs = heard.words.map(Format32.long)
      event.data.l = (longs[0], longs[1], longs[2], longs[3], longs[4])
    }
    return true
  }

  private func hearProperty(_ event: XPropertyEvent, isOurs: Bool) -> Bool {
    let window = WindowID(event.window)
    guard isOurs || watchers.isWatched(window, for: .properties), let name = atoms.name(Atom(event.atom)),
      name != .clock, name != .replies, !isOurs || !DragWindow.ownProperties.contains(name)
    else { return true }
    let change: WireEvent.Property.Change = event.state == PropertyDelete ? .removed : .changed
    return tap.heard(.property(WireEvent.Property(change, name, of: window))) != nil
  }

  /// Whether the selection is a manager selection of the desktop (ICCCM §2.8) rather than content.
  private func isOfDesktop(_ selection: AtomName) -> Bool {
    selection == settings.selection || selection == image.compositor
  }
}
