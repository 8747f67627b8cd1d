import XDnDX11
import TestSupport
import Testing

@testable import XDnD

@Suite("Settings of the desktop on X", .requiresXvfb, .timeLimit(.minutes(1)))
struct SettingsTests {
  @Test func `settings are those of the daemon, as they change, and of none when it is gone`() async throws {
    try await XServer.with { server in
      let us = try XlibConnection(server)
      #expect(us.settings.dragThreshold == nil)
      var daemon: FakeSettingsDaemon? = try FakeSettingsDaemon(server)
      daemon?.publish([("Net/DndDragThreshold", .integer(5)), ("Gtk/EnableAnimations", .integer(0))])
      _ = us.drain()
      #expect(us.settings.dragThreshold == 5)
      #expect(us.settings.appearance.reducesMotion)
      daemon?.publish([("Net/DndDragThreshold", .integer(7))])
      _ = us.drain()
      #expect(us.settings.dragThreshold == 7)
      #expect(!us.settings.appearance.reducesMotion)
      daemon = nil
      _ = us.next { if case .selectionOwnerChanged = $0 { true } else { false } }
      #expect(us.settings.dragThreshold == nil)
    }
  }

  @Test func `the settings are read at the start and after a change, and are not waited for`() async throws {
    try await XServer.with { server in
      let daemon = try FakeSettingsDaemon(server)
      defer { withExtendedLifetime(daemon) {} }
      daemon.publish([("Net/DndDragThreshold", .integer(5))])
      let us = try XlibConnection(server)
      func threshold() -> Int? {
        repeat { _ = us.drain() } while !us.display.openBatches.isEmpty
        let waits = us.display.waits
        defer { #expect(us.display.waits == waits) }
        return us.settings.dragThreshold
      }
      #expect(threshold() == 5)
      daemon.publish([("Net/DndDragThreshold", .integer(7))])
      #expect(threshold() == 7)
    }
  }

  @Test func `a connection that is lost while a change is read keeps the last settings`() async throws {
    try await XServer.with { server in
      let daemon = try FakeSettingsDaemon(server)
      defer { withExtendedLifetime(daemon) {} }
      daemon.publish([("Net/DndDragThreshold", .integer(5))])
      let us = try XlibConnection(server)
      repeat { _ = us.drain() } while !us.display.openBatches.isEmpty
      daemon.publish([("Net/DndDragThreshold", .integer(7))])
      _ = us.serverTime()
      server.pause()
      // The list is asked for, and the server does not answer any more.
      while us.nextEvent() != nil {}
      #expect(!us.display.openBatches.isEmpty)
      try await server.kill()
      #expect(us.settings.dragThreshold == 5)
      #expect(us.isClosed)
    }
  }

  @Test func `a host that shows us no events is no worse off: a drag reads them anew`() async throws {
    try await XServer.with { server in
      let host = try XlibPeer(server)
      let us = XlibConnection(borrowing: host.display)
      let daemon = try FakeSettingsDaemon(server)
      daemon.publish([("Net/DndDragThreshold", .integer(5))])
      #expect(us.settings.dragThreshold == 5)
      daemon.publish([("Net/DndDragThreshold", .integer(7))])
      #expect(us.settings.dragThreshold == 5)
      _ = us.claim(.xdndSelection, at: us.serverTime()) { _ in }
      _ = try us.grab(cursor: .copy, at: .currentTime)
      #expect(us.settings.dragThreshold == 7)
    }
  }

  @Test func `the server's size is the measure of cursors where nothing else is`() async throws {
    try await XServer.with { server in
      let us = try XlibConnection(server)
      #expect(us.settings.cursorSize != nil)
      try await server.kill()
      _ = us.serverTime()
      #expect(us.isClosed)
      #expect(us.settings.cursorSize != nil)
    }
  }
}
