import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// The questions to the user, answered one after the other in the window's bar.
final class QuestionQueue {
  var onChange: () -> Void = {}
  /// Whether the user can see the window. Otherwise, each question gets its default answer at once.
  var canAsk = true

  private struct Question {
    let bar: Scene.Bar
    /// The drop that the question is about; `nil` for a question about the window.
    let drop: ObjectIdentifier?
    /// Whether the answer means nothing after the drop.
    let endsWithDrop: Bool
    let answer: Answer
  }

  /// Receives the index of the pressed button, and whether the check box is on.
  typealias Answer = (_ button: Int, _ isChecked: Bool) -> Void

  private var questions: [Question] = [] {
    didSet {
      if let first = questions.first, first.bar.number != oldValue.first?.bar.number { report(first) }
      onChange()
    }
  }
  private var lastNumber = 0
  private let reporter: Reporter

  init(reporter: Reporter) { self.reporter = reporter }

  var bar: Scene.Bar? { questions.first?.bar }

  /// The drop that the question is about; `nil` without a question, and for one about the window.
  var subject: ObjectIdentifier? { questions.first?.drop }

  /// Asks about a drop, and activates the window with the time of the drop, so that keys answer.
  ///
  /// - Parameters:
  ///   - endsWithDrop: Whether the question is withdrawn if the drop ends first.
  func ask(_ bar: Scene.Bar, about drop: any ProbeDrop, endsWithDrop: Bool, _ answer: @escaping Answer) {
    // Activates the window first, so that a program that reads the question can type the answer.
    if canAsk { drop.activateWindow() }
    ask(bar, about: ObjectIdentifier(drop), endsWithDrop: endsWithDrop, answer)
  }

  /// Asks about the window itself.
  ///
  /// - Returns: The number of the question, for ``withdraw(_:)``.
  func ask(_ bar: Scene.Bar, _ answer: @escaping Answer) -> Int {
    ask(bar, about: nil, endsWithDrop: false, answer)
    return lastNumber
  }

  private func ask(
    _ bar: Scene.Bar, about drop: ObjectIdentifier?, endsWithDrop: Bool, _ answer: @escaping Answer
  ) {
    guard canAsk else { return answer(bar.buttons.firstIndex { $0.isDefault } ?? 0, false) }
    lastNumber += 1
    var bar = bar
    bar.number = lastNumber
    questions.append(Question(bar: bar, drop: drop, endsWithDrop: endsWithDrop, answer: answer))
  }

  /// Prints a question whose turn has come.
  private func report(_ question: Question) {
    let bar = question.bar
    let answers = bar.buttons.filter { !$0.isCheckBox }.map(\.label)
    reporter.print(
      "question",
      (["\(bar.sentence) (\(answers.joined(separator: ", ")))"] + bar.details.map { "  \($0)" })
        .joined(separator: "\n"),
      [
        "question": .string(bar.sentence), "details": bar.details.isEmpty ? nil : .strings(bar.details),
        "answers": .strings(answers), "option": bar.checkBox.map { .string($0.label) },
      ])
  }

  /// Asks for the operation of an Ask drop. The content is already loaded, so no answer needs the source.
  ///
  /// - Parameters:
  ///   - what: The content, for display: `"x"`, `these 3 items`.
  ///   - endsWithDrop: Whether the question is withdrawn if the drop ends first, because the source can no longer be
  ///     answered.
  ///   - answer: Receives the chosen operation; `nil` for Cancel.
  func askForOperation(
    of drop: any ProbeDrop, called what: String, among possible: Set<DragOperation>, endsWithDrop: Bool,
    _ answer: @escaping (DragOperation?) -> Void
  ) {
    let choices = drop.choices.filter { possible.contains($0.operation) }
    guard !choices.isEmpty, canAsk else { return answer(.copy) }
    drop.waitForUser()
    var keys: Set<Character> = ["x"]
    let buttons = choices.enumerated().map { index, choice in
      Scene.Bar.Button(
        Formatting.visible(choice.description).capitalizedFirst, key: Self.key(for: choice.description, besides: &keys),
        isDefault: index == 0)
    }
    let cancel = Scene.Bar.Button("Cancel", key: "x", isCancel: true)
    let bar = Scene.Bar("What do you want to do with \(what)?", buttons: buttons + [cancel])
    ask(bar, about: drop, endsWithDrop: endsWithDrop) { button, _ in
      answer(choices.indices.contains(button) ? choices[button].operation : nil)
    }
  }

  /// Returns the first letter of the label that no other button uses.
  private static func key(for words: String, besides keys: inout Set<Character>) -> String {
    let letter = words.lowercased().first { $0.isLetter && !keys.contains($0) }
    if let letter { keys.insert(letter) }
    return letter.map(String.init) ?? ""
  }

  func answer(_ button: Int, isChecked: Bool) {
    guard !questions.isEmpty else { return }
    let question = questions.removeFirst()
    let label = question.bar.buttons[button].label
    let option = isChecked ? question.bar.checkBox?.label : nil
    reporter.print(
      "answer", "Answered: \(([label] + [option].compactMap(\.self)).joined(separator: ", ")).",
      ["answer": .string(label), "option": option.map { .string($0) }])
    question.answer(button, isChecked)
  }

  func withdraw(_ number: Int) { questions.removeAll { $0.bar.number == number } }

  /// Withdraws the questions about a drop that has ended, if their answers no longer matter.
  func withdraw(of drop: any ProbeDrop) {
    questions.removeAll { $0.drop == ObjectIdentifier(drop) && $0.endsWithDrop }
  }

  /// Withdraws all questions about a drop that the user has given up.
  func withdrawAll(about drop: any ProbeDrop) { questions.removeAll { $0.drop == ObjectIdentifier(drop) } }
}

extension Scene.Bar {
  fileprivate var checkBox: Button? { buttons.first(where: \.isCheckBox) }
}
