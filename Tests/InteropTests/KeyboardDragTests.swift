import Glibc
import TestSupport
import Testing
import XDnD

/// Drags by the keyboard alone, to windows of real toolkits: no test in here touches the pointer's device.
@Suite(
  "Drags by keyboard", .serialized, .requiresXvfb, .requiresOpenbox, .requiresGTK3, .requiresQt5,
  .timeLimit(.minutes(3)))
struct KeyboardDragTests {
  static let toolkits: [Toolkit] = [.gtk3, .qt5]

  /// A display with a window of a toolkit on it that takes text, and a program that can drag.
  private func with(
    _ toolkit: Toolkit, _ body: (KeyboardDragger, Pointer, ChildProcess) async throws -> Void
  ) async throws {
    try await XServer.with(windowManager: .openbox) { server in
      try PeerTask(kind: "text", text: Sample.words).post(on: server)
      let target = try toolkit.launch("target", on: server, geometry: PeerStage.right)
      _ = try await DragScene.readyPoint(of: target)
      let dragger = try KeyboardDragger(server.displayName)
      try await body(dragger, try Pointer(server), target)
      target.send(SIGTERM)
      #expect(try await target.exit() == .exited(0))
    }
  }

  @Test(arguments: toolkits)
  func `a drag is begun, sent to a window, and dropped`(_ toolkit: Toolkit) async throws {
    try await with(toolkit) { dragger, keys, target in
      let outcome = await dragger.drag(Sample.words, offering: [.copy])
      try keys.tap(key: "Tab")
      try await dragger.next(.copy)
      try keys.tap(key: "Return")
      let drop = try await target.waitFor("drop")
      #expect(drop.string("text") == Sample.words)
      #expect(drop.string("action") == "copy")
      #expect(await outcome.value == .dropped(.copy))
    }
  }

  @Test(arguments: toolkits)
  func `a drag is sent to a window with arrows, and cancelled`(_ toolkit: Toolkit) async throws {
    try await with(toolkit) { dragger, keys, target in
      let outcome = await dragger.drag(Sample.words, offering: [.copy])
      // Faster than anybody answers, and over the window's edges.
      let (from, to) = (keys.position, DragScene.target)
      try keys.press(key: "Alt_L")
      for (way, keysOfWay) in [(to.x - from.x, ("Left", "Right")), (to.y - from.y, ("Up", "Down"))] {
        let count = (Double(abs(way)) / 100).rounded()
        for _ in 0..<Int(count) { try keys.tap(key: way < 0 ? keysOfWay.0 : keysOfWay.1) }
      }
      try keys.release(key: "Alt_L")
      try await dragger.next(.copy)
      try await target.waitFor("enter")
      try keys.tap(key: "Escape")
      try await target.waitFor("leave")
      #expect(await outcome.value == .cancelled(.escape))
    }
  }

  @Test(arguments: toolkits)
  func `keys pressed and let go over a resting pointer change what would happen, and the cursor`(_ toolkit: Toolkit)
    async throws
  {
    try await with(toolkit) { dragger, keys, target in
      let outcome = await dragger.drag(Sample.words, offering: [.copy, .move, .link])
      try keys.tap(key: "Tab")
      try await dragger.next(.copy)
      func expect(_ operation: DragOperation) async throws {
        try await dragger.next(operation)
        try await keys.awaitCursor("dnd-\(operation)")
        try await target.waitFor("motion") { $0.string("action") == operation.description }
      }
      try keys.press(key: "Shift_L")
      try await expect(.move)
      try keys.press(key: "Control_L")
      try await expect(.link)
      try keys.release(key: "Control_L")
      try await expect(.move)
      try keys.release(key: "Shift_L")
      try await expect(.copy)
      try keys.tap(key: "Escape")
      #expect(await outcome.value == .cancelled(.escape))
    }
  }

  @Test(arguments: toolkits)
  func `what is held at the drop decides, also if the target has not been told of it before`(_ toolkit: Toolkit)
    async throws
  {
    try await with(toolkit) { dragger, keys, target in
      let moved = await dragger.drag(Sample.words, offering: [.copy, .move])
      try keys.tap(key: "Tab")
      try await dragger.next(.copy)
      try keys.press(key: "Shift_L")
      try keys.tap(key: "Return")
      try keys.release(key: "Shift_L")
      #expect(try await target.waitFor("drop").string("action") == "move")
      #expect(await moved.value == .dropped(.move))

      let copied = await dragger.drag(Sample.words, offering: [.copy, .link])
      try keys.press(key: "Shift_L")
      try keys.press(key: "Control_L")
      try await dragger.next(.link)
      try keys.release(key: "Control_L")
      try keys.release(key: "Shift_L")
      try keys.tap(key: "Return")
      #expect(try await target.waitFor("drop").string("action") == "copy")
      #expect(await copied.value == .dropped(.copy))
    }
  }
}

/// A program without a window that drags text when it is told to.
private actor KeyboardDragger {
  private let driver: DragAndDrop
  private let delegate: Watcher
  private var session: DragSession?
  private nonisolated let began: AsyncStream<Void>
  private nonisolated let proposals: AsyncStream<DragOperation?>

  private final class Watcher: DragDelegate {
    private let began: AsyncStream<Void>.Continuation
    private let proposed: AsyncStream<DragOperation?>.Continuation

    init(_ began: AsyncStream<Void>.Continuation, _ proposed: AsyncStream<DragOperation?>.Continuation) {
      (self.began, self.proposed) = (began, proposed)
    }

    func dragBegan(_ drag: DragSession) { began.yield() }

    func drag(_ drag: DragSession, isProposed operation: DragOperation?) { proposed.yield(operation) }
  }

  init(_ displayName: String) throws {
    guard DisplayConnection.threadsAreReady else { throw HarnessError("this libX11 has no threads") }
    let (began, begin) = AsyncStream<Void>.makeStream()
    let (proposals, propose) = AsyncStream<DragOperation?>.makeStream()
    (self.began, self.proposals) = (began, proposals)
    delegate = Watcher(begin, propose)
    driver = try DragAndDrop(connectingTo: displayName)
  }

  /// Begins a drag without a button, and returns once pointer and keyboard are held.
  func drag(_ text: String, offering operations: [DragOperation]) async -> Task<DragOutcome?, Never> {
    var item = DragItem(text)
    item.operations = operations
    session = driver.beginDrag(item, button: nil, at: driver.serverTime, delegate: delegate)
    let outcome = Task { await runToEnd() }
    for await _ in began { break }
    return outcome
  }

  private func runToEnd() async -> DragOutcome? {
    let run = Task { try await driver.run() }
    let outcome = await session?.waitForOutcome()
    run.cancel()
    _ = try? await run.value
    return outcome
  }

  /// Returns when a drop would do this.
  nonisolated func next(_ operation: DragOperation?) async throws {
    let isThere = try await within(.seconds(20)) { [proposals] in
      for await proposal in proposals where proposal == operation { return true }
      return false
    }
    guard isThere == true else { throw HarnessError("no \(operation?.description ?? "refusal") was proposed") }
  }
}
