import XDnDX11
import Glibc
import TestSupport
import Testing
import XDnD

/// Where windows overlap, the one that the user sees gets the drop, and the one below hears nothing.
@Suite("Drags over overlapping windows", .requiresXvfb, .requiresOpenbox, .timeLimit(.minutes(2)))
struct StackingTests {
  @Test(arguments: [nil, WindowManager.openbox])
  func `the upper one of two overlapping probes gets the drop`(_ manager: WindowManager?) async throws {
    try await XServer.with(windowManager: manager) { server in
      let lower = try server.launchProbe("400x400+500+100", [])
      let lowerReady = try await lower.waitFor("ready")
      let upper = try server.launchProbe("200x200+600+200", ["--once"])
      let end = try await DragScene.readyPoint(of: upper)
      let source = try server.launchSource("200x200+50+50", ["--text", "x", "--once"])
      let start = try await DragScene.readyPoint(of: source)
      // Straight down onto it, so that the lower one is not crossed on the way.
      let pointer = try Pointer(server)
      pointer.move(to: start)
      pointer.press()
      try await pointer.glide(to: Point(x: start.x + 20, y: start.y + 20))
      pointer.move(to: end)
      try await source.waitFor("drag-began")
      pointer.release()
      #expect(try await source.exit() == .exited(0))
      #expect(try await upper.exit() == .exited(0))
      lower.send(SIGTERM)
      _ = try await lower.exit()
      #expect(
        lower.output.text.split(separator: "\n").map { JSONLine(String($0))?.event } == ["ready", "ended"],
        "\(lowerReady)")
    }
  }

  @Test(arguments: [nil, WindowManager.openbox])
  func `a probe below the source's own window gets nothing`(_ manager: WindowManager?) async throws {
    try await XServer.with(windowManager: manager) { server in
      let probe = try server.launchProbe("500x500+200+100", [])
      try await probe.waitFor("ready")
      let source = try server.launchSource("300x300+300+200", ["--text", "x", "--once"])
      let start = try await DragScene.readyPoint(of: source)
      let pointer = try Pointer(server)
      try await pointer.drag(along: [start, Point(x: start.x + 60, y: start.y + 60)])
      try await source.waitFor("drag-began")
      pointer.release()
      #expect(try await source.exit() == .exited(3))
      probe.send(SIGTERM)
      _ = try await probe.exit()
      #expect(probe.output.text.split(separator: "\n").map { JSONLine(String($0))?.event } == ["ready", "ended"])
    }
  }

  @Test(arguments: [nil, WindowManager.openbox])
  func `a window that is raised under a resting pointer takes the drag over`(_ manager: WindowManager?) async throws {
    try await XServer.with(windowManager: manager) { server in
      let first = try server.launchProbe("300x300+500+100", ["--once"])
      let window = try #require(try await first.waitFor("ready").integer("window"))
      let second = try server.launchProbe("300x300+500+100", ["--once"])
      let end = try await DragScene.readyPoint(of: second)
      let source = try server.launchSource("200x200+50+50", ["--text", "x", "--once"])
      let pointer = try Pointer(server)
      try await pointer.drag(along: [try await DragScene.readyPoint(of: source), end])
      try await second.waitFor("entered")

      let connection = try DisplayConnection(server.displayName)
      connection { display, _ in _ = XRaiseWindow(display, Window(window)) }
      try await first.waitFor("entered")
      try await second.waitFor("left")
      pointer.release()
      #expect(try await source.exit() == .exited(0))
      #expect(try await first.exit() == .exited(0))
      second.kill()
    }
  }

  @Test func `an override-redirect window without drops hides a probe below it`() async throws {
    try await XServer.with(windowManager: .openbox) { server in
      let probe = try server.launchProbe("300x300+500+100", [])
      let end = try await DragScene.readyPoint(of: probe)
      let connection = try DisplayConnection(server.displayName)
      connection { display, root in
        var attributes = XSetWindowAttributes()
        attributes.override_redirect = 1
        let popup = XCreateWindow(
          display, root, 500, 100, 300, 300, 0, Int32(CopyFromParent), UInt32(InputOutput), nil,
          UInt(CWOverrideRedirect), &attributes)
        XMapRaised(display, popup)
      }
      let source = try server.launchSource("200x200+50+50", ["--text", "x", "--once"])
      let pointer = try Pointer(server)
      try await pointer.drag(along: [try await DragScene.readyPoint(of: source), end])
      try await source.waitFor("drag-began")
      pointer.release()
      #expect(try await source.exit() == .exited(3))
      probe.send(SIGTERM)
      _ = try await probe.exit()
      #expect(!probe.output.text.contains("entered"))
    }
  }
}
