import Testing

@testable import XDnD

@Suite("Words of an outcome")
struct DragOutcomeTests {
  @Test(arguments: [
    (DragOutcome.dropped(.copy), "Copied."), (.dropped(.private), "Dropped: private."),
    (.unconfirmed(.move), "Dropped to move; the other program cannot confirm it."),
    (.cancelled(.grabLost), "Not begun: another program holds the pointer or the keyboard."),
  ])
  func `a printed outcome is a sentence`(_ outcome: DragOutcome, _ sentence: String) {
    #expect("\(outcome)" == sentence)
  }
}
