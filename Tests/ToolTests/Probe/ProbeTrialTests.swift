import Foundation
import TestSupport
import Testing

@testable import XDnD

/// The view where one tries what a drag can do with a window.
@Suite("What can be tried in xdnd-probe", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ProbeTrialTests {
  /// Shows the view by the keyboard, and says where its line of text is: at the lower end.
  private func showTrial(_ scene: DragScene) throws -> (left: Point, right: Point) {
    let ready = try #require(scene.target.printed("ready").first)
    for _ in 0..<2 { try scene.type("Right", into: try #require(ready.integer("window"))) }
    let (x, y) = (try #require(ready.integer("x")), try #require(ready.integer("y")))
    return (Point(x: x + 16, y: y + 271), Point(x: x + 280, y: y + 271))
  }

  @Test func `text is inserted where it is dropped in the line`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server, source: ["--text", "two\nlines", "--action", "copy"], probe: ["--timeout", "60"])
      let (left, right) = try showTrial(scene)
      for (place, index) in [(right, 0), (right, 9), (left, 0)] {
        try await scene.pointer.drag(along: [scene.start, place])
        try await scene.source.waitFor("proposal") { $0.string("operation") == "copy" }
        scene.pointer.release()
        let inserted = try await scene.target.waitFor("inserted")
        #expect(inserted.integer("index") == index)
        #expect(inserted.string("text") == "two lines")
        #expect(try await scene.source.waitFor("ended").string("outcome") == "dropped")
      }
      #expect(scene.target.printed("data").isEmpty)
      let documented = try DocumentedFields()
      for line in scene.target.output.text.split(separator: "\n") {
        #expect(documented.unknown(in: try #require(JSONLine(String(line)))) == [])
      }
    }
  }

  @Test func `of a contact, the line takes the name and the mail address`() async throws {
    try await XServer.with { server in
      let card = "BEGIN:VCARD\nVERSION:4.0\nFN:Ada Lovelace\nEMAIL:ada@example.org\nTEL:12\nEND:VCARD\n"
      let scene = try await DragScene.tools(
        on: server, source: ["--type", "text/vcard=\(card)"], probe: ["--timeout", "60"])
      let (left, _) = try showTrial(scene)
      try await scene.pointer.drag(along: [scene.start, left])
      try await scene.source.waitFor("proposal") { $0.string("operation") == "copy" }
      scene.pointer.release()
      #expect(try await scene.target.waitFor("inserted").string("text") == "Ada Lovelace <ada@example.org>")
      #expect(try await scene.source.waitFor("ended").string("outcome") == "dropped")
    }
  }

  @Test func `text is moved into the line, and only copied by the window around it`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server, source: ["--text", "two", "--action", "move"], probe: ["--timeout", "60", "--action", "move"])
      let (left, _) = try showTrial(scene)
      for (place, operation) in [(left, "move"), (scene.end, "copy")] {
        try await scene.pointer.drag(along: [scene.start, place])
        try await scene.source.waitFor("proposal") { $0.string("operation") == operation }
        scene.pointer.release()
        #expect(try await scene.source.waitFor("ended").string("operation") == operation)
        #expect(try await scene.target.waitFor("ended").string("operation") == operation)
      }
    }
  }

  @Test func `the line takes no files, and the window around it does`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(on: server, source: ["--type", "a/b=x"], probe: ["--timeout", "60"])
      let (left, _) = try showTrial(scene)
      try await scene.pointer.drag(along: [scene.start, left])
      try await scene.source.waitFor("proposal") { $0.string("operation") == "copy" }
      scene.pointer.release()
      #expect(try await scene.target.waitFor("data").string("type") == "a/b")
      #expect(scene.target.printed("inserted").isEmpty)
    }
  }

  @Test func `the list of the view scrolls under a drag`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(on: server, source: ["--text", "x"], probe: ["--timeout", "60"])
      let (left, _) = try showTrial(scene)
      try await scene.pointer.drag(along: [scene.start, Point(x: left.x + 100, y: left.y - 32)])
      try await scene.target.waitFor("scrolled") { ($0.integer("row") ?? 0) > 3 }
      scene.pointer.move(to: scene.end)
      scene.pointer.release()
      try await scene.source.waitFor("ended")
    }
  }

  /// Drops words into the line, and clicks on the first one.
  ///
  /// - Returns: Another place on the first word, and the right end of the line.
  private func click(
    _ times: Int, onFirstWordOf text: String, in scene: DragScene
  ) async throws -> (word: Point, right: Point) {
    let (left, right) = try showTrial(scene)
    try await scene.pointer.drag(along: [scene.start, left])
    try await scene.source.waitFor("proposal") { $0.string("operation") == "copy" }
    scene.pointer.release()
    try await scene.target.waitFor("field") { $0.string("text") == text && $0.string("selected") == text }
    try await scene.source.waitFor("ended")
    scene.pointer.move(to: Point(x: left.x + 10, y: left.y))
    for _ in 0..<times {
      scene.pointer.press()
      scene.pointer.release()
    }
    try await scene.target.waitFor("field") { $0.string("selected")?.isEmpty == true }
    // Far enough for the next press to be a click of its own.
    return (Point(x: left.x + 20, y: left.y), right)
  }

  @Test func `a click puts the caret into the line, two select a word, three all`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(on: server, source: ["--text", "one two"], probe: ["--timeout", "60"])
      let (word, _) = try await click(3, onFirstWordOf: "one two", in: scene)
      #expect(try await scene.target.waitFor("field").string("selected") == "one")
      #expect(try await scene.target.waitFor("field").string("selected") == "one two")
      scene.pointer.move(to: word)
      scene.pointer.press()
      scene.pointer.release()
      #expect(try await scene.target.waitFor("field").string("selected") == "")
      #expect(scene.target.printed("drag-began").isEmpty)
    }
  }

  @Test(arguments: [false, true])
  func `selected text is moved within the line, and with Control copied; Control+Z takes that back`(_ copies: Bool)
    async throws
  {
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server, source: ["--text", "one two three"], probe: ["--timeout", "60"])
      let (word, right) = try await click(2, onFirstWordOf: "one two three", in: scene)
      #expect(try await scene.target.waitFor("field").string("selected") == "one")
      try await scene.pointer.drag(along: [word, right])
      try await scene.target.waitFor("drag-began")
      if copies { try scene.pointer.press(key: "Control_L") }
      try await scene.target.waitFor("position") { $0.string("proposed") == (copies ? "copy" : "move") }
      scene.pointer.release()
      let inserted = try await scene.target.waitFor("inserted")
      #expect(inserted.integer("index") == (copies ? 13 : 10))
      #expect(inserted.string("text") == "one")
      let result = copies ? "one two threeone" : " two threeone"
      #expect(try await scene.target.waitFor("field").string("text") == result)
      #expect(try await scene.target.waitFor("drag-ended").string("outcome") == "dropped")
      if copies { try scene.pointer.release(key: "Control_L") }
      try scene.pointer.press(key: "Control_L")
      try scene.pointer.tap(key: "z")
      #expect(try await scene.target.waitFor("field").string("text") == "one two three")
      try scene.pointer.press(key: "Shift_L")
      try scene.pointer.tap(key: "z")
      #expect(try await scene.target.waitFor("field").string("text") == result)
      try scene.pointer.release(key: "Shift_L")
      // And the drop before that.
      for text in ["one two three", ""] {
        try scene.pointer.tap(key: "z")
        #expect(try await scene.target.waitFor("field").string("text") == text)
      }
      try scene.pointer.release(key: "Control_L")
      let documented = try DocumentedFields()
      for line in scene.target.output.text.split(separator: "\n") {
        #expect(documented.unknown(in: try #require(JSONLine(String(line)))) == [])
      }
    }
  }

  @Test(arguments: [false, true])
  func `selected text is copied to another window, and with Shift moved there`(_ moves: Bool) async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(on: server, source: ["--text", "one two"], probe: ["--timeout", "60"])
      let (word, _) = try await click(2, onFirstWordOf: "one two", in: scene)
      #expect(try await scene.target.waitFor("field").string("selected") == "one")
      let next = try server.launchProbe(
        "300x300+60+400", ["--once", "--action", "copy,move", "--output", server.directory("out")])
      let end = try await DragScene.readyPoint(of: next)
      try await scene.pointer.drag(along: [word, end])
      try await scene.target.waitFor("drag-began")
      if moves { try scene.pointer.press(key: "Shift_L") }
      try await next.waitFor("position") { $0.string("proposed") == (moves ? "move" : "copy") }
      scene.pointer.release()
      #expect(try await next.waitFor("data").string("text") == "one")
      #expect(try await next.waitFor("ended").string("operation") == (moves ? "move" : "copy"))
      if moves { try await scene.target.waitFor("field") { $0.string("text") == " two" } }
      #expect(try await scene.target.waitFor("drag-ended").string("outcome") == "dropped")
      if moves { try scene.pointer.release(key: "Shift_L") }
      #expect(scene.target.printed("field").last?.string("text") == (moves ? " two" : "one two"))
    }
  }

  @Test func `a long line scrolls while a drag rests at its end, and takes the drop there`() async throws {
    try await XServer.with { server in
      let text = String(repeating: "long text ", count: 15)
      let scene = try await DragScene.tools(on: server, source: ["--text", text], probe: ["--timeout", "60"])
      let (left, right) = try showTrial(scene)
      try await scene.pointer.drag(along: [scene.start, left])
      try await scene.source.waitFor("proposal") { $0.string("operation") == "copy" }
      scene.pointer.release()
      // The line shows its end, where the caret is.
      try await scene.target.waitFor("inserted")
      try await scene.source.waitFor("ended")
      for (place, index) in [(left, 0), (right, 2 * text.count)] {
        try await scene.pointer.drag(along: [scene.start, place])
        try await scene.target.waitFor("scrolled") { $0.integer("index") == index }
        scene.pointer.release()
        #expect(try await scene.target.waitFor("inserted").integer("index") == index)
        try await scene.source.waitFor("ended")
      }
    }
  }

  @Test func `Control and C, X and V copy, cut and paste the text of the line`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(on: server, source: ["--text", "one two"], probe: ["--timeout", "60"])
      let (_, right) = try await click(2, onFirstWordOf: "one two", in: scene)
      #expect(try await scene.target.waitFor("field").string("selected") == "one")
      try scene.pointer.press(key: "Control_L")
      try scene.pointer.tap(key: "c")
      try await scene.target.waitFor("copied")
      try scene.pointer.tap(key: "x")
      try await scene.target.waitFor("copied")
      #expect(try await scene.target.waitFor("field").string("text") == " two")
      scene.pointer.move(to: right)
      scene.pointer.press()
      scene.pointer.release()
      try scene.pointer.tap(key: "v")
      let inserted = try await scene.target.waitFor("inserted")
      #expect(inserted.integer("index") == 4)
      #expect(inserted.string("text") == "one")
      #expect(try await scene.target.waitFor("field").string("text") == " twoone")
      // Another program pastes what was copied.
      let paste = try server.launch(
        BuiltProducts.executable("xdnd-probe"), ["--json", "--clipboard", "--once", "--timeout", "60"])
      #expect(try await paste.waitFor("data").string("text") == "one")
      for text in [" two", "one two"] {
        try scene.pointer.tap(key: "z")
        #expect(try await scene.target.waitFor("field").string("text") == text)
      }
      // All of the text is replaced by what is pasted.
      try scene.pointer.tap(key: "a")
      #expect(try await scene.target.waitFor("field").string("selected") == "one two")
      try scene.pointer.tap(key: "v")
      #expect(try await scene.target.waitFor("field").string("text") == "one")
      try scene.pointer.release(key: "Control_L")
      // None of this was a drop.
      #expect(scene.target.printed("pasted").isEmpty)
      let documented = try DocumentedFields()
      for line in scene.target.output.text.split(separator: "\n") {
        #expect(documented.unknown(in: try #require(JSONLine(String(line)))) == [])
      }
    }
  }

  @Test(arguments: [["--print0"], ["--exec", "true"], ["--confirm"], ["--save", "."]])
  func `who has something done with drops does not try`(_ arguments: [String]) async throws {
    try await XServer.with { server in
      let probe = try server.launch(
        "/bin/sh",
        ["-c", #"exec "$0" "$@" 2>&1"#, BuiltProducts.executable("xdnd-probe"), "--json"]
          + arguments.map { $0 == "." ? server.directory.path : $0 })
      let tabs = try await probe.waitFor("ready").objects("tabs")
      #expect(tabs?.count == 2)
    }
  }

  @Test func `with --keep a row can be dragged out by keys alone`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(on: server, source: ["--once", "--text", "kept"], probe: ["--keep"])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      try await scene.target.waitFor("kept")
      let next = try server.launchProbe("300x300+60+400", ["--once"])
      let end = try await DragScene.readyPoint(of: next)
      let window = try #require(scene.target.printed("ready").first?.integer("window"))
      try scene.type("Return", into: window)
      try await scene.target.waitFor("drag-began")
      try await scene.pointer.glide(to: end)
      try await next.waitFor("position")
      try scene.pointer.tap(key: "Return")
      #expect(try await next.waitFor("data").string("text") == "kept")
      #expect(try await scene.target.waitFor("drag-ended").string("outcome") == "dropped")
    }
  }
}
