import TestSupport
import Testing

@testable import XDnD

@Suite("Values in bytes", .computing)
struct ContentValueTests {
  // MARK: Links

  @Test func `pairs of lines are several links, and an empty title is none`() throws {
    let bytes = Array("http://a/\nA\nhttp://b/\n\nhttp://c/".utf8)
    let links = try Link.all(decoding: bytes, as: "text/x-moz-url")
    #expect(links == [Link(url: "http://a/", title: "A"), Link(url: "http://b/"), Link(url: "http://c/")])
    #expect(try Link.all(decoding: Array("http://a/\nhttp://b/".utf8), as: "text/plain").count == 2)
    #expect(try Link.all(decoding: Array("#c\r\nhttp://a/\r\nfile:///b\r\n".utf8), as: .uriList).count == 2)
  }

  @Test(arguments: ["just text", "see http://a/", "www.example.org", "/a/b", ""])
  func `text that is not a URL is no link`(text: String) {
    #expect(throws: ContentError.self) { try Link(decoding: Array(text.utf8), as: "text/plain") }
  }

  @Test func `what is not there is an error`() {
    #expect(throws: ContentError.self) { try Link(decoding: [], as: "text/x-moz-url") }
    #expect(throws: ContentError.self) { try Link(decoding: Array("<p>no</p>".utf8), as: .html) }
    #expect(throws: ContentError.self) { try Link(decoding: Array("a".utf8), as: "text/x-moz-url-desc") }
    #expect(throws: ContentError.self) { try Link(url: "").encoded(as: "text/plain") }
    #expect(throws: ContentError.self) { try Link(url: "a:b").encoded(as: .png) }
  }

  @Test func `a link cannot break out of the form that it is written in`() throws {
    let link = Link(url: "http://a/\"><script>\nx y", title: "</a><b>\n&amp;  \"")
    for type in ["text/x-moz-url", "_NETSCAPE_URL", .html] as [ContentType] {
      let copy = try Link(decoding: link.encoded(as: type), as: type)
      #expect(copy == Link(url: "http://a/%22%3E%3Cscript%3E%0Ax%20y", title: "</a><b> &amp; \""), "\(type)")
    }
  }

  // MARK: HTML

  @Test(
    arguments: [
      ("a<br>b<BR/>c", "a\nb\nc"), ("<p>a</p><p>b</p>", "a\nb"), ("<div>a<div>b</div></div>", "a\nb"),
      ("a  \n b", "a b"), ("<pre>a  \n b</pre>c", "a  \n b\nc"),
      ("&lt;&amp;&gt;&quot;&#228;&#xE4;&nbsp;x", "<&>\"ää\u{A0}x"),
      ("<style>p{}</style>a<script>if (a<b) {}</script>b<!-- > c -->d", "abd"),
      ("a < b & c &bogus; d", "a < b & c &bogus; d"),
      ("<title>T</title>a", "a"), ("<tr><td>a</td><td>b</td></tr><tr><td>c", "a\tb\nc"),
      ("<a title=\"x>y\" href=z>l</a>", "l"), ("<a title='x>y", ""), ("a<!-- b", "a"), ("<script>x", ""),
      ("&#0;&#x110000;&#55296;&#99999999999;&#128;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}€"), ("", ""), ("<", "<"),
      ("&", "&"),
      ("a<li>b<li>c", "a\nb\nc"), ("<b>a</b> <i>b</i>", "a b"), ("x<p title=\"a\"b\">y", "x\ny"),
    ])
  func `HTML without its tags`(html: String, text: String) {
    #expect(StyledText(html: html).plainText == text)
  }

  @Test func `text that is given goes before text that is made`() throws {
    let text = StyledText(html: "<b>a</b>", plain: "*a*")
    #expect(try text.encoded(as: .plainText) == Array("*a*".utf8))
    #expect(try StyledText(html: "<b>a</b>").encoded(as: "UTF8_STRING") == Array("a".utf8))
  }

  @Test func `a comment that marks a fragment stays`() throws {
    let html = "<html><!--StartFragment--><b>a</b><!--EndFragment--></html>"
    #expect(try StyledText(decoding: Array(html.utf8), as: .html).html == html)
  }

  @Test func `a megabyte of what never ends is read in one pass`() {
    for part in [
      "<", "<a ", "<!--", "&", "&#", "<a href='", "<a =\"", "</", "<script><", "<p>", "&amp", "<a  \"", "<br>",
    ] {
      let html = String(repeating: part, count: QuickTests.cases(of: 100_000) / part.utf8.count)
      #expect(HTMLPlainText.text(of: html).utf8.count <= html.utf8.count)
      _ = try? Link(decoding: Array(html.utf8), as: .html)
    }
  }

  // MARK: Colours

