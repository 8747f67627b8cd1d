import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// Targets that behave as toolkits were measured to, and worse.
@Suite("A source and targets of all kinds")
struct RudeTargetTests {
  @Test func `a well-behaved target gets everything`() {
    let (outcome, _, target) = RawTarget.drag { _, _ in }
    #expect(outcome == .dropped(.copy))
    #expect(target.received == DragPair.text)
  }

  @Test func `a target that never answers is left when the button is up for a while`() {
    let (outcome, pair, target) = RawTarget.drag { $1.onPosition = { _ in } }
    #expect(outcome == .timedOut)
    #expect(target.count(.position) == 1)
    #expect(target.count(.leave) == 1)
    #expect(target.count(.drop) == 0)
    #expect(pair.now.sinceStart < .seconds(10))
  }

  @Test func `a Status to another window of the source's program is no answer`() {
    let (outcome, _, target) = RawTarget.drag { pair, target in
      let other = pair.server.createWindow(of: pair.source.client, frame: Rect(x: 700, y: 0, width: 10, height: 10))
      target.status = { [unowned target] _ in
        target.say(.status, target.accepting(.copy), to: other)
        return nil
      }
    }
    #expect(outcome == .timedOut)
    #expect(target.count(.drop) == 0)
  }

  @Test func `a target that is slow gets its drop all the same, and no grab is held meanwhile`() {
    let pair = DragPair()
    let target = RawTarget(pair)
    target.answerDelay = .seconds(3)
    let drag = pair.begin()
    pair.move(to: RawTarget.inside)
    pair.letGo()
    #expect(pair.server.grab == nil)
    pair.drive()
    pair.expectEnd(of: drag, .dropped(.copy))
  }

  @Test func `a target that never finishes is given up on`() {
    let (outcome, _, target) = RawTarget.drag { $1.finished = { nil } }
    #expect(outcome == .timedOut)
    #expect(target.received == DragPair.text)
  }

  @Test func `the late Finished of a drop that has timed out does not end the next one`() {
    let pair = DragPair()
    let target = RawTarget(pair)
    target.perform(.move)
    target.onDrop = { _ in }
    #expect(pair.drag(operations: [.copy, .move], to: RawTarget.inside) == .timedOut)
    let drag = pair.begin(operations: [.copy, .move])
    pair.move(to: RawTarget.inside)
    pair.letGo()
    target.finish()
    pair.run()
    #expect(pair.source.outcomes[drag] == nil)
    target.finish()
    pair.drive()
    pair.expectEnd(of: drag, .dropped(.move))
  }

  @Test func `a drop whose content was fetched is finished at once, although an earlier one has timed out`() {
    let pair = DragPair()
    let target = RawTarget(pair)
    target.onDrop = { _ in }
    #expect(pair.drag(to: RawTarget.inside) == .timedOut)
    target.onDrop = nil
    let drag = pair.begin()
    pair.move(to: RawTarget.inside)
    pair.letGo()
    #expect(pair.source.outcomes[drag] == .dropped(.copy))
    pair.endClean()
  }

  @Test func `Finished while hovering is ignored, as pcmanfm and Mutter send it`() {
    let (outcome, _, target) = RawTarget.drag { pair, target in
      let words = target.status
      target.status = { position in
        for _ in 0..<5 { target.say(.finished, target.refusal, to: position.source) }
        return words(position)
      }
    }
    #expect(outcome == .dropped(.copy))
    #expect(target.received == DragPair.text)
  }

  @Test(arguments: [2, 36, 37] as [UInt32])
  func `the number of bytes in Finished is a success, as GLFW sends it`(word: UInt32) {
    let (outcome, _, _) = RawTarget.drag { _, target in
      target.finished = { MessageWords(l0: target.window.rawValue, l1: word) }
    }
    #expect(outcome == .dropped(.copy))
  }

  @Test(arguments: [4, 8 << 20])
  func `a refusal after the data is a delivery, and no move`(length: Int) {
    let (outcome, pair, target) = RawTarget.drag { pair, target in
      pair.source.content = [.utf8String: TestContent.bytes(length)]
      target.status = { _ in target.accepting(.move) }
      target.finished = { target.refusal }
    }
    #expect(outcome == .delivered)
    #expect(target.received?.count == length)
    #expect(!pair.source.notices.contains { if case .offer(_, .deletionRequested) = $0 { true } else { false } })
  }

