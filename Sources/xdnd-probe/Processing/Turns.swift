/// Lets several drops write to one output in turn, so that each is whole before the next begins.
final class Turns {
  typealias Work = (_ done: @escaping () -> Void) -> Void

  private var waiting: [Work] = []
  private var isTaken = false

  /// Calls `work` at its turn, at once if no other work is under way. The work calls `done` at its end, once.
  func take(_ work: @escaping Work) {
    waiting.append(work)
    advance()
  }

  private func advance() {
    guard !isTaken, !waiting.isEmpty else { return }
    isTaken = true
    let work = waiting.removeFirst()
    work { [self] in
      isTaken = false
      advance()
    }
  }
}
