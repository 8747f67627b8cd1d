import XDnDX11
import XDnDXlibint
import Glibc
package import XDnD

/// A client of the X server that follows a script, and does not know XDND.
///
/// It plays peers that the library, which keeps the protocol, cannot: a source or target from a recording, a peer with
/// unusual requests, or one that sends a message at a certain moment. Use it only on the thread that created it.
///
/// X errors are not fatal. A request for a destroyed window produces a ``WireEvent/Action/vanished(_:)`` event; other
/// failed requests have no effect. After the connection is lost, no call has an effect.
package final class ScriptedClient {
  /// Called with each event of the server, a pointer to an `XEvent`, before it is processed. For code that draws
  /// windows on this connection. The pointer is valid during the call only.
  package var onServerEvent: (UnsafeRawPointer) -> Void = { _ in }

  /// Called when a pointer grab begins or ends over a window of ``watchPointer(over:)``.
  package var onPointerGrab: (_ isGrabbed: Bool) -> Void = { _ in }

  /// Polled while the client waits. If it returns `true`, the wait ends as if its deadline had passed.
  package var isInterrupted: () -> Bool = { false }

  /// The connection, a `Display *`. It is valid while this client exists.
  package let display: OpaquePointer

  private let handle: DisplayHandle
  private let atoms: AtomTable
  private let tap: WireTap
  /// Bypasses the tap, which would hide some reads. This client reports all of them itself.
  private let properties: Properties
  private let messages: Messages
  private let selections: ServerSelections
  private let windows: WindowQueries
  /// Events that ``next(until:where:)`` has not returned yet.
  private var queue: [WireEvent] = []
  /// The INCR transfers to requestors (ICCCM §2.7.2).
  private var transfers: [WindowProperty: IncrementalTransfer] = [:]

  /// Connects to an X server; `nil` if that fails.
  ///
  /// - Parameter name: The display's name; `nil` for `$DISPLAY`.
  package init?(connectingTo name: String?) {
    guard let display = DisplayOpening.open(name) else { return nil }
    self.display = display
    handle = DisplayHandle(display, isOwned: true, reportsAll: true)
    atoms = AtomTable(handle)
    tap = WireTap(atoms)
    tap.byteLimit = 65536
    properties = Properties(handle, atoms)
    messages = Messages(handle, atoms, tap)
    // For timestamps, and for requests that need any window.
    let ownWindow = Self.makeWindow(nil, title: nil, mapped: false, on: handle)
    selections = ServerSelections(handle, atoms, tap, window: ownWindow)
    windows = WindowQueries(handle)
  }

  deinit { handle.release() }

  package var isClosed: Bool { handle.isClosed }

  package var root: WindowID { handle.root }

  /// Called for everything that this client sends and receives, in order; also for events that ``next(until:where:)``
  /// has not returned yet. It gets at most 65536 bytes of a property; the event always has the full byte count.
  package var onWireEvent: ((WireEvent) -> Void)? {
    get { tap.listener }
    set { tap.listener = newValue }
  }

  /// Makes a request that the wire tap does not see, and reports it to the tap.
  private func perform(_ action: @autoclosure () -> WireEvent.Action, _ request: () -> Void) {
    guard !isClosed else { return }
    request()
    tap.did(action())
    handle.request(onError: .report) { XFlush($0) }
  }

  // MARK: Events

  /// Returns the next wire event and removes it from the queue. Waits until `deadline`; `nil` if there is no event by
  /// then, if ``isInterrupted`` returns `true`, or if the connection is lost.
  ///
  /// - Parameter isWanted: Selects the event. Earlier events that are not wanted stay in the queue.
  package func next(
    until deadline: ContinuousClock.Instant = .now, where isWanted: (WireEvent) -> Bool = { _ in true }
  ) -> WireEvent? {
    var looked = 0
    while true {
      processEvents()
      // Events that an earlier round rejected are not checked again.
      if let index = queue.indices.dropFirst(looked).first(where: { isWanted(queue[$0]) }) {
        return queue.remove(at: index)
      }
      looked = queue.count
      guard !isClosed, deadline > .now, !isInterrupted() else { return nil }
      // A signal ends a poll, but may arrive just before it begins.
      wait(until: min(deadline, .now + .milliseconds(100)))
    }
  }

  /// Returns the server's current time, from the event of a property change. ``Timestamp/currentTime`` if the
  /// connection is lost.
  package func serverTime() -> Timestamp { selections.serverTime() }

  /// Blocks until the connection is readable, or until `deadline`. Only called when all received events are processed.
  private func wait(until deadline: ContinuousClock.Instant) {
    let queued = handle.request(onError: .report) { display in
      XFlush(display)
      return XEventsQueued(display, QueuedAlready)
    }
    guard queued == 0 else { return }
    var descriptor = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&descriptor, 1, deadline.pollTimeout)
  }

  private func processEvents() {
    while let event = handle.nextEvent() {
      withUnsafePointer(to: event) { onServerEvent($0) }
      switch event.type {
      case EnterNotify, LeaveNotify:
        let mode = event.xcrossing.mode
        if mode == NotifyGrab || mode == NotifyUngrab { onPointerGrab(mode == NotifyGrab) }
      default:
        if let action = action(of: event) { receive(action) }
      }
    }
    for window in handle.takeVanished(isInOrder: false) { receive(.vanished(window)) }
  }

  private func receive(_ action: WireEvent.Action) {
    queue.append(WireEvent(.received, action))
    tap.heard(action)
    switch action {
    case .property(let property) where property.change == .removed:
      if let part = transfers[property.place]?.nextPart() {
        if part.bytes.isEmpty { transfers[property.place] = nil }
        write(part, to: property.place)
      }
    case .vanished(let window): transfers = transfers.filter { $0.key.window != window }
    default: break
    }
  }

  /// Decodes an event; `nil` if it is not traffic with a peer.
  private func action(of event: XEvent) -> WireEvent.Action? {
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

  // MARK: Names

  /// The atom for a name. Interns the name if necessary.
  package func atom(_ name: String) -> UInt32 { atoms.atom(AtomName(name)).rawValue }

  /// The name of an atom; `nil` for 0 and for other numbers that are not atoms.
  package func name(of atom: UInt32) -> AtomName? { atoms.name(Atom(rawValue: atom)) }

  // MARK: Windows

  /// Creates a window, which exists until ``destroy(_:)`` or the end of this client.
  ///
  /// - Parameters:
  ///   - frame: The frame in root pixels; `nil` for a window of one pixel outside of the screen.
  ///   - title: The title for the window manager; `nil` makes the window override-redirect.
  ///   - mapped: Whether to map the window.
  package func makeWindow(_ frame: Rect? = nil, title: String? = nil, mapped: Bool = false) -> WindowID {
    Self.makeWindow(frame, title: title, mapped: mapped, on: handle)
  }

  private static func makeWindow(
    _ frame: Rect?, title: String?, mapped: Bool, on handle: DisplayHandle
  ) -> WindowID {
    let frame = frame ?? Rect(x: -100, y: -100, width: 1, height: 1)
    let window = handle.request(onError: .report) { display in
      var attributes = XSetWindowAttributes()
      attributes.override_redirect = title == nil ? True : False
      attributes.background_pixel = XWhitePixel(display, XDefaultScreen(display))
      attributes.event_mask = PropertyChangeMask | StructureNotifyMask | ExposureMask
      let window = XCreateWindow(
        display, handle.root.xid, Int32(frame.origin.x), Int32(frame.origin.y), UInt32(max(1, frame.width)),
        UInt32(max(1, frame.height)), 0, 0, UInt32(InputOutput), nil,
        UInt(CWOverrideRedirect | CWBackPixel | CWEventMask), &attributes)
      if let title {
        XStoreName(display, window, title)
        var hints = XSizeHints()
        hints.flags = PPosition | USPosition
        XSetWMNormalHints(display, window, &hints)
      }
      if mapped { XMapWindow(display, window) }
      XSync(display, False)
      return WindowID(window)
    }
    return window ?? .none
  }

  package func destroy(_ window: WindowID) {
    handle.request(onError: .report) { display in
      XDestroyWindow(display, window.xid)
      XSync(display, False)
    }
  }

  /// Selects events for changes of a window's properties, and for its destruction.
  package func watch(_ window: WindowID) { select(PropertyChangeMask | StructureNotifyMask, of: window) }

  /// Reports to ``onPointerGrab`` when a pointer grab begins or ends over a window.
  package func watchPointer(over window: WindowID) { select(EnterWindowMask | LeaveWindowMask, of: window) }

  /// Adds to the event mask, because other code on this connection may have selected events.
  private func select(_ mask: Int, of window: WindowID) {
    guard let present = windows.state(of: window)?.eventMask, present & mask != mask else { return }
    handle.request(onError: .report) { display in
      XSelectInput(display, window.xid, present | mask)
      XSync(display, False)
    }
  }

  /// The window's frame without its border, in root pixels; `nil` if the window does not exist.
  package func frame(of window: WindowID) -> Rect? {
    guard let origin = windows.origin(of: window), let state = windows.state(of: window) else { return nil }
    return Rect(x: origin.x, y: origin.y, width: state.width, height: state.height)
  }

  /// The window's children in stacking order, from bottom to top.
  package func children(of window: WindowID) -> [WindowID] { windows.family(of: window)?.children ?? [] }

  /// The window's ancestors from its parent upwards, without the root.
  package func ancestors(of window: WindowID) -> [WindowID] { windows.ancestors(of: window) }

  /// Whether the window and all its ancestors are mapped.
  package func isViewable(_ window: WindowID) -> Bool { windows.state(of: window)?.isViewable ?? false }

  /// The pointer's position in root pixels, and whether one of the first three buttons is pressed.
  package var pointer: (place: Point, isPressed: Bool) {
    guard let pointer = windows.pointer() else { return (Point(x: 0, y: 0), false) }
    return (pointer.point, pointer.mask & UInt32(Button1Mask | Button2Mask | Button3Mask) != 0)
  }

  // MARK: Messages

  /// One of the five words of a client message.
  package enum Word: Hashable, Sendable, ExpressibleByIntegerLiteral {
    case number(UInt32)
    /// An atom, given by name; the empty name is `None`.
    case atom(String)
    case window(WindowID)

    package init(integerLiteral value: UInt32) { self = .number(value) }
  }

  /// Sends a client message of format 32.
  ///
  /// - Parameters:
  ///   - words: At most five words; missing words are 0.
  ///   - window: The window that the message is addressed to.
  ///   - destination: The proxy window to send it to; `nil` to send it to `window`.
  package func send(_ type: String, _ words: [Word], to window: WindowID, via destination: WindowID? = nil) {
    let numbers = words.map { word -> UInt32 in
      switch word {
      case .number(let number): number
      case .atom(let name): name.isEmpty ? 0 : atom(name)
      case .window(let window): window.rawValue
      }
    }
    let kind = AtomName(type)
    let all = MessageWords(numbers).array
    perform(tap.message(kind, all, window: window, destination: destination)) {
      messages.put(kind, all, to: window, via: destination ?? window)
    }
  }

  // MARK: Properties

  package struct Content: Hashable, Sendable {
    /// The property's type. It may differ from the requested target.
    package var type: AtomName
    /// The property's format: 8, 16 or 32 bits per unit.
    package var format: Int
    /// The data in the machine's byte order, with four bytes per unit of format 32.
    package var bytes: [UInt8]

    package init(type: AtomName, format: Int = 8, bytes: [UInt8]) {
      self.type = type
      self.format = format
      self.bytes = bytes
    }

    /// Creates content of format 32.
    package init(type: AtomName, words: [UInt32]) {
      self.init(type: type, format: 32, bytes: Format32.bytes(words))
    }

    /// The units of format 32; empty for other formats.
    package var words: [UInt32] { format == 32 ? bytes.withUnsafeBytes(Format32.words) : [] }
  }

  /// Replaces a property of a window.
  package func setProperty(_ name: String, of window: WindowID, _ content: Content) {
    write(content, to: WindowProperty(AtomName(name), of: window))
  }

  /// Replaces a property with a list of atoms, given by name.
  package func setProperty(_ name: String, of window: WindowID, atoms: [String]) {
    setProperty(name, of: window, Content(type: .atom, words: atoms.map(atom)))
  }

  package func deleteProperty(_ name: String, of window: WindowID) {
    let name = AtomName(name)
    perform(.property(WireEvent.Property(.deleted, name, of: window))) { properties.delete(name, of: window) }
  }

  /// Reads a whole property; `nil` if the property or the window does not exist.
  ///
  /// - Parameter delete: Whether the server deletes the property with the read of its last part.
  package func readProperty(_ name: String, of window: WindowID, delete: Bool = false) -> Content? {
    let name = AtomName(name)
    var whole: Content?
    var offset = 0
    while !isClosed {
      var bytes: [UInt8] = []
      let page = properties.readPage(name, of: window, from: offset, delete: delete) { bytes = Array($1) }
      guard let page else {
        // A missing property is reported, too.
        if whole == nil { tap.did(.property(WireEvent.Property(.read, name, of: window))) }
        break
      }
      let part = Content(type: page.header.type, format: page.header.format, bytes: bytes)
      tap.did(.property(event(.read, WindowProperty(name, of: window), part, offset: offset)))
      if whole == nil { whole = part } else { whole?.bytes += bytes }
      offset += bytes.count
      guard page.left > 0 else {
        if delete { tap.did(.property(WireEvent.Property(.deleted, name, of: window))) }
        break
      }
    }
    return whole
  }

  private func write(_ content: Content, to place: WindowProperty) {
    guard let unit = PropertyUnit(rawValue: content.format) else { return }
    let value = PropertyValue(type: content.type, contents: .units(content.bytes[...], of: unit))
    perform(.property(event(.written, place, content))) {
      properties.write(value, to: place.name, of: place.window)
    }
  }

  private func event(
    _ change: WireEvent.Property.Change, _ place: WindowProperty, _ content: Content, offset: Int = 0
  ) -> WireEvent.Property {
    let isList = content.type == .atom || content.type == .atomPair
    return WireEvent.Property(
      change, place.name, of: place.window, type: content.type, format: content.format, offset: offset,
      bytes: content.bytes,
      names: isList ? content.words.map { self.name(of: $0) } : [])
  }

  // MARK: Owning selections

  /// Takes ownership of a selection. Returns whether `window` then owns it, by one round trip.
  @discardableResult
  package func own(_ selection: String, by window: WindowID, at time: Timestamp) -> Bool {
    setOwner(of: selection, to: window, at: time)
    return !isClosed && owner(of: selection) == window
  }

  /// Gives up a selection, which then has no owner.
  package func disown(_ selection: String, at time: Timestamp) { setOwner(of: selection, to: .none, at: time) }

  private func setOwner(of selection: String, to owner: WindowID, at time: Timestamp) {
    let selection = AtomName(selection)
    perform(.owner(of: selection, owner, time)) { selections.put(owner, of: selection, at: time) }
  }

  /// The selection's owner; ``WindowID/none`` if there is none. One round trip.
  package func owner(of selection: String) -> WindowID { selections.owner(of: AtomName(selection)) }

  /// The selection's owner, also reported to ``onWireEvent``. The time of ownership is unknown and reported as
  /// `currentTime`.
  @discardableResult
  package func lookUpOwner(of selection: String) -> WindowID {
    let window = owner(of: selection)
    tap.heard(.owner(of: AtomName(selection), window, .currentTime))
    return window
  }

  /// Reports changes of a selection's owner, with their times. Needs the XFixes extension; does nothing without it.
  package func watchOwner(of selection: String) {
    selections.observeOwner(of: AtomName(selection), true)
    handle.request(onError: .report) { XSync($0, False) }
  }

  /// Answers a conversion: writes the property and notifies the requestor, or refuses.
  ///
  /// - Parameters:
  ///   - content: The content; `nil` refuses.
  ///   - part: The length of the parts of an INCR transfer, in bytes; `nil` writes a single property.
  ///     ``next(until:where:)`` writes each further part after the requestor has deleted the previous one.
  package func answer(_ conversion: WireEvent.Conversion, with content: Content?, part: Int? = nil) {
    guard !isClosed else { return }
    var answer = conversion
    // ICCCM 2.2: an obsolete requestor names no property; the property with the target's name is used.
    answer.property = content == nil ? nil : conversion.property ?? conversion.target
    if var content, let place = answer.property.map({ WindowProperty($0, of: conversion.requestor) }) {
      if let part {
        watch(place.window)
        transfers[place] = IncrementalTransfer(content: content, partLength: part)
        content = Content(type: .incr, words: [UInt32(content.bytes.count)])
      }
      write(content, to: place)
    }
    notify(answer)
  }

  /// Sends a `SelectionNotify` with exactly these fields.
  package func notify(_ answer: WireEvent.Conversion) { perform(.converted(answer)) { messages.put(answer) } }

  /// Whether an INCR transfer is in progress.
  package var isSendingParts: Bool { !transfers.isEmpty }

  /// Stops all INCR transfers without sending their remaining parts.
  package func abandonTransfers() { transfers = [:] }

  private struct IncrementalTransfer {
    var content: Content
    var partLength: Int
    var offset = 0

    /// The part to write after the requestor has deleted the previous one. An empty part is the last.
    mutating func nextPart() -> Content {
      let end = min(content.bytes.count, offset + partLength)
      var part = content
      part.bytes = Array(content.bytes[offset..<end])
      offset = end
      return part
    }
  }

  // MARK: Requesting selections

  /// Sends `ConvertSelection` and returns at once. The answer arrives as an event.
  @discardableResult
  package func convert(
    _ selection: String, to target: String, property: String, on requestor: WindowID, at time: Timestamp
  ) -> WireEvent.Conversion {
    let conversion = WireEvent.Conversion(
      selection: AtomName(selection), target: AtomName(target), property: AtomName(property), requestor: requestor,
      time: time)
    perform(.conversion(conversion)) { selections.put(conversion) }
    return conversion
  }

  package enum Answer: Hashable, Sendable {
    case content(Content)
    case refused
    /// No answer in time, an answer without content, or a stalled transfer.
    case timedOut
  }

  /// Waits for the answer to a conversion and reads the content, also from an INCR transfer.
  ///
  /// Other events stay in the queue for ``next(until:where:)``.
  ///
  /// - Parameter timeout: The time limit for the answer, and for each part of an INCR transfer.
  package func answer(to conversion: WireEvent.Conversion, within timeout: Duration) -> Answer {
    let answered = next(until: .now + timeout) { event in
      guard case .converted(let answer) = event.action else { return false }
      return answer.requestor == conversion.requestor && answer.selection == conversion.selection
        // A refusal may lack the target: Qt's do.
        && (answer.target == conversion.target || answer.target == nil)
    }
    guard case .converted(let answer) = answered?.action else { return .timedOut }
    guard let property = answer.property else { return .refused }
    let name = property.rawValue
    let first = readProperty(name, of: conversion.requestor)
    guard let first, first.type.rawValue == "INCR" else {
      deleteProperty(name, of: conversion.requestor)
      return first.map(Answer.content) ?? .timedOut
    }
    let isNew = { (event: WireEvent) in
      guard case .property(let news) = event.action else { return false }
      return news.change == .changed && news.window == conversion.requestor && news.name == property
    }
    // The change that announced INCR, or a change by an earlier transfer, is not a part.
    processEvents()
    queue.removeAll(where: isNew)
    deleteProperty(name, of: conversion.requestor)
    var whole: Content?
    while next(until: .now + timeout, where: isNew) != nil {
      guard let part = readProperty(name, of: conversion.requestor, delete: true) else { continue }
      if whole == nil { whole = part } else { whole?.bytes += part.bytes }
      if part.bytes.isEmpty { return whole.map(Answer.content) ?? .timedOut }
    }
    return .timedOut
  }

  // MARK: The server and the desktop

  /// The server's vendor and release number. Empty and 0 if the connection is lost.
  package var vendor: (name: String, release: Int) {
    guard !isClosed, let name = XServerVendor(display) else { return ("", 0) }
    return (String(cString: name), Int(XVendorRelease(display)))
  }

  /// The screen's rectangle, in root pixels.
  package var screen: Rect { windows.screen }

  /// The screen's number, as in selection names like `_NET_WM_CM_S0`.
  package var screenNumber: Int { handle.screen }

  /// Whether the server has an extension of this name. One round trip.
  package func hasExtension(_ name: String) -> Bool {
    handle.request(onError: .report) { display in
      var answer: (Int32, Int32, Int32) = (0, 0, 0)
      return XQueryExtension(display, name, &answer.0, &answer.1, &answer.2) != 0
    } ?? false
  }

  /// The name of the first output, such as `HDMI-1`; `nil` if the server reports none. A few round trips.
  package var firstOutput: String? {
    handle.request(onError: .report) { display in
      guard let name = XDnDFirstOutput(display) else { return nil }
      defer { XFree(name) }
      return String(cString: name)
    } ?? nil
  }

  /// The cursor theme, `nil` if none was chosen, and the cursor size in pixels, from Xcursor.
  package var cursors: (theme: String?, size: Int) {
    guard !isClosed else { return (nil, 0) }
    return (XcursorGetTheme(display).map { String(cString: $0) }, Int(XcursorGetDefaultSize(display)))
  }
}
