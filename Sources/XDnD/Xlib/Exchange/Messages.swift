package import XDnDX11

/// Sends XDND messages and `SelectionNotify` events.
package final class Messages {
  private let display: DisplayHandle
  private let atoms: AtomTable
  private let tap: WireTap

  package init(_ display: DisplayHandle, _ atoms: AtomTable, _ tap: WireTap) {
    self.display = display
    self.atoms = atoms
    self.tap = tap
  }

  func send(_ message: XdndMessage, version: ProtocolVersion, to window: WindowID, via destination: WindowID) {
    atoms.intern(message.atomNames)
    let words = message.words(version: version, atom: atoms.atom).array
    let kind = message.kind
    put(kind.name, words, to: window, via: destination)
    tap.did(tap.message(kind.name, words, window: window, destination: destination))
  }

  /// Sends a client message of five words, without the wire tap.
  package func put(_ type: AtomName, _ words: [UInt32], to window: WindowID, via destination: WindowID) {
    let longs = words.map(Format32.long)
    guard longs.count == 5 else { return }
    var event = XEvent()
    event.xclient.type = ClientMessage
    event.xclient.window = window.xid
    event.xclient.message_type = XDnDX11.Atom(atoms.atom(type).rawValue)
    event.xclient.format = 32
    event.xclient.data.l = (longs[0], longs[1], longs[2], longs[3], longs[4])
    // With an empty mask, the server sends the event to the client that created the window. With any other mask, it
    // sends the event to the clients that selected those events: with `SubstructureRedirectMask`, a window manager
    // would consume it. The root was created by the server, so a root target needs a mask. `ButtonPressMask` reaches
    // at most one client, because only one can select it; GTK uses it too (gdkdrag-x11.c).
    let mask = destination == display.root ? ButtonPressMask : NoEventMask
    display.request(onError: .report) { XSendEvent($0, destination.xid, False, mask, &event) }
  }

  func send(_ notify: SelectionNotify) {
    let answer = WireEvent.Conversion(notify)
    put(answer)
    tap.did(.converted(answer))
  }

  /// Sends a `SelectionNotify` without the wire tap.
  package func put(_ answer: WireEvent.Conversion) {
    atoms.intern([answer.selection] + [answer.target, answer.property].compactMap { $0 })
    var event = XEvent()
    event.xselection.type = XDnDX11.SelectionNotify
    event.xselection.requestor = answer.requestor.xid
    event.xselection.selection = XDnDX11.Atom(atoms.atom(answer.selection).rawValue)
    event.xselection.target = answer.target.map { XDnDX11.Atom(atoms.atom($0).rawValue) } ?? 0
    event.xselection.property = answer.property.map { XDnDX11.Atom(atoms.atom($0).rawValue) } ?? 0
    event.xselection.time = Time(answer.time.rawValue)
    display.request(onError: .report) { XSendEvent($0, answer.requestor.xid, False, NoEventMask, &event) }
  }
}

extension WireEvent.Conversion {
  /// - Parameter atoms: Must have looked up the atoms of the event.
  package init(_ event: XSelectionRequestEvent, _ atoms: AtomTable) {
    self.init(
      event.selection, event.target, event.property, requestor: event.requestor, time: event.time, atoms)
  }

  /// - Parameter atoms: Must have looked up the atoms of the event.
  package init(_ event: XSelectionEvent, _ atoms: AtomTable) {
    self.init(
      event.selection, event.target, event.property, requestor: event.requestor, time: event.time, atoms)
  }

  private init(
    _ selection: XDnDX11.Atom, _ target: XDnDX11.Atom, _ property: XDnDX11.Atom, requestor: Window, time: Time,
    _ atoms: AtomTable
  ) {
    self.init(
      selection: atoms.knownName(Atom(selection)) ?? .unknown, target: atoms.knownName(Atom(target)),
      property: atoms.knownName(Atom(property)), requestor: WindowID(requestor), time: Timestamp(time))
  }

  init(_ notify: SelectionNotify) {
    self.init(
      selection: notify.selection, target: notify.target, property: notify.property, requestor: notify.requestor,
      time: notify.time)
  }
}

extension AtomName {
  /// Stands for a selection that is not an atom.
  static let unknown = AtomName("")
}

extension SelectionNotify {
  init(_ answer: WireEvent.Conversion) {
    self.init(
      requestor: answer.requestor, selection: answer.selection, target: answer.target, property: answer.property,
      time: answer.time)
  }
}

extension SelectionRequest {
  /// Returns `nil` if the selection or the target is not an atom.
  init?(_ request: WireEvent.Conversion, owner: WindowID) {
    guard let target = request.target, request.selection != .unknown else { return nil }
    self.init(
      owner: owner, requestor: request.requestor, selection: request.selection, target: target,
      property: request.property, time: request.time)
  }
}
