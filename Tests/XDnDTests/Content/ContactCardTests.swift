import TestSupport
import Testing

@testable import XDnD

/// Contacts: the part that other programs need.
@Suite("Contacts", .computing)
struct ContactCardTests {
  private func contact(_ lines: String...) throws -> ContactCard {
    try ContactCard(
      decoding: Array((["BEGIN:VCARD"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n").utf8), as: .vCard)
  }

  // MARK: Contacts

  @Test func `a vCard of version 4`() throws {
    let card = try contact(
      "VERSION:4.0", "FN:Ada Lovelace", "N:Lovelace;Ada;;Dr.;", "EMAIL;PREF=2:ada@example.org",
      "EMAIL;TYPE=work;PREF=1:mailto:ada@work.example", "TEL;VALUE=uri:tel:+44-20-1234",
      "ORG:Analytical Society;Engines", "PHOTO:data:image/png;base64,AAAA")
    #expect(
      card
        == ContactCard(
          name: "Ada Lovelace", mailAddresses: ["ada@work.example", "ada@example.org"],
          phoneNumbers: ["+44-20-1234"], organization: "Analytical Society, Engines"))
    #expect(card.text == "Ada Lovelace <ada@work.example>")
  }

  @Test func `an address has neither a scheme nor a space at its start, however often a vCard writes them`() throws {
    let card = try contact("EMAIL:mailto: ada@b", "EMAIL:mailto:MAILTO: mailto:c@d", "EMAIL:mailto: ", "TEL:tel:tel:+1")
    #expect(card == ContactCard(name: "", mailAddresses: ["ada@b", "c@d"], phoneNumbers: ["+1"]))
    #expect(try ContactCard(decoding: card.encoded(as: .vCard), as: .vCard) == card)
  }

  @Test func `a vCard of version 3, with groups and a preferred address`() throws {
    let card = try contact(
      "VERSION:3.0", "item1.FN:Ada", "item1.EMAIL;TYPE=INTERNET,HOME:ada@home.example",
      "item2.EMAIL;TYPE=\"internet,PREF\":ada@example.org")
    #expect(card.mailAddresses == ["ada@example.org", "ada@home.example"])
  }

  @Test func `a vCard of version 2,1, with quoted-printable, charsets and words without names`() throws {
    let card = try contact(
      "VERSION:2.1", "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BC=", "rgen;;Dr.",
      "TEL;CELL:2", "TEL;HOME;PREF:1", "EMAIL;INTERNET:j@x.example",
      "ORG;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:Caf=E9")
    #expect(
      card
        == ContactCard(
          name: "Dr. Jürgen Müller", mailAddresses: ["j@x.example"], phoneNumbers: ["1", "2"], organization: "Café"))
  }

  @Test func `folded lines are joined, also where they are folded within a character`() throws {
    #expect(try contact("VERSION:4.0", "FN:Ada", "  Love", "\tlace").name == "Ada Lovelace")
    #expect(try contact("VERSION:2.1", "FN:Ada", " Lovelace").name == "Ada Lovelace")
    var bytes = Array("BEGIN:VCARD\r\nFN:J".utf8)
    bytes += [0xC3] + Array("\r\n ".utf8) + [0xBC] + Array("rgen\r\nEND:VCARD\r\n".utf8)
    for type in ["text/vcard", "text/vcard;charset=utf-8"] as [ContentType] {
      #expect(try ContactCard(decoding: bytes, as: type).name == "Jürgen")
    }
  }

  @Test func `escapes are undone, and a name is one line without control characters`() throws {
    #expect(try contact(#"FN:Love\, Ada\nKing\; \\ \x"#).name == #"Love, Ada King; \ \x"#)
    #expect(try contact("FN:\u{1B}[31mred\u{7}\u{9B}2J \u{2028} blue").name == "[31mred2J blue")
  }

  @Test func `an agent within a contact is not the contact`() throws {
    let card = try contact("AGENT:", "BEGIN:VCARD", "FN:Agent", "END:VCARD", "FN:Boss")
    #expect(card.name == "Boss")
  }

  @Test func `several contacts are read, the last one also without its end`() throws {
    let text = "BEGIN:VCARD\nFN:A\nEND:VCARD\n\nbegin:vcard\nfn:B\nend:vcard\nBEGIN:VCARD\nFN:C"
    #expect(try ContactCard.all(decoding: Array(text.utf8), as: .vCard).map(\.name) == ["A", "B", "C"])
    #expect(try ContactCard(decoding: Array(text.utf8), as: .vCard).name == "A")
  }

  @Test func `a vCard may be in UTF-16 or in Latin-1`() throws {
    let text = "BEGIN:VCARD\nFN:Jürgen\nEND:VCARD\n"
    let wide = try #require(TextEncoding.utf16LittleEndian.bytes(of: text))
    #expect(try ContactCard(decoding: [0xFF, 0xFE] + wide, as: "text/x-vcard").name == "Jürgen")
    let latin = try #require(TextEncoding.isoLatin1.bytes(of: text))
    #expect(try ContactCard(decoding: latin, as: .vCard).name == "Jürgen")
    #expect(try ContactCard(decoding: latin, as: "text/vcard;charset=iso-8859-1").name == "Jürgen")
  }

  @Test func `what is no contact is an error`() {
    for text in ["", "FN:Ada", "BEGIN:VEVENT\nFN:Ada\nEND:VEVENT", "END:VCARD\nFN:Ada"] {
      #expect(throws: ContentError.self) { try ContactCard(decoding: Array(text.utf8), as: .vCard) }
    }
    for type in [.plainText, .png, "text/directory;profile=other"] as [ContentType] {
      #expect(throws: ContentError.self) { try ContactCard.all(decoding: [], as: type) }
    }
    #expect(ContactCard.reads("TEXT/VCARD;version=4.0") && ContactCard.reads("text/directory; profile=\"VCARD\""))
  }

  @Test func `a contact comes back as it was, in lines that mail programs carry`() throws {
    let card = ContactCard(
      name: #"Grüße, \ ; 👋 "# + String(repeating: "ü", count: 200), mailAddresses: ["a@example.org", "b@example.org"],
      phoneNumbers: ["+1 2"], organization: "X; Y, Z")
    for type in ContactCard.importableTypes {
      let bytes = try card.encoded(as: type)
      #expect(try ContactCard.all(decoding: bytes, as: type) == [card])
      for line in bytes.split(separator: 0x0A) {
        #expect(line.last == 0x0D && line.count <= 76)
        #expect(TextEncoding.utf8.string(from: line) != nil)
      }
    }
    #expect(try ContactCard(name: "Ada").encoded(as: .plainText) == Array("Ada".utf8))
  }

  @Test func `the text of a contact without a name is its address, its number or its organization`() {
    #expect(ContactCard(name: "", mailAddresses: ["a@b"]).text == "a@b")
    #expect(ContactCard(name: "", phoneNumbers: ["12"]).text == "12")
    #expect(ContactCard(name: "", organization: "Society").text == "Society")
    #expect(ContactCard(name: "").text == "")
  }

  // MARK: Addresses

  @Test(arguments: [
    (MailAddress(name: "Ada Lovelace", address: "a@b"), "Ada Lovelace <a@b>"),
    (MailAddress(address: "a@b"), "a@b"), (MailAddress(name: "  ", address: "a@b"), "a@b"),
    (MailAddress(name: "Lovelace, Ada", address: "a@b"), "\"Lovelace, Ada\" <a@b>"),
    (MailAddress(name: "A \"B\" \\ C", address: "a@b"), #""A \"B\" \\ C" <a@b>"#),
    (MailAddress(address: "a@b>,\r\nBcc: <evil@c"), "a@bBcc:evil@c"),
    (MailAddress(name: "Ada\r\nBcc: evil@c", address: "a@b"), "\"Ada Bcc: evil@c\" <a@b>"),
  ])
  func `an address is one address in one line`(address: MailAddress, text: String) {
    #expect(address.description == text)
  }

  // MARK: Names of clippings

  @Test(arguments: [
    (ContentType.vCard, "BEGIN:VCARD\nFN:Ada/Love:lace\nEND:VCARD", "Ada Love lace.vcf"),
    ("text/x-vcard", "BEGIN:VCARD\nFN:a\u{202E}b\u{1B}c\\n../../x\nEND:VCARD", "abc .. .. x.vcf"),
    (.vCard, "BEGIN:VCARD\nFN:...\nEND:VCARD", "Clipping now.vcf"), (.vCard, "no contact", "Clipping now.vcf"),
    (.calendarEvent, "BEGIN:VEVENT\nSUMMARY:Lunch\nEND:VEVENT", "Clipping now.ics"),
  ])
  func `a clipping of a contact is named after the person`(
    _ type: ContentType, _ text: String, _ name: String
  ) {
    let clipping = Clipping(bytes: Array(text.utf8), of: type, fallbackName: "Clipping now", database: .builtIn)
    #expect(clipping.name == name)
    #expect(clipping.bytes == Array(text.utf8))
    let suggested = Clipping(
      bytes: Array(text.utf8), of: type, suggestedName: "letter", fallbackName: "x", database: .builtIn)
    #expect(suggested.name.hasPrefix("letter."))
  }
}
