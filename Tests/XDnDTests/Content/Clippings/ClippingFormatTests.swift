import Testing

@testable import XDnD

@Suite("What is in clippings")
struct ClippingFormatTests {
  private func content(_ name: String, _ text: String) -> ClippingContent? {
    ClippingContent(fileName: Array(name.utf8), bytes: Array(text.utf8), database: .builtIn)
  }

  private func text(_ clipping: Clipping) -> String { String(decoding: clipping.bytes, as: UTF8.self) }

  // MARK: Text

  @Test func `text is written as it is`() {
    let clipping = Clipping(text: "a\r\nb\0é", fallbackName: "x")
    #expect(clipping.bytes == Array("a\r\nb\0é".utf8) && clipping.type == .plainText)
  }

  @Test func `text of others is read`() {
    #expect(content("a.txt", "\u{FEFF}Editor of Windows") == .text("Editor of Windows"))
    let latin = ClippingContent(
      fileName: Array("/tmp/A.TXT".utf8), bytes: [0x63, 0x61, 0x66, 0xE9], database: .builtIn)
    #expect(latin == .text("café"))
    let wide = ClippingContent(
      fileName: Array("a.txt".utf8), bytes: [0xFF, 0xFE, 0x61, 0, 0x62, 0], database: .builtIn)
    #expect(wide == .text("ab"))
  }

  // MARK: HTML

