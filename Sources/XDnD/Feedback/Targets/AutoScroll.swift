/// How a list scrolls while a drag rests near its edges.
///
/// Speeds and lengths are in pixels: a host with a scale factor multiplies them.
public struct AutoScrollBehavior: Hashable, Sendable {
  /// How near to an edge scrolling begins; never more than a quarter of the view, so that its middle stays quiet.
  public var margin: Int
  /// How long the pointer has to be there before anything moves, so that whoever only crosses the edge scrolls nothing.
  public var delay: Duration
  /// The speed at the very edge when it begins, in pixels a second.
  public var initialSpeed: Double
  /// The speed at the very edge in the end, in pixels a second.
  public var maximumSpeed: Double
  /// How long it takes from the one to the other.
  public var acceleration: Duration
  /// Whether it scrolls to the left and right.
  public var isHorizontal: Bool
  /// Whether it scrolls up and down.
  public var isVertical: Bool

  /// A behavior; negative numbers count as 0.
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

  /// How fast to scroll along one axis, in pixels a second; below 0 towards the start.
  ///
  /// - Parameters:
  ///   - position: Of the pointer, along the axis.
  ///   - start: Where the view begins.
  ///   - length: How long the view is.
  ///   - resting: How long the pointer has been within the margin.
  func speed(at position: Int, from start: Int, length: Int, resting: Duration) -> Double {
    let edge = Self.edge(at: position, from: start, length: length, margin: margin)
    guard edge != 0, resting >= delay else { return 0 }
    let zone = Self.zone(margin, length)
    // From just above 0 at the inner border to 1 at the outermost pixel.
    let distance = edge < 0 ? position - start : start + length - 1 - position
    let depth = Double(zone - distance) / Double(zone)
    let elapsed = (resting - delay) / .seconds(1)
    let whole = acceleration / .seconds(1)
    let progress = whole > 0 ? min(1, elapsed / whole) : 1
    return Double(edge) * depth * (initialSpeed + (maximumSpeed - initialSpeed) * progress)
  }

  /// Which margin a position is in: -1 at the start, 1 at the end, 0 in the middle and outside.
  static func edge(at position: Int, from start: Int, length: Int, margin: Int) -> Int {
    let zone = zone(margin, length)
    guard position >= start, position < start + length else { return 0 }
    if position < start + zone { return -1 }
    return position >= start + length - zone ? 1 : 0
  }

  private static func zone(_ margin: Int, _ length: Int) -> Int { min(margin, length / 4) }
}

/// How far to scroll, in pixels: to the right and down.
public struct ScrollDelta: Hashable, Sendable {
  /// Pixels to the right.
  public var dx: Int
  /// Pixels down.
  public var dy: Int

  /// A distance.
  public init(dx: Int, dy: Int) {
    self.dx = dx
    self.dy = dy
  }
}

/// Scrolls a view under a drag, also under one that rests.
///
/// It needs ticks only while something moves or is about to: a pointer in the middle costs nothing, and neither does a
/// view that has come to its end.
struct AutoScroll: Hashable, Sendable {
  enum Input: Hashable, Sendable {
    /// The pointer is at a place; so is the view, in the same coordinates.
    case moved(Point, in: Rect)
    /// The view could not be scrolled further: nothing more until the pointer moves.
    case reachedEnd
    /// The drag has left, was dropped or cancelled.
    case ended
    case tick
  }

  /// How often the view moves.
  static let interval = Duration.milliseconds(16)
  /// A program that was busy for longer does not jump.
  private static let longestStep = Duration.milliseconds(64)

  /// The pointer within one margin.
  private struct Rest: Hashable, Sendable {
    var edge: Int
    var since: LoopTime
    /// What is owed of a pixel.
    var remainder = 0.0
  }

  let behavior: AutoScrollBehavior
  private var point = Point(x: 0, y: 0)
  private var view = Rect(x: 0, y: 0, width: 0, height: 0)
  private var horizontal: Rest?
  private var vertical: Rest?
  private var lastStep: LoopTime?
  private(set) var nextDeadline: LoopTime?

  init(_ behavior: AutoScrollBehavior) {
    self.behavior = behavior
  }

  /// - Returns: How far to scroll; `nil` for not at all.
  mutating func receive(_ input: Input, at now: LoopTime) -> ScrollDelta? {
    switch input {
    case .moved(let point, let view): move(to: point, in: view, at: now)
    case .reachedEnd: nextDeadline = nil
    case .ended: self = AutoScroll(behavior)
    case .tick: return step(at: now)
    }
    return nil
  }

  private mutating func move(to point: Point, in view: Rect, at now: LoopTime) {
    self.point = point
    self.view = view
    let isInside = view.contains(point)
    horizontal = rest(
      horizontal,
      isInside && behavior.isHorizontal
        ? AutoScrollBehavior.edge(at: point.x, from: view.origin.x, length: view.width, margin: behavior.margin) : 0,
      now)
    vertical = rest(
      vertical,
      isInside && behavior.isVertical
        ? AutoScrollBehavior.edge(at: point.y, from: view.origin.y, length: view.height, margin: behavior.margin) : 0,
      now)
    guard let since = [horizontal?.since, vertical?.since].compactMap({ $0 }).min() else {
      nextDeadline = nil
      lastStep = nil
      return
    }
    // Motion within a margin neither hurries nor delays what is under way, and has another try after the end.
    if nextDeadline == nil {
      lastStep = nil
      nextDeadline = max(since + behavior.delay, now)
    }
  }

  /// The time in a margin begins anew only in another one.
  private func rest(_ rest: Rest?, _ edge: Int, _ now: LoopTime) -> Rest? {
    if edge == 0 { return nil }
    return rest?.edge == edge ? rest : Rest(edge: edge, since: now)
  }

  private mutating func step(at now: LoopTime) -> ScrollDelta? {
    guard let deadline = nextDeadline, deadline <= now else { return nil }
    let duration = lastStep.map { min(now - $0, Self.longestStep) } ?? Self.interval
    lastStep = now
    nextDeadline = now + Self.interval
    let delta = ScrollDelta(
      dx: Self.advance(
        &horizontal, now, duration,
        { behavior.speed(at: point.x, from: view.origin.x, length: view.width, resting: $0) }),
      dy: Self.advance(
        &vertical, now, duration,
        { behavior.speed(at: point.y, from: view.origin.y, length: view.height, resting: $0) }))
    return delta.dx == 0 && delta.dy == 0 ? nil : delta
  }

  private static func advance(
    _ rest: inout Rest?, _ now: LoopTime, _ duration: Duration, _ speed: (Duration) -> Double
  ) -> Int {
    guard let known = rest else { return 0 }
    let distance = speed(now - known.since) * (duration / .seconds(1)) + known.remainder
    // Beyond any screen; so that a speed without bounds cannot overflow.
    let whole = max(-65_536, min(65_536, distance.rounded(.towardZero)))
    rest?.remainder = (distance - whole).magnitude < 1 ? distance - whole : 0
    return Int(whole)
  }
}
