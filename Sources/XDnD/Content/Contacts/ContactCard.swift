/// The parts of a contact that other programs need most: a person or an organisation of a vCard. The counterpart of
/// `CNContact`.
///
/// It is read from vCards of versions 2.1, 3.0 and 4.0. Pictures, postal addresses and the like are left out: to keep
/// them, load the bytes.
public struct ContactCard: Hashable, Sendable {
  /// The display name, in one line; empty if there is none.
  public var name: String
  /// The mail addresses, the preferred one first: `ada@example.org`.
  public var mailAddresses: [String]
  /// The telephone numbers, the preferred one first.
  public var phoneNumbers: [String]
  /// The organisation, with its units.
  public var organization: String?

  /// Creates a contact.
  ///
  /// - Parameters:
  ///   - name: The display name.
  ///   - mailAddresses: The mail addresses, the preferred one first.
  ///   - phoneNumbers: The telephone numbers, the preferred one first.
  ///   - organization: The organisation.
  public init(
    name: String, mailAddresses: [String] = [], phoneNumbers: [String] = [], organization: String? = nil
  ) {
    self.name = name
    self.mailAddresses = mailAddresses
    self.phoneNumbers = phoneNumbers
    self.organization = organization
  }

  /// The name with the preferred mail address; `nil` without an address.
  package var mailAddress: MailAddress? {
    mailAddresses.first.map { MailAddress(name: name.isEmpty ? nil : name, address: $0) }
  }

  /// The contact in one line, for a field that takes names or addresses: `Ada Lovelace <ada@example.org>`. Without an
  /// address: the name, the first telephone number or the organisation.
  public var text: String {
    mailAddress?.description ?? [name, phoneNumbers.first ?? "", organization ?? ""].first { !$0.isEmpty } ?? ""
  }

  // MARK: Bytes

  /// The types that can be decoded, best first.
  package static let importableTypes: [ContentType] = [
    .vCard, "text/vcard;charset=utf-8", "text/x-vcard", "text/directory;profile=vcard", "text/directory",
  ]

  /// The types to offer, best first.
  package static let exportableTypes: [ContentType] = [.vCard, "text/x-vcard"] + PlainText.exportableTypes

  /// Whether a type can be decoded: a vCard under any of its names, with any other parameters.
  package static func reads(_ type: ContentType) -> Bool {
    switch TextLabel(type).base {
    case "text/vcard", "text/x-vcard": true
    case "text/directory": type.parameter("profile").map { $0.lowercased() == "vcard" } ?? true
    default: false
    }
  }

  /// Decodes the first contact.
  ///
  /// - Throws: ``ContentError`` if the bytes contain no contact, or if ``all(decoding:as:)`` throws.
  package init(decoding bytes: [UInt8], as type: ContentType) throws(ContentError) {
    guard let first = try Self.all(decoding: bytes, as: type).first else {
      throw .malformed(type, "there is no contact in it")
    }
    self = first
  }

  /// Decodes all contacts, up to a thousand.
  ///
  /// - Throws: ``ContentError`` if `type` is not a vCard, if its charset is unknown, or if the bytes are invalid in a
  ///   charset other than UTF-8.
  package static func all(decoding bytes: [UInt8], as type: ContentType) throws(ContentError) -> [ContactCard] {
    guard reads(type) else { throw .unsupported(type, for: "a contact") }
    return try VCardReader.lines(["FN", "N", "EMAIL", "TEL", "ORG"], in: bytes, as: type).map { ContactCard($0) }
  }

  private init(_ lines: [ContentLine]) {
    func first(_ name: String, _ text: (ContentLine) -> String) -> String? {
      lines.filter { $0.name == name }.map { text($0).inOneLine }.first { !$0.isEmpty }
    }
    func all(_ name: String, _ scheme: String) -> [String] {
      lines.filter { $0.name == name }.sorted { $0.rank < $1.rank }
        .map { Self.withoutScheme(scheme, $0.text.inOneLine) }.filter { !$0.isEmpty }
    }
    // RFC 6350, §6.2.2: family, given and additional names, prefixes, suffixes.
    let name =
      first("FN", \.text)
      ?? first("N") { line in
        let parts = line.fields
        return [3, 1, 2, 0, 4].filter(parts.indices.contains).map { parts[$0] }.joined(separator: " ")
      }
    self.init(
      name: name ?? "", mailAddresses: all("EMAIL", "mailto:"), phoneNumbers: all("TEL", "tel:"),
      organization: first("ORG") { $0.fields.filter { !$0.isEmpty }.joined(separator: ", ") })
  }

  /// Version 4.0 may write values as URIs.
  ///
  /// Removes every leading scheme and space: a value that is written and read again must stay the same.
  private static func withoutScheme(_ scheme: String, _ value: String) -> String {
    let length = scheme.unicodeScalars.count
    var rest = value.unicodeScalars[...]
    while String(rest.prefix(length)).lowercased() == scheme { rest = rest.dropFirst(length).drop { $0 == " " } }
    return String(rest)
  }

  /// Encodes the contact as a vCard of version 3.0, which more programs read than 4.0, or ``text`` as plain text.
  ///
  /// Each value is written in one line.
  ///
  /// - Throws: ``ContentError`` if `type` is neither, or if its charset is unknown or would lose characters.
  package func encoded(as type: ContentType) throws(ContentError) -> [UInt8] {
    if PlainText.isForm(type) { return try PlainText(text).encoded(as: type) }
    guard Self.reads(type) else { throw .unsupported(type, for: "a contact") }
    func value(_ text: String) -> String { ContentLine.escaped(text.inOneLine) }
    // Version 3.0 requires the name in parts, too.
    var lines = ["BEGIN:VCARD", "VERSION:3.0", "FN:\(value(name))", "N:\(value(name));;;;"]
    if let organization { lines.append("ORG:\(value(organization))") }
    lines += mailAddresses.map { "EMAIL:\(value($0))" } + phoneNumbers.map { "TEL:\(value($0))" } + ["END:VCARD"]
    return try TextCodec.encoded(lines.map { Self.folded($0) + "\r\n" }.joined(), as: type)
  }

  /// Breaks a line after at most 75 bytes, between characters (RFC 2426, §2.6).
  private static func folded(_ line: String) -> String {
    guard line.utf8.count > 75 else { return line }
    var result = ""
    var width = 0
    for scalar in line.unicodeScalars {
      let size = UTF8.width(scalar)
      if width + size > 75 {
        result += "\r\n "
        width = 1
      }
      result.unicodeScalars.append(scalar)
      width += size
    }
    return result
  }
}
