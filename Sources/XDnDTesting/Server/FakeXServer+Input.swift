import XDnD

/// What the user does.
extension FakeXServer {
  private var sample: PointerSample { PointerSample(point: pointer, time: time, modifiers: modifiers) }

  func movePointer(to point: Point) {
    pointer = point
    if let client = grab?.client { deliver(.pointerMoved(sample), to: client) }
  }

  func press(_ button: PointerButton) {
    buttons.insert(button)
    if let client = grab?.client { deliver(.buttonPressed(button, sample), to: client) }
  }

  func release(_ button: PointerButton) {
    buttons.remove(button)
    guard let client = grab?.client else {
      releases[button] = sample
      return
    }
    deliver(.buttonReleased(button, sample), to: client)
  }

  func hold(_ modifiers: Modifiers) {
    self.modifiers = modifiers
    if let client = grab?.client { deliver(.modifiersChanged(sample), to: client) }
  }

  func pressEscape() { press(.cancel) }

  func press(_ key: DragKey) {
    if let client = grab?.client { deliver(.keyPressed(key, sample), to: client) }
  }

  /// A notch of the wheel, as X tells it.
  func turnWheel(_ direction: WheelScroll.Direction) {
    let button = PointerButton(rawValue: direction.rawValue + 4)
    press(button)
    release(button)
  }

  /// The pointer as one client moves it: that one learns at once where it is, and needs to know nothing older.
  func movePointer(_ move: PointerMove, for client: FakeClient, at time: Timestamp) -> PointerSample? {
    guard grab?.client === client else {
      if client.isChecked, !client.hasLostGrab { impossible("\(client) moves the pointer without a grab") }
      return nil
    }
    if time == .currentTime { impossible("\(client) moves the pointer at no time") }
    switch move {
    case .to(let point): pointer = point
    case .by(let dx, let dy): pointer = Point(x: pointer.x + dx, y: pointer.y + dy)
    }
    client.hasMovedPointer(to: pointer)
    return PointerSample(point: pointer, time: time, modifiers: modifiers)
  }

  /// What a screen locker does.
  func breakGrab() {
    guard let client = grab?.client else { return }
    grab = nil
    client.hasLostGrab = true
    deliver(.grabLost, to: client)
  }

  func grab(for client: FakeClient, cursor: CursorShape, at time: Timestamp) -> GrabResult {
    if time == .currentTime { impossible("\(client) grabs at no time") }
    if let grab, grab.client !== client { return .failure(.alreadyGrabbed) }
    grab = Grab(client: client, cursor: cursor)
    client.hasLostGrab = false
    return .success(GrabStart(pointer: sample, down: buttons))
  }

  func ungrab(for client: FakeClient) {
    guard !client.isClosed else { return }
    guard grab?.client === client else {
      // Pointer and keyboard are lost one by one, so what the server has ended is let go all the same, once.
      if client.isChecked, !client.hasLostGrab { impossible("\(client) lets go a grab that it has not") }
      client.hasLostGrab = false
      return
    }
    grab = nil
  }
}
