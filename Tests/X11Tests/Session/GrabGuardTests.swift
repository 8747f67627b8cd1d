import Glibc
import TestSupport
import Testing
import XDnDX11

@testable import XDnD

/// The user can go on with other programs, whatever happens to the one that drags.
@Suite("The grab of a program that hangs", .requiresXvfb, .timeLimit(.minutes(2)))
struct GrabGuardTests {
  @Test func `an event loop that hangs loses the grab after a while, and can drag again`() async throws {
    try await XServer.with { server in
      let (pointer, observer) = (try Pointer(server), try DisplayConnection(server.displayName))
      try await onOwnThread {
        let driver = try DragAndDrop(connectingTo: server.displayName)
        let drag = try begin(driver, pointer)
        #expect(!observer.isPointerFree)
        // The host's loop does not run. The user moves the mouse.
        let limit = ContinuousClock.now + .seconds(60)
        var step = 0
        while !observer.isPointerFree, .now < limit {
          step += 1
          pointer.move(to: Point(x: 40 + step % 50, y: 40))
          usleep(20_000)
        }
        #expect(observer.isPointerFree && observer.isKeyboardFree)
        #expect(drag.outcome == nil)
        // It comes to itself.
        try driver.run(wakingAt: { .now + .milliseconds(2) }) { drag.outcome == nil && .now < limit }
        #expect(drag.outcome == .cancelled(.grabLost))
        pointer.release()

        let next = try begin(driver, pointer)
        #expect(!observer.isPointerFree)
        next.cancel()
        pointer.release()
      }
    }
  }

  @Test func `a button that is released while the event loop hangs ends the drag, and the next one can begin`()
    async throws
  {
    try await XServer.with { server in
      let (pointer, observer) = (try Pointer(server), try DisplayConnection(server.displayName))
      try await onOwnThread {
        let driver = try DragAndDrop(connectingTo: server.displayName)
        let drag = try begin(driver, pointer)
        // The host's loop does not run: the release is in the queue before the loss of the grab.
        pointer.release()
        let limit = ContinuousClock.now + .seconds(60)
        while !observer.isPointerFree, .now < limit { usleep(20_000) }
        #expect(observer.isPointerFree && observer.isKeyboardFree)
        #expect(drag.outcome == nil)
        // It comes to itself.
        try driver.run(wakingAt: { .now + .milliseconds(2) }) { drag.outcome == nil && .now < limit }
        #expect(drag.outcome == .noTarget)

        let next = try begin(driver, pointer)
        #expect(!observer.isPointerFree)
        next.cancel()
        pointer.release()
      }
    }
  }

  @Test func `a process that was stopped for longer than the guard is patient keeps the grab`() async throws {
    // A process of its own: other tests go on in this one.
    await #expect(processExitsWith: .success) {
      let server = try await XServer.start()
      let (pointer, observer) = (try Pointer(server), try DisplayConnection(server.displayName))
      try await onOwnThread {
        let driver = try DragAndDrop(connectingTo: server.displayName)
        let drag = try begin(driver, pointer)
        // The loop does not run again before the guard has looked.
        pointer.move(to: Point(x: 60, y: 40))
        let script = "kill -STOP $1; sleep 6; kill -CONT $1"
        let stopper = try server.launch("/bin/sh", ["-c", script, "sh", "\(getpid())"])
        while stopper.isRunning { usleep(1000) }
        let end = ContinuousClock.now + .seconds(1)
        while !observer.isPointerFree, .now < end { usleep(20_000) }
        precondition(!observer.isPointerFree)
        try driver.process()
        precondition(drag.outcome == nil)
        drag.cancel()
        pointer.release()
      }
      try await server.terminate()
    }
  }

  @Test func `a hand that rests for long during a drag keeps the grab`() async throws {
    try await XServer.with { server in
      let (pointer, observer) = (try Pointer(server), try DisplayConnection(server.displayName))
      try await onOwnThread {
        let driver = try DragAndDrop(connectingTo: server.displayName)
        let drag = try begin(driver, pointer)
        // Longer than the guard is patient, with a loop that wakes for events only.
        let end = ContinuousClock.now + .seconds(7)
        try driver.run(wakingAt: { end }) { .now < end }
        #expect(drag.outcome == nil && !observer.isPointerFree)
        drag.cancel()
        pointer.release()
      }
    }
  }
}

private final class Beginning: DragDelegate {
  private(set) var hasBegun = false
  func dragBegan(_ drag: DragSession) { hasBegun = true }
}

/// Begins a drag, and runs until it holds the grab.
private func begin(_ driver: DragAndDrop, _ pointer: Pointer) throws -> DragSession {
  pointer.move(to: Point(x: 40, y: 40))
  pointer.press()
  let beginning = Beginning()
  let drag = driver.beginDrag(DragItem("text"), at: driver.serverTime, delegate: beginning)
  let limit = ContinuousClock.now + .seconds(20)
  try driver.run(wakingAt: { .now + .milliseconds(2) }) {
    !beginning.hasBegun && drag.outcome == nil && .now < limit
  }
  #expect(beginning.hasBegun)
  return drag
}

extension DisplayConnection {
  fileprivate var isPointerFree: Bool {
    self { display, root in
      let isFree =
        XGrabPointer(display, root, 0, 0, GrabModeAsync, GrabModeAsync, 0, 0, Time(CurrentTime)) == GrabSuccess
      if isFree { XUngrabPointer(display, Time(CurrentTime)) }
      XSync(display, 0)
      return isFree
    }
  }

  fileprivate var isKeyboardFree: Bool {
    self { display, root in
      let isFree = XGrabKeyboard(display, root, 0, GrabModeAsync, GrabModeAsync, Time(CurrentTime)) == GrabSuccess
      if isFree { XUngrabKeyboard(display, Time(CurrentTime)) }
      XSync(display, 0)
      return isFree
    }
  }
}
