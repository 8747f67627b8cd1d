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

  /// The target at a point, also if the answer comes late. Other events before it are dropped.
  func locateTarget(at point: Point, patience: Duration = .seconds(5)) -> DropTarget? {
    let question = QuestionID(rawValue: 1)
    if case .found(let found) = locateTarget(at: point, namingProgram: false, as: question) { return found.target }
    let found = answer(patience: patience) { event -> FoundTarget? in
      if case .targetFound(question, let found) = event { found } else { nil }
    }
    return found?.target
  }

  func follow(_ window: WindowID) { _ = follow(window, as: QuestionID(rawValue: 4)) }

  /// Where a part of a window is on the screen, also if the answer comes late. Other events before it are dropped.
  func visiblePlace(of frame: Rect, in window: WindowID) -> Rect? {
    let question = QuestionID(rawValue: 3)
    let places =
      findPlaces(of: [WindowPart(window: window, frame: frame)], as: question)
      ?? answer(patience: .seconds(5)) { event -> [Rect?]? in
        if case .placesFound(question, let places) = event { places } else { nil }
      }
    return places?.first ?? nil
  }

  /// Grabs pointer and keyboard, and waits for the answer. Other events before it are dropped.
  func grab(
    _ device: InputDevice = .core, cursor: XDnD.CursorShape, at time: Timestamp
  ) throws(GrabFailure) -> (PointerSample, down: Set<PointerButton>) {
    let question = QuestionID(rawValue: 2)
    let result =
      grab(device, cursor: cursor, at: time, as: question)
      ?? answer(patience: .seconds(5)) { event -> GrabResult? in
        if case .grabbed(question, let result) = event { result } else { nil }
      }
    let start = try (result ?? .failure(.closed)).get()
    return (start.pointer, start.down)
  }

  /// The answer to a question that comes as an event.
  func answer<Answer>(patience: Duration = .seconds(5), _ find: (ServerEvent) -> Answer?) -> Answer? {
    if display.isOwned { return next(patience: patience) { find($0) != nil }.flatMap(find) }
    var answer: Answer?
    takeReplies(patience: patience, receive: { if let found = find($0) { answer = found } })
    return answer
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

  /// Reads a list of atoms. Other events before the answer are dropped.
  func atoms(in property: AtomName, of window: WindowID, type: AtomName) -> [AtomName?]? {
    let question = QuestionID(rawValue: 2)
    requestAtoms(in: property, of: window, type: type, limit: Negotiation.offerLimit, as: question)
    var list: [AtomName?]?
    func isAnswer(_ event: ServerEvent) -> Bool {
      guard case .atomsRead(question, let answer) = event else { return false }
      list = answer
      return true
    }
    if display.isOwned { _ = next(where: isAnswer) } else { takeReplies(receive: { _ = isAnswer($0) }) }
    return list
  }

  /// All that has happened up to now.
  func drain() -> [ServerEvent] {
    _ = serverTime()
    var events: [ServerEvent] = []
    while let event = nextEvent() { events.append(event) }
    return events
  }

  /// A page of a property, which comes as an event. Other events before it are dropped.
  func page(_ name: String, of window: WindowID, from offset: Int = 0) -> ContentPage? {
    let question = QuestionID(rawValue: 1)
    requestPage(AtomName(name), of: window, from: offset, as: question)
    let answer = next { if case .pageRead(question, _) = $0 { true } else { false } }
    guard case .pageRead(_, let page)? = answer else { return nil }
    return page
  }

  /// The bytes of a property, and how many parts it came in.
  func bytes(_ name: String, of window: WindowID, delete: Bool = false) -> (
    header: PropertyHeader, bytes: [UInt8], parts: Int
  )? {
    var bytes: [UInt8] = []
    var parts = 0
    let header = read(AtomName(name), of: window, delete: delete) { _, part in
      bytes += part
      parts += 1
    }
    return header.map { ($0, bytes, parts) }
  }
}
