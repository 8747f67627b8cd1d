import Glibc
import TestSupport
import Testing
import XDnDX11

@testable import XDnD

/// The user can go on with other programs, whatever happens to the one that drags.
@Suite("The grab of a program that hangs", .requiresXvfb, .timeLimit(.minutes(2)))
struct GrabGuardTests {
  private static let start = Point(x: 40, y: 40)

  private final class Beginning: DragDelegate {
    private(set) var hasBegun = false
    func dragBegan(_ drag: DragSession) { hasBegun = true }
  }

  /// Begins a drag, and runs until it holds the grab.
  private func begin(_ driver: DragAndDrop, _ pointer: Pointer) throws -> DragSession {
    pointer.move(to: Self.start)
    pointer.press()
    let beginning = Beginning()
    let drag = driver.beginDrag(DragItem("text"), at: driver.serverTime, delegate: beginning)
    let limit = ContinuousClock.now + .seconds(20)
    try driver.run(wakingAt: { .now + .milliseconds(2) }) { !beginning.hasBegun && .now < limit }
    #expect(beginning.hasBegun)
    return drag
  }

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
