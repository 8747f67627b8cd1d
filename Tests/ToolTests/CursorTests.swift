import XDnDX11
import Glibc
import TestSupport
import Testing

@testable import XDnD
@testable import XDnDToolWindow

/// What the server has on the screen in each state of a drag, whatever themes there are.
@Suite("Cursors on the screen", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct CursorTests {
  @Test(.enabled(if: access("/usr/share/icons/DMZ-White/cursors/dnd-ask", R_OK) == 0))
  func `a theme with the names of drags shows them by these names`() async throws {
    try await XServer.with { server in
      // Nothing in DMZ says "not here" by the name of drags: the crossed circle is its best.
      let names = ["dnd-copy", "dnd-move", "dnd-link", "dnd-ask", "left_ptr", "crossed_circle"]
      let seen = try await look(on: server, ["XCURSOR_THEME": "DMZ-White"], for: names)
      #expect(Set(seen.map(\.pixels)).count == names.count)
    }
  }

  @Test func `a theme with older names shows these, and does not mix with the theme that stands in for it`()
    async throws
  {
    try await XServer.with { server in
      let themes = try ThemeDirectory(server.directory("icons"))
      let old = ["copy", "fleur", "closedhand", "link", "question_arrow", "circle", "left_ptr"]
      try themes.add("Old", old, color: 0xFF11_2233)
      try themes.add("default", CursorShape.allCases.compactMap(\.themeNames.first), color: 0xFF44_5566)
      let seen = try await look(
        on: server, ["XCURSOR_PATH": themes.path, "XCURSOR_THEME": "Old"],
        for: ["copy", "closedhand", "link", "question_arrow", "left_ptr", "circle"])
      #expect(seen.allSatisfy { $0.pixels.allSatisfy { $0 == 0xFF11_2233 } && $0.width == 24 })
    }
  }

  @Test func `without any theme the library draws them, with names that tools can read`() async throws {
    try await XServer.with { server in
      let themes = try ThemeDirectory(server.directory("icons"))
      let seen = try await look(on: server, ["XCURSOR_PATH": themes.path, "XCURSOR_SIZE": "32"])
      for (shape, cursor) in zip(Self.shapes, seen) {
        let drawing = CursorImage(drawing: shape, size: 32)
        #expect(cursor.pixels == drawing.bitmap.pixels, "\(shape)")
        #expect(cursor.hotspot == drawing.hotspot)
      }
    }
  }

  @Test func `theme and size are those that the settings daemon says`() async throws {
    try await XServer.with { server in
      let themes = try ThemeDirectory(server.directory("icons"))
      for (theme, color) in [("Daemon", 0xFF77_8899), ("Variable", 0xFF11_1111)] as [(String, UInt32)] {
        try themes.add(theme, CursorShape.allCases.compactMap(\.themeNames.first), color: color)
      }
      let daemon = try FakeSettingsDaemon(server)
      daemon.publish([("Gtk/CursorThemeName", .string("Daemon")), ("Gtk/CursorThemeSize", .integer(48))])
      let seen = try await look(
        on: server, ["XCURSOR_PATH": themes.path, "XCURSOR_THEME": "Variable", "XCURSOR_SIZE": "24"])
      #expect(seen.allSatisfy { $0.width == 48 && $0.pixels.allSatisfy { $0 == 0xFF77_8899 } })
    }
  }

  /// In the order in which ``look(on:_:for:)`` comes by.
  private static let shapes: [CursorShape] = [.copy, .move, .link, .ask, .dragging, .notAllowed]

  /// Drags through all states, waits in each for the cursor of this name, and says what was on the screen.
  ///
  /// It expects that the drag ends with the cursor that was there before.
  private func look(
    on server: XServer, _ environment: [String: String], for names: [String] = shapes.map { $0.themeNames[0] }
  ) async throws -> [SeenCursor] {
    let peer = try XlibPeer(server)
    let environment = ["XCURSOR_THEME": ""].merging(environment) { $1 }
    let scene = try await DragScene.set(
      on: server,
      source: {
        try server.launch(
          BuiltProducts.executable("xdnd-source"),
          ["--json", "--geometry", $0, "--text", "x", "--action", "copy,move,link,ask"], environment: environment)
      },
      target: {
        try server.launchProbe($0, ["--action", "copy,move,link,ask", "--output", server.directory("out")])
      })
    let silent = peer.makeTarget(Rect(x: 400, y: 500, width: 100, height: 100))
    let pointer = scene.pointer
    pointer.move(to: DragScene.nowhere)
    let before = try #require(peer.cursor)
    try await scene.carryUntilAccepted()

    var seen = [try peer.cursor { $0.name == names[0] }]
    for (keys, name) in zip([["Shift_L"], ["Control_L", "Shift_L"], ["Alt_L"]], names.dropFirst()) {
      for key in keys { try pointer.press(key: key) }
      seen.append(try peer.cursor { $0.name == name })
      for key in keys { try pointer.release(key: key) }
      _ = try peer.cursor { $0 == seen[0] }
    }
    // A window that takes drops, and says nothing at first and then no.
    try await pointer.glide(to: Point(x: 450, y: 550))
    let position = try #require(peer.message("XdndPosition"))
    seen.append(try peer.cursor { $0.name == names[4] })
    let source = WindowID(rawValue: UInt32(position.data.l.0))
    peer.send("XdndStatus", [Int(silent.rawValue), 0, 0, 0, 0], to: source)
    seen.append(try peer.cursor { $0.name == names[5] })

    pointer.release()
    try await scene.source.waitFor("ended")
    _ = try peer.cursor { $0 == before }
    return seen
  }
}

/// A cursor as the server has it.
private struct SeenCursor: Hashable {
  var name: String
  var width: Int
  var hotspot: Point
  var pixels: [UInt32]
}

extension XlibPeer {
  /// What is on the screen now.
  fileprivate var cursor: SeenCursor? {
    guard let image = XFixesGetCursorImage(display) else { return nil }
    defer { XFree(image) }
    let cursor = image.pointee
    return SeenCursor(
      name: cursor.name.map { String(cString: $0) } ?? "", width: Int(cursor.width),
      hotspot: Point(x: Int(cursor.xhot), y: Int(cursor.yhot)),
      pixels: (0..<Int(cursor.width) * Int(cursor.height)).map { UInt32(truncatingIfNeeded: cursor.pixels[$0]) })
  }

  /// The first cursor on the screen from now on that is wanted.
  fileprivate func cursor(where isWanted: (SeenCursor) -> Bool) throws -> SeenCursor {
    XFixesSelectCursorInput(display, root, UInt(XFixesDisplayCursorNotifyMask))
    defer { XFixesSelectCursorInput(display, root, 0) }
    let deadline = ContinuousClock.now + .seconds(20)
    while true {
      // The look comes after the selection, and empties the socket into the queue: what changes later is seen.
      guard let current = cursor else { throw HarnessError("the server is gone") }
      if isWanted(current) { return current }
      guard .now < deadline else { throw HarnessError("the cursor stays \(current.name), \(current.width) wide") }
      var descriptor = pollfd(fd: XConnectionNumber(display), events: Int16(POLLIN), revents: 0)
      if XEventsQueued(display, QueuedAlready) == 0 { poll(&descriptor, 1, 1000) }
      var event = XEvent()
      while XCheckIfEvent(display, &event, Self.isNoMessage, nil) != 0 {}
    }
  }

  private static let isNoMessage:
    @Sendable @convention(c) (OpaquePointer?, UnsafeMutablePointer<XEvent>?, UnsafeMutablePointer<CChar>?) -> Int32 = {
      _, event, _ in event?.pointee.type == ClientMessage ? False : True
    }

  /// The next client message of this type, within five seconds each.
  fileprivate func message(_ type: String) -> XClientMessageEvent? {
    let type = atom(type)
    while let event = event(ClientMessage) {
      if event.xclient.message_type == type { return event.xclient }
    }
    return nil
  }
}

/// Cursor themes that a test makes.
struct ThemeDirectory {
  let path: String

  init(_ path: String) throws {
    self.path = path
    try make(path)
  }

  /// A theme whose cursors are squares of one colour, in two sizes.
  func add(_ theme: String, _ names: [String], color: UInt32) throws {
    try make("\(path)/\(theme)")
    try make("\(path)/\(theme)/cursors")
    for (index, name) in names.enumerated() {
      guard let images = XcursorImagesCreate(2) else { throw HarnessError("no memory for a cursor") }
      defer { XcursorImagesDestroy(images) }
      for (slot, size) in [24, 48].enumerated() {
        guard let image = XcursorImageCreate(Int32(size), Int32(size)) else { throw HarnessError("no cursor") }
        image.pointee.size = XcursorDim(size)
        // What tells cursors apart that look alike.
        image.pointee.xhot = XcursorDim(index)
        // Xcursor leaves it as it finds the memory.
        image.pointee.yhot = 0
        image.pointee.pixels.update(repeating: color, count: size * size)
        images.pointee.images[slot] = image
        images.pointee.nimage += 1
      }
      guard XcursorFilenameSaveImages("\(path)/\(theme)/cursors/\(name)", images) == XcursorTrue else {
        throw HarnessError("cannot write the cursor \(name)")
      }
    }
  }

  private func make(_ directory: String) throws {
    guard mkdir(directory, 0o700) == 0 else { throw HarnessError("cannot make \(directory)", code: errno) }
  }
}
