/// The time at which an object acts even without an event: a deadline of its machine, or the next frame of an image.
///
/// The object retains the alarm; releasing it cancels the time.
final class Alarm {
  /// `nil` for never.
  var time: LoopTime? {
    didSet { if time != oldValue { alarms?.note(self) } }
  }

  /// The party that the object waits for.
  enum Wait {
    /// A peer, which may be this program.
    case peer
    /// Its own next action, such as the next frame.
    case itself
    /// A user who holds the pointer still. Rings after all notices are delivered, because they may report a motion.
    case user
  }

  fileprivate let wait: Wait
  /// Alarms of the same time ring in the order of their creation.
  fileprivate let number: Int
  /// Called at the alarm's time, after ``time`` was set to `nil`.
  fileprivate let ring: () -> Void
  private weak var alarms: Alarms?

  fileprivate init(_ number: Int, of alarms: Alarms, wait: Wait, ring: @escaping () -> Void) {
    self.number = number
    self.alarms = alarms
    self.wait = wait
    self.ring = ring
  }

  deinit { alarms?.forget(number) }
}

/// A driver's alarms for which a time is set.
final class Alarms {
  private struct Entry {
    unowned let alarm: Alarm
  }

  private var entries: [Int: Entry] = [:]
  private var lastNumber = 0

  /// - Parameters:
  ///   - wait: What the object waits for.
  ///   - ring: Called when the time has come.
  func alarm(for wait: Alarm.Wait = .peer, ring: @escaping () -> Void) -> Alarm {
    lastNumber += 1
    return Alarm(lastNumber, of: self, wait: wait, ring: ring)
  }

  fileprivate func note(_ alarm: Alarm) {
    entries[alarm.number] = alarm.time.map { _ in Entry(alarm: alarm) }
  }

  fileprivate func forget(_ number: Int) { entries[number] = nil }

  var nextTime: LoopTime? { entries.values.earliest(\.alarm.time) }

  /// Returns the numbers of the alarms that are due, the earliest first.
  func due(at now: LoopTime, for waits: Set<Alarm.Wait>) -> [Int] {
    guard nextTime.isDue(at: now) else { return [] }
    let due = entries.values.map(\.alarm).filter { $0.time.isDue(at: now) && waits.contains($0.wait) }
    return due.sorted { ($0.time ?? now, $0.number) < ($1.time ?? now, $1.number) }.map(\.number)
  }

  /// Rings an alarm if it is still due.
  func ring(_ number: Int, at now: LoopTime) {
    guard let alarm = entries[number]?.alarm, alarm.time.isDue(at: now) else { return }
    alarm.time = nil
    alarm.ring()
  }
}
