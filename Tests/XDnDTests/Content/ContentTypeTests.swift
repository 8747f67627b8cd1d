import Testing

@testable import XDnD

@Suite struct ContentTypeTests {
  @Test(arguments: [
    "text/plain;charset=UTF-8", "TEXT/PLAIN;CHARSET=utf-8", "text/plain; charset=utf-8", "text/plain ; charset=utf-8",
    "text/plain;charset=\"utf-8\"",
  ])
  func `case, spaces and quotes of a MIME type do not matter`(name: String) {
    #expect(ContentType(name) == .plainText)
    #expect(ContentType(name).hashValue == ContentType.plainText.hashValue)
  }

  @Test func `a type keeps the name that it was given, because atoms are compared byte by byte`() {
    #expect(ContentType("Text/Plain").name == "Text/Plain")
    #expect(ContentType("Text/Plain").atomName == AtomName("Text/Plain"))
  }

  @Test func `another parameter is another type`() {
    #expect(ContentType("text/plain") != .plainText)
    #expect(ContentType("text/plain;charset=utf-16") != .plainText)
  }

  @Test func `names of X targets are compared with their case`() {
    #expect(ContentType("UTF8_STRING") != ContentType("utf8_string"))
    #expect(ContentType("UTF8_STRING") == ContentType("UTF8_STRING"))
  }

  @Test func `awkward names are survived`() {
    for name in ["", "/", ";", "text/", "/plain", String(repeating: "x/", count: 5000), "application/x-\"a b\";/"] {
      #expect(ContentType(name) == ContentType(name))
      #expect(ContentType(name).name == name)
    }
  }

  @Test func `plain text goes by many names and comes first by its own`() {
    #expect(ContentType.plainText.synonyms.first == .plainText)
    #expect(ContentType.plainText.synonyms.contains("UTF8_STRING"))
    #expect(ContentType.plainText.synonyms.contains("text/plain"))
    #expect(ContentType.html.synonyms == [.html])
  }
}
