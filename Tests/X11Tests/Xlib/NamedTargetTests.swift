import XDnDX11
import TestSupport
import Testing

@testable import XDnD

/// Which window messages go to when a window is given and not a place on the screen.
@Suite("Targets by their windows", .requiresXvfb, .timeLimit(.minutes(1)))
struct NamedTargetTests {
  private func with(_ body: @Sendable @escaping (XlibConnection, XlibPeer) throws -> Void) async throws {
    try await XServer.with { server in
      try await onOwnThread { try body(XlibConnection(server), XlibPeer(server)) }
    }
  }

  @Test func `a window that takes drops is its own target, though another one lies over it`() async throws {
    try await with { connection, peer in
      let window = peer.makeTarget(Rect(x: 10, y: 20, width: 100, height: 60), border: 3)
      _ = peer.makeTarget(Rect(x: 0, y: 0, width: 500, height: 500))
      let middle = try #require(connection.dropTarget(for: window, at: nil))
      #expect(middle.target == DropTarget(window: window, destination: window, version: .v5))
      #expect(middle.point == Point(x: 63, y: 53))
      #expect(connection.dropTarget(for: window, at: Point(x: 1, y: 2))?.point == Point(x: 14, y: 25))
    }
  }

  @Test func `a window that has never been mapped is a target`() async throws {
    try await with { connection, peer in
      let window = peer.makeTarget(Rect(x: 10, y: 20, width: 100, height: 60), mapped: false)
      #expect(connection.dropTarget(for: window, at: nil)?.target.window == window)
    }
  }

  @Test func `of a frame it is what lies at the place inside of it`() async throws {
    try await with { connection, peer in
      let frame = peer.makeWindow(Rect(x: 100, y: 100, width: 200, height: 200))
      let client = peer.makeWindow(in: frame, Rect(x: 10, y: 30, width: 180, height: 160))
      let left = peer.makeTarget(in: client, Rect(x: 0, y: 0, width: 90, height: 160))
      let right = peer.makeTarget(in: client, Rect(x: 90, y: 0, width: 90, height: 160))
      _ = peer.makeWindow(in: client, Rect(x: 0, y: 0, width: 180, height: 160))
      _ = peer.makeTarget(in: client, Rect(x: 0, y: 0, width: 180, height: 160), mapped: false)
      #expect(connection.dropTarget(for: frame, at: Point(x: 20, y: 100))?.target.window == left)
      #expect(connection.dropTarget(for: frame, at: Point(x: 150, y: 100))?.target.window == right)
      #expect(connection.dropTarget(for: frame, at: Point(x: 5, y: 5)) == nil)
    }
  }

  @Test func `of a window inside of a target it is that target, at the same place on the screen`() async throws {
    try await with { connection, peer in
      let window = peer.makeTarget(Rect(x: 100, y: 100, width: 200, height: 200))
      let child = peer.makeWindow(in: window, Rect(x: 50, y: 50, width: 20, height: 20))
      let grandchild = peer.makeWindow(in: child, Rect(x: 2, y: 2, width: 10, height: 10))
      let place = try #require(connection.dropTarget(for: grandchild, at: Point(x: 0, y: 0)))
      #expect(place.target.window == window)
      #expect(place.point == Point(x: 152, y: 152))
    }
  }

  @Test func `a proxy gets the messages, and a window that is not there has none`() async throws {
    try await with { connection, peer in
      let window = peer.makeWindow(Rect(x: 100, y: 100, width: 200, height: 200))
      let proxy = peer.makeTarget(Rect(x: -20, y: -20, width: 1, height: 1), mapped: false)
      peer.setProxy(proxy, on: window)
      peer.setProxy(proxy, on: proxy)
      #expect(
        connection.dropTarget(for: window, at: nil)?.target
          == DropTarget(window: window, destination: proxy, version: .v5))
      peer.destroy(window)
      #expect(connection.dropTarget(for: window, at: nil) == nil)
    }
  }
}
