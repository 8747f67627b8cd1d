@testable import XDnD

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
    if let client = grab?.client { deliver(.buttonReleased(button, sample), to: client) }
  }

  func hold(_ modifiers: Modifiers) {
    self.modifiers = modifiers
    if let client = grab?.client { deliver(.modifiersChanged(sample), to: client) }
  }

  func pressEscape() {
    if let client = grab?.client { deliver(.escapePressed, to: client) }
  }

  /// What a screen locker does.
  func breakGrab() {
    guard let client = grab?.client else { return }
    grab = nil
    client.hasLostGrab = true
    deliver(.grabLost, to: client)
  }

  func grab(
    for client: FakeClient, cursor: CursorShape, at time: Timestamp
  ) throws(GrabFailure) -> (PointerSample, down: Set<PointerButton>) {
    if time == .currentTime { impossible("\(client) grabs at no time") }
    if let grab, grab.client !== client { throw .alreadyGrabbed }
    grab = Grab(client: client, cursor: cursor)
    client.hasLostGrab = false
    return (sample, buttons)
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
