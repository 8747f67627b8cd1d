/// A point in the driver's time, as the duration since the driver started.
///
/// Machines and feedback receive the time as an argument and never read a clock, so a test can run an hour in a
/// microsecond. The type is distinct from the server's ``Timestamp`` so that the two cannot be mixed up.
package struct LoopTime: Hashable, Comparable, Sendable {
  package var sinceStart: Duration

  package static let zero = LoopTime(sinceStart: .zero)

  package static func < (left: LoopTime, right: LoopTime) -> Bool { left.sinceStart < right.sinceStart }

  /// The earlier of two times; `nil` only if both are.
  static func earliest(_ left: LoopTime?, _ right: LoopTime?) -> LoopTime? {
    guard let left, let right else { return left ?? right }
    return right < left ? right : left
  }

  package static func + (time: LoopTime, duration: Duration) -> LoopTime {
    LoopTime(sinceStart: time.sinceStart + duration)
  }

  static func - (left: LoopTime, right: LoopTime) -> Duration { left.sinceStart - right.sinceStart }
}

extension Sequence {
  /// The earliest of the elements' times. Allocates nothing: a run loop asks for its next deadline in each turn.
  func earliest(_ time: (Element) -> LoopTime?) -> LoopTime? {
    var earliest: LoopTime?
    for element in self { earliest = LoopTime.earliest(earliest, time(element)) }
    return earliest
  }
}

extension LoopTime? {
  /// Whether the deadline has passed; `nil` never does.
  func isDue(at now: LoopTime) -> Bool { map { $0 <= now } ?? false }
}
