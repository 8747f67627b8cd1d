/// An X server time: milliseconds since the server started, in 32 bits.
///
/// The counter wraps after 49.7 days, so timestamps are ordered by their distance (ICCCM §2.1). The type is not
/// `Comparable`, because that relation is not transitive over more than half of the range.
public struct Timestamp: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// Milliseconds; 0 is ``currentTime``.
  public let rawValue: UInt32

  /// Creates a timestamp from a server time, the C type `Time`.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The C constant `CurrentTime`: the server's time when it processes the request.
  ///
  /// The ICCCM asks clients to use a real time where one is known; Chromium, JUCE and KWin send `CurrentTime` in
  /// `XdndDrop` nevertheless.
  public static let currentTime = Timestamp(rawValue: 0)

  /// Whether this time is after `other`, across the wrap.
  ///
  /// Undefined for ``currentTime``, which is not a point in time.
  package func isLater(than other: Timestamp) -> Bool {
    Int32(truncatingIfNeeded: rawValue &- other.rawValue) > 0
  }

  /// The milliseconds in decimal.
  public var description: String { String(rawValue) }
}
