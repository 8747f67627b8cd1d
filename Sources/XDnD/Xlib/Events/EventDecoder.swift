import XDnDX11

/// Decodes Xlib's events: atoms to names, C longs to 32-bit words.
struct EventDecoder {
  let display: DisplayHandle
  let windows: WindowQueries
  let atoms: AtomTable
  let modifierKeys: ModifierKeys
  /// The event number of `ShapeNotify`; `nil` without the SHAPE extension.
  let shapeEvent: Int32?

  /// Decodes an XDND message.
  ///
  /// - Parameter serial: The event's serial number.
  func message(_ kind: XdndMessageKind, _ words: MessageWords, serial: UInt) -> XdndMessage {
    lookUp(kind.atoms(in: words), inEvent: serial)
    let message = XdndMessage(kind, words: words, name: atoms.knownName)
    guard case .position(var position) = message, position.point.x == -1, position.point.y < 0 else { return message }
    // The pointer is above the root's upper edge, and the source packs `(x << 16) | y` without a mask, so that the sign
    // of y overwrites x. GTK 3 and 4, FLTK, KWin and Chromium do that.
    if let pointer = windows.pointer() { position.point.x = pointer.point.x }
    return .position(position)
  }

  /// The kind of an XDND message; `nil` for others. Makes no request: the table has the atoms already.
  func messageKind(_ event: XClientMessageEvent) -> XdndMessageKind? {
    atoms.knownName(Atom(event.message_type)).flatMap { XdndMessageKind(rawValue: $0.rawValue) }
  }

  static func words(of event: XClientMessageEvent) -> MessageWords {
    let l = event.data.l
    return MessageWords([l.0, l.1, l.2, l.3, l.4].map(Format32.word))
  }

  /// Caches the names of the atoms in an event and in those that follow it, in at most one round trip.
  func lookUp(_ wanted: [Atom], inEvent serial: UInt) {
    atoms.lookUp(wanted, inEvent: serial, others: atomsInQueue)
  }

  /// The atoms in up to 1,024 XDND messages, selection events and property events of Xlib's queue.
  private func atomsInQueue() -> [Atom] {
    var found: [Atom] = []
    var count = 0
    display.visitEvents { event in
      guard count < 1024, case let atoms = atoms(in: event), !atoms.isEmpty else { return }
      count += 1
      found += atoms
    }
    return found
  }

  private func atoms(in event: UnsafePointer<XEvent>) -> [Atom] {
    switch event.pointee.type {
    case ClientMessage:
      let message = event.pointee.xclient
      guard message.format == 32, let kind = messageKind(message) else { return [] }
      return kind.atoms(in: Self.words(of: message))
    case XDnDX11.SelectionRequest:
      let request = event.pointee.xselectionrequest
      return [request.selection, request.target, request.property].map { Atom($0) }
    case XDnDX11.SelectionNotify:
      let answer = event.pointee.xselection
      return [answer.selection, answer.target, answer.property].map { Atom($0) }
    case SelectionClear: return [Atom(event.pointee.xselectionclear.selection)]
    case PropertyNotify: return [Atom(event.pointee.xproperty.atom)]
    default: return []
    }
  }

  /// The request in a `SelectionRequest`, or the answer in a `SelectionNotify`.
  func conversion(_ event: UnsafePointer<XEvent>) -> WireEvent.Conversion {
    lookUp(atoms(in: event), inEvent: event.pointee.xany.serial)
    return event.pointee.type == XDnDX11.SelectionRequest
      ? WireEvent.Conversion(event.pointee.xselectionrequest, atoms)
      : WireEvent.Conversion(event.pointee.xselection, atoms)
  }

  /// The name of an atom in an event; `nil` for numbers that are not atoms.
  func name(_ atom: XDnDX11.Atom, inEvent serial: UInt) -> AtomName? {
    lookUp([Atom(atom)], inEvent: serial)
    return atoms.knownName(Atom(atom))
  }

  /// Decodes a change of the window tree, and the window that it is about.
  ///
  /// Ignores synthetic events: window managers send synthetic `ConfigureNotify` events (ICCCM §4.1.5).
  func change(_ event: UnsafePointer<XEvent>) -> (WindowTree.Change, window: WindowID)? {
    guard event.pointee.xany.send_event == False else { return nil }
    switch event.pointee.type {
    case CreateNotify:
      let create = event.pointee.xcreatewindow
      return (.created(parent: WindowID(create.parent)), WindowID(create.window))
    case DestroyNotify:
      return (.destroyed, WindowID(event.pointee.xdestroywindow.window))
    case ReparentNotify:
      let reparent = event.pointee.xreparent
      return (.reparented(to: WindowID(reparent.parent)), WindowID(reparent.window))
    case MapNotify:
      return (.mapped, WindowID(event.pointee.xmap.window))
    case UnmapNotify:
      return (.unmapped, WindowID(event.pointee.xunmap.window))
    case ConfigureNotify:
      let configure = event.pointee.xconfigure
      let frame = Rect(
        x: configure.x, y: configure.y, width: configure.width, height: configure.height,
        border: configure.border_width)
      return (
        .configured(frame: frame, border: Int(configure.border_width), above: WindowID(configure.above)),
        WindowID(configure.window)
      )
    case GravityNotify:
      let gravity = event.pointee.xgravity
      return (.moved(Point(x: Int(gravity.x), y: Int(gravity.y))), WindowID(gravity.window))
    case CirculateNotify:
      let circulate = event.pointee.xcirculate
      return (.circulated(toTop: circulate.place == PlaceOnTop), WindowID(circulate.window))
    case PropertyNotify:
      let property = event.pointee.xproperty
      let atom = Atom(property.atom)
      guard atom == atoms.atom(.xdndAware) || atom == atoms.atom(.xdndProxy) else { return nil }
      return (.awarenessChanged, WindowID(property.window))
    case shapeEvent:
      // `XShapeEvent` has its window where `xany` has it.
      return (.reshaped, WindowID(event.pointee.xany.window))
    default:
      return nil
    }
  }

  static func property(_ name: AtomName, _ event: XPropertyEvent) -> ServerEvent {
    let window = WindowID(event.window)
    if ServerEvent.awarenessProperties.contains(name) {
      return .awarenessChanged(name, of: window, serial: event.serial)
    }
    return event.state == PropertyDelete ? .propertyDeleted(name, of: window) : .propertyChanged(name, of: window)
  }

  /// The gesture input of a button or motion event; `nil` for events from `XSendEvent`.
  ///
  /// A synthetic press would begin a drag that no button holds.
  func gesture(_ event: UnsafePointer<XEvent>, of device: InputDevice = .core) -> DragGesture.Input? {
    guard event.pointee.xany.send_event == False else { return nil }
    switch event.pointee.type {
    case ButtonPress:
      let press = event.pointee.xbutton
      return .pressed(
        DragPress(
          rootLocation: Point(x: Int(press.x_root), y: Int(press.y_root)),
          location: Point(x: Int(press.x), y: Int(press.y)), button: PointerButton(rawValue: press.button),
          modifiers: modifierKeys.modifiers(inState: press.state), device: device, time: Timestamp(press.time)))
    case ButtonRelease:
      return .released(PointerButton(rawValue: event.pointee.xbutton.button), by: device)
    default:
      return .moved(to: Point(x: Int(event.pointee.xmotion.x_root), y: Int(event.pointee.xmotion.y_root)), by: device)
    }
  }
}
