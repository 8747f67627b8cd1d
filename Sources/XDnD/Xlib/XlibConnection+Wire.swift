import CX11

/// What passes by ``WireTap`` on its way in, before anybody makes something of it; and what somebody does who misbehaves.
extension XlibConnection {
  /// Shows an event to who looks, if it is something between us and others.
  ///
  /// - Parameter event: Comes back as it is to be heard.
  /// - Returns: Whether it is to be heard.
  func hear(_ event: inout XEvent) -> Bool {
    let isOurs = withUnsafePointer(to: event) { isAboutDragWindow($0) }
    switch event.type {
    case ClientMessage: return hearMessage(&event.xclient, isOurs: isOurs)
    case CX11.SelectionRequest where isOurs:
      let request = event.xselectionrequest
      return tap.heard(
        .conversion(
          conversion(
            request.selection, request.target, request.property, requestor: request.requestor, time: request.time)))
        != nil
    case CX11.SelectionNotify:
      let notify = event.xselection
      let converted = conversion(
        notify.selection, notify.target, notify.property, requestor: notify.requestor, time: notify.time)
      guard isOurs || converted.selection == .xdndSelection else { return true }
      return tap.heard(.converted(converted)) != nil
    case SelectionClear where isOurs:
      let clear = event.xselectionclear
      guard let selection = atoms.name(Atom(clear.selection)) else { return true }
      // XFixes tells of this selection anyway, with the new owner; of all others this may be the only news.
      guard selection != .xdndSelection || selections.ownerChangeEvent == nil else { return true }
      return tap.heard(.owner(of: selection, owner(of: selection), Timestamp(clear.time))) != nil
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

  /// Shows news that are no event of the server's, or of which there are several kinds.
  func hear(_ event: ServerEvent) {
    if case .windowVanished(let window) = event { _ = tap.heard(.vanished(window)) }
  }

  private func hearMessage(_ event: inout XClientMessageEvent, isOurs: Bool) -> Bool {
    let window = WindowID(event.window)
    guard isOurs || takesMessages(window), !imageWindows.contains(window),
      let kind = atoms.name(Atom(event.message_type)).flatMap({ XdndMessageKind(rawValue: $0.rawValue) })
    else { return true }
    let l = event.data.l
    // What has another format has no words.
    let words = event.format == 32 ? [l.0, l.1, l.2, l.3, l.4].map(Format32.word) : []
    let message = tap.message(kind, words, window: window)
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
      name != .clock, !isOurs || !DragWindow.ownProperties.contains(name)
    else { return true }
    let change: WireEvent.Property.Change = event.state == PropertyDelete ? .removed : .changed
    return tap.heard(.property(WireEvent.Property(change, name, of: window))) != nil
  }

  private func conversion(
    _ selection: CX11.Atom, _ target: CX11.Atom, _ property: CX11.Atom, requestor: Window, time: Time
  ) -> WireEvent.Conversion {
    atoms.lookUp([selection, target, property].map { Atom($0) })
    return WireEvent.Conversion(
      selection: atoms.name(Atom(selection)) ?? AtomName(""), target: atoms.name(Atom(target)),
      property: atoms.name(Atom(property)), requestor: WindowID(requestor), time: Timestamp(time))
  }

  /// Whether a selection only says who manages something.
  private func isOfDesktop(_ selection: AtomName) -> Bool {
    selection == settingsReader.selection || selection == compositor
  }

  // MARK: On purpose

  /// Does something as it is said.
  func perform(_ action: WireEvent.Action) {
    switch action {
    case .message(let message):
      messages.put(message.type, message.words, to: message.window, via: message.destination ?? message.window)
    case .conversion(let conversion): selections.put(conversion)
    case .converted(let conversion):
      messages.put(
        SelectionNotify(
          requestor: conversion.requestor, selection: conversion.selection, target: conversion.target,
          property: conversion.property, time: conversion.time))
    case .owner(let selection, let owner, let time): selections.put(owner, of: selection, at: time)
    case .property(let property): perform(property)
    case .vanished: break
    }
  }

  private func perform(_ property: WireEvent.Property) {
    switch property.change {
    case .deleted: desktopProperties.delete(property.name, of: property.window)
    case .written:
      guard let type = property.type, let unit = PropertyUnit(rawValue: property.format) else { break }
      desktopProperties.write(
        PropertyValue(type: type, contents: .units(property.bytes[...], of: unit)), to: property.name,
        of: property.window)
    case .read, .changed, .removed: break
    }
  }
}
