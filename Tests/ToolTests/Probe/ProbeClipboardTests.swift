import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// The clipboard in place of a drag: Ctrl+V and Ctrl+C in the window.
@Suite("Copy and paste in the window of xdnd-probe", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ProbeClipboardTests {
  /// A probe. If content is written to its standard output, that is a file, and the reports go to standard error.
  private struct Window {
    let server: XServer
    let probe: ChildProcess
    private let pointer: Pointer
    private let printed: String
    private let middle: Point

    init(_ server: XServer, _ arguments: [String] = []) async throws {
      self.server = server
      printed = server.directory("printed")
      pointer = try Pointer(server)
      let program = try BuiltProducts.executable("xdnd-probe")
      let arguments = ["--json", "--timeout", "60", "--geometry", DragScene.targetGeometry] + arguments
      probe =
        arguments.contains { ["--print", "--exec"].contains($0) }
        ? try server.launch(
          "/bin/sh", ["-c", #"out=$1; shift; exec "$0" "$@" 2>&1 >"$out""#, program, printed] + arguments)
        : try server.launch(program, arguments)
      middle = try await DragScene.readyPoint(of: probe)
    }

    var text: String {
      FileManager.default.contents(atPath: printed).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Types a key while Control is held, with the pointer over the window.
    func control(_ key: String) throws {
      pointer.move(to: middle)
      try pointer.press(key: "Control_L")
      try pointer.tap(key: key)
      try pointer.release(key: "Control_L")
    }

    func click(_ point: Point) {
      pointer.move(to: point)
      pointer.press()
      pointer.release()
    }

    func tap(_ key: String) throws {
      pointer.move(to: middle)
      try pointer.tap(key: key)
    }

    func expectDocumentedEvents() throws {
      let documented = try DocumentedFields()
      for line in probe.output.text.split(separator: "\n") {
        #expect(documented.unknown(in: try #require(JSONLine(String(line)))) == [])
      }
    }
  }

  /// Starts a program that has copied something.
  private func copy(_ arguments: [String], on server: XServer) async throws -> ChildProcess {
    let source = try server.launchCopy(arguments)
    try await source.waitFor("copied")
    return source
  }

  @Test func `what is pasted is printed as if it had been dropped`() async throws {
    try await XServer.with { server in
      let source = try await copy(["--text", "Grüße"], on: server)
      let window = try await Window(server, ["--print", "text", "--once"])
      try window.control("v")
      #expect(try await window.probe.exit() == .exited(0))
      #expect(window.text == "Grüße\n")
      #expect(window.probe.printed("offered").map { $0.string("selection") } == ["clipboard"])
      #expect(window.probe.printed("pasted").map { $0.string("type") } == ["text/plain;charset=utf-8"])
      let ended = try #require(window.probe.printed("ended").first)
      #expect(ended.string("outcome") == "dropped" && ended.string("operation") == "copy")
      #expect(try await source.waitFor("sent").boolean("ok") == true)
      #expect(source.isRunning)
      try window.expectDocumentedEvents()
    }
  }

  @Test func `what is merely shown can be pasted as often as one likes`() async throws {
    try await XServer.with { server in
      let source = try await copy(["--text", "some text"], on: server)
      let window = try await Window(server, [])
      for _ in 0..<2 {
        try window.control("v")
        #expect(try await window.probe.waitFor("data").string("text") == "some text")
        #expect(try await window.probe.waitFor("ended").string("operation") == "copy")
      }
      #expect(source.isRunning)
    }
  }

  @Test func `text that is pasted is saved as a clipping, and Control and Z takes it back`() async throws {
    try await XServer.with { server in
      let source = try await copy(["--text", "Hello"], on: server)
      let directory = server.directory("saved")
      #expect(mkdir(directory, 0o700) == 0)
      let window = try await Window(server, ["--save", directory])
      try window.control("v")
      let path = try #require(try await window.probe.waitFor("saved").string("path"))
      try await window.probe.waitFor("ended")
      #expect(FileManager.default.contents(atPath: path) == Data("Hello".utf8))
      try window.control("z")
      #expect(try await window.probe.waitFor("undone").boolean("complete") == true)
      #expect(!FileManager.default.fileExists(atPath: path))
      #expect(source.isRunning)
      try window.expectDocumentedEvents()
    }
  }

  @Test func `files that are pasted are copied into the directory, and the originals stay`() async throws {
    try await XServer.with { server in
      let file = try server.directory.write("content".utf8, to: "note.txt")
      let source = try await copy([file], on: server)
      let directory = server.directory("saved")
      #expect(mkdir(directory, 0o700) == 0)
      let window = try await Window(server, ["--save", directory, "--once"])
      try window.control("v")
      #expect(try await window.probe.exit() == .exited(0))
      #expect(window.probe.printed("saved").map { $0.string("how") } == ["copy"])
      for path in [file, directory + "/note.txt"] {
        #expect(FileManager.default.contents(atPath: path) == Data("content".utf8))
      }
      #expect(source.isRunning)
    }
  }

  @Test func `a command runs with what is pasted`() async throws {
    try await XServer.with { server in
      let source = try await copy(["--text", "some text"], on: server)
      let window = try await Window(server, ["--exec", #"cat; printf " $XDND_ACTION""#, "--once"])
      try window.control("v")
      #expect(try await window.probe.exit() == .exited(0))
      #expect(window.text == "some text copy")
      #expect(window.probe.printed("exec-ended").map { $0.integer("status") } == [0])
      #expect(source.isRunning)
    }
  }

  @Test func `with --confirm a paste is asked about, too`() async throws {
    try await XServer.with { server in
      let source = try await copy(["--text", "some text"], on: server)
      let window = try await Window(server, ["--confirm", "--print", "text", "--count", "2"])
      try window.control("v")
      try await window.probe.waitFor("question")
      try window.tap("r")
      #expect(try await window.probe.waitFor("ended").string("outcome") == "refused")
      try window.control("v")
      try await window.probe.waitFor("question")
      try window.tap("a")
      #expect(try await window.probe.waitFor("ended").string("outcome") == "dropped")
      // The status is that of the drop that was refused.
      #expect(try await window.probe.exit() == .exited(1))
      #expect(window.text == "some text\n")
      #expect(source.isRunning)
    }
  }

  @Test func `an empty clipboard, and one with nothing that is accepted, are no drops`() async throws {
    try await XServer.with { server in
      let window = try await Window(server, ["--accept", "a/b", "--once"])
      try window.control("v")
      #expect(try await window.probe.waitFor("failed").string("reason") == "the clipboard is empty")
      let text = try await copy(["--text", "x"], on: server)
      try window.control("v")
      #expect(try await window.probe.waitFor("failed").string("reason") == "the source offers no accepted type")
      let source = try await copy(["--type", "a/b=content"], on: server)
      try window.control("v")
      #expect(try await window.probe.exit() == .exited(0))
      #expect(window.probe.printed("ended").count == 1)
      #expect(source.isRunning)
      try window.expectDocumentedEvents()
      withExtendedLifetime(text) {}
    }
  }

  @Test func `a program that no longer delivers what it has copied ends a paste as it does a drop`() async throws {
    try await XServer.with { server in
      let file = try server.directory.write([1], to: "file")
      let source = try await copy(["--type", "a/b=@\(file)"], on: server)
      let window = try await Window(server, ["--accept", "a/b", "--once"])
      #expect(unlink(file) == 0)
      try window.control("v")
      #expect(try await window.probe.exit() == .exited(1))
      #expect(window.probe.printed("ended").map { $0.string("outcome") } == ["refused"])
      #expect(source.isRunning)
    }
  }

  @Test(arguments: [false, true])
  func `a paste that takes long is shown with a button, which cancels it`(isSaved: Bool) async throws {
    try await XServer.with { server in
      let gate = try Gate(server.directory)
      let command = gate.command(before: "head -c 1000000 /dev/zero")
      let source = try await copy(["--type", "a/b=!\(command)"], on: server)
      let directory = server.directory("saved")
      #expect(mkdir(directory, 0o700) == 0)
      let target = isSaved ? ["--save", directory] : ["--output", directory + "/out"]
      let window = try await Window(server, ["--accept", "a/b", "--once"] + target)
      try window.control("v")
      let busy = try await window.probe.waitFor("busy")
      #expect(busy.string("words")?.hasPrefix(isSaved ? "saving" : "receiving") == true)
      #expect(busy.string("action") == "cancel")
      window.click(busy.point)
      #expect(try await window.probe.exit() == .exited(2))
      #expect(window.probe.printed("failed").map { $0.string("reason") } == ["cancelled by the user"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
      gate.open()
      withExtendedLifetime(source) {}
    }
  }

  @Test func `what was pasted and kept can be copied again, from here`() async throws {
    try await XServer.with { server in
      let source = try await copy(["--text", "kept"], on: server)
      let window = try await Window(server)
      try window.control("v")
      try await window.probe.waitFor("draggable")
      try window.control("c")
      let copied = try await window.probe.waitFor("copied")
      #expect(copied.string("selection") == "clipboard")
      #expect(copied.strings("types")?.contains("UTF8_STRING") == true)
      try await source.waitFor("released")
      let paste = try server.launchPaste([])
      #expect(try await paste.waitFor("data").string("text") == "kept")
      #expect(try await paste.exit() == .exited(0))
      // Also in the window that has copied it.
      try window.control("v")
      try await window.probe.waitFor("ended")
      #expect(window.probe.printed("data").map { $0.string("text") } == ["kept", "kept"])
      try window.expectDocumentedEvents()
    }
  }

  @Test func `a file that was copied from a row is pasted by file managers`() async throws {
    try await XServer.with { server in
      let file = try server.directory.write([1], to: "a file")
      let source = try await copy([file], on: server)
      let window = try await Window(server)
      try window.control("v")
      try await window.probe.waitFor("draggable")
      try window.control("c")
      let types = try #require(try await window.probe.waitFor("copied").strings("types"))
      #expect(types.contains("text/uri-list") && types.contains("x-special/gnome-copied-files"))
      let paste = try server.launchPaste([])
      #expect(try await paste.waitFor("data").objects("files")?.first?.string("path") == file)
      withExtendedLifetime(source) {}
    }
  }

  @Test(.requiresClipboardManager)
  func `what was copied outlives the window that is closed`() async throws {
    try await XServer.with { server in
      let manager = try await server.startClipboardManager()
      let source = try await copy(["--text", "stays"], on: server)
      let window = try await Window(server)
      try window.control("v")
      try await window.probe.waitFor("draggable")
      try window.control("c")
      try await window.probe.waitFor("copied")
      try window.tap("q")
      try await window.probe.waitFor("handed-over")
      #expect(try await window.probe.exit() == .exited(2))
      let paste = try server.launchPaste(["--accept", "text/plain", "--output", "-"])
      #expect(try await paste.exit() == .exited(0))
      #expect(paste.output.text == "stays")
      withExtendedLifetime((manager, source)) {}
    }
  }
}
