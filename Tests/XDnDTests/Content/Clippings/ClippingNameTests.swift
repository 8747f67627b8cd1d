import Testing

@testable import XDnD

@Suite("Names of clippings")
struct ClippingNameTests {
  private static let time = "Clipping 2026-11-21 14.30.05"

  @Test(arguments: [
    ("Hello, world", "Hello, world.txt"), ("\n\n  Shopping list:\nmilk\neggs", "Shopping list.txt"),
    ("The quick brown fox jumps over the lazy dog and runs", "The quick brown fox jumps over the lazy.txt"),
    ("https://example.org/a?b", "https example.org a b.txt"), ("Dear Sir,\r\n\r\n", "Dear Sir.txt"),
    ("... and so on...", "and so on.txt"),
    ("../../etc/passwd", "etc passwd.txt"), ("- milk", "milk.txt"), ("", time + ".txt"), (" \n\t", time + ".txt"),
    ("...", time + ".txt"),
    ("\u{0}\u{1}", time + ".txt"),
    ("日本語の長い文章は空白がないので途中で切れることになりますがそれでも名前は読めるものでなければなりません", "日本語の長い文章は空白がないので途中で切れることになりますがそれでも名前は読める.txt"),
    ("مرحبا بالعالم", "مرحبا بالعالم.txt"), ("#3584e4", "#3584e4.txt"), ("a\u{202E}b", "ab.txt"),
    ("con*?\"<>|\\:", "con.txt"), ("...\n- - -\nText", "Text.txt"),
  ])
  func `text is called by its first words`(text: String, name: String) {
    #expect(Clipping(text: text, fallbackName: Self.time).name == name)
  }

  @Test(arguments: [
    ("<title> News &amp; more </title><h1>x</h1>", "News & more.html"),
    ("<title> </title><p>a</p><h2>Two <b>words</b></h2>", "Two words.html"),
    ("<p>Some <i>words</i></p>", "Some words.html"), ("<title>a/b", "a b.html"),
    ("<title>\n One\n two\n</title>", "One two.html"), ("<img src=x>", time + ".html"),
    ("<h1></h1><h2>b</h2>", "b.html"),
    ("<script>var a</script>b", "b.html"), ("", time + ".html"),
  ])
  func `a page is called by its title, its heading or its words`(html: String, name: String) {
    #expect(Clipping(StyledText(html: html), fallbackName: Self.time).name == name)
  }

  @Test(arguments: [
    (Link(url: "https://example.org/", title: "Example: a page"), "Example a page"),
    (Link(url: "https://example.org/"), "example.org"),
    (Link(url: "https://me:secret@example.org:8080/a/b%20c.html?q#f"), "example.org b c.html"),
    (Link(url: "http://example.org/index.html"), "example.org"), (Link(url: "mailto:a@example.org"), "a@example.org"),
    (Link(url: "file:///home/me/plan.pdf"), "plan.pdf"), (Link(url: "https://h/%2e%2e"), "h"), (Link(url: ""), time),
    (Link(url: "https://example.org/%E9%FF"), "example.org %E9%FF"), (Link(url: "https:///"), time),
    (Link(url: "no scheme"), "no scheme"),
  ])
  func `a link is called by its title, or by its host`(link: Link, name: String) {
    #expect(Clipping(link, fallbackName: Self.time).name == name + ".desktop")
    #expect(Clipping(link, as: .url, fallbackName: Self.time).name == name + ".url")
  }

  @Test func `a colour is called as CSS has it`() {
    #expect(Clipping(Color(red: 0x3535, green: 0x8484, blue: 0xE4E4), fallbackName: "x").name == "#3584e4.gpl")
    #expect(
      Clipping(Color(red: 0x3500, green: 0, blue: 65_535, alpha: 0x8080), fallbackName: "x").name == "#3500ff80.gpl")
  }

  @Test(
    arguments: [
      ("image/png", "photo.png", "photo.png"), ("image/jpeg", "PHOTO.JPEG", "PHOTO.JPEG"),
      ("image/jpeg", "photo", "photo.jpg"),
      ("image/png", "photo.jpg", "photo.jpg.png"), ("image/jpg", nil, time + ".jpg"),
      ("application/pdf", "../../x", "x.pdf"),
      ("FOO_BAR", nil, time + ".bin"), ("FOO_BAR", "a.dat", "a.dat.bin"), ("UTF8_STRING", nil, time + ".txt"),
      ("STRING", "a.txt", "a.txt"),
      ("COMPOUND_TEXT", nil, time + ".bin"), ("application/octet-stream", "report.pdf", "report.pdf"),
      ("application/octet-stream", "Makefile", "Makefile"),
      ("application/octet-stream", nil, time + ".bin"), ("text/x-unknown", nil, time + ".txt"),
      ("application/x-unknown", "..", time + ".bin"),
      ("text/plain;charset=utf-8", "note.md", "note.md"), ("text/x-makefile", "Makefile", "Makefile"),
      ("image/*", nil, time + ".bin"),
      ("application/x-compressed-tar", "a.tar.gz", "a.tar.gz"), ("application/x-compressed-tar", "a", "a.tar.gz"),
      ("text/plain", ".txt", "txt.txt"),
    ] as [(ContentType, String?, String)])
  func `other content is called as suggested, with an extension of its type`(
    type: ContentType, suggested: String?, name: String
  ) {
    let found = Clipping.name(for: type, suggestedName: suggested, fallbackName: Self.time, database: .builtIn)
    #expect(found == name)
    let clipping = Clipping(bytes: [1], of: type, suggestedName: suggested, fallbackName: Self.time, database: .builtIn)
    #expect(clipping.name == name && clipping.type == type && clipping.bytes == [1])
  }

  @Test(arguments: ["../x", "a/b.c", ".", "sub/../y", "\u{1B}"])
  func `a database gives no extension that is more than one`(suffix: String) {
    let hostile = TypeDatabase(globs2: Array("50:a/b:*.\(suffix)\n".utf8))
    #expect(Clipping.name(for: "a/b", suggestedName: nil, fallbackName: "x", database: hostile) == "x.bin")
  }

  @Test func `there is a name even if the fallback is none`() {
    #expect(Clipping(text: "", fallbackName: "..").name == "Clipping.txt")
    #expect(Clipping(text: "", fallbackName: "a/b").name == "b.txt")
    let long = Clipping(text: "", fallbackName: String(repeating: "é", count: 500)).name
    #expect(long.utf8.count == 254 && long.hasSuffix("é.txt"))
  }
}
