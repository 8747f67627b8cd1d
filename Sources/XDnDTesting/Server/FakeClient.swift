import XDnD

/// One connection to the simulated server.
///
/// As in Xlib there are two queues: what is on its way or in the socket, and what has been read. A round trip reads
/// everything that has arrived, so after it the socket is quiet although there are events.
final class FakeClient: WindowSystem, CustomStringConvertible {
  enum Delivery: Equatable {
    case event(ServerEvent)
    case words(XdndMessageKind, MessageWords, window: WindowID)
  }

  /// The server of the connection. The server owns its clients, and a driver that outlives it keeps one of them.
  private weak var connectedServer: FakeXServer?
  /// What takes the requests once the server is gone: they have no effect.
  private lazy var absentServer: FakeXServer = {
    let server = FakeXServer()
    server.onImpossible = { _ in }
    return server
  }()
  private var isDisconnected = false
  let number: Int
  let isChecked: Bool
  /// Whether the process runs its event loop; a stopped one keeps its windows and says nothing.
  var isFrozen = false
  /// Whether the server has ended a grab that this client has not let go, or has refused one that it may not know of.
  var hasLostGrab = false
  var settings = DesktopSettings()
  /// Whether a toolkit takes the events of the windows as soon as they are there, so that the driver finds none.
  var hasGreedyToolkit = false
  let resourceMask: UInt32 = 0xF_FFFF
  /// Whether there is a compositing manager.
  var isComposited = true
  private(set) var dragWindow = WindowID.none

  /// How often each interest was asked for.
  private(set) var interests: [WindowID: [WindowInterest: Int]] = [:]
  /// The selections whose owners this client hears of.
  private(set) var observed: Set<AtomName> = [.xdndSelection]
  private(set) var roundTrips = 0
  private(set) var messagesSent: [XdndMessage] = []
  private(set) var cursors: [CursorShape] = []
  /// What is dragged, as it is on the screen.
  var image: Image?
  /// Where its upper-left corner has been.
  var imagePlaces: [Point] = []
  /// Where it was each time that a target was looked for.
  var looks: [Point?] = []

  /// Whether answers to questions that are not waited for stay on their way, until this is `false` again.
  var holdsAnswers = false {
    didSet {
      guard !holdsAnswers else { return }
      for event in heldAnswers { server.deliver(event, to: self) }
      heldAnswers = []
    }
  }
  private var heldAnswers: [ServerEvent] = []

  /// Whether the answers to the questions where windows are stay on their way, until this is `false` again.
  var holdsPlaces = false {
    didSet {
      guard !holdsPlaces else { return }
      for event in heldPlaces { answer(event) }
      heldPlaces = []
    }
  }
  private var heldPlaces: [ServerEvent] = []

  var socket: [(delivery: Delivery, at: LoopTime)] = []
  var read: ArraySlice<Delivery> = []
  private var lastWindow: UInt32 = 0

  init(server: FakeXServer, number: Int, isChecked: Bool) {
    connectedServer = server
    self.number = number
    self.isChecked = isChecked
  }

  var description: String { "client \(number)" }

  var server: FakeXServer { connectedServer ?? absentServer }

  /// Whether the connection has ended, or the server is gone.
  var isClosed: Bool {
    get { isDisconnected || connectedServer == nil }
    set { isDisconnected = newValue }
  }

  func createDragWindow() {
    dragWindow = server.createWindow(of: self, frame: Rect(x: -10, y: -10, width: 1, height: 1))
  }

  func nextWindowID() -> WindowID {
    lastWindow += 1
    return WindowID(rawValue: UInt32(number) << 20 | lastWindow)
  }

  // MARK: Queues

  func arrive(_ delivery: Delivery, at time: LoopTime) {
    socket.append((delivery, max(time, socket.last?.at ?? .zero)))
  }

  func forget() {
    socket = []
    read = []
  }

  /// When the descriptor becomes readable.
  var readableAt: LoopTime? { socket.first?.at }

  private func readSocket() {
    let arrived = socket.prefix { $0.at <= server.clock.now }
    read += arrived.map(\.delivery)
    socket.removeFirst(arrived.count)
  }

  func roundTrip() {
    guard !isClosed else { return }
    roundTrips += 1
    server.duringRoundTrip?(self)
    readSocket()
  }

