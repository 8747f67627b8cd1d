import Testing
import XDnDToolWindow

@testable import XDnDToolSupport
@testable import xdnd_source

/// What the window of xdnd-source says when the user has closed it, and a drop is not finished.
@Suite("The closed window of xdnd-source")
struct ClosedWindowTests {
  private func secondLines(
    _ activities: [Int: RowActivity], waitingForAnswers waits: [AnswerWait]
  ) -> [String] {
    var scene = Scene(title: "Title", rows: [Scene.Row("a"), Scene.Row("b")])
    let pending = scene.finish(activities, waitingForAnswers: waits, others: [1])
    #expect(scene.title.isEmpty)
    // Those of the others are gone.
    #expect(
      pending
        == (activities.isEmpty && waits.isEmpty ? [1] : Set(activities.keys).union(waits.map(\.row)).sorted()))
    return scene.rows.map(\.secondary)
  }

  @Test(arguments: ["9 s", nil])
  func `a row that is sent says how long that takes, or how much is sent`(rest: String?) {
    let activity = RowActivity(
      words: "sending, 12 B", amount: "12 B", rest: rest, progress: .indeterminate, action: .cancel)
    #expect(
      secondLines([1: activity], waitingForAnswers: []).last == "Finishing… \(rest.map { "\($0) left" } ?? "12 B")")
  }

  @Test func `a row whose target has everything and has not finished says who is waited for`() {
    #expect(
      secondLines([:], waitingForAnswers: [AnswerWait(row: 0, target: "Editor")]).first == "Waiting for \"Editor\"")
    #expect(
      secondLines([:], waitingForAnswers: [AnswerWait(row: 0, target: nil)]).first == "Waiting for the other program")
  }

  @Test func `each row names the program that it waits for, and one line counts them`() {
    let waits = [AnswerWait(row: 0, target: "Editor"), AnswerWait(row: 1, target: "Files")]
    #expect(
      secondLines([:], waitingForAnswers: waits) == ["Waiting for \"Editor\"", "Waiting for \"Files\""])
    #expect(AnswerWait.targets(of: waits) == "2 programs")
    #expect(AnswerWait.targets(of: [waits[0], waits[0]]) == "\"Editor\"")
  }

  @Test func `a row of which nothing is known yet is finishing`() {
    #expect(secondLines([:], waitingForAnswers: []) == ["Finishing…"])
  }

  @Test func `what is sent counts for more than an answer`() {
    let activity = RowActivity(words: "sending", progress: .indeterminate, action: .cancel)
    #expect(secondLines([0: activity], waitingForAnswers: [AnswerWait(row: 0, target: "Editor")]).first == "Finishing…")
  }
}
