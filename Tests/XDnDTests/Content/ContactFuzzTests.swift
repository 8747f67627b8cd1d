import TestSupport
import Testing

@testable import XDnD
@testable import xdnd_probe

@Suite("Contacts of hostile programs", .computing)
struct ContactFuzzTests {
  private static let fragments: [[UInt8]] =
    [
      "BEGIN:VCARD\r\n", "END:VCARD\r\n", "BEGIN:", "VERSION:2.1\n", "FN:", "N:", "ORG:", "EMAIL;PREF=1:", "TEL;PREF:",
      ";ENCODING=QUOTED-PRINTABLE:", ";CHARSET=utf-16:", "=\n", "=C3", "=\r\n ", "\n ", "\n\t", "\n", "\r", ";", ",",
      ":", "\\", "\\n", "\"", "(", ")", "<", ">", "a@b", "x", "ü", "👋", "../", "\u{1B}[2J", "\u{202E}", "\u{2028}",
      "\u{9B}",
    ].map { Array($0.utf8) } + [[0], [0xFF], [0xC3]]

  /// Whether a text can be shown in one line, and cannot command a terminal.
  private func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "\u{2028}" }
  }

  @Test func `random content makes plain words, safe names, and no trap`() throws {
    var random = SplitMix64(seed: 31)
    // The fuzzer's target `contacts` tries more.
    for _ in 0..<QuickTests.cases(of: 20_000, part: 40) {
      let bytes = (0..<random.below(60)).flatMap { _ in random.pick(Self.fragments) }
      let type = random.pick(ContactCard.importableTypes)
      let content = Array("BEGIN:VCARD\n".utf8) + bytes
      for card in (try? ContactCard.all(decoding: content, as: type)) ?? [] {
        let words = [card.name, card.organization ?? "", card.text] + card.mailAddresses + card.phoneNumbers
        if !words.allSatisfy(isPlain) { Issue.record("\(words) of \(content)") }
        let again = try ContactCard.all(decoding: card.encoded(as: .vCard), as: .vCard)
        if again != [card] { Issue.record("\(again) of \(card)") }
      }
      let name = Clipping(bytes: content, of: type, fallbackName: "x", database: .builtIn).name
      if FileName.sanitized(Array(name.utf8)) != name || name.contains("/") || !isPlain(name) {
        Issue.record("\(name) of \(content)")
      }
      let decoded = DecodedContent.decode(content, requested: type, type: type)
      for line in (decoded?.sentences ?? []) + [decoded?.preview ?? ""] where !isPlain(line) {
        Issue.record("\(line) of \(content)")
      }
    }
  }

  @Test func `what is kept of hostile content is bounded`() throws {
    let cards = String(repeating: "BEGIN:VCARD\nFN:x\nEND:VCARD\n", count: 3000)
    #expect(try ContactCard.all(decoding: Array(cards.utf8), as: .vCard).count == 1000)
    let mails = "BEGIN:VCARD\n" + String(repeating: "EMAIL:a@b\n", count: 3000)
    #expect(try ContactCard(decoding: Array(mails.utf8), as: .vCard).mailAddresses.count == 200)
    let name = Array(("BEGIN:VCARD\nFN:" + String(repeating: "ž", count: 1 << 16)).utf8)
    let records = try #require(
      DecodedContent.decode(name + Array(cards.utf8), requested: .vCard, type: .vCard)?.records)
    #expect(records.map(\.words.utf8.count).reduce(0, +) < 10_000)
  }
}
