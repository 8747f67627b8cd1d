import XDnDX11
import Foundation
import XDnDConformance
import TestSupport
import Testing

@testable import XDnD

/// What truly comes of a drop, whatever the target says when.
@Suite(.serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct DeliveryEndTests {
  private static let text = "Hello"
  private static let type = "UTF8_STRING"
  private static let fetched = ScriptedClient.Answer.content(
    ScriptedClient.Content(type: AtomName(rawValue: type), bytes: Array(text.utf8)))

  private func outcome(_ source: ChildProcess) -> String? { source.printed("ended").last?.string("outcome") }

  /// The order of the events that tell the end.
  private func end(_ source: ChildProcess) -> [String] {
    source.output.text.split(separator: "\n").compactMap { JSONLine(String($0))?.event }
      .filter { ["finished", "sent", "ended"].contains($0) }
  }

  @Test func `a target that asks for the content after Finished is served, as Dolphin is`() async throws {
    try await XServer.with { server in
      let target = ScriptedTarget(onDrop: [
        .finish(isAccepted: true, action: "XdndActionCopy"), .pause(.milliseconds(300)), .convert(Self.type),
      ])
      let (source, exit, answers) = try await server.deliver(to: target, ["--text", Self.text])
      #expect(answers == [Self.fetched])
      #expect(exit == .exited(0))
      #expect(end(source) == ["finished", "sent", "ended"])
      #expect(outcome(source) == "dropped")
    }
  }

  @Test(arguments: [4, 5] as [UInt32])
  func `a target that finishes and never asks is 7, whatever it says`(version: UInt32) async throws {
    try await XServer.with { server in
      // Zeros in Finished: FLTK, whose version has no word for success.
      let target = ScriptedTarget(
        version: version, onDrop: [.finish(isAccepted: version == 5, action: version == 5 ? "XdndActionCopy" : "")])
      let (source, exit, _) = try await server.deliver(to: target, ["--text", Self.text, "--linger", "0.2"])
      #expect(exit == .exited(7))
      #expect(end(source) == ["finished", "ended"])
      #expect(outcome(source) == "nothing-requested")
      #expect(source.printed("ended").last?.string("operation") == nil)
    }
  }

  @Test func `a target that has read everything while the drag was over it need not ask again`() async throws {
    try await XServer.with { server in
      let target = ScriptedTarget(
        version: 4, onPosition: [.convert(Self.type)], onDrop: [.finish(isAccepted: false)])
      let (source, exit, answers) = try await server.deliver(to: target, ["--text", Self.text])
      #expect(answers.first == Self.fetched)
      #expect(exit == .exited(0))
      #expect(end(source).last == "ended" && !end(source).contains("finished"))
      #expect(outcome(source) == "dropped")
    }
  }

  @Test func `a success without any content that could be delivered is 6`() async throws {
    try await XServer.with { server in
      let target = ScriptedTarget(onDrop: [
        .convert("a/b"), .finish(isAccepted: true, action: "XdndActionCopy"),
      ])
      let (source, exit, answers) = try await server.deliver(to: target, ["--type", "a/b=!false"])
      #expect(answers == [.refused])
      #expect(exit == .exited(6))
      #expect(outcome(source) == "transfer-failed")
    }
  }

  @Test(arguments: ["copy", "move"])
  func `a target that has read the content and reports failure has taken it, and moved nothing`(
    operation: String
  ) async throws {
    try await XServer.with { server in
      // As Kate, Krita and GNOME Text Editor do with a list of files that they have opened.
      let target = ScriptedTarget(
        action: operation == "copy" ? "XdndActionCopy" : "XdndActionMove",
        onDrop: [.convert(Self.type), .finish(isAccepted: false)])
      let (source, exit, answers) = try await server.deliver(to: target, ["--action", operation, "--text", Self.text])
      #expect(answers == [Self.fetched])
      #expect(exit == .exited(0))
      #expect(source.printed("ended").map { $0.string("outcome") } == ["delivered"])
      #expect(source.printed("ended").last?.string("operation") == nil)
      #expect(source.printed("ended").last?.boolean("delete") == false)
    }
  }

  @Test func `a target that has asked for the list of types alone has refused`() async throws {
    try await XServer.with { server in
      let target = ScriptedTarget(onDrop: [.convert("TARGETS"), .convert("TIMESTAMP"), .finish(isAccepted: false)])
      let (source, exit, _) = try await server.deliver(to: target, ["--text", Self.text])
      #expect(exit == .exited(1))
      #expect(outcome(source) == "refused")
    }
  }

  @Test func `nothing is said of a drop that was refused in the middle of a transfer before that has ended`()
    async throws
  {
    try await XServer.with { server in
      let target = ScriptedTarget(onDrop: [
        .take("a/b", parts: 1), .finish(isAccepted: false), .pause(.seconds(5)),
      ])
      let (source, exit, _) = try await server.deliver(to: target, ["--type", "a/b=!head -c 8000000 /dev/zero"])
      #expect(exit == .exited(1))
      #expect(end(source) == ["sent", "ended"])
      #expect(source.printed("sent").map { $0.boolean("ok") } == [false])
      #expect(outcome(source) == "refused")
    }
  }

  @Test func `DELETE counts with a Finished that says move, and not while the drag hovers`() async throws {
    try await XServer.with { server in
      let move = "XdndActionMove"
      let arguments = ["--action", "copy,move", "--text", Self.text]
      let early = ScriptedTarget(
        action: move, onPosition: [.convert("DELETE")],
        onDrop: [.convert(Self.type), .finish(isAccepted: true, action: move)])
      let (source, exit, answers) = try await server.deliver(to: early, arguments)
      #expect(exit == .exited(0))
      #expect(answers.first == .refused)
      #expect(source.printed("ended").last?.string("operation") == "move")
      #expect(source.printed("ended").last?.boolean("delete") == false)

      let late = ScriptedTarget(
        action: move, onDrop: [.convert(Self.type), .convert("DELETE"), .finish(isAccepted: true, action: move)])
      let (honest, _, _) = try await server.deliver(to: late, arguments)
      #expect(honest.printed("ended").last?.boolean("delete") == true)
    }
  }

  // MARK: The window of --to

  @Test func `a run that finds no window ends with a line, too`() async throws {
    try await XServer.with { server in
      let source = try server.launchBareSource(["--to", "no such name", "--text", "x"])
      #expect(try await source.exit() == .exited(3))
      let ended = try #require(source.printed("ended").last)
      #expect(ended.string("outcome") == "no-target")
      #expect(ended.string("reason") == "no window named 'no such name'; with --timeout the tool waits for it")
    }
  }

  @Test func `with --timeout the window is waited for, and what was missed is said`() async throws {
    try await XServer.with { server in
      let deaf = try XlibPeer(server).makeWindow(Rect(x: 10, y: 10, width: 100, height: 100))
      for window in ["no such name", "\(deaf.rawValue)"] {
        let source = try server.launchBareSource(["--to", window, "--timeout", "0.3", "--text", "x"])
        #expect(try await source.exit() == .exited(4))
        #expect(source.printed("timed-out").count == 1)
        #expect(source.printed("ended").map { $0.string("outcome") } == ["timed-out"])
        #expect(source.printed("ended").first?.string("reason") != nil)
      }
    }
  }

  @Test func `a window gets its drop as soon as it has its name and takes drops`() async throws {
    try await XServer.with { server in
      let peer = try XlibPeer(server)
      let window = peer.makeWindow(Rect(x: 10, y: 10, width: 100, height: 100))
      let source = try server.launchBareSource(["--to", "late", "--timeout", "60", "--text", "x"])
      try await peer.awaitListener(on: window)
      XStoreName(peer.display, window.xid, "late")
      peer.setWords([5], "XdndAware", type: "ATOM", on: window)
      peer.sync()
      #expect(try await source.waitFor("target").integer("window") == Int(window.rawValue))
      source.send(SIGTERM)
      #expect(try await source.exit() == .exited(2))
      #expect(source.printed("ended").map { $0.string("outcome") } == ["cancelled"])
    }
  }
}

extension XlibPeer {
  /// Returns when somebody listens to what becomes of a window.
  fileprivate func awaitListener(on window: WindowID) async throws {
    let deadline = ContinuousClock.now + .seconds(20)
    var attributes = XWindowAttributes()
    repeat {
      guard .now < deadline else { throw HarnessError("nobody listens to \(window)") }
      try await Task.sleep(for: .milliseconds(10))
      XGetWindowAttributes(display, window.xid, &attributes)
    } while attributes.all_event_masks & PropertyChangeMask == 0
  }
}

extension XServer {
  /// Returns when a probe with `--verbose` has sent its answer to the position `place`.
  ///
  /// A drop is sent only when the last position has its answer, so a probe may not be stopped before.
  fileprivate func awaitAnswer(of probe: ChildProcess, _ window: Int, at place: Point) async throws {
    try await probe.waitFor("position") { $0.point == place }
    // The line is printed before the answer is sent. A ping that comes later is answered after that.
    try await awaitPing(of: window)
  }

  /// Returns when a tool's window has answered a ping, and so has taken all events before it.
  func awaitPing(of window: Int) async throws {
    let peer = try XlibPeer(self)
    XSelectInput(peer.display, peer.root, SubstructureNotifyMask)
    let (ping, target) = (Int(peer.atom("_NET_WM_PING")), WindowID(rawValue: UInt32(window)))
    peer.send("WM_PROTOCOLS", [ping, 0, window, 0, 0], to: target)
    let deadline = ContinuousClock.now + .seconds(20)
    var event = XEvent()
    while XCheckTypedEvent(peer.display, ClientMessage, &event) == 0 || event.xclient.data.l.0 != ping {
      guard .now < deadline else { throw HarnessError("window \(window) does not answer a ping") }
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}

/// Hands that are quicker than the tool, or than the target.
@Suite(.serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct QuickDragTests {
  @Test func `a drag that is over before the tool has looked at it is a drag all the same`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(on: server, source: ["--once", "--text", "x"], probe: ["--once"])
      scene.source.send(SIGSTOP)
      scene.pointer.move(to: scene.start)
      scene.pointer.press()
      scene.pointer.move(to: scene.end)
      scene.pointer.release()
      scene.source.send(SIGCONT)
      #expect(try await scene.target.exit() == .exited(0))
      #expect(try await scene.source.exit() == .exited(0))
      #expect(scene.target.printed("data").first?.integer("bytes") == 1)
    }
  }

  @Test func `a click that is over before the tool has looked at it is no drag`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(on: server, source: ["--text", "x"])
      let row = try #require(scene.source.printed("ready").first?.objects("rows")?.first).point
      scene.source.send(SIGSTOP)
      scene.pointer.move(to: row)
      scene.pointer.press()
      scene.pointer.release()
      scene.pointer.move(to: scene.end)
      scene.source.send(SIGCONT)
      try await scene.source.waitFor("selection")
      try await scene.dragAndDrop()
      try await scene.source.waitFor("ended")
      #expect(scene.source.printed("drag-began").count == 1)
    }
  }

  @Test func `another drag begins while the last drop waits for its target`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(on: server, source: ["--text", "x"], probe: ["--verbose"])
      try await scene.carryUntilAccepted()
      let window = try #require(scene.target.printed("ready").first?.integer("window"))
      try await server.awaitAnswer(of: scene.target, window, at: scene.end)
      scene.target.send(SIGSTOP)
      scene.pointer.release()
      try await scene.source.waitFor("drop-sent")
      try await scene.carryNowhere()
      scene.pointer.release()
      #expect(try await scene.source.waitFor("ended").string("outcome") == "no-target")
      scene.target.send(SIGCONT)
      #expect(try await scene.source.waitFor("ended").string("outcome") == "dropped")
      #expect(try await scene.target.waitFor("ended").string("outcome") == "dropped")
    }
  }

  @Test func `a drag that begins before the last drop has its answer waits, and cancels nothing`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(on: server, source: ["--text", "x"])
      scene.target.send(SIGSTOP)
      try await scene.carry()
      try await scene.source.waitFor("drag-began")
      try await scene.source.waitFor("target")
      scene.pointer.release()
      try await scene.pointer.drag(along: [scene.start, DragScene.nowhere])
      #expect(scene.source.printed("drag-began").count == 1)
      scene.target.send(SIGCONT)
      try await scene.source.waitFor("drop-sent")
      // The second one follows by itself: the button is still down.
      try await scene.source.waitFor("drag-began")
      scene.pointer.release()
      #expect(try await scene.source.outcomes(ofDrags: 2) == ["dropped", "no-target"])
    }
  }

  @Test func `a press that the tool finds together with the release of the last drag begins another`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(on: server, source: ["--text", "x"])
      try await scene.carryUntilAccepted()
      scene.source.send(SIGSTOP)
      scene.pointer.release()
      try await scene.pointer.drag(along: [scene.start, DragScene.nowhere])
      scene.source.send(SIGCONT)
      try await scene.source.waitFor("drag-began")
      scene.pointer.release()
      #expect(try await scene.source.outcomes(ofDrags: 2) == ["dropped", "no-target"])
    }
  }

  @Test func `with --once there is one drag, and what is pressed meanwhile is selected`() async throws {
    try await XServer.with { server in
      let files = try ["one", "two"].map { try server.directory.write($0.utf8, to: $0) }
      let source = try server.launchSource("300x400+60+60", files + ["--once"])
      let rows = try #require(try await source.waitFor("ready").objects("rows")).map(\.point)
      let (probe, window) = try await server.launchTarget(["--verbose"])
      let (pointer, target) = (try Pointer(server), DragScene.target)
      try await pointer.drag(along: [rows[0], target])
      try await source.waitFor("proposal") { $0.string("operation") != nil }
      try await server.awaitAnswer(of: probe, window, at: target)
      probe.send(SIGSTOP)
      pointer.release()
      try await source.waitFor("drop-sent")
      try await pointer.drag(along: [rows[1], DragScene.nowhere])
      pointer.release()
      try await source.waitFor("selection")
      probe.send(SIGCONT)
      #expect(try await source.exit() == .exited(0))
      #expect(source.printed("drag-began").count == 1)
    }
  }
}
