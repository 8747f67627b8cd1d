/// What the header of a mail message says: who has written what to whom (RFC 5322).
///
/// The text of the message and its attachments are not read: to keep them, load the bytes.
public struct MailHeader: Hashable, Sendable {
  /// The subject, in one line; empty if there is none.
  public var subject: String
  /// The author; `nil` if the message does not name one.
  public var sender: MailAddress?
  /// The addresses of `To`.
  public var recipients: [MailAddress]
  /// The date as it is written: `Tue, 1 Jul 2003 10:52:37 +0200`; `nil` if there is none.
  public var date: String?

  /// Creates a header.
  ///
  /// - Parameters:
  ///   - subject: The subject.
  ///   - sender: The author.
  ///   - recipients: The addresses of `To`.
  ///   - date: The date, in the form of RFC 5322.
  public init(subject: String, sender: MailAddress? = nil, recipients: [MailAddress] = [], date: String? = nil) {
    self.subject = subject
    self.sender = sender
    self.recipients = recipients
    self.date = date
  }

  /// The message in one line: the subject, the author and the date.
  public var text: String {
    let parts = [subject, sender.map { "from \($0)" } ?? "", date ?? ""]
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  // MARK: Bytes

  /// The types that can be decoded, best first.
  public static let importableTypes: [ContentType] = [.emailMessage, "text/rfc822-headers"]

  /// The types to offer: ``text``. A message itself has more than this value.
  public static let exportableTypes: [ContentType] = PlainText.exportableTypes

  /// Whether a type can be decoded: a message, with any parameters.
  public static func reads(_ type: ContentType) -> Bool {
    ["message/rfc822", "text/rfc822-headers"].contains(TextLabel(type).base)
  }

  /// Longer headers are not read to their end, in bytes.
  private static let longest = 1 << 18

  /// Decodes the header of a message.
  ///
  /// - Throws: ``ContentError`` if `type` is no message, or if the bytes do not begin with a header.
  public init(decoding bytes: [UInt8], as type: ContentType) throws(ContentError) {
    guard Self.reads(type) else { throw .unsupported(type, for: "a mail message") }
    var fields: [String: String] = [:]
    var name: String?
    for line in bytes.prefix(Self.longest).split(separator: 0x0A, omittingEmptySubsequences: false) {
      let line = line.last == 0x0D ? line.dropLast() : line
      guard let first = line.first else { break }
      if first == 0x20 || first == 0x09 {
        // A folded line goes on.
        if let name { fields[name]? += ContentLine.string(Array(line)) }
        continue
      }
      name = nil
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let label = String(decoding: line[..<colon].trimmingASCIISpaces, as: UTF8.self).lowercased()
      guard Self.names.contains(label), fields[label] == nil else { continue }
      fields[label] = ContentLine.string(Array(line[(colon + 1)...]))
      name = label
    }
    guard !fields.isEmpty else { throw .malformed(type, "there is no header") }
    let date = fields["date"]?.inOneLine ?? ""
    self.init(
      subject: EncodedWords.decoded(fields["subject"] ?? "").inOneLine,
      sender: fields["from"].flatMap { MailAddress.all(in: $0).first },
      recipients: fields["to"].map { MailAddress.all(in: $0) } ?? [], date: date.isEmpty ? nil : date)
  }

  private static let names: Set<String> = ["subject", "from", "to", "date"]

  /// Encodes ``text`` as plain text.
  ///
  /// - Throws: ``ContentError`` if `type` is not plain text, or if its charset is unknown or would lose characters.
  public func encoded(as type: ContentType) throws(ContentError) -> [UInt8] { try PlainText(text).encoded(as: type) }
}