  func nextEvent() -> ServerEvent? {
    if isClosed { return nil }
    readSocket()
    guard let delivery = read.popFirst() else { return nil }
    switch delivery {
    case .event(let event):
      if case .placeSettled(let question) = event { unsettled[question] = nil }
      if case .windowVanished(let window) = event { server.referee.heardOfLoss(of: window, by: dragWindow) }
      return event
    case .words(let kind, let words, let window):
      let message = XdndMessage(kind, words: words, name: server.name)
      if isChecked { server.referee.taken(message, by: window) }
      return .message(message, window: window)
    }
  }

  var hasQueuedEvents: Bool { !isClosed && !read.isEmpty }

  func flush() {}

  private func answer(_ event: ServerEvent) {
    if holdsAnswers { heldAnswers.append(event) } else { server.deliver(event, to: self) }
  }

  // MARK: Windows

  func watches(_ window: WindowID, _ interest: WindowInterest) -> Bool {
    (interests[window]?[interest] ?? 0) > 0
  }

  func watch(_ window: WindowID, for interest: WindowInterest) {
    guard window != .none else { return server.impossible("\(self) watches no window") }
    for single in [WindowInterest.destruction, .properties, .gestures] where interest.contains(single) {
      interests[window, default: [:]][single, default: 0] += 1
    }
    if !isClosed, server.windows[window] == nil { server.deliver(.windowVanished(window), to: self) }
  }

  func unwatch(_ window: WindowID, for interest: WindowInterest) {
    for single in [WindowInterest.destruction, .properties, .gestures] where interest.contains(single) {
      guard let count = interests[window]?[single], count > 0 else {
        if isChecked { server.impossible("\(self) unwatches \(window), which it does not watch") }
        continue
      }
      interests[window]?[single] = count == 1 ? nil : count - 1
      if interests[window]?.isEmpty == true { interests[window] = nil }
    }
  }

  func exists(_ window: WindowID) -> Bool {
    roundTrip()
    return !isClosed && server.windows[window] != nil
  }

  func translate(_ root: Point, to window: WindowID) -> Point? {
    if followed[window] == nil || unsettled.values.contains(window) { roundTrip() }
    guard !isClosed, let origin = server.windows[window]?.frame.origin else { return nil }
    return Point(x: root.x - origin.x, y: root.y - origin.y)
  }

  func watchSoon(_ window: WindowID, for interest: WindowInterest) { watch(window, for: interest) }

  func watch(_ window: WindowID, for interest: WindowInterest, as question: QuestionID) {
    watch(window, for: interest)
    answer(.watched(question))
  }

  /// Whether a search for a target or for places has to ask the server: then the answer is an event.
  var searchesLate: () -> Bool = { false }

  func locateTarget(at point: Point, namingProgram namesProgram: Bool, as question: QuestionID) -> TargetSearch {
    looks.append(image?.origin)
    guard !isClosed else { return .found(.nothing) }
    let target = server.locateTarget(at: point, for: self)
    let found = FoundTarget(
      target: target, programClass: namesProgram ? target.flatMap { programClass(of: $0.window) } : nil)
    guard searchesLate() else { return .found(found) }
    server.deliver(.targetFound(question, found), to: self)
    return .pending
  }

  private func programClass(of window: WindowID) -> String? {
    guard case .units(let bytes, .byte)? = server.windows[window]?.properties[.windowClass]?.contents else {
      return nil
    }
    return WindowClass.program(in: Array(bytes))
  }

  func readOffer(of source: WindowID, typeList: Bool, as question: QuestionID) {
    watch(source, for: .properties)
    // Any request may make Xlib read what has arrived.
    roundTrip()
    func list(_ property: AtomName) -> [AtomName]? {
      guard let value = server.windows[source]?.properties[property], value.type == .atom,
        case .atoms(let atoms) = value.contents
      else { return nil }
      return atoms.prefix(Negotiation.offerLimit).compactMap(\.self)
    }
    var offer = SourceOffer(types: typeList ? list(.xdndTypeList) : nil, operations: list(.xdndActionList))
    if case .units(let bytes, .byte)? = server.windows[source]?.properties[.xdndActionDescription]?.contents {
      offer.descriptions = SourceOffer.strings(in: Array(bytes))
    }
    server.deliver(.offerRead(question, offer), to: self)
  }

  func checkSource(_ source: WindowID, as question: QuestionID) {
    let owner = server.selections[.xdndSelection]?.owner ?? .none
    server.deliver(
      .sourceChecked(question, isAlive: server.windows[source] != nil && owner != .none), to: self)
  }

  func dropPlaces() -> [DropPlace] {
    roundTrip()
    return isClosed ? [] : server.dropPlaces(for: self)
  }

