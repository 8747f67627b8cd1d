import Foundation
import Glibc
import TestSupport
import Testing

/// The options of `xdnd-source` that say what is dragged: what a program on the other side finds.
@Suite("What xdnd-source offers", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct OfferedContentTests {
  private static let text = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "TEXT", "STRING"]

  @Test func `the order on the command line is the order of the types`() async throws {
    try await XServer.with { server in
      let orders: [(arguments: [String], first: [String])] = [
        (["--type", "a/b=1", "--html", "<b>x</b>", "--text", "x"], ["a/b", "text/html"] + Self.text),
        (["--text", "x", "--html", "<b>x</b>", "--type", "a/b=1"], Self.text + ["text/html", "a/b"]),
        (["--color", "#fff", "--type", "a/b=1", "--text", "x"], ["application/x-color", "a/b"] + Self.text),
        (
          ["--type", "a/b=1", "--type", "c/d=2", "--color", "#fff"], ["a/b", "c/d", "application/x-color"] + Self.text
        ),
        (
          ["--uri", "https://example.org/ Title", "--type", "a/b=1"],
          ["text/x-moz-url", "_NETSCAPE_URL", "text/uri-list", "a/b"]
        ),
        (["--type", "text/plain=own", "--text", "x"], ["text/plain"] + Self.text.filter { $0 != "text/plain" }),
      ]
      for (arguments, first) in orders {
        let source = try server.launchCopy(arguments)
        let types = try #require(try await source.waitFor("copied").strings("types"))
        #expect(Array(types.prefix(first.count)) == first, "\(arguments)")
        #expect(Set(types).count == types.count)
      }
    }
  }

  @Test func `HTML has its plain text beside it, or the text that was given`() async throws {
    let html = "<p>Grüße &amp; <b>Küsse</b></p>"
    try await paste(["--html", html]) { paste async throws in
      #expect(try await paste("text/html").string("text") == html)
      #expect(try await paste("text/plain").string("text") == "Grüße & Küsse")
    }
    for arguments in [["--html", html, "--text", "other"], ["--text", "other", "--html", html]] {
      try await paste(arguments) { paste async throws in
        #expect(try await paste("text/html").string("text") == html)
        for type in ["text/plain", "UTF8_STRING", "STRING"] {
          #expect(try await paste(type).string("text") == "other")
        }
      }
    }
  }

  @Test func `a link goes with its title, and without one`() async throws {
    let url = "https://example.org/a%20b?c=d#e"
    try await paste(["--uri", "\(url) A title, with Ümlaut"]) { paste async throws in
      for type in ["text/x-moz-url", "_NETSCAPE_URL"] {
        let link = try #require(try await paste(type).objects("links")?.first)
        #expect(link.string("url") == url)
        #expect(link.string("title") == "A title, with Ümlaut")
      }
      #expect(try await paste("text/uri-list").objects("files")?.map { $0.string("uri") } == [url])
      #expect(try await paste("text/plain").string("text") == url)
      #expect(
        try await paste("text/html").string("text") == #"<a href="\#(url)">A title, with Ümlaut</a>"#)
    }
    try await paste(["--uri", url]) { paste async throws in
      let links = try #require(try await paste("text/x-moz-url").objects("links"))
      #expect(links.map { $0.string("url") } == [url])
      #expect(links.map(\.names) == [["url"]])
    }
  }

  @Test(arguments: [
    ("#fff", "#ffffff"), ("#3584E4", "#3584e4"), ("#3584e480", "#3584e480"), ("rgb(53, 132, 228)", "#3584e4"),
    ("rgba(255 0 0 / 100%)", "#ff0000"), ("#123456789abc", "#123456789abc"),
  ])
  func `a colour is four numbers, and its notation as text`(_ notation: String, _ canonical: String) async throws {
    try await paste(["--color", notation]) { paste async throws in
      let data = try await paste("application/x-color")
      #expect(data.integer("bytes") == 8)
      #expect(data.string("color") == canonical)
      #expect(try await paste("text/plain").string("text") == canonical)
    }
  }

  @Test(.requiresGTK3)
  func `a colour is numbers of 16 bits, out of a file too`() async throws {
    try await XServer.with { server in
      let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
      let colors = [
        ["--color", "#fff"], ["--type", "application/x-color=@\(try server.directory.write(bytes, to: "color"))"],
        ["--type", "application/x-color=12345678"],
      ]
      for color in colors {
        let source = try server.launchCopy(color)
        try await source.waitFor("copied")
        let line = try await server.format(of: "application/x-color")
        #expect(line == "16 8", "\(color)")
      }
      // What is not whole numbers is not sent.
      let odd = try server.launchCopy(["--type", "application/x-color=123"])
      try await odd.waitFor("copied")
      #expect(try await server.launchPaste([]).exit() == .exited(1))
    }
  }

  @Test func `a text may begin with anything`() async throws {
    for text in ["!literal", "@literal", "=literal", "\u{301}literal", "", "-x"] {
      try await paste(["--type", "a/b=\(text.hasPrefix("\u{301}") ? text : "=\(text)")"]) { paste async throws in
        #expect(try await paste("a/b").string("sha256") == Digest(Array(text.utf8)).sha256)
      }
    }
    try await paste(["--type", "a/b;charset=utf-8=!printf ran"]) { paste async throws in
      #expect(try await paste("a/*").string("sha256") == Digest(Array("ran".utf8)).sha256)
    }
  }

  // MARK: Files

  @Test func `a file is its URI, and with --content-first its content by type`() async throws {
    let directory = try TemporaryDirectory()
    let png = PNG.encode(width: 2, height: 2, rgb: Array(repeating: 7, count: 12))
    let picture = try directory.write(png, to: "picture.png")
    try await paste([picture]) { paste async throws in
      #expect(try await paste("image/*,text/uri-list").objects("files")?.map { $0.string("path") } == [picture])
    }
    try await paste(["--content-first", picture]) { paste async throws in
      #expect(Digest(try await paste("image/png")) == Digest(Array(png)))
      #expect(Digest(try await paste("image/*")) == Digest(Array(png)))
    }
    let text = try directory.write("Grüße\n".utf8, to: "text.txt")
    try await paste(["--content-first", text]) { paste async throws in
      let data = try await paste("text/plain")
      #expect(data.string("type") == "text/plain;charset=utf-8")
      #expect(data.string("text") == "Grüße\n")
    }
  }

  @Test func `what is no UTF-8 is not sent as UTF-8, but as what it is`() async throws {
    let directory = try TemporaryDirectory()
    let bytes = Array("Gr".utf8) + [0xFC, 0xDF] + Array("e\n".utf8)
    let file = try directory.write(bytes, to: "latin.txt")
    try await XServer.with { server in
      let source = try server.launchCopy(["--content-first", file])
      try await source.waitFor("copied")
      let probe = try server.launchPaste(["--accept", "text/plain"])
      let data = try await probe.waitFor("data")
      #expect(Digest(data) == Digest(bytes))
      #expect(data.string("type") == "text/plain")
      #expect(data.string("text") == "Grüße\n")
      #expect(probe.printed("not-given").isEmpty)
      #expect(try await probe.exit() == .exited(0))
    }
  }

  // MARK: Help

  /// Copies, and hands to `body` a way to paste one type.
  private func paste(
    _ arguments: [String], _ body: ((String) async throws -> JSONLine) async throws -> Void
  ) async throws {
    try await XServer.with { server in
      let source = try server.launchCopy(arguments)
      try await source.waitFor("copied")
      try await body { types in
        let probe = try server.launchPaste(["--accept", types])
        let data = try await probe.waitFor("data")
        #expect(try await probe.exit() == .exited(0))
        return data
      }
    }
  }
}

extension XServer {
  /// The format and the number of bytes of what GTK 3 gets from the clipboard.
  fileprivate func format(of type: String) async throws -> String {
    let script = """
      import gi
      gi.require_version("Gdk", "3.0")
      gi.require_version("Gtk", "3.0")
      from gi.repository import Gdk, Gtk
      answer = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD).wait_for_contents(Gdk.Atom.intern("\(type)", False))
      print(answer.get_format(), answer.get_length())
      """
    let process = try launch("/usr/bin/python3", ["-c", script])
    return try await process.waitForLine()
  }
}
