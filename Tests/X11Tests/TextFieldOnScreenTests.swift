import XDnDX11
import Glibc
import TestSupport
import Testing
import XDnDToolWindow

@testable import XDnD

/// The line of text in a window, as hands use it.
@Suite("The text field on a screen", .serialized, .requiresXvfb, .timeLimit(.minutes(1)))
struct TextFieldOnScreenTests {
  /// A window with a field in it, and the loop that it needs.
  private final class FieldWindow {
    private let peer: XlibPeer
    let window: ToolWindow
    private(set) var keys: [UInt] = []

    init(_ server: XServer, _ field: Scene.TextField) throws {
      peer = try XlibPeer(server)
      window = ToolWindow(
        display: peer.display, title: "field", applicationName: "field", geometry: Geometry("400x300+50+50"),
        defaultSize: PixelSize(width: 400, height: 300))
      window.scene.field = field
      window.onKey = { [unowned self] in keys.append($0.keysym) }
      window.show()
      try run(until: "the window is there") { window.isMapped }
    }

    deinit { window.close() }

    var display: OpaquePointer { peer.display }

    var field: Scene.TextField { window.scene.field ?? Scene.TextField("there is no field") }

    func run(until what: String, _ isDone: () -> Bool) throws {
      let deadline = ContinuousClock.now + .seconds(20)
      while !isDone() {
        guard .now < deadline else { throw HarnessError("never: \(what); the field is \(field)") }
        var descriptor = pollfd(fd: XConnectionNumber(display), events: Int16(POLLIN), revents: 0)
        if XPending(display) == 0 { _ = poll(&descriptor, 1, 50) }
        while XPending(display) > 0 {
          var event = XEvent()
          XNextEvent(display, &event)
          window.handle(event: &event)
        }
      }
    }

    /// The place on the screen that is so far into the field.
    func place(_ fraction: Double) -> Point {
      let place = window.place(of: .field)
      return Point(
        x: 50 + place.origin.x + Int(Double(place.size.width - 1) * fraction),
        y: 50 + place.origin.y + place.size.height / 2)
    }
  }

  @Test func `takes the focus by a click or by Tab, and what is typed then`() async throws {
    try await XServer.with { server in
      try await onOwnThread {
        let scene = try FieldWindow(server, Scene.TextField("mid"))
        // A key for a letter that no keyboard of Latin letters has.
        var keysyms: [KeySym] = [0x0100_D55C]
        XChangeKeyboardMapping(scene.display, 250, 1, &keysyms, 1)
        XSync(scene.display, 0)
        let pointer = try Pointer(server)
        pointer.move(to: Point(x: 100, y: 100))
        try pointer.tap(key: "x")
        try scene.run(until: "a key is for the window") { !scene.keys.isEmpty }
        #expect(scene.field.text == "mid")
        try pointer.tap(key: "Tab")
        try pointer.tap(key: "End")
        for key in ["a", "UD55C", "space", "b", "BackSpace"] { try pointer.tap(key: key) }
        try scene.run(until: "text is typed") { scene.field.text == "mida한 " }
        try pointer.tap(key: "Escape")
        try scene.run(until: "the focus is gone") { !scene.field.isFocused }
        pointer.move(to: scene.place(0.02))
        pointer.press()
        pointer.release()
        try pointer.tap(key: "z")
        try scene.run(until: "text is typed at the beginning") { scene.field.text == "zmida한 " }
        pointer.press()
        pointer.move(to: scene.place(0.9))
        pointer.release()
        try scene.run(until: "all is selected") { scene.field.selectedText == "zmida한 " }
        try pointer.tap(key: "q")
        try scene.run(until: "all is replaced") { scene.field.text == "q" }
        #expect(scene.keys == [0x78])
      }
    }
  }

  @Test func `an accent and a letter that are typed one after the other are one letter`() async throws {
    try await XServer.with { server in
      try await onOwnThread {
        var field = Scene.TextField()
        field.isFocused = true
        let scene = try FieldWindow(server, field)
        var keysyms: [KeySym] = [KeySym(XK_dead_acute)]
        XChangeKeyboardMapping(scene.display, 250, 1, &keysyms, 1)
        XSync(scene.display, 0)
        let pointer = try Pointer(server)
        pointer.move(to: Point(x: 100, y: 100))
        for key in ["dead_acute", "e", "x"] { try pointer.tap(key: key) }
        try scene.run(until: "the letter is typed") { scene.field.text == "éx" }
      }
    }
  }

  @Test func `says where a drop would be inserted`() async throws {
    try await XServer.with { server in
      try await onOwnThread {
        let scene = try FieldWindow(server, Scene.TextField("hello world"))
        let window = scene.window
        let place = window.place(of: .field)
        let y = place.origin.y + place.size.height / 2
        #expect(window.insertionIndex(at: PixelPoint(x: place.origin.x + 1, y: y)) == 0)
        #expect(window.insertionIndex(at: PixelPoint(x: place.origin.x + place.size.width - 2, y: y)) == 11)
        let middle = try #require(window.insertionIndex(at: PixelPoint(x: place.origin.x + 50, y: y)))
        #expect((1..<11).contains(middle))
        #expect(window.insertionIndex(at: PixelPoint(x: 5, y: 5)) == nil)
      }
    }
  }
}
