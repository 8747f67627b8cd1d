/// A day of the Gregorian calendar, with or without a time of day, as a calendar states it.
public struct CalendarTime: Hashable, Sendable, CustomStringConvertible {
  /// The year.
  public var year: Int
  /// The month, 1 to 12.
  public var month: Int
  /// The day of the month, 1 to 31.
  public var day: Int
  /// The time of day, in seconds since midnight by the clock; `nil` for a whole day.
  public var secondOfDay: Int?
  /// The name of the time zone, such as `UTC` or `Europe/Berlin`; `nil` for the local time wherever one is.
  public var zone: String?

  /// Creates a time.
  ///
  /// - Parameters:
  ///   - year: The year.
  ///   - month: The month, 1 to 12.
  ///   - day: The day of the month, 1 to 31.
  ///   - secondOfDay: The seconds since midnight; `nil` for a whole day.
  ///   - zone: The name of the time zone; `nil` for local time.
  public init(year: Int, month: Int, day: Int, secondOfDay: Int? = nil, zone: String? = nil) {
    self.year = year
    self.month = month
    self.day = day
    self.secondOfDay = secondOfDay
    self.zone = zone
  }

  /// The day, the time and the zone: `2026-03-12, 14:00, Europe/Berlin`.
  public var description: String { Self.joined(date, clock ?? "", zone) }

  static func joined(_ date: String, _ clock: String, _ zone: String?) -> String {
    [date, clock, zone ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The day in the form of ISO 8601, which is the same in all languages: `2026-03-12`.
  var date: String { "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))" }

  /// The hour and the minute; `nil` for a whole day.
  var clock: String? { secondOfDay.map { "\(Self.digits($0 / 3600, 2)):\(Self.digits($0 / 60 % 60, 2))" } }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }

  // MARK: iCalendar

  /// Reads `20260312`, `20260312T140000` or `20260312T130000Z` (RFC 5545, §3.3.4 and §3.3.5); `nil` for anything else.
  init?(_ line: ContentLine) {
    let text = Array(line.text.inOneLine.utf8)
    let isUTC = text.last == UInt8(ascii: "Z")
    let digits = isUTC ? text.dropLast() : text[...]
    let parts = digits.split(separator: UInt8(ascii: "T"), omittingEmptySubsequences: false)
    guard parts.count <= 2, let date = Self.numbers(parts[0], [4, 2, 2]), date[0] > 0, 1...12 ~= date[1],
      1...Self.days(in: date[1], of: date[0]) ~= date[2]
    else { return nil }
    self.init(year: date[0], month: date[1], day: date[2])
    guard parts.count == 2 else { return }
    // A leap second is 60.
    guard let time = Self.numbers(parts[1], [2, 2, 2]), time[0] < 24, time[1] < 60, time[2] <= 60 else { return nil }
    secondOfDay = time[0] * 3600 + time[1] * 60 + time[2]
    // Evolution's names have a path in front: /freeassociation.sourceforge.net/Europe/Berlin
    let name = line.parameter("TZID").map { $0.inOneLine.split(separator: "/").suffix(2).joined(separator: "/") }
    zone = isUTC ? "UTC" : name.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Splits digits into numbers of so many digits each; `nil` if there are others.
  private static func numbers(_ digits: ArraySlice<UInt8>, _ widths: [Int]) -> [Int]? {
    guard digits.count == widths.reduce(0, +), digits.allSatisfy(\.isASCIIDigit) else { return nil }
    var rest = digits
    return widths.map { width in
      defer { rest = rest.dropFirst(width) }
      return rest.prefix(width).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
  }

  /// The same without a time of day, one day earlier.
  var dayBefore: CalendarTime {
    if day > 1 { return CalendarTime(year: year, month: month, day: day - 1) }
    let (year, month) = month > 1 ? (year, month - 1) : (year - 1, 12)
    return CalendarTime(year: year, month: month, day: Self.days(in: month, of: year))
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
