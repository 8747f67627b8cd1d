import TestSupport
import Testing

@testable import XDnD

@Suite(.computing) struct ContentTypeTests {
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

  @Test func `the parts of a MIME type are those of RFC 2045`() {
    let type: ContentType = "Text/HTML; Charset=\"UTF-8\"; note=\"a \\\"b\\\"; c=d\"; flag"
    #expect(type.type == "text")
    #expect(type.subtype == "html")
    #expect(type.parameter("CHARSET") == "utf-8")
    #expect(type.parameter("note") == "a \"b\"; c=d")
    #expect(type.parameter("c") == nil)
    #expect(type.parameter("flag") == nil)
    #expect(type.essence == .html)
    #expect(type.essence.name == "text/html")
  }

  @Test(arguments: ["UTF8_STRING", "STRING", "", "a;b/c", "_NETSCAPE_URL"])
  func `the name of an X target has no parts`(name: String) {
    #expect(ContentType(name).type == nil)
    #expect(ContentType(name).subtype == nil)
    #expect(ContentType(name).parameter("b/c") == nil)
    #expect(ContentType(name).essence == ContentType(name))
    #expect(!ContentType(name).isWildcard)
  }

  @Test func `the order of parameters does not matter, and the value of one that is not known does`() {
    #expect(ContentType("a/b;x=1;y=2") == ContentType("a/b; y=2; x=1"))
    #expect(ContentType("a/b;x=One") != ContentType("a/b;x=one"))
    #expect(ContentType("a/b;x") != ContentType("a/b;x=\"\""))
    #expect(ContentType("a/b;x=\"1;y=2\"") != ContentType("a/b;x=1;y=2"))
    #expect(ContentType("a/b;") == ContentType("a/b"))
  }

  @Test func `the type of LibreOffice with quotes and a path in it can be taken apart`() {
    let name =
      "application/x-openoffice-embed-source-xml;windows_formatname=\"Star Embed Source (XML)\""
      + ";classname=\"8BC6B165-B1B2-4EDD-aa47-dae2ee689dd6\";displayname=\"file:///tmp/a b.odt\""
    let type = ContentType(name)
    #expect(type.essence == "application/x-openoffice-embed-source-xml")
    #expect(type.parameter("windows_formatname") == "Star Embed Source (XML)")
    #expect(type.parameter("displayname") == "file:///tmp/a b.odt")
    #expect(ContentType(type.canonical) == type)
  }

  @Test func `a wildcard covers what it says, whatever the case`() {
    #expect(ContentType("image/*").covers("IMAGE/png"))
    #expect(!ContentType("image/*").covers("imagery/png"))
    #expect(!ContentType("image/*").covers("UTF8_STRING"))
    #expect(ContentType("*/*").covers("UTF8_STRING"))
    #expect(ContentType("*/*").covers("a/b;c=d"))
    #expect(ContentType("text/*;charset=utf-8").covers(.plainText))
    #expect(!ContentType("text/*;charset=utf-8").covers("text/plain"))
    #expect(ContentType("image/*").isWildcard && ContentType("*/*").isWildcard)
    #expect(!ContentType.png.isWildcard)
    #expect(ContentType.png.covers("IMAGE/PNG"))
  }

  @Test func `awkward names are survived`() {
    for name in ["", "/", ";", "text/", "/plain", String(repeating: "x/", count: 5000), "application/x-\"a b\";/"] {
      #expect(ContentType(name) == ContentType(name))
      #expect(ContentType(name).name == name)
    }
  }

  @Test func `the canonical form is its own, whatever the name`() {
    var random = SplitMix64(seed: 5)
    let alphabet = Array("aZ/;=\"\\ \t*é-1_charset")
    for _ in 0..<QuickTests.cases(of: 20_000) {
      let name = String((0..<random.below(24)).map { _ in random.pick(alphabet) })
      let type = ContentType(name)
      if ContentType(type.canonical) != type || ContentType(type.canonical).canonical != type.canonical {
        Issue.record("'\(name)' has the canonical form '\(type.canonical)'")
      }
      if type.type == nil, type.canonical != name { Issue.record("the X target '\(name)' was changed") }
      _ = (type.essence, type.subtype, type.parameter("charset"), ContentType("*/*").covers(type))
    }
  }

  @Test func `a type conforms to its patterns, its aliases and its supertypes`() {
    #expect(ContentType.png.conforms(to: .image))
    #expect(ContentType.html.conforms(to: .text))
    #expect(ContentType("audio/ogg").conforms(to: .audio))
    #expect(ContentType("video/mp4").conforms(to: .movie))
    #expect(ContentType.png.conforms(to: .item))
    #expect(ContentType.svg.conforms(to: .xml))
    #expect(ContentType("image/pjpeg").conforms(to: .jpeg))
    #expect(!ContentType.pdf.conforms(to: .image))
  }

  @Test func `a pattern with many parameters takes no more time for each of them than one with few`() {
    func cover(_ count: Int) -> () -> Void {
      let type = ContentType("a/*" + (0..<count).map { ";p\($0)=1" }.joined())
      return { if !type.covers(type) { Issue.record("it does not cover itself") } }
    }
    #expect(WorkGrowth.ratio(cover(1000), cover(1000 * WorkGrowth.factor)) < WorkGrowth.limit)
  }

  @Test func `a given database decides about conformance`() {
    let database = TypeDatabase(subclasses: Array("a/special a/general\n".utf8))
    #expect(ContentType("a/special").conforms(to: "a/general", in: database))
    #expect(!ContentType("a/special").conforms(to: "a/general"))
  }
}
