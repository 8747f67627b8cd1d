import XDnDX11

/// Decodes the events of the drag window, all of which are the driver's.
struct DragWindowEvents {
  let window: WindowID
  let atoms: AtomTable
  let replies: OpenBatches
  let decoder: EventDecoder
  let watchers: Watchers
  let selections: ServerSelections
  let grab: Grab
  let image: DragImageWindow
  let settings: SettingsReader

  /// Whether an event was reported to the drag window.
  func isAddressed(by event: UnsafePointer<XEvent>) -> Bool {
    // The first window field is the window that the event was reported to. Cookies (XInput 2) have none.
    guard event.pointee.type != GenericEvent, event.pointee.type != MappingNotify else { return false }
    return WindowID(event.pointee.xany.window) == window
  }

  func decode(_ event: UnsafePointer<XEvent>) -> ServerEvent? {
    switch event.pointee.type {
    case ClientMessage:
      return decoder.message(event.pointee.xclient).map { .message($0, window: window) }
    case XDnDX11.SelectionRequest:
      return decoder.selectionRequest(event.pointee.xselectionrequest).map(ServerEvent.selectionRequest)
    case XDnDX11.SelectionNotify:
      return decoder.selectionNotify(event.pointee.xselection).map(ServerEvent.selectionNotify)
    case SelectionClear:
      let clear = event.pointee.xselectionclear
      return atoms.name(Atom(clear.selection)).map {
        .selectionCleared($0, owner: window, time: Timestamp(clear.time))
      }
    case PropertyNotify where Atom(event.pointee.xproperty.atom) == replies.mark?.property:
      replies.complete()
      return nil
    case PropertyNotify:
      // Always selected, because ``ServerSelections/serverTime()`` needs it, but delivered only to those who watch it.
      return watchers.isWatched(window, for: .properties) ? decoder.property(event.pointee.xproperty) : nil
    case selections.ownerChangeEvent:
      return ownerChange(event)
    default:
      return grab.interpret(event)?.first
    }
  }

  private func ownerChange(_ event: UnsafePointer<XEvent>) -> ServerEvent? {
    let change = UnsafeRawPointer(event).load(as: XFixesSelectionNotifyEvent.self)
    guard let selection = atoms.name(Atom(change.selection)) else { return nil }
    // When the owner was destroyed or disconnected, the event still names it.
    let isOwned = change.subtype == XFixesSetSelectionOwnerNotify
    if selection == settings.selection {
      settings.expire()
      return .settingsChanged
    }
    if selection == image.compositor {
      image.compositorChanged(isRunning: isOwned && change.owner != 0)
      return .compositorChanged
    }
    return .selectionOwnerChanged(selection, owner: isOwned ? WindowID(change.owner) : .none)
  }
}