  @Test func `a colour is four units in the machine's order`() throws {
    let color = Color(red: 0x0102, green: 0x0304, blue: 0x0506, alpha: 0x0708)
    let units: [UInt16] = [0x0102, 0x0304, 0x0506, 0x0708]
    #expect(try color.encoded(as: "application/x-color") == units.withUnsafeBytes { Array($0) })
    for count in [0, 6, 7, 9, 16] {
      #expect(throws: ContentError.self) {
        try Color(decoding: [UInt8](repeating: 1, count: count), as: "application/x-color")
      }
    }
  }

  @Test(
    arguments: [
      ("#ff8000", [0xFFFF, 0x8080, 0, 0xFFFF]), (" #FF800080\n", [0xFFFF, 0x8080, 0, 0x8080]),
      ("#ffff80000000", [0xFFFF, 0x8000, 0, 0xFFFF]), ("#f80", [0xFFFF, 0x8888, 0, 0xFFFF]),
      ("rgb(255, 128, 0)", [0xFFFF, 0x8080, 0, 0xFFFF]), ("rgba(255,0,0,0.5)", [0xFFFF, 0, 0, 0x8000]),
      ("RGB(100% 0% 0% / 50%)", [0xFFFF, 0, 0, 0x8000]), ("rgb(999,-1,0)", [0xFFFF, 0, 0, 0xFFFF]),
    ] as [(String, [UInt16])])
  func `a colour in letters`(text: String, units: [UInt16]) throws {
    let color = try Color(decoding: Array(text.utf8), as: .plainText)
    #expect([color.red, color.green, color.blue, color.alpha] == units)
  }

  @Test(arguments: [
    "", "#", "#ff", "#ff800", "#gg0000", "red", "rgb(1,2)", "rgb(1,2,3,4,5)", "rgb(nan,1,1)", "rgb(0x1,1,1)",
    "rgb(1,1,1",
  ])
  func `other text is no colour`(text: String) {
    #expect(throws: ContentError.self) { try Color(decoding: Array(text.utf8), as: .plainText) }
  }

  @Test func `a colour is written as short as is exact`() throws {
    func text(_ color: Color) throws -> String { String(decoding: try color.encoded(as: .plainText), as: UTF8.self) }
    #expect(try text(Color(red: 0xFFFF, green: 0x0101, blue: 0)) == "#ff0100")
    #expect(try text(Color(red: 0xFFFF, green: 0, blue: 0, alpha: 0)) == "#ff000000")
    #expect(try text(Color(red: 0xFFFE, green: 0, blue: 1)) == "#fffe00000001")
  }

  // MARK: Copied files

  @Test(arguments: [
    "copy\nfile:///a\nfile:///b", "copy\r\nfile:///a\r\nfile:///b\r\n\0",
    "x-special/nautilus-clipboard\ncopy\nfile:///a\nfile:///b\n",
  ])
  func `copied files are read`(text: String) throws {
    let copied = try CopiedFiles(decoding: Array(text.utf8), as: "x-special/gnome-copied-files")
    #expect(copied == CopiedFiles(files: FileList(paths: ["/a", "/b"]), operation: .copy))
  }

  @Test func `whether files were cut is said in two languages`() throws {
    #expect(
      try CopiedFiles(decoding: Array("cut\nfile:///a".utf8), as: "x-special/mate-copied-files").operation == .move)
    #expect(try CopiedFiles(decoding: [0x31, 0], as: "application/x-kde-cutselection").operation == .move)
    #expect(try CopiedFiles(decoding: [0x30], as: "application/x-kde-cutselection").operation == .copy)
    for bytes in [[], [0x32], [0x31, 0x31], Array("link\nfile:///a".utf8)] as [[UInt8]] {
      #expect(throws: ContentError.self) { try CopiedFiles(decoding: bytes, as: "application/x-kde-cutselection") }
      #expect(throws: ContentError.self) { try CopiedFiles(decoding: bytes, as: "x-special/gnome-copied-files") }
    }
  }

  @Test func `every exported type can be written, and every imported type is known`() throws {
    for type in PlainText.exportableTypes { _ = try PlainText("a").encoded(as: type) }
    for type in Link.exportableTypes { _ = try Link(url: "a:b").encoded(as: type) }
    for type in StyledText.exportableTypes { _ = try StyledText(html: "a").encoded(as: type) }
    for type in Color.exportableTypes { _ = try Color(red: 0, green: 0, blue: 0).encoded(as: type) }
    for type in FileList.exportableTypes { _ = try FileList(uris: ["a:b"]).encoded(as: type) }
    for type in CopiedFiles.exportableTypes { _ = try CopiedFiles(files: FileList(uris: ["a:b"])).encoded(as: type) }
    let imports: [([ContentType], (ContentType) throws -> Void)] = [
      (PlainText.importableTypes, { _ = try PlainText(decoding: [], as: $0) }),
      (Link.importableTypes, { _ = try Link.all(decoding: [], as: $0) }),
      (StyledText.importableTypes, { _ = try StyledText(decoding: [], as: $0) }),
      (Color.importableTypes, { _ = try Color(decoding: [], as: $0) }),
      (FileList.importableTypes, { _ = try FileList(decoding: [], as: $0) }),
      (CopiedFiles.importableTypes, { _ = try CopiedFiles(decoding: [], as: $0) }),
    ]
    for (types, read) in imports {
      for type in types {
        do { try read(type) } catch let error as ContentError { #expect(error.reason == .malformed, "\(type)") }
      }
    }
  }
}
