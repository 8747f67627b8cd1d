import XDnDX11
import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnDToolSupport
@testable import XDnD

/// What strangers name must have no power over a terminal.
@Suite("What the tools write to a terminal", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct TerminalOutputTests {
  /// A name with everything that a terminal obeys, and what turns the order of text around.
  private static let nasty = "n\u{1B}[31m\u{7}\u{9B}2J\u{202E}\u{61C}\u{200F}\u{2066}e"

  /// What of a text a terminal would obey; ends of lines are those of the tool.
  private static func power(of bytes: [UInt8]) -> [Unicode.Scalar] {
    String(decoding: bytes, as: UTF8.self).unicodeScalars.filter {
      $0 != "\n" && ($0.properties.generalCategory == .control || $0.properties.isBidiControl)
    }
  }

  /// Looks at all that a program has written that has ended.
  private func expectHarmless(_ terminal: Pseudoterminal, contains text: String) async {
    await terminal.end()
    #expect(Self.power(of: terminal.output.bytes) == [], "\(terminal.output.text.debugDescription)")
    #expect(terminal.output.text.contains(text), "\(terminal.output.text.debugDescription)")
  }

  @Test(arguments: ["paths", "uris", "shell"])
  func `printed names have no power, and take one line each`(_ form: String) async throws {
    try await XServer.with { server in
      let file = try server.directory.write("x".utf8, to: Self.nasty + "\nsecond line")
      let terminal = try Pseudoterminal()
      let probe = try server.launch(
        "/bin/sh",
        terminal.running(
          BuiltProducts.executable("xdnd-probe"),
          ["--json", "--geometry", DragScene.targetGeometry, "--once", "--accept", "text/uri-list", "--print", form],
          descriptors: [1]))
      let window = try await Self.window(of: probe)
      let source = try server.launchBareSource(["--to", "\(window)", "--", file])
      #expect(try await source.exit() == .exited(0))
      #expect(try await probe.exit() == .exited(0))
      await expectHarmless(terminal, contains: "second")
      #expect(terminal.output.text.split(separator: "\n").count == 1)
    }
  }

  @Test func `what is printed for a shell is the same name in a shell that knows how to escape`() async throws {
    let directory = try TemporaryDirectory()
    let file = directory(Self.nasty + "'\n")
    let word = String(decoding: ShellWord.visible(Array(file.utf8)), as: UTF8.self)
    #expect(Self.power(of: Array(word.utf8)) == [])
    let shell = try ChildProcess("bash", ["-c", "printf %s \(word)"])
    #expect(try await shell.exit() == .exited(0))
    #expect(shell.output.bytes == Array(file.utf8))
    #expect(ShellWord.visible(Array("a b".utf8)) == Array("'a b'".utf8))
  }

  @Test func `content that is text shows what it is, with its lines`() async throws {
    try await XServer.with { server in
      let terminal = try Pseudoterminal()
      let probe = try server.launch(
        "/bin/sh",
        terminal.running(
          BuiltProducts.executable("xdnd-probe"),
          ["--json", "--geometry", DragScene.targetGeometry, "--once", "--output", "-"], descriptors: [1]))
      let window = try await Self.window(of: probe)
      let source = try server.launchBareSource(["--to", "\(window)", "--text", "Grüße\n\(Self.nasty)\n"])
      #expect(try await source.exit() == .exited(0))
      #expect(try await probe.exit() == .exited(0))
      await expectHarmless(terminal, contains: "Grüße\nn\\u{1B}[31m\\u{7}")
    }
  }

  @Test func `names of types have none in the log, nor in the reports`() async throws {
    try await XServer.with { server in
      let terminal = try Pseudoterminal()
      let probe = try server.launch(
        "/bin/sh",
        terminal.running(
          BuiltProducts.executable("xdnd-probe"),
          [
            "--geometry", DragScene.targetGeometry, "--log", "trace", "--accept", "*/*", "--action", "copy",
            "--explain",
          ],
          descriptors: [1, 2]))
      for await line in terminal.output.lines where line.hasPrefix("Ready") { break }
      let window = try XlibPeer(server).window(at: Point(x: 700, y: 200))
      let display = server.displayName
      try await onOwnThread { try Self.hover(over: window, on: display) }
      probe.send(SIGTERM)
      #expect(try await probe.exit() == .exited(2))
      await expectHarmless(terminal, contains: "\\u{9B}2J\\u{202E}\\u{61C}\\u{200F}\\u{2066}e")
      #expect(terminal.output.text.contains("trace xdnd"))
    }
  }

  /// Offers types with such names, and goes again when it was answered.
  private static func hover(over window: WindowID, on display: String) throws {
    let connection = try XlibConnection(connectingTo: display)
    let source = SavingSource(connection, window: connection.dragWindow, target: window)
    source.offersSave = false
    source.contents = [AtomName("a/" + nasty): [], AtomName(nasty): []]
    guard connection.own(.xdndSelection, at: connection.serverTime()) else { throw HarnessError("no selection") }
    source.enter()
    source.position(at: Point(x: 700, y: 200))
    let deadline = ContinuousClock.now + .seconds(30)
    while source.statuses.isEmpty, .now < deadline {
      source.takeEvents()
      var descriptor = pollfd(fd: connection.fileDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, 100)
    }
    if source.statuses.isEmpty { throw HarnessError("no answer") }
  }

  /// Reports go to standard error where something else goes to standard output.
  private static func window(of probe: ChildProcess) async throws -> Int {
    for await line in probe.errors.lines {
      if let window = JSONLine(line)?.integer("window") { return window }
    }
    throw probe.failure("has no window")
  }

  // MARK: Functions

  @Test(arguments: [
    ("\u{1B}", #"\u{1B}"#), ("\u{9B}", #"\u{9B}"#), ("\u{61C}", #"\u{61C}"#), ("\u{200E}", #"\u{200E}"#),
    ("\u{200F}", #"\u{200F}"#), ("\u{202A}", #"\u{202A}"#), ("\u{202E}", #"\u{202E}"#), ("\u{2066}", #"\u{2066}"#),
    ("\u{2069}", #"\u{2069}"#), ("\u{2028}", #"\u{2028}"#), ("\n", #"\n"#), ("한ü😀", "한ü😀"),
  ])
  func `a name shows what is in it`(_ name: String, _ shown: String) {
    #expect(Formatting.visible(name) == shown)
  }

  @Test(arguments: [
    ("\u{9B}", #""\u009b""#), ("\u{80}", #""\u0080""#), ("\u{7F}", #""\u007f""#), ("\u{202E}", #""\u202e""#),
    ("\u{61C}", #""\u061c""#), ("\u{200F}", #""\u200f""#), ("\u{2069}", #""\u2069""#), ("ü한😀", #""ü한😀""#),
  ])
  func `JSON has no control in it that is not escaped`(_ text: String, _ json: String) {
    #expect(JSONValue.string(text).json == json)
  }
}

extension XlibPeer {
  /// The window of some program that is at this place of the screen.
  fileprivate func window(at place: Point) throws -> WindowID {
    var child = Window()
    var (x, y): (Int32, Int32) = (0, 0)
    XTranslateCoordinates(display, root, root, Int32(place.x), Int32(place.y), &x, &y, &child)
    guard child != 0 else { throw HarnessError("there is no window at \(place)") }
    return WindowID(rawValue: UInt32(child))
  }
}
