import ToolSupport
import ToolWindow
import XDnD

/// Asking before anything is done with a drop.
extension ProbeController {
  /// Goes on with a drop if the user, who is shown what it is, says yes; or at once, if nobody is to be asked.
  ///
  /// What is shown is fetched for that alone: nothing is written, printed or saved yet.
  func confirm(_ drop: DropSession, _ accepted: @escaping () -> Void) {
    guard settings.confirms else { return accepted() }
    let id = ObjectIdentifier(drop)
    drop.waitForUser()
    history.update(id) { $0.outcome = "to confirm" }
    drop.activateWindow()
    peek(drop) { [weak self] parts in
      guard let self else { return }
      for part in parts { history.add(part, to: id) }
      let bar = Scene.Bar(
        parts.count == 1
          ? "Take '\(parts[0].title.clipped(to: LabelLimit(scalarCount: 60)))'?" : "Take these \(parts.count) things?",
        buttons: [
          Scene.Bar.Button("Take", key: "t", isDefault: true), Scene.Bar.Button("Refuse", key: "r", isCancel: true),
        ])
      ask(bar, during: drop) { [weak self] button in
        guard let self else { return }
        guard button == 0 else {
          statuses[id] = .refused
          return drop.reject()
        }
        // It comes again with what is done with it.
        history.update(id) { $0.parts = [] }
        accepted()
      }
    }
  }

  /// What the drop is, as far as it can be shown; its type, if nothing else can.
  private func peek(_ drop: DropSession, _ completion: @escaping ([DropHistory.Part]) -> Void) {
    let candidates = drop.negotiation.candidates.map(\.offered)
    let unknown = [DropHistory.Part(title: Humane.visible(candidates.first?.name ?? "nothing that is taken"))]
    guard let type = candidates.first(where: ArrivedContent.canRead) else { return completion(unknown) }
    let arrival = Arrival(type)
    _ = drop.load(
      type, limit: Arrival.readingLimit,
      into: {
        arrival.take($0)
        return true
      },
      completion: { [loop] result in
        guard case .success(let type) = result else { return completion(unknown) }
        arrival.complete(as: type, output: nil, on: loop) {
          completion(DropHistory.Part.all(of: arrival, $1, isKept: false))
        }
      })
  }
}
