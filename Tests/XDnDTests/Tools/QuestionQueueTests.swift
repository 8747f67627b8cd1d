import Testing
import XDnDToolSupport
import XDnDToolWindow

@testable import xdnd_probe

@Suite("The questions of xdnd-probe")
struct QuestionQueueTests {
  @Test func `a question that is withdrawn is not answered, and the next one follows`() {
    let queue = QuestionQueue(reporter: Reporter(json: true, toStandardError: true))
    var answers: [String] = []
    let first = queue.ask(bar("First?")) { _, _ in answers.append("first") }
    _ = queue.ask(bar("Second?")) { _, _ in answers.append("second") }
    #expect(queue.bar?.sentence == "First?")
    queue.withdraw(first)
    #expect(queue.bar?.sentence == "Second?")
    queue.answer(0, isChecked: false)
    #expect(queue.bar == nil)
    #expect(answers == ["second"])
  }

  private func bar(_ sentence: String) -> Scene.Bar {
    Scene.Bar(sentence, buttons: [Scene.Bar.Button("Yes", key: "y", isDefault: true)])
  }
}
