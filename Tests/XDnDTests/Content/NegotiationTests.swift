import TestSupport
import Testing

@testable import XDnD

@Suite(.computing) struct NegotiationTests {
  /// The names in the order in which they would be asked for.
  func order(_ wanted: [ContentType], _ offered: [ContentType], _ types: TypeDatabase = .builtIn) -> [String] {
    Negotiation(wanted: wanted, offered: offered, database: types).candidates.map(\.offered.name)
  }

  @Test func `what can be fetched is all but orders and keys to other protocols, each once`() {
    let offered: [ContentType] = [
      "TARGETS", "text/html", "DELETE", "text/_moz_htmlinfo", "XdndDirectSave0", "text/html", "chromium/x-drag-id",
      "application/vnd.portal.filetransfer", "a/b",
    ]
    let fetchable = Negotiation(wanted: [], offered: offered).fetchable.map(\.name)
    #expect(fetchable == ["text/html", "text/_moz_htmlinfo", "chromium/x-drag-id", "a/b"])
  }

  // MARK: The rules, in their order

  @Test func `what the target wants more comes first, whatever stands in for it`() {
    #expect(order([.plainText, .png], [.png, "STRING"]) == ["STRING", "image/png"])
    #expect(order([.png, .plainText], ["STRING", .png]) == ["image/png", "STRING"])
    #expect(order(["image/*", .html], [.html, .gif, .png]) == ["image/gif", "image/png", "text/html"])
  }

