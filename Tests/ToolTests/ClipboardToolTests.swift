import Foundation
import Glibc
import TestSupport
import Testing

/// The tools without a window: `--clipboard` and `--primary`.
@Suite("Tools and the clipboard", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ClipboardToolTests {
  static let options = ["--clipboard", "--primary"]

  @Test(arguments: options)
  func `what one tool copies the other one pastes, as often as it likes`(_ option: String) async throws {
    try await XServer.with { server in
      let source = try server.launchTool(.source, [option, "--text", "Grüße"])
      let copied = try await source.waitFor("copied")
      #expect(copied.string("selection") == String(option.dropFirst(2)))
      #expect(
        copied.strings("types") == ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "TEXT", "STRING"])
      for _ in 0..<2 {
        let probe = try server.launchTool(.probe, [option])
        #expect(try await probe.waitFor("offered").strings("types") == copied.strings("types"))
        let data = try await probe.waitFor("data")
        #expect(data.string("type") == "text/plain;charset=utf-8")
        #expect(data.integer("bytes") == 7)
        #expect(try await probe.exit() == .exited(0))
        #expect(try await source.waitFor("sent").boolean("ok") == true)
      }
      let other = try server.launchTool(.probe, [option == "--primary" ? "--clipboard" : "--primary"])
      #expect(try await other.waitFor("failed").string("status") == "refused")
      #expect(try await other.exit() == .exited(1))
    }
  }

  @Test func `files and typed content are one item, and a file is written when all of it is there`() async throws {
    try await XServer.with { server in
      let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 5) }
      let file = try server.directory.write(bytes, to: "a file")
      let source = try server.launchCopy([file, "--type", "a/b=@\(file)"])
      let types = try await source.waitFor("copied").strings("types")
      #expect(types?.first == "text/uri-list")
      #expect(types?.contains("a/b") == true)
      let list = try server.launchPaste([])
      #expect(try await list.waitFor("data").objects("files")?.first?.string("path") == file)
      let output = server.directory("pasted")
      let probe = try server.launchPaste(["--accept", "a/*", "--output", output])
      let data = try await probe.waitFor("data")
      #expect(data.integer("bytes") == bytes.count)
      #expect(data.string("output") == output)
      #expect(try await probe.exit() == .exited(0))
      #expect(FileManager.default.contents(atPath: output).map(Array.init) == bytes)
    }
  }

  @Test(.requiresOpenbox) func `Control and C in the window copies the selected rows`() async throws {
    try await XServer.with(windowManager: .openbox) { server in
      let files = try ["one", "two", "three"].map { try server.directory.write($0.utf8, to: $0) }
      let source = try server.launchSource("300x400+60+60", files)
      let window = try #require(try await source.waitFor("ready").integer("window"))
      try await ActiveWindow(server).wait(for: window)
      let keys = try Pointer(server)
      func copy() async throws -> [String] {
        try keys.press(key: "Control_L")
        try keys.tap(key: "c")
        try keys.release(key: "Control_L")
        try await source.waitFor("copied")
        let probe = try server.launchPaste([])
        let data = try await probe.waitFor("data")
        #expect(try await probe.exit() == .exited(0))
        return data.objects("files")?.compactMap { $0.string("path") } ?? []
      }
      #expect(try await copy() == files)
      try keys.tap(key: "Down")
      try await source.waitFor("selection")
      #expect(try await copy() == [files[0]])
      try keys.tap(key: "q")
      #expect(try await source.exit() == .exited(2))
    }
  }

  @Test(.requiresOpenbox) func `keys with Caps Lock are the same keys`() async throws {
    try await XServer.with(windowManager: .openbox) { server in
      let file = try server.directory.write("one".utf8, to: "one")
      let source = try server.launchSource("300x400+60+60", [file])
      let window = try #require(try await source.waitFor("ready").integer("window"))
      try await ActiveWindow(server).wait(for: window)
      let keys = try Pointer(server)
      try keys.tap(key: "Caps_Lock")
      try keys.press(key: "Control_L")
      try keys.tap(key: "c")
      try keys.release(key: "Control_L")
      try await source.waitFor("copied")
      try keys.tap(key: "q")
      #expect(try await source.exit() == .exited(2))
    }
  }

  @Test func `with --once the source ends after a paste, with all of it there, and not after a look at the types`()
    async throws
  {
    try await XServer.with { server in
      let file = try server.directory.write([UInt8](repeating: 7, count: 5_000_000), to: "long")
      let source = try server.launchCopy(["--once", "--type", "a/b=@\(file)"])
      try await source.waitFor("copied")
      let look = try server.launchPaste(["--accept", "c/d"])
      #expect(try await look.exit() == .exited(1))
      #expect(source.isRunning)
      let probe = try server.launchPaste(["--accept", "a/b"])
      #expect(try await probe.waitFor("data").integer("bytes") == 5_000_000)
      #expect(try await source.exit() == .exited(0))
      #expect(source.printed("sent").count == 1)
    }
  }

  @Test func `another program that copies ends the source with 0`() async throws {
    try await XServer.with { server in
      let first = try server.launchCopy(["--text", "first"])
      try await first.waitFor("copied")
      let second = try server.launchCopy(["--text", "second"])
      try await first.waitFor("released")
      #expect(try await first.exit() == .exited(0))
      #expect(second.isRunning)
    }
  }

  @Test func `content that is replaced in the middle of a paste arrives whole, and then its source ends`()
    async throws
  {
    try await XServer.with { server in
      let gate = try Gate(server.directory)
      let command = gate.command(before: "head -c 1000000 /dev/zero", then: "printf end")
      let first = try server.launchCopy(["--type", "a/b=!\(command)"])
      try await first.waitFor("copied")
      let probe = try server.launchPaste(["--accept", "a/b"])
      try await first.waitForCommand()
      let second = try server.launchCopy(["--text", "second"])
      try await second.waitFor("copied")
      gate.open()
      #expect(try await probe.waitFor("data").integer("bytes") == 1_000_003)
      #expect(try await probe.exit() == .exited(0))
      #expect(try await first.waitFor("sent").boolean("ok") == true)
      try await first.waitFor("released")
      #expect(try await first.exit() == .exited(0))
      #expect(second.isRunning)
    }
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `without a clipboard manager a signal is 2, and says why the content is gone`(_ signal: Int32) async throws {
    try await XServer.with { server in
      let source = try server.launchCopy(["--text", "x"])
      try await source.waitFor("copied")
      source.send(signal)
      #expect(try await source.waitFor("not-handed-over").string("reason") == "no-manager")
      #expect(try await source.exit() == .exited(2))
    }
  }

  @Test(arguments: options)
  func `when the time is over that is 4`(_ option: String) async throws {
    try await XServer.with { server in
      let source = try server.launchTool(.source, [option, "--timeout", "0.2", "--text", "x"])
      try await source.waitFor("timed-out")
      let reason = option == "--primary" ? "nothing-to-hand-over" : "no-manager"
      #expect(try await source.waitFor("not-handed-over").string("reason") == reason)
      #expect(try await source.exit() == .exited(4))
    }
  }

  @Test(.requiresClipboardManager)
  func `with a clipboard manager both are 0, and the content stays`() async throws {
    try await XServer.with { server in
      let manager = try await server.startClipboardManager()
      let source = try server.launchCopy(["--timeout", "0.2", "--text", "stays"])
      try await source.waitFor("handed-over")
      #expect(try await source.exit() == .exited(0))
      let probe = try server.launchPaste(["--accept", "text/plain", "--output", "-"])
      #expect(try await probe.exit() == .exited(0))
      #expect(probe.output.text == "stays")
      #expect(manager.isRunning)
    }
  }

  @Test func `an empty clipboard, a type that is not there, and a file that cannot be read are 1`() async throws {
    try await XServer.with { server in
      let empty = try server.launchPaste([])
      #expect(try await empty.waitFor("failed").string("reason") == "the clipboard is empty")
      #expect(try await empty.exit() == .exited(1))
      let file = try server.directory.write([1], to: "file")
      let source = try server.launchCopy(["--type", "a/b=@\(file)"])
      try await source.waitFor("copied")
      let other = try server.launchPaste(["--accept", "image/*"])
      #expect(try await other.waitFor("failed").string("reason") == "the source offers no accepted type")
      #expect(try await other.exit() == .exited(1))
      #expect(unlink(file) == 0)
      let gone = try server.launchPaste(["--output", server.directory("out")])
      #expect(try await gone.exit() == .exited(1))
      #expect(try await source.waitFor("sent").boolean("ok") == false)
      #expect(access(server.directory("out"), F_OK) != 0)
    }
  }

  @Test func `a source that dies in the middle of a paste is 5, and a lost server is 74`() async throws {
    try await XServer.with { server in
      let path = server.directory("big")
      try #require(FileManager.default.createFile(atPath: path, contents: nil))
      #expect(truncate(path, 4 << 30) == 0)
      let source = try server.launchCopy(["--type", "a/b=@\(path)"])
      try await source.waitFor("copied")
      let probe = try server.launchPaste(["--output", server.directory("out")])
      try await probe.waitFor("progress")
      source.send(SIGKILL)
      #expect(try await probe.exit() == .exited(5))
      #expect(access(server.directory("out"), F_OK) != 0)
      let next = try server.launchCopy(["--text", "x"])
      try await next.waitFor("copied")
      try await server.kill()
      try await next.waitFor("server-lost")
      #expect(try await next.exit() == .exited(74))
    }
  }

  @Test(arguments: Tool.allCases)
  func `there is one clipboard at a time`(_ tool: Tool) async throws {
    let content = tool == .source ? ["--text", "x"] : []
    let result = try await tool.run(["--clipboard", "--primary"] + content)
    #expect(result.status == .exited(64))
    #expect(result.output == "")
    #expect(result.errors.split(separator: "\n").count == 1)
  }
}
