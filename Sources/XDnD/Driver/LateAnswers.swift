/// The conversions that this program has given up and that their owners may still answer.
///
/// A late answer stays on the requestor for a while before it is deleted. The owner of an INCR transfer writes the next
/// part as soon as the last one is deleted, and would go on as long as this program deletes; after a while it has given
/// up, too. If an owner never gives up, its parts are left there after ``maximumCleanings``.
final class LateAnswers {
  private struct Place {
    var window: WindowID
    var property: AtomName
    /// When to delete the property; `nil` unless it has been written.
    var cleanAt: LoopTime?
    /// How often it has been deleted.
    var cleanings = 0
  }

  /// The maximum number of conversions. The oldest one is forgotten first.
  private static let capacity = 64
  /// The maximum number of deletions per conversion.
  private static let maximumCleanings = 8
  /// What a requestor is watched for, during a conversion and after it was given up: its properties, and its
  /// destruction, which no other part of the driver may watch for any more.
  static let interest: WindowInterest = [.properties, .destruction]

  private let context: DriverContext
  private var places: [Place] = []

  init(_ context: DriverContext) {
    self.context = context
  }

  /// The requestors, once for each conversion.
  var windows: [WindowID] { places.map(\.window) }

  var nextDeadline: LoopTime? { places.earliest { $0.cleanAt } }

  func properties(of window: WindowID) -> [AtomName] { places.filter { $0.window == window }.map(\.property) }

  /// Adds a conversion that has been given up, and takes over its watch of the requestor.
  func add(_ property: AtomName, of window: WindowID) {
    if places.count == Self.capacity {
      context.system.unwatch(places.removeFirst().window, for: Self.interest)
    }
    places.append(Place(window: window, property: property))
  }

  /// Schedules the deletion of an answer, or of a part, that has been written.
  func propertyChanged(_ property: AtomName, of window: WindowID) {
    for index in places.indices where places[index].window == window && places[index].property == property {
      guard places[index].cleanings < Self.maximumCleanings else { continue }
      places[index].cleanAt = context.now + context.timing.incoming.stall * 2
    }
  }

  /// Whether an answer has the property of a conversion that was given up.
  func expects(_ notify: SelectionNotify) -> Bool {
    places.contains { $0.window == notify.requestor && $0.property == notify.property }
  }

  /// Deletes the property of an answer for which no conversion waits.
  func discard(_ notify: SelectionNotify) {
    guard let property = notify.property, expects(notify) else { return }
    context.system.delete(property, of: notify.requestor)
  }

  /// Deletes the properties that are due.
  func clean() {
    for index in places.indices {
      guard let time = places[index].cleanAt, time <= context.now else { continue }
      places[index].cleanAt = nil
      places[index].cleanings += 1
      context.system.delete(places[index].property, of: places[index].window)
    }
  }

  /// Forgets the conversions of a destroyed requestor.
  func forget(_ window: WindowID) {
    for _ in places.filter({ $0.window == window }) { context.system.unwatch(window, for: Self.interest) }
    places.removeAll { $0.window == window }
  }
}
