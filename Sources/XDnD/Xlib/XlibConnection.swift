import XDnDX11
import XDnDXlibint

/// The driver's connection to an X server.
///
/// Not `Sendable`: like the other classes of this folder except ``DisplayErrors``, it belongs to the thread or actor
/// that created it. An owned connection reads its own events. On a borrowed display, the host passes each event that it
/// reads to ``filter(_:_:)``.
final class XlibConnection {
  let display: DisplayHandle
  let dragWindow: WindowID
  let atoms: AtomTable
  let tap: WireTap
  let hierarchy: WindowHierarchy
  let image: DragImageWindow
  let properties: Properties
  let events: EventQueue

  private let messages: Messages
  private let selections: ServerSelections
  private let masks: EventMasks
  private let watchers: Watchers
  private let windows: WindowQueries
  private let locator: WindowLocator
  private let places: WindowPlaces
  private let proxies: ProxyWindows
  private let settingsReader: SettingsReader
  private let activation: WindowActivation
  let inputExtension: InputExtension
  private let pointerGrab: Grab
  private let modifierKeys: ModifierKeys
  private let cursors: Cursors

  /// Opens a connection that this object owns.
  ///
  /// - Parameter name: The display's name; `nil` for the value of `DISPLAY`.
  convenience init(connectingTo name: String?) throws(ConnectionFailure) {
    guard let display = DisplayOpening.open(name) else {
      // `XDisplayName` returns its argument if that names a display: the result lives no longer than the argument.
      let shown =
        name?.withCString { String(cString: XDisplayName($0)) } ?? String(cString: XDisplayName(nil))
      throw ConnectionFailure(displayName: shown)
    }
    self.init(DisplayHandle(display, isOwned: true))
  }

  /// Uses a host's display, which must outlive this object.
  ///
  /// - Parameter display: A `Display *`.
  convenience init(borrowing display: OpaquePointer) {
    self.init(DisplayHandle(display, isOwned: false))
  }

  private init(_ display: DisplayHandle) {
    self.display = display
    atoms = AtomTable(display)
    tap = WireTap(atoms)
    properties = Properties(display, atoms, tap)
    // Properties that belong to the desktop rather than to a drag: the tap does not see them.
    let desktopProperties = Properties(display, atoms)
    messages = Messages(display, atoms, tap)
    masks = EventMasks(display)
    watchers = Watchers(masks)
    windows = WindowQueries(display)
    dragWindow = DragWindow.create(display, atoms)
    if !display.isOwned { display.openBatches.mark = (dragWindow, atoms.atom(.replies)) }
    selections = ServerSelections(display, atoms, tap, window: dragWindow)
    selections.observeOwner(of: .xdndSelection, true)
    inputExtension = InputExtension(display)
    pointerGrab = Grab(display, inputExtension, window: dragWindow)
    settingsReader = SettingsReader(display, atoms, desktopProperties, selections, masks)
    activation = WindowActivation(display: display, atoms: atoms, properties: desktopProperties)
    cursors = Cursors(display, settingsReader)
    hierarchy = WindowHierarchy(display, properties, masks)
    locator = WindowLocator(hierarchy)
    places = WindowPlaces(display, masks)
    proxies = ProxyWindows(display, atoms, desktopProperties)
    image = DragImageWindow(display, desktopProperties, selections)
    hierarchy.isIgnored = { [dragWindow, image] in $0 == dragWindow || image.windows.contains($0) }
    modifierKeys = ModifierKeys(display)
    let decoder = EventDecoder(
      display: display, windows: windows, atoms: atoms, modifierKeys: modifierKeys, shapeEvent: hierarchy.shapeEvent)
    let classifier = EventClassifier(
      display: display, dragWindow: dragWindow, atoms: atoms, tap: tap, decoder: decoder, selections: selections,
      watchers: watchers, masks: masks, devices: inputExtension, grab: pointerGrab, image: image,
      settings: settingsReader, hierarchy: hierarchy, places: places, proxies: proxies)
    events = EventQueue(display, classifier)
    inputExtension.prepare()
    locator.onAnswer = { [unowned events] in events.append($0) }
  }

  deinit { close() }

  /// Releases the grab and all server resources, and closes an owned connection.
  func close() {
    if !isClosed {
      ungrab(at: .currentTime)
      locator.stop()
      image.hide()
      masks.removeAll()
      cursors.free()
      proxies.destroyAll()
      DragWindow.destroy(dragWindow, display)
    }
    display.release()
  }

  /// Processes an event that the host of a borrowed display has read; see ``EventQueue/filter(_:_:)``.
  func filter(_ xEvent: UnsafeRawPointer, _ receive: (Arrival) -> Void) -> Bool {
    pointerGrab.noteTurn()
    return events.filter(xEvent, receive)
  }

