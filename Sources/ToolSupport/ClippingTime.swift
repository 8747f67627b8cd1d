import Glibc

/// The name of a clipping whose content has none.
public enum ClippingTime {
  /// Such as `Clipping 2026-11-21 14.30.05`, in local time: file managers sort it, and nothing has to be escaped.
  public static func name() -> String {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    func padded(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date = "\(parts.tm_year + 1900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
    return "Clipping \(date) \(padded(parts.tm_hour)).\(padded(parts.tm_min)).\(padded(parts.tm_sec))"
  }
}
