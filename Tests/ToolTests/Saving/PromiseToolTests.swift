import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// `xdnd-source --save-as` and `--promise`: files that are written where they are dropped, and not before.
@Suite("Files that xdnd-source promises", .serialized, .requiresXvfb, .timeLimit(.minutes(3)))
struct PromiseToolTests {
  struct Case: CustomTestStringConvertible {
    let arguments: [String]
    let name: String
    /// What is in the file.
    let content: String

    init(_ arguments: [String], _ name: String, _ content: String) {
      (self.arguments, self.name, self.content) = (arguments, name, content)
    }

    var testDescription: String { arguments.joined(separator: " ") }
  }

  static let cases = [
    Case(["--save-as", "a note.txt", "--text", "Grüße"], "a note.txt", "Grüße"),
    Case(["--save-as", "page.html", "--html", "<b>x</b>"], "page.html", "<b>x</b>"),
    Case(["--save-as", "x.desktop", "--uri", "https://example.org/ Title"], "x.desktop", "URL=https://example.org/"),
    Case(["--save-as", "x.URL", "--uri", "https://example.org/ Title"], "x.URL", "[InternetShortcut]"),
    Case(["--save-as", "sky.gpl", "--color", "#3584e4"], "sky.gpl", "53 132 228"),
    Case(["--save-as", "x.bin", "--type", "a/b=text"], "x.bin", "text"),
    Case(["--save-as", "x.bin", "--type", "a/b=@FILE"], "x.bin", "in the file"),
    Case(["--save-as", "x.bin", "--type", "a/b=!printf made; exit 0"], "x.bin", "made"),
    Case(["--save-as", "new name.txt", "FILE"], "new name.txt", "in the file"),
    Case(["--promise", "FILE"], "original.txt", "in the file"),
    // Without a name it follows from the content.
    Case(["--text", "First line\nsecond"], "First line.txt", "First line\nsecond"),
  ]

  @Test(arguments: cases)
  func `the file is written where it is dropped, under its name`(_ test: Case) async throws {
    try await XServer.with { server in
      let file = try server.directory.write("in the file".utf8, to: "original.txt")
      let scene = try await SavingScene.set(
        on: server, source: test.arguments.map { $0.replacingOccurrences(of: "FILE", with: file) })
      let ends = try await scene.dragAndDrop()
      #expect(ends == (.exited(0), .exited(0)), scene.report)
      #expect(scene.entries == [test.name], scene.report)
      let content = try #require(scene.content(test.name))
      #expect(content.split(separator: "\n").contains { $0.contains(test.content.split(separator: "\n")[0]) })
      let saved = try #require(scene.source.printed("saved").first, scene.report)
      #expect(saved.string("path")?.hasPrefix(scene.directory + "/.xdnd-") == true)
      #expect(saved.string("path")?.hasSuffix("/" + test.name) == true)
      #expect(saved.integer("bytes") == content.utf8.count)
      let arrived = try #require(scene.probe.printed("saved").first)
      #expect(arrived.string("how") == "direct-save")
      #expect(arrived.string("path") == scene.directory + "/" + test.name)
      #expect(scene.source.printed("not-saved").isEmpty)
      #expect(FileManager.default.contents(atPath: file) == Data("in the file".utf8))
    }
  }

  // MARK: Failures

  @Test(arguments: ["false", "printf half; exit 3", "kill -9 $$"])
  func `a command that fails is 6, and nothing is left`(_ command: String) async throws {
    try await XServer.with { server in
      let scene = try await SavingScene.set(
        on: server, source: ["--save-as", "x.bin", "--type", "a/b=!\(command)"])
      let ends = try await scene.dragAndDrop()
      #expect(ends == (.exited(6), .exited(6)), scene.report)
      #expect(scene.entries == [])
      #expect(scene.source.printed("not-saved").first?.string("reason")?.isEmpty == false, scene.report)
      #expect(scene.source.printed("saved").isEmpty)
      #expect(scene.probe.printed("failed").map { $0.string("status") } == ["transfer-failed"], scene.report)
    }
  }

  enum Loss: CaseIterable { case removed, replacedByPipe }

