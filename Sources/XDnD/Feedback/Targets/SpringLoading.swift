/// How a place behaves that opens when a drag rests on it.
public struct SpringLoadingBehavior: Hashable, Sendable {
  /// How long the pointer has to rest. GTK 4 and Nautilus wait half a second too.
  public var delay: Duration
  /// How long each half of a blink takes: on, and off.
  public var blink: Duration
  /// How often the place blinks before it opens, so that nobody is surprised, and can still leave; 0 opens at once.
  public var blinkCount: Int
  /// How far the pointer may stray and still rest, in pixels: a hand that holds a button trembles.
  public var slop: Int

  /// A behavior; negative numbers count as 0.
  public init(
    delay: Duration = .milliseconds(500), blink: Duration = .milliseconds(80), blinkCount: Int = 2, slop: Int = 6
  ) {
    self.delay = max(.zero, delay)
    self.blink = max(.zero, blink)
    self.blinkCount = max(0, blinkCount)
    self.slop = max(0, slop)
  }
}

/// How a place that opens under a resting drag is to look.
public enum SpringLoadingHighlight: Hashable, Sendable {
  /// As ever.
  case none
  /// A drag is over it.
  case standard
  /// It blinks, and is about to open.
  case emphasized
}

/// Opens a place under a resting drag, once for each visit.
///
///     idle ── entered ──▶ resting ── delay ──▶ blinking ── last blink ──▶ open
///      ▲                  │  ▲ moved beyond the slop                       │
///      └── left, dropped, cancelled, from everywhere ──────────────────────┘
///
/// Motion counts as restless only before the blinking. Who moves while the place blinks has been told that it opens,
/// and keeps it shut by leaving.
struct SpringLoading: Hashable, Sendable {
  enum Input: Hashable, Sendable {
    /// Root or window coordinates, as long as they stay the same.
    case entered(Point)
    case moved(Point)
    case left
    case dropped
    case cancelled
    case tick
  }

  enum Effect: Hashable, Sendable {
    case highlight(SpringLoadingHighlight)
    case activate
  }

  private enum State: Hashable, Sendable {
    case idle
    case resting(at: Point, until: LoopTime)
    /// `phase` counts halves of blinks: in the even ones the place is emphasized.
    case blinking(phase: Int, until: LoopTime)
    case open
  }

  let behavior: SpringLoadingBehavior
  private var state = State.idle

  init(_ behavior: SpringLoadingBehavior) {
    self.behavior = behavior
  }

  /// When to send ``Input/tick``; earlier ones do nothing.
  var nextDeadline: LoopTime? {
    switch state {
    case .idle, .open: nil
    case .resting(_, let deadline), .blinking(_, let deadline): deadline
    }
  }

  mutating func receive(_ input: Input, at now: LoopTime) -> [Effect] {
    switch (input, state) {
    case (.entered(let point), .idle):
      state = .resting(at: point, until: now + behavior.delay)
      return [.highlight(.standard)]
    case (.moved(let point), .resting(let place, let deadline)):
      // A tick that is due and was not sent yet comes first: the pointer has rested for long enough.
      if deadline > now, !isNear(point, place) { state = .resting(at: point, until: now + behavior.delay) }
      return []
    case (.left, _), (.dropped, _), (.cancelled, _):
      guard state != .idle else { return [] }
      state = .idle
      return [.highlight(.none)]
    case (.tick, .resting(_, let deadline)) where deadline <= now: return blink(0, at: now)
    case (.tick, .blinking(let phase, let deadline)) where deadline <= now: return blink(phase + 1, at: now)
    case (.entered, _), (.moved, _), (.tick, _): return []
    }
  }

  /// One phase a tick, each as long as it should be, however late the tick is: nothing opens that has not been seen to
  /// blink.
  private mutating func blink(_ phase: Int, at now: LoopTime) -> [Effect] {
    guard phase < 2 * behavior.blinkCount else {
      state = .open
      return [.highlight(.standard), .activate]
    }
    state = .blinking(phase: phase, until: now + behavior.blink)
    return [.highlight(phase.isMultiple(of: 2) ? .emphasized : .standard)]
  }

  private func isNear(_ point: Point, _ place: Point) -> Bool {
    let (dx, dy) = (point.x - place.x, point.y - place.y)
    return dx * dx + dy * dy <= behavior.slop * behavior.slop
  }
}
