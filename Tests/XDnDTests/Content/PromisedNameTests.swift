import Testing

@testable import XDnD

@Suite struct PromisedNameTests {
  @Test func `a charset in the type counts, else it is UTF-8 if it can be, else Latin-1`() {
    let cases: [([UInt8], ContentType, String)] = [
      (Array("żółć.txt".utf8), "text/plain", "żółć.txt"),
      ([0xFC, 0x2E, 0x74], "text/plain", "ü.t"),
      ([0xC3, 0xBC], "text/plain;charset=iso-8859-1", "Ã¼"),
      ([0xC3, 0xBC], "text/plain;charset=utf-8", "ü"),
      (Array("ü".utf8), "UTF8_STRING", "ü"),
      ([0xFC], "STRING", "ü"),
      (Array("a.txt\0".utf8), "text/plain", "a.txt"),
      ([0x61, 0, 0x2E, 0, 0x62, 0], "text/plain;charset=utf-16le", "a.b"),
      ([0x61, 0, 0x2E, 0, 0x62, 0, 0, 0], "text/plain;charset=utf-16le", "a.b"),
    ]
    for (bytes, type, name) in cases { #expect(PromisedName.fileName(bytes, as: type) == name, "\(type)") }
  }

  @Test func `what is no text, or holds nothing to see, is no name`() {
    #expect(PromisedName.fileName([], as: "text/plain") == nil)
    #expect(PromisedName.fileName([0], as: "text/plain") == nil)
    #expect(PromisedName.fileName([0, 0, 0], as: "text/plain;charset=utf-8") == nil)
    #expect(PromisedName.fileName(Array("..".utf8), as: "text/plain") == nil)
    for type: ContentType in ["INTEGER", "ATOM", "image/png", ""] {
      #expect(PromisedName.fileName(Array("a".utf8), as: type) == nil)
    }
  }
}
