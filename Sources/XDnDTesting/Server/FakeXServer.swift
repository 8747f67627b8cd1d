import XDnD

/// A model of an X server that several clients share, on a virtual clock.
///
/// Requests take effect at once; events reach their client after a latency and in order. The model reports mistakes to
/// ``impossible(_:)``: requests that a real server would answer with an error, and messages that the protocol forbids.
/// Only clients with ``FakeClient/isChecked`` must follow the protocol; scripted peers may break it.
///
/// The functions are requests of clients and actions of the user. Each changes ``windows``, ``selections`` or ``input``,
/// and delivers the events of the change.
final class FakeXServer {
  let clock: VirtualClock
  /// The server's time at the clock's zero. With a value near the end of the range, the server's time soon wraps.
  var epoch: UInt32 = 1_000_000
  /// How long an event takes to arrive.
  var latency: () -> Duration = { .milliseconds(1) }
  var maximumWriteSize = 4 << 20
  /// Printed with a mistake that ends the process, for example the number of a run.
  var label = ""
  /// Called in the middle of each round trip, for actions of other clients before the reply arrives.
  var duringRoundTrip: ((FakeClient) -> Void)?
  /// Called with a sentence about an action that no client may take. If it is `nil`, the process ends.
  var onImpossible: ((String) -> Void)?

  private(set) var windows = ServerWindows()
  private(set) var selections = SelectionTable()
  private(set) var input = InputDevices()
  private(set) var referee = Referee()
  private var atoms = InternedAtoms()
  private var clients: [FakeClient] = []

  init(clock: VirtualClock = VirtualClock()) {
    self.clock = clock
  }

  /// Reports an action that no client may take.
  func impossible(_ what: String) {
    guard let onImpossible else { preconditionFailure("\(what) \(label)") }
    onImpossible(what)
  }

  /// The server's time; never 0, which is `CurrentTime`.
  var time: Timestamp {
    let milliseconds = clock.now.sinceStart / .milliseconds(1)
    let time = epoch &+ UInt32(truncatingIfNeeded: Int(milliseconds))
    return Timestamp(rawValue: time == 0 ? 1 : time)
  }

  // MARK: Atoms

  func atom(_ name: AtomName) -> Atom { atoms.atom(name) }

  func name(_ atom: Atom) -> AtomName? { atoms.name(atom) }

  // MARK: Clients

  func connect(checked: Bool = true) -> FakeClient {
    let client = FakeClient(server: self, number: clients.count + 1, isChecked: checked)
    clients.append(client)
    client.createDragWindow()
    return client
  }

  /// Ends a connection, as when the client exits or crashes, or the network fails.
  func kill(_ client: FakeClient) {
    guard !client.isClosed else { return }
    client.isClosed = true
    client.hideImage()
    if grab?.client === client { input.endGrab() }
    for window in windows.values.filter({ $0.client === client }).map(\.id).sorted() { destroy(window) }
    selections.forgetConversions(askedOf: client)
    client.forget()
  }

  /// Puts a delivery on its way.
  func deliver(_ delivery: EventQueues.Delivery, to client: FakeClient) {
    guard !client.isClosed else { return }
    client.arrive(delivery, at: clock.now + latency())
  }

  func deliver(_ event: ServerEvent, to client: FakeClient) { deliver(.event(event), to: client) }

  /// Delivers an event to the clients that have selected events of a window.
  private func deliver(_ event: ServerEvent, toWatchersOf window: WindowID, for interest: WindowInterest) {
    for client in clients where client.watches(window, interest) { deliver(event, to: client) }
  }

  /// Delivers an event to the client that holds the grab.
  private func deliverToGrab(_ event: ServerEvent) {
    if let client = grab?.client { deliver(event, to: client) }
  }

  // MARK: Windows

  /// Makes a window, on top of its siblings.
  @discardableResult
  func createWindow(
    of client: FakeClient, frame: Rect = Rect(x: 0, y: 0, width: 100, height: 100), in parent: WindowID? = nil,
    isMapped: Bool = true
  ) -> WindowID {
    let id = client.nextWindowID()
    windows.insert(.init(id: id, client: client, parent: parent, frame: frame, isMapped: isMapped))
    if parent == nil, isMapped { stackingChanged() }
    return id
  }

  func destroy(_ window: WindowID) {
    guard let gone = windows[window] else { return }
    for child in gone.children { destroy(child) }
    windows.remove(window)
    for selection in selections.selections(ownedBy: window) { setOwner(.none, of: selection, at: time) }
    selections.forgetConversions(requestedBy: window)
    deliver(.windowVanished(window), toWatchersOf: window, for: .destruction)
    if gone.parent == nil, gone.isMapped { stackingChanged() }
  }

  func raise(_ window: WindowID) {
    windows.raise(window)
    stackingChanged()
  }