  /// Readable when events may have arrived; -1 once the connection is closed.
  var fileDescriptor: Int32 { display.fileDescriptor }

  /// Starts to maintain the window tree, so that ``locateTarget(at:namingProgram:then:)`` needs few round trips and
  /// ``ServerEvent/stackingChanged`` is reported. A grab that succeeds starts it implicitly.
  func beginTracking() { locator.beginTracking() }
}

extension XlibConnection: WindowSystem {
  var isClosed: Bool { display.isClosed }

  func nextArrival() -> Arrival? {
    pointerGrab.noteTurn()
    return events.next()
  }

  var hasQueuedEvents: Bool { events.hasEvents }

  func flush() { display.flush() }

  var nextSerial: UInt { display.nextSerial }

  var settings: DesktopSettings { settingsReader.settings }

  var resourceMask: UInt32 { display.resourceMask }

  // MARK: Windows

  func watch(_ window: WindowID, for interest: WindowInterest) {
    if interest.contains(.gestures) {
      modifierKeys.prepare()
    }
    guard !watchers.watch(window, for: interest), interest.contains(.destruction), !isClosed else { return }
    events.append(.windowVanished(window))
  }

  /// Asks a question without waiting.
  ///
  /// - Parameters:
  ///   - take: Gets the answer.
  ///   - send: Sends the requests. Calls its argument with the answer.
  private func ask<Value>(
    _ take: @escaping (Value) -> Void, turn: Answer.Turn = .ordered, send: (@escaping (Value) -> Void) -> Void
  ) -> Question {
    let question = Question()
    send { [unowned self, weak question] value in events.append(Answer(to: question, turn) { take(value) }) }
    return question
  }

  func watchSoon(_ window: WindowID, for interest: WindowInterest) { watchSoon(window, for: interest) {} }

  /// - Parameter completion: Called when the events are selected, or if the window does not exist.
  private func watchSoon(_ window: WindowID, for interest: WindowInterest, then completion: @escaping () -> Void) {
    watchers.watch(window, for: interest) { [unowned self] exists in
      if !exists {
        if watchers.isWatched(window, for: .destruction) { events.append(.windowVanished(window)) }
        watchers.forget(window)
      }
      completion()
    }
  }

  func watch(_ window: WindowID, for interest: WindowInterest, then selected: @escaping () -> Void) -> Question {
    ask(selected) { answered in watchSoon(window, for: interest) { answered(()) } }
  }

  func unwatch(_ window: WindowID, for interest: WindowInterest) { watchers.unwatch(window, for: interest) }

  func exists(_ window: WindowID) -> Bool { windows.state(of: window) != nil }

  func checkSource(_ source: WindowID, then checked: @escaping (_ isAlive: Bool) -> Void) -> Question {
    ask(checked) { answered in
      var (exists, owner) = (false, WindowID.none)
      var batch = RequestBatch(display)
      batch.attributes(of: source) { exists = $0 != nil }
      batch.owner(of: atoms.atom(.xdndSelection)) { owner = $0 }
      batch.send { answered(exists && owner != .none) }
    }
  }

  func readOffer(of source: WindowID, typeList: Bool, then read: @escaping (SourceOffer) -> Void) -> Question {
    ask(read) { answered in
      watchSoon(source, for: .properties) { [unowned self] in
        properties.requestOffer(of: source, typeList: typeList, answered)
      }
    }
  }

  func translate(_ point: Point, to window: WindowID) -> Point? {
    if !isClosed, let origin = places.origin(of: window) { return point - origin }
    return windows.translate(point, from: display.root, to: window)?.point
  }

  func foreignWindow(_ window: WindowID) -> ForeignWindow? { proxies.read(window) }

  func topLevelWindow(of window: WindowID) -> WindowID? { proxies.topLevelWindow(of: window) }

  func createProxy() -> WindowID { proxies.create() }

  func destroyProxy(_ proxy: WindowID) { proxies.destroy(proxy) }

  func findPointer(over window: WindowID, then found: @escaping (ForeignPlace?) -> Void) -> Question {
    ask(found) { proxies.findPointer(over: window, then: $0) }
  }

  func cover(_ place: ForeignPlace, with proxy: WindowID) { proxies.cover(place, with: proxy) }

  func uncover(_ proxy: WindowID) { proxies.uncover(proxy) }

  func activate(_ window: WindowID, at time: Timestamp) { activation.activate(window, at: time) }

  func locateTarget(
    at point: Point, namingProgram: Bool, then found: @escaping (FoundTarget) -> Void
  ) -> Reply<FoundTarget> {
    locator.locateTarget(at: point, namingProgram: namingProgram, then: found)
  }

  func endTracking() { locator.endTracking() }

  func dropPlaces() -> [DropPlace] { DropPlaceSearch(hierarchy: hierarchy, windows: windows).dropPlaces() }