  /// The windows that were brought forward, and when.
  private(set) var activations: [(window: WindowID, time: Timestamp)] = []

  func activate(_ window: WindowID, at time: Timestamp) {
    guard !isClosed else { return }
    if isChecked, time == .currentTime { server.impossible("\(self) activates \(window) at no time") }
    activations.append((window, time))
  }

  // MARK: Messages

  func send(_ message: XdndMessage, version: ProtocolVersion, to window: WindowID, via destination: WindowID) {
    guard !isClosed else { return }
    messagesSent.append(message)
    if isChecked,
      let fault = server.referee.sent(message, to: window, via: destination, holdsGrab: server.grab?.client === self)
    {
      server.impossible("\(fault), by \(self)")
    }
    let words = message.words(version: version, atom: server.atom)
    server.send(message.kind, words, to: window, via: destination, from: self)
  }

  func send(_ notify: SelectionNotify) { server.send(notify, from: self) }

  // MARK: Properties

  func requestAtoms(
    in property: AtomName, of window: WindowID, type: AtomName, limit: Int, as question: QuestionID
  ) {
    answer(.atomsRead(question, atoms(in: property, of: window, type: type, limit: limit)))
  }

  func atoms(
    in property: AtomName, of window: WindowID, type: AtomName, limit: Int = Negotiation.offerLimit
  ) -> [AtomName?]? {
    guard !isClosed, let value = server.windows[window]?.properties[property], value.type == type,
      case .atoms(let atoms) = value.contents
    else { return nil }
    return Array(atoms.prefix(limit))
  }

  func names(ofAtoms numbers: [UInt32]) -> [AtomName?] {
    roundTrip()
    return numbers.map { server.name(Atom(rawValue: $0)) }
  }

  func readPage(
    _ property: AtomName, of window: WindowID, from offset: Int, delete: Bool,
    part: (PropertyHeader, UnsafeRawBufferPointer) -> Void
  ) -> (header: PropertyHeader, left: Int)? {
    roundTrip()
    return page(of: property, window, from: offset, delete: delete, part: part)
  }

  func requestPage(_ property: AtomName, of window: WindowID, from offset: Int, as question: QuestionID) {
    guard !isClosed else { return }
    var bytes: [UInt8] = []
    // The server deletes the property now, and the answer comes later.
    let page = page(of: property, window, from: offset, delete: true) { bytes += $1 }
    server.deliver(
      .pageRead(question, page.map { ContentPage(header: $0.header, bytes: PropertyBytes(bytes), left: $0.left) }),
      to: self)
  }

  /// What the server does when it reads a page.
  private func page(
    of property: AtomName, _ window: WindowID, from offset: Int, delete: Bool,
    part: (PropertyHeader, UnsafeRawBufferPointer) -> Void
  ) -> (header: PropertyHeader, left: Int)? {
    guard !isClosed, let owner = server.windows[window] else { return nil }
    guard let value = owner.properties[property] else {
      if delete, isChecked, server.clients.allSatisfy(\.isChecked) {
        server.impossible("\(self) reads \(property) of \(window), where nothing is")
      }
      return nil
    }
    // A real server calls an offset beyond the end an error.
    guard offset <= value.byteCount else { return nil }
    let header = PropertyHeader(type: value.type, format: value.format, byteCount: value.byteCount)
    let left: Int
    switch value.contents {
    case .units(let bytes, _):
      let page = bytes.dropFirst(offset).prefix(1 << 18)
      left = bytes.count - offset - page.count
      if !page.isEmpty { page.withUnsafeBytes { part(header, $0) } }
    case .words(let words):
      left = 0
      if !words.isEmpty { words.withUnsafeBytes { part(header, $0) } }
    case .atoms(let atoms):
      left = 0
      let words = atoms.map { $0.map { server.atom($0).rawValue } ?? 0 }
      if !words.isEmpty { words.withUnsafeBytes { part(header, $0) } }
    }
    if delete, left == 0 { server.delete(property, of: window, from: self) }
    return (header, left)
  }

  func write(_ value: PropertyValue, to property: AtomName, of window: WindowID) {
    server.write(value, to: property, of: window, from: self)
  }

  func delete(_ property: AtomName, of window: WindowID) { server.delete(property, of: window, from: self) }

  var maximumWriteSize: Int { server.maximumWriteSize }

  // MARK: Text

  func text(fromCompoundText bytes: [UInt8]) -> String? { PortableCompoundText.decode(bytes) }

  func compoundText(from text: String) -> [UInt8]? { PortableCompoundText.encode(text) }

