import Foundation
import TestSupport
import Testing
import XDnD

/// The programs of Tests/Consumers/Sources/Wishes, driven by the pointer.
@Suite(
  "Wishes of programs, beside file managers and GTK 3", .serialized, .requiresXvfb, .requiresOpenbox, .requiresPCManFM,
  .requiresThunar, .requiresGTK3, .timeLimit(.minutes(5)))
struct WishesTests {
  @Test(arguments: FileManagerPeer.allCases)
  func `pictures are taken from a file manager, and other files are not`(_ manager: FileManagerPeer) async throws {
    let picture = PNG.encode(width: 16, height: 16, rgb: Sample.noise(16 * 16 * 3))
    try await FileManagerStage.with(manager, file: picture, named: "a.png") { stage in
      let wish = try await stage.server.launchWish("pictures")
      try await stage.carry(to: wish.middle)
      try await stage.pointer.hover { try await wish.process.waitForLine { $0 == "a picture" } }
      // The file manager reads the answer meanwhile.
      try await stage.pointer.glide(to: wish.corner, steps: 30)
      stage.pointer.release()
      try await wish.process.waitForLine { $0 == "image/png \(picture.count)" }
    }
    try await FileManagerStage.with(manager, file: Array("text".utf8), named: "a.txt") { stage in
      let wish = try await stage.server.launchWish("pictures")
      try await stage.carry(to: wish.middle)
      try await stage.pointer.glide(to: wish.corner, steps: 30)
      stage.pointer.release()
      // The picture that is dropped next is the first one.
      let next = try stage.server.directory.write(picture, to: "next.png")
      let source = try stage.server.launchTool(.source, ["--to", "pictures", "--type", "image/png=@\(next)"])
      #expect(try await wish.process.waitForLine() == "a picture")
      try await wish.process.waitForLine { $0 == "image/png \(picture.count)" }
      #expect(try await source.exit() == .exited(0))
    }
  }

  @Test func `text moves within its window and is copied elsewhere, unless a key decides`() async throws {
    try await Self.withGTK3(PeerTask(kind: "text")) { server, pointer, peer in
      let wish = try await server.launchWish("move-by-modifier")
      try await pointer.drag(along: [wish.middle, wish.corner])
      try await pointer.hover { try await pointer.awaitCursor("dnd-move") }
      pointer.release()
      try await wish.process.waitForLine { $0 == "text" }
      try await wish.process.waitForLine { $0 == "Moved." }

      for (key, cursor, operation) in [(nil, "dnd-copy", "copy"), ("Shift_L", "dnd-move", "move")] {
        try await pointer.drag(along: [wish.middle, DragScene.target])
        if let key { try pointer.press(key: key) }
        try await pointer.hover { try await pointer.awaitCursor(cursor) }
        pointer.release()
        let drop = try await peer.waitFor("drop")
        if let key { try pointer.release(key: key) }
        #expect(drop.string("text") == "text")
        #expect(drop.string("action") == operation)
        try await wish.process.waitForLine { $0 == (operation == "copy" ? "Copied." : "Moved.") }
      }
    }
  }

  @Test func `a drag has the image that the program has drawn`() async throws {
    let teal: UInt32 = 0x00_80_80
    try await Self.withGTK3(PeerTask(kind: "text")) { server, pointer, peer in
      let wish = try await server.launchWish("own-preview")
      try await pointer.drag(along: [wish.middle, DragScene.target])
      try await pointer.hover { try await pointer.awaitCursor("dnd-copy") }
      // The pointer holds the image at its middle.
      try await Self.awaitColor(teal, at: DragScene.target, of: server)
      pointer.release()
      #expect(try await peer.waitFor("drop").string("text") == "#008080")
    }
  }

  @Test func `a click pastes text and the text of a file, and three items are pasted as text`() async throws {
    try await XServer.with(windowManager: .openbox) { server in
      let pointer = try Pointer(server)
      let wish = try await server.launchWish("paste-as-text")
      pointer.move(to: wish.middle)
      let file = try server.directory.write("in a file".utf8, to: "note.txt")
      for (copied, text) in [(["--text", "Grüße, 한글"], "Grüße, 한글"), (["--uris", file], "in a file")] {
        let peer = try ClipboardToolkit.gtk3.copy(copied, on: server)
        try await peer.waitFor("copied", timeout: .seconds(60))
        pointer.click()
        try await wish.process.waitForLine { $0 == "pasted: \(text)" }
        peer.kill()
        _ = try await peer.exit()
      }

      pointer.click(3)
      let connection = try DisplayConnection(server.displayName)
      #expect(try await onOwnThread { connection.awaitOwner(of: "CLIPBOARD", timeout: .seconds(20)) })
      let paste = try ClipboardToolkit.gtk3.paste([], on: server)
      let pasted = try await paste.waitFor("pasted", timeout: .seconds(60))
      // The file has no text.
      #expect(Digest(pasted) == Digest(Array("bold\nhttps://www.x.org/".utf8)))
    }
  }

