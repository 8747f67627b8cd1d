/// A moment in the driver's time: how long since it started.
///
/// Machines and feedback are given it as an argument and never look at a clock, so a test can run an hour in a microsecond. It is
/// another type than the server's ``Timestamp`` on purpose.
struct LoopTime: Hashable, Comparable, Sendable {
  var sinceStart: Duration

  static let zero = LoopTime(sinceStart: .zero)

  static func < (left: LoopTime, right: LoopTime) -> Bool { left.sinceStart < right.sinceStart }

  /// The earlier of two, or the one that there is.
  static func earliest(_ left: LoopTime?, _ right: LoopTime?) -> LoopTime? {
    guard let left, let right else { return left ?? right }
    return right < left ? right : left
  }

  static func + (time: LoopTime, duration: Duration) -> LoopTime {
    LoopTime(sinceStart: time.sinceStart + duration)
  }

  static func - (left: LoopTime, right: LoopTime) -> Duration { left.sinceStart - right.sinceStart }
}
