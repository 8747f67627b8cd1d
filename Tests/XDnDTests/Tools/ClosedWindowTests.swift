import Testing
import XDnDToolSupport
import XDnDToolWindow

@testable import xdnd_source

/// What the window of xdnd-source says when the user has closed it, and a drop is not finished.
@Suite("The closed window of xdnd-source")
struct ClosedWindowTests {
  private func secondLines(
    _ activities: [Int: RowActivity], waitingForAnswer answer: (row: Int, target: String?)?
  ) -> [String] {
    var scene = Scene(title: "Title", rows: [Scene.Row("a"), Scene.Row("b")])
    let pending = scene.finish(activities, waitingForAnswer: answer, others: [1])
    #expect(scene.title.isEmpty)
    // Those of the others are gone.
    #expect(
      pending
        == (activities.isEmpty && answer == nil
          ? [1] : Set(activities.keys).union([answer?.row].compactMap(\.self)).sorted()))
    return scene.rows.map(\.secondary)
  }

  @Test(arguments: ["9 s", nil])
  func `a row that is sent says how long that takes, or how much is sent`(rest: String?) {
    let activity = RowActivity(
      words: "sending, 12 B", amount: "12 B", rest: rest, progress: .indeterminate, action: .cancel)
    #expect(secondLines([1: activity], waitingForAnswer: nil).last == "Finishing… \(rest ?? "12 B")")
  }

  @Test func `a row whose target has everything and has not finished says who is waited for`() {
    #expect(secondLines([:], waitingForAnswer: (0, "Editor")).first == "Waiting for \"Editor\"")
    #expect(secondLines([:], waitingForAnswer: (0, nil)).first == "Waiting for the other program")
  }

  @Test func `a row of which nothing is known yet is finishing`() {
    #expect(secondLines([:], waitingForAnswer: nil) == ["Finishing…"])
  }

  @Test func `what is sent counts for more than an answer`() {
    let activity = RowActivity(words: "sending", progress: .indeterminate, action: .cancel)
    #expect(secondLines([0: activity], waitingForAnswer: (0, "Editor")).first == "Finishing…")
  }
}
