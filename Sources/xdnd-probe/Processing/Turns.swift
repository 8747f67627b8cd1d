/// Lets several drops write to one output in turn, so that each is whole before the next begins.
final class Turns {
  typealias Work = (_ done: @escaping () -> Void) -> Void

  private var waiting: [Work] = []
  private var isTaken = false

  /// Calls `work` at its turn, or at once if no other work is in progress. The work calls `done` once, at its end.
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
