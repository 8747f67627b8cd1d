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
  func hear(_ event: UnsafePointer<XEvent>) {
    let isOurs = dragWindow.isAddressed(by: event)
    switch event.pointee.type {
    case ClientMessage: hearMessage(event.pointee.xclient, isOurs: isOurs)
    case XDnDX11.SelectionRequest where isOurs:
      tap.heard(.conversion(WireEvent.Conversion(event.pointee.xselectionrequest, atoms)))
    case XDnDX11.SelectionNotify:
      let answer = event.pointee.xselection
      let converted = WireEvent.Conversion(answer, atoms)
      guard isOurs || converted.selection == .xdndSelection && isExpected(answer) else { return }
      tap.heard(.converted(converted))
    case SelectionClear where isOurs:
      let clear = event.pointee.xselectionclear
      guard let selection = atoms.name(Atom(clear.selection)) else { return }
      // XFixes reports this selection too, with the new owner. For the others, this may be the only report.
      guard selection != .xdndSelection || selections.ownerChangeEvent == nil else { return }
      tap.heard(.owner(of: selection, selections.owner(of: selection), Timestamp(clear.time)))
    case selections.ownerChangeEvent where isOurs:
      let change = UnsafeRawPointer(event).load(as: XFixesSelectionNotifyEvent.self)
      guard let selection = atoms.name(Atom(change.selection)), !isOfDesktop(selection) else { return }
      // When the owner was destroyed or disconnected, the event still names it.
      let isOwned = change.subtype == XFixesSetSelectionOwnerNotify
      tap.heard(
        .owner(of: selection, isOwned ? WindowID(change.owner) : .none, Timestamp(change.selection_timestamp)))
    case PropertyNotify: hearProperty(event.pointee.xproperty, isOurs: isOurs)
    default: break
    }
  }

  /// Reports a vanished window: it may come from an error as well as from an event, so it has no `XEvent` to report.
  func hear(_ event: ServerEvent) {
    if isObserved, case .windowVanished(let window) = event { tap.heard(.vanished(window)) }
  }

  /// Whether the requestor is a drop target, or has been one when the driver requested the conversion.
  private func isExpected(_ event: XSelectionEvent) -> Bool {
    recipients.contains(WindowID(event.requestor))
      || dragWindow.decoder.selectionNotify(event).map(recipients.expects) ?? false
  }

  private func hearMessage(_ event: XClientMessageEvent, isOurs: Bool) {
    let window = WindowID(event.window)
    guard isOurs || recipients.contains(window), !image.windows.contains(window),
      let kind = atoms.name(Atom(event.message_type)).flatMap({ XdndMessageKind(rawValue: $0.rawValue) })
    else { return }
    let l = event.data.l
    // Messages of another format have no words.
    let words = event.format == 32 ? [l.0, l.1, l.2, l.3, l.4].map(Format32.word) : []
    tap.heard(tap.message(kind.name, words, window: window))
  }

  private func hearProperty(_ event: XPropertyEvent, isOurs: Bool) {
    let window = WindowID(event.window)
    guard isOurs || watchers.isWatched(window, for: .properties), let name = atoms.name(Atom(event.atom)),
      name != .clock, name != .replies, !isOurs || !DragWindow.ownProperties.contains(name)
    else { return }
    let change: WireEvent.Property.Change = event.state == PropertyDelete ? .removed : .changed
    tap.heard(.property(WireEvent.Property(change, name, of: window)))
  }

  /// Whether the selection is a manager selection of the desktop (ICCCM §2.8) rather than content.
  private func isOfDesktop(_ selection: AtomName) -> Bool {
    selection == settings.selection || selection == image.compositor
  }
}
