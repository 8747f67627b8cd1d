@testable import XDnD

extension FuzzTarget {
  static let text = [
    FuzzTarget("text", run: readText),
    FuzzTarget("compound-text", run: readCompoundText),
    FuzzTarget("contacts", longest: 1 << 13, run: readContacts),
  ]

  // MARK: Text

  /// Types that can hold every text.
  static let universalTypes: [ContentType] = [
    .plainText, "UTF8_STRING", "text/plain", "TEXT", .html, "text/unicode", "text/x-moz-url", "_NETSCAPE_URL",
    "text/plain;charset=utf-16", "text/plain;charset=utf-16le", "text/plain;charset=utf-16be",
    "text/plain;charset=utf-32",
  ]
  private static let narrowTypes: [ContentType] = [
    "STRING", "COMPOUND_TEXT", "text/plain;charset=us-ascii", "text/plain;charset=iso-8859-1",
    "text/plain;charset=windows-1252", "text/plain;charset=koi8-r",
  ]
  private static let textTypes = universalTypes + narrowTypes
  private static let propertyTypes: [AtomName?] = [nil, .string, .utf8String, AtomName("COMPOUND_TEXT"), .integer]

  /// Text that is decoded can be encoded again, in each type that holds every text, and comes back. Encodings are exact.
  private static func readText(_ input: Input) {
    let (choice, bytes) = input.split
    let type = textTypes[choice % textTypes.count]
    let propertyType = propertyTypes[choice / textTypes.count % propertyTypes.count]
    let decoded = try? TextCodec.decode(bytes, as: type, propertyType: propertyType)
    let given = String(decoding: bytes, as: UTF8.self)
    for text in [decoded?.text, given].compactMap(\.self) {
      guard let written = TextCodec.encode(text, as: type) else {
        // NUL at the start of UTF-16 looks like another encoding.
        expect(!universalTypes.contains(type) || text.utf8.first == 0, "\(type) refuses \(text.debugDescription)")
        continue
      }
      let copy = try? TextCodec.decode(written, as: type).text
      let read = input.planted(copy, in: Array(text.utf8)) { $0.map { $0 + " " } }
      expect(
        read?.utf8.elementsEqual(text.utf8) == true, "\(type): \(text.debugDescription) became \(read ?? "nothing")")
    }
    for encoding in TextEncoding.allCases {
      guard let text = encoding.string(from: bytes[...]) else { continue }
      expect(encoding.bytes(of: text) == bytes, "\(encoding): \(bytes) became \(text.debugDescription)")
    }
    if let text = TextEncoding.surrogateUTF8(bytes[...]) {
      expect(text.utf8.count <= bytes.count, "\(bytes) became \(text.debugDescription)")
    }
    _ = ClippingName.words(of: given)
  }

  /// Compound text is read, and what is written as compound text comes back.
  private static func readCompoundText(_ input: Input) {
    for text in [PortableCompoundText.decode(input.bytes), input.text].compactMap(\.self) {
      guard let written = PortableCompoundText.encode(text) else {
        expect(text.utf8.contains(0x1B) || text.utf8.contains(0), "\(text.debugDescription) is refused")
        continue
      }
      let copy = input.planted(PortableCompoundText.decode(written), in: written) { _ in nil }
      expect(copy?.utf8.elementsEqual(text.utf8) == true, "\(text.debugDescription) became \(copy ?? "nothing")")
    }
  }

  // MARK: Contacts

  /// Whether a text can be shown in one line, and cannot command a terminal.
  static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "\u{2028}" && $0 != "\u{2029}" }
  }

  /// Contacts have plain words, and come back.
  private static func readContacts(_ input: Input) {
    let (choice, bytes) = input.split
    let type = ContactCard.importableTypes[choice % ContactCard.importableTypes.count]
    let content = choice < 128 ? bytes : Array("BEGIN:VCARD\n".utf8) + bytes
    let cards = (try? ContactCard.all(decoding: content, as: type)) ?? []
    expect(cards.count <= 1000, "\(cards.count) contacts")
    for card in cards {
      let organization = input.planted(card.organization, in: Array((card.organization ?? "").utf8)) { _ in "\n" }
      let words = [card.name, organization ?? "", card.text] + card.mailAddresses + card.phoneNumbers
      expect(words.allSatisfy(isPlain), "\(words)")
      let address = card.mailAddress?.description ?? ""
      expect(isPlain(address), "\(address)")
    }
    guard !input.isMeasured else { return }
    // Each may be as long as the content, so only some are written. Of each, 200 lines are read.
    for card in cards.prefix(3) where card.mailAddresses.count + card.phoneNumbers.count < 190 {
      let written = (try? card.encoded(as: .vCard)) ?? []
      let again = try? ContactCard.all(decoding: written, as: .vCard)
      expect(again == [card], "\(card) became \(again ?? [])")
    }
    expectName(Clipping(bytes: content, of: type, fallbackName: "x", database: .builtIn).name)
  }
}
