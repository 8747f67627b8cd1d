import Logging

/// The user's pointer.
final class PointerHand: DragHand {
  private let drag: DragID
  private let grab: PointerGrab
  private let context: DriverContext
  /// Whether the window system keeps what it has learned about windows, for this hand.
  private var isTracking = false
  /// The search whose answer has not arrived.
  private var awaited: QuestionID?

  init(_ drag: DragID, _ grab: PointerGrab, _ context: DriverContext) {
    self.drag = drag
    self.grab = grab
    self.context = context
  }

  func begin(_ offer: SourceMachine.Offer, cursor: CursorShape, at time: Timestamp) -> [SourceMachine.Input] {
    do {
      let (pointer, down) = try context.system.grab(cursor: cursor, at: time)
      grab.holder = drag
      isTracking = true
      let isDown = offer.button.map(down.contains) ?? true
      return (isDown ? nil : inputsAfterRelease(offer)) ?? [.grabbed(pointer, buttonIsDown: isDown)]
    } catch {
      context.logger.debug("no grab", metadata: ["reason": "\(error.rawValue)"])
      // A window manager may hold the next press already.
      return inputsAfterRelease(offer) ?? [.grabFailed]
    }
  }

  /// The inputs for a drag whose button went up before the grab; `nil` if it did not, or if its place is unknown.
  ///
  /// A user can be quicker than a busy program: press, motion and release are all in the queue when the program reads
  /// the press. That is still a drag, and it ends where the button went up.
  private func inputsAfterRelease(_ offer: SourceMachine.Offer) -> [SourceMachine.Input]? {
    guard let button = offer.button, let release = context.system.queuedRelease(of: button, since: offer.time) else {
      return nil
    }
    return [.grabbed(release, buttonIsDown: true), .buttonReleased(button, release)]
  }

  func end(at time: Timestamp) {
    guard holdsGrab else { return }
    grab.holder = nil
    context.system.ungrab(at: time)
  }

  func endTracking() {
    guard isTracking else { return }
    isTracking = false
    context.system.endTracking()
  }

  func target(at point: Point, namingProgram namesProgram: Bool) -> FoundTarget? {
    let question = context.nextQuestion()
    switch context.system.locateTarget(at: point, namingProgram: namesProgram, as: question) {
    case .found(let target):
      awaited = nil
      return target
    case .pending:
      awaited = question
      return nil
    }
  }

  func takesAnswer(to question: QuestionID) -> Bool {
    guard question == awaited else { return false }
    awaited = nil
    return true
  }

  func show(_ cursor: CursorShape) { context.system.show(cursor) }

  var holdsGrab: Bool { grab.holder == drag }
}

/// The grab of pointer and keyboard. A newer drag takes it over from an older one, which then must not release it.
final class PointerGrab {
  fileprivate(set) var holder: DragID?
}
