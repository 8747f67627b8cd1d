import Glibc
import TestSupport
import Testing
import XDnD

@testable import Lists

/// The example with lists, used with a pointer and a keyboard.
@Suite("Lists on a display", .requiresXvfb, .timeLimit(.minutes(2)))
struct ListsTests {
  /// The program, and a hand. Places are those before the first change, in root coordinates.
  private struct Stage {
    let example: ChildProcess
    let pointer: Pointer
    private let scene = Scene(board: .sample)

    init(_ server: XServer) async throws {
      example = try server.launch(BuiltProducts.executable("Lists"), ["--print"])
      pointer = try Pointer(server)
      try await expect(Scene(board: .sample).description)
    }

    /// Waits for the line that begins so.
    func expect(_ line: String) async throws {
      try await example.waitForLine { $0.hasPrefix(line) }
    }

    func row(_ index: Int, _ column: Int = 0) -> Point { place(scene.frame(ofRow: index, in: column)) }

    /// Below the rows of the second list.
    var emptyPlace: Point { place(Scene.columns[1]) }

    func thumb() throws -> Point { place(try #require(scene.thumb(in: 0))) }

    func tab(_ index: Int) -> Point { place(scene.tabs[index]) }

    private func place(_ frame: Rect) -> Point {
      Point(x: frame.middle.x + ListsWindow.origin.x, y: frame.middle.y + ListsWindow.origin.y)
    }

    func click(_ place: Point) {
      pointer.move(to: place)
      pointer.press()
      pointer.release()
    }

    func holding(_ key: String, _ body: () async throws -> Void) async throws {
      try pointer.press(key: key)
      try await body()
      try pointer.release(key: key)
    }

    /// Selects the second and the fourth card.
    func selectTwo() async throws {
      click(row(1))
      try await holding("Control_L") { click(row(3)) }
      try await expect("Kitchen | To buy: Apples, [Bread], Butter, [Carrots], Cheese")
    }

    /// Drags until the cursor shows what a drop would do.
    func carry(from start: Point, to end: Point, until cursor: String) async throws {
      try await pointer.drag(along: [start, end])
      try await pointer.awaitCursor(cursor)
    }

    func undo() async throws {
      try await holding("Control_L") { try pointer.tap(key: "z") }
    }
  }

  private func with(_ body: (Stage, XServer) async throws -> Void) async throws {
    try await XServer.with { server in try await body(Stage(server), server) }
  }

  // MARK: The pointer

  @Test func `two selected cards move within their list, and back with undo`() async throws {
    try await with { stage, _ in
      try await stage.selectTwo()
      try await stage.carry(from: stage.row(3), to: stage.row(6), until: "dnd-move")
      stage.pointer.release()
      let moved = "Kitchen | To buy: Apples, Butter, Cheese, Coffee, Eggs, [Bread], [Carrots], Honey"
      try await stage.expect(moved)
      try await stage.undo()
      try await stage.expect("Kitchen | To buy: Apples, [Bread], Butter, [Carrots], Cheese, Coffee, Eggs")
      try await stage.holding("Shift_L") { try await stage.undo() }
      try await stage.expect(moved)
    }
  }

  @Test func `two selected cards are copied to the other list, and moved with Shift`() async throws {
    try await with { stage, _ in
      try await stage.selectTwo()
      let (start, end) = (stage.row(1), stage.row(1, 1))
      try await stage.carry(from: start, to: end, until: "dnd-copy")
      stage.pointer.release()
      let rest = "Cheese, Coffee, Eggs, Honey, Lemons, Milk, Olives, Peppers, Rice, Tomatoes"
      try await stage.expect(
        "Kitchen | To buy: Apples, Bread, Butter, Carrots, \(rest) | In the basket: Onions, [Bread], [Carrots], Tea")
      try await stage.undo()
      let before = "Kitchen | To buy: Apples, [Bread], Butter, [Carrots], \(rest) | In the basket: Onions, Tea"
      try await stage.expect(before)
      try await stage.carry(from: start, to: end, until: "dnd-copy")
      try await stage.holding("Shift_L") {
        try await stage.pointer.awaitCursor("dnd-move")
        stage.pointer.release()
        try await stage.expect("Kitchen | To buy: Apples, Butter, Cheese, Coffee, Eggs, Honey, Lemons, Milk")
      }
      try await stage.undo()
      try await stage.expect(before)
    }
  }

  @Test func `Control copies within a list`() async throws {
    try await with { stage, _ in
      try await stage.carry(from: stage.row(0), to: stage.row(2), until: "dnd-move")
      try await stage.holding("Control_L") {
        try await stage.pointer.awaitCursor("dnd-copy")
        stage.pointer.release()
        try await stage.expect("Kitchen | To buy: Apples, Bread, [Apples], Butter")
      }
    }
  }

  @Test func `a drag that rests on a tab opens it, and drops there`() async throws {
    try await with { stage, _ in
      try await stage.pointer.drag(along: [stage.row(0), stage.tab(1)])
      try await stage.expect("Journey | To pack: Camera, Map, Raincoat | In the bag: Passport")
      try await stage.pointer.glide(to: stage.row(1))
      try await stage.pointer.awaitCursor("dnd-copy")
      stage.pointer.release()
      try await stage.expect("Journey | To pack: Camera, [Apples], Map, Raincoat | In the bag: Passport")
    }
  }

  @Test func `a drop on a tab is added to the first list of its page`() async throws {
    try await with { stage, _ in
      try await stage.carry(from: stage.row(0), to: stage.tab(1), until: "dnd-copy")
      stage.pointer.release()
      try await stage.expect("Journey | To pack: Camera, Map, Raincoat, [Apples] | In the bag: Passport")
    }
  }

  @Test func `a list scrolls under a drag at its edge`() async throws {
    try await with { stage, _ in
      // The first row that is hidden comes under a pointer that rests on the last one that is seen.
      let bottom = stage.row(Scene.columns[0].height / Scene.rowHeight - 1)
      try await stage.carry(from: stage.row(0), to: bottom, until: "dnd-move")
      try await Task.sleep(for: .seconds(2))
      stage.pointer.release()
      try await stage.expect(
        "Kitchen | To buy: Bread, Butter, Carrots, Cheese, Coffee, Eggs, Honey, Lemons, Milk, Olives")
    }
  }

  @Test func `the wheel scrolls a list under a drag`() async throws {
    try await with { stage, _ in
      try await stage.carry(from: stage.row(0), to: stage.row(4), until: "dnd-move")
      stage.pointer.press(5)
      stage.pointer.release(5)
      // The notch has arrived when the list has answered what came after it.
      try await stage.holding("Control_L") { try await stage.pointer.awaitCursor("dnd-copy") }
      try await stage.pointer.awaitCursor("dnd-move")
      stage.pointer.release()
      try await stage.expect("Kitchen | To buy: Bread, Butter, Carrots, Cheese, Coffee, [Apples], Eggs")
    }
  }

  @Test func `the scroll bar scrolls a list, and drags no card`() async throws {
    try await with { stage, _ in
      let (thumb, last) = (try stage.thumb(), stage.row(Scene.columns[0].height / Scene.rowHeight - 1))
      try await stage.pointer.drag(along: [thumb, Point(x: thumb.x, y: last.y + 100)])
      stage.pointer.release()
      stage.click(last)
      let line = try await stage.example.waitForLine { $0.contains("[") }
      #expect(line.contains("Rice, [Tomatoes] |"))
    }
  }

  // MARK: The keyboard

  @Test func `keys select cards, drag them and drop them`() async throws {
    try await with { stage, _ in
      let pointer = stage.pointer
      // Without a window manager, keys go to the window under the pointer.
      pointer.move(to: stage.emptyPlace)
      for _ in 0..<2 { try pointer.tap(key: "Down") }
      try await stage.holding("Shift_L") { try pointer.tap(key: "Down") }
      try await stage.expect("Kitchen | To buy: Apples, [Bread], [Butter], Carrots")
      try pointer.tap(key: "Return")
      // The drag begins where it would move the cards.
      try await pointer.awaitCursor("dnd-move")
      try await stage.holding("Alt_L") {
        for _ in 0..<3 { try pointer.tap(key: "Right") }
      }
      try await pointer.awaitCursor("dnd-copy")
      try pointer.tap(key: "Return")
      let all =
        "Apples, Bread, Butter, Carrots, Cheese, Coffee, Eggs, Honey, Lemons, Milk, Olives, Peppers, Rice, Tomatoes"
      try await stage.expect("Kitchen | To buy: \(all) | In the basket: Onions, Tea, [Bread], [Butter]")
    }
  }

  @Test func `Escape ends a drag of the keyboard, and the keys select again`() async throws {
    try await with { stage, _ in
      let pointer = stage.pointer
      pointer.move(to: stage.emptyPlace)
      try pointer.tap(key: "Down")
      try await stage.expect("Kitchen | To buy: [Apples], Bread")
      let cursor = pointer.cursorName
      try pointer.tap(key: "Return")
      try await pointer.awaitCursor("dnd-move")
      try pointer.tap(key: "Escape")
      // Until then the drag has the keys.
      try await pointer.awaitCursor(cursor)
      try pointer.tap(key: "Down")
      try await stage.expect("Kitchen | To buy: Apples, [Bread]")
    }
  }

  // MARK: Other programs

  @Test func `two cards are text for another program`() async throws {
    try await with { stage, server in
      let probe = try server.launchProbe("300x300+900+60", ["--once", "--accept", "text/plain"])
      let end = try await DragScene.readyPoint(of: probe)
      try await stage.selectTwo()
      try await stage.carry(from: stage.row(3), to: end, until: "dnd-copy")
      stage.pointer.release()
      #expect(try await probe.waitFor("data").integer("bytes") == "Bread\nCarrots".utf8.count)
      #expect(try await probe.exit() == .exited(0))
    }
  }

  @Test func `the lines of another program's text become cards`() async throws {
    try await with { stage, server in
      let source = try server.launchSource("300x300+900+60", ["--text", "Lamp\nRope", "--once"])
      let start = try await DragScene.readyPoint(of: source)
      try await stage.carry(from: start, to: stage.row(1, 1), until: "dnd-copy")
      stage.pointer.release()
      #expect(try await source.exit() == .exited(0))
      let line = try await stage.example.waitForLine { $0.contains("[") }
      #expect(line.hasSuffix("| In the basket: Onions, [Lamp], [Rope], Tea"))
    }
  }

  /// Drops text on the second row at the right. The text comes when something is written to the returned path.
  private func dropSlowText(_ stage: Stage, _ server: XServer, in directory: TemporaryDirectory) async throws
    -> (source: ChildProcess, fifo: String)
  {
    let fifo = directory.path + "/fifo"
    #expect(mkfifo(fifo, 0o600) == 0)
    let text = "text/plain;charset=utf-8=!cat '\(fifo)'"
    let source = try server.launchSource("300x300+900+60", ["--type", text, "--once"])
    let start = try await DragScene.readyPoint(of: source)
    try await stage.carry(from: start, to: stage.row(1, 1), until: "dnd-copy")
    stage.pointer.release()
    return (source, fifo)
  }

  @Test func `a placeholder stands for text that is on its way`() async throws {
    let directory = try TemporaryDirectory("lists")
    try await with { stage, server in
      let (source, fifo) = try await dropSlowText(stage, server, in: directory)
      try await stage.example.waitForLine { $0.hasSuffix("| In the basket: Onions, …, Tea") }
      try await onOwnThread { try FileBytes.write(Array("Lamp".utf8), to: fifo) }
      try await stage.example.waitForLine { $0.hasSuffix("| In the basket: Onions, [Lamp], Tea") }
      #expect(try await source.exit() == .exited(0))
    }
  }

  @Test func `Escape cancels what is on its way`() async throws {
    let directory = try TemporaryDirectory("lists")
    try await with { stage, server in
      let (source, _) = try await dropSlowText(stage, server, in: directory)
      try await stage.example.waitForLine { $0.hasSuffix("| In the basket: Onions, …, Tea") }
      try stage.pointer.tap(key: "Escape")
      try await stage.expect(Scene(board: .sample).description)
      #expect(try await source.exit() == .exited(1))
    }
  }
}
