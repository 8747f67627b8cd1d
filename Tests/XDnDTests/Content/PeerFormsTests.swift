import Testing

@testable import XDnD

/// Bytes as other programs write them. "Measured" is a recording of the program's own drag; a name of a file is the
/// source that writes or expects this; the rest is what a specification or a common slip makes possible.
private struct Form: Sendable {
  let peer: String
  let type: ContentType
  let bytes: [UInt8]

  init(_ peer: String, _ type: ContentType, _ bytes: [UInt8]) {
    self.peer = peer
    self.type = type
    self.bytes = bytes
  }

  init(_ peer: String, _ type: ContentType, _ text: String) {
    self.init(peer, type, Array(text.utf8))
  }

  static func utf16(_ text: String, bigEndian: Bool = false) -> [UInt8] {
    text.utf16.flatMap { unit in
      let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
      return bigEndian ? [high, low] : [low, high]
    }
  }

  static func utf32(_ text: String) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar in withUnsafeBytes(of: scalar.value) { Array($0) } }
  }

  static func latin1(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }
}

@Suite("Forms of other programs")
struct PeerFormsTests {
  static let text = "žluť 日 😀\n"
  static let western = "café ÿ"

  private static let texts: [Form] = [
    Form("GTK 3, 4: measured", "text/plain;charset=utf-8", text),
    Form("GTK 3, 4: measured", "UTF8_STRING", text),
    Form("Qt 5, 6: measured; text/plain is UTF-8", "text/plain", text),
    Form("Qt 5, 6: measured; TEXT and STRING are UTF-8 too", "STRING", text),
    Form("Firefox: measured", "text/plain", text),
    Form("Firefox, Chromium: qxcbmime and ui/base/x; UTF-8 under STRING", "STRING", text),
    Form("Chromium: ui/base/x", "TEXT", text),
    Form("Mozilla of old: x-dnd.el still asks for it", "text/unicode", Form.utf16(text)),
    Form(
      "Tk 8.6 with tkdnd: measured; 86 bytes for 84", "text/plain;charset=utf-8",
      Array("žluť 日 ".utf8) + [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80, 0x0A]),
    Form(
      "Tk 8.6 with tkdnd: measured", "UTF8_STRING",
      Array("žluť 日 ".utf8) + [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80, 0x0A]),
    Form("Emacs: select.el", "text/plain;charset=utf-8", text),
    Form(
      "Java 17: measured; big endian with a mark", "text/plain;charset=UTF-16",
      [0xFE, 0xFF] + Form.utf16(text, bigEndian: true)),
    Form("Java 17: measured", "text/plain;charset=UTF-16LE", Form.utf16(text)),
    Form("Java 17: measured", "text/plain;charset=UTF-16BE", Form.utf16(text, bigEndian: true)),
    Form("Java 17: measured", "text/plain;charset=UTF-8", text),
    Form("wxWidgets 3.2: measured", "UTF8_STRING", text),
    Form("FLTK 1.3: measured; UTF-8 under STRING", "STRING", text),
    Form("SDL 3 takes it first: SDL_x11events", "text/plain;charset=utf-8", text),
    Form("LibreOffice: measured", "text/plain;charset=utf-16", [0xFF, 0xFE] + Form.utf16(text)),
    Form("who counts the terminator: Qt strips it", "UTF8_STRING", Array(text.utf8) + [0]),
    Form("the same in UTF-16", "text/plain;charset=utf-16le", Form.utf16(text) + [0, 0]),
    Form("marked, as Windows does", "text/plain", [0xEF, 0xBB, 0xBF] + Array(text.utf8)),
  ]

  private static let westernTexts: [Form] = [
    Form("Tk 8.6 with tkdnd: measured; Latin-1", "text/plain", Form.latin1(western)),
    Form("GTK 3: gtkselection.c; Latin-1 under STRING", "STRING", Form.latin1(western)),
    Form("Java 17: measured", "text/plain;charset=ISO-8859-1", Form.latin1(western)),
    Form("declared: the letters are those of Latin-1", "text/plain;charset=windows-1252", Form.latin1(western)),
    Form("GTK 3: gtkselection.c", "COMPOUND_TEXT", Form.latin1(western)),
    Form("Xlib: segments of UTF-8", "COMPOUND_TEXT", [0x1B, 0x25, 0x47] + Array(western.utf8) + [0x1B, 0x25, 0x40]),
    Form("ICCCM: TEXT as the owner likes", "TEXT", Form.latin1(western)),
  ]

  @Test func `text of every peer is the same text`() throws {
    for form in Self.texts {
      #expect(try PlainText(decoding: form.bytes, as: form.type).text == Self.text, "\(form.peer), \(form.type)")
    }
    for form in Self.westernTexts {
      #expect(try PlainText(decoding: form.bytes, as: form.type).text == Self.western, "\(form.peer), \(form.type)")
    }
  }

