import ToolSupport
import ToolWindow
import XDnD

/// The confirmation of drops (`--confirm`).
extension ProbeController {
  /// Shows a drop and calls `accepted` if the user takes it, or at once without `--confirm`.
  ///
  /// The preview is fetched for display only: nothing is written, printed or saved before the answer.
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
        // Accepting adds the parts again, with their results.
        history.update(id) { $0.parts = [] }
        accepted()
      }
    }
  }

  /// Loads the drop for display; falls back to the name of its type.
  private func peek(_ drop: DropSession, _ completion: @escaping ([DropHistory.Part]) -> Void) {
    let candidates = drop.negotiation.candidates.map(\.offered)
    let unknown = [DropHistory.Part(title: Humane.visible(candidates.first?.name ?? "nothing that is taken"))]
    guard let type = candidates.first(where: DecodedContent.canRead) else { return completion(unknown) }
    let received = ReceivedContent(type)
    _ = drop.load(
      type, limit: ReceivedContent.readingLimit,
      into: {
        received.take($0)
        return true
      },
      completion: { [loop] result in
        guard case .success(let type) = result else { return completion(unknown) }
        received.complete(as: type, output: nil, on: loop) {
          completion(DropHistory.Part.all(of: received, $1, isKept: false))
        }
      })
  }
}