  @Test(arguments: Loss.allCases)
  func `a file that cannot be read any more at the drop is 6`(_ loss: Loss) async throws {
    try await XServer.with { server in
      let file = try server.directory.write("x".utf8, to: "original.bin")
      let scene = try await SavingScene.set(on: server, source: ["--promise", file])
      try await scene.carryUntilAccepted()
      #expect(unlink(file) == 0)
      if loss == .replacedByPipe { #expect(mkfifo(file, 0o600) == 0) }
      scene.drop()
      #expect(try await scene.ends() == (.exited(6), .exited(6)), scene.report)
      #expect(scene.entries == [])
      let reason = scene.source.printed("not-saved").first?.string("reason")
      #expect(reason?.contains("cannot read '\(file)'") == true, scene.report)
    }
  }

  @Test(.enabled(if: getuid() != 0, "root may read everything"))
  func `a file that nobody may read is 64`() async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write([], to: "secret")
    #expect(chmod(file, 0) == 0)
    let run = try await Tool.source.run(["--promise", file])
    #expect(run.status == .exited(64))
    #expect(run.errors == "xdnd-source: cannot read '\(file)': Permission denied\n")
  }

  // MARK: Commands that take long

  @Test(arguments: [true, false])
  func `a command that takes long is waited for, and its end counts for both`(isWell: Bool)
    async throws
  {
    try await XServer.with { server in
      let gate = try Gate(server.directory)
      let command = gate.command(before: "printf begin", then: isWell ? "printf end" : "exit 1")
      let scene = try await SavingScene.set(on: server, source: ["--save-as", "x.bin", "--type", "a/b=!\(command)"])
      try await scene.carryUntilAccepted()
      scene.drop()
      try await scene.source.waitForCommand()
      try await scene.source.waitFor("busy")
      #expect(scene.source.printed("sent").isEmpty && scene.probe.printed("saved").isEmpty)
      gate.open()
      let ends = try await scene.ends()
      if isWell {
        #expect(ends == (.exited(0), .exited(0)), scene.report)
        #expect(scene.content("x.bin") == "beginend")
        #expect(scene.source.printed("saved").count == 1)
      } else {
        #expect(ends == (.exited(6), .exited(6)), scene.report)
        #expect(scene.entries == [])
        #expect(scene.source.printed("not-saved").count == 1, scene.report)
      }
    }
  }

  @Test func `nothing is run before the drop, and nothing if there is none`() async throws {
    try await XServer.with { server in
      let mark = server.directory("mark")
      let scene = try await SavingScene.set(
        on: server, source: ["--save-as", "x.bin", "--type", "a/b=!touch '\(mark)'; printf x"])
      try await scene.carryUntilAccepted()
      #expect(access(mark, F_OK) != 0)
      try scene.scene.pointer.tap(key: "Escape")
      #expect(try await scene.source.exit() == .exited(2), scene.report)
      #expect(access(mark, F_OK) != 0)
      #expect(scene.entries == [])
    }
  }

  // MARK: Several

  @Test func `several files and directories are copied out of the container, links as links`() async throws {
    try await XServer.with { server in
      let tree = server.directory("tree")
      #expect(mkdir(tree, 0o700) == 0 && mkdir(tree + "/sub", 0o700) == 0)
      _ = try server.directory.write("inner".utf8, to: "tree/sub/inner.txt")
      #expect(symlink("sub/inner.txt", tree + "/link") == 0 && symlink("/nowhere", tree + "/broken") == 0)
      let file = try server.directory.write("outer".utf8, to: "outer.txt")
      let scene = try await SavingScene.set(on: server, source: ["--promise", file, tree])
      try await scene.scene.pointer.drag(
        along: [scene.scene.heading, scene.scene.end])
      try await scene.source.waitFor("proposal") { $0.string("operation") != nil }
      scene.drop()
      #expect(try await scene.ends() == (.exited(0), .exited(0)), scene.report)
      #expect(scene.entries == ["outer.txt", "tree"], scene.report)
      #expect(scene.content("outer.txt") == "outer")
      #expect(scene.content("tree/sub/inner.txt") == "inner")
      let manager = FileManager.default
      #expect(try manager.destinationOfSymbolicLink(atPath: scene.directory + "/tree/link") == "sub/inner.txt")
      #expect(try manager.destinationOfSymbolicLink(atPath: scene.directory + "/tree/broken") == "/nowhere")
      #expect(try manager.contentsOfDirectory(atPath: tree).sorted() == ["broken", "link", "sub"])
    }
  }

