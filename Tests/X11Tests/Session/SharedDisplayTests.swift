import TestSupport
import Testing
import XDnDX11

@testable import XDnD

/// Answers to conversions on a display that the library shares with other code for drag and drop.
@Suite("A display with several requestors", .requiresXvfb, .timeLimit(.minutes(1)))
struct SharedDisplayTests {
  /// A program with two objects of the library on its display, each with a drop target.
  private final class Host {
    let peer: XlibPeer
    let drivers: [DragAndDrop]
    let receivers: [Receiver]
    let windows: [WindowID]
    /// What neither object has consumed.
    private(set) var notifies: [XSelectionEvent] = []

    final class Receiver: DropDelegate {
      private(set) var text: String?

      func performDrop(_ drop: DropSession) {
        drop.load(String.self) { [self] result in
          text = try? result.get()
          drop.finish(.copy)
        }
      }
    }

    init(_ server: XServer) throws {
      let peer = try XlibPeer(server)
      let drivers = [try DragAndDrop(borrowing: peer.display), try DragAndDrop(borrowing: peer.display)]
      let receivers = drivers.map { _ in Receiver() }
      windows = zip(drivers, receivers).enumerated().map { index, pair in
        let window = peer.makeWindow(Rect(x: 300 * index, y: 0, width: 200, height: 200))
        pair.0.registerDropTarget(window, accepting: DropOffer(["text/plain"]), delegate: pair.1)
        return window
      }
      self.peer = peer
      self.drivers = drivers
      self.receivers = receivers
    }

    /// Passes each event to one object after the other, as xdnd.h shows it.
    func turn() throws {
      var event = XEvent()
      while XPending(peer.display) > 0 {
        XNextEvent(peer.display, &event)
        let isConsumed = drivers.contains { $0.filter(xEvent: &event) }
        if !isConsumed, event.type == XDnDX11.SelectionNotify { notifies.append(event.xselection) }
      }
      for driver in drivers { try driver.process() }
      XFlush(peer.display)
    }
  }

  @Test func `each object gets the answers to its own conversions`() async throws {
    try await XServer.with { server in
      try await onOwnThread {
        let (host, source) = (try Host(server), try DragAndDrop(connectingTo: server.displayName))
        for (window, receiver) in zip(host.windows, host.receivers) {
          let drag = source.drop([DragItem("for one of them")], on: window)
          let deadline = ContinuousClock.now + .seconds(20)
          while drag.outcome == nil, .now < deadline {
            try source.process()
            try host.turn()
          }
          #expect(drag.outcome == .dropped(.copy))
          #expect(receiver.text == "for one of them")
        }
        #expect(host.notifies.isEmpty)
      }
    }
  }

  @Test func `the answer to a conversion of the host's own is the host's, also for a drop target`() async throws {
    try await XServer.with { server in
      try await onOwnThread {
        let host = try Host(server)
        let display = host.peer.display
        let (selection, property) = (host.peer.atom("XdndSelection"), host.peer.atom("OWN"))
        // Nobody owns the selection, so the server refuses.
        for window in host.windows {
          XConvertSelection(display, selection, host.peer.atom("text/plain"), property, window.xid, Time(CurrentTime))
        }
        host.peer.sync()
        try host.turn()
        #expect(host.notifies.map { WindowID($0.requestor) } == host.windows)
      }
    }
  }
}
