/// The behavior of a region that opens when a drag rests on it.
///
/// The counterparts are UIKit's `UISpringLoadedInteractionBehavior` and AppKit's `NSSpringLoadingDestination`.
public struct SpringLoadingBehavior: Hashable, Sendable {
  /// The time that the pointer must rest. GTK 4 and Nautilus also wait half a second.
  package var delay: Duration
  /// The duration of each half of a blink.
  package var blink: Duration
  /// The number of blinks before the region opens. They warn the user, who can still leave. If 0, it opens right after
  /// the delay.
  ///
  /// With animations turned off, by the desktop or ``Configuration/reducesMotion``, the region opens after the same
  /// time, without blinking.
  package var blinkCount: Int
  /// The distance that a resting pointer may move, in device pixels: a hand that holds a button trembles.
  package var slop: Int

  /// Creates a behavior. Negative numbers become 0.
  ///
  /// - Parameters:
  ///   - delay: The time that the pointer must rest.
  ///   - blink: The duration of each half of a blink.
  ///   - blinkCount: The number of blinks before the region opens. With animations turned off, it opens after the same
  ///     time, without blinking.
  ///   - slop: The distance that a resting pointer may move, in device pixels.
  public init(
    delay: Duration = .milliseconds(500), blink: Duration = .milliseconds(80), blinkCount: Int = 2, slop: Int = 6
  ) {
    self.delay = max(.zero, delay)
    self.blink = max(.zero, blink)
    self.blinkCount = max(0, blinkCount)
    self.slop = max(0, slop)
  }

  /// The behavior for users who have turned animations off: the region opens after the same time, without blinking.
  var withoutBlinks: SpringLoadingBehavior {
    var steady = self
    steady.delay += blink * (2 * max(0, blinkCount))
    steady.blinkCount = 0
    return steady
  }
}

/// The highlight of a spring-loaded region. AppKit's counterpart is `NSSpringLoadingHighlight`.
public enum SpringLoadingHighlight: Hashable, Sendable {
  /// No highlight.
  case none
  /// A drag is over the region.
  case standard
  /// The region blinks and is about to open.
  case emphasized
}

/// Opens a region under a resting drag, once per visit.
///
///     idle ── entered ──▶ resting ── delay ──▶ blinking ── last blink ──▶ open
///      ▲                  │  ▲ moved beyond the slop                       │
///      └── left, dropped, cancelled, from everywhere ──────────────────────┘
///
/// Motion restarts the delay only before the blinking. The blinking warns the user, who can prevent the opening by
/// leaving.
struct SpringLoading: Hashable, Sendable {
  enum Input: Hashable, Sendable {
    /// Root or window coordinates; all inputs use the same.
    case entered(Point)
    case moved(Point)
    /// The drag has left, was dropped or was cancelled.
    case left
    case tick
  }

  enum Effect: Hashable, Sendable {
    case highlight(SpringLoadingHighlight)
    case activate
  }

  private enum State: Hashable, Sendable {
    case idle
    case resting(at: Point, until: LoopTime)
    /// `phase` counts halves of blinks; the region is emphasized in the even ones.
    case blinking(phase: Int, until: LoopTime)
    case open
  }

  let behavior: SpringLoadingBehavior
  private var state = State.idle

  init(_ behavior: SpringLoadingBehavior) {
    self.behavior = behavior
  }

  /// When to send ``Input/tick``; earlier ticks have no effect.
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
      // A due tick that was not sent yet takes precedence: the pointer has rested long enough.
      let isNear = (Vector(point) - Vector(place)).length <= Double(behavior.slop.magnitude)
      if deadline > now, !isNear { state = .resting(at: point, until: now + behavior.delay) }
      return []
    case (.left, _):
      guard state != .idle else { return [] }
      state = .idle
      return [.highlight(.none)]
    case (.tick, .resting(_, let deadline)) where deadline <= now: return blink(0, at: now)
    case (.tick, .blinking(let phase, let deadline)) where deadline <= now: return blink(phase + 1, at: now)
    case (.entered, _), (.moved, _), (.tick, _): return []
    }
  }

  /// Enters a phase, which lasts its full time even after a late tick, so that the region never opens without visible
  /// blinks.
  private mutating func blink(_ phase: Int, at now: LoopTime) -> [Effect] {
    guard phase < 2 * behavior.blinkCount else {
      state = .open
      return [.highlight(.standard), .activate]
    }
    state = .blinking(phase: phase, until: now + behavior.blink)
    return [.highlight(phase.isMultiple(of: 2) ? .emphasized : .standard)]
  }
}
