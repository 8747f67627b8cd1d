/// The scrolling of a view while a drag rests near its edges.
///
/// Speeds and lengths are in device pixels; a host with a scale factor multiplies them. AppKit's counterpart is
/// `NSView.autoscroll(with:)`; UIKit's scroll views scroll on their own.
public struct AutoScrollBehavior: Hashable, Sendable {
  /// The distance from an edge within which scrolling begins, in pixels. It is limited to a quarter of the view, so
  /// that the middle never scrolls.
  package var margin: Int
  /// The time that the pointer must stay within the margin before scrolling begins. A pointer that only crosses the
  /// margin does not scroll.
  package var delay: Duration
  /// The initial speed at the very edge, in pixels per second.
  package var initialSpeed: Double
  /// The final speed at the very edge, in pixels per second.
  package var maximumSpeed: Double
  /// The time from the initial to the final speed.
  package var acceleration: Duration
  /// Whether the view scrolls horizontally.
  package var isHorizontal: Bool
  /// Whether the view scrolls vertically.
  package var isVertical: Bool

  /// Creates a behavior. Negative numbers become 0.
  ///
  /// - Parameters:
  ///   - margin: The distance from an edge within which scrolling begins, in pixels; limited to a quarter of the view.
  ///   - delay: The time that the pointer must stay within the margin before scrolling begins.
  ///   - initialSpeed: The initial speed at the very edge, in pixels per second.
  ///   - maximumSpeed: The final speed at the very edge, raised to `initialSpeed` if it is lower.
  ///   - acceleration: The time from the initial to the final speed.
  ///   - isHorizontal: Whether the view scrolls horizontally.
  ///   - isVertical: Whether the view scrolls vertically.
  public init(
    margin: Int = 32, delay: Duration = .milliseconds(250), initialSpeed: Double = 200, maximumSpeed: Double = 1600,
    acceleration: Duration = .seconds(2), isHorizontal: Bool = false, isVertical: Bool = true
  ) {
    self.margin = max(0, margin)
    self.delay = max(.zero, delay)
    self.initialSpeed = max(0, initialSpeed)
    self.maximumSpeed = max(self.initialSpeed, maximumSpeed)
    self.acceleration = max(.zero, acceleration)
    self.isHorizontal = isHorizontal
    self.isVertical = isVertical
  }

  /// The speed along one axis, in pixels per second; negative towards the start. `resting` is the time that the pointer
  /// has been within the margin.
  package func speed(at position: Int, from start: Int, length: Int, resting: Duration) -> Double {
    let edge = edge(at: position, from: start, length: length)
    guard edge != 0, resting >= delay else { return 0 }
    let zone = zone(length)
    // From just above 0 at the margin's inner border to 1 at the outermost pixel.
    let distance = edge < 0 ? position - start : length - 1 - (position - start)
    let depth = Double(zone - distance) / Double(zone)
    let elapsed = (resting - delay) / .seconds(1)
    let whole = acceleration / .seconds(1)
    let progress = whole > 0 ? min(1, elapsed / whole) : 1
    return Double(edge) * depth * (initialSpeed + (maximumSpeed - initialSpeed) * progress)
  }

  /// The margin that contains a position: -1 at the start, 1 at the end, 0 in the middle and outside.
  package func edge(at position: Int, from start: Int, length: Int) -> Int {
    let zone = zone(length)
    let (distance, isFar) = position.subtractingReportingOverflow(start)
    guard !isFar, (0..<max(0, length)).contains(distance) else { return 0 }
    if distance < zone { return -1 }
    return distance >= length - zone ? 1 : 0
  }

  private func zone(_ length: Int) -> Int { min(margin, length / 4) }
}

/// A scroll distance, in device pixels.
package struct ScrollDelta: Hashable, Sendable {
  /// The distance to the right.
  package var dx: Int
  /// The distance down.
  package var dy: Int

  package init(dx: Int, dy: Int) {
    self.dx = dx
    self.dy = dy
  }
}

