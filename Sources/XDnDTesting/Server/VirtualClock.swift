import XDnD

/// The time of a simulation: it stands still until ``advance(to:)`` moves it.
final class VirtualClock {
  private(set) var now = LoopTime.zero

  func advance(to time: LoopTime) { now = max(now, time) }
}
