import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// Shows a drop and asks before anything is done with it (`--confirm`).
///
/// The preview is fetched for display only: nothing is written, printed or saved before the answer.
struct DropConfirmation {
  let content: WindowContent
  let loop: EventLoop

  /// - Parameter completion: Receives whether the user accepts the drop.
  func ask(about drop: any ProbeDrop, _ completion: @escaping (_ isAccepted: Bool) -> Void) {
    drop.waitForUser()
    content.drops.update(drop) { $0.outcome = "waiting for your answer" }
    peek(drop) { [weak content] parts in
      guard let content else { return }
      guard let parts else { return completion(false) }
      for part in parts { content.drops.add(part, to: drop) }
      let bar = Scene.Bar(
        parts.count == 1
          ? "Accept \(Formatting.quoted(parts[0].title.clipped(to: LabelLimit(scalarCount: 60))))?"
          : "Accept these \(Formatting.count(parts.count, "item"))?",
        buttons: [
          Scene.Bar.Button("Accept", key: "a", isDefault: true), Scene.Bar.Button("Refuse", key: "r", isCancel: true),
        ])
      content.questions.ask(bar, about: drop, endsWithDrop: true) { [weak content] button, _ in
        // Accepting adds the parts again, with their results.
        if button == 0 { content?.drops.update(drop) { $0.parts = [] } }
        completion(button == 0)
      }
    }
  }

  /// Loads the drop for display; falls back to the name of its type.
  ///
  /// - Parameter completion: Receives `nil` if the user cancels loading.
  private func peek(_ drop: any ProbeDrop, _ completion: @escaping ([DropHistory.Part]?) -> Void) {
    let candidates = drop.negotiation.candidates.map(\.offered)
    let unknown = [DropHistory.Part(title: candidates.first.map(ContentWords.name(of:)) ?? "no accepted type")]
    guard let type = candidates.first(where: DecodedContent.canRead) else { return completion(unknown) }
    let received = ReceivedContent(type)
    var isCancelled = false
    let task = drop.provider.load(
      type, limit: ReceivedContent.readingLimit,
      into: {
        received.take($0)
        return true
      },
      completion: { [loop, weak content] result in
        content?.endWork(on: drop)
        guard case .success(let type) = result else { return completion(isCancelled ? nil : unknown) }
        received.complete(as: type, output: nil, on: loop) { _ in
          completion(DropHistory.Part.all(of: received))
        }
      })
    guard !task.isFinished else { return }
    content.beginWork(on: drop, "receiving", .cancel) { [weak task] in
      isCancelled = true
      task?.cancel()
    }
  }
}
