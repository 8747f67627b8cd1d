import XDnDX11
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// What `onWireEvent` is told, on a real server, at both ends of a drag.
@Suite("Events of the wire", .requiresXvfb, .timeLimit(.minutes(1)))
struct WireEventTests {
  private func with(_ body: @Sendable @escaping (WireStage) throws -> Void) async throws {
    try await XServer.with { server in
      try await onOwnThread { [name = server.displayName] in try body(WireStage(name)) }
    }
  }

  private static var item: DragItem {
    var item = DragItem("Grüße")
    item.promise("a/b", bytes: [1, 2, 3])
    return item
  }

  @Test func `a whole drag is told at both ends, in the order in which it happens`() async throws {
    try await with { stage in
      let outcome = try stage.drop([Self.item])
      #expect(outcome == .dropped(.copy))
      let types = "text/plain;charset=utf-8,UTF8_STRING,text/plain,TEXT,STRING,a/b"
      #expect(
        stage.source.log == [
          "> read XdndAware ATOM 32 4",
          "> owner XdndSelection somebody",
          "< owner XdndSelection somebody",
          "> written XdndTypeList ATOM 32 \(types)",
          "> written XdndActionList ATOM 32 XdndActionCopy",
          "> deleted XdndActionDescription - 0 0",
          "> XdndEnter source,83886081,text/plain;charset=utf-8,UTF8_STRING,text/plain",
          "> XdndPosition source,0,13107400,time,XdndActionCopy",
          "< changed XdndTypeList - 0 0",
          "< changed XdndActionList - 0 0",
          "< XdndStatus target,3,0,0,XdndActionCopy",
          "> XdndDrop source,0,time,0,0",
          "< convert XdndSelection text/plain XDND_TRANSFER_0",
          "> written XDND_TRANSFER_0 text/plain 8 5",
          "> converted XdndSelection text/plain XDND_TRANSFER_0",
          "< XdndFinished target,1,XdndActionCopy,0,0",
        ])
      // The target selects the events of its window without waiting, and may miss the property of the answer.
      #expect(
        stage.target.log.filter { $0 != "< changed XDND_TRANSFER_0 - 0 0" } == [
          "> written XdndAware ATOM 32 4",
          "< owner XdndSelection somebody",
          "< XdndEnter source,83886081,text/plain;charset=utf-8,UTF8_STRING,text/plain",
          "< XdndPosition source,0,13107400,time,XdndActionCopy",
          "> read XdndTypeList ATOM 32 \(types)",
          "> read XdndActionList ATOM 32 XdndActionCopy",
          "> read XdndActionDescription - 0 0",
          "> XdndStatus target,3,0,0,XdndActionCopy",
          "< XdndDrop source,0,time,0,0",
          "> convert XdndSelection text/plain XDND_TRANSFER_0",
          "< converted XdndSelection text/plain XDND_TRANSFER_0",
          "> read XDND_TRANSFER_0 text/plain 8 5",
          "> deleted XDND_TRANSFER_0 - 0 0",
          "< removed XDND_TRANSFER_0 - 0 0",
          "> XdndFinished target,1,XdndActionCopy,0,0",
        ])
    }
  }

  @Test func `nothing is told to nobody, and who listens costs the server not one request`() async throws {
    try await with { stage in
      func requests(listening: Bool) throws -> [UInt] {
        let sides = [stage.source, stage.target]
        for side in sides { side.listens(listening) }
        _ = try stage.settle()
        let before = sides.map { XNextRequest($0.driver.display) }
        let outcome = try stage.drop([Self.item])
        #expect(outcome == .dropped(.copy))
        let rounds = try stage.settle()
        return zip(sides, before).map { XNextRequest($0.driver.display) - $1 - rounds }
      }
      _ = try requests(listening: true)
      stage.source.clear()
      stage.target.clear()
      let silent = try requests(listening: false)
      #expect(stage.source.events.isEmpty && stage.target.events.isEmpty)
      let told = try requests(listening: true)
      #expect(!stage.source.events.isEmpty && !stage.target.events.isEmpty)
      #expect(told == silent)
    }
  }

  @Test func `words come as they are, also those that mean nothing, and messages that are none`() async throws {
    try await XServer.with { server in
      try await onOwnThread {
        let peer = try XlibPeer(server)
        let stranger = peer.makeWindow(Rect(x: 0, y: 0, width: 10, height: 10))
        let stage = try WireStage(server.displayName)
        stage.target.clear()
        let words = [Int(stranger.rawValue), 0x0500_00F0, Int(peer.atom("text/plain")), 0x1FFF_FFFF, -1]
        peer.send("XdndEnter", words, to: stage.window)
        peer.send("XdndPosition", [1, -2, 3, -4, 0], to: stage.window)
        peer.send("NotOfXdnd", [1, 2, 3, 4, 5], to: stage.window)
        peer.sendBytes("XdndDrop", to: stage.window)
        peer.sync()
        try stage.run { stage.target.events.count < 4 }
        let messages = stage.target.events.compactMap {
          if case .message(let message) = $0.action { message } else { nil }
        }
        #expect(
          messages == [
            WireEvent.Message(
              type: AtomName("XdndEnter"), window: stage.window,
              words: [stranger.rawValue, 0x0500_00F0, words.word(2), 0x1FFF_FFFF, 0xFFFF_FFFF],
              names: [2: AtomName("text/plain")]),
            WireEvent.Message(
              type: AtomName("XdndPosition"), window: stage.window, words: [1, 0xFFFF_FFFE, 3, 0xFFFF_FFFC, 0]),
            WireEvent.Message(type: AtomName("XdndDrop"), window: stage.window, words: []),
          ])
      }
    }
  }

  @Test func `of a long property no more is told than the limit, and how long it is`() async throws {
    try await with { stage in
      stage.source.driver.wireEventByteLimit = 100
      stage.target.driver.wireEventByteLimit = 0
      let bytes = TestContent.bytes(4 << 20)
      var item = DragItem()
      item.promise("text/plain", bytes: bytes)
      let outcome = try stage.drop([item])
      #expect(outcome == .dropped(.copy))
      #expect(TestContent.isEqual(stage.target.received, bytes))
      let parts = stage.source.properties(.written).filter { $0.name.isTransfer }
      #expect(parts.first?.type == .incr)
      #expect(parts.dropFirst().map(\.byteCount).reduce(0, +) == bytes.count)
      #expect(parts.last?.byteCount == 0)
      #expect(parts[1].bytes == Array(bytes.prefix(100)))
      let read = stage.target.properties(.read).filter { $0.name.isTransfer }
      #expect(read.allSatisfy { $0.bytes.isEmpty })
      #expect(read.map(\.byteCount) == parts.map(\.byteCount))
      // Each part is taken before the next one comes, and the source hears of it.
      #expect(stage.source.properties(.removed).count { $0.name.isTransfer } == parts.count)
      #expect(stage.target.properties(.deleted).count { $0.name.isTransfer } == parts.count)
    }
  }

  @Test func `a selection that another one takes, and a window that goes, are told`() async throws {
    try await with { stage in
      var kept: DropSession?
      stage.target.onDrop = { kept = $0 }
      let drag = stage.source.driver.drop([Self.item], on: stage.window)
      try stage.run { kept == nil }
      stage.source.clear()
      let display = try #require(stage.target.driver.display)
      XSetSelectionOwner(
        display, XInternAtom(display, "XdndSelection", False), stage.window.xid,
        Time(stage.target.driver.serverTime.rawValue))
      try stage.run { !stage.source.log.contains("< owner XdndSelection somebody") }
      XDestroyWindow(display, stage.window.xid)
      try stage.run { drag.outcome == nil }
      #expect(drag.outcome == .targetVanished)
      #expect(stage.source.log.contains("< owner XdndSelection somebody"))
    }
  }

  @Test func `the target's end is told`() async throws {
    try await with { stage in
      stage.target.onDrop = { _ in _ = XDestroyWindow(stage.target.driver.display, stage.window.xid) }
      let outcome = try stage.drop([Self.item])
      #expect(outcome == .targetVanished)
      #expect(stage.source.log.contains("< vanished"))
    }
  }

  @Test func `on a borrowed display as well`() async throws {
    try await XServer.with { server in
      try await onOwnThread { [name = server.displayName] in
        let stage = try WireStage(name)
        let host = try #require(DisplayOpening.open(name))
        defer { XCloseDisplay(host) }
        let driver = try DragAndDrop(borrowing: host)
        var log: [String] = []
        driver.onWireEvent = { log.append($0.line) }
        let drag = driver.drop([Self.item], on: stage.window)
        try stage.run {
          while XPending(host) > 0 {
            var event = XEvent()
            XNextEvent(host, &event)
            _ = driver.filter(xEvent: &event)
          }
          return drag.outcome == nil
        }
        #expect(drag.outcome == .dropped(.copy))
        #expect(log.filter { $0.contains("Xdnd") }.count { $0.hasPrefix("> XdndP") || $0.hasPrefix("< XdndS") } == 2)
        #expect(log.last == "< XdndFinished target,1,XdndActionCopy,0,0")
      }
    }
  }
}

extension [Int] {
  fileprivate func word(_ index: Int) -> UInt32 { UInt32(truncatingIfNeeded: self[index]) }
}

extension XlibPeer {
  /// A message of format 8, which none of XDND has.
  fileprivate func sendBytes(_ type: String, to window: WindowID) {
    var event = XEvent()
    event.xclient.type = ClientMessage
    event.xclient.window = window.xid
    event.xclient.message_type = atom(type)
    event.xclient.format = 8
    XSendEvent(display, window.xid, False, NoEventMask, &event)
    sync()
  }
}
