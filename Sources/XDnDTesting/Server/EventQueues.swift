import XDnD

/// The queues of a connection.
///
/// As in Xlib there are two: one for deliveries in transit or in the socket, and one for deliveries that were read. A
/// round trip reads everything that has arrived, so after it the socket is quiet although there are events.
struct EventQueues {
  enum Delivery {
    case event(ServerEvent)
    /// Makes the answer when the delivery leaves the queue; `nil` if the search was given up.
    case answer(() -> Answer?)
    case words(XdndMessageKind, MessageWords, window: WindowID)
  }

  private var socket: [(delivery: Delivery, at: LoopTime)] = []
  private var read: ArraySlice<Delivery> = []

  /// When the descriptor becomes readable.
  var readableAt: LoopTime? { socket.first?.at }

  /// Whether a delivery was read and not taken.
  var hasRead: Bool { !read.isEmpty }

  /// Puts a delivery on its way, behind all others.
  mutating func send(_ delivery: Delivery, arrivingAt time: LoopTime) {
    socket.append((delivery, max(time, socket.last?.at ?? .zero)))
  }

  /// Reads the deliveries that have arrived.
  mutating func readSocket(at now: LoopTime) {
    let arrived = socket.prefix { $0.at <= now }
    read += arrived.map(\.delivery)
    socket.removeFirst(arrived.count)
  }

  /// Takes the first delivery that was read.
  mutating func popFirst() -> Delivery? { read.popFirst() }

  /// Updates the queues after the client has moved the pointer: the older motions are dropped, and key and button
  /// events get the new position.
  mutating func pointerMoved(to point: Point) {
    socket = socket.compactMap { entry in entry.delivery.moved(to: point).map { ($0, entry.at) } }
    read = read.compactMap { $0.moved(to: point) }[...]
  }

  mutating func removeAll() {
    socket = []
    read = []
  }
}

extension EventQueues.Delivery {
  fileprivate func moved(to point: Point) -> EventQueues.Delivery? {
    guard case .event(let event) = self else { return self }
    return event.onceMoved(to: point).map(EventQueues.Delivery.event)
  }
}
