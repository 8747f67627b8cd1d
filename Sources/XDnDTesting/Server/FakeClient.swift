import XDnD

/// One connection to the simulated server.
///
/// It passes requests to the server, and keeps the state of the connection: the queues of events, the selected events,
/// the drag image. A test sets its ``behavior``, and reads its ``record``.
final class FakeClient: WindowSystem, CustomStringConvertible {
  /// The server of the connection, which owns its clients. A driver that retains a client may outlive the server.
  private weak var connectedServer: FakeXServer?
  /// Receives the requests once the server is gone. They have no effect.
  private lazy var absentServer: FakeXServer = {
    let server = FakeXServer()
    server.onImpossible = { _ in }
    return server
  }()
  private var isDisconnected = false
  let number: Int
  let isChecked: Bool
  var behavior = ClientBehavior() {
    didSet { for answer in behavior.takeReleasedAnswers() { server.deliver(answer, to: self) } }
  }
  private(set) var record = ClientRecord()
  var settings = DesktopSettings()
  let resourceMask: UInt32 = 0xF_FFFF
  /// Whether there is a compositing manager.
  var isComposited = true
  private(set) var dragWindow = WindowID.none
  private var lastWindow: UInt32 = 0

  private var queues = EventQueues()
  private var selected = SelectedEvents()
  private var places = FollowedWindows()
  /// Whether the server has ended a grab that this client has not released, or has refused a grab and the answer may
  /// not have arrived.
  private var hasLostGrab = false

  /// Whether the client keeps its knowledge about windows: from a grab to ``endTracking()``.
  private(set) var isTracking = false
  /// The pending search for a target.
  private weak var search: Question?

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

  /// Puts a delivery on its way to this client.
  func arrive(_ delivery: EventQueues.Delivery, at time: LoopTime) { queues.send(delivery, arrivingAt: time) }

  func forget() { queues.removeAll() }

  var readableAt: LoopTime? { queues.readableAt }

  private func roundTrip() {
    guard !isClosed else { return }
    record.roundTrips += 1
    server.duringRoundTrip?(self)
    // The server's reply comes after all events that it has sent before.
    queues.readSocket(at: server.clock.now + .seconds(3600))
  }

  func nextArrival() -> Arrival? {
    if isClosed { return nil }
    queues.readSocket(at: server.clock.now)
    while let delivery = queues.popFirst() {
      switch delivery {
      case .event(let event): return taken(event)
      case .words(let kind, let words, let window):
        return taken(.message(XdndMessage(kind, words: words, name: server.name), window: window))
      case .answer(let make):
        if let answer = make() { return .answer(answer) }
      }
    }
    return nil
  }

  private func taken(_ event: ServerEvent) -> Arrival {
    server.taken(event, by: self)
    return .event(event)
  }

  var hasQueuedEvents: Bool { !isClosed && queues.hasRead }

  func flush() {}

  /// Counts the requests that change properties. Only their serial numbers are compared.
  private(set) var nextSerial: UInt = 1

  // MARK: Late answers

  /// Puts an answer on its way, unless answers are held.
  private func deliver(_ answer: EventQueues.Delivery) {
    if !behavior.hold(answer) { server.deliver(answer, to: self) }
  }

  /// Answers a question whose answer always comes later.
  ///
  /// - Parameter canBeHeld: Whether ``ClientBehavior/holdsAnswers`` applies to the answer.
  private func answer(
    canBeHeld: Bool = true, turn: Answer.Turn = .ordered, _ take: @escaping () -> Void
  ) -> Question {
    let question = Question()
    let answer = EventQueues.Delivery.answer { [weak question] in Answer(to: question, turn, take: take) }
    if canBeHeld { deliver(answer) } else { server.deliver(answer, to: self) }
    return question
  }

  // MARK: Windows

  var interests: [WindowID: [WindowInterest: Int]] { selected.interests }

  func watches(_ window: WindowID, _ interest: WindowInterest) -> Bool { selected.contains(interest, of: window) }

  func watch(_ window: WindowID, for interest: WindowInterest) {
    guard window != .none else { return server.impossible("\(self) watches no window") }
    selected.select(interest, of: window)
    if !isClosed, server.windows[window] == nil { server.deliver(.windowVanished(window), to: self) }
  }

  func unwatch(_ window: WindowID, for interest: WindowInterest) {
    for _ in selected.deselect(interest, of: window) where isChecked {
      server.impossible("\(self) unwatches \(window), which it does not watch")
    }
  }

  func exists(_ window: WindowID) -> Bool {
    roundTrip()
    return !isClosed && server.windows[window] != nil
  }

