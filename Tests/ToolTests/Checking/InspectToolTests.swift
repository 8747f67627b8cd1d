import TestSupport
import Testing
import XDnD

import enum TestSupport.ExitStatus

@Suite("xdnd-probe inspect", .requiresXvfb, .requiresOpenbox)
struct InspectToolTests {
  private func inspect(
    _ server: XServer, _ arguments: [String]
  ) async throws -> (status: ExitStatus, lines: [JSONLine]) {
    let process = try server.launch(
      BuiltProducts.executable("xdnd-probe"), ["inspect", "--format", "json"] + arguments)
    let status = try await process.exit()
    return (status, process.output.text.split(separator: "\n").compactMap { JSONLine(String($0)) })
  }

  @Test func `a desktop has a window manager, and its windows that take drops`() async throws {
    try await XServer.with(windowManager: .openbox) { server in
      let probe = try server.launchProbe(DragScene.targetGeometry, [])
      let window = try await probe.waitFor("ready").integer("window")
      let (status, lines) = try await inspect(server, [])
      #expect(status == .exited(0))
      #expect(lines.map(\.event) == ["desktop", "drop-target"])
      #expect(lines[0].string("window_manager") == "Openbox")
      #expect(lines[0].boolean("xwayland") == false)
      #expect(lines[0].integer("width") == 1280)
      #expect(lines[1].integer("window") == window)
      #expect(lines[1].string("program") == "xdnd-probe")
      #expect(lines[1].integer("pid") == Int(probe.pid))
      #expect(lines[1].integer("version") == 5)
    }
  }

  @Test func `the title of a probe says what was dropped last, and which program it is`() async throws {
    try await XServer.with(windowManager: .openbox) { server in
      let (probe, window) = try await server.launchTarget()
      func title() async throws -> String? { try await inspect(server, ["\(window)"]).lines.first?.string("title") }
      #expect(try await title() == "xdnd-probe")
      let files = try ["one", "two", "three"].map { try server.directory.write($0.utf8, to: $0) }
      for (content, expected) in [(["--text", "some text"], "some text"), (files, "3 items")] {
        let source = try server.launchBareSource(["--to", "\(window)"] + content)
        #expect(try await source.exit() == .exited(0))
        try await probe.waitFor("ended")
        #expect(try await title() == "\(expected) – xdnd-probe")
      }
    }
  }

  @Test func `a window is found by its name, with its frame`() async throws {
    try await XServer.with(windowManager: .openbox) { server in
      let probe = try server.launchProbe(DragScene.targetGeometry, [])
      let ready = try await probe.waitFor("ready")
      let (status, lines) = try await inspect(server, ["xdnd-probe"])
      #expect(status == .exited(0))
      let line = try #require(lines.first)
      #expect(line.event == "inspected")
      #expect(line.integer("window") == ready.integer("window"))
      #expect(line.integer("frame") != line.integer("window"))
      #expect(line.integer("client") == line.integer("window"))
      #expect(line.boolean("takes_drops") == true)

      // And from its frame.
      let frame = try #require(line.integer("frame"))
      let fromFrame = try await inspect(server, ["\(frame)"]).lines[0]
      #expect(fromFrame.integer("window") == frame)
      #expect(fromFrame.integer("client") == ready.integer("window"))
      #expect(fromFrame.string("program") == "xdnd-probe")
      #expect(fromFrame.boolean("takes_drops") == true)
      let x = try #require(ready.integer("x"))
      #expect(line.integers("at")?.first == x + 150)
      #expect(line.strings("sentences") == ["Accepts drops with XDND version 5."])
    }
  }

  @Test func `what takes drops may be inside, outside, old, covered or not shown`() async throws {
    try await XServer.with { server in
      let peer = try XlibPeer(server)
      let outer = peer.makeWindow(Rect(x: 10, y: 10, width: 200, height: 200))
      let inner = peer.makeTarget(in: outer, Rect(x: 50, y: 50, width: 100, height: 100), version: 4)
      let fromOutside = try await inspect(server, [String(outer.rawValue)])
      #expect(fromOutside.status == .exited(0))
      let sentences = fromOutside.lines[0].strings("sentences") ?? []
      #expect(sentences[0].contains("\(inner), inside this window"))
      #expect(sentences[1].contains("version 4"))

      // Beside it nothing takes drops.
      let beside = try await inspect(server, [String(outer.rawValue), "--at", "5,5"])
      #expect(beside.status == .exited(3))

      let leaf = peer.makeWindow(in: inner, Rect(x: 0, y: 0, width: 50, height: 50))
      let fromInside = try await inspect(server, [String(leaf.rawValue)])
      #expect(fromInside.lines[0].strings("sentences")?[0].contains("\(inner), which contains this window") == true)

      let cover = peer.makeWindow(Rect(x: 0, y: 0, width: 300, height: 300))
      let covered = try await inspect(server, [String(outer.rawValue)])
      #expect(covered.status == .exited(3))
      #expect(covered.lines[0].integer("covered_by") == Int(cover.rawValue))
      peer.destroy(cover)

      let hidden = peer.makeTarget(Rect(x: 400, y: 10, width: 50, height: 50), mapped: false)
      let unseen = try await inspect(server, [String(hidden.rawValue)])
      #expect(unseen.status == .exited(3))
      #expect(unseen.lines[0].boolean("shown") == false)
    }
  }

  @Test func `a proxy is followed, and one that was left behind is named`() async throws {
    try await XServer.with { server in
      let peer = try XlibPeer(server)
      let target = peer.makeTarget(Rect(x: 10, y: 10, width: 100, height: 100))
      let proxy = peer.makeTarget(Rect(x: 300, y: 10, width: 10, height: 10), version: 4)
      peer.setProxy(proxy, on: target)
      let stale = try await inspect(server, [String(target.rawValue)])
      #expect(stale.lines[0].strings("sentences")?[0].contains("does not name itself") == true)
      peer.setProxy(proxy, on: proxy)
      let valid = try await inspect(server, [String(target.rawValue)])
      #expect(valid.lines[0].strings("sentences")?[0] == "Messages go to its proxy, \(proxy).")
      #expect(valid.lines[0].strings("sentences")?[1].contains("version 4") == true)
    }
  }

  @Test func `what a source offers is in its lists`() async throws {
    try await XServer.with { server in
      let peer = try XlibPeer(server)
      let window = peer.makeWindow(Rect(x: 10, y: 10, width: 100, height: 100))
      let types = ["text/html", "UTF8_STRING"].map { UInt32(peer.atom($0)) }
      peer.setWords(types, "XdndTypeList", type: "ATOM", on: window)
      let (_, lines) = try await inspect(server, [String(window.rawValue)])
      #expect(lines[0].strings("types") == ["text/html", "UTF8_STRING"])
    }
  }

  @Test func `there may be no such window, and no display`() async throws {
    try await XServer.with { server in
      let status = try await inspect(server, ["no such window"]).status
      #expect(status == .exited(3))
    }
    #expect(try await Tool.probe.run(["inspect", "--display", ":987"]).status == .exited(69))
    #expect(try await Tool.probe.run(["inspect", "--at", "1,1"]).status == .exited(64))
  }
}
