import ToolSupport
import ToolWindow
import XDnD

extension ProbeController {
  /// Asks what to do with a drop whose content is here already: nothing that the user decides needs the source.
  ///
  /// When the drop ends meanwhile, there is nobody left to be told, and so no question; but what is saved can be taken
  /// away again.
  ///
  /// - Parameters:
  ///   - possible: What can be done here.
  ///   - answer: What was chosen; `nil` for nothing.
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

  /// The first letter of the words that no other button has.
  private static func key(for words: String, besides keys: inout Set<Character>) -> String {
    let letter = words.lowercased().first { $0.isLetter && !keys.contains($0) }
    if let letter { keys.insert(letter) }
    return letter.map(String.init) ?? ""
  }
}
