import XDnDX11
import TestSupport
import Testing

@testable import XDnD

/// What a drop does to the window that it is on, where a window manager decides.
@Suite("The window that was dropped on", .requiresXvfb, .requiresOpenbox, .timeLimit(.minutes(1)))
struct ActivationTests {
  /// Asks for its window at every chance, and drags what it takes itself.
  private final class Taker: DropDelegate, DragDelegate {
    private(set) var proposed: DragOperation?

    func dropUpdated(_ drop: DropSession) -> DropProposal {
      drop.activateWindow()
      return drop.suggestedProposal
    }

    func performDrop(_ drop: DropSession) {
      drop.activateWindow()
      drop.finish(.copy)
    }

    func drag(_ drag: DragSession, isProposed operation: DragOperation?) { proposed = operation }
  }

  @Test func `it becomes the active one, and not before the drop`() async throws {
    try await XServer.with(windowManager: .openbox) { server in
      let keys = try Pointer(server)
      try await onOwnThread {
        let (driver, taker) = (try DragAndDrop(connectingTo: server.displayName), Taker())
        let (active, peer) = (try ActiveWindow(server), try XlibPeer(server))
        let display = try #require(driver.display)
        func run(until condition: () -> Bool) throws {
          let deadline = ContinuousClock.now + .seconds(20)
          // Others' windows wake nobody here.
          try driver.run(wakingAt: { .now + .milliseconds(2) }) { !condition() && .now < deadline }
          #expect(condition())
        }
        let window = XCreateSimpleWindow(display, peer.root, 0, 0, 200, 200, 0, 0, 0)
        driver.registerDropTarget(WindowID(window), accepting: DropOffer([.plainText]), delegate: taker)
        XMapWindow(display, window)
        try run { active.current == Int(window) }
        let other = peer.makeWindow(Rect(x: 0, y: 0, width: 200, height: 200), override: false)
        try run { active.current == Int(other.rawValue) }

        // Without a button: a press would be the window manager's.
        let drag = driver.beginDrag(DragItem("text"), button: nil, at: driver.serverTime, delegate: taker)
        try run { driver.reactor.drags.held != nil }
        try keys.tap(key: "Tab")
        try run { taker.proposed == .copy }
        #expect(active.current == Int(other.rawValue))
        try keys.tap(key: "Return")
        try run { drag.outcome != nil && active.current == Int(window) }
        #expect(drag.outcome == .dropped(.copy))
      }
    }
  }
}
