import Foundation
import Glibc
import TestSupport
import Testing
import XDnDToolWindow

@testable import XDnD

/// What goes through `xdnd-source` arrives in `xdnd-probe` byte by byte, whatever it is.
@Suite("Content of the tools", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct SourceContentTests {
  // One argument cannot be longer than 128 KiB on Linux.
  @Test(arguments: ["", "👩‍👩‍👧‍👦 Привет, Grüße", "two\r\nlines\n", "long"])
  func `text arrives as it was given`(_ argument: String) async throws {
    let text = argument == "long" ? String(repeating: "ж0123456\n", count: 12_000) : argument
    let data = try await drag(["--text", text])
    #expect(data.string("type") == "text/plain;charset=utf-8")
    expect(data, holds: Array(text.utf8))
  }

  @Test func `text of a megabyte comes out of a file`() async throws {
    let text = Array(String(repeating: "Привет 👋 мир\n", count: 45_000).utf8)
    #expect(text.count > 1 << 20)
    let file = try TemporaryDirectory()
    let data = try await drag(["--type", "text/plain;charset=utf-8=@\(file.write(text, to: "text"))"])
    expect(data, holds: text)
  }

  @Test func `inline content is everything behind the first equals sign`() async throws {
    let data = try await drag(["--type", "text/html;level=1=<a href=\"x?y=z\">"])
    #expect(data.string("type") == "text/html;level=1")
    expect(data, holds: Array("<a href=\"x?y=z\">".utf8))
  }

  @Test func `empty content and values that begin with a minus are values`() async throws {
    expect(try await drag(["--text=", "--action", "copy"]), holds: [])
    expect(try await drag(["--type", "a/b="]), holds: [])
    expect(try await drag(["--text", "--once"]), holds: Array("--once".utf8))
  }

  @Test(arguments: [3, 5])
  func `types keep their order, and the probe takes the best that it accepts`(_ count: Int) async throws {
    try await XServer.with { server in
      let types = ["a/one", "image/two", "image/three", "text/four", "x/five"].prefix(count)
      let scene = try await DragScene.tools(
        on: server, source: ["--exact"] + types.flatMap { ["--type", "\($0)=content of \($0)"] },
        probe: ["--accept", "text/nothing,image/*,a/one", "--checksum"])
      try await scene.carryUntilAccepted()
      let entered = try await scene.target.waitFor("entered")
      #expect(entered.strings("types") == Array(types))
      let peer = try XlibPeer(server)
      let window = try #require(entered.integer("source"))
      // Three fit into the message, and more are in a list.
      #expect(peer.propertyNames(of: UInt(window)).contains("XdndTypeList") == (count > 3))
      let result = try await scene.drop()
      #expect(result.data.string("type") == "image/two")
      expect(result.data, holds: Array("content of image/two".utf8))
    }
  }

  struct Name: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    let escaped: String

    init(_ bytes: some Sequence<UInt8>, _ escaped: String) {
      self.bytes = Array(bytes)
      self.escaped = escaped
    }

    var testDescription: String { escaped }
  }

  static let names = [
    Name("two words".utf8, "two%20words"), Name("two\nlines".utf8, "two%0Alines"), Name("a#b?c".utf8, "a%23b%3Fc"),
    Name("100%41".utf8, "100%2541"), Name("Привет".utf8, "%D0%9F%D1%80%D0%B8%D0%B2%D0%B5%D1%82"),
    Name("-dash;~'\"\\".utf8, "-dash%3B~%27%22%5C"), Name([0xFF, 0xFE, 0x41, 0xC3], "%FF%FEA%C3"),
    Name("\u{10FF80}".utf8, "%F4%8F%BE%80"), Name("e\u{301}".utf8, "e%CC%81"),
  ]

  @Test(arguments: names)
  func `the URI carries the exact bytes of a file's name`(_ name: Name) async throws {
    let directory = try TemporaryDirectory()
    let path = Array("\(directory.path)/".utf8) + name.bytes
    try write("content", to: path)
    // The shell makes the bytes, for a string cannot hold them all.
    let argument = "./" + name.bytes.map { String(format: #"\x%02x"#, $0) }.joined()
    try await XServer.with { server in
      let scene = try await DragScene.set(
        on: server,
        source: {
          let command = #"cd "$0" && exec "$@" $'"# + argument + "'"
          return try server.launch(
            "bash",
            ["-c", command, directory.path, BuiltProducts.executable("xdnd-source"), "--json", "--geometry", $0])
        },
        target: { try server.launchProbe($0, ["--checksum"]) })
      try await scene.carryUntilAccepted()
      let file = try #require(try await scene.drop().data.objects("files")?.first)
      #expect(file.string("uri") == "file://\(directory.path)/\(name.escaped)")
      #expect(file.string("path") == String(decoding: path, as: UTF8.self))
      expect(try await scene.target.waitFor("checksum"), holds: Array("content".utf8))
    }
  }

  @Test func `content comes out of a file whose name is no UTF-8`() async throws {
    let directory = try TemporaryDirectory()
    try write("content", to: Array("\(directory.path)/".utf8) + [0xFF])
    let data = try await drag(through: #"exec "$@" --type a/b=@"$0"/$'\xff'"#, directory.path, [])
    expect(data, holds: Array("content".utf8))
  }

  @Test func `directories, links, pipes and empty files are dragged by their names`() async throws {
    let directory = try TemporaryDirectory()
    #expect(mkdir(directory("folder"), 0o700) == 0)
    #expect(symlink("folder", directory("link")) == 0)
    #expect(mkfifo(directory("pipe"), 0o600) == 0)
    _ = try directory.write([], to: "empty")
    let names = ["folder", "link", "pipe", "empty", "folder/..", "folder/"]
    let data = try await drag(names.map { directory($0) })
    let files = try #require(data.objects("files"))
    let places = [
      directory("folder"), directory("link"), directory("pipe"), directory("empty"), directory.path,
      directory("folder"),
    ]
    #expect(files.map { $0.string("path") } == places)
    #expect(files.map { $0.integer("bytes") } == [nil, nil, nil, 0, nil, nil])
  }

  @Test func `a file is sent as it is when it is asked for`() async throws {
    try await XServer.with { server in
      let file = try server.directory.write(Array(repeating: 7, count: 5000), to: "file")
      let scene = try await DragScene.tools(on: server, source: ["--type", "a/b=@\(file)"], probe: ["--checksum"])
      #expect(truncate(file, 1000) == 0)
      try await scene.carryUntilAccepted()
      expect(try await scene.drop().data, holds: Array(repeating: 7, count: 1000))
    }
  }

  @Test func `a file that shrinks on the way is not delivered in part`() async throws {
    try await XServer.with { server in
      let file = server.directory("file")
      try #require(FileManager.default.createFile(atPath: file, contents: nil))
      #expect(truncate(file, 4 << 30) == 0)
      let output = try server.directory.write("before".utf8, to: "out")
      let scene = try await DragScene.tools(
        on: server, source: ["--once", "--type", "a/b=@\(file)"], probe: ["--once", "--output", output])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      try await scene.target.waitFor("progress")
      #expect(truncate(file, 1000) == 0)
      // INCR has no word for it, so the probe finds out by its own time limit.
      #expect(try await scene.target.exit(timeout: .seconds(40)) == .exited(4))
      #expect(try await scene.source.exit() == .exited(6))
      #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == Data("before".utf8))
    }
  }

  @Test func `what can be read once only is read at the start`() async throws {
    let data = try await drag(through: #"exec "$@" --type a/b=@<(printf "$0")"#, "once", [])
    expect(data, holds: Array("once".utf8))
  }

  @Test func `fifty megabytes arrive through INCR`() async throws {
    var random = SplitMix64(seed: 50)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(50 << 20)
    while bytes.count < 50 << 20 { withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) } }
    let directory = try TemporaryDirectory()
    let file = try directory.write(bytes, to: "big")
    let output = directory("out")
    let data = try await drag(["--type", "application/octet-stream=@\(file)"], ["--output", output])
    expect(data, holds: bytes)
    #expect(FileManager.default.contentsEqual(atPath: file, andPath: output))
  }

  // MARK: Help

  /// Drags to a probe and returns its `data`.
  private func drag(_ source: [String], _ probe: [String] = []) async throws -> JSONLine {
    try await XServer.with { server in
      let scene = try await DragScene.set(
        on: server, source: { try server.launch(Self.tool, ["--json", "--geometry", $0] + source) },
        target: { try server.launchProbe($0, ["--checksum"] + probe) })
      return try await Self.finish(scene)
    }
  }

  /// The same with the source started by a line of the shell: `$0` is `argument`, `"$@"` the program.
  private func drag(through line: String, _ argument: String, _ probe: [String]) async throws -> JSONLine {
    try await XServer.with { server in
      let scene = try await DragScene.set(
        on: server,
        source: { try server.launch("bash", ["-c", line, argument, Self.tool, "--json", "--geometry", $0]) },
        target: { try server.launchProbe($0, ["--checksum"] + probe) })
      return try await Self.finish(scene)
    }
  }

  private static var tool: String { get throws { try BuiltProducts.executable("xdnd-source") } }

  private static func finish(_ scene: DragScene) async throws -> JSONLine {
    // The heading stands for all rows.
    try await scene.pointer.drag(along: [scene.heading, scene.end])
    try await scene.source.waitFor("drag-began")
    let result = try await scene.drop()
    #expect(result.source.string("outcome") == "dropped")
    #expect(result.probe.string("outcome") == "dropped")
    return result.data
  }

  private func expect(_ line: JSONLine, holds bytes: [UInt8], _ location: SourceLocation = #_sourceLocation) {
    var checksum = SHA256()
    bytes.withUnsafeBytes { checksum.update($0) }
    #expect(line.integer("bytes") == bytes.count, sourceLocation: location)
    #expect(line.string("sha256") == checksum.hexDigest, sourceLocation: location)
  }

  private func write(_ text: String, to path: [UInt8]) throws {
    let descriptor = (path.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) } ?? -1
    }
    try #require(descriptor >= 0)
    #expect(Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count)
    close(descriptor)
  }
}
