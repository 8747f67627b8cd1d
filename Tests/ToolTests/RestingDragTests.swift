import Foundation
import Glibc
import TestSupport
import Testing
import XDnD

/// The parts of the probe's window under a pointer that a hand holds still, and questions after a drop.
@Suite("A drag that rests over xdnd-probe", .requiresXvfb, .timeLimit(.minutes(2)))
struct RestingDragTests {
  /// A source of so many types that the probe's list is longer than its window.
  private static func manyTypes(_ file: String) -> [String] {
    (0..<40).flatMap { ["--type", "application/x-type-\($0)=@\(file)"] }
  }

  /// - Parameter key: Typed at the probe before the drag; none if it is empty.
  private func carry(
    _ server: XServer, after key: String = "", to place: (JSONLine) -> Point?
  ) async throws -> DragScene {
    let file = try server.directory.write(Array("content".utf8), to: "file")
    let scene = try await DragScene.tools(on: server, source: Self.manyTypes(file))
    let ready = try #require(scene.target.printed("ready").first)
    if !key.isEmpty { try scene.type(key, into: #require(ready.integer("window"))) }
    let place = try #require(place(ready))
    try await scene.pointer.drag(along: [scene.start, scene.end, place])
    try await scene.source.waitFor("drag-began")
    return scene
  }

  @Test func `a tab that is rested on is shown, once, and leaving the window ends it`() async throws {
    try await XServer.with { server in
      let scene = try await carry(server) { ready in
        ready.objects("tabs")?.first { $0.string("title") == "Live" }?.point
      }
      // Nothing moves any more: the pointer rests.
      #expect(try await scene.target.waitFor("spring").string("view") == "Live")
      scene.pointer.move(to: DragScene.nowhere)
      try await scene.target.waitFor("left")
      #expect(scene.target.printed("spring").count == 1)
      scene.pointer.release()
      #expect(try await scene.source.waitFor("ended").string("outcome") == "no-target")
    }
  }

  @Test func `the list scrolls while the pointer rests near its lower edge, and not further than its end`() async throws
  {
    try await XServer.with { server in
      // The view *Live*, which lists the types.
      let scene = try await carry(server, after: "Left") { ready in
        let list = ready.list
        return Point(x: list.origin.x + list.width / 2, y: list.origin.y + list.height - 10)
      }
      var rows: [Int] = []
      while rows.count < 10 { rows.append(try #require(try await scene.target.waitFor("scrolled").integer("row"))) }
      #expect(rows == rows.sorted() && Set(rows).count == rows.count)
      #expect(scene.target.printed("spring").isEmpty)
      // In the middle it stands still.
      scene.pointer.move(to: scene.end)
      scene.pointer.release()
      try await scene.target.waitFor("dropped")
      #expect(try await scene.source.waitFor("ended").string("outcome") == "dropped")
    }
  }

  @Test(arguments: [true, false])
  func `a drag leaves the view as it is, and the list is framed only if it would be taken:`(_ isTaken: Bool)
    async throws
  {
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server, source: ["--type", "a/b=x"], probe: ["--verbose", "--accept", isTaken ? "a/b" : "c/d"])
      let ready = try #require(scene.target.printed("ready").first)
      let (window, list) = (ready.frame, ready.list)
      // The drag image lies lower than both.
      let edge = Point(x: list.origin.x + 1, y: list.origin.y + 20)
      let tabs = Rect(
        x: window.origin.x, y: window.origin.y, width: window.width, height: list.origin.y - window.origin.y)
      // The tabs are drawn when there are letters.
      let before = try await server.see("the window") {
        $0.ground(of: ready) == Ground.light && Set($0.colors(in: tabs)).count > 3
      }
      try await scene.carry()
      // What an answer changes is drawn before the next answer.
      for step in 1...3 {
        scene.pointer.move(to: Point(x: scene.end.x + step, y: scene.end.y))
        try await scene.target.waitFor("position") { ($0.string("proposed") == nil) != isTaken }
      }
      let during =
        try await isTaken
        ? server.see("a green frame") { $0[edge] == Ground.accepting } : Screenshot(of: server, withCursor: false)
      #expect(during.colors(in: tabs) == before.colors(in: tabs))
      if !isTaken { #expect(during[edge] == before[edge]) }
      scene.pointer.release()
      try await scene.source.waitFor("ended")
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

    func source(_ file: String) -> [String] { self == .operation ? ["--ask", "--text", "x"] : [file] }

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
