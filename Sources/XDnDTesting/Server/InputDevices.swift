import XDnD

/// The pointer and the keyboard of the simulated server, and the grab of both.
struct InputDevices {
  struct Grab {
    var client: FakeClient
    var cursor: CursorShape
  }

  /// In root coordinates.
  private(set) var pointer = Point(x: 0, y: 0)
  private(set) var buttons: Set<PointerButton> = []
  private(set) var modifiers: Modifiers = []
  private(set) var grab: Grab?
  /// The releases of buttons without a grab, which the window of the press receives.
  private(set) var releases: [PointerButton: PointerSample] = [:]

  func sample(at time: Timestamp) -> PointerSample {
    PointerSample(point: pointer, time: time, modifiers: modifiers)
  }

  mutating func movePointer(_ move: PointerMove) {
    switch move {
    case .to(let point): pointer = point
    case .by(let dx, let dy): pointer = Point(x: pointer.x + dx, y: pointer.y + dy)
    }
  }

  mutating func press(_ button: PointerButton) { buttons.insert(button) }

  mutating func release(_ button: PointerButton, at time: Timestamp) {
    buttons.remove(button)
    if grab == nil { releases[button] = sample(at: time) }
  }

  mutating func hold(_ modifiers: Modifiers) { self.modifiers = modifiers }

  /// Grabs the pointer and the keyboard for a client; `false` if another client holds the grab.
  mutating func grab(for client: FakeClient, cursor: CursorShape) -> Bool {
    if let grab, grab.client !== client { return false }
    grab = Grab(client: client, cursor: cursor)
    return true
  }

  /// Ends the grab, and returns the client that held it.
  @discardableResult
  mutating func endGrab() -> FakeClient? {
    defer { grab = nil }
    return grab?.client
  }

  mutating func show(_ cursor: CursorShape, for client: FakeClient) {
    if grab?.client === client { grab?.cursor = cursor }
  }
}
