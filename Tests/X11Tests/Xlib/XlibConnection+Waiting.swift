import XDnDX11
import Glibc
import TestSupport

@testable import XDnD

extension XlibConnection {
  convenience init(_ server: XServer) throws {
    guard DisplayConnection.threadsAreReady else { throw HarnessError("this libX11 has no threads") }
    try self.init(connectingTo: server.displayName)
  }

  /// The next event for which `isWanted` holds, while patience lasts; those before it are dropped.
  func next(
    patience: Duration = .seconds(5), where isWanted: (ServerEvent) -> Bool = { _ in true }
  ) -> ServerEvent? {
    let deadline = ContinuousClock.now + patience
    while ContinuousClock.now < deadline, !isClosed {
      while let event = nextEvent() {
        if isWanted(event) { return event }
      }
      flush()
      var descriptor = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, 100)
    }
    return nil
  }

  /// The target at a point, also if the answer comes late. Events before it are dropped.
  func locateTarget(at point: Point, patience: Duration = .seconds(5)) -> DropTarget? {
    answer(patience: patience) { locateTarget(at: point, namingProgram: false, then: $0) }?.target
  }

  func follow(_ window: WindowID) { _ = follow(window) {} }

  /// Where a part of a window is on the screen, also if the answer comes late. Events before it are dropped.
  func visiblePlace(of frame: Rect, in window: WindowID) -> Rect? {
    answer { findPlaces(of: [WindowPart(window: window, frame: frame)], then: $0) }?.first ?? nil
  }

  /// Grabs pointer and keyboard, and waits for the answer. Events before it are dropped.
  func grab(
    _ device: InputDevice = .core, cursor: XDnD.CursorShape, at time: Timestamp
  ) throws(GrabFailure) -> (PointerSample, down: Set<PointerButton>) {
    let result = answer { grab(device, cursor: cursor, at: time, then: $0) }
    let start = try (result ?? .failure(.closed)).get()
    return (start.pointer, start.down)
  }

  /// The answer to a question, while patience lasts. Events before it are dropped.
  func answer<Value>(patience: Duration = .seconds(5), to ask: (@escaping (Value) -> Void) -> Reply<Value>) -> Value? {
    var value: Value?
    switch ask({ value = $0 }) {
    case .known(let known): return known
    case .pending(let question):
      withExtendedLifetime(question) {
        if display.isOwned { wait(patience: patience) { value != nil } } else { takeReplies(patience: patience) }
      }
      return value
    }
  }

  /// The answer to a question that is always answered later.
  func answer<Value>(patience: Duration = .seconds(5), to ask: (@escaping (Value) -> Void) -> Question) -> Value? {
    answer(patience: patience, to: { Reply<Value>.pending(ask($0)) })
  }

  /// Takes what arrives until something holds, while patience lasts. Events are dropped.
  func wait(patience: Duration = .seconds(5), until isDone: () -> Bool) {
    let deadline = ContinuousClock.now + patience
    while ContinuousClock.now < deadline, !isClosed {
      while !isDone(), let arrival = nextArrival() {
        if case .answer(let answer) = arrival { answer.deliver() }
      }
      if isDone() { return }
      flush()
      var descriptor = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, 100)
    }
  }

  /// Processes an event that the host has read. Answers that come with it are given to those who have asked.
  func filter(_ xEvent: UnsafeRawPointer, _ receive: (ServerEvent) -> Void) -> Bool {
    filter(xEvent) { (arrival: Arrival) in
      switch arrival {
      case .event(let event): receive(event)
      case .answer(let answer): answer.deliver()
      case .other: break
      }
    }
  }

  /// Processes the replies that are on their way to this borrowed display, while patience lasts. Other events stay in the
  /// host's queue.
  ///
  /// - Parameter pause: Called while nothing has arrived. By default the host sends no requests meanwhile.
  func takeReplies(
    patience: Duration = .seconds(5), pause: ((OpaquePointer) -> Void)? = nil,
    receive: (ServerEvent) -> Void = { _ in }
  ) {
    let deadline = ContinuousClock.now + patience
    while !display.openBatches.isEmpty, ContinuousClock.now < deadline, let opaque = display.opaque {
      var event = XEvent()
      if XCheckTypedWindowEvent(opaque, dragWindow.xid, PropertyNotify, &event) != 0 {
        _ = filter(&event, receive)
      } else if let pause {
        pause(opaque)
      } else {
        var descriptor = pollfd(fd: XConnectionNumber(opaque), events: Int16(POLLIN), revents: 0)
        poll(&descriptor, 1, 10)
      }
    }
  }

  /// Reads a list of atoms. Events before the answer are dropped.
  func atoms(in property: AtomName, of window: WindowID, type: AtomName) -> [AtomName?]? {
    answer { requestAtoms(in: property, of: window, type: type, limit: Negotiation.offerLimit, then: $0) } ?? nil
  }

  /// All events up to now. Answers among them are given to those who have asked.
  func drain() -> [ServerEvent] {
    _ = serverTime()
    var events: [ServerEvent] = []
    while let event = nextEvent() { events.append(event) }
    return events
  }

  /// A page of a property. Events before it are dropped.
  func page(_ name: String, of window: WindowID, from offset: Int = 0) -> ContentPage? {
    answer { requestPage(AtomName(name), of: window, from: offset, then: $0) } ?? nil
  }

  /// The bytes of a property, and how many parts it came in.
  func bytes(_ name: String, of window: WindowID, delete: Bool = false) -> (
    header: PropertyHeader, bytes: [UInt8], parts: Int
  )? {
    var bytes: [UInt8] = []
    var parts = 0
    while true {
      let page = properties.readPage(AtomName(name), of: window, from: bytes.count, delete: delete) { _, part in
        bytes += part
        parts += 1
      }
      guard let page else { return nil }
      if page.left == 0 { return (page.header, bytes, parts) }
    }
  }
}
