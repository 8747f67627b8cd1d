/// What makes a drag of a press.
public enum DragTrigger: Hashable, Sendable {
  /// The pointer moves further than the threshold: mice and touchpads.
  case motion
  /// The pointer rests for so long, and then moves. Motion before that is for others: fingers, whose motion scrolls.
  case hold(Duration)
  /// Whichever comes first: pens.
  case motionOrHold(Duration)

  /// How long a finger rests before it lifts an item on most touch screens.
  public static let touch = DragTrigger.hold(.milliseconds(500))

  var holdDuration: Duration? {
    switch self {
    case .motion: nil
    case .hold(let duration), .motionOrHold(let duration): duration
    }
  }

  var isHoldNeeded: Bool { if case .hold = self { true } else { false } }
}

/// A button that went down, or a finger or a pen, and may become a drag.
public struct DragPress: Hashable, Sendable {
  /// Where, in root coordinates in device pixels.
  public var rootLocation: Point
  /// Where, in device pixels from the upper left corner of the window.
  public var location: Point
  /// What went down; a host says ``PointerButton/primary`` for a finger or a pen.
  public var button: PointerButton
  /// The modifier keys that were held.
  public var modifiers: Modifiers
  /// The server's time of the event; never `CurrentTime`.
  public var time: Timestamp

  /// A press.
  public init(
    rootLocation: Point, location: Point, button: PointerButton = .primary, modifiers: Modifiers = [], time: Timestamp
  ) {
    self.rootLocation = rootLocation
    self.location = location
    self.button = button
    self.modifiers = modifiers
    self.time = time
  }
}

/// Tells a drag from a click.
///
/// There is one press at a time. What it becomes is said once, and then the gesture waits for the next: a drag has its
/// own grab, which hides the rest of the press from whoever feeds this.
struct DragGesture: Equatable, Sendable {
  enum Input: Equatable, Sendable {
    case pressed(DragPress)
    /// To a place in root coordinates.
    case moved(to: Point)
    case released(PointerButton)
    /// The host has other plans with the press.
    case cancelled
    case deadlineReached
  }

  enum Effect: Equatable, Sendable {
    /// The item can be seen to come off its place: a motion will drag it.
    case lifted(DragPress)
    /// A lifted item is to be put back. No drag has begun, and it was no click either.
    case settled(DragPress)
    case began(DragPress)
    case clicked(DragPress)
  }

  struct Settings: Hashable, Sendable {
    /// Another button is none of our business, neither before nor after ours: toolkits have it so.
    var button = PointerButton.primary
    var trigger = DragTrigger.motion
    /// How far the pointer has to come from the press, in device pixels and in a straight line.
    var threshold = 3

    /// The threshold where the application has none of its own.
    ///
    /// - Parameters:
    ///   - desktop: What the desktop's settings say, in device pixels. It is the user's choice, and wins.
    ///   - scale: How many device pixels a point has.
    static func threshold(for trigger: DragTrigger, desktop: Int?, scale: Double) -> Int {
      // A resting finger trembles more than a mouse: ten points are what touch screens allow.
      let points = trigger.isHoldNeeded ? 10.0 : 3.0
      let pixels = Int((points * min(max(1, scale), 100)).rounded())
      guard let desktop, desktop > 0 else { return pixels }
      return trigger.isHoldNeeded ? max(desktop, pixels) : desktop
    }
  }

  private enum State: Hashable, Sendable {
    case idle
    case pressed(DragPress, liftsAt: LoopTime?)
    case lifted(DragPress)
  }

  /// A change is for the next event.
  var settings: Settings
  private var state = State.idle

  init(_ settings: Settings = Settings()) {
    self.settings = settings
  }

  /// What is held and may become a drag.
  var press: DragPress? {
    switch state {
    case .idle: nil
    case .pressed(let press, _), .lifted(let press): press
    }
  }

  var nextDeadline: LoopTime? {
    if case .pressed(_, let deadline) = state { deadline } else { nil }
  }

  mutating func receive(_ input: Input, at now: LoopTime) -> [Effect] {
    switch input {
    case .pressed(let press): began(press, at: now)
    case .moved(let point): moved(to: point, at: now)
    case .released(let button): button == press?.button ? released(at: now) : []
    case .cancelled: forget()
    case .deadlineReached: liftIfDue(at: now)
    }
  }

  private mutating func began(_ press: DragPress, at now: LoopTime) -> [Effect] {
    guard press.button == settings.button else { return [] }
    // The end of the press before this one was not told: its window may have been unmapped.
    let effects = forget()
    state = .pressed(press, liftsAt: settings.trigger.holdDuration.map { now + $0 })
    return effects
  }

  private mutating func moved(to point: Point, at now: LoopTime) -> [Effect] {
    // It may have been held long enough before it moved, and nobody has looked at the clock meanwhile.
    let effects = liftIfDue(at: now)
    guard let press, isFar(point, from: press.rootLocation) else { return effects }
    if case .pressed = state, settings.trigger.isHoldNeeded { return effects + forget() }
    state = .idle
    return effects + [.began(press)]
  }

  private mutating func released(at now: LoopTime) -> [Effect] {
    let effects = liftIfDue(at: now)
    guard case .pressed(let press, _) = state else { return effects + forget() }
    state = .idle
    return effects + [.clicked(press)]
  }

  private mutating func liftIfDue(at now: LoopTime) -> [Effect] {
    guard case .pressed(let press, let deadline?) = state, deadline <= now else { return [] }
    state = .lifted(press)
    return [.lifted(press)]
  }

  @discardableResult
  private mutating func forget() -> [Effect] {
    defer { state = .idle }
    if case .lifted(let press) = state { return [.settled(press)] }
    return []
  }

  private func isFar(_ point: Point, from start: Point) -> Bool {
    // As floating point, in which no coordinates overflow.
    let (dx, dy) = (Double(point.x) - Double(start.x), Double(point.y) - Double(start.y))
    let threshold = Double(max(1, settings.threshold))
    return dx * dx + dy * dy >= threshold * threshold
  }
}
