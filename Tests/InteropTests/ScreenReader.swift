import Foundation
import Glibc
import TestSupport

/// A session bus with the accessibility bus of the desktop, and programs on a display that find both.
final class AccessibleDesktop: Sendable {
  let server: XServer
  private let sessionBus: ChildProcess
  private let launcher: ChildProcess
  private let environment: [String: String]

  /// - Parameter isOn: Whether the desktop says that assistive technology is on.
  static func with<Value>(
    windowManager: WindowManager? = nil, isOn: Bool = true, _ body: (AccessibleDesktop) async throws -> Value
  ) async throws -> Value {
    try await XServer.with(windowManager: windowManager) { server in
      let desktop = try await AccessibleDesktop(on: server, isOn: isOn)
      let result: Result<Value, any Error>
      do { result = .success(try await body(desktop)) } catch { result = .failure(error) }
      for process in [desktop.launcher, desktop.sessionBus] {
        process.send(SIGTERM)
        _ = try await process.exit()
      }
      return try result.get()
    }
  }

  private init(on server: XServer, isOn: Bool) async throws {
    self.server = server
    sessionBus = try server.launch("dbus-daemon", ["--session", "--nofork", "--print-address"])
    environment = [
      "DBUS_SESSION_BUS_ADDRESS": try await sessionBus.waitForLine { $0.contains("=") },
      // An empty value is as good as none.
      "NO_AT_BRIDGE": "",
    ]
    launcher = try server.launch(
      Self.launcherPaths.first { access($0, X_OK) == 0 } ?? "at-spi-bus-launcher",
      ["--launch-immediately", isOn ? "--a11y=1" : "--a11y=0"],
      environment: environment)
    let connection = try DisplayConnection(server.displayName)
    let isThere = try await onOwnThread { connection.awaitRootProperty("AT_SPI_BUS", timeout: .seconds(20)) }
    guard isThere else { throw launcher.failure("did not start the accessibility bus") }
  }

  /// Where Debian and others put it; it is not in `PATH`.
  private static let launcherPaths = [
    "/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher",
  ]

  func launch(_ tool: Tool, at geometry: String, _ arguments: [String] = []) throws -> ChildProcess {
    try server.launch(
      BuiltProducts.executable(tool.rawValue), ["--json", "--geometry", geometry] + arguments, environment: environment)
  }

  /// Says that assistive technology is on, as the settings of a desktop do.
  func turnOn() async throws {
    let code = """
      from gi.repository import Gio, GLib
      Gio.bus_get_sync(Gio.BusType.SESSION).call_sync(
        "org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties", "Set",
        GLib.Variant("(ssv)", ("org.a11y.Status", "IsEnabled", GLib.Variant("b", True))), None, 0, -1, None)
      """
    let process = try server.launch("/usr/bin/python3", ["-c", code], environment: environment)
    guard try await process.exit() == .exited(0) else { throw process.failure("could not turn it on") }
  }

  /// Ends both buses at once, as crashes would.
  func crashBuses() async throws {
    for process in [sessionBus, launcher] {
      process.kill()
      _ = try await process.exit()
    }
  }

  // MARK: The screen reader

  /// A node of an application, as `Tests/Peers/screen_reader.py` says it.
  struct Node {
    let role: String
    let name: String
    let states: Set<String>
    let actions: [String]
    let depth: Int
    let hasPlace: Bool
    /// `nil` if it is no text field.
    let text: String?
  }

  /// Starts to listen to all programs of the desktop, and returns once it does.
  func follow() async throws -> ChildProcess {
    let reader = try screenReader(["follow"])
    try await reader.waitFor("listening", timeout: .seconds(60))
    return reader
  }

  /// Returns the nodes of a tool, from its root on.
  func walk(_ tool: Tool) async throws -> [Node] {
    let reader = try await run(["walk", tool.rawValue])
    return reader.output.text.split(separator: "\n").compactMap { JSONLine(String($0)) }.filter { $0.event == "node" }
      .map {
        Node(
          role: $0.string("role") ?? "", name: $0.string("name") ?? "", states: Set($0.strings("states") ?? []),
          actions: $0.strings("actions") ?? [], depth: $0.integer("depth") ?? 0,
          hasPlace: $0.integer("width") ?? 0 > 0 && $0.integer("height") ?? 0 > 0,
          text: $0.string("text"))
      }
  }

  func act(on tool: Tool, _ role: String, _ name: String) async throws {
    _ = try await run(["act", tool.rawValue, role, name])
  }

  func select(in tool: Tool, _ role: String, _ name: String) async throws {
    _ = try await run(["select", tool.rawValue, role, name])
  }

  func type(in tool: Tool, _ text: String) async throws { _ = try await run(["type", tool.rawValue, text]) }

  private func run(_ arguments: [String]) async throws -> ChildProcess {
    let reader = try screenReader(arguments)
    guard try await reader.exit(timeout: .seconds(60)) == .exited(0) else { throw reader.failure("failed") }
    return reader
  }

  private func screenReader(_ arguments: [String]) throws -> ChildProcess {
    let script = BuiltProducts.package.appendingPathComponent("Tests/Peers/screen_reader.py").path
    return try server.launch("/usr/bin/python3", [script] + arguments, environment: environment)
  }
}

extension ChildProcess {
  /// Waits until the screen reader speaks a message of an application.
  func hear(_ text: String, from tool: Tool) async throws {
    try await waitForLine {
      guard let line = JSONLine($0), line.event == "announcement" else { return false }
      return line.string("text") == text && line.string("application") == tool.rawValue
    }
  }
}
