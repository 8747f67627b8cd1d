import XDnDToolSupport
import XDnD

/// Decoded content of a known type.
enum DecodedContent {
  case files([DroppedFile])
  case text(String)
  case links([Link])
  case color(Color)
  case records([DroppedRecord])

  private static let linkTypes: [ContentType] = [.mozURL, .netscapeURL]

  static func canRead(_ type: ContentType) -> Bool { hasDecoder(type) || isTextDocument(type) }

  /// Whether there is a decoder for a type: lists, HTML, colors, links, plain text and contacts.
  private static func hasDecoder(_ type: ContentType) -> Bool {
    isList(type) || StyledText.reads(type) || type.essence == .color || linkTypes.contains(type.essence)
      || PlainText.reads(type) || DroppedRecord.reads(type)
  }

  /// Whether a type is a list of URIs. The list types of KDE's own URI schemes are not included.
  static func isList(_ type: ContentType) -> Bool { type.essence == .uriList }

  /// Whether a type is a document that people can read as text, such as CSV, JSON or a mail message. It is shown as
  /// text, and saved unchanged.
  ///
  /// RTF conforms to `text/plain`, but its commands hide the text; images such as SVG are shown as images.
  static func isTextDocument(_ type: ContentType) -> Bool {
    !hasDecoder(type) && !["image", "audio", "video"].contains(type.type)
      && TypeDatabase.system.conforms(type, to: "text/plain") && !TypeDatabase.system.conforms(type, to: .rtf)
  }

  /// Whether decoded text has control characters that do not occur in text: the type does not fit the bytes.
  static func isBinary(_ text: String) -> Bool {
    text.utf8.contains { $0 < 0x20 && !textControls.contains($0) }
  }

  /// Tab, line feed, form feed, carriage return and escape.
  private static let textControls: [UInt8] = [0x09, 0x0A, 0x0C, 0x0D, 0x1B]

  /// Decodes content. Returns `nil` if that fails, and for a file list, which ``ReceivedContent`` decodes in slices
  /// because it may be long.
  ///
  /// - Parameters:
  ///   - requested: The requested type, which determines the decoder.
  ///   - type: The property type that the source delivered. For text it determines the encoding.
  static func decode(_ bytes: [UInt8], requested: ContentType, type: ContentType) -> DecodedContent? {
    if isList(requested) {
      nil
    } else if requested.essence == .color {
      (try? Color(decoding: bytes, as: requested)).map { .color($0) }
    } else if linkTypes.contains(requested.essence) {
      (try? Link.all(decoding: bytes, as: requested)).map { .links($0) }
    } else if StyledText.reads(requested) {
      (try? StyledText(decoding: bytes, as: requested)).map { .text($0.html) }
    } else if DroppedRecord.reads(requested) {
      DroppedRecord.all(decoding: bytes, as: requested).map { .records($0) }
    } else if isTextDocument(requested) {
      (try? TextCodec.decode(bytes, as: requested)).flatMap { isBinary($0.text) ? nil : .text($0.text) }
    } else {
      (try? PlainText(decoding: bytes, as: PlainText.reads(type) ? type : requested)).map { .text($0.text) }
    }
  }

  /// The files; `nil` for other content and for an empty list.
  var files: [DroppedFile]? {
    if case .files(let files) = self, !files.isEmpty { files } else { nil }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }

  var links: [Link]? { if case .links(let links) = self { links } else { nil } }

  var records: [DroppedRecord]? { if case .records(let records) = self { records } else { nil } }

  /// The color in CSS syntax.
  var color: String? {
    guard case .color(let color) = self, let bytes = try? color.encoded(as: .plainText) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The lines shown below the `data` report.
  var sentences: [String] {
    switch self {
    case .files(let files): files.prefix(Self.mostFilesInLine).map(\.sentence)
    case .text(let text): ["  " + Self.beginning(of: text.unicodeScalars)]
    case .links(let links):
      links.map { link in "  " + Formatting.visible(link.url + (link.title.map { " (\($0))" } ?? "")) }
    case .color: color.map { ["  \($0)"] } ?? []
    case .records(let records): records.map { "  " + Formatting.visible($0.text) }
    }
  }

  /// The summary for a row of the window; `nil` for files, which have their own rows, and for blank content.
  var preview: String? {
    switch self {
    case .files: nil
    case .text(let text): Self.firstLine(of: text.unicodeScalars)
    case .links(let links): links.first.map { Formatting.visible($0.title ?? $0.url) }
    case .color: color
    case .records(let records):
      records.first.flatMap { $0.title.isEmpty ? nil : Formatting.visible($0.title) }
    }
  }

  /// The beginning of a text, with an ellipsis if it is longer.
  private static func beginning(of text: String.UnicodeScalarView) -> String {
    let head = text.prefix(previewLength)
    return Formatting.visible(String(head)) + (head.endIndex == text.endIndex ? "" : "…")
  }

  /// The beginning of the first line that is not blank. The rest of a long text is not looked at.
  private static func firstLine(of text: String.UnicodeScalarView) -> String? {
    guard let word = text.firstIndex(where: { !$0.properties.isWhitespace }) else { return nil }
    let start = text[..<word].lastIndex { Character($0).isNewline }.map(text.index(after:)) ?? text.startIndex
    return Formatting.visible(String(text[start...].prefix(previewLength).prefix { !Character($0).isNewline }))
  }

  /// The maximum number of files per report; longer lists are split into several reports.
  static let mostFilesInLine = 10_000

  /// Returns the report of the files from an index on; `nil` if there are none.
  func filesReport(from first: Int) -> Report? {
    guard case .files(let files) = self, first < files.count else { return nil }
    let part = files[first...].prefix(Self.mostFilesInLine)
    return Report(
      "files", part.map(\.sentence).joined(separator: "\n"),
      ["first": .integer(first), "files": .list(part.map(\.fields))])
  }

  /// The maximum length of a text in a report, in Unicode scalars: one or two lines of a terminal.
  private static let previewLength = 160
}

extension Link {
  var fields: Report.Value { .members(["url": .string(url), "title": title.map { .string($0) }]) }
}

/// A contact as texts of limited length.
struct DroppedRecord {
  /// The name, or else the address, the number or the organization.
  let title: String
  /// The text of a row beside the title.
  let details: String
  /// The other fields, each with its label: `Mail: ada@example.org`.
  let facts: [String]
  /// The text to insert where only text is accepted.
  let text: String

  static func reads(_ type: ContentType) -> Bool { ContactCard.reads(type) }

  /// Records beyond this number are not shown.
  static let most = 100
  /// The maximum length of each string, in Unicode scalars.
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

  /// The title and the facts, for the preview.
  var words: String { ([title] + facts).filter { !$0.isEmpty }.joined(separator: "\n") }

  var fields: Report.Value {
    .members(["title": .string(title), "facts": .strings(facts)])
  }
}
