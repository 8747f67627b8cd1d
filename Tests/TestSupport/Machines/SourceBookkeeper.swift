#if DEBUG
@testable package import XDnD

/// What must hold for whatever a source machine does; the search through all drags uses it, too.
package struct SourceBookkeeper: Hashable {
  package var holdsGrab = false
  package var watched: WindowID?
  /// Whom the last Enter went to, until Leave or Drop.
  package var entered: WindowID?
  package var isStatusDue = false
  /// Whether the last Status of the target was a yes.
  package var isWelcome = false
  package var hasDropped = false
  package var endCount = 0
  package var isServerLost = false
  package var complaint: String?

  package init() {}

  package mutating func hear(_ input: SourceMachine.Input, _ state: SourceMachine.State) {
    switch input {
    case .serverLost: isServerLost = true
    case .grabFailed, .grabRefused: if case .grabbing = state { holdsGrab = false }
    case .message(.status(let status)):
      guard let entered, status.target == entered else { return }
      isStatusDue = false
      isWelcome = status.acceptance != nil
    default: break
    }
  }

  package mutating func see(_ effect: SourceMachine.Effect) {
    if case .ignored = effect { return }
    if endCount > 0 { complaint = "did something after the end" }
    switch effect {
    case .grab: holdsGrab = true
    case .movePointer, .listDropPlaces:
      if !holdsGrab { complaint = "moved the pointer without the grab" }
    case .ungrab:
      if !holdsGrab { complaint = "let go what was not held" }
      holdsGrab = false
    case .watch(let window):
      if watched != nil { complaint = "watched two windows" }
      watched = window
    case .unwatch(let window):
      if watched != window { complaint = "unwatched what was not watched" }
      watched = nil
      entered = nil
    case .send(let message, let target): see(message, to: target.window)
    case .ended:
      endCount += 1
      if endCount > 1 { complaint = "ended twice" }
      if !isServerLost, holdsGrab { complaint = "kept the grab" }
      if !isServerLost, watched != nil { complaint = "kept a watch" }
    default: break
    }
  }

  private mutating func see(_ message: XdndMessage, to target: WindowID) {
    if hasDropped { complaint = "spoke after the Drop" }
    switch message {
    case .enter:
      if entered != nil { complaint = "entered without having left" }
      entered = target
      isStatusDue = false
      isWelcome = false
      return
    case .position:
      if isStatusDue { complaint = "two Positions without Status" }
      isStatusDue = true
    case .leave: isStatusDue = false
    case .drop:
      if holdsGrab { complaint = "dropped with the grab" }
      if isStatusDue { complaint = "dropped before the Status" }
      if !isWelcome { complaint = "dropped where it was not welcome" }
      hasDropped = true
    case .status, .finished: complaint = "sent what only targets send"
    }
    if entered != target { complaint = "spoke to a target that was not entered" }
    if message.kind == .leave { entered = nil }
  }
}
#endif