  func dropTarget(for window: WindowID, at point: Point?) -> DropPlace? {
    DropPlaceSearch(hierarchy: hierarchy, windows: windows).dropTarget(for: window, at: point)
  }

  // MARK: Messages

  func send(_ message: XdndMessage, version: ProtocolVersion, to window: WindowID, via destination: WindowID) {
    messages.send(message, version: version, to: window, via: destination)
  }

  func send(_ notify: SelectionNotify) { messages.send(notify) }

  // MARK: Properties

  func requestAtoms(
    in property: AtomName, of window: WindowID, type: AtomName, limit: Int, then read: @escaping ([AtomName?]?) -> Void
  ) -> Question {
    ask(read) { properties.requestAtoms(in: property, of: window, type: type, limit: limit, then: $0) }
  }

  func names(ofAtoms numbers: [UInt32]) -> [AtomName?] {
    let list = numbers.map(Atom.init(rawValue:))
    atoms.lookUp(list)
    return list.map(atoms.knownName)
  }

  func value(of property: AtomName, on window: WindowID) -> (header: PropertyHeader, bytes: [UInt8])? {
    properties.value(of: property, on: window)
  }

  func requestPage(
    _ property: AtomName, of window: WindowID, from offset: Int, then read: @escaping (ContentPage?) -> Void
  ) -> Question {
    ask(read) { properties.requestPage(property, of: window, from: offset, $0) }
  }

  func write(_ value: PropertyValue, to property: AtomName, of window: WindowID) {
    properties.write(value, to: property, of: window)
  }

  func delete(_ property: AtomName, of window: WindowID) { properties.delete(property, of: window) }

  var maximumWriteSize: Int { properties.maximumWriteSize }

  // MARK: Text

  func text(fromCompoundText bytes: [UInt8]) -> String? {
    CompoundText(display: display, atoms: atoms).text(fromCompoundText: bytes)
  }

  // MARK: Selections

  func own(_ selection: AtomName, at time: Timestamp) -> Bool { selections.own(selection, at: time) }

  func learn(_ names: [AtomName]) { atoms.internSoon(names) }

  func claim(
    _ selection: AtomName, at time: Timestamp, then claimed: @escaping (_ isOurs: Bool) -> Void
  ) -> Reply<Bool> {
    guard !isClosed else { return .known(false) }
    pointerGrab.noteReleases(since: time)
    // The host of a borrowed display may not pass on every event, so the settings are read again. They arrive before
    // the answer to the claim.
    if !display.isOwned { settingsReader.readSoon() }
    return .pending(ask(claimed) { selections.claim(selection, at: time, then: $0) })
  }

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
    _ device: InputDevice, cursor: CursorShape, at time: Timestamp, then answered: @escaping (GrabResult) -> Void
  ) -> Reply<GrabResult> {
    let first = cursors.cursor(cursor)
    guard !isClosed else { return .known(.failure(.closed)) }
    return .pending(
      ask(answered, turn: .settled) { answered in
        pointerGrab.take(device, cursor: first, at: time) { [unowned self] result in
          if case .success = result { beginTracking() }
          answered(result)
        }
      })
  }

  func queuedRelease(of button: PointerButton, since time: Timestamp) -> PointerSample? {
    pointerGrab.queuedRelease(of: button, since: time)
  }

  func ungrab(at time: Timestamp) { pointerGrab.release(at: time) }

  func movePointer(_ move: PointerMove, at time: Timestamp) -> PointerSample? {
    pointerGrab.movePointer(move, at: time)
  }

  func show(_ cursor: CursorShape) { pointerGrab.show(cursors.cursor(cursor)) }

  // MARK: Drag image

  var isComposited: Bool { image.isComposited }

  func showImage(_ bitmap: Bitmap, at origin: Point) { image.show(bitmap, at: origin) }

  func moveImage(to origin: Point) { image.move(to: origin) }

  func hideImage() { image.hide() }

  func picture(of window: WindowID, _ area: Rect?) -> WindowPicture? {
    WindowCapture(display: display, windows: windows).picture(of: window, area)
  }

  // MARK: Places of windows

  func follow(_ window: WindowID, then settled: @escaping () -> Void) -> Question? {
    var isKnown = false
    let question = ask(settled) { answered in isKnown = places.follow(window) { answered(()) } }
    return isKnown ? nil : question
  }

  func unfollow(_ window: WindowID) { places.unfollow(window) }

  func findPlaces(of parts: [WindowPart], then found: @escaping ([Rect?]) -> Void) -> Reply<[Rect?]> {
    isClosed ? .known(parts.map { _ in nil }) : locator.findPlaces(of: parts, then: found)
  }
}

/// The error of a connection that could not be opened.
struct ConnectionFailure: Error, Equatable {
  /// The display's name, as Xlib resolved it.
  var displayName: String
}
