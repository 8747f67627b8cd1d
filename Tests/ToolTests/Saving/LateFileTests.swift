import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// A source that says that its file is saved, and writes it afterwards, as Firefox does.
@Suite("A file that comes after its drop", .serialized, .requiresXvfb, .timeLimit(.minutes(3)))
struct LateFileTests {
  @Test func `nothing is said of the drop's end before the file is there`() async throws {
    try await XServer.with { server in
      let directory = server.directory("saved")
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
      let (probe, window) = try await server.launchTarget(["--save", directory, "--once"])
      defer { probe.kill() }
      let display = server.displayName
      let target = WindowID(rawValue: UInt32(window))
      try await onOwnThread { try Self.drag(to: target, on: display) }
      #expect(try await probe.exit() == .exited(0))
      let kinds = probe.output.text.split(separator: "\n").compactMap { JSONLine(String($0))?.event }
      let (saved, ended) = (kinds.firstIndex(of: "saved"), kinds.firstIndex(of: "ended"))
      #expect(try #require(saved) < #require(ended), "\(kinds)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["note.txt"])
    }
  }

  private static func drag(to window: WindowID, on display: String) throws {
    let connection = try XlibConnection(connectingTo: display)
    let source = SavingSource(connection, window: connection.dragWindow, target: window)
    source.promise(Array("note.txt".utf8))
    source.save = { _ in "S" }
    guard connection.own(.xdndSelection, at: connection.serverTime()) else { throw HarnessError("no selection") }
    source.enter()
    source.position(at: Point(x: 700, y: 200))
    try wait(for: source, on: connection) { !source.statuses.isEmpty }
    source.drop()
    try wait(for: source, on: connection) { !source.finished.isEmpty }
    guard Saving.write("late", to: source.path) else { throw HarnessError("no directory to save in") }
  }

  private static func wait(
    for source: SavingSource, on connection: XlibConnection, until isDone: () -> Bool
  ) throws {
    let limit = ContinuousClock.now + .seconds(60)
    while !isDone() {
      guard .now < limit else { throw HarnessError("the probe does not answer") }
      source.takeEvents()
      var descriptor = pollfd(fd: connection.fileDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, 100)
    }
  }
}
