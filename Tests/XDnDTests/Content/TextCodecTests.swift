import Testing

@testable import XDnD

@Suite("Text in bytes")
struct TextCodecTests {
  func decode(_ bytes: [UInt8], _ type: ContentType, in property: String? = nil) throws -> TextCodec.Decoded {
    try TextCodec.decode(bytes, as: type, propertyType: property.map { AtomName($0) })
  }

  @Test(
    arguments: [
      ("UTF-8", .utf8), ("utf8", .utf8), ("Utf-16", .utf16), ("UTF-16LE", .utf16LittleEndian),
      ("utf-16be", .utf16BigEndian), ("us-ascii", .ascii), ("ISO-8859-1", .isoLatin1), ("latin1", .isoLatin1),
      ("windows-1252", .windows1252), ("CP1252", .windows1252), ("koi8-r", nil), ("", nil),
    ] as [(String, TextEncoding?)])
  func `charsets have many names`(name: String, encoding: TextEncoding?) {
    #expect(TextEncoding(charset: name) == encoding)
  }

  @Test(
    arguments: [
      ("UTF8_STRING", .utf8), ("STRING", .isoLatin1), ("TEXT", .utf8), ("COMPOUND_TEXT", .compoundText),
      ("text/plain", .isoLatin1), ("text/plain; charset=\"UTF-8\"", .utf8),
      ("TEXT/PLAIN;format=flowed;Charset=utf-16", .utf16),
      ("text/html", .utf8), ("text/unicode", .utf16), ("text/x-moz-url", .utf16), ("text/plain;charset=koi8-r", nil),
    ] as [(ContentType, TextEncoding?)])
  func `a type implies an encoding`(type: ContentType, encoding: TextEncoding?) {
    #expect(TextEncoding(impliedBy: type) == encoding)
  }

  @Test func `undeclared text that is not UTF-8 is Latin-1, and that is an assumption`() throws {
    let decoded = try decode([0x63, 0xE9], "text/plain")
    #expect(decoded == .init(text: "cé", encoding: .isoLatin1, isExact: false))
    #expect(try decode([0x63, 0xE9], "STRING").isExact)
    #expect(try decode([0x63, 0xC3, 0xA9], "text/plain") == .init(text: "cé", encoding: .utf8, isExact: true))
  }

  @Test func `what says that it is UTF-8 and is not is refused`() {
    for type in ["text/plain;charset=utf-8", "UTF8_STRING"] as [ContentType] {
      #expect(throws: ContentError.self) { try decode([0x63, 0xE9], type) }
      // Half of a pair, and a pair whose last byte is none of UTF-8.
      #expect(throws: ContentError.self) { try decode([0xED, 0xA0, 0xBD, 0x61], type) }
      #expect(throws: ContentError.self) { try decode([0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x41], type) }
    }
    #expect(throws: ContentError.self) { try decode([0x00, 0xD8, 0x61, 0x00], "text/plain;charset=utf-16le") }
    #expect(throws: ContentError.self) { try decode([0x61, 0x00, 0x62], "text/plain;charset=utf-16le") }
    #expect(throws: ContentError.self) { try decode([0x61], "text/plain;charset=koi8-r") }
    #expect(throws: ContentError.self) { try decode([0xE9], "text/plain;charset=us-ascii") }
  }

  @Test func `a declared charset counts although the bytes would be UTF-8`() throws {
    #expect(try decode([0xC3, 0xA9], "text/plain;charset=iso-8859-1").text == "Ã©")
    #expect(try decode([0x80], "text/plain;charset=windows-1252").text == "€")
    #expect(try decode([0x80], "text/plain;charset=iso-8859-1").text == "\u{80}")
    #expect(try decode([0xC3, 0xA9], "text/plain;charset=us-ascii").text == "é")
  }

  @Test func `the property's type says what TEXT is`() throws {
    #expect(try decode([0xE9], "TEXT", in: "STRING") == .init(text: "é", encoding: .isoLatin1, isExact: true))
    #expect(try decode([0x1B, 0x25, 0x47, 0xC3, 0xA9, 0x1B, 0x25, 0x40], "TEXT", in: "COMPOUND_TEXT").text == "é")
    #expect(try decode([0xC3, 0xA9], "TEXT", in: "UTF8_STRING").text == "é")
    #expect(throws: ContentError.self) { try decode([0xE9], "TEXT", in: "UTF8_STRING") }
    // tkdnd 2.6 gives this type whatever was asked for.
    #expect(try decode([0xE9], "text/plain", in: "UTF8_STRING").text == "é")
  }

