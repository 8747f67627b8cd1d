@testable import XDnD

/// Knows who has said what to whom, and who may say what next.
///
/// A client is judged by what it has taken from its queue, not by what is on its way to it.
struct Referee {
  /// A source window as the server sees it.
  struct Source {
    /// The window that has had Enter, and neither Leave nor Drop.
    var over: WindowID?
    /// Where its messages go: itself, or its proxy. A Status may name either.
    var destination: WindowID?
    /// Whether the client has read that the window is gone; it need not have come to that yet.
    var isLost = false
    /// Whether the last Status accepted; `nil` before it came.
    var isAccepted: Bool?
    var positionsWithoutStatus = 0
    var drops = 0
    var finished = 0
  }

  /// What a target window has had of one source.
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

  /// A client has heard that a window is gone.
  mutating func heardOfLoss(of window: WindowID, by source: WindowID) {
    guard sources[source]?.over == window else { return }
    sources[source]?.isLost = true
  }

  // MARK: What a client sends

  /// Says what is wrong with a message; `nil` if nothing is.
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
    let before = sources[enter.source, default: Source()]
    sources[enter.source] = Source(
      over: window, destination: destination, drops: before.drops, finished: before.finished)
    return before.isLost ? nil : before.over.map { "Enter to \(window) while over \($0)" }
  }

  private mutating func sentPosition(_ position: XdndMessage.Position, to window: WindowID) -> String? {
    var source = sources[position.source, default: Source()]
    defer { sources[position.source] = source }
    source.positionsWithoutStatus += 1
    if source.over != window { return "Position without Enter" }
    if position.time == .currentTime { return "Position at no time" }
    return source.positionsWithoutStatus > 1 ? "Position while a Status is due" : nil
  }

  private mutating func sentLeave(_ leave: XdndMessage.Leave, to window: WindowID) -> String? {
    guard sources[leave.source]?.over == window else { return "Leave without Enter" }
    sources[leave.source]?.over = nil
    return nil
  }

  private mutating func sentDrop(_ drop: XdndMessage.Drop, to window: WindowID, holdsGrab: Bool) -> String? {
    guard var source = sources[drop.source], source.over == window else { return "Drop without Enter" }
    let isAccepted = source.isAccepted
    source.over = nil
    source.drops += 1
    sources[drop.source] = source
    if holdsGrab { return "Drop while the pointer is grabbed" }
    return isAccepted == true ? nil : "Drop that was not accepted"
  }

  private mutating func sentStatus(_ visit: Visit) -> String? {
    guard visits[visit, default: Owed()].positions > 0 else { return "Status without Position" }
    // One answer to a flood is enough, and a second one would be one too many.
    visits[visit]?.positions = 0
    return nil
  }

  private mutating func sentFinished(_ visit: Visit) -> String? {
    visits[visit, default: Owed()].finished += 1
    let owed = visits[visit, default: Owed()]
    return owed.finished > owed.drops ? "Finished without Drop" : nil
  }

  // MARK: What a client takes from its queue

  mutating func taken(_ message: XdndMessage, by window: WindowID) {
    switch message {
    case .status(let status):
      guard let source = sources[window], source.over != nil,
        [source.over, source.destination].contains(status.target)
      else { return }
      sources[window]?.positionsWithoutStatus = 0
      sources[window]?.isAccepted = status.acceptance != nil
    case .finished: sources[window]?.finished += 1
    case .position(let position): visits[Visit(source: position.source, target: window), default: Owed()].positions += 1
    case .drop(let drop): visits[Visit(source: drop.source, target: window), default: Owed()].drops += 1
    case .enter(let enter): visits[Visit(source: enter.source, target: window), default: Owed()].positions = 0
    case .leave: break
    }
  }
}
