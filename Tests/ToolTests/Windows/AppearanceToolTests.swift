import XDnDConformance
import Foundation
import TestSupport
import Testing

@testable import XDnD

/// Bright or dark, as the desktop is or the user says.
@Suite("The appearance of the tools", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct AppearanceToolTests {
  private func launch(_ tool: Tool, on server: XServer, _ arguments: [String] = []) throws -> ChildProcess {
    let content = tool == .source ? ["--text", "hello"] : []
    return try server.launch(
      BuiltProducts.executable(tool.rawValue), ["--json", "--geometry", DragScene.sourceGeometry] + content + arguments)
  }

  @Test(arguments: Tool.allCases)
  func `follows the settings daemon, also while the window is there`(_ tool: Tool) async throws {
    try await XServer.with { server in
      let daemon = try FakeSettingsDaemon(server)
      daemon.publish([("Net/ThemeName", .string("Mint-Y-Dark-Aqua"))])
      let process = try launch(tool, on: server)
      let ready = try await process.waitFor("ready")
      try await server.see("a dark window") { $0.ground(of: ready) == Ground.dark }
      daemon.publish([("Net/ThemeName", .string("Darkroom"))])
      try await server.see("a bright window") { $0.ground(of: ready) == Ground.light }
      daemon.publish([("Net/ThemeName", .string("Darkroom")), ("Gtk/ApplicationPreferDarkTheme", .integer(1))])
      try await server.see("a dark window again") { $0.ground(of: ready) == Ground.dark }
    }
  }

  @Test(arguments: Tool.allCases)
  func `has high contrast if the theme of the desktop has it, also in the appearance that the user says`(_ tool: Tool)
    async throws
  {
    try await XServer.with { server in
      let daemon = try FakeSettingsDaemon(server)
      daemon.publish([("Net/ThemeName", .string("HighContrast"))])
      let process = try launch(tool, on: server)
      let ready = try await process.waitFor("ready")
      try await server.see("a white window") { $0.ground(of: ready) == Ground.highContrast }
      daemon.publish([("Net/ThemeName", .string("HighContrastInverse"))])
      try await server.see("a black window") { $0.ground(of: ready) == Ground.highContrastDark }
      let other = try launch(tool, on: server, ["--appearance", "light", "--geometry", "300x300+500+60"])
      let otherReady = try await other.waitFor("ready")
      try await server.see("a white window") { $0.ground(of: otherReady) == Ground.highContrast }
    }
  }

  @Test(arguments: [["check"], ["replay", "--as", "target", "drag.jsonl"]])
  func `windows of checks and replays look as the desktop does`(_ command: [String]) async throws {
    try await XServer.with { server in
      let daemon = try FakeSettingsDaemon(server)
      daemon.publish([("Net/ThemeName", .string("Adwaita-dark"))])
      _ = try server.directory.write(RecordingSample.drag.text.utf8, to: "drag.jsonl")
      let arguments = command.map { $0 == "drag.jsonl" ? server.directory($0) : $0 }
      let process = try server.launch(
        BuiltProducts.executable("xdnd-probe"), arguments + ["--geometry", DragScene.sourceGeometry])
      try await server.see("a dark window") { $0.ground(of: DragScene.sourceFrame) == Ground.dark }
      withExtendedLifetime((daemon, process)) {}
    }
  }

  @Test(arguments: Tool.allCases)
  func `a daemon may come late, and go`(_ tool: Tool) async throws {
    try await XServer.with { server in
      let process = try launch(tool, on: server)
      let ready = try await process.waitFor("ready")
      try await server.see("a bright window") { $0.ground(of: ready) == Ground.light }
      var daemon: FakeSettingsDaemon? = try FakeSettingsDaemon(server)
      daemon?.publish([("Net/ThemeName", .string("Adwaita-dark"))])
      try await server.see("a dark window") { $0.ground(of: ready) == Ground.dark }
      daemon = nil
      try await server.see("a bright window again") { $0.ground(of: ready) == Ground.light }
    }
  }

  @Test(arguments: [
    ("gtk-4.0/settings.ini", "[Settings]\ngtk-application-prefer-dark-theme=1\n"),
    ("gtk-3.0/settings.ini", "[Settings]\ngtk-theme-name=Arc-Dark\n"),
    ("kdeglobals", "[General]\nColorScheme=BreezeDark\n"),
  ])
  func `without a daemon the files of desktops count`(_ file: String, _ text: String) async throws {
    try await XServer.with { server in
      let path = URL(fileURLWithPath: server.directory("home/.config/\(file)"))
      try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: path, atomically: true, encoding: .utf8)
      let process = try launch(.source, on: server)
      let ready = try await process.waitFor("ready")
      try await server.see("a dark window") { $0.ground(of: ready) == Ground.dark }
    }
  }

  @Test(arguments: Tool.allCases)
  func `what the user says counts more than what the desktop says`(_ tool: Tool) async throws {
    try await XServer.with { server in
      let daemon = try FakeSettingsDaemon(server)
      daemon.publish([("Net/ThemeName", .string("Adwaita-dark"))])
      let process = try launch(tool, on: server, ["--appearance", "light"])
      let ready = try await process.waitFor("ready")
      try await server.see("a bright window") { $0.ground(of: ready) == Ground.light }
      let other = try launch(tool, on: server, ["--appearance", "dark", "--geometry", "300x300+500+60"])
      let otherReady = try await other.waitFor("ready")
      try await server.see("a dark window") { $0.ground(of: otherReady) == Ground.dark }
    }
  }

  @Test func `a screen with twice the pixels gets a window with twice the pixels`() async throws {
    try await XServer.with { server in
      let daemon = try FakeSettingsDaemon(server)
      daemon.publish([("Gdk/WindowScalingFactor", .integer(2))])
      let process = try server.launch(
        BuiltProducts.executable("xdnd-source"), ["--json", "--geometry", "+40+40", "--text", "a", "/"])
      let ready = try await process.waitFor("ready")
      #expect(ready.integer("width") == 720)
    }
  }

  @Test(arguments: Tool.allCases)
  func `has an icon in several sizes, for lists of windows`(_ tool: Tool) async throws {
    try await XServer.with { server in
      let process = try launch(tool, on: server)
      let window = WindowID(rawValue: UInt32(try #require(try await process.waitFor("ready").integer("window"))))
      let peer = try XlibPeer(server)
      // It comes after the first frame.
      let deadline = ContinuousClock.now + .seconds(20)
      while peer.words("_NET_WM_ICON", of: window) == nil, .now < deadline {
        try await Task.sleep(for: .milliseconds(20))
      }
      var icon = try #require(peer.words("_NET_WM_ICON", of: window))[...]
      var sides: [Int] = []
      while let width = icon.popFirst(), let height = icon.popFirst() {
        #expect(width == height)
        let pixels = icon.prefix(Int(width * height))
        #expect(pixels.count == Int(width * height))
        // It is no empty square, and no full one.
        #expect(Set(pixels.map { $0 >> 24 }).isSuperset(of: [0, 255]) || width < 24)
        icon = icon.dropFirst(pixels.count)
        sides.append(Int(width))
      }
      #expect(sides == [16, 24, 32, 48, 64, 128])
    }
  }

  @Test(arguments: Tool.allCases)
  func `a look that there is not is a mistake of the user`(_ tool: Tool) async throws {
    let result = try await tool.run(["--appearance", "purple"])
    #expect(result.status == .exited(64))
    #expect(result.errors.contains("purple"))
  }
}