  static let url = "https://example.org/a?b=1&c=2"
  static let title = "Ž & <é>"

  private static let links: [Form] = [
    Form("Firefox: measured", "text/x-moz-url", Form.utf16(url + "\n" + title)),
    Form("Chromium: ui/base/x", "text/x-moz-url", Form.utf16(url + "\n" + title)),
    Form("marked: qxcbmime looks for it", "text/x-moz-url", [0xFF, 0xFE] + Form.utf16(url + "\n" + title)),
    Form("big endian, marked", "text/x-moz-url", [0xFE, 0xFF] + Form.utf16(url + "\n" + title, bigEndian: true)),
    Form("big endian, not marked", "text/x-moz-url", Form.utf16(url + "\n" + title, bigEndian: true)),
    Form("Emacs tries UTF-8 too: x-dnd.el", "text/x-moz-url", url + "\n" + title),
    Form("several, CRLF", "text/x-moz-url", Form.utf16(url + "\r\n" + title + "\r\nhttps://b.example/\r\nB\r\n")),
    Form("who counts the terminator", "text/x-moz-url", Form.utf16(url + "\n" + title) + [0, 0]),
    Form("Firefox: nsDragService", "_NETSCAPE_URL", url + "\n" + title),
    Form("Thunar and Nautilus read this: two lines", "_NETSCAPE_URL", url + "\n" + title + "\n"),
    Form(
      "Firefox: measured, a dragged anchor", "text/html",
      "<meta http-equiv=\"content-type\" content=\"text/html; charset=utf-8\">"
        + "<a href=\"https://example.org/a?b=1&amp;c=2\">Ž &amp; &lt;é&gt;</a>"),
    Form(
      "Chromium: UTF-16 with a mark", "text/html",
      [0xFF, 0xFE] + Form.utf16("<a href=\"https://example.org/a?b=1&amp;c=2\">Ž &amp; &lt;é&gt;</a>")),
    Form(
      "Qt rich text", "text/html",
      "<html><body><p>see <A class=x HREF='https://example.org/a?b=1&c=2'><b>Ž</b>\n&#38; &lt;&#xE9;&gt;</A></p>"),
  ]

  private static let addresses: [Form] = [
    Form("GTK 3, 4: CRLF", "text/uri-list", url + "\r\n"),
    Form("Chromium: LF, no end", "text/uri-list", url),
    Form("who counts the terminator", "text/uri-list", Array(url.utf8) + [0]),
    Form("Firefox: text/x-moz-url-data", "text/x-moz-url-data", Form.utf16(url)),
    Form("Firefox, Chromium: the URL as text", "text/plain", url),
    Form("all toolkits", "UTF8_STRING", url + "\n"),
    Form("Firefox: an image without a name repeats the URL", "text/x-moz-url", Form.utf16(url + "\n" + url)),
    Form("ROX wants the line end", "text/x-moz-url", Form.utf16(url + "\n")),
    Form("no title", "_NETSCAPE_URL", url),
  ]

  @Test func `links of every peer are the same link`() throws {
    for form in Self.links {
      let link = try Link(decoding: form.bytes, as: form.type)
      #expect(link == Link(url: Self.url, title: Self.title), "\(form.peer), \(form.type)")
    }
    for form in Self.addresses {
      #expect(try Link(decoding: form.bytes, as: form.type) == Link(url: Self.url), "\(form.peer), \(form.type)")
    }
  }

  private static let html = "<p>Ž <b>日</b></p>"
  private static let pages: [Form] = [
    Form("Chromium: FF FE", "text/html", [0xFF, 0xFE] + Form.utf16(html)),
    Form("UTF-16 without a mark: Qt sniffs it", "text/html", Form.utf16(html)),
    Form("the same, big endian", "text/html", Form.utf16(html, bigEndian: true)),
    Form(
      "Firefox: with the meta element", "text/html",
      "<meta http-equiv=\"content-type\" content=\"text/html; charset=utf-8\">" + html),
    Form("GTK, Qt, LibreOffice: measured", "text/html", html),
    Form("Java 17: measured", "text/html;charset=UTF-16", [0xFE, 0xFF] + Form.utf16(html, bigEndian: true)),
    Form("tkdnd 2.6: measured; 4 bytes a letter", "text/html", Form.utf32(html)),
    Form(
      "CF_HTML: what a bridge to Windows may leave in front", "text/html",
      "Version:0.9\r\nStartHTML:0000000040\r\nEndHTML:0000000080\r\n" + html),
    Form("who counts the terminator", "text/html", Array(html.utf8) + [0]),
  ]

  @Test func `HTML of every peer is the same HTML`() throws {
    for form in Self.pages {
      let text = try StyledText(decoding: form.bytes, as: form.type)
      #expect(text.html == Self.html, "\(form.peer), \(form.type)")
      #expect(text.plainText == "Ž 日")
    }
  }

