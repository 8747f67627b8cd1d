/// The containers of ended drags. Targets copy from them slowly, or after the user has chosen from a menu.
final class KeptContainers {
  private var kept: [(container: PromiseContainer, until: LoopTime)] = []

  deinit {
    for entry in kept { entry.container.keep() }
  }

  var nextDeadline: LoopTime? { kept.map(\.until).min() }

  func keep(_ container: PromiseContainer, until time: LoopTime) { kept.append((container, time)) }

  func expire(at now: LoopTime) {
    for entry in kept where entry.until <= now { entry.container.remove() }
    kept.removeAll { $0.until <= now }
  }
}
