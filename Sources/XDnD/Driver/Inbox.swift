/// The inputs of one machine, in order.
///
/// The effects of an input are performed before the next input is processed. Inputs that arrive meanwhile, from an
/// effect or a callback, wait here.
final class Inbox<Input> {
  private var waiting: [Input] = []
  private var isOpen = false

  /// Processes an input, and then those that have arrived meanwhile.
  ///
  /// - Returns: `false` if this call is nested in another one, which processes the input.
  @discardableResult
  func process(_ input: Input, by body: (Input) -> Void) -> Bool {
    waiting.append(input)
    guard !isOpen else { return false }
    isOpen = true
    while !waiting.isEmpty { body(waiting.removeFirst()) }
    isOpen = false
    return true
  }
}
