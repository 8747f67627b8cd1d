import Testing

@testable import XDnD

@Suite struct WireNameTests {
  @Test func `each name has one row`() {
    #expect(Set(WireName.table.map(\.type)).count == WireName.table.count)
    for row in WireName.table { #expect(WireName.of(row.type)?.type == row.type) }
  }

  @Test(arguments: WireName.table.map(\.type))
  func `a row says who uses the name, and why one should not if one should not`(type: ContentType) throws {
    let row = try #require(WireName.of(type))
    #expect(!row.peers.isEmpty)
    if row.role != .content { #expect(!row.note.isEmpty) }
  }

  @Test(arguments: WireName.table.map(\.type))
  func `content and only content is there for whoever takes everything`(type: ContentType) throws {
    let row = try #require(WireName.of(type))
    let everything = Negotiation(wanted: ["*/*"], offered: [type])
    #expect(everything.best?.offered == (row.role == .content || row.role == .proprietary ? type : nil))
    // By its name, everything can be had.
    #expect(Negotiation(wanted: [type], offered: [type]).best?.relation == .exact)
  }

  @Test(arguments: WireName.table.map(\.type))
  func `a name serves those who want what it stands for, and nobody else`(type: ContentType) throws {
    let row = try #require(WireName.of(type))
    for wanted in [ContentType.plainText, "text/plain", .uriList, .html] {
      let serves = wanted == type || row.content.map { $0 == wanted.essence } ?? false
      let best = Negotiation(wanted: [wanted], offered: [type]).best
      #expect(best?.offered == (serves ? type : nil), "\(type) for \(wanted)")
    }
  }

  @Test func `text goes by many names, the lossless ones first`() {
    #expect(
      ContentType.plainText.synonyms.map(\.name) == [
        "text/plain;charset=utf-8", "UTF8_STRING", "text/plain;charset=utf-16", "text/plain;charset=utf-16le",
        "text/plain;charset=utf-16be", "text/unicode", "text/plain", "COMPOUND_TEXT", "TEXT",
        "text/plain;charset=iso-8859-1", "STRING", "text/plain;charset=us-ascii",
      ])
    #expect(ContentType("text/plain").synonyms.first == "text/plain")
    #expect(Set(ContentType("text/plain").synonyms) == Set(ContentType.plainText.synonyms))
  }

  @Test func `who wants one encoding gets that or nothing`() {
    #expect(ContentType.utf8String.synonyms == [.utf8String, .plainText])
    #expect(ContentType("STRING").synonyms == ["STRING", "text/plain;charset=iso-8859-1"])
    #expect(ContentType("text/plain;charset=utf-16le").synonyms == ["text/plain;charset=utf-16le"])
    #expect(Negotiation(wanted: [.utf8String], offered: ["STRING", "text/plain"]).best == nil)
  }

  @Test func `other types have one name`() {
    #expect(ContentType.html.synonyms == [.html])
    #expect(ContentType.uriList.synonyms == [.uriList, "application/x-kde4-urilist"])
  }
}
