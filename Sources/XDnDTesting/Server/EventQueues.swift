import XDnD

/// The queues of a connection.
///
/// As in Xlib there are two: what is on its way or in the socket, and what has been read. A round trip reads everything
/// that has arrived, so after it the socket is quiet although there are events.
struct EventQueues {
  enum Delivery {
    case event(ServerEvent)
    /// Makes an answer when it leaves the queue; `nil` if the search was given up.
    case answer(() -> Answer?)
    case words(XdndMessageKind, MessageWords, window: WindowID)
  }

  private var socket: [(delivery: Delivery, at: LoopTime)] = []
  private var read: ArraySlice<Delivery> = []

  /// When the descriptor becomes readable.
  var readableAt: LoopTime? { socket.first?.at }

  /// Whether something was read that has not been taken.
  var hasRead: Bool { !read.isEmpty }

  /// Puts a delivery on its way, behind all others.
  mutating func send(_ delivery: Delivery, arrivingAt time: LoopTime) {
    socket.append((delivery, max(time, socket.last?.at ?? .zero)))
  }

  /// Reads what has arrived.
  mutating func readSocket(at now: LoopTime) {
    let arrived = socket.prefix { $0.at <= now }
    read += arrived.map(\.delivery)
    socket.removeFirst(arrived.count)
  }

  /// Takes the first of what was read.
  mutating func popFirst() -> Delivery? { read.popFirst() }

  /// The client has moved the pointer: motion in the queues is older, and is dropped; keys and buttons are told where
  /// the pointer is now.
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
