/// The condition that turns a press into a drag.
///
/// See ``DragInteraction/trigger`` and ``DragInteraction/touchTrigger``. UIKit's `UIDragInteraction` uses a long press
/// for touches and motion for pointers.
public enum DragTrigger: Hashable, Sendable {
  /// Moving by the threshold: for mice and touchpads.
  case motion
  /// Resting for a duration, then moving by the threshold. Moving earlier scrolls, and cancels the gesture. For
  /// fingers.
  case hold(Duration)
  /// Motion or a hold: for pens.
  case motionOrHold(Duration)

  /// A hold of 500 milliseconds, the usual long press on touch screens.
  public static let touch = DragTrigger.hold(.milliseconds(500))

  var holdDuration: Duration? {
    switch self {
    case .motion: nil
    case .hold(let duration), .motionOrHold(let duration): duration
    }
  }

  var isHoldNeeded: Bool { if case .hold = self { true } else { false } }
}

/// The press of a button, a finger or a pen that may become a drag.
///
/// AppKit's counterpart is the `NSEvent` that `beginDraggingSession(with:event:source:)` takes.
public struct DragPress: Hashable, Sendable {
  /// The location in root coordinates, in device pixels.
  public var rootLocation: Point
  /// The location in window coordinates, in device pixels from the upper-left corner.
  public var location: Point
  /// The button; ``PointerButton/primary`` for a finger or a pen.
  public var button: PointerButton
  /// The modifier keys that were down.
  public var modifiers: Modifiers
  /// The input device of the press.
  public var device: InputDevice
  /// The event's server timestamp; never `CurrentTime`.
  public var time: Timestamp

  /// Creates a press.
  public init(
    rootLocation: Point, location: Point, button: PointerButton = .primary, modifiers: Modifiers = [],
    device: InputDevice = .core, time: Timestamp
  ) {
    self.rootLocation = rootLocation
    self.location = location
    self.button = button
    self.modifiers = modifiers
    self.device = device
    self.time = time
  }
}

/// The recognizer of drags, clicks and lifts in one window.
///
/// It tracks one press at a time and reports its outcome once. After ``Effect/began(_:)``, the drag's own grab gets the
/// remaining events of the press, so the recognizer waits for the next press.
package struct DragGesture: Equatable, Sendable {
  package enum Input: Equatable, Sendable {
    /// The settings for the next press that is not ignored.
    case configured(Settings)
    case pressed(DragPress)
    /// Root coordinates. A `nil` device means the device of the press.
    case moved(to: Point, by: InputDevice? = nil)
    case released(PointerButton, by: InputDevice? = nil)
    /// The host uses the press for something else, or the window was destroyed.
    case cancelled
    case deadlineReached
  }

  enum Effect: Equatable, Sendable {
    /// The hold is complete: the host shows the item as lifted, and a motion will drag it.
    case lifted(DragPress)
    /// The lifted item returns to its place. There was neither a drag nor a click.
    case settled(DragPress)
    case began(DragPress)
    case clicked(DragPress)
  }

  package struct Settings: Hashable, Sendable {
    /// The button that drags. Presses and releases of other buttons have no effect, as in toolkits.
    var button = PointerButton.primary
    var trigger = DragTrigger.motion
    /// The straight-line distance from the press, in device pixels, at which a motion begins a drag.
    var threshold = 3

    /// Returns the default threshold in device pixels.
    ///
    /// - Parameters:
    ///   - desktop: The desktop's setting, in device pixels, which takes precedence. For a hold, it can only raise
    ///     the threshold.
    ///   - scale: Device pixels per point.
    static func threshold(for trigger: DragTrigger, desktop: Int?, scale: Double) -> Int {
      // A resting finger trembles more than a mouse: touch screens allow ten points.
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

  /// For the current press, and for the next one.
  private var settings, nextSettings: Settings
  private var state = State.idle

  init(_ settings: Settings = Settings()) {
    (self.settings, nextSettings) = (settings, settings)
  }

  /// Whether the gesture ignores a press: one of another button, or one that the server emulates for the finger that is
  /// down. The emulated press has the time of the touch.
  func ignores(_ press: DragPress) -> Bool {
    guard press.button == nextSettings.button else { return true }
    guard let held = self.press, held.device.isTouch, !press.device.isTouch else { return false }
    return press.time == held.time
  }

  /// The press that is not yet a drag or a click.
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
    case .configured(let settings):
      nextSettings = settings
      return []
    case .pressed(let press): return began(press, at: now)
    case .moved(let point, let device):
      return isPressed(by: device) ? moved(to: point, at: now) : liftIfDue(at: now)
    case .released(let button, let device):
      return button == press?.button && isPressed(by: device) ? released(at: now) : []
    case .cancelled: return forget()
    case .deadlineReached: return liftIfDue(at: now)
    }
  }

  private func isPressed(by device: InputDevice?) -> Bool { device.map { $0 == press?.device } ?? true }

  private mutating func began(_ press: DragPress, at now: LoopTime) -> [Effect] {
    guard !ignores(press) else { return [] }
    // Two fingers pinch or scroll.
    if press.device.isTouch, let held = self.press, held.device.isTouch, held.device != press.device { return forget() }
    // The release of the previous press may not have been reported, for example because its window was unmapped.
    let effects = forget()
    settings = nextSettings
    state = .pressed(press, liftsAt: settings.trigger.holdDuration.map { now + $0 })
    return effects
  }

  private mutating func moved(to point: Point, at now: LoopTime) -> [Effect] {
    // The hold may have completed before this motion, without a ``Input/deadlineReached`` in between.
    let effects = liftIfDue(at: now)
    guard let press else { return effects }
    let distance = (Vector(point) - Vector(press.rootLocation)).length
    guard distance >= Double(max(1, settings.threshold)) else { return effects }
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

  private mutating func forget() -> [Effect] {
    defer { state = .idle }
    if case .lifted(let press) = state { return [.settled(press)] }
    return []
  }
}
