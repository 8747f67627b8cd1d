import XDnDX11
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import XDnD

/// Drags that the library begins by itself, in windows of its connection.
@Suite("Interactions", .requiresXvfb, .timeLimit(.minutes(2)))
struct DragInteractionTests {
  private static let inside = Point(x: 120, y: 120)
  private static let beside = Point(x: 180, y: 120)
  private static let outside = Point(x: 300, y: 300)

  /// A driver with a window at 100,100 whose host wants presses and releases, and what both have seen.
  private final class Stage {
    let driver: DragAndDrop
    let window: WindowID
    private(set) var hostEvents: [Int32] = []
    private let display: OpaquePointer

    init(_ server: String) throws {
      driver = try DragAndDrop(connectingTo: server)
      display = try #require(driver.display)
      var attributes = XSetWindowAttributes()
      attributes.override_redirect = True
      attributes.event_mask = ButtonPressMask | ButtonReleaseMask
      let window = XCreateWindow(
        display, XDefaultRootWindow(display), 100, 100, 100, 50, 0, 0, UInt32(InputOutput), nil,
        UInt(CWOverrideRedirect | CWEventMask), &attributes)
      XMapWindow(display, window)
      XSync(display, False)
      self.window = WindowID(window)
      driver.onOtherEvent = { [unowned self] in
        hostEvents.append($0.load(as: XEvent.self).type)
      }
    }

    deinit { driver.onOtherEvent = nil }

    /// What the server has been asked for is done: the mask at the press decides what is told of the motion after it.
    func settle() { _ = driver.serverTime }

    func destroyWindow() {
      XDestroyWindow(display, window.xid)
      XSync(display, False)
    }

    /// Runs until `condition` holds.
    func run(at place: SourceLocation = #_sourceLocation, until condition: () -> Bool) throws {
      let deadline = ContinuousClock.now + .seconds(20)
      try driver.run(wakingAt: { deadline }, while: { !condition() && .now < deadline })
      #expect(condition(), "\(hostEvents)", sourceLocation: place)
    }
  }

  /// An interaction's delegate that notes what it hears.
  private final class Recorder: DragInteractionDelegate {
    var heard: [String] = []
    var items: [DragItem] = [DragItem("x")]
    func dragInteraction(_ interaction: DragInteraction, itemsForBeginningAt press: DragPress) -> [DragItem] {
      heard.append("items at \(press.location)")
      return items
    }
    func dragInteraction(_ interaction: DragInteraction, began drag: DragSession) { heard.append("began") }
    func dragInteraction(_ interaction: DragInteraction, liftedItemAt press: DragPress) { heard.append("lifted") }
    func dragInteraction(_ interaction: DragInteraction, settledItemAt press: DragPress) { heard.append("settled") }
    func dragInteraction(_ interaction: DragInteraction, clickedAt press: DragPress) { heard.append("clicked") }
  }

  @Test func `a press of another button leaves the gesture of the held one as it is`() async throws {
    try await XServer.with { server in
      let driver = try DragAndDrop(connectingTo: server.displayName)
      let recorder = Recorder()
      let interaction = DragInteraction(driver, delegate: recorder)
      let time = driver.serverTime
      let place = Point(x: 20, y: 20)
      interaction.press(
        DragPress(rootLocation: Self.inside, location: place, device: .touch(9, sequence: 1), time: time))
      interaction.press(DragPress(rootLocation: Self.inside, location: place, button: .secondary, time: time))
      // By a finger that scrolls. The other button's press would have made it a drag.
      interaction.move(to: Self.outside)
      #expect(recorder.heard.isEmpty)
      #expect(interaction.currentPress == nil)
    }
  }

