import XDnDX11

/// Queues the driver's events and answers in order. Failed requests add the destroyed windows that they reveal.
final class EventQueue {
  private let display: DisplayHandle
  var classifier: EventClassifier

  /// The events and answers that ``next()`` returns before it reads more. A slice, whose first element is removed in
  /// constant time.
  private var pending: ArraySlice<Arrival> = []
  /// Whether, at the last call, a vanished window had to wait for an event that is still in the borrowed display's
  /// queue.
  private var isWaitingForHost = false
  /// The maximum number of replies of a batch that are passed on at once: a fraction of a millisecond. A display may
  /// have a thousand windows, and the program has other work to do.
  private static let slice = 256

  /// Called with each event that the driver does not consume, on an owned connection; for example, with events of the
  /// tools' windows. The pointer to an `XEvent` is valid during the call.
  var onForeignEvent: ((UnsafeRawPointer) -> Void)?

  init(_ display: DisplayHandle, _ classifier: EventClassifier) {
    self.display = display
    self.classifier = classifier
  }

  func append(_ event: ServerEvent) { pending.append(.event(event)) }

  func append(_ answer: Answer) { pending.append(.answer(answer)) }

  /// See ``WindowSystem/hasQueuedEvents``.
  var hasEvents: Bool {
    if !pending.isEmpty || display.hasVanished { return true }
    guard display.isOwned else { return false }
    // Once Xlib has read the replies, the descriptor is no longer readable.
    if !display.isClosed, display.openBatches.isAnswered { return true }
    return (display.request(onError: .swallow) { XEventsQueued($0, QueuedAlready) } ?? 0) > 0
  }

  /// See ``WindowSystem/nextArrival()``.
  func next() -> Arrival? {
    guard display.isOwned else { return nextPendingOfHost() }
    while true {
      if let arrival = nextPending() { return arrival }
      if !display.openBatches.isEmpty {
        // Reading delivers replies as well. They come before the next event if the server has sent them earlier.
        let serial = display.readAhead()
        if display.isClosed { return nextPending() }
        switch display.openBatches.completeFirst(before: serial, slice: Self.slice) {
        case .batch: continue
        case .slice: return nextPending()
        case .nothing: if serial == nil { return nextPending() }
        }
      }
      // Reading may have delivered errors instead of an event.
      guard var event = readEvent() else { return nextPending() }
      let (claim, first) = claim(&event)
      // The host may process later events in the callback; this one is delivered before them.
      if let first { pending.insert(.event(first), at: pending.startIndex) }
      if !claim.isConsumed { onForeignEvent?(&event) }
      if first == nil { return .other }
    }
  }

  /// Returns the next pending event or answer of a borrowed display.
  ///
  /// The host decides when it reads Xlib's queue, so a vanished window waits for the events before it only until the
  /// next call.
  private func nextPendingOfHost() -> Arrival? {
    let arrival = nextPending(isInOrder: !isWaitingForHost)
    isWaitingForHost = arrival == nil && display.hasVanished
    return arrival
  }

  /// Processes an event that the host of a borrowed display has read.
  ///
  /// - Parameters:
  ///   - xEvent: An `XEvent`.
  ///   - receive: Called for each event and answer that the driver must handle, in order.
  /// - Returns: Whether the event is for the driver only; the host should then skip it.
  func filter(_ xEvent: UnsafeRawPointer, _ receive: (Arrival) -> Void) -> Bool {
    isWaitingForHost = false
    let (claim, first) = claim(xEvent.assumingMemoryBound(to: XEvent.self))
    if let first {
      observe(first)
      receive(.event(first))
    }
    while let arrival = nextPending() { receive(arrival) }
    return claim.isConsumed
  }

  private func nextPending(isInOrder: Bool = true) -> Arrival? {
    pending += display.takeVanished(isInOrder: isInOrder).map { .event(.windowVanished($0)) }
    guard let arrival = pending.popFirst() else { return nil }
    if case .event(let event) = arrival { observe(event) }
    return arrival
  }

  /// Reports a vanished window to the wire tap: it may come from an error as well as from an event.
  private func observe(_ event: ServerEvent) {
    if case .windowVanished(let window) = event { classifier.tap.heard(.vanished(window)) }
  }

  /// Classifies an event. Returns the first of its events for the driver, and queues the others.
  private func claim(_ event: UnsafePointer<XEvent>) -> (EventClaim, first: ServerEvent?) {
    guard !display.isClosed else { return (.foreign, nil) }
    display.openBatches.passOn(before: event.pointee.xany.serial)
    let claim = classifier.classify(event)
    pending += claim.events.dropFirst().map(Arrival.event)
    return (claim, claim.events.first)
  }

  // MARK: Reading

  /// The next event that has arrived; never blocks.
  private func readEvent() -> XEvent? {
    guard var event = display.nextEvent() else { return nil }
    if event.type == MotionNotify { display.request(onError: .swallow) { Self.skipMotion(&event, $0) } }
    return event
  }

  /// Compresses consecutive motions of one window to the last one. Any other event between them ends the run.
  private static func skipMotion(_ event: inout XEvent, _ display: OpaquePointer) {
    var next = XEvent()
    while XEventsQueued(display, QueuedAlready) > 0 {
      XPeekEvent(display, &next)
      guard next.type == MotionNotify, next.xmotion.window == event.xmotion.window else { return }
      XNextEvent(display, &event)
    }
  }
}
