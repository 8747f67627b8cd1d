import XDnDX11
import XDnDConformance
import Foundation
import TestSupport
import Testing
import XDnD

@Suite("xdnd-probe check", .requiresXvfb)
struct CheckToolTests {
  @Test(arguments: ["text", "file"])
  func `xdnd-source breaks no rule, and nearly all are seen`(_ content: String) async throws {
    let directory = try TemporaryDirectory("files")
    let file = try directory.write("Hello".utf8, to: "a b.txt")
    try await XServer.with { server in
      let check = try await CheckScene.set(on: server) {
        try server.launchSource($0, content == "text" ? ["--text", "Grüße"] : [file])
      }
      try await check.dropRefused()
      try await check.scene.source.waitFor("ended")
      try await check.drop()
      let verdicts = try await check.verdicts()
      #expect(verdicts.rules("broken") == [], "\(verdicts.values.map(\.description))")
      #expect(verdicts.rules("advice") == [], "\(verdicts.values.map(\.description))")
      #expect(Set(verdicts.keys) == Set(ConformanceRule.all(of: .source).map(\.id)))
      let unseen =
        content == "text" ? ["incr-form", "uri-list-form"] : ["incr-form", "direct-save", "type-list-names"]
      #expect(verdicts.rules("not-seen").isSubset(of: unseen), "\(verdicts.rules("not-seen"))")
      #expect(try await check.scene.target.exit() == .exited(0))
    }
  }

  @Test func `each of many types is asked for`() async throws {
    try await XServer.with { server in
      let types = (1...60).flatMap { ["--type", "x-many/type-\($0)=\($0)"] }
      let check = try await CheckScene.set(on: server) { try server.launchSource($0, types) }
      try await check.drop()
      let delivered = try #require(try await check.verdicts()["advertised-delivered"])
      #expect(delivered.string("result") == "pass")
      let evidence = delivered.string("evidence") ?? ""
      let count = try #require(evidence.firstMatch(of: /; (\d+) in all/)?.1)
      #expect(Int(count) ?? 0 >= 60 && !evidence.contains("not asked for"), "\(evidence)")
    }
  }

  @Test func `xdnd-probe breaks no rule, and nearly all are seen`() async throws {
    try await XServer.with { server in
      let probe = try server.launchProbe(DragScene.targetGeometry, ["--accept", "text/plain"])
      let window = try #require(try await probe.waitFor("ready").integer("window"))
      let (status, verdicts) = try await server.check(window)
      #expect(verdicts.rules("broken") == [], "\(verdicts.values.map(\.description))")
      // Of a list of files, it reads the names while it hovers: it takes the files with text.
      #expect(verdicts.rules("advice") == ["fetch-after-drop"], "\(verdicts.values.map(\.description))")
      #expect(status == .exited(0))
      #expect(Set(verdicts.keys) == Set(ConformanceRule.all(of: .target).map(\.id)))
      // It has no proxy.
      #expect(verdicts.rules("not-seen") == ["proxy-self"])
    }
  }

  @Test func `a window that takes no drops is said to take none`() async throws {
    try await XServer.with { server in
      let peer = try XlibPeer(server)
      let window = peer.makeWindow(Rect(x: 10, y: 10, width: 100, height: 100))
      let (status, verdicts) = try await server.check(Int(window.rawValue))
      #expect(status == .exited(3))
      #expect(verdicts.isEmpty)
    }
  }

  @Test func `a target that says nothing breaks what it does not do`() async throws {
    try await XServer.with { server in
      let peer = try XlibPeer(server)
      let window = peer.makeTarget(Rect(x: 10, y: 10, width: 100, height: 100))
      let (status, verdicts) = try await server.check(Int(window.rawValue))
      #expect(status == .exited(1))
      #expect(verdicts.rules("broken") == ["status-answers", "version-negotiated"])
      #expect(verdicts.rules("pass") == ["aware-version"])
    }
  }

