import TestSupport
import Testing
import XDnD

import enum TestSupport.ExitStatus

/// What `xdnd-source` says to targets that answer in a way of their own.
@Suite("Targets with habits of their own", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct OfferByTargetTests {
  /// Drops on a window of this class.
  private func drop(
    _ arguments: [String], on className: (name: String, type: String)? = nil,
    answering action: String = "XdndActionCopy",
    fetching type: String = "text/plain;charset=utf-8"
  ) async throws -> (visit: ListeningTarget.Visit, ended: JSONLine, status: ExitStatus) {
    try await XServer.with { server in
      let places = AsyncStream<WindowID>.makeStream()
      async let visit = onOwnThread {
        let target = try ListeningTarget(on: server, className: className)
        places.continuation.yield(target.window)
        return target.takeDrop(answering: action, fetching: type)
      }
      var iterator = places.stream.makeAsyncIterator()
      let window = try #require(await iterator.next())
      let source = try server.launchBareSource(["--to", "\(window.rawValue)"] + arguments)
      let status = try await source.exit()
      let ended = try #require(source.printed("ended").first)
      return (try #require(try await visit), ended, status)
    }
  }

  // MARK: Copy is the only word

  @Test(arguments: ["move", "link"])
  func `a target that can only say Copy is dropped on, and what it did is called a copy`(_ action: String) async throws
  {
    let result = try await drop(["--action", action, "--text", "Hello"])
    #expect(result.visit.content == Array("Hello".utf8))
    #expect(result.ended.string("outcome") == "dropped")
    #expect(result.ended.string("operation") == "copy")
    #expect(result.ended.boolean("delete") == false)
    #expect(result.status == .exited(0))
  }

  // MARK: Text with a name

  private static let gedit = (name: "gedit", type: "Gedit")
  private static let promise = "XdndDirectSave0"

  @Test func `gedit is offered text without the promise of a file, which it would open as a document`() async throws {
    for content in [["--text", "Hello"], ["--html", "<b>Hello</b>"], ["--uri", "https://example.org/ Title"]] {
      let visit = try await drop(content, on: Self.gedit).visit
      #expect(!visit.types.contains(Self.promise), "\(visit.types)")
      #expect(!visit.targets.contains(Self.promise), "\(visit.targets)")
      #expect(visit.types.contains("text/plain;charset=utf-8"))
      #expect(visit.content?.isEmpty == false)
    }
  }

  @Test func `other targets are offered the promise, and gedit is if the user says so`() async throws {
    let others: [(name: String, type: String)?] = [nil, ("thunar", "Thunar"), ("Gedit", "other")]
    for className in others {
      let visit = try await drop(["--text", "Hello"], on: className, fetching: "text/plain").visit
      #expect(visit.types.first == Self.promise)
      #expect(visit.targets.contains(Self.promise))
    }
    let visit = try await drop(["--no-quirk", "text-opens-document", "--text", "Hello"], on: Self.gedit).visit
    #expect(visit.types.first == Self.promise)
    #expect(visit.targets.contains(Self.promise))
  }

  @Test func `what is no text, and a document that the user names, is promised to gedit too`() async throws {
    for (content, type) in [
      (["--color", "#fff", "--save-as", "white.gpl"], "text/plain"),
      (["--save-as", "note.txt", "--text", "Hello"], "text/plain"), (["--type", "image/png=no picture"], "image/png"),
    ] {
      let visit = try await drop(content, on: Self.gedit, fetching: type).visit
      #expect(visit.types.first == Self.promise, "\(content): \(visit.types)")
    }
  }

  @Test func `a file is a file for gedit`() async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("Hello".utf8, to: "note.txt")
    let visit = try await drop([file], on: Self.gedit, fetching: "text/uri-list").visit
    #expect(visit.types.first == "text/uri-list")
    #expect(visit.content == Array("file://\(file)\r\n".utf8))
  }

  // MARK: File managers without direct save

  @Test(arguments: ["Org.gnome.Nautilus", "Spacefm"])
  func `a file manager without direct save is offered a list with the file that the content becomes`(
    _ className: String
  ) async throws {
    for (content, name) in [
      (["--html", "<b>Some words</b>"], "Some words.html"), (["--text", "Some words"], "Some words.txt"),
      (["--uri", "https://example.org/page A page"], "A page.desktop"), (["--color", "#3584e4"], "#3584e4.gpl"),
    ] {
      let visit = try await drop(content, on: (name: "x", type: className), fetching: "text/uri-list").visit
      #expect(visit.types.first == Self.promise && visit.types.last == "text/uri-list", "\(content): \(visit.types)")
      let list = String(decoding: try #require(visit.content), as: UTF8.self)
      let path = try #require(FileList.localPath(of: String(list.prefix { $0 != "\r\n" })))
      #expect(path.hasSuffix("/" + name), "\(path)")
    }
  }

  @Test func `the list of a marked clipping, and of a picture in a file, names the file that is there`() async throws {
    let directory = try TemporaryDirectory()
    let png = try directory.write(PNG.encode(width: 1, height: 1, rgb: [1, 2, 3]), to: "photo")
    let clipping = try directory.write("Hello".utf8, to: "Hello.txt")
    try ClippingOfferTests.mark(clipping)
    for (content, className, path) in [
      (["--type", "image/png=@\(png)"], "X", png), ([clipping], "Spacefm", clipping),
    ] {
      let visit = try await drop(content, on: (name: "x", type: className), fetching: "text/uri-list").visit
      #expect(visit.content == Array("file://\(path)\r\n".utf8))
    }
    // The name that the user has chosen is not the file's.
    let named = ["--save-as", "other.png", "--type", "image/png=@\(png)"]
    let visit = try await drop(named, on: (name: "x", type: "X"), fetching: "text/uri-list").visit
    #expect(String(decoding: visit.content ?? [], as: UTF8.self).hasSuffix("/other.png\r\n"))
  }

  // MARK: Natural files

  @Test func `a picture is promised as a file in every way that a target may know, and text is only direct save`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let png = try directory.write(PNG.encode(width: 1, height: 1, rgb: [1, 2, 3]), to: "photo.png")
    let full = [Self.promise, "application/octet-stream", "text/uri-list"]
    for (content, isFile) in [
      (["--type", "image/png=@\(png)"], true), (["--type", "application/pdf=x"], true),
      (["--type", "image/png=@\(png)", "--type", "text/plain=A photo"], true),
      (["--type", "text/plain=x"], false), (["--type", "text/csv=a,b"], false),
      (["--type", "application/json={}"], false),
      (["--type", "application/x-private=x"], false), (["--type", "text/html=x"], false),
      (["--type", "text/plain=A photo", "--type", "image/png=@\(png)"], false),
    ] {
      let visit = try await drop(content, fetching: String(content[1].prefix { $0 != "=" })).visit
      let expected = isFile ? full : [Self.promise]
      #expect(visit.types.filter(full.contains) == expected, "\(content): \(visit.types)")
    }
    let exact = try await drop(["--exact", "--type", "image/png=@\(png)"], fetching: "image/png").visit
    #expect(exact.types == ["image/png"])
  }

  @Test func `a picture with words is promised to gedit as its words alone`() async throws {
    let visit = try await drop(
      ["--type", "image/png=no picture", "--type", "text/plain=A photo"], on: Self.gedit, fetching: "text/plain"
    ).visit
    #expect(visit.types == ["image/png", "text/plain"])
    #expect(visit.content == Array("A photo".utf8))
  }
}