  func translate(_ root: Point, to window: WindowID) -> Point? {
    if !places.isKnown(window) { roundTrip() }
    guard !isClosed, let origin = server.windows[window]?.frame.origin else { return nil }
    return Point(x: root.x - origin.x, y: root.y - origin.y)
  }

  func watchSoon(_ window: WindowID, for interest: WindowInterest) { watch(window, for: interest) }

  func watch(_ window: WindowID, for interest: WindowInterest, then selected: @escaping () -> Void) -> Question {
    watch(window, for: interest)
    return answer(selected)
  }

  func locateTarget(
    at point: Point, namingProgram namesProgram: Bool, then take: @escaping (FoundTarget) -> Void
  ) -> Reply<FoundTarget> {
    record.looks.append(image?.origin)
    guard !isClosed else { return .known(.nothing) }
    var found = server.windows.locateTarget(at: point, ignoring: dragWindow)
    if namesProgram { found.programClass = found.target.flatMap { programClass(of: $0.window) } }
    guard behavior.searchesLate() else { return .known(found) }
    let question = Question()
    search = question
    server.deliver(
      .answer { [weak self, weak question] in
        // `endTracking()` discards the pending search.
        question != nil && self?.search === question ? Answer(to: question, take: { take(found) }) : nil
      }, to: self)
    return .pending(question)
  }

  private func programClass(of window: WindowID) -> String? {
    guard case .units(let bytes, .byte)? = server.windows[window]?.properties[.windowClass]?.contents else {
      return nil
    }
    return WindowClass.program(in: Array(bytes))
  }

  func readOffer(of source: WindowID, typeList: Bool, then read: @escaping (SourceOffer) -> Void) -> Question {
    watch(source, for: .properties)
    // Any request may make Xlib read the events that have arrived.
    roundTrip()
    func list(_ property: AtomName) -> [AtomName]? {
      guard let value = server.windows[source]?.properties[property], value.type == .atom,
        case .atoms(let atoms) = value.contents
      else { return nil }
      return atoms.prefix(SourceOffer.listLimit).compactMap(\.self)
    }
    var offer = SourceOffer(types: typeList ? list(.xdndTypeList) : nil, operations: list(.xdndActionList))
    if case .units(let bytes, .byte)? = server.windows[source]?.properties[.xdndActionDescription]?.contents {
      offer.descriptions = SourceOffer.strings(in: Array(bytes))
    }
    return answer(canBeHeld: false) { [offer] in read(offer) }
  }

  func checkSource(_ source: WindowID, then checked: @escaping (_ isAlive: Bool) -> Void) -> Question {
    let owner = server.selections[.xdndSelection]?.owner ?? .none
    let isAlive = server.windows[source] != nil && owner != .none
    return answer(canBeHeld: false) { checked(isAlive) }
  }

  func dropPlaces() -> [DropPlace] {
    roundTrip()
    return isClosed ? [] : server.windows.dropPlaces(ignoring: dragWindow)
  }

  func dropTarget(for window: WindowID, at point: Point?) -> DropPlace? {
    roundTrip()
    return isClosed ? nil : server.windows.dropTarget(for: window, at: point)
  }

  // MARK: Windows of other clients

  func foreignWindow(_ window: WindowID) -> ForeignWindow? {
    roundTrip()
    guard !isClosed, let properties = server.windows[window]?.properties else { return nil }
    func link(_ name: AtomName) -> ForeignWindow.Link? {
      guard case .words(let words)? = properties[name]?.contents, let word = words.first else { return nil }
      let named = WindowID(rawValue: word)
      guard let window = server.windows[named] else { return .init(named, .gone) }
      return .init(named, window.properties[.xdndProxy] == .window(named) ? .proxy : .unrelated)
    }
    var foreign = ForeignWindow()
    foreign.aware = properties[.xdndAware]
    foreign.proxy = link(.xdndProxy)
    foreign.savedBy = link(.xdndSavedBy)
    foreign.savedAware = properties[.xdndSavedAware]
    foreign.savedProxy = properties[.xdndSavedProxy]
    return foreign
  }

  func topLevelWindow(of window: WindowID) -> WindowID? {
    roundTrip()
    guard !isClosed, var top = server.windows[window] else { return nil }
    while let parent = top.parent.flatMap({ server.windows[$0] }) { top = parent }
    return top.id
  }

  func createProxy() -> WindowID {
    server.createWindow(of: self, frame: Rect(x: -100, y: -100, width: 1, height: 1), isMapped: false)
  }