  func setMapped(_ isMapped: Bool, _ window: WindowID) {
    windows.setMapped(isMapped, window)
    stackingChanged()
  }

  /// Moves and resizes a window without an event.
  ///
  /// - Parameter frame: In root coordinates.
  func configure(_ window: WindowID, frame: Rect) { windows.configure(window, frame: frame) }

  /// - Parameter shape: In window coordinates; `nil` is the whole window.
  func setInputShape(_ shape: [Rect]?, of window: WindowID) { windows.setInputShape(shape, of: window) }

  /// Reports a change only to the client with the grab: like a real connection, it keeps a model of the windows only
  /// during a grab.
  private func stackingChanged() { deliverToGrab(.stackingChanged) }

  // MARK: Properties

  func write(_ value: PropertyValue, to property: AtomName, of window: WindowID, from client: FakeClient) {
    guard !client.isClosed else { return }
    guard window != .none else { return impossible("\(property) written to no window by \(client)") }
    if value.byteCount > maximumWriteSize {
      impossible("\(value.byteCount) bytes written at once to \(property) by \(client)")
    }
    guard let old = windows[window] else { return deliver(.windowVanished(window), to: client) }
    if client.isChecked, old.client !== client, property.isTransfer, old.properties[property] != nil,
      value.type != .atomPair
    {
      impossible("\(property) of \(window) overwritten by \(client) before it was taken")
    }
    windows.setProperty(property, of: window, to: value)
    deliver(change: .propertyChanged(property, of: window), of: property, of: window)
  }

  func delete(_ property: AtomName, of window: WindowID, from client: FakeClient) {
    guard !client.isClosed else { return }
    guard window != .none else { return impossible("\(property) deleted of no window by \(client)") }
    guard windows[window] != nil else { return deliver(.windowVanished(window), to: client) }
    guard windows.removeProperty(property, of: window) else { return }
    deliver(change: .propertyDeleted(property, of: window), of: property, of: window)
  }

  /// Delivers a change of a property; a change of a window's XDND awareness has its own event.
  private func deliver(change: ServerEvent, of property: AtomName, of window: WindowID) {
    for client in clients where client.watches(window, .properties) {
      let isAwareness = ServerEvent.awarenessProperties.contains(property)
      deliver(
        isAwareness ? .awarenessChanged(property, of: window, serial: client.nextSerial - 1) : change, to: client)
    }
  }

  /// Removes a property without an event.
  func removeProperty(_ property: AtomName, of window: WindowID) { windows.removeProperty(property, of: window) }

  /// Reads a page of a property. With `delete`, deletes the property with its last page.
  func readPage(
    of property: AtomName, _ window: WindowID, from offset: Int, delete: Bool, for client: FakeClient,
    part: (PropertyHeader, UnsafeRawBufferPointer) -> Void
  ) -> (header: PropertyHeader, left: Int)? {
    guard !client.isClosed, let owner = windows[window] else { return nil }
    guard let value = owner.properties[property] else {
      if delete, client.isChecked, clients.allSatisfy(\.isChecked) {
        impossible("\(client) reads \(property) of \(window), where nothing is")
      }
      return nil
    }
    // A real server answers an offset beyond the end with an error.
    guard offset <= value.byteCount else { return nil }
    let header = PropertyHeader(type: value.type, format: value.format, byteCount: value.byteCount)
    let left = value.readPage(from: offset, atom: atom) { part(header, $0) }
    if delete, left == 0 { self.delete(property, of: window, from: client) }
    return (header, left)
  }

  // MARK: Messages

  /// Sends a message of the library, and checks it if the client is checked.
  func send(
    _ message: XdndMessage, version: ProtocolVersion, to window: WindowID, via destination: WindowID,
    from client: FakeClient
  ) {
    if client.isChecked,
      let fault = referee.sent(message, to: window, via: destination, holdsGrab: grab?.client === client)
    {
      impossible("\(fault), by \(client)")
    }
    let words = message.words(version: version, atom: atom)
    send(message.kind, words, to: window, via: destination, from: client)
  }

  /// `XSendEvent` without a mask: the client that created `destination` receives the event.
  func send(
    _ kind: XdndMessageKind, _ words: MessageWords, to window: WindowID, via destination: WindowID,
    from client: FakeClient
  ) {
    guard !client.isClosed else { return }
    guard destination != .none, window != .none else { return impossible("\(kind) sent to no window by \(client)") }
    guard let receiver = windows[destination]?.client else {
      return deliver(.windowVanished(destination), to: client)
    }
    deliver(.words(kind, words, window: window), to: receiver)
  }

  /// Reports an event that a client has taken from its queue to the referee.
  func taken(_ event: ServerEvent, by client: FakeClient) {
    switch event {
    case .windowVanished(let window): referee.heardOfLoss(of: window, by: client.dragWindow)
    case .message(let message, let window): if client.isChecked { referee.taken(message, by: window) }
    default: break
    }
  }