  @Test func `compound text changes between Latin-1 and UTF-8`() throws {
    let (start, end): ([UInt8], [UInt8]) = ([0x1B, 0x25, 0x47], [0x1B, 0x25, 0x40])
    let mixed = [0xE4] + start + Array("ж".utf8) + end + [0xE9]
    #expect(try decode(mixed, "COMPOUND_TEXT").text == "äжé")
    // The end of the text ends a segment, too.
    #expect(try decode([0x61] + start + Array("ж".utf8), "COMPOUND_TEXT").text == "aж")
    // Xlib knows the other character sets and directions.
    for control in [[0x1B, 0x2D, 0x4C], [0x9B, 0x31, 0x5D]] as [[UInt8]] {
      #expect(PortableCompoundText.decode([0x61] + control + [0x62]) == nil)
      #expect(PortableCompoundText.decode(start + [0x61] + control) == nil)
    }
  }

  @Test func `one NUL at the end goes, and one only`() throws {
    #expect(try decode([0x61, 0], "UTF8_STRING").text == "a")
    #expect(try decode([0x61, 0, 0], "UTF8_STRING").text == "a\0")
    #expect(try decode([0x61, 0, 0, 0], "text/plain;charset=utf-16le").text == "a")
    #expect(try decode([0x61, 0, 0], "text/plain;charset=utf-16le").text == "a")
    #expect(try decode([0x61, 0x62, 0x63, 0], "text/plain").text == "abc")
    #expect(try decode([0], "text/plain").text == "")
    #expect(try decode([], "text/plain").text == "")
  }

  @Test func `UTF-16 without a mark is seen by its zeros`() throws {
    #expect(try decode([0x3C, 0, 0x70, 0, 0x3E, 0], "text/html").encoding == .utf16LittleEndian)
    #expect(try decode([0, 0x3C, 0, 0x70, 0, 0x3E], "text/plain").encoding == .utf16BigEndian)
    // Both directions of U+3000 next to Latin letters.
    #expect(try decode([0x61, 0, 0x62, 0, 0, 0x30], "text/plain").text == "ab\u{3000}")
    #expect(try decode([0, 0x61], "text/plain;charset=utf-16").text == "a")
    #expect(try decode([0xE5, 0x65], "text/plain;charset=utf-16").isExact == false)
  }

  @Test func `lines end as they came`() throws {
    #expect(try decode(Array("a\r\nb\rc\n".utf8), "text/plain").text.utf8.elementsEqual("a\r\nb\rc\n".utf8))
  }

  @Test func `text goes into text/plain as Latin-1 if it fits`() {
    #expect(TextCodec.encode("é", as: "text/plain") == [0xE9])
    #expect(TextCodec.encode("ж", as: "text/plain") == Array("ж".utf8))
    #expect(TextCodec.encode("é", as: "STRING") == [0xE9])
    #expect(TextCodec.encode("ж", as: "STRING") == nil)
    #expect(TextCodec.encode("é", as: "TEXT") == Array("é".utf8))
    #expect(TextCodec.encode("é", as: "text/plain;charset=us-ascii") == nil)
    #expect(TextCodec.encode("a", as: "text/plain;charset=koi8-r") == nil)
  }

  @Test func `Latin-1 that would pass for something else is not written`() {
    #expect(TextCodec.encode("Ã©", as: "STRING") == nil)
    #expect(TextCodec.encode("Ã©", as: "text/plain") == Array("Ã©".utf8))
    #expect(TextCodec.encode("ÿþa", as: "STRING") == nil)
  }

  @Test func `text that begins with a mark gets another, and text that ends with NUL another NUL`() {
    #expect(TextCodec.encode("\u{FEFF}a", as: "UTF8_STRING") == [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x61])
    #expect(TextCodec.encode("a\0", as: "UTF8_STRING") == [0x61, 0, 0])
  }

  @Test func `a name with a charset of UTF-16 is written with a mark, one with an order without`() {
    let mark = TextEncoding.utf16.byteOrderMark
    #expect(TextCodec.encode("a", as: "text/plain;charset=utf-16")?.prefix(2) == mark[...])
    #expect(TextCodec.encode("a", as: "text/plain;charset=utf-16le") == [0x61, 0])
    #expect(TextCodec.encode("a", as: "text/plain;charset=utf-16be") == [0, 0x61])
  }
}
