import Synchronization
package import XDnD

/// Fingers on the touchscreen of a display. The server makes their events as those of a real screen: programs cannot tell
/// them from a hand.
///
/// When a call returns, the server has processed it, and has written the events to the clients that get them.
package final class Touchscreen: Sendable {
  /// The numbers of the events of XInput 2, which are the driver's.
  private enum Phase: UInt32 {
    case begin = 18
    case update, end
  }

  private let device: SyntheticDevice
  /// Where the fingers are that are down.
  private let places = Mutex<[Int: Point]>([:])

  init(_ device: SyntheticDevice) { self.device = device }

  /// Puts a finger down.
  ///
  /// - Parameter place: In root coordinates.
  package func touch(_ place: Point, finger: Int = 1) throws { try post(.begin, finger, place) }

  /// Moves a finger that is down.
  package func move(to place: Point, finger: Int = 1) throws { try post(.update, finger, place) }

  /// Moves a finger in equal steps, one each `pace`, as a hand does.
  package func glide(
    to place: Point, finger: Int = 1, steps: Int = 12, pace: Duration = .milliseconds(8)
  ) async throws {
    try await gliding(from: self.place(of: finger), to: place, steps, pace) { try move(to: $0, finger: finger) }
  }

  /// Moves a finger to and fro by two pixels until `body` returns.
  @discardableResult
  package func hover<Value: Sendable>(
    _ finger: Int = 1, until body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await hovering(at: place(of: finger), { try self.move(to: $0, finger: finger) }, until: body)
  }

  /// Lifts a finger, where it is.
  package func lift(finger: Int = 1) throws {
    try post(.end, finger, place(of: finger))
    places.withLock { $0[finger] = nil }
  }

  private func place(of finger: Int) throws -> Point {
    guard let place = places.withLock({ $0[finger] }) else { throw HarnessError("finger \(finger) is not down") }
    return place
  }

  private func post(_ phase: Phase, _ finger: Int, _ place: Point) throws {
    try device.post(.touch, [UInt32(finger), phase.rawValue], at: place)
    places.withLock { $0[finger] = place }
  }
}