  @Test func `data that another client has fetched does not make a refusal a delivery`() {
    let (outcome, _, _) = RawTarget.drag { pair, target in
      let stranger = RawTarget(pair, frame: Rect(x: 700, y: 700, width: 10, height: 10))
      stranger.finished = { nil }
      target.finished = { target.refusal }
      target.onDrop = { drop in
        stranger.convert(.utf8String, at: drop.time)
        pair.after(.milliseconds(50)) {
          #expect(stranger.received == DragPair.text)
          target.finish()
        }
      }
    }
    #expect(outcome == .refused)
  }

  @Test func `random bits above bit 1 of Status do not matter, as tkdnd 2.6 sends them`() {
    let (outcome, pair, _) = RawTarget.drag { _, target in
      target.status = { _ in MessageWords(l0: target.window.rawValue, l1: 0xBDEB_DD42, l4: target.atom(.copy)) }
    }
    #expect(outcome == .refused)
    #expect(!pair.source.client.record.cursors.contains(.copy))
  }

  @Test func `an acceptance without an operation is a copy`() {
    let (outcome, _, _) = RawTarget.drag { _, target in
      target.status = { _ in MessageWords(l0: target.window.rawValue, l1: 1) }
      target.finished = { MessageWords(l0: target.window.rawValue, l1: 1) }
    }
    #expect(outcome == .dropped(.copy))
  }

  @Test func `Private is taken for an answer to everything, as Emacs gives it`() {
    let (outcome, pair, _) = RawTarget.drag { $1.perform(.private) }
    #expect(outcome == .dropped(.private))
    #expect(pair.source.deletions.isEmpty)
  }

  @Test func `a link that was not offered must not end as more than a copy`() {
    let (outcome, _, _) = RawTarget.drag { $1.perform(.link) }
    #expect(outcome == .dropped(.copy))
  }

  @Test func `a move that was not offered deletes nothing`() {
    let pair = DragPair()
    let target = RawTarget(pair)
    target.perform(.move)
    target.onDrop = { target.convert(.delete, at: $0.time) }
    #expect(pair.drag(to: RawTarget.inside) == .dropped(.copy))
    #expect(pair.source.deletions.isEmpty)
    pair.expectClean()
  }

  @Test func `a Status from another window, and one after Leave, change nothing`() {
    let pair = DragPair()
    let target = RawTarget(pair)
    let stranger = SimulatedPeer(pair.simulation, frame: Rect(x: 700, y: 700, width: 10, height: 10))
    let drag = pair.begin()
    pair.move()
    let words = { (window: WindowID) in MessageWords(l0: window.rawValue, l1: 0) }
    stranger.say(.status, words(stranger.window), to: pair.source.client.dragWindow)
    pair.run()
    #expect(pair.server.grab?.cursor == .copy)
    pair.move(to: RawTarget.inside)
    target.say(.status, words(pair.window), to: pair.source.client.dragWindow)
    pair.run()
    #expect(pair.server.grab?.cursor == .copy)
    pair.drop()
    pair.expectEnd(of: drag, .dropped(.copy))
  }

  @Test func `messages that only a target receives are ignored by the drag window`() {
    let (outcome, pair, _) = RawTarget.drag { pair, target in
      target.onEnter = { enter in
        for kind in XdndMessageKind.allCases where kind != .status {
          target.say(kind, MessageWords(l0: target.window.rawValue, l1: 5 << 24), to: enter.source)
        }
      }
    }
    #expect(outcome == .dropped(.copy))
    #expect(pair.source.targetNotices.isEmpty)
  }

  @Test func `thousands of Status and Finished for one Position cost nothing but time`() {
    let (outcome, pair, _) = RawTarget.drag { _, target in
      let words = MessageWords(l0: target.window.rawValue, l1: 3, l4: target.atom(.copy))
      target.onPosition = { position in
        for _ in 0..<3000 { target.say(.status, words, to: position.source) }
        for _ in 0..<3000 { target.say(.finished, words, to: position.source) }
      }
    }
    #expect(outcome == .dropped(.copy))
    #expect(pair.source.client.record.messagesSent.count < 10)
  }
}
