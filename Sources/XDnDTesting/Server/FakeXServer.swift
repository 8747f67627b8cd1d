import XDnD

/// A model of an X server that several clients share, on a virtual clock.
///
/// Requests take effect at once, events reach their client after a latency and in order. It is a model that checks:
/// what a real server would answer with an error, and what the protocol forbids, ends up in ``impossible(_:)``. Only
/// clients that are ``FakeClient/isChecked`` are held to the protocol; scripted peers may be as rude as they like.
final class FakeXServer {
  struct Window {
    var id: WindowID
    var client: FakeClient
    var parent: WindowID?
    /// In root coordinates.
    var frame: Rect
    var isMapped = true
    /// In window coordinates; `nil` is the whole window.
    var inputShape: [Rect]?
    var properties: [AtomName: PropertyValue] = [:]
    /// Back to front.
    var children: [WindowID] = []
  }

  struct Selection {
    var owner: WindowID
    var changed: Timestamp
  }

  struct Grab {
    var client: FakeClient
    var cursor: CursorShape
  }

  let clock: VirtualClock
  /// The server's time at the clock's zero; near the end of the range it wraps soon.
  var epoch: UInt32 = 1_000_000
  /// How long an event is on its way.
  var latency: () -> Duration = { .milliseconds(1) }
  var maximumWriteSize = 4 << 20
  /// Printed with each mistake, for runs that differ by a number.
  var label = ""

  var windows: [WindowID: Window] = [:]
  /// Top-level windows, back to front.
  var stacking: [WindowID] = []
  var clients: [FakeClient] = []
  var selections: [AtomName: Selection] = [:]
  /// Conversions that the owner has not answered.
  var conversions: [(request: SelectionRequest, owner: FakeClient)] = []
  var pointer = Point(x: 0, y: 0)
  var buttons: Set<PointerButton> = []
  /// Where buttons went up while nobody held a grab: told to the window that was pressed in.
  var releases: [PointerButton: PointerSample] = [:]
  var modifiers: Modifiers = []
  var grab: Grab?
  var referee = Referee()
  /// Called in the middle of each round trip: what other clients do before the answer is there.
  var duringRoundTrip: ((FakeClient) -> Void)?
  /// Called with a sentence about what a client did and no client may do. If it is `nil`, the process ends.
  var onImpossible: ((String) -> Void)?

  private var atoms: [AtomName: Atom] = [:]
  private var names: [AtomName] = []

  init(clock: VirtualClock = VirtualClock()) {
    self.clock = clock
  }

  /// What no client may do.
  func impossible(_ what: String) {
    guard let onImpossible else { preconditionFailure("\(what) \(label)") }
    onImpossible(what)
  }

  /// The server's time; never 0, which means something else.
  var time: Timestamp {
    let milliseconds = clock.now.sinceStart / .milliseconds(1)
    let time = epoch &+ UInt32(truncatingIfNeeded: Int(milliseconds))
    return Timestamp(rawValue: time == 0 ? 1 : time)
  }

  // MARK: Atoms

  func atom(_ name: AtomName) -> Atom {
    if let known = atoms[name] { return known }
    names.append(name)
    let atom = Atom(rawValue: UInt32(names.count + 68))
    atoms[name] = atom
    return atom
  }

  func name(_ atom: Atom) -> AtomName? {
    let index = Int(atom.rawValue) - 69
    return names.indices.contains(index) ? names[index] : nil
  }

  // MARK: Clients

  func connect(checked: Bool = true) -> FakeClient {
    let client = FakeClient(server: self, number: clients.count + 1, isChecked: checked)
    clients.append(client)
    client.createDragWindow()
    return client
  }

  /// What the server does when a connection ends: by `exit`, by a crash, or by the network.
  func kill(_ client: FakeClient) {
    guard !client.isClosed else { return }
    client.isClosed = true
    client.image = nil
    if grab?.client === client { grab = nil }
    for window in windows.values.filter({ $0.client === client }).map(\.id).sorted() { destroy(window) }
    conversions.removeAll { $0.owner === client }
    client.forget()
  }

  /// Puts an event on its way.
  func deliver(_ event: FakeClient.Delivery, to client: FakeClient) {
    guard !client.isClosed else { return }
    client.arrive(event, at: clock.now + latency())
  }

  func deliver(_ event: ServerEvent, to client: FakeClient) { deliver(.event(event), to: client) }

  // MARK: Messages

  /// `XSendEvent` without a mask: the client that made `destination` gets it, whoever that is.
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
}