  @Test func `the very type comes before another name, and that before a special case`() {
    let offered: [ContentType] = [.svg, "text/xml", .xml, "application/xml;charset=utf-8"]
    let negotiation = Negotiation(wanted: [.xml], offered: offered)
    #expect(
      negotiation.candidates.map(\.offered.name) == [
        "application/xml", "text/xml", "application/xml;charset=utf-8", "image/svg+xml",
      ])
    #expect(negotiation.candidates.map(\.relation) == [.exact, .alias, .conformance, .conformance])
    #expect(negotiation.candidates.allSatisfy { $0.wanted == .xml })
  }

  @Test func `lossless names of text come before lossy ones, and real text before what can be read as text`() {
    let offered: [ContentType] = [
      .html, "text/markdown", "text/plain;charset=us-ascii", "STRING", "TEXT", "COMPOUND_TEXT",
      "text/plain;charset=koi8-r", "text/plain", "text/plain;charset=utf-16", "UTF8_STRING", "text/plain;charset=UTF-8",
    ]
    let expected = [
      "text/plain;charset=UTF-8", "UTF8_STRING", "text/plain;charset=utf-16", "text/plain", "COMPOUND_TEXT", "TEXT",
      "STRING", "text/plain;charset=us-ascii", "text/plain;charset=koi8-r", "text/html", "text/markdown",
    ]
    #expect(order([.plainText], offered) == expected)
    // Who wants text/plain as such is taken at his word first.
    #expect(order(["text/plain"], offered) == ["text/plain"] + expected.filter { $0 != "text/plain" })
  }

  @Test func `under a wildcard structured content comes before flat text, and bookkeeping never`() {
    let offered: [ContentType] = [
      "TARGETS", .data, "GTK_PRIVATE", "STRING", "UTF8_STRING", "chromium/x-renderer-taint", .directSave, .html, .png,
      "libfm/files", "MULTIPLE", "TIMESTAMP", "DELETE", "SAVE_TARGETS", "application/vnd.portal.files",
    ]
    #expect(
      order(["*/*"], offered) == [
        "text/html", "image/png", "UTF8_STRING", "STRING", "libfm/files", "application/octet-stream", "GTK_PRIVATE",
      ])
    #expect(order(["text/*"], offered) == ["text/html", "UTF8_STRING", "STRING"])
    #expect(order(["application/*"], offered) == ["application/octet-stream"])
  }

  @Test func `under a wildcard a lossless charset comes before a lossy one`() {
    let offered: [ContentType] = ["text/html;charset=us-ascii", "text/html;charset=utf-8", .html]
    #expect(order(["text/*"], offered) == ["text/html;charset=utf-8", "text/html", "text/html;charset=us-ascii"])
    #expect(order([.html], offered) == ["text/html", "text/html;charset=utf-8", "text/html;charset=us-ascii"])
  }

  @Test func `a nearer special case comes before a farther one, and then the source decides`() {
    let types = database(subclasses: "a/one a/base\na/two a/one\na/uno a/base\n")
    #expect(order(["a/base"], ["a/two", "a/uno", "a/one"], types) == ["a/uno", "a/one", "a/two"])
    #expect(order(["image/*"], [.gif, .png]) == ["image/gif", "image/png"])
    #expect(order(["image/*"], [.png, .gif]) == ["image/png", "image/gif"])
  }

  @Test func `parameters change neither what a type means nor what it is good for`() {
    let list: ContentType = "text/uri-list;charset=utf-8"
    #expect(order([.uriList], [.plainText, list]) == [list.name])
    #expect(order([.plainText], [list]).isEmpty)
    #expect(
      order([.html, .plainText], [.plainText, "text/html; charset=koi8-r"]).first == "text/html; charset=koi8-r")
    #expect(order(["*/*"], [.plainText, "application/x-color;format=16"]).first == "application/x-color;format=16")
    #expect(order(["*/*"], ["application/octet-stream;name=x", "STRING"]).first == "STRING")
  }

  // MARK: What does not serve

  @Test func `links and lists of files are not text, although their names say so`() {
    #expect(order([.plainText], [.uriList, .mozURL, "text/x-xdnd-username", "text/_moz_htmlinfo"]).isEmpty)
    #expect(order(["text/*"], [.uriList, "text/x-xdnd-username"]) == ["text/uri-list"])
  }

  @Test func `bytes are wanted as bytes, although everything is made of them`() {
    #expect(order([.data], [.png, .html, .data]) == ["application/octet-stream"])
    #expect(order([.data], [.png]).isEmpty)
  }

  @Test func `a general type does not serve who wants a special one`() {
    #expect(order([.html], ["text/plain", "UTF8_STRING"]).isEmpty)
    #expect(order([.svg], [.xml]).isEmpty)
    #expect(order(["text/html;charset=utf-8"], [.html]).isEmpty)
  }

  @Test func `a key to a protocol is found by its name alone`() {
    #expect(order([.directSave, .uriList], [.uriList, .directSave]) == ["XdndDirectSave0", "text/uri-list"])
    #expect(order(["*/*"], [.directSave]).isEmpty)
  }

  @Test func `an alias is as good as the type, where the database knows it`() {
    #expect(Negotiation(wanted: [.jpeg], offered: ["image/pjpeg"]).best?.relation == .alias)
    #expect(Negotiation(wanted: ["image/pjpeg"], offered: [.jpeg]).best?.relation == .alias)
    #expect(Negotiation(wanted: [.jpeg], offered: ["image/pjpeg"], database: TypeDatabase()).best == nil)
    #expect(order(["application/*"], ["text/xml"]) == ["text/xml"])
  }

  @Test func `a type is asked for once, for whatever wants it most`() {
    let negotiation = Negotiation(wanted: [.html, "text/*", "*/*"], offered: [.html, .html, .png, .html])
    #expect(negotiation.candidates.map(\.offered) == [.html, .png])
    #expect(negotiation.candidates.map(\.wanted) == [.html, "*/*"])
    #expect(negotiation.offered.count == 4)
  }

  @Test func `two ways to write a type are two atoms to ask for`() {
    #expect(
      order([.plainText], ["text/plain;charset=UTF-8", "text/plain;charset=utf-8"]) == [
        "text/plain;charset=UTF-8", "text/plain;charset=utf-8",
      ])
  }

  @Test func `nothing wanted or nothing offered is nothing`() {
    #expect(Negotiation(wanted: [], offered: [.png]).best == nil)
    #expect(Negotiation(wanted: ["*/*"], offered: []).best == nil)
    #expect(Negotiation(wanted: [], offered: []).explain().isEmpty)
  }

  @Test func `random offers: all candidates are offered, none twice, and each type is explained`() {
    var random = SplitMix64(seed: 31)
    let pool =
      WireName.table.map(\.type) + [.png, .jpeg, .html, .svg, .xml, .json, "*/*", "image/*", "text/*", "", "/", ";x"]
      + ["text/html;charset=utf-16", "application/x-unknown", "X_UNKNOWN", "*", "a/*;b=c"]
    for _ in 0..<QuickTests.cases(of: 300) {
      let wanted = (0..<random.below(5)).map { _ in random.pick(pool) }
      let offered = (0..<random.below(20)).map { _ in random.pick(pool) }
      let negotiation = Negotiation(wanted: wanted, offered: offered)
      let names = negotiation.candidates.map(\.offered.name)
      let explained = negotiation.explain()
      let places: [Int] = explained.compactMap {
        switch $0.verdict {
        case .taken: 1
        case .fallback(let place): place
        case .notTaken, .notOffered: nil
        }
      }
      let isSound =
        Set(names).count == names.count && Set(names).isSubset(of: offered.map(\.name))
        && negotiation.candidates.allSatisfy { wanted.contains($0.wanted) }
        && explained.prefix(offered.count).map(\.type.name) == offered.map(\.name)
        && places.sorted() == Array(1..<(names.count + 1))
      if !isSound { Issue.record("\(wanted) of \(offered): \(negotiation)") }
    }
  }
}
