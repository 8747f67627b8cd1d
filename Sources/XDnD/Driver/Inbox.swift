/// The inputs of one machine, in order.
///
/// The effects of an input are performed before the next input is processed. Inputs that arrive meanwhile, from an effect
/// or a callback, wait here.
struct Inbox<Input> {
  private var waiting: [Input] = []
  private var isOpen = false

  /// Adds an input.
  ///
  /// - Returns: Whether the caller processes the inputs now. If not, a caller further down the stack does.
  mutating func admit(_ input: Input) -> Bool {
    waiting.append(input)
    defer { isOpen = true }
    return !isOpen
  }

  /// Removes and returns the oldest input. Returns `nil` if there is none; the next input is then processed by the caller
  /// that adds it.
  mutating func next() -> Input? {
    isOpen = !waiting.isEmpty
    return isOpen ? waiting.removeFirst() : nil
  }
}
