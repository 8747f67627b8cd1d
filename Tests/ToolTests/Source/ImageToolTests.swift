import Foundation
import Glibc
import TestSupport
import Testing
import XDnD

/// What `xdnd-source` shows during a drag and a long transfer, and what it takes from the environment.
@Suite("Images, progress and defaults of xdnd-source", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ImageToolTests {
  @Test func `an image of the user's is at the pointer, with the number that was asked for`() async throws {
    try await XServer.with { server in
      let blue = [UInt8](repeating: 0, count: 64 * 48 * 3).enumerated().map { $0.offset % 3 == 2 ? 0xFF : $0.element }
      let icon = try server.directory.write(PNG.encode(width: 64, height: 48, rgb: blue), to: "icon.png")
      let pointer = try Pointer(server)
      pointer.move(to: Point(x: 300, y: 300))
      var red: [Bool] = []
      for badge in ["3", "0"] {
        let source = try server.launchBareSource(["--now", "--icon", icon, "--badge", badge, "--text", "x"])
        try await source.waitFor("drag-began")
        try await pointer.glide(to: Point(x: 320, y: 300))
        // The image comes to the pointer when it is drawn, and nothing is said of that.
        let shot = try await server.screenshot { shot in shot.has(Point(x: 300, y: 310)) { $0.b > 150 && $0.r < 100 } }
        red.append(shot.has(Point(x: 352, y: 276)) { $0.r > 150 && $0.b < 100 })
        try pointer.tap(key: "Escape")
        #expect(try await source.exit() == .exited(2))
        pointer.move(to: Point(x: 300, y: 300))
      }
      #expect(red == [true, false])
    }
  }

  @Test func `more than four files are a compact pile, which goes back to their rows`()
    async throws
  {
    try await XServer.with { server in
      let files = try (1...12).map { try server.directory.write("x".utf8, to: "file \($0)") }
      let window = Rect(x: 60, y: 60, width: 300, height: 520)
      let source = try server.launchSource(window.description, files)
      try await source.waitFor("ready")
      let image = try DragImageWatch(server)
      let pointer = try Pointer(server)
      let start = DragScene.heading(of: window)
      try await pointer.drag(along: [start, Point(x: start.x + 20, y: start.y)])
      try await source.waitFor("drag-began")
      try await image.wait { $0.width <= 120 && $0.height <= 120 }
      let end = Point(x: 800, y: 500)
      try await pointer.glide(to: end)
      // To the lower right of the pointer, which leaves what is below it in sight.
      try await image.wait {
        (1...40).contains($0.origin.x - end.x) && (1...40).contains($0.origin.y - end.y) && $0.width <= 120
          && $0.height <= 120
      }

      try pointer.tap(key: "Escape")
      try await source.waitFor("ended")
      // The rows that are in sight together are higher than the pile. On a busy machine their places are known too late for
      // the image to come from there, but it goes back; and its last frame may be one on the way.
      try await image.wait { $0.height > 150 && abs($0.origin.x - window.origin.x) < 60 }
      pointer.release()
      source.kill()
    }
  }

  @Test func `a text is dragged as it looks, beside the pointer, and goes back to its row`() async throws {
    try await XServer.with { server in
      let window = Rect(x: 60, y: 60, width: 300, height: 200)
      let source = try server.launchSource(
        window.description, ["--text", "One line\nand another", "--color", "#ff0000"])
      let rows = try await source.waitFor("ready").objects("rows")?.map(\.point)
      let image = try DragImageWatch(server)
      let pointer = try Pointer(server)
      let end = Point(x: 700, y: 400)
      try await pointer.drag(along: [try #require(rows?.first), end])
      try await source.waitFor("drag-began")
      // Two lines, to the lower right of the pointer.
      try await image.wait { $0.origin.x > end.x && $0.origin.y > end.y && (40...90).contains($0.height) }
      #expect(try #require(image.frames.last).width < 200)
      pointer.release()
      try await source.waitFor("ended")
      try await image.wait { window.contains($0.origin) }
      source.kill()
    }
  }

  /// Drags the row of a blue picture out of its window.
  private func dragPicture(on server: XServer, _ content: (_ file: String) -> [String]) async throws -> (
    image: DragImageWatch, window: Rect, end: Point, tool: ChildProcess, pointer: Pointer
  ) {
    let blue: [UInt8] = Array(repeating: [0, 0, 0xFF], count: 320 * 240).flatMap { $0 }
    let file = try server.directory.write(PNG.encode(width: 320, height: 240, rgb: blue), to: "blue.png")
    let window = Rect(x: 60, y: 60, width: 300, height: 200)
    let source = try server.launchSource(window.description, content(file))
    let row = try #require(try await source.waitFor("ready").objects("rows")?.first).point
    let image = try DragImageWatch(server)
    let pointer = try Pointer(server)
    let end = Point(x: 700, y: 400)
    try await pointer.drag(along: [row, end])
    try await source.waitFor("drag-began")
    return (image, window, end, source, pointer)
  }

  @Test func `a picture is dragged as it looks, scaled down, beside the pointer, and goes back to its row`()
    async throws
  {
    try await XServer.with { server in
      let drag = try await dragPicture(on: server) { ["--once", "--type", "image/png=@\($0)"] }
      // It may be decoded only now.
      try await drag.image.wait {
        $0.origin.x > drag.end.x && $0.origin.y > drag.end.y && abs($0.width - 160) <= 4 && abs($0.height - 120) <= 4
      }
      let middle = try #require(drag.image.frames.last).middle
      try await server.see("a blue picture") { $0.has(middle) { $0.b > 150 && $0.r < 100 } }
      drag.pointer.release()
      #expect(try await drag.tool.exit() == .exited(3))
      let last = try #require(drag.image.frames.last)
      #expect(drag.window.contains(last.middle), "\(last)")
    }
  }

  @Test func `a picture is the image of a drag without a window, too`() async throws {
    try await XServer.with { server in
      let white: [UInt8] = Array(repeating: 0xFF, count: 60 * 50 * 3)
      let file = try server.directory.write(PNG.encode(width: 60, height: 50, rgb: white), to: "white.png")
      let image = try DragImageWatch(server)
      let pointer = try Pointer(server)
      pointer.move(to: Point(x: 300, y: 300))
      let source = try server.launchBareSource(["--now", "--type", "image/png=@\(file)"])
      try await source.waitFor("drag-began")
      try await image.wait { abs($0.width - 60) <= 4 && abs($0.height - 50) <= 4 }
      try pointer.tap(key: "Escape")
      #expect(try await source.exit() == .exited(2))
    }
  }

  @Test func `a file with a picture is dragged as the card of a file`() async throws {
    try await XServer.with { server in
      let drag = try await dragPicture(on: server) { ["--once", $0] }
      try await drag.image.wait {
        $0.origin.x > drag.end.x && $0.origin.y > drag.end.y && (50...60).contains($0.height)
      }
      drag.pointer.release()
      #expect(try await drag.tool.exit() == .exited(3))
    }
  }

  @Test func `up to four files are a list of their cards`() async throws {
    try await XServer.with { server in
      let files = try (1...4).map { try server.directory.write("x".utf8, to: "file \($0)") }
      let window = Rect(x: 60, y: 60, width: 300, height: 520)
      let source = try server.launchSource(window.description, files)
      try await source.waitFor("ready")
      let image = try DragImageWatch(server)
      let pointer = try Pointer(server)
      try await pointer.drag(along: [DragScene.heading(of: window), Point(x: 800, y: 300)])
      try await source.waitFor("drag-began")
      try await image.wait { $0.origin.x > window.maxX && (4 * 50...4 * 60).contains($0.height) }
      pointer.release()
      source.kill()
    }
  }

  @Test func `what is no image is told in one line`() async throws {
    let directory = try TemporaryDirectory("icons")
    let text = try directory.write("text".utf8, to: "text")
    let run = try await Tool.source.run(["--icon", text, "--text", "x"])
    #expect(run.status == .exited(64))
    #expect(run.errors == "xdnd-source: cannot read '\(text)' as an image\n")
    #expect(try await Tool.source.run(["--icon", "/missing", "--text", "x"]).errors.contains("No such file"))
  }

  @Test func `a long transfer draws a bar on a terminal and erases it, and tells programs how far it is`() async throws
  {
    try await XServer.with { server in
      let big = server.directory("big")
      #expect(FileManager.default.createFile(atPath: big, contents: nil))
      #expect(truncate(big, 32 << 20) == 0)
      let (probe, window) = try await server.launchTarget(["--accept", "a/b"])
      defer { probe.kill() }
      // More than one property holds, so that a part of it is there before the pause.
      let content = "a/b=!head -c 8000000 '\(big)'; sleep 0.6; tail -c +8000001 '\(big)'"
      let source = try server.launchBareSource(["--to", "\(window)", "--type", content])
      #expect(try await source.exit() == .exited(0))
      let bytes = source.printed("progress").compactMap { $0.integer("bytes") }
      #expect(bytes.count == 3 || bytes.count == 4)
      #expect(bytes.allSatisfy { $0 <= 32 << 20 } && bytes == bytes.sorted())
      #expect(source.errors.text == "")

      // A terminal of its own, as `script` makes one.
      let tool = try BuiltProducts.executable("xdnd-source")
      let terminal = try server.launch(
        "/usr/bin/python3",
        [
          "-c", "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)", tool, "--to", "\(window)", "--type", content,
        ],
        environment: ["TERM": "xterm"])
      #expect(try await terminal.exit() == .exited(0))
      let output = terminal.output.text
      #expect(output.contains("MiB"))
      // What is drawn last is nothing.
      let last = try #require(output.range(of: "\r\u{1B}[K", options: .backwards))
      #expect(output[last.upperBound...].hasPrefix("Sent a/b."))
    }
  }

  @Test func `options of the environment come first, and a mistake in them names the variable`() async throws {
    try await XServer.with { server in
      let source = try server.launchBareSource(
        ["--timeout", "0.2"], environment: ["XDND_SOURCE_OPTIONS": "--text 'a b' --timeout 60"])
      #expect(try await source.waitFor("ready").titles == ["a b"])
      #expect(try await source.exit() == .exited(4))
      for (value, sentence) in [
        ("--bogus", "Unknown option '--bogus'"), ("--text 'a", "unterminated quote"),
        ("--timeout never", "The value 'never' is invalid for '--timeout <seconds>'"),
      ] {
        let wrong = try server.launchBareSource(["--text", "x"], environment: ["XDND_SOURCE_OPTIONS": value])
        #expect(try await wrong.exit() == .exited(64))
        #expect(wrong.errors.text.hasPrefix("xdnd-source: XDND_SOURCE_OPTIONS: \(sentence)"))
      }
      // The name of the default subcommand may be given or left out.
      for arguments in [[], ["window"]] {
        let probe = try server.launch(
          BuiltProducts.executable("xdnd-probe"), arguments,
          environment: ["XDND_PROBE_OPTIONS": "--json --timeout 0.2"])
        #expect(try await probe.waitFor("ready").integer("window") != nil)
        #expect(try await probe.exit() == .exited(4))
      }
    }
  }
}

extension XServer {
  /// The screen once it looks as it is expected to, or after five seconds.
  fileprivate func screenshot(where isExpected: (Screenshot) -> Bool) async throws -> Screenshot {
    let deadline = ContinuousClock.now + .seconds(5)
    while true {
      let shot = try Screenshot(of: self, withCursor: false)
      if isExpected(shot) || .now > deadline { return shot }
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}

extension Screenshot {
  /// Whether a pixel like that is within ten of a place.
  fileprivate func has(_ place: Point, _ isWanted: ((r: UInt8, g: UInt8, b: UInt8)) -> Bool) -> Bool {
    for y in place.y - 10...place.y + 10 {
      for x in place.x - 10...place.x + 10 {
        guard let pixel = self[Point(x: x, y: y)] else { continue }
        let channel = { (shift: UInt32) in UInt8(truncatingIfNeeded: pixel >> shift) }
        if isWanted((channel(16), channel(8), channel(0))) { return true }
      }
    }
    return false
  }
}