  @Test func `a closure's items are dragged, and the host has seen the press`() async throws {
    try await XServer.with { server in
      let (name, pointer) = (server.displayName, try Pointer(server))
      try await onOwnThread {
        let stage = try Stage(name)
        let item = DragItem("Hello")
        var presses: [DragPress] = []
        var outcomes: [DragOutcome] = []
        let interaction = stage.driver.onDrag(in: stage.window, frame: Rect(x: 0, y: 0, width: 50, height: 50)) {
          presses.append($0)
          return [item]
        } ended: {
          outcomes.append($1)
        }
        stage.settle()
        // A press beside the frame is none, however far it moves.
        pointer.move(to: Self.beside)
        pointer.press()
        try stage.run { stage.hostEvents.count == 1 }
        pointer.move(to: Self.outside)
        pointer.release()
        try stage.run { stage.hostEvents.last == ButtonRelease }
        #expect(presses.isEmpty)

        pointer.move(to: Self.inside)
        pointer.press()
        try stage.run { interaction.currentPress != nil }
        #expect(interaction.currentPress?.location == Point(x: 20, y: 20))
        pointer.move(to: Self.outside)
        try stage.run { interaction.session != nil && stage.driver.reactor.drags.held != nil }
        #expect(presses.count == 1)
        #expect(presses.first?.rootLocation == Self.inside)
        #expect(interaction.session?.types.first == .plainText)
        pointer.release()
        try stage.run { !outcomes.isEmpty }
        #expect(outcomes == [.noTarget])
        // The release after the drag's grab is the drag's own.
        #expect(stage.hostEvents.filter { $0 == ButtonPress }.count == 2)
      }
    }
  }

  @Test func `a press becomes a drag with types of its own, and waits for no reply`() async throws {
    try await XServer.with { server in
      let (name, pointer) = (server.displayName, try Pointer(server))
      try await onOwnThread {
        let stage = try Stage(name)
        let us = try #require(stage.driver.reactor.system as? XlibConnection)
        var item = DragItem()
        for number in 0..<5 { item.promise(ContentType("application/x-own-\(number)"), bytes: [1]) }
        var outcomes: [DragOutcome] = []
        let interaction = stage.driver.onDrag(in: stage.window) { [item] _ in
          [item]
        } ended: {
          outcomes.append($1)
        }
        pointer.move(to: Self.inside)
        stage.settle()
        try stage.run { us.display.openBatches.isEmpty }
        let waits = us.display.waits
        pointer.press()
        try stage.run { interaction.currentPress != nil }
        pointer.move(to: Self.outside)
        try stage.run { interaction.session != nil && stage.driver.reactor.drags.held != nil }
        #expect(us.display.waits == waits)
        pointer.release()
        try stage.run { !outcomes.isEmpty }
        #expect(outcomes == [.noTarget])
      }
    }
  }

  @Test func `a click is told as one, an empty answer begins no drag, and what was removed hears nothing`() async throws
  {
    try await XServer.with { server in
      let (name, pointer) = (server.displayName, try Pointer(server))
      try await onOwnThread {
        let (stage, recorder) = (try Stage(name), Recorder())
        let interaction = DragInteraction(stage.driver, delegate: recorder)
        stage.driver.add(interaction, to: stage.window)
        stage.settle()
        pointer.move(to: Self.inside)
        pointer.press()
        pointer.release()
        try stage.run { recorder.heard == ["clicked"] }

        recorder.items = []
        pointer.press()
        try stage.run { interaction.currentPress != nil }
        pointer.move(to: Self.outside)
        try stage.run { recorder.heard.last == "items at 20,20" }
        pointer.release()
        try stage.run { stage.hostEvents.filter { $0 == ButtonRelease }.count == 2 }
        #expect(interaction.session == nil)

        stage.driver.remove(interaction)
        pointer.move(to: Self.inside)
        pointer.press()
        pointer.release()
        try stage.run { stage.hostEvents.filter { $0 == ButtonRelease }.count == 3 }
        #expect(recorder.heard == ["clicked", "items at 20,20"])
      }
    }
  }

