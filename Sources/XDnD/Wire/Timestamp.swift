/// A moment in the X server's own time: milliseconds since it started, in 32 bits.
///
/// The counter wraps after 49.7 days, so two timestamps are ordered by their distance (ICCCM, section 2.1) and are
/// not `Comparable`: the relation is not transitive over more than half of the range.
public struct Timestamp: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// Milliseconds; 0 stands for "now", see ``currentTime``.
  public let rawValue: UInt32

  /// Wraps a server time. The corresponding C type is `Time`.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The C constant `CurrentTime`: whatever time it is when the server handles the request.
  ///
  /// ICCCM asks clients not to use it where a real time is known; Chromium, JUCE and KWin send it in `XdndDrop`
  /// all the same.
  public static let currentTime = Timestamp(rawValue: 0)

  /// Whether this moment lies after `other`, over the wrap.
  ///
  /// Not defined for ``currentTime``, which is no moment at all.
  public func isLater(than other: Timestamp) -> Bool {
    Int32(truncatingIfNeeded: rawValue &- other.rawValue) > 0
  }

  /// Milliseconds, in decimal.
  public var description: String { String(rawValue) }
}
