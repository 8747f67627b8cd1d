/// The inputs of one machine, in order.
///
/// The effects of an input are performed before the next input is processed. What arrives meanwhile, from an effect or a
/// callback, waits here.
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

  /// Removes the oldest input. Returns `nil` if there is none, after which the next one that is admitted is processed at
  /// once.
  mutating func next() -> Input? {
    isOpen = !waiting.isEmpty
    return isOpen ? waiting.removeFirst() : nil
  }
}
