/// The conversions that this program has given up and that their owners may still answer.
///
/// A late answer is deleted on its SelectionNotify, but a late part of an INCR transfer only after a while, when the
/// owner has given up, too: it writes the next part as soon as the last one is deleted, so prompt deletions would keep
/// it writing. If an owner never gives up, its parts are left on the requestor after ``maximumCleanings``.
final class LateAnswers {
  private struct Entry {
    let content: OwnerContent
    /// When to delete the property; `nil` unless it has been written.
    var cleanAt: LoopTime?
    /// How often it has been deleted.
    var cleanings = 0
  }

  /// The maximum number of conversions. The oldest one is forgotten first.
  private static let capacity = 64
  /// The maximum number of deletions per conversion.
  private static let maximumCleanings = 8
  /// The events of a requestor that are watched during a conversion and after it was given up. They include the
  /// destruction, because the other watches of the requestor may have ended by then.
  static let interest: WindowInterest = [.properties, .destruction]

  private let context: DriverContext
  private var entries: [Entry] = [] {
    didSet { alarm.time = entries.earliest(\.cleanAt) }
  }
  private lazy var alarm = context.alarms.alarm(for: .itself) { [unowned self] in clean() }

  init(_ context: DriverContext) {
    self.context = context
  }

  /// The requestors, once for each conversion.
  var windows: [WindowID] { entries.map(\.content.place.window) }

  func properties(of window: WindowID) -> [AtomName] {
    entries.map(\.content.place).filter { $0.window == window }.map(\.name)
  }

  /// Adds a conversion that has been given up, and takes over its watch of the requestor.
  func add(_ content: OwnerContent) {
    if entries.count == Self.capacity {
      context.system.unwatch(entries.removeFirst().content.place.window, for: Self.interest)
    }
    entries.append(Entry(content: content))
  }

  /// Schedules the deletion of an answer, or of a part, that has been written.
  func propertyChanged(_ property: AtomName, of window: WindowID) {
    let place = WindowProperty(property, of: window)
    for index in entries.indices where entries[index].content.place == place {
      guard entries[index].cleanings < Self.maximumCleanings else { continue }
      entries[index].cleanAt = context.now + context.timing.incoming.stall * 2
    }
  }

  /// Whether an answer has the property of a conversion that was given up.
  func expects(_ notify: SelectionNotify) -> Bool { content(answeredBy: notify) != nil }

  private func content(answeredBy notify: SelectionNotify) -> OwnerContent? {
    let place = notify.property.map { WindowProperty($0, of: notify.requestor) }
    return entries.first { $0.content.place == place }?.content
  }

  /// Deletes the property of an answer for which no conversion waits.
  func discard(_ notify: SelectionNotify) {
    guard let content = content(answeredBy: notify) else { return }
    content.answeredLate()
    content.discard()
  }

  /// The conversions that a refusal may answer.
  func contents(refusedBy notify: SelectionNotify) -> [OwnerContent] {
    guard notify.property == nil else { return [] }
    return entries.map(\.content).filter { $0.mayBeAnswered(by: notify) }
  }

  /// Takes a refusal. If it is certainly for this conversion, forgets the conversion: its owner writes nothing more for
  /// it.
  func refused(_ content: OwnerContent, isCertain: Bool) {
    content.answeredLate()
    guard isCertain else { return }
    entries.removeAll { $0.content === content }
    context.system.unwatch(content.place.window, for: Self.interest)
  }

  /// Deletes the properties that are due.
  private func clean() {
    for index in entries.indices {
      guard let time = entries[index].cleanAt, time <= context.now else { continue }
      entries[index].cleanAt = nil
      entries[index].cleanings += 1
      entries[index].content.discard()
    }
  }

  /// Forgets the conversions of a destroyed requestor.
  func forget(_ window: WindowID) {
    for requestor in windows where requestor == window { context.system.unwatch(window, for: Self.interest) }
    entries.removeAll { $0.content.place.window == window }
  }
}