  @Test func `HTML says that it is UTF-8, once`() {
    #expect(
      text(Clipping(StyledText(html: "<b>é</b>"), fallbackName: "x"))
        == "<!DOCTYPE html><meta charset=\"utf-8\">\n<b>é</b>")
    for own in ["<meta charset=UTF-8>é", "<meta http-equiv='Content-Type' content='text/html; charset=utf-8'>é"] {
      #expect(text(Clipping(StyledText(html: own), fallbackName: "x")) == own)
    }
    // The first that says so is right.
    for other in [
      "<meta charset=iso-8859-1>é", "<!-- <meta charset=utf-8> -->é", "<script>'<meta charset=utf-8>'</script>é",
      String(repeating: " ", count: 1024) + "<meta charset=utf-8>",
    ] {
      #expect(
        text(Clipping(StyledText(html: other), fallbackName: "x")).hasPrefix(
          "<!DOCTYPE html><meta charset=\"utf-8\">\n"))
    }
  }

  @Test(arguments: [nil, "", "a \"b\" <c> &amp; \r\n\0é", "\">\n"])
  func `HTML keeps the plain text that came with it`(plain: String?) {
    let value = StyledText(html: "<meta charset=utf-8><p>a", plain: plain)
    let clipping = Clipping(value, fallbackName: "x")
    #expect(
      ClippingContent(fileName: Array("x.html".utf8), bytes: clipping.bytes, database: .builtIn) == .styledText(value))
  }

  @Test(arguments: [
    ("<meta charset=iso-8859-1>\u{E9}\u{80}", "<meta charset=iso-8859-1>é€"), ("\u{E9}", "é"),
    ("<meta charset=koi8-r>\u{E9}", "<meta charset=koi8-r>é"),
    ("<meta charset=utf-16>a", "<meta charset=utf-16>a"),
  ])
  func `HTML of others is read in its charset`(latin: String, html: String) throws {
    let bytes = try #require(TextEncoding.isoLatin1.bytes(of: latin))
    #expect(
      ClippingContent(fileName: Array("x.htm".utf8), bytes: bytes, database: .builtIn)
        == .styledText(StyledText(html: html)))
  }

  // MARK: Links

  @Test func `a link is a desktop entry, or an internet shortcut`() {
    let link = Link(url: "https://example.org/a b", title: "C:\\temp\nand \u{1F600}")
    #expect(
      text(Clipping(link, fallbackName: "x"))
        == "[Desktop Entry]\nVersion=1.0\nType=Link\nName=C:\\\\temp and \u{1F600}\nURL=https://example.org/a%20b\nIcon=text-html\n"
    )
    #expect(
      text(Clipping(link, as: .url, fallbackName: "x"))
        == "[InternetShortcut]\r\nURL=https://example.org/a%20b\r\nTitle=C:\\temp and \u{1F600}\r\n")
  }

  @Test(
    arguments: [
      // KDE's, with the suffixes of its configuration.
      (
        "[Desktop Entry]\nIcon=text-html\nName=Example\nName[de]=Beispiel\nType=Link\nURL[$e]=https://example.org/$$1\n",
        "https://example.org/$1", "Example"
      ),
      // GNOME's, with an old encoding line, and translations first.
      (
        "#!/usr/bin/env xdg-open\n\n[Desktop Entry]\nEncoding=UTF-8\nName[fr]=Exemple\nName = Link to\\sexample\nType= Link\nURL =https://example.org/\n[Other]\nURL=no:",
        "https://example.org/", "Link to example"
      ),
      (
        "\u{FEFF}[Desktop Entry]\r\nType=Link\r\nURL=https://example.org/?a=b;c=%20\r\n",
        "https://example.org/?a=b;c=%20", nil
      ),
      ("[KDE Desktop Entry]\nType=Link\nURL=ftp://a\\\\b\nName=ftp://a\\b", "ftp://a\\b", nil),
    ] as [(String, String, String?)])
  func `desktop entries of others are links`(file: String, url: String, title: String?) {
    #expect(content("x.desktop", file) == .link(Link(url: url, title: title)))
  }

  @Test(arguments: [
    "[Desktop Entry]\nType=Application\nName=Editor\nExec=editor\nURL=https://example.org",
    "[Desktop Entry]\nType=Link\nURL=\n", "",
    "[Desktop Entry]\nURL=https://example.org", "Type=Link\nURL=a:", "[Desktop Action]\nType=Link\nURL=a:",
    "[Desktop Entry]\ntype=Link\nURL=a:",
    "[Desktop Entry]\nType=Link\nURL[de]=a:", "[Desktop Entry]\n#Type=Link\nURL=a:",
  ])
  func `an application is no link`(file: String) {
    #expect(content("x.desktop", file) == .data("application/x-desktop"))
  }

  @Test func `shortcuts of Windows are links, with the name of the file for a title`() throws {
    let file =
      "[{000214A0-0000-0000-C000-000000000046}]\r\nProp3=19,2\r\n[internetshortcut]\r\nIDList=\r\nurl=https://example.org/\r\n"
    #expect(content("My page.url", file) == .link(Link(url: "https://example.org/", title: "My page")))
    #expect(content("My page.URL", "\u{FEFF}" + file) == .link(Link(url: "https://example.org/", title: "My page")))
    let latin = try #require(TextEncoding.isoLatin1.bytes(of: "[InternetShortcut]\nURL=https://example.org/é"))
    #expect(
      ClippingContent(fileName: [0xE9] + Array(".url".utf8), bytes: latin, database: .builtIn)
        == .link(Link(url: "https://example.org/é", title: "é")))
    #expect(content("x.url", "[InternetShortcut]\nURL=") == .data("application/x-mswinurl"))
  }

  // MARK: Colours

  @Test func `a colour is a palette of one`() {
    let blue = Color(red: 0x3535, green: 0x8484, blue: 0xE4E4)
    #expect(
      text(Clipping(blue, fallbackName: "x")) == "GIMP Palette\nName: #3584e4\nColumns: 1\n#\n 53 132 228\t#3584e4\n")
  }

  @Test(arguments: [
    ("GIMP Palette\nName: x\n#\n255   0   0\tRed\n", Color(red: .max, green: 0, blue: 0)),
    ("GIMP Palette\r\n0 0 0\r\n", Color(red: 0, green: 0, blue: 0)),
    // The name says something else than the columns, which are what people see.
    ("GIMP Palette\n0 255 0 #ff0000", Color(red: 0, green: .max, blue: 0)),
    ("GIMP Palette\n255 0 0 rgb(255, 0, 0)", Color(red: .max, green: 0, blue: 0)),
    ("GIMP Palette\n1 2 3 #0101020203037fff", Color(red: 0x0101, green: 0x0202, blue: 0x0303, alpha: 0x7FFF)),
  ])
  func `palettes of others with one colour are that colour`(file: String, color: Color) {
    #expect(content("x.gpl", file) == .color(color))
  }

  @Test(arguments: [
    "GIMP Palette\n0 0 0\n1 1 1\n", "GIMP Palette\n", "", "0 0 0", "GIMP Palette\n256 0 0\n", "GIMP Palette\n0 0\n",
  ])
  func `other palettes are data`(file: String) {
    #expect(content("x.gpl", file) == .data("application/x-gimp-color-palette"))
  }

  // MARK: Others

  @Test func `other files are data of their type, or nothing but files`() {
    #expect(content("x.png", "") == .data(.png))
    #expect(content("README.md", "# a") == .data("text/markdown"))
    #expect(content("notes.asc", "a") == .text("a"))
    #expect(content("x.bin", "a") == .data(.data))
    for unknown in ["README", "x.unknown", "", "/", "."] { #expect(content(unknown, "a") == nil) }
    // Without any database, our own are still known.
    let empty = TypeDatabase()
    #expect(ClippingContent(fileName: Array("x.txt".utf8), bytes: [0x61], database: empty) == .text("a"))
    #expect(
      ClippingContent(fileName: Array("x.html".utf8), bytes: [0x61], database: empty)
        == .styledText(StyledText(html: "a")))
  }
}
