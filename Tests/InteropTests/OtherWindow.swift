import XDnDX11
import Foundation
import TestSupport
import Testing

@testable import XDnD

/// A program whose window gets its drops by `xdnd-probe --for`.
enum OtherWindow: String, CaseIterable, Sendable, CustomTestStringConvertible {
  /// Takes no drops by itself.
  case xterm
  /// Takes files by itself.
  case glfw = "GLFW"

  var testDescription: String { rawValue }

  /// A part of the window's title.
  var titlePart: String { self == .xterm ? "body else" : "glfw tar" }

  /// Whether the program takes files where no probe does.
  var takesFiles: Bool { self == .glfw }

  /// Starts it, with its window on the right.
  func launch(on server: XServer) throws -> ChildProcess {
    switch self {
    case .xterm:
      return try server.launch("xterm", ["-geometry", "60x20+600+60", "-title", "somebody else's", "-e", "cat"])
    case .glfw:
      let script = BuiltProducts.package.appendingPathComponent("Tests/Peers/glfw_peer.py").path
      return try server.launch(
        "/usr/bin/python3",
        [script, "target", "--geometry", PeerStage.right, "--content", PeerTask.path(on: server)])
    }
  }

  /// Blocks until the window manager has its window, and has written all properties on it.
  func awaitWindow(on server: XServer, _ peer: XlibPeer) throws -> WindowID {
    // xterm has no _NET_WM_NAME.
    let windowClass = self == .xterm ? "XTerm" : "glfw target"
    let clients = try DisplayConnection(server.displayName).awaitClients { clients in
      clients.contains { $0.programClass == windowClass }
    }
    guard let client = clients?.first(where: { $0.programClass == windowClass }) else {
      throw HarnessError("\(self) has no window")
    }
    // The window manager maps one window after the other.
    let next = peer.makeWindow(Rect(x: 0, y: 0, width: 40, height: 40), mapped: false, override: false)
    XSelectInput(peer.display, next.xid, StructureNotifyMask)
    XMapWindow(peer.display, next.xid)
    guard peer.event(MapNotify) != nil else { throw HarnessError("the window manager maps nothing") }
    peer.destroy(next)
    return WindowID(rawValue: client.id)
  }
}
