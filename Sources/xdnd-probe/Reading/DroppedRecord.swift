import XDnDToolSupport
import XDnD

/// A contact, in words. They are bounded, whatever the content is.
struct DroppedRecord {
  /// The name, or else the address, the number or the organization.
  let title: String
  /// What a row says besides the title.
  let details: String
  /// The rest, each with its name: `Mail: ada@example.org`.
  let facts: [String]
  /// The part that a text field would take.
  let text: String

  static func reads(_ type: ContentType) -> Bool { ContactCard.reads(type) }

  /// Records beyond this number are not shown.
  static let most = 100
  /// In Unicode scalars, of each string.
  private static let longest = 256
  private static let mostFacts = 10

  /// Decodes content, up to ``most`` records; `nil` if there is none in it.
  static func all(decoding bytes: [UInt8], as type: ContentType) -> [DroppedRecord]? {
    let records = (try? ContactCard.all(decoding: bytes, as: type))?.prefix(most).map { DroppedRecord($0) }
    return records?.isEmpty == true ? nil : records
  }

  init(_ contact: ContactCard) {
    func short(_ text: String) -> String {
      let head = text.unicodeScalars.prefix(Self.longest)
      return head.endIndex == text.unicodeScalars.endIndex ? text : String(head) + "…"
    }
    title = short(contact.name.isEmpty ? contact.text : contact.name)
    details = short(contact.mailAddresses.first ?? contact.phoneNumbers.first ?? "")
    let facts = [
      ("Organization", contact.organization.map { [$0] } ?? []), ("Mail", contact.mailAddresses),
      ("Phone", contact.phoneNumbers),
    ]
    let lines = facts.flatMap { label, values in values.prefix(Self.mostFacts).map { "\(label): \(short($0))" } }
    self.facts = Array(lines.prefix(Self.mostFacts))
    text = short(contact.text)
  }

  /// All of it, for the preview.
  var words: String { ([title] + facts).filter { !$0.isEmpty }.joined(separator: "\n") }

  var fields: Report.Value {
    .members(["title": .string(title), "facts": .strings(facts)])
  }
}