  @Test func `a target that dies is said to have died`() async throws {
    try await XServer.with { server in
      let peer = try XlibPeer(server)
      let window = peer.makeTarget(Rect(x: 10, y: 10, width: 100, height: 100))
      let process = try server.launch(
        BuiltProducts.executable("xdnd-probe"), ["check", "--target", String(window.rawValue)])
      _ = peer.event(ClientMessage)
      peer.destroy(window)
      #expect(try await process.exit() == .exited(5))
    }
  }

  @Test func `without a drag in time the code is 4`() async throws {
    try await XServer.with { server in
      let process = try server.launch(BuiltProducts.executable("xdnd-probe"), ["check", "--timeout", "0.5"])
      #expect(try await process.exit() == .exited(4))
      #expect(process.errors.text == "xdnd-probe: no drag was observed\n")
    }
  }

  @Test func `a signal ends it with 2`() async throws {
    try await XServer.with { server in
      let process = try server.launch(BuiltProducts.executable("xdnd-probe"), ["check", "--format", "json"])
      try await process.waitFor("ready")
      process.send(SIGINT)
      #expect(try await process.exit() == .exited(2))
    }
  }

  @Test func `a signal while a silent source is asked ends it with 2, at once`() async throws {
    try await XServer.with { server in
      let process = try server.launch(BuiltProducts.executable("xdnd-probe"), ["check", "--format", "json"])
      let window = WindowID(rawValue: UInt32(try #require(try await process.waitFor("ready").integer("window"))))
      let source = try SilentSource(on: server)
      try source.drop(on: window)
      // It has begun to ask, and waits for an answer that never comes.
      try source.waitForRequest()
      process.send(SIGINT)
      #expect(try await process.exit(timeout: .seconds(2)) == .exited(2))
    }
  }

  @Test func `a drop without an Enter is a drag, and is checked`() async throws {
    try await XServer.with { server in
      let process = try server.launch(
        BuiltProducts.executable("xdnd-probe"), ["check", "--format", "json", "--timeout", "12"])
      let window = WindowID(rawValue: UInt32(try #require(try await process.waitFor("ready").integer("window"))))
      let source = try SilentSource(on: server)
      source.send("XdndDrop", [0, 0], to: window)
      #expect(try await process.exit(timeout: .seconds(60)) == .exited(1))
      let verdict = CheckScene.verdicts(of: process)["enter-first"]
      #expect(verdict?.string("evidence")?.contains("XdndDrop belongs to no XdndEnter") == true)
    }
  }

  /// Also in the middle of the first drawing, when Xlib's extensions are asked for.
  @Test(arguments: 1...6)
  func `the server may be lost`(time: Int) async throws {
    let server = try await XServer.start()
    let process = try server.launch(BuiltProducts.executable("xdnd-probe"), ["check", "--format", "json"])
    try await process.waitFor("ready")
    try await server.terminate()
    #expect(try await process.exit() == .exited(74))
  }

  @Test func `rules are chosen, and reports are for people, programs and test runners`() async throws {
    try await XServer.with { server in
      let probe = try server.launchProbe(DragScene.targetGeometry, [])
      let window = try #require(try await probe.waitFor("ready").integer("window"))
      let file = server.directory("drag.jsonl")
      let text = try server.launch(
        BuiltProducts.executable("xdnd-probe"),
        ["check", "--target", "\(window)", "--rule", "status-window,proxy-self", "--save", file])
      #expect(try await text.exit() == .exited(0))
      let lines = text.output.text.split(separator: "\n")
      #expect(lines.count == 4)
      #expect(lines[0].hasPrefix("Checking "))
      #expect(lines[1].hasPrefix("pass     status-window "))
      #expect(lines[2].hasPrefix("not-seen proxy-self "))
      #expect(lines[3] == "xdnd-probe: 1 passed, 0 broken, 0 advice, 1 not seen.")

      // The saved recording is the one that was checked.
      let recording = try Recording(text: Data(contentsOf: URL(fileURLWithPath: file)))
      #expect(recording.role == .source)
      #expect(recording.peer.program == "xdnd-probe")
      let checker = ConformanceChecker(role: .source, entries: recording.entries, frame: recording.target?.frame)
      #expect(!checker.results().contains { $0.outcome == .broken })

      let junit = try server.launch(
        BuiltProducts.executable("xdnd-probe"),
        ["check", "--target", "\(window)", "--rule", "status-window,proxy-self", "--format", "junit"])
      #expect(try await junit.exit() == .exited(0))
      let document = junit.output.text
      #expect(document.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite "))
      #expect(document.contains(#"tests="2" failures="0" errors="0" skipped="1""#))
      #expect(document.contains(#"<testcase classname="target" name="status-window">"#))
      #expect(document.contains("<skipped "))
    }
  }

  @Test func `wrong arguments are one line and 64`() async throws {
    for arguments in [
      ["--rule", "no-such-rule"], ["--at", "1,2"], ["--target", "1", "--at", "1"],
      ["--target", "1", "--at", "9223372036854775807,1"], ["--timeout", "0"],
      ["--format", "xml"], ["--target", "1", "--geometry", "10x10"],
      // Rules of the other side.
      ["--rule", "status-window"], ["--target", "1", "--rule", "status-window,drop-time"],
      // Standard output has the results.
      ["--save", "-"], ["--target", "1", "--save", "-"],
    ] {
      let (status, output, errors) = try await Tool.probe.run(["check"] + arguments)
      #expect(status == .exited(64), "\(arguments)")
      #expect(output == "")
      #expect(errors.split(separator: "\n").count == 1, "\(errors)")
    }
  }

  @Test func `a recording that cannot be written is 64 before there is a drag, or a connection`() async throws {
    let file = "/nonexistent/x.jsonl"
    for arguments in [["--save", file], ["--target", "1", "--save", file]] {
      let (status, output, errors) = try await Tool.probe.run(["check"] + arguments)
      #expect(status == .exited(64), "\(arguments)")
      #expect(output == "")
      #expect(errors.contains("cannot write '\(file)': No such file or directory"), "\(errors)")
      #expect(errors.split(separator: "\n").count == 1, "\(errors)")
    }
  }

  @Test func `the rules can be read without a display`() async throws {
    let (status, output, _) = try await Tool.probe.run(["check", "--list"])
    #expect(status == .exited(0))
    #expect(output.split(separator: "\n").count == ConformanceRule.all.count)
  }

  @Test func `without a display the code is 69`() async throws {
    #expect(try await Tool.probe.run(["check", "--display", ":987"]).status == .exited(69))
  }
}

/// A source that drags text and answers no request.
private struct SilentSource {
  private let peer: ScriptedClient
  private let window: WindowID

  init(on server: XServer) throws {
    peer = try #require(ScriptedClient(connectingTo: server.displayName))
    window = peer.makeWindow()
  }

  /// Sends a message with its own window in the first word.
  func send(_ type: String, _ words: [ScriptedClient.Word], to target: WindowID) {
    peer.send(type, [.window(window)] + words, to: target)
  }

  /// Comes in, waits for an acceptance and drops.
  func drop(on target: WindowID) throws {
    let frame = try #require(peer.frame(of: target))
    let time = peer.serverTime()
    peer.own("XdndSelection", by: window, at: time)
    send("XdndEnter", [.number(5 << 24), .atom("text/plain")], to: target)
    let place = UInt32(frame.origin.x + 20) << 16 | UInt32(frame.origin.y + 20)
    send("XdndPosition", [0, .number(place), .number(time.rawValue), .atom("XdndActionCopy")], to: target)
    _ = try #require(peer.next(until: .now + .seconds(5)) { $0.isMessage("XdndStatus") })
    send("XdndDrop", [0, .number(time.rawValue)], to: target)
  }

  func waitForRequest() throws {
    let request = peer.next(until: .now + .seconds(5)) { if case .conversion = $0.action { true } else { false } }
    try #require(request != nil)
  }
}

extension WireEvent {
  fileprivate func isMessage(_ type: String) -> Bool {
    if case .message(let message) = action { message.type.rawValue == type } else { false }
  }
}