  @Test func `a host that processes events while it is told of a press has the press before its release`()
    async throws
  {
    try await XServer.with { server in
      let (name, pointer) = (server.displayName, try Pointer(server))
      try await onOwnThread {
        let (stage, recorder) = (try Stage(name), Recorder())
        let driver = stage.driver
        // Motions without a button, too.
        XSelectInput(driver.display, stage.window.xid, ButtonPressMask | ButtonReleaseMask | PointerMotionMask)
        let interaction = DragInteraction(driver, delegate: recorder)
        driver.add(interaction, to: stage.window)
        stage.settle()
        var isReleased = false
        driver.onOtherEvent = { [unowned driver] event in
          let type = event.load(as: XEvent.self).type
          if type == ButtonPress { try? driver.process() }
          if type == ButtonRelease { isReleased = true }
        }
        pointer.move(to: Self.inside)
        pointer.press()
        pointer.release()
        try stage.run { isReleased }
        pointer.move(to: Self.beside)
        stage.settle()
        try driver.process()
        #expect(recorder.heard == ["clicked"])
        #expect(interaction.currentPress == nil && interaction.session == nil)
      }
    }
  }

  @Test func `a press that rests is lifted by the driver's own deadline`() async throws {
    try await XServer.with { server in
      let (name, pointer) = (server.displayName, try Pointer(server))
      try await onOwnThread {
        let (stage, recorder) = (try Stage(name), Recorder())
        let interaction = DragInteraction(stage.driver, delegate: recorder)
        interaction.trigger = .hold(.milliseconds(50))
        stage.driver.add(interaction, to: stage.window)
        stage.settle()
        pointer.move(to: Self.inside)
        pointer.press()
        try stage.run { recorder.heard == ["lifted"] }
        pointer.move(to: Self.outside)
        try stage.run { recorder.heard == ["lifted", "items at 20,20", "began"] }
        pointer.release()
        try stage.run { interaction.session?.outcome != nil }
      }
    }
  }

  @Test func `the end of its window ends a press, and leaves nothing`() async throws {
    try await XServer.with { server in
      let (name, pointer) = (server.displayName, try Pointer(server))
      try await onOwnThread {
        let (stage, recorder) = (try Stage(name), Recorder())
        var interaction: DragInteraction? = DragInteraction(stage.driver, delegate: recorder)
        weak let weakInteraction = interaction
        stage.driver.add(try #require(interaction), to: stage.window)
        stage.settle()
        pointer.move(to: Self.inside)
        pointer.press()
        try stage.run { weakInteraction?.currentPress != nil }
        interaction = nil
        #expect(weakInteraction != nil)
        stage.destroyWindow()
        try stage.run { weakInteraction == nil }
        pointer.release()
        #expect(recorder.heard == [])
      }
    }
  }

  @Test func `a press that no hand has made begins nothing`() async throws {
    try await XServer.with { server in
      let (name, peer) = (server.displayName, try XlibPeer(server))
      let (display, root) = (peer.display, peer.root)
      // The peer is here until the other thread is done, and nobody else uses its connection meanwhile.
      nonisolated(unsafe) let connection = display
      try await onOwnThread {
        let (stage, recorder) = (try Stage(name), Recorder())
        let interaction = DragInteraction(stage.driver, delegate: recorder)
        stage.driver.add(interaction, to: stage.window)
        stage.settle()
        var event = XEvent()
        event.xbutton.type = ButtonPress
        event.xbutton.window = stage.window.xid
        event.xbutton.root = root
        event.xbutton.button = 1
        event.xbutton.time = 1
        event.xbutton.same_screen = True
        XSendEvent(connection, stage.window.xid, False, ButtonPressMask, &event)
        XSync(connection, False)
        try stage.run { stage.hostEvents == [ButtonPress] }
        #expect(interaction.currentPress == nil)
      }
      withExtendedLifetime(peer) {}
    }
  }
}
