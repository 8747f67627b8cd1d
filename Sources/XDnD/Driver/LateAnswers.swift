/// The conversions that this program has given up and that their owners may still answer.
///
/// A late answer is deleted with its notification, but a late part of an INCR transfer only after a while: the owner writes
/// the next part as soon as the last one is deleted, so prompt deletions would keep it writing. After a while, it has given
/// up, too. If an owner never gives up, its parts are left on the requestor after ``maximumCleanings``.
final class LateAnswers {
  /// A conversion whose owner has not answered it.
  struct Unanswered {
    var transfer: TransferID
    var selection: AtomName
    var target: AtomName

    /// Whether a refusal may be the answer. A refusal names no property, and Qt's does not even name the target.
    func mayBeRefused(by notify: SelectionNotify) -> Bool {
      notify.property == nil && notify.selection == selection && (notify.target ?? target) == target
    }
  }

  private struct Place {
    var window: WindowID
    var property: AtomName
    /// `nil` once it was answered, or seems to be.
    var unanswered: Unanswered?
    /// When to delete the property; `nil` unless it has been written.
    var cleanAt: LoopTime?
    /// How often it has been deleted.
    var cleanings = 0
  }

  /// The maximum number of conversions. The oldest one is forgotten first.
  private static let capacity = 64
  /// The maximum number of deletions per conversion.
  private static let maximumCleanings = 8
  /// The events of a requestor that are watched during a conversion and after it was given up. The destruction is among
  /// them because no other part of the driver may be watching for it by then.
  static let interest: WindowInterest = [.properties, .destruction]

  private let context: DriverContext
  private var places: [Place] = [] {
    didSet { alarm.time = places.earliest(\.cleanAt) }
  }
  private lazy var alarm = context.alarms.alarm(for: .itself) { [unowned self] in clean() }

  init(_ context: DriverContext) {
    self.context = context
  }

  /// The requestors, once for each conversion.
  var windows: [WindowID] { places.map(\.window) }

  func properties(of window: WindowID) -> [AtomName] { places.filter { $0.window == window }.map(\.property) }

  /// Adds a conversion that has been given up, and takes over its watch of the requestor.
  ///
  /// - Parameter unanswered: `nil` if its owner has answered it, or seems to have refused it.
  func add(_ property: AtomName, of window: WindowID, _ unanswered: Unanswered?) {
    if places.count == Self.capacity {
      context.system.unwatch(places.removeFirst().window, for: Self.interest)
    }
    places.append(Place(window: window, property: property, unanswered: unanswered))
  }

  /// Schedules the deletion of an answer, or of a part, that has been written.
  func propertyChanged(_ property: AtomName, of window: WindowID) {
    for index in places.indices where places[index].window == window && places[index].property == property {
      guard places[index].cleanings < Self.maximumCleanings else { continue }
      places[index].cleanAt = context.now + context.timing.incoming.stall * 2
    }
  }

  /// Whether an answer has the property of a conversion that was given up.
  func expects(_ notify: SelectionNotify) -> Bool { index(answeredBy: notify) != nil }

  private func index(answeredBy notify: SelectionNotify) -> Int? {
    places.firstIndex { $0.window == notify.requestor && $0.property == notify.property }
  }

  /// Deletes the property of an answer for which no conversion waits.
  func discard(_ notify: SelectionNotify) {
    guard let property = notify.property, let index = index(answeredBy: notify) else { return }
    places[index].unanswered = nil
    context.system.delete(property, of: notify.requestor)
  }

  /// The conversions that a refusal may be the answer to.
  func transfers(refusedBy notify: SelectionNotify) -> [TransferID] {
    places.filter { $0.window == notify.requestor && $0.unanswered?.mayBeRefused(by: notify) == true }
      .compactMap(\.unanswered?.transfer)
  }

  /// Takes a refusal. If the conversion is certainly the refused one, forgets it: its owner writes nothing more for it.
  func refused(_ transfer: TransferID, isCertain: Bool) {
    guard let index = places.firstIndex(where: { $0.unanswered?.transfer == transfer }) else { return }
    if isCertain {
      context.system.unwatch(places.remove(at: index).window, for: Self.interest)
    } else {
      places[index].unanswered = nil
    }
  }

  /// Deletes the properties that are due.
  private func clean() {
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
