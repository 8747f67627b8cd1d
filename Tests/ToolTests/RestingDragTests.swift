import Foundation
import Glibc
import TestSupport
import Testing
import XDnD

@testable import XDnDToolWindow

/// The parts of the probe's window under a pointer that a hand holds still, and questions after a drop.
@Suite("A drag that rests over xdnd-probe", .requiresXvfb, .timeLimit(.minutes(2)))
struct RestingDragTests {
  /// A place near the lower edge of a list in the probe, above the pane about a drag that is over the window, by the layout
  /// of the tool.
  private static func lowerEdge(ofRows rowCount: Int, whileOffered typeCount: Int, in frame: Rect) -> Point {
    var scene = Scene(rows: (0..<rowCount).map { Scene.Row("\($0)", secondary: "details") })
    scene.hints = ["keys"]
    // The program, what a drop would do, the operations, and the types.
    scene.pane = Scene.Pane(facts: Array(repeating: Scene.Pane.Fact("", ""), count: 3 + typeCount))
    let list = SceneLayout(scene, width: Double(frame.width), height: Double(frame.height)).list
    return Point(x: frame.middle.x, y: frame.origin.y + Int(list.maxY) - 10)
  }

  @Test func `the list scrolls while the pointer rests near its lower edge, and not further than its end`() async throws
  {
    try await XServer.with { server in
      let files = try (0..<30).map { try server.directory.write(Array("content".utf8), to: "file \($0)") }
      let scene = try await DragScene.set(
        on: server, source: { try server.launchSource($0, files) },
        target: { _ in try server.launchProbe("300x500+600+60") })
      // The heading drags all files, which makes a long list.
      try await scene.pointer.drag(along: [scene.heading, scene.end])
      try await scene.source.waitFor("proposal") { $0.string("operation") != nil }
      scene.pointer.release()
      let rows = try #require(try await scene.target.waitFor("draggable").objects("rows"))
      #expect(rows.count == 31)
      try await scene.pointer.drag(along: [scene.start, scene.end])
      let types = try #require(try await scene.target.waitFor("entered").strings("types"))
      let ready = try #require(scene.target.printed("ready").first)
      scene.pointer.move(to: Self.lowerEdge(ofRows: rows.count, whileOffered: types.count, in: ready.frame))
      var seen: [Int] = []
      while seen.count < 5 { seen.append(try #require(try await scene.target.waitFor("scrolled").integer("row"))) }
      #expect(seen == seen.sorted() && Set(seen).count == seen.count)
      scene.pointer.release()
      #expect(try await scene.source.waitFor("ended").string("outcome") == "dropped")
    }
  }

  @Test(arguments: [true, false])
  func `the window is framed only if a drop would be taken:`(_ isTaken: Bool) async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server, source: ["--type", "a/b=x"], probe: ["--verbose", "--accept", isTaken ? "a/b" : "c/d"])
      let window = try #require(scene.target.printed("ready").first).frame
      let edge = Point(x: window.origin.x + 4, y: window.origin.y + 60)
      let before = try await server.see("the window") { $0.ground(of: window) == Ground.light }
      try await scene.carry()
      // What an answer changes is drawn before the next answer.
      for step in 1...3 {
        scene.pointer.move(to: Point(x: scene.end.x + step, y: scene.end.y))
        try await scene.target.waitFor("position") { ($0.string("proposed") == nil) != isTaken }
      }
      if isTaken {
        try await server.see("a green frame") { $0[edge] == Ground.accepting }
      } else {
        #expect(try Screenshot(of: server, withCursor: false)[edge] == before[edge])
      }
      scene.pointer.release()
      try await scene.source.waitFor("ended")
      try await server.see("no frame") { $0[edge] == before[edge] }
    }
  }

  @Test func `a question goes away with the source, and so does what its keys mean`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server, source: ["--text", "x", "--action", "ask,copy,move"],
        probe: ["--action", "ask,copy,move", "--output", server.directory("out")])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      try await scene.target.waitFor("question")
      scene.source.kill()
      #expect(try await scene.target.waitFor("ended").string("outcome") == "peer-died")
      // The first one would have cancelled the drop, and means nothing now.
      for key in ["x", "q"] { try scene.pointer.tap(key: key) }
      #expect(try await scene.target.exit() == .exited(2))
      #expect(scene.target.printed("answer").isEmpty)
    }
  }

  enum Answer: CaseIterable { case move, cancel }

  @Test(arguments: Answer.allCases) func `a drop to ask about is loaded, and then asked about`(_ answer: Answer)
    async throws
  {
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server, source: ["--text", "x", "--action", "ask,copy,move"],
        probe: ["--action", "ask,copy,move", "--output", server.directory("out")])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      try await scene.target.waitFor("data")
      let question = try await scene.target.waitFor("question")
      let answers = try #require(question.strings("answers"))
      #expect(answers.count == 3 && answers.last == "Cancel")
      #expect(scene.source.printed("ended").isEmpty)
      // The window has the keyboard, wherever the pointer is.
      scene.pointer.move(to: DragScene.nowhere)
      try scene.pointer.tap(key: answer == .move ? "m" : "Escape")
      try await scene.target.waitFor("answer")
      let ended = try await scene.source.waitFor("ended")
      #expect(ended.string("outcome") == (answer == .move ? "dropped" : "refused"))
      #expect(ended.string("operation") == (answer == .move ? "move" : nil))
    }
  }

  @Test func `Escape right after a drag over the window leaves it open, and closes it a second later`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(on: server, source: ["--text", "x"])
      try await scene.carryUntilAccepted()
      let start = ContinuousClock.now
      try scene.pointer.tap(key: "Escape")
      try await scene.target.waitFor("left")
      scene.pointer.release()
      // Without a window manager, the window under the pointer gets the keys.
      while scene.target.isRunning {
        try scene.pointer.tap(key: "Escape")
        try await Task.sleep(for: .milliseconds(50))
      }
      #expect(ContinuousClock.now - start >= .seconds(1))
      #expect(try await scene.target.exit() == .exited(2))
    }
  }

  /// What the window asks about after a drop.
  enum Question: CaseIterable {
    case operation, confirmation, takenName

    func source(_ file: String) -> [String] {
      self == .operation ? ["--action", "ask,copy,move,link", "--text", "x"] : [file]
    }

    func probe(_ directory: TemporaryDirectory) -> [String] {
      switch self {
      case .operation: ["--action", "ask,copy,move", "--output", directory("out")]
      case .confirmation: ["--confirm"]
      case .takenName: ["--save", directory("saved")]
      }
    }
  }

  @Test(.requiresOpenbox, arguments: Question.allCases)
  func `a window that asks becomes the active one, and keys answer it:`(_ question: Question) async throws {
    try await XServer.with(windowManager: .openbox) { server in
      try FileManager.default.createDirectory(
        atPath: server.directory("saved"), withIntermediateDirectories: false)
      _ = try server.directory.write("old".utf8, to: "saved/file")
      let file = try server.directory.write("new".utf8, to: "file")
      let scene = try await DragScene.tools(
        on: server, source: question.source(file), probe: question.probe(server.directory))
      let (source, probe) = (scene.source, scene.target)
      let windows = try [source, probe].map { try #require($0.printed("ready").first?.integer("window")) }
      let active = try ActiveWindow(server)
      // A new window becomes active after it says that it is ready.
      try await active.wait(for: windows[1])
      scene.pointer.move(to: scene.start)
      scene.pointer.press()
      scene.pointer.release()
      try await active.wait(for: windows[0])
      try await scene.carryUntilAccepted()
      #expect(active.current == windows[0])
      scene.pointer.release()
      try await probe.waitFor("question")
      try await active.wait(for: windows[1])
      try scene.pointer.tap(key: "Return")
      #expect(try await probe.waitFor("answer").string("answer") != nil)
    }
  }
}