  func destroyProxy(_ proxy: WindowID) {
    if !isClosed { server.destroy(proxy) }
  }

  func findPointer(over window: WindowID, then found: @escaping (ForeignPlace?) -> Void) -> Question {
    let frame = server.windows[window]?.frame
    let isOver = frame?.contains(server.input.pointer) ?? false
    return answer { found(isOver ? frame.map { ForeignPlace(frame: $0, topLevel: window) } : nil) }
  }

  func cover(_ place: ForeignPlace, with proxy: WindowID) {
    guard !isClosed else { return }
    server.configure(proxy, frame: place.frame)
    server.setMapped(true, proxy)
    server.raise(proxy)
  }

  func uncover(_ proxy: WindowID) {
    if !isClosed { server.setMapped(false, proxy) }
  }

  func activate(_ window: WindowID, at time: Timestamp) {
    guard !isClosed else { return }
    if isChecked, time == .currentTime { server.impossible("\(self) activates \(window) at no time") }
    record.activations.append((window, time))
  }

  // MARK: Messages

  func send(_ message: XdndMessage, version: ProtocolVersion, to window: WindowID, via destination: WindowID) {
    guard !isClosed else { return }
    record.messagesSent.append(message)
    server.send(message, version: version, to: window, via: destination, from: self)
  }

  func send(_ notify: SelectionNotify) { server.send(notify, from: self) }

  // MARK: Properties