  // MARK: Selections

  private var learned: Set<AtomName> = []
  /// The names whose atoms had been asked for when a drag last claimed the selection.
  private(set) var learnedBeforeClaim: Set<AtomName> = []

  func learn(_ names: [AtomName]) { learned.formUnion(names) }

  func own(_ selection: AtomName, at time: Timestamp) -> Bool {
    roundTrip()
    guard !isClosed else { return false }
    if isChecked, time == .currentTime { server.impossible("\(self) takes \(selection) at no time") }
    server.setOwner(dragWindow, of: selection, at: time)
    return server.selections[selection]?.owner == dragWindow
  }

  func disown(_ selection: AtomName, at time: Timestamp) {
    guard !isClosed, server.selections[selection]?.owner == dragWindow else { return }
    server.setOwner(.none, of: selection, at: time)
  }

  func owner(of selection: AtomName) -> WindowID {
    roundTrip()
    return isClosed ? .none : server.selections[selection]?.owner ?? .none
  }

  func observeOwner(of selection: AtomName, _ isObserved: Bool) {
    if isObserved { observed.insert(selection) } else { observed.remove(selection) }
  }

  func convert(
    _ selection: AtomName, to target: AtomName, property: AtomName, requestor: WindowID, time: Timestamp
  ) {
    server.convert(
      SelectionRequest(
        owner: .none, requestor: requestor, selection: selection, target: target, property: property, time: time),
      from: self)
  }

  func serverTime() -> Timestamp {
    roundTrip()
    return server.time
  }

  // MARK: Input

  /// Whether the answers to ``claim(_:at:as:)`` and ``grab(cursor:at:as:)`` are events.
  var beginsLate: () -> Bool = { false }

  func claim(_ selection: AtomName, at time: Timestamp, as question: QuestionID) -> Bool? {
    learnedBeforeClaim = learned
    let isOurs = own(selection, at: time)
    guard !isClosed, beginsLate() else { return isOurs }
    server.deliver(.selectionClaimed(question, isOurs), to: self)
    return nil
  }

  func grab(cursor: CursorShape, at time: Timestamp, as question: QuestionID) -> GrabResult? {
    roundTrip()
    guard !isClosed else { return .failure(.closed) }
    let isLate = beginsLate()
    let result = server.grab(for: self, cursor: cursor, at: time)
    if case .success = result { cursors.append(cursor) } else if isLate { hasLostGrab = true }
    guard isLate else { return result }
    server.deliver(.grabbed(question, result), to: self)
    return nil
  }

  func queuedRelease(of button: PointerButton, since time: Timestamp) -> PointerSample? {
    guard !hasGreedyToolkit, let release = server.releases[button], !time.isLater(than: release.time) else {
      return nil
    }
    return release
  }

  func ungrab(at time: Timestamp) { server.ungrab(for: self) }

  func endTracking() {}

  func show(_ cursor: CursorShape) {
    if isChecked, !isClosed, server.grab?.client !== self, !hasLostGrab {
      server.impossible("\(self) shows a cursor without a grab")
    }
    if server.grab?.client === self { server.grab?.cursor = cursor }
    cursors.append(cursor)
  }

  // MARK: Places of windows

  /// How often each window is followed.
  private(set) var followed: [WindowID: Int] = [:]

  /// The followed windows whose places are not known yet.
  private var unsettled: [QuestionID: WindowID] = [:]

  /// The answer is late where searches for targets are, and while it is held.
  func follow(_ window: WindowID, as question: QuestionID) -> Bool {
    let isKnown = followed[window] != nil && !unsettled.values.contains(window)
    followed[window, default: 0] += 1
    guard !isClosed, !isKnown, searchesLate() || holdsAnswers || holdsPlaces else { return true }
    unsettled[question] = window
    if holdsPlaces { heldPlaces.append(.placeSettled(question)) } else { answer(.placeSettled(question)) }
    return false
  }

  func unfollow(_ window: WindowID) {
    guard let count = followed[window] else { return server.impossible("\(self) unfollows \(window)") }
    followed[window] = count > 1 ? count - 1 : nil
    if count == 1 { unsettled = unsettled.filter { $0.value != window } }
  }

  /// The answer is late where searches for targets are, and while answers are held.
  func findPlaces(of parts: [WindowPart], as question: QuestionID) -> [Rect?]? {
    let places = parts.map(visiblePlace)
    guard !isClosed, searchesLate() || holdsAnswers else { return places }
    answer(.placesFound(question, places))
    return nil
  }
}
