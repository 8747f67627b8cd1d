import XDnD

/// Checks the order of the messages between sources and targets.
///
/// A client is judged by the events that it has taken from its queue, not by those on their way to it.
struct Referee {
  /// A source window.
  ///
  /// The counts are totals: a client reads several events at once, and may not have handled all of them yet.
  struct Source {
    /// The window that has received Enter, but neither Leave nor Drop.
    var over: WindowID?
    /// Where messages to that window go: the window itself, or its proxy. A Status may name either.
    var destination: WindowID?
    /// Whether the client has read that the window is gone.
    var isLost = false
    /// The windows that have accepted a drop in a Status.
    var accepting: Set<WindowID> = []
    var enters = 0
    var positions = 0
    var statuses = 0
  }

  /// A source over a target window.
  struct Visit: Hashable {
    var source: WindowID
    var target: WindowID
  }

  struct Owed {
    var positions = 0
    var drops = 0
    var finished = 0
  }

  private(set) var sources: [WindowID: Source] = [:]
  private(set) var visits: [Visit: Owed] = [:]

  /// Drops that a target has taken and not finished.
  var unfinishedDrops: [Visit] { visits.filter { $0.value.drops > $0.value.finished }.map(\.key) }

  /// Notes that a client has read that a window is gone.
  mutating func heardOfLoss(of window: WindowID, by source: WindowID) {
    guard sources[source]?.over == window else { return }
    sources[source]?.isLost = true
  }

  // MARK: Sent messages

  /// Returns the fault of a message; `nil` if it is valid.
  mutating func sent(_ message: XdndMessage, to window: WindowID, via destination: WindowID, holdsGrab: Bool) -> String?
  {
    switch message {
    case .enter(let enter): sentEnter(enter, to: window, via: destination)
    case .position(let position): sentPosition(position, to: window)
    case .leave(let leave): sentLeave(leave, to: window)
    case .drop(let drop): sentDrop(drop, to: window, holdsGrab: holdsGrab)
    case .status(let status): sentStatus(Visit(source: window, target: status.target))
    case .finished(let finished): sentFinished(Visit(source: window, target: finished.target))
    }
  }

  private mutating func sentEnter(_ enter: XdndMessage.Enter, to window: WindowID, via destination: WindowID) -> String?
  {
    var source = sources[enter.source, default: Source()]
    let wasOver = source.isLost ? nil : source.over
    source.over = window
    source.destination = destination
    source.isLost = false
    source.enters += 1
    sources[enter.source] = source
    return wasOver.map { "Enter to \(window) while over \($0)" }
  }

  private mutating func sentPosition(_ position: XdndMessage.Position, to window: WindowID) -> String? {
    var source = sources[position.source, default: Source()]
    defer { sources[position.source] = source }
    source.positions += 1
    if source.over != window { return "Position without Enter" }
    if position.time == .currentTime { return "Position at no time" }
    // Each Enter and each Status allows one Position.
    return source.positions > source.enters + source.statuses ? "Position while a Status is due" : nil
  }

  private mutating func sentLeave(_ leave: XdndMessage.Leave, to window: WindowID) -> String? {
    guard sources[leave.source]?.over == window else { return "Leave without Enter" }
    sources[leave.source]?.over = nil
    return nil
  }

  private mutating func sentDrop(_ drop: XdndMessage.Drop, to window: WindowID, holdsGrab: Bool) -> String? {
    guard var source = sources[drop.source], source.over == window else { return "Drop without Enter" }
    let names = [source.over, source.destination].compactMap { $0 }
    source.over = nil
    sources[drop.source] = source
    if holdsGrab { return "Drop while the pointer is grabbed" }
    return names.contains(where: source.accepting.contains) ? nil : "Drop that was not accepted"
  }

  private func sentStatus(_ visit: Visit) -> String? {
    // A Status without a new Position is sent when the answer changes under a resting pointer, but never before the first
    // Position.
    visits[visit, default: Owed()].positions == 0 ? "Status without Position" : nil
  }

  private mutating func sentFinished(_ visit: Visit) -> String? {
    visits[visit, default: Owed()].finished += 1
    let owed = visits[visit, default: Owed()]
    return owed.finished > owed.drops ? "Finished without Drop" : nil
  }

  // MARK: Messages taken from the queue

  mutating func taken(_ message: XdndMessage, by window: WindowID) {
    switch message {
    case .status(let status):
      // A client may read a Status before it sends its Enter, handle it afterwards, and take it for an answer.
      sources[window, default: Source()].statuses += 1
      if status.acceptance != nil { sources[window]?.accepting.insert(status.target) }
    case .position(let position): visits[Visit(source: position.source, target: window), default: Owed()].positions += 1
    case .drop(let drop): visits[Visit(source: drop.source, target: window), default: Owed()].drops += 1
    case .enter, .leave, .finished: break
    }
  }
}
