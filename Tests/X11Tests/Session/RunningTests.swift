import XDnDX11
import Foundation
import TestSupport
import Testing
import XDnD

/// The four ways to run the library, each with a real drag from or to another process.
@Suite("Running the driver", .requiresXvfb, .timeLimit(.minutes(2)))
struct RunningTests {
  @Test @MainActor func `async code loads what was dropped while the driver runs beside it`() async throws {
    try await XServer.with { server in
      let receiver = try Receiver(server.displayName)
      let source = try server.launchSource("200x200+50+50", ["--text", Sample.words, "--once"])
      let start = try await DragScene.readyPoint(of: source)
      let run = Task { try await receiver.run() }
      let pointer = try Pointer(server)
      try await pointer.drag(along: [start, Point(x: 700, y: 200)])
      try await source.waitFor("drag-began")
      pointer.release()
      let text = try await receiver.text()
      #expect(text == Sample.words)
      #expect(try await source.exit() == .exited(0))
      run.cancel()
      await #expect(throws: Never.self) { try await run.value }
    }
  }

  @Test func `an actor awaits the outcome of a drag that it has begun`() async throws {
    try await XServer.with { server in
      let probe = try server.launchProbe(DragScene.targetGeometry, ["--once"])
      let end = try await DragScene.readyPoint(of: probe)
      let sender = try Sender(server.displayName)
      let pointer = try Pointer(server)
      pointer.move(to: Point(x: 100, y: 100))
      pointer.press()
      let drag = Task { try await sender.dragAtPress(text: "from an actor") }
      try await sender.whenDragging()
      try await pointer.glide(to: end)
      pointer.release()
      #expect(try await drag.value == .dropped(.copy))
      #expect(try await probe.exit() == .exited(0))
    }
  }

  @Test func `a raw Xlib program is source and target in its own loop`() async throws {
    try await XServer.with { server in
      let example = try server.launch("/usr/bin/stdbuf", ["-oL", BuiltProducts.executable("RawXlib")])
      let probe = try server.launchProbe(DragScene.targetGeometry, ["--once", "--accept", "text/plain"])
      let source = try server.launchSource("300x300+900+60", ["--text", "Grüße", "--once"])
      let end = try await DragScene.readyPoint(of: probe)
      let start = try await DragScene.readyPoint(of: source)
      let pointer = try Pointer(server)
      let own = Point(x: 60, y: 60)
      // It says nothing when it is ready.
      let connection = try DisplayConnection(server.displayName)
      #expect(try await onOwnThread { connection.awaitWindow(at: own) })
      try await pointer.drag(along: [start, own])
      try await source.waitFor("drag-began")
      pointer.release()
      #expect(try await source.exit() == .exited(0))
      #expect(try await example.waitForLine() == "Grüße")
      try await pointer.drag(along: [own, Point(x: 150, y: 150)])
      pointer.release()
      #expect(try await example.waitForLine() == "Hello from Xlib")
      try await pointer.drag(along: [own, end])
      pointer.release()
      let data = try await probe.waitFor("data")
      #expect(data.integer("bytes") == 15)
      #expect(try await probe.exit() == .exited(0))
    }
  }

  @Test func `the blocking loop ends when its condition says so, and throws when the server is gone`() async throws {
    let server = try await XServer.start()
    let name = server.displayName
    try await onOwnThread {
      let driver = try DragAndDrop(connectingTo: name)
      var turns = 0
      try driver.run(
        wakingAt: { .now },
        while: {
          turns += 1
          return turns < 3
        })
      #expect(turns == 3)
    }
    let (turned, turn) = AsyncStream<Void>.makeStream()
    let ended = Task {
      try await onOwnThread {
        let driver = try DragAndDrop(connectingTo: name)
        #expect(throws: XDnDError.displayClosed) {
          try driver.run(while: {
            turn.yield()
            return true
          })
        }
        #expect(driver.isClosed)
        #expect(driver.fileDescriptor == -1)
      }
    }
    for await _ in turned { break }
    try await server.kill()
    try await ended.value
  }

  @Test func `a display that is not there is an error with its name`() {
    let error = #expect(throws: XDnDError.self) { try DragAndDrop(connectingTo: ":59999") }
    #expect(error?.code == .displayUnavailable)
    #expect(error?.message == "cannot open display :59999")
  }
}

/// A window that takes text, on the main actor: the delegate's conformance is isolated to it.
@MainActor
private final class Receiver: @MainActor DropDelegate {
  private let driver: DragAndDrop
  private let texts: AsyncStream<Result<String, XDnDError>>
  private let arrived: AsyncStream<Result<String, XDnDError>>.Continuation

  init(_ displayName: String) throws {
    guard DisplayConnection.threadsAreReady else { throw HarnessError("this libX11 has no threads") }
    (texts, arrived) = AsyncStream.makeStream()
    driver = try DragAndDrop(connectingTo: displayName, configuration: .patient)
    let display = try #require(driver.display)
    let window = XCreateSimpleWindow(display, XDefaultRootWindow(display), 600, 100, 200, 200, 0, 0, 0)
    driver.registerDropTarget(
      WindowID(rawValue: UInt32(window)), accepting: DropOffer([.plainText]), delegate: self)
    XMapWindow(display, window)
    XFlush(display)
  }

  func run() async throws { try await driver.run() }

  func performDrop(_ drop: DropSession) {
    Task {
      do throws(XDnDError) {
        let content = try await drop.load(.plainText)
        drop.finish(.copy)
        arrived.yield(.success(String(decoding: content.bytes, as: UTF8.self)))
      } catch {
        drop.reject()
        arrived.yield(.failure(error))
      }
    }
  }

  func text() async throws -> String? {
    for await result in texts { return try result.get() }
    return nil
  }
}

/// An actor that drags.
private actor Sender {
  private let driver: DragAndDrop
  private let delegate = Starter()

  init(_ displayName: String) throws {
    guard DisplayConnection.threadsAreReady else { throw HarnessError("this libX11 has no threads") }
    driver = try DragAndDrop(connectingTo: displayName)
  }

  /// Begins a drag with the button that is down, and waits for its end.
  func dragAtPress(text: String) async throws -> DragOutcome {
    let drag = driver.beginDrag(DragItem(text), at: driver.serverTime, delegate: delegate)
    let run = Task { try await driver.run() }
    let outcome = await drag.waitForOutcome()
    run.cancel()
    _ = try? await run.value
    return outcome
  }

  func whenDragging() async throws {
    for await _ in delegate.began { return }
  }
}

private final class Starter: DragDelegate {
  let began: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  init() { (began, signal) = AsyncStream.makeStream() }

  func dragBegan(_ drag: DragSession) { signal.yield() }
}