  func requestAtoms(
    in property: AtomName, of window: WindowID, type: AtomName, limit: Int, then read: @escaping ([AtomName?]?) -> Void
  ) -> Question {
    let atoms = atoms(in: property, of: window, type: type, limit: limit)
    return answer { read(atoms) }
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

  func value(of property: AtomName, on window: WindowID) -> (header: PropertyHeader, bytes: [UInt8])? {
    roundTrip()
    var bytes: [UInt8] = []
    let page = server.readPage(of: property, window, from: 0, delete: false, for: self) { bytes += $1 }
    return page.map { ($0.header, bytes) }
  }

  func requestPage(
    _ property: AtomName, of window: WindowID, from offset: Int, then read: @escaping (ContentPage?) -> Void
  ) -> Question {
    guard !isClosed else { return Question() }
    var bytes: [UInt8] = []
    // The server deletes the property now, and the answer comes later.
    let page = server.readPage(of: property, window, from: offset, delete: true, for: self) { bytes += $1 }
    let content = page.map { ContentPage(header: $0.header, bytes: PropertyBytes(bytes), left: $0.left) }
    return answer(canBeHeld: false) { read(content) }
  }

  func write(_ value: PropertyValue, to property: AtomName, of window: WindowID) {
    nextSerial += 1
    server.write(value, to: property, of: window, from: self)
  }

  func delete(_ property: AtomName, of window: WindowID) {
    nextSerial += 1
    server.delete(property, of: window, from: self)
  }

  var maximumWriteSize: Int { server.maximumWriteSize }

  // MARK: Text

  func text(fromCompoundText bytes: [UInt8]) -> String? { PortableCompoundText.decode(bytes) }

  // MARK: Selections

  var observed: Set<AtomName> { selected.observed }

  func learn(_ names: [AtomName]) { record.learned.formUnion(names) }

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
    selected.observeOwner(of: selection, isObserved)
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

  func claim(
    _ selection: AtomName, at time: Timestamp, then claimed: @escaping (_ isOurs: Bool) -> Void
  ) -> Reply<Bool> {
    record.learnedBeforeClaim = record.learned
    let isOurs = own(selection, at: time)
    guard !isClosed, behavior.beginsLate() else { return .known(isOurs) }
    return .pending(answer(canBeHeld: false) { claimed(isOurs) })
  }

  func grab(
    _ device: InputDevice, cursor: CursorShape, at time: Timestamp, then answered: @escaping (GrabResult) -> Void
  ) -> Reply<GrabResult> {
    roundTrip()
    record.grabbedDevices.append(device)
    guard !isClosed else { return .known(.failure(.closed)) }
    let isLate = behavior.beginsLate()
    let result = server.grab(for: self, cursor: cursor, at: time)
    if case .success = result {
      hasLostGrab = false
      isTracking = true
      record.cursors.append(cursor)
    } else if isLate {
      hasLostGrab = true
    }
    guard isLate else { return .known(result) }
    return .pending(answer(canBeHeld: false, turn: .settled) { answered(result) })
  }

  func queuedRelease(of button: PointerButton, since time: Timestamp) -> PointerSample? {
    guard !behavior.hasGreedyToolkit, let release = server.input.releases[button], !time.isLater(than: release.time)
    else {
      return nil
    }
    return release
  }

  func ungrab(at time: Timestamp) {
    guard !isClosed, !server.ungrab(for: self) else { return }
    // The pointer and the keyboard are lost one after the other, so a client may release one grab that the server has
    // ended.
    if isChecked, !hasLostGrab { server.impossible("\(self) lets go a grab that it has not") }
    hasLostGrab = false
  }

  /// Notes that the server has ended this client's grab.
  func loseGrab() { hasLostGrab = true }

  private var holdsGrab: Bool { server.grab?.client === self }

  func endTracking() {
    isTracking = false
    search = nil
  }

  func movePointer(_ move: PointerMove, at time: Timestamp) -> PointerSample? {
    roundTrip()
    guard !isClosed else { return nil }
    guard holdsGrab else {
      if isChecked, !hasLostGrab { server.impossible("\(self) moves the pointer without a grab") }
      return nil
    }
    if time == .currentTime { server.impossible("\(self) moves the pointer at no time") }
    let sample = server.movePointer(move, at: time)
    queues.pointerMoved(to: sample.point)
    return sample
  }

  func show(_ cursor: CursorShape) {
    if isChecked, !isClosed, !holdsGrab, !hasLostGrab { server.impossible("\(self) shows a cursor without a grab") }
    server.show(cursor, for: self)
    record.cursors.append(cursor)
  }

  // MARK: Drag image

  struct Image: Equatable {
    var bitmap: Bitmap
    var origin: Point
  }

  /// The drag image on the screen; `nil` while its window is not mapped.
  private(set) var image: Image?

  /// The past and present places of the drag image's upper left corner.
  private(set) var imagePlaces: [Point] = []

  func showImage(_ bitmap: Bitmap, at origin: Point) {
    guard !isClosed else { return }
    if bitmap.isEmpty { server.impossible("\(self) shows an image without pixels") }
    image = Image(bitmap: bitmap, origin: origin)
    imagePlaces.append(origin)
  }

  func moveImage(to origin: Point) {
    guard !isClosed, image != nil else { return }
    image?.origin = origin
    imagePlaces.append(origin)
  }

  func hideImage() { image = nil }

  func picture(of window: WindowID, _ area: Rect?) -> WindowPicture? {
    guard !isClosed, let frame = server.windows[window]?.frame, !frame.isEmpty else { return nil }
    let part = area ?? Rect(x: 0, y: 0, width: frame.width, height: frame.height)
    let place = part.moved(by: frame.origin)
    let pixels = Array(repeating: 0xFF00_00FF as UInt32, count: part.width * part.height)
    return Bitmap(width: part.width, height: part.height, pixels: pixels).map {
      WindowPicture(bitmap: $0, part: part, place: place)
    }
  }

  // MARK: Places of windows

  var followed: [WindowID: Int] { places.counts }

  /// The answer comes later if ``ClientBehavior/searchesLate`` returns `true`, or while answers are held.
  func follow(_ window: WindowID, then settled: @escaping () -> Void) -> Question? {
    let isKnown = places.isKnown(window)
    places.follow(window)
    guard !isClosed, !isKnown, behavior.searchesLate() || behavior.holdsAnswers || behavior.holdsPlaces else {
      return nil
    }
    let question = Question()
    let number = places.ask(about: window)
    let answer = EventQueues.Delivery.answer { [weak self, weak question] in
      self?.places.settle(number)
      return Answer(to: question, take: settled)
    }
    if !behavior.holdPlace(answer) { deliver(answer) }
    return question
  }

  func unfollow(_ window: WindowID) {
    if !places.unfollow(window) { server.impossible("\(self) unfollows \(window)") }
  }

  /// The answer comes later if ``ClientBehavior/searchesLate`` returns `true`, or while answers are held.
  func findPlaces(of parts: [WindowPart], then found: @escaping ([Rect?]) -> Void) -> Reply<[Rect?]> {
    let places = parts.map(visiblePlace)
    guard !isClosed, behavior.searchesLate() || behavior.holdsAnswers else { return .known(places) }
    return .pending(answer(turn: .whenRead) { found(places) })
  }

  /// The place of a part of a window, if the middle of the part is not covered. A child window covers nothing of its
  /// parent.
  private func visiblePlace(of part: WindowPart) -> Rect? {
    guard !isClosed, let found = server.windows[part.window], found.isMapped else { return nil }
    let place = part.frame.moved(by: found.frame.origin)
    return server.windows.topLevel(at: place.middle, ignoring: dragWindow) == part.window ? place : nil
  }
}
