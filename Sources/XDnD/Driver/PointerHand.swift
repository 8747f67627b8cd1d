import Logging

/// The hand that follows the user's pointer.
final class PointerHand: DragHand {
  private let grab: PointerGrab
  private let context: DriverContext
  /// The unanswered search for a target.
  private var search: Question?
  /// The unanswered request for the grab.
  private var pendingGrab: Question?

  init(_ grab: PointerGrab, _ context: DriverContext) {
    self.grab = grab
    self.context = context
  }

  func begin(
    _ offer: SourceMachine.Offer, cursor: CursorShape, at time: Timestamp,
    then answered: @escaping ([SourceMachine.Input]) -> Void
  ) {
    grab.requester = self
    grab.trackers.insert(ObjectIdentifier(self))
    let take = { [unowned self] (result: GrabResult) in
      pendingGrab = nil
      answered(inputs(after: result, button: offer.button, pressedAt: offer.time))
    }
    switch context.system.grab(offer.device, cursor: cursor, at: time, then: take) {
    case .known(let result): take(result)
    case .pending(let question): pendingGrab = question
    }
  }

  private func inputs(
    after result: GrabResult, button: PointerButton?, pressedAt time: Timestamp
  ) -> [SourceMachine.Input] {
    switch result {
    case .success(let start):
      let isDown = button.map(start.down.contains) ?? true
      return (isDown ? nil : inputsAfterRelease(of: button, since: time))
        ?? [.grabbed(start.pointer, buttonIsDown: isDown)]
    case .failure(let failure):
      if holdsGrab { grab.requester = nil }
      context.logger.debug("no grab", metadata: ["reason": "\(failure.rawValue)"])
      // The button may be up, and a window manager may have grabbed the next press.
      return inputsAfterRelease(of: button, since: time) ?? [failure.isOthers ? .grabRefused : .grabFailed]
    }
  }

  /// The inputs for a drag whose button went up before the grab; `nil` if it did not, or if no release is found.
  ///
  /// A user can be quicker than a busy program or a slow connection: the button is up before the server grabs. That is
  /// still a drag, and it ends where the button went up.
  private func inputsAfterRelease(of button: PointerButton?, since time: Timestamp) -> [SourceMachine.Input]? {
    guard let button, let release = context.system.queuedRelease(of: button, since: time) else { return nil }
    return [.grabbed(release, buttonIsDown: true), .buttonReleased(button, release)]
  }

  func end(at time: Timestamp) {
    pendingGrab = nil
    guard holdsGrab else { return }
    grab.requester = nil
    context.system.ungrab(at: time)
  }

  func endTracking() {
    guard grab.trackers.remove(ObjectIdentifier(self)) != nil else { return }
    // If another drag still tracks, its pending search must get its answer.
    if grab.trackers.isEmpty { context.system.endTracking() }
  }

  func findTarget(at point: Point, namingProgram namesProgram: Bool, then found: @escaping (FoundTarget) -> Void) {
    switch context.system.locateTarget(at: point, namingProgram: namesProgram, then: found) {
    case .known(let target):
      search = nil
      found(target)
    case .pending(let question): search = question
    }
  }

  func show(_ cursor: CursorShape) {
    if holdsGrab { context.system.show(cursor) }
  }

  var isUsers: Bool { true }

  var holdsGrab: Bool { grab.requester === self }
}

/// The grab of pointer and keyboard. A newer drag takes it over from an older one, which then must not release it.
final class PointerGrab {
  /// The hand that has requested the grab last, and has neither released it nor been refused.
  fileprivate weak var requester: PointerHand?
  /// The hands that search the window tree, each from its first request for the grab to the end of its drag.
  fileprivate var trackers: Set<ObjectIdentifier> = []
}
