import XDnDX11
import XDnD

struct WireEventDecoder {
  let atoms: AtomTable
  let selections: ServerSelections
  let tap: WireTap

  /// Decodes an event; `nil` if it is not traffic with a peer.
  func action(of event: XEvent) -> WireEvent.Action? {
    switch event.type {
    case ClientMessage where event.xclient.format == 32:
      let data = event.xclient.data.l
      return tap.message(
        atoms.name(Atom(event.xclient.message_type)) ?? AtomName(""),
        [data.0, data.1, data.2, data.3, data.4].map(Format32.word), window: WindowID(event.xclient.window))
    case SelectionRequest:
      let request = event.xselectionrequest
      atoms.lookUp([request.selection, request.target, request.property].map { Atom($0) })
      return .conversion(WireEvent.Conversion(request, atoms))
    case SelectionNotify:
      let answer = event.xselection
      atoms.lookUp([answer.selection, answer.target, answer.property].map { Atom($0) })
      return .converted(WireEvent.Conversion(answer, atoms))
    case SelectionClear:
      let clear = event.xselectionclear
      return atoms.name(Atom(clear.selection)).map { .owner(of: $0, selections.owner(of: $0), Timestamp(clear.time)) }
    case selections.ownerChangeEvent:
      let change = withUnsafeBytes(of: event) { $0.loadUnaligned(as: XFixesSelectionNotifyEvent.self) }
      return atoms.name(Atom(change.selection)).map {
        .owner(of: $0, WindowID(change.owner), Timestamp(change.selection_timestamp))
      }
    case PropertyNotify:
      let notify = event.xproperty
      guard let name = atoms.name(Atom(notify.atom)), name != .clock else { return nil }
      let change: WireEvent.Property.Change = notify.state == PropertyDelete ? .removed : .changed
      return .property(WireEvent.Property(change, name, of: WindowID(notify.window)))
    case DestroyNotify where event.xdestroywindow.event == event.xdestroywindow.window:
      return .vanished(WindowID(event.xdestroywindow.window))
    default: return nil
    }
  }
}
