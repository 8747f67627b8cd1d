import TestSupport
import Testing
import XDnD

/// `xdnd-source` by the keyboard alone: no test in here touches the pointer's device.
@Suite(
  "xdnd-source by keyboard", .serialized, .requiresXvfb, .requiresOpenbox, .requiresGTK3, .timeLimit(.minutes(3)))
struct KeyboardToolTests {
  /// A display with a window of GTK 3 that takes text, and the tool with a drag under way.
  private func withDrag(_ body: (ChildProcess, Pointer, ChildProcess) async throws -> Void) async throws {
    try await XServer.with(windowManager: .openbox) { server in
      try PeerTask(kind: "text", text: Sample.words).post(on: server)
      let target = try Toolkit.gtk3.launch("target", on: server, geometry: PeerStage.right)
      _ = try await DragScene.readyPoint(of: target)
      let source = try server.launchSource(DragScene.sourceGeometry, ["--once", "--text", Sample.words])
      let window = try #require(try await source.waitFor("ready").integer("window"))
      // The window manager gives the focus to a new window when it has time.
      try await ActiveWindow(server).wait(for: window)
      let keys = try Pointer(server)
      try keys.tap(key: "Home")
      try await source.waitFor("selection")
      try keys.tap(key: "Return")
      try await source.waitFor("drag-began")
      try await body(source, keys, target)
      target.send(15)
      #expect(try await target.exit() == .exited(0))
    }
  }

  @Test func `the selected row is dragged, sent to a window, and dropped`() async throws {
    try await withDrag { source, keys, target in
      try keys.tap(key: "Tab")
      try await source.waitFor("proposal") { $0.string("operation") == "copy" }
      try keys.tap(key: "Return")
      #expect(try await target.waitFor("drop").string("text") == Sample.words)
      #expect(try await source.exit() == .exited(0))
    }
  }

  @Test func `the drag begins at its row, and Tab goes to the next window`() async throws {
    try await XServer.with(windowManager: .openbox) { server in
      let probe = try server.launchProbe(DragScene.targetGeometry, ["--verbose", "--once"])
      let middle = try await DragScene.readyPoint(of: probe)
      let source = try server.launchSource(
        DragScene.sourceGeometry, ["one", "two"].map { try server.directory.write(Array("content".utf8), to: $0) })
      let shown = try await source.waitFor("ready")
      try await ActiveWindow(server).wait(for: try #require(shown.integer("window")))
      let keys = try Pointer(server)
      try keys.tap(key: "End")
      try await source.waitFor("selection")
      try keys.tap(key: "Return")
      try await source.waitFor("drag-began")
      #expect(keys.position == shown.objects("rows")?.last?.point)
      try keys.tap(key: "Tab")
      #expect(try await probe.waitFor("position").point == middle)
      try keys.tap(key: "Return")
      #expect(try await probe.waitFor("data").objects("files")?.first?.string("uri")?.hasSuffix("two") == true)
      #expect(try await source.waitFor("ended").string("outcome") == "dropped")
    }
  }

  @Test func `the drag is sent to a window, and cancelled`() async throws {
    try await withDrag { source, keys, target in
      try keys.tap(key: "Tab")
      try await target.waitFor("enter")
      try keys.tap(key: "Escape")
      try await target.waitFor("leave")
      #expect(try await source.exit() == .exited(2))
    }
  }
}
