import Foundation
import Glibc
import TestSupport
import Testing
import XDnD

/// The tools and a screen reader, over the accessibility bus of the desktop.
@Suite(
  "The tools and assistive technology", .serialized, .requiresXvfb, .requiresOpenbox, .requiresAccessibilityBus,
  .timeLimit(.minutes(5)))
struct AccessibilityTests {
  private static let left = DragScene.sourceGeometry
  private static let right = DragScene.targetGeometry

  /// Makes files to drag.
  private func files(_ names: [String], in desktop: AccessibleDesktop) throws -> [String] {
    try names.map { try desktop.server.directory.write($0.utf8, to: $0) }
  }

  /// Everything that a person may come to has a name, a place and states.
  private func expectComplete(_ nodes: [AccessibleDesktop.Node]) {
    for node in nodes where node.role != "application" {
      #expect(!node.name.isEmpty, "\(node)")
      #expect(node.states.isSuperset(of: ["enabled", "sensitive", "visible", "showing"]), "\(node)")
      #expect(node.hasPlace, "\(node)")
    }
    for node in nodes where ["list item", "page tab", "push button", "check box"].contains(node.role) {
      #expect(node.actions.count == 1, "\(node)")
    }
  }

  @Test func `the window of xdnd-source is read from its frame to its rows`() async throws {
    try await AccessibleDesktop.with { desktop in
      let source = try desktop.launch(.source, at: Self.left, try files(["one", "two"], in: desktop))
      try await source.waitFor("ready")
      let nodes = try await desktop.walk(.source)
      expectComplete(nodes)
      #expect(nodes.map(\.role) == ["application", "frame", "heading", "list", "list item", "list item"])
      #expect(nodes.map(\.depth) == [0, 1, 2, 2, 3, 3])
      #expect(nodes.filter { $0.role == "list item" }.map(\.name) == ["one", "two"])
      #expect(nodes.filter { $0.role == "list item" }.allSatisfy { $0.states.contains("selectable") })
    }
  }

  @Test func `a screen reader selects rows of xdnd-source`() async throws {
    try await AccessibleDesktop.with { desktop in
      let source = try desktop.launch(.source, at: Self.left, try files(["one", "two"], in: desktop))
      try await source.waitFor("ready")
      try await desktop.act(on: .source, "list item", "two")
      #expect(try await source.waitFor("selection").integers("rows") == [1])
      try await desktop.select(in: .source, "list item", "one")
      #expect(try await source.waitFor("selection").integers("rows") == [0, 1])
      let rows = try await desktop.walk(.source).filter { $0.role == "list item" }
      #expect(rows.allSatisfy { $0.states.contains("selected") })
    }
  }

  @Test func `a screen reader reads what the pane of xdnd-probe says of a drop`() async throws {
    try await AccessibleDesktop.with { desktop in
      let probe = try desktop.launch(.probe, at: Self.right)
      let window = try #require(try await probe.waitFor("ready").integer("window"))
      let empty = try await desktop.walk(.probe)
      expectComplete(empty)
      #expect(empty.contains { $0.name == "Drop something here" })
      let source = try desktop.launch(.source, at: Self.left, ["--to", "\(window)"] + files(["one"], in: desktop))
      #expect(try await source.exit() == .exited(0))
      try await probe.waitFor("draggable")
      let full = try await desktop.walk(.probe)
      expectComplete(full)
      #expect(full.contains { $0.role == "panel" && $0.name == "Details" })
      #expect(full.contains { $0.role == "label" && $0.name == "From: xdnd-source" })
    }
  }

  @Test func `a screen reader hears a question of xdnd-probe and answers it`() async throws {
    try await AccessibleDesktop.with(windowManager: .openbox) { desktop in
      let probe = try desktop.launch(.probe, at: Self.right, ["--confirm"])
      let window = try #require(try await probe.waitFor("ready").integer("window"))
      _ = try await desktop.walk(.probe)
      let reader = try await desktop.follow()
      let source = try desktop.launch(.source, at: Self.left, ["--to", "\(window)"] + files(["one"], in: desktop))
      let question = try await probe.waitFor("question")
      let sentence = try #require(question.string("question"))
      let answers = try #require(question.strings("answers"))
      try await reader.hear(([sentence] + answers).joined(separator: ", "), from: .probe)
      let asking = try await desktop.walk(.probe)
      expectComplete(asking)
      #expect(asking.filter { $0.role == "push button" }.map(\.name) == answers)
      #expect(asking.contains { $0.role == "alert" && $0.name == sentence })
      try await desktop.act(on: .probe, "push button", answers[0])
      try await probe.waitFor("answer")
      #expect(try await source.exit() == .exited(0))
      try await reader.hear("one: received", from: .probe)
      reader.send(SIGTERM)
      _ = try await reader.exit()
    }
  }

