import Foundation
import TestSupport
import Testing

@testable import XDnD

/// What happens in the window of `xdnd-probe --save` when a name is taken, and how it is taken back.
@Suite("Taken names, and taking back", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct SavedFileConflictTests {
  /// A source with a file `note.txt`, and a probe with a directory where there may be another.
  private struct Scene {
    let drag: DragScene
    let directory: String
    let file: String

    var probe: ChildProcess { drag.target }

    /// What is in a directory: names and content.
    static func contents(of directory: String) throws -> [String: String] {
      var result: [String: String] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
        let path = "\(directory)/\(name)"
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
        result[name] =
          target.map { "-> \($0)" }
          ?? FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? "directory"
      }
      return result
    }

    var saved: [String: String] { get throws { try Self.contents(of: directory) } }

    /// What is in the trash of the user.
    func trash(_ server: XServer) throws -> [String: String] {
      let path = "\(server.directory("home"))/.local/share/Trash/files"
      return FileManager.default.fileExists(atPath: path) ? try Self.contents(of: path) : [:]
    }

    /// Control+Z, with the pointer over the window.
    func undo() async throws -> JSONLine {
      drag.pointer.move(to: drag.end)
      try drag.pointer.press(key: "Control_L")
      try drag.pointer.tap(key: "z")
      try drag.pointer.release(key: "Control_L")
      return try await probe.waitFor("undone")
    }

    /// Control+Shift+Z, with the pointer over the window.
    func pressRedo() throws {
      drag.pointer.move(to: drag.end)
      for key in ["Control_L", "Shift_L"] { try drag.pointer.press(key: key) }
      try drag.pointer.tap(key: "z")
      for key in ["Shift_L", "Control_L"] { try drag.pointer.release(key: key) }
    }

    func redo() async throws -> JSONLine {
      try pressRedo()
      return try await probe.waitFor("redone")
    }

    /// Drops everything, with keys held down.
    func drop(holding keys: [String] = []) async throws {
      try await drag.carry()
      try await drag.source.waitFor("drag-began")
      for key in keys { try drag.pointer.press(key: key) }
      try await drag.pointer.hover { [source = drag.source, count = keys.count] in
        try await source.waitFor("proposal") {
          $0.string("operation") == ["copy", "move", "link"][count == 1 ? 1 : count == 2 ? 2 : 0]
        }
      }
      drag.pointer.release()
      for key in keys { try drag.pointer.release(key: key) }
    }

    /// Drops, and presses the key that closes the window. The window asks whether to lose the undoing.
    func dropAndAskToClose() async throws {
      try await drop()
      try await probe.waitFor("ended")
      drag.pointer.move(to: drag.end)
      try drag.pointer.tap(key: "q")
      try await probe.waitFor("question")
    }
  }

  private func scene(
    existing: [String: String] = ["note.txt": "old"], probe: [String] = [], source: [String]? = nil,
    others: [String] = [],
    _ body: (Scene, XServer) async throws -> Void
  ) async throws {
    try await XServer.with { server in
      for name in ["saved", "from"] {
        try FileManager.default.createDirectory(
          atPath: server.directory(name), withIntermediateDirectories: false)
      }
      for (name, text) in existing { _ = try server.directory.write(text.utf8, to: "saved/\(name)") }
      let file = try server.directory.write("new".utf8, to: "from/note.txt")
      let more = try others.map { try server.directory.write("new".utf8, to: "from/\($0)") }
      let directory = server.directory("saved")
      let drag = try await DragScene.tools(
        on: server, source: ["--action", "copy,move,link"] + (source ?? [file] + more),
        probe: ["--save", directory] + probe)
      try await body(Scene(drag: drag, directory: directory, file: file), server)
    }
  }

  struct Answer: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let keys: [String]
    let label: String

    static let all = [
      Answer(testDescription: "K keeps both", keys: ["k"], label: "Keep Both"),
      Answer(testDescription: "Return keeps both", keys: ["Return"], label: "Keep Both"),
      Answer(testDescription: "R replaces", keys: ["r"], label: "Replace"),
      Answer(testDescription: "Tab and Space replace", keys: ["Tab", "space"], label: "Replace"),
      Answer(testDescription: "S skips", keys: ["s"], label: "Skip"),
      Answer(testDescription: "Escape skips", keys: ["Escape"], label: "Skip"),
    ]
  }

  /// What each answer leaves in the directory, and in the trash.
  private func expect(_ label: String, _ scene: Scene, _ server: XServer) async throws {
    #expect(try await scene.probe.waitFor("answer").string("answer") == label)
    let line = try await scene.probe.waitForLine { ["saved", "not-saved"].contains(JSONLine($0)?.event) }
    #expect(JSONLine(line)?.event == (label == "Skip" ? "not-saved" : "saved"))
    switch label {
    case "Keep Both":
      #expect(try scene.saved == ["note.txt": "old", "note 2.txt": "new"])
      #expect(try scene.trash(server) == [:])
    case "Replace":
      #expect(try scene.saved == ["note.txt": "new"])
      #expect(try scene.trash(server) == ["note.txt": "old"])
    default:
      #expect(try scene.saved == ["note.txt": "old"])
      #expect(try scene.trash(server) == [:])
    }
    #expect(FileManager.default.contents(atPath: scene.file) == Data("new".utf8))
  }

  @Test func `a drop that waits for an answer is copied only then, and the source hears it then`() async throws {
    try await XServer.with { server in
      let saved = server.directory("saved")
      try FileManager.default.createDirectory(atPath: saved, withIntermediateDirectories: false)
      _ = try server.directory.write("old".utf8, to: "saved/note.txt")
      let file = try server.directory.write("new".utf8, to: "note.txt")
      let probe = try server.launch(
        BuiltProducts.executable("xdnd-probe"), ["--geometry", DragScene.targetGeometry, "--save", saved])
      try await probe.waitForLine { $0 == "Ready: drop on the window." }
      let source = try server.launch(BuiltProducts.executable("xdnd-source"), ["--to", "xdnd-probe", file])
      try await probe.waitForLine { $0 == #""note.txt" already exists here. (Keep Both, Replace, Skip)"# }
      #expect(!probe.output.text.contains("Copied") && !source.output.text.contains("Copied"))
      #expect(source.isRunning)
      let pointer = try Pointer(server)
      pointer.move(to: DragScene.target)
      try pointer.tap(key: "k")
      try await probe.waitForLine { $0.hasPrefix("Copied to ") }
      #expect(try await source.exit() == .exited(0))
    }
  }

  @Test(arguments: Answer.all)
  func `a question about a taken name is answered by the keyboard:`(_ answer: Answer) async throws {
    try await scene { scene, server in
      try await scene.drop()
      let question = try await scene.probe.waitFor("question")
      #expect(question.string("question") == #""note.txt" already exists here."#)
      #expect(question.strings("answers") == ["Keep Both", "Replace", "Skip"])
      let details = try #require(question.strings("details"))
      #expect(details.count == 2)
      #expect(details[0].wholeMatch(of: /Existing: 3 B, \d{4}-\d\d-\d\d \d\d:\d\d/) != nil)
      #expect(details[1].wholeMatch(of: /New: 3 B, \d{4}-\d\d-\d\d \d\d:\d\d/) != nil)
      // No other file is to come.
      #expect(question.string("option") == nil)
      #expect(try DocumentedFields().unknown(in: question) == [])
      #expect(try scene.saved == ["note.txt": "old"])
      // The source waits with the user.
      #expect(scene.drag.source.printed("ended").isEmpty)
      scene.drag.pointer.move(to: scene.drag.end)
      for key in answer.keys { try scene.drag.pointer.tap(key: key) }
      try await expect(answer.label, scene, server)
      let outcome = try await scene.drag.source.waitFor("ended").string("outcome")
      #expect(outcome == (answer.label == "Skip" ? "delivered" : "dropped"))
    }
  }

  @Test(arguments: [0, 1, 2])
  func `a question about a taken name is answered by a button`(_ index: Int) async throws {
    try await scene { scene, server in
      try await scene.drop()
      let question = try await scene.probe.waitFor("question")
      let buttons = question.buttons(in: DragScene.targetFrame)
      try #require(buttons.count == 3)
      scene.drag.pointer.move(to: buttons[index])
      scene.drag.pointer.press()
      scene.drag.pointer.release()
      try await expect(["Keep Both", "Replace", "Skip"][index], scene, server)
    }
  }

  @Test(arguments: ["keys", "pointer"])
  func `Apply to All answers for all files`(_ hand: String) async throws {
    let names = ["note.txt", "b", "c"]
    let old = Dictionary(uniqueKeysWithValues: names.map { ($0, "old") })
    try await scene(existing: old, others: ["b", "c"]) { scene, server in
      try await scene.drag.dragAndDropEverything()
      let question = try await scene.probe.waitFor("question")
      #expect(question.string("option") == "Apply to All")
      // On a busy machine the row has said before that the list is fetched.
      if scene.probe.printed("busy").isEmpty {
        #expect(try await scene.probe.waitFor("busy").string("words") == "waiting for your choice")
      }
      #expect(try DocumentedFields().unknown(in: question) == [])
      if hand == "keys" {
        scene.drag.pointer.move(to: scene.drag.end)
        for key in ["a", "r"] { try scene.drag.pointer.tap(key: key) }
      } else {
        let buttons = question.buttons(in: DragScene.targetFrame)
        try #require(buttons.count == 4)
        for button in [3, 1] {
          scene.drag.pointer.move(to: buttons[button])
          scene.drag.pointer.press()
          scene.drag.pointer.release()
        }
      }
      let answer = try await scene.probe.waitFor("answer")
      #expect(answer.string("answer") == "Replace" && answer.string("option") == "Apply to All")
      #expect(try DocumentedFields().unknown(in: answer) == [])
      for _ in names { try await scene.probe.waitFor("saved") }
      #expect(scene.probe.printed("question").count == 1)
      #expect(try scene.saved == Dictionary(uniqueKeysWithValues: names.map { ($0, "new") }))
    }
  }

  @Test(arguments: ["keep-both", "replace", "skip"])
  func `--existing decides without a question`(_ policy: String) async throws {
    try await scene(probe: ["--existing", policy, "--once"]) { scene, server in
      try await scene.drop()
      #expect(try await scene.probe.exit() == .exited(0))
      #expect(scene.probe.printed("question").isEmpty)
      let expected: [String: [String: String]] = [
        "keep-both": ["note.txt": "old", "note 2.txt": "new"], "replace": ["note.txt": "new"],
        "skip": ["note.txt": "old"],
      ]
      #expect(try scene.saved == expected[policy])
      #expect(try scene.trash(server) == (policy == "replace" ? ["note.txt": "old"] : [:]))
      #expect(scene.probe.printed("saved").count == (policy == "skip" ? 0 : 1))
      #expect(scene.probe.printed("not-saved").count == (policy == "skip" ? 1 : 0))
    }
  }

  @Test func `a file that is moved over another is asked about, and then moved`() async throws {
    try await scene { scene, server in
      try await scene.drop(holding: ["Shift_L"])
      try await scene.probe.waitFor("question")
      // Whether it will be moved is not known yet, so the source must not think so.
      #expect(scene.drag.source.printed("ended").isEmpty)
      scene.drag.pointer.move(to: scene.drag.end)
      try scene.drag.pointer.tap(key: "r")
      let saved = try await scene.probe.waitFor("saved")
      #expect(saved.string("how") == "move" && saved.string("replaced") != nil)
      #expect(try scene.saved == ["note.txt": "new"])
      #expect(try scene.trash(server) == ["note.txt": "old"])
      #expect(!FileManager.default.fileExists(atPath: scene.file))
      #expect(try await scene.drag.source.waitFor("ended").string("operation") == "move")
      #expect(try await scene.undo().boolean("complete") == true)
      #expect(try scene.saved == ["note.txt": "old"])
      #expect(FileManager.default.contents(atPath: scene.file) == Data("new".utf8))
      #expect(try scene.trash(server) == [:])
    }
  }

  @Test func `of files that were moved in part, only the others can be dragged again`() async throws {
    try await scene(others: ["b"]) { scene, _ in
      func drop(moving: Bool) async throws {
        try await scene.drag.pointer.drag(along: [scene.drag.heading, scene.drag.end])
        try await scene.drag.source.waitFor("drag-began")
        if moving { try scene.drag.pointer.press(key: "Shift_L") }
        try await scene.drag.pointer.hover { [source = scene.drag.source] in
          try await source.waitFor("proposal") { $0.string("operation") == (moving ? "move" : "copy") }
        }
        scene.drag.pointer.release()
        if moving { try scene.drag.pointer.release(key: "Shift_L") }
        try await scene.probe.waitFor("question")
        try scene.drag.pointer.tap(key: "s")
        try await scene.drag.source.waitFor("ended")
      }
      try await drop(moving: true)
      #expect(try scene.saved == ["note.txt": "old", "b": "new"])
      #expect(scene.drag.source.printed("ended").last?.string("operation") == "copy")
      try await drop(moving: false)
      // The file that is gone was not offered again.
      #expect(!scene.probe.output.text.contains("No such file"), "\(scene.probe.output.text)")
      #expect(scene.probe.printed("question").count == 2)
    }
  }

  @Test(arguments: [([], "copy"), (["Shift_L"], "move"), (["Control_L", "Shift_L"], "link")])
  func `Control and Z takes back what was done with a file`(_ keys: [String], _ how: String) async throws {
    try await scene(existing: [:]) { scene, server in
      try await scene.drop(holding: keys)
      #expect(try await scene.probe.waitFor("saved").string("how") == how)
      #expect(try scene.saved == ["note.txt": how == "link" ? "-> \(scene.file)" : "new"])
      #expect(FileManager.default.fileExists(atPath: scene.file) == (how != "move"))
      try await scene.probe.waitFor("ended")
      #expect(try await scene.undo().boolean("complete") == true)
      #expect(try scene.saved == [:])
      #expect(FileManager.default.contents(atPath: scene.file) == Data("new".utf8))
      #expect(try scene.trash(server).keys.sorted() == (how == "move" ? [] : ["note.txt"]))
    }
  }

  @Test(arguments: [([], "copy"), (["Shift_L"], "move"), (["Control_L", "Shift_L"], "link")])
  func `Control, Shift and Z does again what was taken back`(_ keys: [String], _ how: String) async throws {
    try await scene(existing: [:]) { scene, server in
      try await scene.drop(holding: keys)
      try await scene.probe.waitFor("ended")
      let saved = try scene.saved
      for _ in 0..<2 {
        #expect(try await scene.undo().boolean("complete") == true)
        #expect(try scene.saved == [:])
        #expect(FileManager.default.contents(atPath: scene.file) == Data("new".utf8))
        #expect(try await scene.redo().boolean("complete") == true)
        #expect(try scene.saved == saved)
        #expect(FileManager.default.fileExists(atPath: scene.file) == (how != "move"))
        #expect(try scene.trash(server) == [:])
      }
    }
  }

  @Test func `what was replaced is replaced again, and comes back again`() async throws {
    try await scene(probe: ["--existing", "replace"]) { scene, server in
      try await scene.drop()
      try await scene.probe.waitFor("ended")
      #expect(try await scene.undo().boolean("complete") == true)
      #expect(try scene.saved == ["note.txt": "old"])
      #expect(try await scene.redo().boolean("complete") == true)
      #expect(try scene.saved == ["note.txt": "new"])
      #expect(try scene.trash(server) == ["note.txt": "old"])
      #expect(try await scene.undo().boolean("complete") == true)
      #expect(try scene.saved == ["note.txt": "old"])
    }
  }

  @Test func `what was taken back is not done again once something else was saved`() async throws {
    try await scene(existing: [:]) { scene, server in
      try await scene.drop()
      try await scene.probe.waitFor("ended")
      #expect(try await scene.undo().boolean("complete") == true)
      try await scene.drop()
      try await scene.probe.waitFor("ended")
      try scene.pressRedo()
      #expect(try await scene.undo().boolean("complete") == true)
      #expect(try scene.saved == [:])
      #expect(scene.probe.printed("redone").isEmpty)
    }
  }

  @Test func `a window whose last drop can be undone asks before a key closes it`() async throws {
    try await scene(existing: [:]) { scene, server in
      try await scene.dropAndAskToClose()
      try scene.drag.pointer.tap(key: "k")
      #expect(try await scene.probe.waitFor("answer").string("answer") == "Keep Open")
      #expect(try await scene.undo().boolean("complete") == true)
      // Nothing is lost any more.
      try scene.drag.pointer.tap(key: "q")
      #expect(try await scene.probe.exit() == .exited(2))
      #expect(scene.probe.printed("question").count == 1)
    }
  }

  @Test func `a drop that ends meanwhile leaves the question what closing would lose`() async throws {
    try await scene(existing: [:]) { scene, server in
      try await scene.dropAndAskToClose()
      // The next drop must not find its name taken: it would ask, too.
      try FileManager.default.removeItem(atPath: "\(scene.directory)/note.txt")
      try await scene.drop()
      try await scene.probe.waitFor("ended")
      scene.drag.pointer.move(to: scene.drag.end)
      try scene.drag.pointer.tap(key: "k")
      #expect(try await scene.probe.waitFor("answer").string("answer") == "Keep Open")
    }
  }

  @Test(arguments: ["clipping", "direct-save"])
  func `Control and Z takes back a`(_ how: String) async throws {
    let probe = how == "clipping" ? ["--accept", "text/plain"] : []
    try await scene(existing: [:], probe: probe, source: ["--text", "Hello"]) { scene, server in
      try await scene.drop()
      #expect(try await scene.probe.waitFor("saved").string("how") == how)
      #expect(try scene.saved == ["Hello.txt": "Hello"])
      try await scene.probe.waitFor("ended")
      #expect(try await scene.undo().boolean("complete") == true)
      #expect(try scene.saved == [:])
      #expect(try scene.trash(server) == ["Hello.txt": "Hello"])
    }
  }

  @Test func `what was changed since is not taken back`() async throws {
    try await scene(existing: [:]) { scene, server in
      try await scene.drop()
      try await scene.probe.waitFor("ended")
      _ = try server.directory.write("changed".utf8, to: "saved/note.txt")
      #expect(try await scene.undo().boolean("complete") == false)
      #expect(try scene.saved == ["note.txt": "changed"])
      #expect(scene.probe.printed("not-saved").count == 1)
    }
  }

  /// A link in the place of the directory leads neither files nor their removal elsewhere.
  @Test func `the directory stays the same one when a link takes its place`() async throws {
    try await scene(existing: [:]) { scene, server in
      let (moved, other) = (server.directory("moved"), server.directory("other"))
      try FileManager.default.moveItem(atPath: scene.directory, toPath: moved)
      try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
      _ = try server.directory.write("untouched".utf8, to: "other/note.txt")
      try FileManager.default.createSymbolicLink(atPath: scene.directory, withDestinationPath: other)
      try await scene.drop()
      #expect(try await scene.probe.waitFor("saved").string("path") == "\(moved)/note.txt")
      try await scene.probe.waitFor("ended")
      #expect(try Scene.contents(of: moved) == ["note.txt": "new"])
      #expect(try await scene.undo().boolean("complete") == true)
      #expect(try Scene.contents(of: moved) == [:])
      #expect(try Scene.contents(of: other) == ["note.txt": "untouched"])
    }
  }

  @Test(arguments: ["clipping", "direct-save"])
  func `what is taken back is in the directory, and not where a link leads:`(_ how: String) async throws {
    let probe = how == "clipping" ? ["--accept", "text/plain"] : []
    try await scene(existing: [:], probe: probe, source: ["--text", "Hello"]) { scene, server in
      let (moved, other) = (server.directory("moved"), server.directory("other"))
      try FileManager.default.moveItem(atPath: scene.directory, toPath: moved)
      try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
      _ = try server.directory.write("untouched".utf8, to: "other/Hello.txt")
      try FileManager.default.createSymbolicLink(atPath: scene.directory, withDestinationPath: other)
      try await scene.drop()
      try await scene.probe.waitFor("ended")
      #expect(try Scene.contents(of: moved) == ["Hello.txt": "Hello"])
      #expect(try await scene.undo().boolean("complete") == true)
      #expect(try Scene.contents(of: moved) == [:])
      #expect(try Scene.contents(of: other) == ["Hello.txt": "untouched"])
    }
  }
}
