import ToolSupport
import ToolWindow
import XDnD

extension ProbeController {
  /// Asks the user for the operation of an Ask drop. The content is already loaded, so no answer needs the source.
  ///
  /// If the drop ends first, the question is withdrawn, because the source can no longer be told. With `--save` it
  /// stays, because Cancel still removes the saved files.
  ///
  /// - Parameters:
  ///   - possible: The operations that this tool can perform.
  ///   - answer: Receives the chosen operation; `nil` for Cancel.
  func askForOperation(
    _ drop: DropSession, among possible: Set<DragOperation>, _ answer: @escaping (DragOperation?) -> Void
  ) {
    let choices = drop.choices.filter { possible.contains($0.operation) }
    guard !choices.isEmpty else { return answer(.copy) }
    drop.waitForUser()
    var keys: Set<Character> = ["x"]
    let buttons = choices.enumerated().map { index, choice in
      Scene.Bar.Button(
        Humane.visible(choice.description), key: Self.key(for: choice.description, besides: &keys),
        isDefault: index == 0)
    }
    let cancel = Scene.Bar.Button("Cancel", key: "x", isCancel: true)
    ask(Scene.Bar("What to do with it?", buttons: buttons + [cancel]), during: saving == nil ? drop : nil) {
      answer(choices.indices.contains($0) ? choices[$0].operation : nil)
    }
  }

  /// Returns the first letter of the label that no other button uses.
  private static func key(for words: String, besides keys: inout Set<Character>) -> String {
    let letter = words.lowercased().first { $0.isLetter && !keys.contains($0) }
    if let letter { keys.insert(letter) }
    return letter.map(String.init) ?? ""
  }
}
