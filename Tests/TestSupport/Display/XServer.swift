import Foundation
import Glibc

/// A window manager that the harness knows how to start.
package enum WindowManager: String, Sendable {
  /// With one desktop, no key bindings, and the mouse bound to nothing but focus and the frame.
  case openbox
}

/// An X server of the test's own, with a home, a runtime directory and a temporary directory of its own.
package final class XServer: Sendable {
  /// Its display, such as `:7`.
  package let displayName: String
  /// What programs on this display get as their whole environment.
  package let environment: [String: String]
  /// Its directory; `home` and `runtime` are in it, and tests may put files there.
  package let directory: TemporaryDirectory

  private let server: ChildProcess
  private let manager: ChildProcess?

  /// Starts `Xvfb` and returns once it accepts connections, and once the window manager manages.
  ///
  /// Prefer `with`, which also ends it at a known moment.
  ///
  /// - Parameters:
  ///   - resets: whether the server starts anew when its last client leaves, as `Xvfb` does by itself.
  ///   - arguments: more for `Xvfb`.
  package static func start(
    width: Int = 1280, height: Int = 800, depth: Int = 24, windowManager: WindowManager? = nil, resets: Bool = false,
    arguments: [String] = []
  ) async throws -> XServer {
    try await start(
      "Xvfb", ["-screen", "0", "\(width)x\(height)x\(depth)"] + (resets ? [] : ["-noreset"]) + arguments,
      in: try TemporaryDirectory("display"), windowManager: windowManager)
  }

  /// Starts `program`, which is an X server.
  ///
  /// - Parameter directory: The server's directory.
  static func start(
    _ program: String, _ arguments: [String], in directory: TemporaryDirectory, windowManager: WindowManager?
  ) async throws -> XServer {
    var environment = try makeEnvironment(in: directory)
    // The number arrives through the pipe once the server listens, and no two servers can get the same.
    let socket = Awaitable<DisplaySocket?>(nil)
    let server = try ChildProcess(
      program, ["-displayfd", "1", "-nolisten", "tcp"] + arguments, environment: environment,
      atEnd: { socket.current?.remove() })
    let displayName = ":" + (try await server.waitForLine(where: { Int($0) != nil }))
    socket.update { $0 = DisplaySocket(displayName: displayName) }
    environment["DISPLAY"] = displayName
    var manager: ChildProcess?
    if let windowManager {
      manager = try await startManager(windowManager, displayName: displayName, environment, directory)
    }
    return XServer(
      displayName: displayName, environment: environment, directory: directory, server: server, manager: manager)
  }

  /// Runs `body` with a server that is ended afterwards, whatever happens.
  package static func with<Value>(
    windowManager: WindowManager? = nil, resets: Bool = false, arguments: [String] = [],
    _ body: (XServer) async throws -> Value
  ) async throws -> Value {
    let server = try await start(windowManager: windowManager, resets: resets, arguments: arguments)
    return try await server.use { try await body(server) }
  }

  /// Runs `body`, and ends the server afterwards, whatever happens.
  func use<Value>(_ body: () async throws -> Value) async throws -> Value {
    let result: Result<Value, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    try await terminate()
    return try result.get()
  }

  private init(
    displayName: String, environment: [String: String], directory: TemporaryDirectory, server: ChildProcess,
    manager: ChildProcess?
  ) {
    self.displayName = displayName
    self.environment = environment
    self.directory = directory
    self.server = server
    self.manager = manager
  }

  deinit {
    manager?.kill()
    server.kill()
  }

  /// Whether the server still runs.
  package var isRunning: Bool { server.isRunning }

  /// Starts `program` on this display; the display lives as long as the process object does.
  package func launch(
    _ program: String, _ arguments: [String] = [], environment extra: [String: String] = [:]
  ) throws -> ChildProcess {
    try ChildProcess(
      program, arguments, environment: environment.merging(extra) { $1 }, directory: directory.path, support: [self])
  }

  /// Ends the window manager and the server, and returns when both have ended.
  ///
  /// Both by SIGKILL, for neither has anything to save: openbox and Xvfb only note a SIGTERM, and one that comes just
  /// before they wait for events is acted upon at the next event, which no client sends any more.
  package func terminate() async throws {
    manager?.kill()
    _ = try await manager?.exit()
    try await kill()
  }

  /// Lets the server answer nothing until it is resumed.
  package func pause() { server.send(SIGSTOP) }

  /// Lets a paused server go on.
  package func resume() { server.send(SIGCONT) }

  /// Ends the server at once, as a crash would, and returns when it has ended.
  package func kill() async throws {
    server.kill()
    _ = try await server.exit()
  }
}
