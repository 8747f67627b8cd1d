import XDnDToolSupport
import XDnD

/// A contact, an event or the header of a mail message, in words. They are bounded, whatever the content is.
struct DroppedRecord {
  enum Kind: String {
    case contact, event, message
  }

  let kind: Kind
  /// The name, the title or the subject.
  let title: String
  /// What a row says besides the title.
  let details: String
  /// The rest, each with its name: `Mail: ada@example.org`.
  let facts: [String]
  /// The part that a text field would take.
  let text: String

  static func reads(_ type: ContentType) -> Bool {
    ContactCard.reads(type) || CalendarEvent.reads(type) || MailHeader.reads(type)
  }

  /// Records beyond this number are not shown.
  static let most = 100
  /// In Unicode scalars, of each string.
  private static let longest = 256
  private static let mostFacts = 10

  /// Decodes content, up to ``most`` records; `nil` if there is none in it.
  static func all(decoding bytes: [UInt8], as type: ContentType) -> [DroppedRecord]? {
    let records: [DroppedRecord]? =
      if ContactCard.reads(type) {
        (try? ContactCard.all(decoding: bytes, as: type))?.prefix(most).map { DroppedRecord($0) }
      } else if CalendarEvent.reads(type) {
        (try? CalendarEvent.all(decoding: bytes, as: type))?.prefix(most).map { DroppedRecord($0) }
      } else {
        (try? MailHeader(decoding: bytes, as: type)).map { [DroppedRecord($0)] }
      }
    return records?.isEmpty == true ? nil : records
  }

  private init(
    _ kind: Kind, _ title: String, details: String?, facts: [(label: String, values: [String])], text: String
  ) {
    func short(_ text: String) -> String {
      let head = text.unicodeScalars.prefix(Self.longest)
      return head.endIndex == text.unicodeScalars.endIndex ? text : String(head) + "…"
    }
    self.kind = kind
    self.title = short(title)
    self.details = short(details ?? "")
    let lines = facts.flatMap { fact in fact.values.prefix(Self.mostFacts).map { "\(fact.label): \(short($0))" } }
    self.facts = Array(lines.prefix(Self.mostFacts))
    self.text = short(text)
  }

  init(_ contact: ContactCard) {
    self.init(
      .contact, contact.name.isEmpty ? contact.text : contact.name,
      details: contact.mailAddresses.first ?? contact.phoneNumbers.first,
      facts: [
        ("Organization", contact.organization.map { [$0] } ?? []), ("Mail", contact.mailAddresses),
        ("Phone", contact.phoneNumbers),
      ], text: contact.text)
  }

  init(_ event: CalendarEvent) {
    self.init(
      .event, event.title, details: event.period,
      facts: [("When", event.period.isEmpty ? [] : [event.period]), ("Where", event.location.map { [$0] } ?? [])],
      text: event.text)
  }

  init(_ message: MailHeader) {
    self.init(
      .message, message.subject, details: message.sender.map { "from \($0.name ?? $0.address)" },
      facts: [
        ("From", message.sender.map { [$0.description] } ?? []), ("Date", message.date.map { [$0] } ?? []),
        ("To", message.recipients.map(\.description)),
      ], text: message.text)
  }

  /// All of it, for the preview.
  var words: String { ([title] + facts).filter { !$0.isEmpty }.joined(separator: "\n") }

  var fields: Report.Value {
    .members(["kind": .string(kind.rawValue), "title": .string(title), "facts": .strings(facts)])
  }
}
