import XDnDX11
import TestSupport
import Testing

@testable import XDnD

/// However a drag ends: pointer and keyboard are free, the cursor is the old one, no window of the drag is left, nothing
/// waits any more, and no event is asked for that was not before.
@Suite("What is left of a drag on a real server", .requiresXvfb, .timeLimit(.minutes(2)))
struct DragEndsOnXTests {
  enum End: String, CaseIterable, Sendable {
    case dropped, refused, noTarget, escape, cancelled, targetDied, targetDiedAfterDrop, grabLost, selectionLost
  }

  private static let outcomes: [End: DragOutcome] = [
    .dropped: .dropped(.copy), .refused: .refused, .noTarget: .noTarget, .escape: .cancelled(.escape),
    .cancelled: .cancelled(.application), .targetDied: .noTarget, .targetDiedAfterDrop: .targetVanished,
    .grabLost: .cancelled(.grabLost), .selectionLost: .cancelled(.selectionLost),
  ]

  @Test(arguments: End.allCases) func `nothing is left of a drag`(_ end: End) async throws {
    try await XServer.with { server in
      let stage = DragEndsStage(displayName: server.displayName, pointer: try Pointer(server))
      try await onOwnThread { try stage.run(to: end, expecting: try #require(Self.outcomes[end])) }
    }
  }

  @Test func `the end of the connection ends the drag and leaves nothing on the server`() async throws {
    try await XServer.with { server in
      let stage = DragEndsStage(displayName: server.displayName, pointer: try Pointer(server))
      try await onOwnThread { try stage.runToLoss() }
    }
  }
}

/// Two programs in one thread: one drags, the other takes.
private struct DragEndsStage: Sendable {
  let displayName: String
  let pointer: Pointer

  private static let start = Point(x: 40, y: 40)
  private static let inside = Point(x: 300, y: 100)
  private static let outside = Point(x: 900, y: 600)

  /// A window that takes text, or says no.
  private final class Target: DropDelegate {
    var driver: DragAndDrop?
    var answers = true
    var accepts = true
    var isOver = false

    func dropEntered(_ drop: DropSession) { isOver = true }
    func dropExited(_ drop: DropSession, _ reason: DropExit) { isOver = false }
    func dropUpdated(_ drop: DropSession) -> DropProposal { accepts ? drop.suggestedProposal : .forbidden }

    func performDrop(_ drop: DropSession) {
      guard answers else { return kept = drop }
      drop.load(.plainText) { _ in drop.finish(.copy) }
    }

    /// What it has not answered.
    private(set) var kept: DropSession?
    var window = Window()
  }

  private final class Source: DragDelegate {
    var proposals: [DragOperation?] = []
    func drag(_ drag: DragSession, isProposed operation: DragOperation?) { proposals.append(operation) }
  }

  /// What a program could leave behind.
  private struct Traces: Equatable {
    var isPointerFree: Bool
    var isKeyboardFree: Bool
    var cursor: String
    var cursorSerial: UInt
    /// Windows of the server that are on the root window.
    var windows: Set<UInt>
    /// The events of the root window that the program asks for; `nil` when it has no connection any more.
    var rootEvents: Int?
  }

  private func traces(of driver: DragAndDrop?, _ observer: DisplayConnection) -> Traces {
    observer { display, root in
      let time = Time(CurrentTime)
      let isPointerFree = XGrabPointer(display, root, 0, 0, GrabModeAsync, GrabModeAsync, 0, 0, time) == GrabSuccess
      XUngrabPointer(display, time)
      let isKeyboardFree = XGrabKeyboard(display, root, 0, GrabModeAsync, GrabModeAsync, time) == GrabSuccess
      XUngrabKeyboard(display, time)
      let image = XFixesGetCursorImage(display)
      defer { if let image { XFree(image) } }
      var (top, parent): (Window, Window) = (0, 0)
      var list: UnsafeMutablePointer<Window>?
      var count: UInt32 = 0
      XQueryTree(display, root, &top, &parent, &list, &count)
      defer { if let list { XFree(list) } }
      var attributes = XWindowAttributes()
      let rootEvents = driver?.display.map { own in
        XGetWindowAttributes(own, root, &attributes)
        return attributes.your_event_mask
      }
      return Traces(
        isPointerFree: isPointerFree, isKeyboardFree: isKeyboardFree,
        cursor: image?.pointee.name.map { String(cString: $0) } ?? "", cursorSerial: image?.pointee.cursor_serial ?? 0,
        windows: Set(UnsafeBufferPointer(start: list, count: Int(count)).map { UInt($0) }), rootEvents: rootEvents)
    }
  }

  private func makeTarget() throws -> Target {
    let target = Target()
    let driver = try DragAndDrop(connectingTo: displayName)
    let display = try #require(driver.display)
    let window = XCreateSimpleWindow(display, XDefaultRootWindow(display), 200, 0, 200, 200, 0, 0, 0)
    driver.registerDropTarget(WindowID(rawValue: UInt32(window)), accepting: DropOffer([.plainText]), delegate: target)
    XMapWindow(display, window)
    XSync(display, 0)
    target.driver = driver
    target.window = window
    return target
  }

  /// What the server does to a program that crashes: it cannot say goodbye.
  private func kill(_ target: Target, _ observer: DisplayConnection) {
    observer { display, _ in _ = XKillClient(display, target.window) }
  }

  private func pump(_ source: DragAndDrop, _ target: Target, until condition: () -> Bool) throws {
    let limit = ContinuousClock.now + .seconds(20)
    try source.run(wakingAt: { .now + .milliseconds(2) }) {
      try? target.driver?.process()
      return !condition() && .now < limit
    }
    #expect(condition())
  }

  private func begin(_ driver: DragAndDrop, _ target: Target, _ delegate: Source, accepted: Bool) throws -> DragSession
  {
    pointer.move(to: Self.start)
    pointer.press()
    let drag = driver.beginDrag(DragItem("text"), at: driver.serverTime, delegate: delegate)
    pointer.move(to: Self.inside)
    try pump(driver, target) { delegate.proposals.contains(accepted ? .copy : nil) && target.isOver }
    return drag
  }

  func run(to end: DragEndsOnXTests.End, expecting outcome: DragOutcome) throws {
    let observer = try DisplayConnection(displayName)
    let target = try makeTarget()
    target.accepts = end != .refused
    target.answers = end != .targetDiedAfterDrop
    let driver = try DragAndDrop(connectingTo: displayName)
    let delegate = Source()
    pointer.move(to: Self.inside)
    let cursor = traces(of: driver, observer).cursorSerial
    pointer.move(to: Self.start)
    var before = traces(of: driver, observer)

    let drag = try begin(driver, target, delegate, accepted: target.accepts)
    let during = traces(of: driver, observer)
    #expect(!during.isPointerFree && !during.isKeyboardFree && during.cursorSerial != cursor)
    let dragWindow = observer { display, _ in XGetSelectionOwner(display, XInternAtom(display, "XdndSelection", 0)) }

    switch end {
    case .dropped, .refused: pointer.release()
    case .noTarget:
      pointer.move(to: Self.outside)
      try pump(driver, target) { !target.isOver }
      pointer.release()
    case .escape: try pointer.tap(key: "Escape")
    case .cancelled: drag.cancel()
    case .targetDied:
      kill(target, observer)
      try pump(driver, target) { delegate.proposals.last == .some(nil) }
      pointer.release()
    case .targetDiedAfterDrop:
      pointer.release()
      try pump(driver, target) { target.kept != nil }
      kill(target, observer)
    case .grabLost: observer { display, _ in _ = XUnmapWindow(display, dragWindow) }
    case .selectionLost:
      observer { display, root in
        _ = XSetSelectionOwner(display, XInternAtom(display, "XdndSelection", 0), root, Time(CurrentTime))
      }
    }
    try pump(driver, target) { drag.outcome != nil && driver.nextDeadline == nil }
    pointer.release()
    #expect(drag.outcome == outcome)

    // Where it was before, so that it is the same window that says what the cursor is.
    pointer.move(to: Self.start)
    let after = traces(of: driver, observer)
    if end == .targetDied || end == .targetDiedAfterDrop {
      // Its windows have gone with it.
      before.windows.formIntersection(after.windows)
    }
    #expect(after == before)
    #expect(driver.nextDeadline == nil)
  }

  func runToLoss() throws {
    let observer = try DisplayConnection(displayName)
    let target = try makeTarget()
    pointer.move(to: Self.start)
    let before = traces(of: nil, observer)
    let driver = try DragAndDrop(connectingTo: displayName)
    let drag = try begin(driver, target, Source(), accepted: true)
    observer { display, _ in
      _ = XKillClient(display, XGetSelectionOwner(display, XInternAtom(display, "XdndSelection", 0)))
    }
    #expect(throws: XDnDError.displayClosed) { try pump(driver, target) { false } }
    #expect(drag.outcome == .serverLost)
    #expect(driver.nextDeadline == nil && driver.fileDescriptor == -1)
    pointer.move(to: Self.start)
    pointer.release()
    #expect(traces(of: nil, observer) == before)
  }
}
