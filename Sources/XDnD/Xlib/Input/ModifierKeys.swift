/// Which keys are modifiers, for presses that may become drags.
///
/// They are asked for when presses are first watched, and after each change, so that a press does not wait.
final class ModifierKeys {
  private let display: DisplayHandle
  /// `nil` while it is unknown.
  private var map: ModifierMap?
  /// The number of the last question; 0 before the first. Answers to earlier ones do not count.
  private var lastQuestion = 0

  init(_ display: DisplayHandle) {
    self.display = display
  }

  /// Asks for the keys without waiting, if that has not been done.
  func prepare() {
    if lastQuestion == 0 { ask() }
  }

  /// Processes a change of the keyboard.
  func keyboardChanged() {
    map = nil
    if lastQuestion > 0 { ask() }
  }

  /// The modifiers in the state mask of a press. Makes one round trip if the keys are unknown.
  func modifiers(inState state: UInt32) -> Modifiers {
    let known = map ?? ModifierMap(KeyState.read(display))
    map = known
    // The host of a borrowed display may not pass on every change.
    if !display.isOwned { ask() }
    return known.modifiers(inState: state)
  }

  private func ask() {
    lastQuestion += 1
    let question = lastQuestion
    var batch = RequestBatch(display)
    KeyState.ask(in: &batch, display) { [weak self] state in
      guard let self, question == lastQuestion else { return }
      map = ModifierMap(state)
    }
    batch.send {}
  }
}
