import TestSupport
import Testing

@testable import XDnD

/// What happens between a question to the server and its answer.
@Suite("Answers of the server that are not waited for", .computing)
struct UnwaitedAnswerTests {
  // MARK: Requestors

  @Test func `content is asked for when its requestor is watched`() {
    let pair = DragPair()
    let target = RawTarget(pair)
    pair.source.app.providesLater = true
    let drag = pair.begin()
    pair.move(to: RawTarget.inside)
    pair.source.client.holdsAnswers = true
    pair.letGo()
    #expect(pair.source.app.openRequests.isEmpty)
    pair.source.client.holdsAnswers = false
    pair.run()
    #expect(pair.source.app.openRequests.count == 1)
    pair.source.app.provide()
    pair.drive()
    #expect(target.received == DragPair.text)
    pair.expectEnd(of: drag, .dropped(.copy))
  }

  @Test func `a requestor that dies before it is watched is not served`() {
    let pair = DragPair()
    let target = RawTarget(pair)
    pair.source.app.providesLater = true
    let drag = pair.begin()
    pair.move(to: RawTarget.inside)
    pair.source.client.holdsAnswers = true
    pair.letGo()
    pair.server.kill(target.client)
    pair.run()
    pair.source.client.holdsAnswers = false
    pair.drive()
    #expect(pair.source.app.openRequests.isEmpty)
    pair.expectEnd(of: drag, .targetVanished)
  }
}
