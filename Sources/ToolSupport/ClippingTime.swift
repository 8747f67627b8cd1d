import Glibc

/// The local time as text.
package enum ClippingTime {
  /// Returns a name for content without one, such as `Clipping 2026-11-21 14.30.05`. Such names sort by time and need
  /// no escaping.
  package static func name() -> String {
    let parts = now
    let date = "\(parts.tm_year + 1900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
    return "Clipping \(date) \(padded(parts.tm_hour)).\(padded(parts.tm_min)).\(padded(parts.tm_sec))"
  }

  /// Returns the time of day, such as `14:30:05`.
  package static func clock() -> String {
    let parts = now
    return "\(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec))"
  }

  private static var now: tm {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    return parts
  }

  private static func padded(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
