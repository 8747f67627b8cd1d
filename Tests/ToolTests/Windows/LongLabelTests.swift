import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// Text of others that takes long to lay out.
@Suite("Labels that are longer than they look", .serialized, .requiresXvfb, .timeLimit(.minutes(3)))
struct LongLabelTests {
  /// One character.
  private static let stack = "a" + String(repeating: "\u{301}", count: 60_000)
  /// Names of types have no more than 64 KiB.
  private static let tallType = "a/b" + String(repeating: "\u{301}", count: 30_000)

  @Test func `a type with a name of combining marks is answered at once`() async throws {
    try await XServer.with { server in
      let (probe, window) = try await server.launchTarget(["--accept", "a/x"])
      defer { probe.kill() }
      let display = server.displayName
      let target = WindowID(rawValue: UInt32(window))
      let time = try await onOwnThread { try Self.visit(target, Self.tallType, on: display) }
      #expect(time < .seconds(5))
      // What the window shows has been drawn when it answers again.
      let again = try await onOwnThread { try Self.visit(target, Self.tallType, on: display) }
      #expect(again < .seconds(5))
    }
  }

  @Test func `text of combining marks is dropped, shown and dragged like any other`() async throws {
    try await XServer.with { server in
      let text = try server.directory.write(Self.stack.utf8, to: "stack")
      let (probe, window) = try await server.launchTarget()
      defer { probe.kill() }
      let source = try server.launchBareSource(
        ["--to", "\(window)", "--timeout", "10", "--type", "text/plain;charset=utf-8=@\(text)"])
      #expect(try await source.exit() == .exited(0))
      try await probe.waitFor("ended")
      let other = try server.launchBareSource(["--to", "\(window)", "--timeout", "10", "--text", "x"])
      #expect(try await other.exit() == .exited(0))
    }
  }

  @Test func `a source with such a text has its window at once`() async throws {
    try await XServer.with { server in
      let source = try server.launchSource(DragScene.sourceGeometry, ["--text", Self.stack])
      try await source.waitFor("ready", timeout: .seconds(10))
      source.send(SIGTERM)
      #expect(try await source.exit(timeout: .seconds(10)) == .exited(2))
    }
  }

  /// Hovers with one type until it is answered, and goes. How long that took.
  private static func visit(_ window: WindowID, _ type: String, on display: String) throws -> Duration {
    let connection = try XlibConnection(connectingTo: display)
    let source = SavingSource(connection, window: connection.dragWindow, target: window)
    source.offersSave = false
    source.contents = [AtomName(type): []]
    guard connection.own(.xdndSelection, at: connection.serverTime()) else { throw HarnessError("no selection") }
    let start = ContinuousClock.now
    source.enter()
    source.position(at: Point(x: 700, y: 200))
    while source.statuses.isEmpty, .now < start + .seconds(60) {
      source.takeEvents()
      var descriptor = pollfd(fd: connection.fileDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, 100)
    }
    return .now - start
  }
}