  @Test func `one of several files that vanishes fails the drop`() async throws {
    try await XServer.with { server in
      let files = try ["a.bin", "b.bin"].map { try server.directory.write("x".utf8, to: $0) }
      let scene = try await SavingScene.set(on: server, source: ["--promise"] + files)
      try await scene.scene.pointer.drag(
        along: [scene.scene.heading, scene.scene.end])
      try await scene.source.waitFor("proposal") { $0.string("operation") != nil }
      #expect(unlink(files[1]) == 0)
      scene.drop()
      #expect(try await scene.ends() == (.exited(6), .exited(1)), scene.report)
      #expect(scene.source.printed("not-saved").count == 1, scene.report)
      #expect(scene.entries == [])
      #expect(FileManager.default.contents(atPath: files[0]) == Data("x".utf8))
    }
  }

  // MARK: Arguments

  static let mistakes: [(arguments: [String], sentence: String)] = [
    (["--promise"], "nothing to drag: give file names, or use --text, --html, --uri, --color or --type"),
    (["--promise", "--text", "x"], "--promise needs at least one file"),
    (["--promise", "/missing"], "cannot read '/missing': No such file or directory"),
    (["--save-as", "x"], "nothing to drag: give file names, or use --text, --html, --uri, --color or --type"),
    (["--save-as"], "Missing value for '--save-as <name>'"),
    (["--save-as", "x", "/etc", "/usr"], "--save-as needs exactly one item to drag"),
    (["--save-as", "x", "--text", "y", "/etc"], "--save-as needs exactly one item to drag"),
    (
      ["--save-as", "x", "--text", "y", "--clipboard"],
      "--save-as and --promise cannot be used with --clipboard or --primary"
    ),
    (
      ["--promise", "/etc/passwd", "--primary"],
      "--save-as and --promise cannot be used with --clipboard or --primary"
    ),
  ]

  @Test(arguments: mistakes)
  func `mistakes are one line`(_ arguments: [String], _ sentence: String) async throws {
    let run = try await Tool.source.run(arguments)
    #expect(run.status == .exited(64))
    #expect(run.output == "")
    #expect(run.errors == "xdnd-source: \(sentence)\n")
  }

  @Test(arguments: [
    "", ".", "..", "a/b", "/etc/passwd", ".hidden", "a\nb", "a\u{202E}txt", " x", String(repeating: "x", count: 256),
  ])
  func `a name that leads elsewhere or misleads is no name`(_ name: String) async throws {
    let run = try await Tool.source.run(["--text", "x", "--save-as=\(name)"])
    #expect(run.status == .exited(64))
    #expect(run.errors.hasSuffix("is not a valid file name\n"))
    #expect(run.errors.split(separator: "\n").count == 1)
  }

  @Test func `a promised file that is saved in a relative directory can be copied on from there`() async throws {
    try await XServer.with { server in
      let directory = server.directory("saved")
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
      let program = try BuiltProducts.executable("xdnd-probe")
      let probe = try server.launch(
        "/bin/sh",
        [
          "-c", #"cd "$1"; shift; exec "$0" "$@""#, program, (directory as NSString).deletingLastPathComponent,
          "--json",
          "--geometry", DragScene.targetGeometry, "--save", "saved",
        ])
      let window = try #require(try await probe.waitFor("ready").integer("window"))
      let source = try server.launchBareSource(["--to", "\(window)", "--save-as", "a.csv", "--type", "text/csv=1,2"])
      #expect(try await source.exit() == .exited(0))
      try await probe.waitFor("ended")
      let pointer = try Pointer(server)
      pointer.move(to: DragScene.target)
      try pointer.press(key: "Control_L")
      try pointer.tap(key: "c")
      try pointer.release(key: "Control_L")
      try await probe.waitFor("copied")
      let reader = try server.launch(program, ["--clipboard", "--print", "paths"])
      #expect(try await reader.exit() == .exited(0))
      #expect(reader.output.text == directory + "/a.csv\n")
    }
  }
}
