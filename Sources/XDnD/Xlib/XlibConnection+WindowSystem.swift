import CX11
import CXlibint

extension XlibConnection: WindowSystem {
  var isClosed: Bool { display.isClosed }

  var hasQueuedEvents: Bool {
    if !pending.isEmpty || display.hasVanished { return true }
    guard display.isOwned else { return false }
    return (display.request(onError: .swallow) { XEventsQueued($0, QueuedAlready) } ?? 0) > 0
  }

  func flush() {
    display.request(onError: .swallow) { XFlush($0) }
  }

  var settings: DesktopSettings { settingsReader.settings }

  var resourceMask: UInt32 {
    UInt32(truncatingIfNeeded: display.request(onError: .swallow) { XDnDResourceMask($0) } ?? 0)
  }

  // MARK: Windows

  func watch(_ window: WindowID, for interest: WindowInterest) {
    if masks.add(interest.eventMask, to: window, onError: interest.contains(.destruction) ? .report : .swallow) {
      watchers.add(interest, to: window)
    } else if interest.contains(.destruction), !isClosed {
      pending.append(.windowVanished(window))
    }
  }

  func unwatch(_ window: WindowID, for interest: WindowInterest) {
    masks.remove(watchers.remove(interest, from: window).eventMask, from: window)
  }

  func exists(_ window: WindowID) -> Bool {
    display.roundTrip { display in
      var attributes = XWindowAttributes()
      return XGetWindowAttributes(display, window.xid, &attributes) != 0 ? true : nil
    } ?? false
  }

  func translate(_ point: Point, to window: WindowID) -> Point? {
    display.roundTrip { x in
      var (xResult, yResult): (Int32, Int32) = (0, 0)
      var child: Window = 0
      let succeeded = XTranslateCoordinates(
        x, display.root.xid, window.xid, Int32(clamping: point.x), Int32(clamping: point.y), &xResult, &yResult, &child)
      return succeeded != 0 ? Point(x: Int(xResult), y: Int(yResult)) : nil
    }
  }

  func locateTarget(at point: Point) -> DropTarget? { locator.locateTarget(at: point) }

  func dropPlaces() -> [DropPlace] { locator.dropPlaces() }

  func dropTarget(for window: WindowID, at point: Point?) -> DropPlace? { locator.dropTarget(for: window, at: point) }

  // MARK: Messages

  func send(_ message: XdndMessage, version: ProtocolVersion, to window: WindowID, via destination: WindowID) {
    messages.send(message, version: version, to: window, via: destination)
  }

  func send(_ notify: SelectionNotify) { messages.send(notify) }

  // MARK: Properties

  func atoms(in property: AtomName, of window: WindowID, type: AtomName, limit: Int) -> [AtomName?]? {
    properties.atoms(in: property, of: window, type: type, limit: limit)
  }

  func names(ofAtoms numbers: [UInt32]) -> [AtomName?] {
    let list = numbers.map(Atom.init(rawValue:))
    atoms.lookUp(list)
    return list.map(atoms.name)
  }

  func readPage(
    _ property: AtomName, of window: WindowID, from offset: Int, delete: Bool,
    part: (PropertyHeader, UnsafeRawBufferPointer) -> Void
  ) -> (header: PropertyHeader, left: Int)? {
    properties.readPage(property, of: window, from: offset, delete: delete, part: part)
  }

  func write(_ value: PropertyValue, to property: AtomName, of window: WindowID) {
    properties.write(value, to: property, of: window)
  }

  func delete(_ property: AtomName, of window: WindowID) { properties.delete(property, of: window) }

  var maximumWriteSize: Int { properties.maximumWriteSize }

  // MARK: Selections

  func own(_ selection: AtomName, at time: Timestamp) -> Bool { selections.own(selection, at: time) }

  func disown(_ selection: AtomName, at time: Timestamp) { selections.disown(selection, at: time) }

  func owner(of selection: AtomName) -> WindowID { selections.owner(of: selection) }

  func observeOwner(of selection: AtomName, _ isObserved: Bool) {
    selections.observeOwner(of: selection, isObserved)
  }

  func convert(
    _ selection: AtomName, to target: AtomName, property: AtomName, requestor: WindowID, time: Timestamp
  ) {
    selections.convert(selection, to: target, property: property, requestor: requestor, time: time)
  }

  func serverTime() -> Timestamp { selections.serverTime() }

  // MARK: Input

  func grab(
    cursor: CursorShape, at time: Timestamp
  ) throws(GrabFailure) -> (PointerSample, down: Set<PointerButton>) {
    settingsReader.expire()
    let start = try pointerGrab.take(cursor: cursors.cursor(cursor), at: time)
    beginTracking()
    return start
  }

  func queuedRelease(of button: PointerButton, since time: Timestamp) -> PointerSample? {
    pointerGrab.queuedRelease(of: button, since: time)
  }

  func ungrab(at time: Timestamp) { pointerGrab.release(at: time) }

  func movePointer(_ move: PointerMove, at time: Timestamp) -> PointerSample? {
    pointerGrab.movePointer(move, at: time)
  }

  func show(_ cursor: CursorShape) { pointerGrab.show(cursors.cursor(cursor)) }
}
