/// An event or a task of an iCalendar object: what, when and where. The counterpart of `EKEvent`.
///
/// It is read from iCalendar (RFC 5545) and from vCalendar 1.0. Alarms, repetitions, attendees and the like are left out:
/// to keep them, load the bytes.
public struct CalendarEvent: Hashable, Sendable {
  /// The title, in one line; empty if there is none.
  public var title: String
  /// The start; `nil` for a task without one.
  public var start: CalendarTime?
  /// The end, or when a task is due; `nil` if it is not stated. Of whole days, the last one.
  public var end: CalendarTime?
  /// The place, in one line.
  public var location: String?

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - start: The start.
  ///   - end: The end; of whole days, the last one.
  ///   - location: The place.
  public init(title: String, start: CalendarTime? = nil, end: CalendarTime? = nil, location: String? = nil) {
    self.title = title
    self.start = start
    self.end = end
    self.location = location
  }

  /// When the event takes place: `2026-03-12, 14:00 to 15:30, Europe/Berlin`; empty if it does not say.
  public var period: String {
    guard let start else { return end.map { "until \($0)" } ?? "" }
    guard let end, end != start else { return start.description }
    guard start.date == end.date, start.zone == end.zone, let from = start.clock, let to = end.clock else {
      return "\(start) to \(end)"
    }
    return CalendarTime.joined(start.date, "\(from) to \(to)", start.zone)
  }

  /// The event in one line: the title, ``period`` and the place.
  public var text: String { [title, period, location ?? ""].filter { !$0.isEmpty }.joined(separator: ", ") }

  // MARK: Bytes

  /// The types that can be decoded, best first.
  public static let importableTypes: [ContentType] = [
    .calendarEvent, "text/calendar;charset=utf-8", "text/x-vcalendar", "application/ics",
  ]

  /// The types to offer: ``text``. An iCalendar object needs more than this value has, such as an identifier.
  public static let exportableTypes: [ContentType] = PlainText.exportableTypes

  /// Whether a type can be decoded: iCalendar or vCalendar, with any parameters.
  public static func reads(_ type: ContentType) -> Bool {
    ["text/calendar", "text/x-vcalendar", "application/ics"].contains(TextLabel(type).base)
  }

  /// Decodes the first event or task.
  ///
  /// - Throws: ``ContentError`` if `type` is no calendar, or if the bytes contain neither.
  public init(decoding bytes: [UInt8], as type: ContentType) throws(ContentError) {
    guard let first = try Self.all(decoding: bytes, as: type).first else {
      throw .malformed(type, "there is no event in it")
    }
    self = first
  }

  /// Decodes all events and tasks, up to a thousand.
  ///
  /// - Throws: ``ContentError`` if `type` is no calendar, if its charset is unknown, or if the bytes are not valid in it.
  public static func all(decoding bytes: [UInt8], as type: ContentType) throws(ContentError) -> [CalendarEvent] {
    guard reads(type) else { throw .unsupported(type, for: "an event") }
    return try ContentComponents.all(
      ["VEVENT", "VTODO"], with: ["SUMMARY", "DTSTART", "DTEND", "DUE", "LOCATION"], in: bytes, as: type
    ).map { CalendarEvent($0) }
  }

  private init(_ lines: [ContentLine]) {
    func text(_ name: String) -> String {
      lines.filter { $0.name == name }.map(\.text.inOneLine).first { !$0.isEmpty } ?? ""
    }
    func time(_ name: String) -> CalendarTime? {
      lines.filter { $0.name == name }.compactMap { CalendarTime($0) }.first
    }
    let (start, location) = (time("DTSTART"), text("LOCATION"))
    // RFC 5545, §3.6.1: DTEND is the day after the last one.
    let end = time("DTEND").map { $0.secondOfDay == nil && $0 != start ? $0.dayBefore : $0 }
    self.init(
      title: text("SUMMARY"), start: start, end: end ?? time("DUE"), location: location.isEmpty ? nil : location)
  }

  /// Encodes ``text`` as plain text.
  ///
  /// - Throws: ``ContentError`` if `type` is not plain text, or if its charset is unknown or would lose characters.
  public func encoded(as type: ContentType) throws(ContentError) -> [UInt8] { try PlainText(text).encoded(as: type) }
}