/// Scrolls a view under a drag, even if the pointer rests.
///
/// It has a deadline only while scrolling or about to scroll: not while the pointer is in the middle, nor after the
/// view has reached its end.
struct AutoScroll: Hashable, Sendable {
  enum Input: Hashable, Sendable {
    /// The pointer's position and the view's frame, in the same coordinates.
    case moved(Point, in: Rect)
    /// The view cannot scroll further: stop until the pointer moves.
    case reachedEnd
    case tick
  }

  static let interval = Duration.milliseconds(16)
  /// The longest time that one step makes up for, so that the view does not jump after the host was busy.
  private static let longestStep = Duration.milliseconds(64)

  /// The pointer's stay within one margin.
  private struct Rest: Hashable, Sendable {
    var edge: Int
    var since: LoopTime
    /// The fraction of a pixel that has not been scrolled yet.
    var remainder = 0.0
  }

  let behavior: AutoScrollBehavior
  private var point = Point.zero
  private var view = Rect.zero
  private var horizontal: Rest?
  private var vertical: Rest?
  private var lastStep: LoopTime?
  private(set) var nextDeadline: LoopTime?

  init(_ behavior: AutoScrollBehavior) {
    self.behavior = behavior
  }

  /// - Returns: The distance to scroll; `nil` for none.
  mutating func receive(_ input: Input, at now: LoopTime) -> ScrollDelta? {
    switch input {
    case .moved(let point, let view): move(to: point, in: view, at: now)
    case .reachedEnd: nextDeadline = nil
    case .tick: return step(at: now)
    }
    return nil
  }

  private mutating func move(to point: Point, in view: Rect, at now: LoopTime) {
    self.point = point
    self.view = view
    func rest(_ rest: Rest?, _ isScrolled: Bool, _ position: Int, _ start: Int, _ length: Int) -> Rest? {
      let isOver = isScrolled && view.contains(point)
      let edge = isOver ? behavior.edge(at: position, from: start, length: length) : 0
      if edge == 0 { return nil }
      // The stay restarts only in another margin.
      return rest?.edge == edge ? rest : Rest(edge: edge, since: now)
    }
    horizontal = rest(horizontal, behavior.isHorizontal, point.x, view.origin.x, view.width)
    vertical = rest(vertical, behavior.isVertical, point.y, view.origin.y, view.height)
    guard let since = [horizontal?.since, vertical?.since].compactMap({ $0 }).min() else {
      nextDeadline = nil
      lastStep = nil
      return
    }
    // Motion within a margin does not change the schedule, but resumes scrolling after the end was reached.
    if nextDeadline == nil {
      lastStep = nil
      nextDeadline = max(since + behavior.delay, now)
    }
  }

  private mutating func step(at now: LoopTime) -> ScrollDelta? {
    guard nextDeadline.isDue(at: now) else { return nil }
    let duration = lastStep.map { min(now - $0, Self.longestStep) } ?? Self.interval
    lastStep = now
    nextDeadline = now + Self.interval
    let behavior = behavior
    func advance(_ rest: inout Rest?, _ position: Int, _ start: Int, _ length: Int) -> Int {
      guard let known = rest else { return 0 }
      let speed = behavior.speed(at: position, from: start, length: length, resting: now - known.since)
      let distance = speed * (duration / .seconds(1)) + known.remainder
      // Larger than any screen: an unbounded speed must not overflow.
      let whole = max(-65_536, min(65_536, distance.rounded(.towardZero)))
      rest?.remainder = (distance - whole).magnitude < 1 ? distance - whole : 0
      return Int(whole)
    }
    let delta = ScrollDelta(
      dx: advance(&horizontal, point.x, view.origin.x, view.width),
      dy: advance(&vertical, point.y, view.origin.y, view.height))
    return delta.dx == 0 && delta.dy == 0 ? nil : delta
  }
}