  @Test func `a screen reader switches Apply to All and answers for all files`() async throws {
    try await AccessibleDesktop.with(windowManager: .openbox) { desktop in
      let directory = desktop.server.directory("saved")
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
      for name in ["one", "two"] { _ = try desktop.server.directory.write("old".utf8, to: "saved/\(name)") }
      let probe = try desktop.launch(.probe, at: Self.right, ["--save", directory])
      let window = try #require(try await probe.waitFor("ready").integer("window"))
      let source = try desktop.launch(
        .source, at: Self.left, ["--to", "\(window)"] + files(["one", "two"], in: desktop))
      let question = try await probe.waitFor("question")
      let box = try #require(question.string("option"))
      for isOn in [false, true] {
        let nodes = try await desktop.walk(.probe)
        expectComplete(nodes)
        let node = nodes.first { $0.role == "check box" && $0.name == box }
        #expect(node?.states.contains("checked") == isOn)
        if !isOn { try await desktop.act(on: .probe, "check box", box) }
      }
      try await desktop.act(on: .probe, "push button", "Skip")
      #expect(try await probe.waitFor("answer").string("option") == box)
      #expect(try await source.exit() == .exited(0))
      #expect(probe.printed("question").count == 1)
    }
  }

  @Test func `a keyboard drag is followed by its announcements alone`() async throws {
    try await AccessibleDesktop.with(windowManager: .openbox) { desktop in
      let probe = try desktop.launch(.probe, at: Self.right)
      try await probe.waitFor("ready")
      _ = try await desktop.walk(.probe)
      let reader = try await desktop.follow()
      let source = try desktop.launch(.source, at: Self.left, try files(["one", "two", "three"], in: desktop))
      let window = try #require(try await source.waitFor("ready").integer("window"))
      // The window has the keyboard, and the bus knows it: the bridge leaves out what happens before it knows its listeners.
      try await ActiveWindow(desktop.server).wait(for: window)
      _ = try await desktop.walk(.source)

      let keys = try Pointer(desktop.server)
      try keys.tap(key: "Return")
      try await reader.hear("Drag started: 3 items", from: .source)
      try keys.tap(key: "Tab")
      try await reader.hear(#"Over "xdnd-probe": a drop would copy"#, from: .source)
      try keys.tap(key: "Escape")
      #expect(try await source.waitFor("ended").string("reason") == "escape")
      try await reader.hear(try await message(of: desktop), from: .source)

      try keys.tap(key: "Home")
      try await reader.waitForLine { JSONLine($0)?.event == "focus" && JSONLine($0)?.string("name") == "one" }
      try keys.tap(key: "Return")
      try await reader.hear("Drag started: one", from: .source)
      try keys.tap(key: "Tab")
      try await reader.hear(#"Over "xdnd-probe": a drop would copy"#, from: .source)
      try keys.tap(key: "Return")
      try await reader.hear("one: received", from: .probe)
      #expect(try await source.waitFor("ended").string("outcome") == "dropped")
      let outcome = try await message(of: desktop)
      // The two windows speak in any order.
      #expect(await reader.lines.contains { JSONLine($0)?.string("text") == outcome })
      reader.send(SIGTERM)
      _ = try await reader.exit()
    }
  }

  /// What the footer of `xdnd-source` says.
  private func message(of desktop: AccessibleDesktop) async throws -> String {
    try #require(try await desktop.walk(.source).first { $0.role == "status bar" }?.name)
  }

  @Test func `without assistive technology nothing is loaded, and as soon as it is on the window is there`()
    async throws
  {
    try await AccessibleDesktop.with(isOn: false) { desktop in
      let source = try desktop.launch(.source, at: Self.left, ["--text", "one"])
      try await source.waitFor("ready")
      func hasATK() throws -> Bool {
        try String(contentsOfFile: "/proc/\(source.pid)/maps", encoding: .utf8).contains("libatk")
      }
      #expect(try !hasATK())
      try await desktop.turnOn()
      #expect(try await desktop.walk(.source).contains { $0.name == "one" })
      #expect(try hasATK())
    }
  }

  @Test func `a screen reader and a bus that hang or crash hold up no drag`() async throws {
    try await AccessibleDesktop.with { desktop in
      let scene = try await DragScene.set(
        on: desktop.server, source: { try desktop.launch(.source, at: $0, ["--text", "one"]) },
        target: { try desktop.launch(.probe, at: $0) })
      _ = try await desktop.walk(.source)
      _ = try await desktop.walk(.probe)
      let reader = try await desktop.follow()
      reader.send(SIGSTOP)
      try await scene.dragAndDrop()
      #expect(try await scene.source.waitFor("ended").string("outcome") == "dropped")
      try await desktop.crashBuses()
      try await scene.dragAndDrop()
      #expect(try await scene.source.waitFor("ended").string("outcome") == "dropped")
      for process in [scene.source, scene.target] {
        process.send(SIGTERM)
        #expect(try await process.exit() == .exited(2))
      }
      reader.kill()
    }
  }
}