  // MARK: Selections

  /// The conversions that their owners have not answered.
  var conversions: [SelectionTable.Conversion] { selections.conversions }

  /// `SetSelectionOwner`.
  func setOwner(_ owner: WindowID, of selection: AtomName, at stated: Timestamp) {
    let time = stated == .currentTime ? self.time : stated
    let old = selections[selection]?.owner
    guard owner == .none || windows[owner] != nil,
      selections.setOwner(owner, of: selection, at: time, now: self.time)
    else { return }
    // A client that replaces its own window as the owner is not notified; a client that gives up the selection is.
    if let old, old != owner, let loser = windows[old]?.client,
      owner == .none || windows[owner]?.client !== loser
    {
      deliver(.selectionCleared(selection, owner: old, time: time), to: loser)
    }
    for client in clients where client.observed.contains(selection) {
      deliver(.selectionOwnerChanged(selection, owner: owner), to: client)
    }
  }

  func convert(_ request: SelectionRequest, from client: FakeClient) {
    guard !client.isClosed else { return }
    if client.isChecked, request.property == nil { impossible("conversion to no property by \(client)") }
    guard windows[request.requestor] != nil else { return deliver(.windowVanished(request.requestor), to: client) }
    guard let owner = selections[request.selection]?.owner, let receiver = windows[owner]?.client else {
      let refusal = SelectionNotify(
        requestor: request.requestor, selection: request.selection, target: request.target, property: nil,
        time: request.time)
      return deliver(.selectionNotify(refusal), to: client)
    }
    var request = request
    request.owner = owner
    selections.begin(request, askedOf: receiver)
    deliver(.selectionRequest(request), to: receiver)
  }

  func send(_ notify: SelectionNotify, from client: FakeClient) {
    guard !client.isClosed else { return }
    guard notify.requestor != .none else { return impossible("SelectionNotify to no window by \(client)") }
    guard let requestor = windows[notify.requestor]?.client else {
      return deliver(.windowVanished(notify.requestor), to: client)
    }
    if !selections.end(with: notify, from: client), client.isChecked {
      impossible("\(client) answers a conversion to \(notify.target?.rawValue ?? "None") that nobody waits for")
    }
    deliver(.selectionNotify(notify), to: requestor)
  }

  // MARK: Grabs

  var grab: InputDevices.Grab? { input.grab }

  func grab(for client: FakeClient, cursor: CursorShape, at time: Timestamp) -> GrabResult {
    if time == .currentTime { impossible("\(client) grabs at no time") }
    guard input.grab(for: client, cursor: cursor) else { return .failure(.alreadyGrabbed) }
    return .success(GrabStart(pointer: sample, down: buttons))
  }

  /// Ends a client's grab; `false` if the client has none.
  func ungrab(for client: FakeClient) -> Bool {
    guard grab?.client === client else { return false }
    input.endGrab()
    return true
  }

  /// Ends the grab, as a screen locker does.
  func breakGrab() {
    guard let client = input.endGrab() else { return }
    client.loseGrab()
    deliver(.grabLost, to: client)
  }

  /// Changes the cursor of a client's grab. Without a grab it has no effect.
  func show(_ cursor: CursorShape, for client: FakeClient) { input.show(cursor, for: client) }

  /// Moves the pointer for the client with the grab, which learns the new position at once.
  func movePointer(_ move: PointerMove, at time: Timestamp) -> PointerSample {
    input.movePointer(move)
    return input.sample(at: time)
  }

  // MARK: The user

  var pointer: Point { input.pointer }
  var buttons: Set<PointerButton> { input.buttons }
  var modifiers: Modifiers { input.modifiers }

  private var sample: PointerSample { input.sample(at: time) }

  func movePointer(to point: Point) {
    input.movePointer(.to(point))
    deliverToGrab(.pointerMoved(sample))
  }

  func press(_ button: PointerButton) {
    input.press(button)
    deliverToGrab(.buttonPressed(button, sample))
  }

  func release(_ button: PointerButton) {
    input.release(button, at: time)
    deliverToGrab(.buttonReleased(button, sample))
  }

  func hold(_ modifiers: Modifiers) {
    input.hold(modifiers)
    deliverToGrab(.modifiersChanged(sample))
  }

  func pressEscape() { press(.cancel) }

  func press(_ key: DragKey) { deliverToGrab(.keyPressed(key, sample)) }

  /// Turns the wheel by one notch, which X reports as a press and a release of a button.
  func turnWheel(_ direction: WheelScroll.Direction) {
    let button = PointerButton(rawValue: direction.rawValue + 4)
    press(button)
    release(button)
  }
}

extension AtomName {
  /// Whether the library transfers content in properties of this name.
  fileprivate var isTransfer: Bool { rawValue.hasPrefix("XDND_TRANSFER_") }
}
