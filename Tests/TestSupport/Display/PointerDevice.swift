import XDnDX11
import CXTest
import Glibc
package import XDnD

/// The pointer and the keyboard of a display, moved by the server itself (XTEST): programs cannot tell them from a hand.
///
/// When a call returns, the server has done it and has written the events to whoever gets them.
package final class Pointer: Sendable {
  let connection: DisplayConnection
  private let displayName: String
  /// The display must outlive its pointer.
  private let server: XServer?

  /// The pointer of `server`.
  package init(_ server: XServer) throws {
    self.server = server
    displayName = server.displayName
    connection = try DisplayConnection(displayName)
  }

  /// The pointer of the display named `name`, which somebody else keeps alive.
  package init(displayName name: String) throws {
    server = nil
    displayName = name
    connection = try DisplayConnection(name)
  }

  // MARK: Motion

  /// Where it is, in root coordinates.
  package var position: Point {
    connection { display, root in
      var at = (root: Window(), child: Window(), x: Int32(), y: Int32(), inX: Int32(), inY: Int32(), mask: UInt32())
      XQueryPointer(display, root, &at.root, &at.child, &at.x, &at.y, &at.inX, &at.inY, &at.mask)
      return Point(x: Int(at.x), y: Int(at.y))
    }
  }

  /// Jumps to a place in root coordinates.
  package func move(to place: Point) {
    connection { display, _ in _ = XTestFakeMotionEvent(display, -1, Int32(place.x), Int32(place.y), 0) }
  }

  /// Goes to a place in `steps` equal steps, one each `pace`, as a hand does: toolkits begin a drag only when the pointer
  /// travels, and ask the window under it on the way.
  package func glide(to place: Point, steps: Int = 12, pace: Duration = .milliseconds(8)) async throws {
    try await gliding(from: position, to: place, steps, pace) { move(to: $0) }
  }

  /// Presses `button` at the first place of `path`, glides through the others and stays there with the button down;
  /// `release` drops.
  package func drag(along path: [Point], button: Int = 1, steps: Int = 12, pace: Duration = .milliseconds(8))
    async throws
  {
    guard let first = path.first else { return }
    move(to: first)
    press(button)
    for place in path.dropFirst() { try await glide(to: place, steps: steps, pace: pace) }
  }

  /// Moves to and fro by two pixels until `body` returns, as a hand does over a target that is slow to answer: many
  /// programs answer late, and tell it at the next motion only.
  @discardableResult
  package func hover<Value: Sendable>(until body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await hovering(at: position, move, until: body)
  }

  // MARK: Buttons and keys

  /// Presses a button; 1 is the left one.
  package func press(_ button: Int = 1) {
    connection { display, _ in _ = XTestFakeButtonEvent(display, UInt32(button), 1, 0) }
  }

  /// Lets a button go.
  package func release(_ button: Int = 1) {
    connection { display, _ in _ = XTestFakeButtonEvent(display, UInt32(button), 0, 0) }
  }

  /// Presses the key with the keysym of this name: `Escape`, `Control_L`, `Shift_L`, `Alt_L`, `a`.
  package func press(key name: String) throws {
    try fake(key: name, isDown: true)
  }

  /// Lets the key go.
  package func release(key name: String) throws {
    try fake(key: name, isDown: false)
  }

  /// Presses the key and lets it go.
  package func tap(key name: String) throws {
    try press(key: name)
    try release(key: name)
  }

  private func fake(key name: String, isDown: Bool) throws {
    try connection { display, _ in
      let symbol = XStringToKeysym(name)
      let code = symbol == 0 ? 0 : XKeysymToKeycode(display, symbol)
      guard code != 0 else { throw HarnessError("no key gives the keysym \(name)") }
      XTestFakeKeyEvent(display, UInt32(code), isDown ? 1 : 0, 0)
    }
  }

  // MARK: Looks

  /// The name of the cursor on the screen, as its theme or its program gave it; empty when it has none.
  package var cursorName: String {
    connection { display, _ in Self.cursorName(on: display) }
  }

  /// Waits until the cursor on the screen has this name: the first thing that a person sees of an answer to a drag, and
  /// the only thing that all toolkits tell. The pointer can be moved meanwhile.
  package func awaitCursor(_ name: String, timeout: Duration = .seconds(20)) async throws {
    let last = try await cursor(until: timeout) { $0 == name }
    guard last == name else { throw HarnessError("the cursor is \(last), not \(name), after \(timeout)") }
  }

  /// Waits until the cursor on the screen has had this name for half a second. The pointer must be moved meanwhile. PCManFM
  /// accepts the first position, and refuses the next ones until it has read the dragged list.
  package func awaitSteadyCursor(_ name: String) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    repeat {
      guard .now < deadline else { throw HarnessError("the cursor does not stay \(name)") }
      try await awaitCursor(name)
    } while try await cursor(until: .milliseconds(500), { $0 != name }) != name
  }

  /// Waits until the cursor on the screen has another name: the drag has noticed that it is elsewhere.
  package func awaitCursor(otherThan name: String, timeout: Duration = .seconds(20)) async throws {
    let last = try await cursor(until: timeout) { $0 != name }
    guard last != name else { throw HarnessError("the cursor is still \(name) after \(timeout)") }
  }

  /// Waits until a cursor is the right one, and returns the name of the last one.
  private func cursor(until timeout: Duration, _ isRight: @escaping @Sendable (String) -> Bool) async throws -> String {
    let eyes = try DisplayConnection(displayName)
    return try await onOwnThread {
      eyes { display, root -> String in
        XFixesSelectCursorInput(display, root, UInt(XFixesDisplayCursorNotifyMask))
        defer { XFixesSelectCursorInput(display, root, 0) }
        let deadline = ContinuousClock.now + timeout
        while true {
          // The look comes after the selection, and empties the socket into the queue: what changes later is seen.
          let current = Self.cursorName(on: display)
          let left = (deadline - .now) / Duration.milliseconds(1)
          guard !isRight(current), left > 0 else { return current }
          var event = XEvent()
          if XPending(display) > 0 {
            XNextEvent(display, &event)
          } else {
            var descriptor = pollfd(fd: XConnectionNumber(display), events: Int16(POLLIN), revents: 0)
            poll(&descriptor, 1, Int32(left.rounded(.up)))
          }
        }
      }
    }
  }

  private static func cursorName(on display: OpaquePointer) -> String {
    guard let image = XFixesGetCursorImage(display) else { return "" }
    defer { XFree(image) }
    return image.pointee.name.map { String(cString: $0) } ?? ""
  }
}

/// Moves a pointer or a finger in equal steps, one each `pace`.
func gliding(
  from start: Point, to end: Point, _ steps: Int, _ pace: Duration, _ move: (Point) throws -> Void
) async throws {
  let steps = max(1, steps)
  for step in 1...steps {
    let part = { (from: Int, to: Int) in from + (to - from) * step / steps }
    try move(Point(x: part(start.x, end.x), y: part(start.y, end.y)))
    try await Task.sleep(for: pace)
  }
}

/// Moves a pointer or a finger to and fro by two pixels until `body` returns.
func hovering<Value: Sendable>(
  at place: Point, _ move: @escaping @Sendable (Point) throws -> Void,
  until body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask { try await body() }
    group.addTask {
      var isAside = false
      while !Task.isCancelled {
        isAside.toggle()
        try move(Point(x: place.x + (isAside ? 2 : 0), y: place.y))
        try? await Task.sleep(for: .milliseconds(30))
      }
      return nil
    }
    defer { group.cancelAll() }
    guard let value = try await group.next() ?? nil else { throw HarnessError("the hovering was cancelled") }
    return value
  }
}
