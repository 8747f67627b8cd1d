package import XDnD

extension WindowSystem {
  /// The next event. Answers before it are given to those who have asked.
  package func nextEvent() -> ServerEvent? {
    while let arrival = nextArrival() {
      switch arrival {
      case .event(let event): return event
      case .answer(let answer): answer.deliver()
      case .other: continue
      }
    }
    return nil
  }
}
