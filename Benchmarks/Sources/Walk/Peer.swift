import CBareX11

/// The peer of a drag, in bare Xlib. Its work is not counted.
final class Peer {
  let display: OpaquePointer
  let window: Window
  private var atoms: [String: Atom] = [:]

  /// - Parameter frame: Where its window is, in root pixels.
  init(x: Int32, y: Int32, width: UInt32, height: UInt32) {
    guard let display = XOpenDisplay(nil) else { fatalError("cannot open the display") }
    self.display = display
    window = XCreateSimpleWindow(display, XDefaultRootWindow(display), x, y, width, height, 0, 0, 0)
    XSelectInput(display, window, PropertyChangeMask)
    set("XdndAware", type: Atom(XA_ATOM), to: [5])
    XMapWindow(display, window)
    XSync(display, False)
  }

  func atom(_ name: String) -> Atom {
    if let known = atoms[name] { return known }
    let atom = XInternAtom(display, name, False)
    atoms[name] = atom
    return atom
  }

  func set(_ property: String, type: Atom, to words: [Int]) {
    words.withUnsafeBytes {
      _ = XChangeProperty(
        display, window, atom(property), type, 32, PropModeReplace, $0.bindMemory(to: UInt8.self).baseAddress,
        Int32(words.count))
    }
  }

  /// Sends a message of XDND, whose first word is this window.
  func send(_ type: String, _ words: [Int], to target: Window) {
    var event = XEvent()
    event.xclient.type = ClientMessage
    event.xclient.window = target
    event.xclient.message_type = atom(type)
    event.xclient.format = 32
    let words = ([Int(window)] + words + [0, 0, 0, 0]).prefix(5).map(\.self)
    event.xclient.data.l = (words[0], words[1], words[2], words[3], words[4])
    XSendEvent(display, target, False, 0, &event)
    XSync(display, False)
  }

  /// Takes the next message of a type, if it has arrived.
  func take(_ type: String) -> Bool { takeSender(of: type) != nil }

  /// Takes the next message of a type, if it has arrived, and returns its first word: the window of its sender.
  func takeSender(of type: String) -> Window? {
    XSync(display, False)
    var event = XEvent()
    while XCheckTypedWindowEvent(display, window, ClientMessage, &event) != 0 {
      if event.xclient.message_type == atom(type) { return Window(event.xclient.data.l.0) }
    }
    return nil
  }

  // MARK: The selection

  func ownSelection() { XSetSelectionOwner(display, atom("XdndSelection"), window, Time(CurrentTime)) }

  /// Takes the next request for the selection, if it has arrived.
  func takeRequest() -> XSelectionRequestEvent? {
    XSync(display, False)
    var event = XEvent()
    guard XCheckTypedEvent(display, SelectionRequest, &event) != 0 else { return nil }
    return event.xselectionrequest
  }

  /// Answers a request with a property of bytes, or of the estimated number of bytes that come in parts (INCR).
  func answer(_ request: XSelectionRequestEvent, with bytes: [UInt8], incremental: Bool = false) {
    if incremental {
      XSelectInput(display, request.requestor, PropertyChangeMask)
      var size = bytes.count
      withUnsafeBytes(of: &size) {
        _ = XChangeProperty(
          display, request.requestor, request.property, atom("INCR"), 32, PropModeReplace,
          $0.bindMemory(to: UInt8.self).baseAddress, 1)
      }
    } else {
      write(bytes, for: request)
    }
    var event = XEvent()
    event.xselection.type = SelectionNotify
    event.xselection.requestor = request.requestor
    event.xselection.selection = request.selection
    event.xselection.target = request.target
    event.xselection.property = request.property
    event.xselection.time = request.time
    XSendEvent(display, request.requestor, False, 0, &event)
    XSync(display, False)
  }

  /// Writes a part of the answer.
  func write(_ bytes: [UInt8], for request: XSelectionRequestEvent) {
    XChangeProperty(
      display, request.requestor, request.property, request.target, 8, PropModeReplace, bytes, Int32(bytes.count))
    XSync(display, False)
  }

  /// Whether the requestor has deleted the property, that is, has read the last part.
  func takeDeletion(by request: XSelectionRequestEvent) -> Bool {
    XSync(display, False)
    var event = XEvent()
    while XCheckTypedWindowEvent(display, request.requestor, PropertyNotify, &event) != 0 {
      if event.xproperty.state == PropertyDelete, event.xproperty.atom == request.property { return true }
    }
    return false
  }
}
