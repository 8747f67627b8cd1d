import XDnDX11
import Glibc
import TestSupport
import Testing

import enum TestSupport.ExitStatus

@testable import XDnD

/// A window on the main actor that gives what is dropped on it to a test.
@MainActor
final class DropReceiver: @MainActor DropDelegate {
  let driver: DragAndDrop
  private let dropped: (DropSession, DragAndDrop) -> Void
  private(set) var results: [DropResult] = []
  static let center = Point(x: 700, y: 200)

  init(_ displayName: String, dropped: @escaping (DropSession, DragAndDrop) -> Void) throws {
    guard DisplayConnection.threadsAreReady else { throw HarnessError("this libX11 has no threads") }
    self.dropped = dropped
    driver = try DragAndDrop(connectingTo: displayName, configuration: .patient)
    let display = try #require(driver.display)
    let window = XCreateSimpleWindow(display, XDefaultRootWindow(display), 600, 100, 200, 200, 0, 0, 0)
    driver.registerDropTarget(
      WindowID(rawValue: UInt32(window)), accepting: DropOffer(["*/*"]), delegate: self)
    XMapWindow(display, window)
    XFlush(display)
  }

  func performDrop(_ drop: DropSession) { dropped(drop, driver) }

  func dropEnded(_ drop: DropSession, _ result: DropResult) { results.append(result) }

  /// What is known of a drop when it is over.
  struct Report<Value: Sendable>: Sendable {
    var value: Value
    /// How `xdnd-source` ended.
    var source: ExitStatus
    var directory: TemporaryDirectory
  }

  /// Drags out of `xdnd-source` onto a receiver, and hands the drop to `take` while the driver runs beside it.
  ///
  /// - Parameters:
  ///   - source: The arguments, from the directory that files can be put into.
  ///   - accepted: Called when the target has said yes, right before the button goes up.
  ///   - take: Loads, and answers the drop.
  static func drop<Value: Sendable>(
    source: (TemporaryDirectory) throws -> [String], accepted: (TemporaryDirectory) throws -> Void = { _ in },
    take: @escaping @MainActor (DropSession, ChildProcess, TemporaryDirectory) async throws -> Value
  ) async throws -> Report<Value> {
    try await drop(source: source, accepted: accepted) { drop, _, source, directory in
      try await take(drop, source, directory)
    }
  }

  /// Also hands the receiver's `DragAndDrop` to `take`.
  static func drop<Value: Sendable>(
    source: (TemporaryDirectory) throws -> [String], accepted: (TemporaryDirectory) throws -> Void = { _ in },
    take: @escaping @MainActor (DropSession, DragAndDrop, ChildProcess, TemporaryDirectory) async throws -> Value
  ) async throws -> Report<Value> {
    try await XServer.with { server in
      let directory = try TemporaryDirectory()
      let source = try server.launchSource("200x200+50+50", source(directory) + ["--once"])
      let (results, result) = AsyncStream<Result<Value, any Error>>.makeStream()
      let receiver = try DropReceiver(server.displayName) { drop, driver in
        Task {
          do {
            result.yield(.success(try await take(drop, driver, source, directory)))
          } catch {
            result.yield(.failure(error))
          }
          result.finish()
        }
      }
      let run = Task { try await receiver.driver.run() }
      defer { run.cancel() }
      let start = try await DragScene.readyPoint(of: source)
      let pointer = try Pointer(server)
      try await pointer.drag(along: [start, DropReceiver.center])
      try await source.waitFor("proposal") { $0.string("operation") != nil }
      try accepted(directory)
      pointer.release()
      for await result in results {
        let value = try result.get()
        source.send(SIGCONT)
        return Report(value: value, source: try await source.exit(), directory: directory)
      }
      throw HarnessError("nothing was dropped")
    }
  }
}
