import Glibc
import XDnDFiles

/// Numbers, times and names as text for the user.
package enum Formatting {
  /// Returns a byte count with its digits in groups: `8,388,608 bytes`, `1 byte`.
  package static func bytes(_ count: Int) -> String { self.count(count, "byte") }

  /// Returns a number of things with its digits in groups: `12,345 characters`, `1 character`.
  ///
  /// - Parameter noun: In the singular. The plural ends in s.
  package static func count(_ count: Int, _ noun: String) -> String {
    number(count) + " " + noun + (count == 1 ? "" : "s")
  }

  /// Returns a number with its digits in groups: `12,345`.
  package static func number(_ count: Int) -> String {
    let digits = String(count)
    return digits.enumerated().map { index, digit in
      index > 0 && (digits.count - index) % 3 == 0 ? ",\(digit)" : "\(digit)"
    }.joined()
  }

  /// Returns a byte count with a binary unit: `8.0 MiB`.
  package static func size(_ count: Int) -> String { ByteSize.words(for: count) }

  // MARK: Times

  /// Returns a name for content without one, such as `Clipping 2026-11-21 14.30.05`. Such names sort by time and need
  /// no escaping.
  package static func clippingName() -> String { time("\(clippingPrefix)%Y-%m-%d %H.%M.%S") }

  private static let clippingPrefix = "Clipping "

  /// Whether a name begins like a ``clippingName()``, which says nothing about the content.
  package static func isClippingName(_ name: String) -> Bool { name.hasPrefix(clippingPrefix) }

  /// Returns a local date and time to the minute, such as `2026-11-21 14:30`.
  ///
  /// - Parameter time: In seconds since 1970.
  package static func date(_ time: Int) -> String { self.time("%Y-%m-%d %H:%M", at: time) }

  /// Returns the local time of day, such as `14:30:05`.
  package static func clock() -> String { time("%H:%M:%S") }

  /// Returns the time in UTC (ISO 8601), such as `2026-11-21T13:30:05Z`.
  package static func timestamp() -> String { time("%Y-%m-%dT%H:%M:%SZ", in: gmtime_r) }

  /// Formats a time with `strftime`.
  ///
  /// - Parameter parts: `localtime_r` or `gmtime_r`.
  static func time(
    _ format: String, at time: time_t = Glibc.time(nil),
    in parts: (UnsafePointer<time_t>, UnsafeMutablePointer<tm>) -> UnsafeMutablePointer<tm>? = localtime_r
  ) -> String {
    var (seconds, fields) = (time, tm())
    _ = parts(&seconds, &fields)
    var buffer = [CChar](repeating: 0, count: 64)
    let count = strftime(&buffer, buffer.count, format, &fields)
    return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  package static func quoted(_ name: String) -> String { "\"\(name)\"" }
}

extension String {
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
