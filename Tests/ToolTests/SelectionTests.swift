import XDnDX11
import TestSupport
import Testing

@testable import XDnD

/// Rows are selected, and what is selected is dragged: with the pointer, out of active and inactive windows, and with keys.
@Suite("Selecting rows of the source", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct SelectionTests {
  /// The tools with three files, and where the rows are.
  private struct Stage {
    let scene: DragScene
    let files: [String]
    let rows: [Point]

    init(_ server: XServer, source: [String] = [], probe arguments: [String] = []) async throws {
      files = try ["one", "two", "three"].map { try server.directory.write($0.utf8, to: $0) }
      let source = try server.launchSource("300x400+60+60", files + source)
      let ready = try await source.waitFor("ready")
      rows = try #require(ready.objects("rows")).map(\.point)
      let probe = try server.launchProbe(DragScene.targetGeometry, ["--action", "copy,move,link"] + arguments)
      scene = DragScene(
        server: server, pointer: try Pointer(server), source: source, target: probe, start: rows[0],
        end: try await DragScene.readyPoint(of: probe))
    }

    func click(_ row: Int, with key: String? = nil) throws {
      if let key { try scene.pointer.press(key: key) }
      scene.pointer.move(to: rows[row])
      scene.pointer.press()
      scene.pointer.release()
      if let key { try scene.pointer.release(key: key) }
    }

    func awaitSelection(_ rows: [Int]) async throws {
      try await scene.source.waitFor("selection") { $0.integers("rows") == rows }
    }

    /// Drags a row to the probe.
    ///
    /// - Returns: The files that have come there.
    func drag(_ row: Int) async throws -> [String] {
      try await scene.pointer.drag(along: [rows[row], scene.end])
      try await scene.source.waitFor("drag-began")
      try await scene.source.waitFor("proposal") { $0.string("operation") != nil }
      scene.pointer.release()
      let data = try await scene.target.waitFor("data")
      try await scene.source.waitFor("ended")
      return data.objects("files")?.compactMap { $0.string("path") } ?? []
    }
  }

  @Test func `one motion selects and drags, and of several selected rows any drags them all`() async throws {
    try await XServer.with { server in
      let stage = try await Stage(server)
      #expect(try await stage.drag(1) == [stage.files[1]])
      #expect(stage.scene.source.printed("selection").map { $0.integers("rows") } == [[1], []])
      try stage.click(2)
      try stage.click(1, with: "Control_L")
      try await stage.awaitSelection([1, 2])
      #expect(try await stage.drag(1) == [stage.files[1], stage.files[2]])
      try stage.click(2)
      try stage.click(1, with: "Control_L")
      try await stage.awaitSelection([1, 2])
      // A click on one of them is a click.
      try stage.click(2)
      try await stage.awaitSelection([2])
      try stage.click(0, with: "Shift_L")
      try await stage.awaitSelection([0, 1, 2])
      #expect(try await stage.drag(0) == stage.files)
      #expect(stage.scene.source.printed("selection").last?.integers("rows") == [])
    }
  }

  @Test func `what is beside the rows and the heading drags nothing`() async throws {
    try await XServer.with { server in
      let stage = try await Stage(server)
      let frame = try #require(stage.scene.source.printed("ready").first).frame
      let below = Point(x: frame.middle.x, y: (stage.rows[2].y + frame.maxY) / 2)
      try await stage.scene.pointer.drag(along: [below, stage.scene.end])
      stage.scene.pointer.release()
      #expect(try await stage.drag(0) == [stage.files[0]])
      #expect(stage.scene.source.printed("drag-began").count == 1)
    }
  }

  @Test func `with swapped buttons, the user's first button selects and drags`() async throws {
    try await XServer.with { server in
      let peer = try XlibPeer(server)
      var map = [UInt8](repeating: 0, count: 32)
      let count = XGetPointerMapping(peer.display, &map, CInt(map.count))
      map.swapAt(0, 2)
      #expect(XSetPointerMapping(peer.display, map, count) == MappingSuccess)
      peer.sync()
      let stage = try await Stage(server)
      let (pointer, source) = (stage.scene.pointer, stage.scene.source)
      pointer.move(to: stage.rows[0])
      pointer.press(1)
      pointer.release(1)
      try await pointer.drag(along: [stage.rows[1], stage.scene.end], button: 3)
      try await source.waitFor("proposal") { $0.string("operation") != nil }
      pointer.release(3)
      let data = try await stage.scene.target.waitFor("data")
      #expect(data.objects("files")?.compactMap { $0.string("path") } == [stage.files[1]])
      try await source.waitFor("ended")
      #expect(source.printed("selection").map { $0.integers("rows") } == [[1], []])
    }
  }

  @Test(arguments: ["copy", "move", "link"])
  func `what was taken is not selected any more`(operation: String) async throws {
    try await XServer.with { server in
      let stage = try await Stage(
        server, source: ["--action", operation], probe: ["--output", server.directory("out")])
      try stage.click(0)
      try stage.click(1, with: "Control_L")
      try await stage.awaitSelection([0, 1])
      #expect(try await stage.drag(1) == [stage.files[0], stage.files[1]])
      #expect(stage.scene.source.printed("selection").last?.integers("rows") == [])
    }
  }

  @Test func `what was not taken stays selected`() async throws {
    try await XServer.with { server in
      let stage = try await Stage(server)
      try stage.click(0)
      try stage.click(1, with: "Control_L")
      try await stage.awaitSelection([0, 1])
      try await stage.scene.pointer.drag(along: [stage.rows[1], DragScene.nowhere])
      try await stage.scene.source.waitFor("drag-began")
      stage.scene.pointer.release()
      #expect(try await stage.scene.source.waitFor("ended").string("outcome") == "no-target")
      #expect(stage.scene.source.printed("selection").last?.integers("rows") == [0, 1])
    }
  }

  @Test func `keys select rows`() async throws {
    try await XServer.with { server in
      let stage = try await Stage(server)
      let pointer = stage.scene.pointer
      pointer.move(to: Point(x: 100, y: 440))
      try pointer.tap(key: "Down")
      try await stage.awaitSelection([0])
      try pointer.press(key: "Shift_L")
      try pointer.tap(key: "Down")
      try pointer.release(key: "Shift_L")
      try await stage.awaitSelection([0, 1])
      try pointer.tap(key: "End")
      try await stage.awaitSelection([2])
      try pointer.press(key: "Control_L")
      try pointer.tap(key: "Up")
      try pointer.tap(key: "Up")
      try pointer.release(key: "Control_L")
      try pointer.tap(key: "space")
      try await stage.awaitSelection([0, 2])
      try pointer.press(key: "Control_L")
      try pointer.tap(key: "a")
      try pointer.release(key: "Control_L")
      try await stage.awaitSelection([0, 1, 2])
    }
  }

  // MARK: Which window is active

  @Test(.requiresOpenbox)
  func `a drag out of an inactive window neither makes it active nor changes its selection, and a click does both`()
    async throws
  {
    try await XServer.with(windowManager: .openbox) { server in
      let stage = try await Stage(server)
      let active = try ActiveWindow(server)
      let source = try #require(stage.scene.source.printed("ready").first?.integer("window"))
      let probe = try #require(stage.scene.target.printed("ready").first?.integer("window"))
      // A new window becomes active after it says that it is ready.
      try await active.wait(for: probe)
      try stage.click(2)
      try await active.wait(for: source)
      try await stage.awaitSelection([2])
      stage.scene.pointer.move(to: stage.scene.end)
      stage.scene.pointer.press()
      stage.scene.pointer.release()
      try await active.wait(for: probe)

      #expect(try await stage.drag(0) == [stage.files[0]])
      #expect(active.current == probe)
      #expect(stage.scene.source.printed("selection").map { $0.integers("rows") } == [[2]])

      try stage.click(0)
      try await active.wait(for: source)
      try await stage.awaitSelection([0])
    }
  }

  @Test func `a click and a key are actions of the user in the window, and a press that becomes a drag is none`()
    async throws
  {
    try await XServer.with { server in
      let stage = try await Stage(server)
      let peer = try XlibPeer(server)
      let source = try #require(stage.scene.source.printed("ready").first?.integer("window"))
      let window = WindowID(rawValue: UInt32(source))
      XSelectInput(peer.display, Window(source), PropertyChangeMask)
      func userTime(otherThan old: Int?) throws -> Int {
        let deadline = ContinuousClock.now + .seconds(20)
        while true {
          if let time = peer.number("_NET_WM_USER_TIME", of: window), time != old { return time }
          guard .now < deadline else { throw HarnessError("the user's last action stays \(old ?? 0)") }
          _ = peer.event(PropertyNotify)
        }
      }
      #expect(peer.number("_NET_WM_USER_TIME", of: window) == nil)
      try stage.click(2)
      let click = try userTime(otherThan: nil)
      #expect(try await stage.drag(0) == [stage.files[0]])
      #expect(peer.number("_NET_WM_USER_TIME", of: window) == click)
      stage.scene.pointer.move(to: stage.rows[1])
      try stage.scene.pointer.tap(key: "Down")
      #expect(try userTime(otherThan: click) > click)
    }
  }

  @Test func `a drag puts the window back below the one that was above it before the press, and a click does not`()
    async throws
  {
    try await XServer.with { server in
      let stage = try await Stage(server)
      let manager = try XlibPeer(server)
      XSelectInput(manager.display, manager.root, SubstructureNotifyMask)
      let source = UInt32(try #require(stage.scene.source.printed("ready").first?.integer("window")))
      let other = manager.makeWindow(Rect(x: 900, y: 500, width: 50, height: 50)).rawValue
      let root = WindowID(manager.root)
      manager.setWords([source, other], "_NET_CLIENT_LIST_STACKING", type: "WINDOW", on: root)
      stage.scene.pointer.move(to: stage.rows[0])
      try stage.click(2)
      try await stage.awaitSelection([2])
      // A window manager raises what is pressed.
      manager.setWords([other, source], "_NET_CLIENT_LIST_STACKING", type: "WINDOW", on: root)
      #expect(try await stage.drag(0) == [stage.files[0]])
      let restack = try #require(manager.event(ClientMessage)).xclient
      #expect(restack.message_type == manager.atom("_NET_RESTACK_WINDOW"))
      #expect(restack.window == Window(source))
      #expect(restack.data.l.0 == 2 && restack.data.l.1 == Int(other) && restack.data.l.2 == Int(Below))
      XSync(manager.display, False)
      var event = XEvent()
      #expect(XCheckTypedEvent(manager.display, ClientMessage, &event) == 0)
      // A key raises the other window and gives it the focus, while the pointer rests here.
      try stage.click(1)
      try await stage.awaitSelection([1])
      manager.setWords([source, other], "_NET_CLIENT_LIST_STACKING", type: "WINDOW", on: root)
      XSetInputFocus(manager.display, Window(other), Int32(RevertToParent), UInt(CurrentTime))
      XSync(manager.display, False)
      try stage.click(2)
      try await stage.awaitSelection([2])
      manager.setWords([other, source], "_NET_CLIENT_LIST_STACKING", type: "WINDOW", on: root)
      #expect(try await stage.drag(1) == [stage.files[1]])
      #expect(try #require(manager.event(ClientMessage)).xclient.data.l.1 == Int(other))
    }
  }

  @Test(.requiresOpenbox) func `the window is active when it has appeared`() async throws {
    try await XServer.with(windowManager: .openbox) { server in
      let active = try ActiveWindow(server)
      let source = try server.launchSource("300x400+60+60", ["--text", "x"])
      let window = try #require(try await source.waitFor("ready").integer("window"))
      try await active.wait(for: window)
      try Pointer(server).tap(key: "Down")
      try await source.waitFor("selection") { $0.integers("rows") == [0] }
    }
  }
}
