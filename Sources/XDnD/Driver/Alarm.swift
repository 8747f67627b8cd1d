/// The time at which an object goes on without an event: a deadline of its machine, or the next frame of an image.
///
/// The object retains the alarm; releasing it takes the time back.
final class Alarm {
  /// `nil` for never.
  var time: LoopTime? {
    didSet { if time != oldValue { alarms?.note(self) } }
  }

  /// Whether the object waits for another program, which may be this one.
  fileprivate let awaitsPeer: Bool
  /// Alarms of the same time ring in the order of their creation.
  fileprivate let number: Int
  /// Called when the time has come, with the alarm turned off.
  fileprivate let ring: () -> Void
  private weak var alarms: Alarms?

  fileprivate init(_ number: Int, of alarms: Alarms, awaitsPeer: Bool, ring: @escaping () -> Void) {
    self.number = number
    self.alarms = alarms
    self.awaitsPeer = awaitsPeer
    self.ring = ring
  }

  deinit { alarms?.forget(number) }
}

/// The alarms of a driver that have a time.
final class Alarms {
  private struct Entry {
    unowned let alarm: Alarm
    let time: LoopTime
  }

  private var entries: [Int: Entry] = [:]
  private var lastNumber = 0

  /// - Parameters:
  ///   - awaitsPeer: Whether the object waits for another program.
  ///   - ring: Called when the time has come.
  func alarm(awaitsPeer: Bool = true, ring: @escaping () -> Void) -> Alarm {
    lastNumber += 1
    return Alarm(lastNumber, of: self, awaitsPeer: awaitsPeer, ring: ring)
  }

  fileprivate func note(_ alarm: Alarm) {
    entries[alarm.number] = alarm.time.map { Entry(alarm: alarm, time: $0) }
  }

  fileprivate func forget(_ number: Int) { entries[number] = nil }

  var nextTime: LoopTime? { entries.values.earliest(\.time) }

  /// Whether a wait for a peer is over.
  func endsWaiting(at now: LoopTime) -> Bool { entries.values.contains { $0.time <= now && $0.alarm.awaitsPeer } }

  /// The numbers of the alarms that are due, the earliest first.
  func due(at now: LoopTime) -> [Int] {
    guard entries.values.contains(where: { $0.time <= now }) else { return [] }
    return entries.filter { $0.value.time <= now }
      .sorted { ($0.value.time, $0.key) < ($1.value.time, $1.key) }
      .map(\.key)
  }

  /// Rings an alarm, unless it is not due any more.
  func ring(_ number: Int, at now: LoopTime) {
    guard let entry = entries[number], entry.time <= now else { return }
    entry.alarm.time = nil
    entry.alarm.ring()
  }
}
