import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// The questions to the user, answered one after the other in the window's bar.
final class QuestionQueue {
  var onChange: () -> Void = {}
  /// Whether the window can be seen. Otherwise each question has its default answer at once.
  var canAsk = true

  private struct Question {
    let bar: Scene.Bar
    /// The drop that the question is about; `nil` for a question about the window.
    let drop: ObjectIdentifier?
    /// Whether the answer means nothing after the drop.
    let endsWithDrop: Bool
    let answer: (Int) -> Void
  }

  private var questions: [Question] = [] {
    didSet { onChange() }
  }
  private let reporter: Reporter

  init(reporter: Reporter) { self.reporter = reporter }

  var bar: Scene.Bar? { questions.first?.bar }

  /// Asks about a drop, and activates the window with the time of the drop, so that keys answer.
  ///
  /// - Parameters:
  ///   - endsWithDrop: Whether the question is withdrawn if the drop ends first.
  ///   - answer: Receives the index of the pressed button.
  func ask(_ bar: Scene.Bar, about drop: any ProbeDrop, endsWithDrop: Bool, _ answer: @escaping (Int) -> Void) {
    // First, so that a program that reads of the question can type the answer.
    if canAsk { drop.activateWindow() }
    ask(bar, about: ObjectIdentifier(drop), endsWithDrop: endsWithDrop, answer)
  }

  /// Asks about the window itself.
  func ask(_ bar: Scene.Bar, _ answer: @escaping (Int) -> Void) {
    ask(bar, about: nil, endsWithDrop: false, answer)
  }

  private func ask(
    _ bar: Scene.Bar, about drop: ObjectIdentifier?, endsWithDrop: Bool, _ answer: @escaping (Int) -> Void
  ) {
    guard canAsk else { return answer(bar.buttons.firstIndex { $0.isDefault } ?? 0) }
    reporter.print(
      "question", "\(bar.sentence) \(bar.buttons.map(\.label).joined(separator: ", "))?",
      ["question": .string(bar.sentence), "answers": .strings(bar.buttons.map(\.label))])
    questions.append(Question(bar: bar, drop: drop, endsWithDrop: endsWithDrop, answer: answer))
  }

  /// Asks for the operation of an Ask drop. The content is already loaded, so no answer needs the source.
  ///
  /// - Parameters:
  ///   - name: For display.
  ///   - endsWithDrop: Whether the question is withdrawn if the drop ends first, because the source can no longer be
  ///     told.
  ///   - answer: Receives the chosen operation; `nil` for Cancel.
  func askForOperation(
    of drop: any ProbeDrop, called name: String, among possible: Set<DragOperation>, endsWithDrop: Bool,
    _ answer: @escaping (DragOperation?) -> Void
  ) {
    let choices = drop.choices.filter { possible.contains($0.operation) }
    guard !choices.isEmpty, canAsk else { return answer(.copy) }
    drop.waitForUser()
    var keys: Set<Character> = ["x"]
    let buttons = choices.enumerated().map { index, choice in
      Scene.Bar.Button(
        Formatting.visible(choice.description), key: Self.key(for: choice.description, besides: &keys),
        isDefault: index == 0)
    }
    let cancel = Scene.Bar.Button("Cancel", key: "x", isCancel: true)
    let bar = Scene.Bar("What do you want to do with \(Formatting.quoted(name))?", buttons: buttons + [cancel])
    ask(bar, about: drop, endsWithDrop: endsWithDrop) {
      answer(choices.indices.contains($0) ? choices[$0].operation : nil)
    }
  }

  /// Returns the first letter of the label that no other button uses.
  private static func key(for words: String, besides keys: inout Set<Character>) -> String {
    let letter = words.lowercased().first { $0.isLetter && !keys.contains($0) }
    if let letter { keys.insert(letter) }
    return letter.map(String.init) ?? ""
  }

  func answer(_ button: Int) {
    guard !questions.isEmpty else { return }
    let question = questions.removeFirst()
    reporter.print(
      "answer", "Answered: \(question.bar.buttons[button].label).",
      ["answer": .string(question.bar.buttons[button].label)])
    question.answer(button)
  }

  /// Withdraws the questions about a drop that has ended, if their answers mean nothing any more.
  func withdraw(of drop: any ProbeDrop) {
    questions.removeAll { $0.drop == ObjectIdentifier(drop) && $0.endsWithDrop }
  }

  /// Withdraws all questions about a drop that the user has given up.
  func withdrawAll(about drop: any ProbeDrop) { questions.removeAll { $0.drop == ObjectIdentifier(drop) } }
}
