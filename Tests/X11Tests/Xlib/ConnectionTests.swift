import XDnDX11
import Glibc
import TestSupport
import Testing

@testable import XDnD

@Suite("The connection", .requiresXvfb, .timeLimit(.minutes(1)))
struct ConnectionTests {
  @Test func `the drag window can be named by those who look at it`() async throws {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      var hint = XClassHint()
      #expect(XGetClassHint(peer.display, us.dragWindow.xid, &hint) != 0)
      #expect(hint.res_class.map { String(cString: $0) } == "XDnD")
      #expect(hint.res_name.map { String(cString: $0) }?.isEmpty == false)
      XFree(hint.res_class)
      XFree(hint.res_name)
      let pid = try #require(us.bytes("_NET_WM_PID", of: us.dragWindow))
      #expect(pid.bytes.withUnsafeBytes { $0.load(as: UInt32.self) } == UInt32(getpid()))
      var attributes = XWindowAttributes()
      XGetWindowAttributes(peer.display, us.dragWindow.xid, &attributes)
      #expect(attributes.map_state == IsViewable)
      #expect(attributes.`class` == InputOnly)
    }
  }

  /// Xlib numbers the extensions of a display, and frees none before its end.
  @Test func `a display that is borrowed many times is extended once`() async throws {
    try await XServer.with { server in
      let host = try XlibPeer(server)
      func extensions() throws -> Int32 { try #require(XAddExtension(host.display)).pointee.extension }
      XlibConnection(borrowing: host.display).close()
      let before = try extensions()
      for _ in 0..<20 { XlibConnection(borrowing: host.display).close() }
      #expect(try extensions() == before + 1)
    }
  }

  @Test func `asking for the time loses no event and makes none`() async throws {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      _ = us.drain()
      us.watch(us.dragWindow, for: .properties)
      us.write(.atoms([.targets]), to: AtomName("NEWS"), of: us.dragWindow)
      us.flush()
      #expect(us.exists(us.dragWindow))
      peer.send("XdndLeave", [1, 0, 0, 0, 0], to: us.dragWindow)
      let first = us.serverTime()
      let second = us.serverTime()
      #expect(first != .currentTime)
      #expect(!first.isLater(than: second))
      #expect(us.next() == .propertyChanged(AtomName("NEWS"), of: us.dragWindow))
      #expect(us.next() == .message(.leave(.init(source: WindowID(rawValue: 1))), window: us.dragWindow))
      #expect(us.drain().isEmpty)
    }
  }

  @Test func `a borrowed display gets everything back`() async throws {
    try await XServer.with { server in
      let host = try XlibPeer(server)
      let before = host.rootChildren
      var us: XlibConnection? = XlibConnection(borrowing: host.display)
      let window = try #require(us?.dragWindow)
      #expect(host.rootChildren == before + [window])
      _ = try us?.grab(cursor: .copy, at: .currentTime)
      us = nil
      #expect(host.rootChildren == before)
      let other = try XlibConnection(server)
      _ = try other.grab(cursor: .copy, at: .currentTime)
    }
  }

  @Test(arguments: XDnD.CursorShape.allCases) func `the cursor that is shown says its name`(shape: XDnD.CursorShape)
    async throws
  {
    try await XServer.with { server in
      let (us, pointer) = (try XlibConnection(server), try Pointer(server))
      _ = try us.grab(cursor: shape == .copy ? .move : .copy, at: us.serverTime())
      us.show(shape)
      _ = us.serverTime()
      #expect(shape.themeNames.contains(pointer.cursorName))
      us.show(.move)
      _ = us.serverTime()
      #expect(XDnD.CursorShape.move.themeNames.contains(pointer.cursorName))
    }
  }
}

extension XlibPeer {
  fileprivate var rootChildren: [WindowID] {
    var (rootReturn, parent): (Window, Window) = (0, 0)
    var list: UnsafeMutablePointer<Window>?
    var count: UInt32 = 0
    XQueryTree(display, root, &rootReturn, &parent, &list, &count)
    defer { if let list { XFree(list) } }
    return UnsafeBufferPointer(start: list, count: Int(count)).map { WindowID($0) }
  }
}