  @Test func `rows change places, and a line shows where`() async throws {
    let (rowHeight, black) = (40, UInt32(0))
    try await XServer.with(windowManager: .openbox) { server in
      let pointer = try Pointer(server)
      let wish = try await server.launchWish("reorder")
      func place(_ rows: Double) -> Point {
        Point(x: wish.middle.x, y: DragScene.sourceFrame.origin.y + Int(rows * Double(rowHeight)))
      }
      for (start, end, line, order) in [
        (0.5, 2.8, 3, "two three one four"), (3.5, 0.2, 0, "four two three one"), (1.5, 1.6, 2, "four two three one"),
      ] {
        try await pointer.drag(along: [place(start), place((start + end) / 2 + 0.5), place(end)])
        try await pointer.hover { try await pointer.awaitCursor("dnd-move") }
        // The edge of the window hides half of the first line.
        let middle = Point(x: DragScene.sourceFrame.origin.x + 5, y: max(place(Double(line)).y, place(0).y + 1))
        try await Self.awaitColor(black, at: middle, of: server)
        pointer.release()
        try await wish.process.waitForLine { $0 == order }
      }
    }
  }

  @Test(arguments: FileManagerPeer.allCases)
  func `a promised file is written into an open folder, with its progress`(_ manager: FileManagerPeer) async throws {
    // Without an argument the program promises 1 GiB, which would take long to compare.
    let mebibytes = 64
    try await FileManagerStage.with(manager, file: [1]) { stage in
      let wish = try await stage.server.launchWish("big-promise", ["\(mebibytes)"])
      try await stage.drop(wish)
      try await wish.process.waitForLine(timeout: .seconds(60)) { $0 == "Copied." }
      #expect(wish.process.output.completeLines.contains("\(mebibytes) of \(mebibytes) MiB"))
      let content = Data(repeating: UInt8(ascii: "A"), count: mebibytes << 20)
      try await stage.take("big.bin") { (try? Data(contentsOf: URL(fileURLWithPath: $0))) == content }
    }
  }

  @Test(arguments: FileManagerPeer.allCases)
  func `a click stops the writing of a promised file, and nothing is left of it`(
    _ manager: FileManagerPeer
  ) async throws {
    try await FileManagerStage.with(manager, file: [1]) { stage in
      let wish = try await stage.server.launchWish("big-promise")
      try await stage.drop(wish)
      try await wish.process.waitForLine { $0.hasSuffix(" MiB") && !$0.hasPrefix("0 ") }
      stage.pointer.move(to: wish.middle)
      stage.pointer.click()
      try await wish.process.waitForLine { $0 == "Stopped: the transfer was cancelled." }
      #expect(!wish.process.output.completeLines.contains { $0.hasPrefix("1024 of") })
      let (folder, file) = (stage.folder, stage.file)
      let isGone = try await FolderWatch(folder).wait {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        return names?.map { "\(folder)/\($0)" } == [file]
      }
      #expect(isGone)
    }
  }

  /// Runs `body` with a target of GTK 3 at `DragScene.targetFrame`.
  private static func withGTK3(
    _ task: PeerTask, _ body: (XServer, Pointer, ChildProcess) async throws -> Void
  ) async throws {
    try await XServer.with(windowManager: .openbox) { server in
      try task.post(on: server)
      let peer = try Toolkit.gtk3.launch("target", on: server, geometry: PeerStage.right)
      _ = try await DragScene.readyPoint(of: peer)
      do { try await body(server, try Pointer(server), peer) } catch { throw peer.failure("\(error)") }
      peer.kill()
      _ = try await peer.exit()
    }
  }

  private static func awaitColor(_ color: UInt32, at place: Point, of server: XServer) async throws {
    let deadline = ContinuousClock.now + .seconds(20)
    while try Screenshot(of: server, withCursor: false)[place] != color {
      guard .now < deadline else { throw HarnessError("\(place) does not become \(color)") }
      // What a window shows can only be looked at.
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}

/// A program of Tests/Consumers/Sources/Wishes that shows its window, at `DragScene.sourceFrame`.
private struct Wish: Sendable {
  let process: ChildProcess
  let middle = DragScene.sourceFrame.middle
  /// A place in the window, away from the middle.
  let corner = Point(x: DragScene.sourceFrame.maxX - 30, y: DragScene.sourceFrame.maxY - 30)
}

extension XServer {
  fileprivate func launchWish(_ name: String, _ arguments: [String] = []) async throws -> Wish {
    let process = try launch(BuiltProducts.executable("Wishes"), [name, PeerStage.left] + arguments)
    try await process.waitForLine { $0 == "ready" }
    return Wish(process: process)
  }
}

extension Pointer {
  fileprivate func click(_ button: Int = 1) {
    press(button)
    release(button)
  }
}

extension FileManagerStage {
  /// Drags the only file to a place, and keeps the button pressed.
  fileprivate func carry(to place: Point) async throws {
    try await pointer.drag(along: [view.icon, place], steps: 24)
  }

  /// Drops what a wish drags on the open folder.
  fileprivate func drop(_ wish: Wish) async throws {
    try await pointer.drag(along: [wish.middle, view.empty])
    try await pointer.hover { [pointer] in try await pointer.awaitSteadyCursor("dnd-copy") }
    pointer.release()
  }
}
