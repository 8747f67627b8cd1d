import XDnDX11
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// `xdnd-source --now`, and where and how its window opens otherwise.
@Suite("Drags at once, and windows of other kinds", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct NowToolTests {
  @Test func `a drag begins at once, without a window and without a button, and a click drops`() async throws {
    try await XServer.with { server in
      let (probe, _) = try await server.launchTarget()
      let pointer = try Pointer(server)
      pointer.move(to: Point(x: 100, y: 100))
      let file = try server.directory.write("x".utf8, to: "one")
      let source = try server.launchBareSource(["--now", file])
      try await source.waitFor("drag-began")
      try await pointer.glide(to: DragScene.target)
      try await source.waitFor("proposal") { $0.string("operation") == "copy" }
      pointer.press()
      pointer.release()
      #expect(try await probe.waitFor("data").objects("files")?.map { $0.string("path") } == [file])
      #expect(try await source.exit() == .exited(0))
      #expect(source.printed("ready").isEmpty)
    }
  }

  @Test func `Escape cancels, and a click where nothing is finds no target`() async throws {
    try await XServer.with { server in
      let pointer = try Pointer(server)
      for isKey in [true, false] {
        let source = try server.launchBareSource(["--now", "--text", "x"])
        try await source.waitFor("drag-began")
        if isKey {
          try pointer.tap(key: "Escape")
        } else {
          pointer.press()
          pointer.release()
        }
        #expect(try await source.exit() == .exited(isKey ? 2 : 3))
      }
    }
  }

  @Test func `a hotkey that still holds the keyboard is waited for, and one that keeps it is not`() async throws {
    try await XServer.with { server in
      let peer = try XlibPeer(server)
      XGrabKeyboard(peer.display, peer.root, False, GrabModeAsync, GrabModeAsync, Time(CurrentTime))
      peer.sync()
      let source = try server.launchBareSource(["--now", "--text", "x"])
      try await Task.sleep(for: .milliseconds(300))
      #expect(source.isRunning)
      #expect(source.output.text == "")
      XUngrabKeyboard(peer.display, Time(CurrentTime))
      peer.sync()
      try await source.waitFor("drag-began")
      try Pointer(server).tap(key: "Escape")
      #expect(try await source.exit() == .exited(2))

      XGrabKeyboard(peer.display, peer.root, False, GrabModeAsync, GrabModeAsync, Time(CurrentTime))
      peer.sync()
      let other = try server.launchBareSource(["--now", "--text", "x"])
      #expect(try await other.exit() == .exited(2))
      #expect(other.printed("ended").map { $0.string("reason") } == ["grab-lost"])
    }
  }

  // MARK: The window

  @Test(.requiresOpenbox) func `a window opens at the pointer, with its first row under it, on the screen`()
    async throws
  {
    try await XServer.with(windowManager: .openbox) { server in
      let pointer = try Pointer(server)
      for place in [Point(x: 600, y: 300), Point(x: 3, y: 3), Point(x: 1270, y: 790)] {
        pointer.move(to: place)
        let source = try server.launchBareSource(["--at-pointer", "--frameless", "--text", "x"])
        let ready = try await source.waitFor("ready")
        let (x, y) = (ready.point.x, ready.point.y)
        let (width, height) = (ready.integer("width") ?? 0, ready.integer("height") ?? 0)
        #expect((0...(1280 - width)).contains(x))
        #expect((0...(800 - height)).contains(y))
        #expect((x..<(x + width)).contains(place.x) && (y..<(y + height)).contains(place.y))
        if place.x == 600 {
          let row = try #require(ready.objects("rows")?.first?.point)
          #expect(abs(row.x - place.x) < 8 && abs(row.y - place.y) < 20)
        }
      }
    }
  }

  @Test(.requiresOpenbox) func `the window manager hears that the window is to be above and without a frame`()
    async throws
  {
    try await XServer.with(windowManager: .openbox) { server in
      let plain = try await state(of: ["--text", "x"], on: server)
      #expect(!plain.states.contains("_NET_WM_STATE_ABOVE"))
      #expect(plain.frame > 0)
      let other = try await state(of: ["--on-top", "--frameless", "--all-desktops", "--text", "x"], on: server)
      #expect(other.states.contains("_NET_WM_STATE_ABOVE"))
      #expect(other.frame == 0)
      #expect(other.desktop == 0xFFFF_FFFF)
    }
  }

  /// What the window manager has made of the window: its states, the height of its title bar, its desktop.
  private func state(
    of arguments: [String], on server: XServer
  ) async throws -> (states: [String], frame: Int, desktop: Int?) {
    let source = try server.launchBareSource(arguments)
    let window = Window(try #require(try await source.waitFor("ready").integer("window")))
    let peer = try XlibPeer(server)
    let states = peer.longs("_NET_WM_STATE", on: window).compactMap { atom -> String? in
      guard let name = XGetAtomName(peer.display, Atom(atom)) else { return nil }
      defer { XFree(name) }
      return String(cString: name)
    }
    let extents = peer.longs("_NET_FRAME_EXTENTS", on: window)
    let desktop = peer.longs("_NET_WM_DESKTOP", on: window).first.map { $0 & 0xFFFF_FFFF }
    source.kill()
    return (states, extents.count == 4 ? extents[2] : -1, desktop)
  }

  @Test func `the window is narrow without names, and names may be whole paths`() async throws {
    try await XServer.with { server in
      let files = try ["one", "two"].map { try server.directory.write($0.utf8, to: $0) }
      func look(_ arguments: [String]) async throws -> (distance: Int, width: Int?, titles: [String]) {
        let ready = try await server.launchBareSource(files + arguments).waitFor("ready")
        let rows = try #require(ready.objects("rows")).map(\.point)
        return (rows[1].y - rows[0].y, ready.integer("width"), ready.titles)
      }
      let (plain, paths, icons) = try await (look([]), look(["--rows", "paths"]), look(["--rows", "icons"]))
      #expect(plain.titles == ["one", "two"])
      #expect(paths.titles == files)
      #expect(icons.distance == plain.distance)
      #expect(try #require(icons.width) < #require(plain.width))
    }
  }

  // MARK: Opening

  @Test func `a double click opens a file, and so does Control with Return; --no-open does not`() async throws {
    try await XServer.with { server in
      let log = server.directory("opened")
      let bin = try Self.fakeOpener(in: server.directory, log)
      let file = try server.directory.write("x".utf8, to: "a file")
      let pointer = try Pointer(server)
      for isOpening in [true, false] {
        let source = try server.launchBareSource(
          ["--geometry", DragScene.sourceGeometry, file] + (isOpening ? [] : ["--no-open"]), environment: ["PATH": bin])
        let row = try #require(try await source.waitFor("ready").objects("rows")?.first?.point)
        pointer.move(to: row)
        for _ in 0..<2 {
          pointer.press()
          pointer.release()
        }
        try await source.waitFor("selection")
        if isOpening {
          #expect(try await source.waitFor("opened").string("path") == file)
          try pointer.press(key: "Control_L")
          try pointer.tap(key: "Return")
          try pointer.release(key: "Control_L")
          try await source.waitFor("opened")
        }
        source.send(SIGTERM)
        #expect(try await source.exit() == .exited(2))
        #expect(source.printed("opened").count == (isOpening ? 2 : 0))
      }
    }
  }

  private static func fakeOpener(in directory: TemporaryDirectory, _ log: String) throws -> String {
    let path = try directory.write("#!/bin/sh\necho \"$1\" >> '\(log)'\n".utf8, to: "xdg-open")
    chmod(path, 0o755)
    return "\(directory.path):/usr/bin:/bin"
  }
}

extension XlibPeer {
  /// The numbers of a property of format 32.
  fileprivate func longs(_ name: String, on window: Window) -> [Int] {
    var (type, format, count, rest) = (XDnDX11.Atom(), Int32(), UInt(), UInt())
    var bytes: UnsafeMutablePointer<UInt8>?
    XGetWindowProperty(
      display, window, atom(name), 0, 64, False, UInt(AnyPropertyType), &type, &format, &count, &rest, &bytes)
    guard let bytes else { return [] }
    defer { XFree(bytes) }
    return UnsafeRawPointer(bytes).withMemoryRebound(to: Int.self, capacity: Int(count)) {
      Array(UnsafeBufferPointer(start: $0, count: Int(count)))
    }
  }
}