  private static let lists: [Form] = [
    Form("GTK, Qt, Thunar, Nautilus: CRLF", "text/uri-list", "file:///a%20b\r\nfile:///%C5%BE\r\n"),
    Form("Chromium: LF, no end", "text/uri-list", "file:///a%20b\nfile:///%C5%BE"),
    Form("Java 17: escapes the space alone, no slashes of a host", "text/uri-list", "file:/a%20b\r\nfile:/ž\r\n"),
    Form("tkdnd 2.6: escapes nothing", "text/uri-list", "file:///a b\r\nfile:///ž"),
    Form("Dolphin", "application/x-kde4-urilist", "file:///a%20b\r\nfile:///%c5%be\r\n"),
    Form("old GNOME: localhost", "text/uri-list", "file://localhost/a%20b\r\nFILE://LOCALHOST/%C5%BE\r\n"),
    Form("ROX: its own host", "text/uri-list", "file://here/a%20b\r\nfile://Here/%C5%BE\r\n"),
    Form(
      "comments, empty lines, spaces, a NUL, a mark", "text/uri-list",
      [0xEF, 0xBB, 0xBF] + Array("# two\r\n\r\n  file:///a%20b \r\n\tfile:///%C5%BE\r\n\0".utf8)),
  ]

  @Test func `lists of files of every peer are the same files`() throws {
    for form in Self.lists {
      let entries = try FileList(decoding: form.bytes, as: form.type).entries(hostName: "here")
      #expect(entries == [.local(path: Array("/a b".utf8)), .local(path: Array("/ž".utf8))], "\(form.peer)")
    }
  }

  /// What each peer asks for, best first.
  @Test(
    arguments: [
      ("GTK 3, Qt 5 and 6, Tk: measured", "text/plain;charset=utf-8"),
      ("GTK 4, Java, FLTK, wx: measured", "UTF8_STRING"),
      ("SDL 2: measured", "text/plain"), ("Firefox: measured", "text/plain;charset=utf-8"),
      ("Chromium: measured", "TEXT"), ("Chromium: measured", "STRING"), ("xterm", "STRING"),
    ] as [(String, ContentType)])
  func `plain text is offered as each peer asks for it`(peer: String, type: ContentType) throws {
    #expect(PlainText.exportableTypes.contains(type))
    #expect(try !PlainText("plain").encoded(as: type).isEmpty)
    #expect(StyledText.exportableTypes.contains(type) && Link.exportableTypes.contains(type))
  }

  @Test(
    arguments: [
      ("Firefox: measured", "text/uri-list"), ("Chromium: measured", "_NETSCAPE_URL"),
      ("Chromium: measured", "text/x-moz-url"), ("Thunar, Nautilus", "_NETSCAPE_URL"), ("Emacs", "text/x-moz-url"),
      ("Qt", "text/uri-list"), ("LibreOffice", "text/html"), ("ROX", "text/x-moz-url"), ("GTK", "text/uri-list"),
      ("Firefox", "text/x-moz-url-data"), ("Firefox", "text/x-moz-url-desc"), ("editors", "UTF8_STRING"),
    ] as [(String, ContentType)])
  func `a link is offered as each peer asks for it`(peer: String, type: ContentType) throws {
    #expect(Link.exportableTypes.contains(type))
    #expect(try !Link(url: Self.url, title: Self.title).encoded(as: type).isEmpty)
  }

  @Test func `the forms that peers parse by position are written to the byte`() throws {
    let link = Link(url: "http://a/", title: "B")
    let order = TextEncoding.isLittleEndianMachine
    #expect(try link.encoded(as: "text/x-moz-url") == Form.utf16("http://a/\nB", bigEndian: !order))
    #expect(try Link(url: "http://a/").encoded(as: "text/x-moz-url") == Form.utf16("http://a/\n", bigEndian: !order))
    #expect(try link.encoded(as: "_NETSCAPE_URL") == Array("http://a/\nB".utf8))
    #expect(try Link(url: "http://a/").encoded(as: "_NETSCAPE_URL") == Array("http://a/\nhttp://a/".utf8))
    #expect(try link.encoded(as: .uriList) == Array("http://a/\r\n".utf8))
    #expect(try link.encoded(as: "text/plain") == Array("http://a/".utf8))
    #expect(
      try StyledText(html: "<b>x</b>").encoded(as: .html)
        == Array("<meta http-equiv=\"content-type\" content=\"text/html; charset=utf-8\"><b>x</b>".utf8))
    let files = CopiedFiles(files: FileList(paths: ["/a", "/b"]), operation: .move)
    #expect(try files.encoded(as: "x-special/gnome-copied-files") == Array("cut\nfile:///a\nfile:///b".utf8))
    #expect(try files.encoded(as: "application/x-kde-cutselection") == [0x31])
  }
}
