import XDnD

/// The time of a simulation: it stands still until somebody moves it.
final class VirtualClock {
  private(set) var now = LoopTime.zero

  func advance(to time: LoopTime) { now = max(now, time) }
}
