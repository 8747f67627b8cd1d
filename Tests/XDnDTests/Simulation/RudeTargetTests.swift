import Testing

@testable import XDnD

/// Targets that behave as toolkits were measured to, and worse.
@Suite("A source and targets of all kinds")
struct RudeTargetTests {
  private func drag(_ prepare: (DragPair, RawTarget) -> Void) -> (DragOutcome?, DragPair, RawTarget) {
    let pair = DragPair()
    let target = RawTarget(pair)
    prepare(pair, target)
    let outcome = pair.drag(operations: [.copy, .move], to: RawTarget.inside)
    pair.expectClean()
    return (outcome, pair, target)
  }

  @Test("a well-behaved one gets everything")
  func good() {
    let (outcome, _, target) = drag { _, _ in }
    #expect(outcome == .dropped(.copy))
    #expect(target.received == DragPair.text)
  }

  @Test("one that never answers is left when the button is up for a while")
  func silent() {
    let (outcome, pair, target) = drag { $1.onPosition = { _ in } }
    #expect(outcome == .timedOut)
    #expect(target.count(.position) == 1)
    #expect(target.count(.leave) == 1)
    #expect(target.count(.drop) == 0)
    #expect(pair.now.sinceStart < .seconds(10))
  }

  @Test("one that is slow gets its drop all the same, and no grab is held meanwhile")
  func slow() {
    let pair = DragPair()
    let target = RawTarget(pair)
    target.answerDelay = .seconds(3)
    let drag = pair.begin()
    pair.move(to: RawTarget.inside)
    pair.server.release(.primary)
    pair.run()
    #expect(pair.server.grab == nil)
    pair.drive()
    #expect(pair.source.app.outcomes[drag] == .dropped(.copy))
    pair.expectClean()
  }

  @Test("one that never finishes is given up on")
  func neverFinishes() {
    let (outcome, _, target) = drag { $1.finished = { nil } }
    #expect(outcome == .timedOut)
    #expect(target.received == DragPair.text)
  }

  @Test("Finished while hovering is ignored, as pcmanfm and Mutter send it")
  func finishedInHover() {
    let (outcome, _, target) = drag { pair, target in
      let words = target.status
      target.status = { position in
        for _ in 0..<5 { target.say(.finished, MessageWords(l0: target.window.rawValue), to: position.source) }
        return words(position)
      }
    }
    #expect(outcome == .dropped(.copy))
    #expect(target.received == DragPair.text)
  }

  @Test("the number of bytes in Finished is a success, as GLFW sends it", arguments: [2, 36, 37] as [UInt32])
  func finishedCount(word: UInt32) {
    let (outcome, _, _) = drag { _, target in target.finished = { MessageWords(l0: target.window.rawValue, l1: word) } }
    #expect(outcome == .dropped(.copy))
  }

  @Test("a refusal after the data is seen")
  func refusesAfterData() {
    let (outcome, _, _) = drag { _, target in target.finished = { MessageWords(l0: target.window.rawValue) } }
    #expect(outcome == .refused)
  }

  @Test("random bits above bit 1 of Status do not matter, as tkdnd 2.6 sends them")
  func randomBits() {
    let (outcome, pair, _) = drag { _, target in
      target.status = { _ in MessageWords(l0: target.window.rawValue, l1: 0xBDEB_DD42, l4: target.atom(.copy)) }
    }
    #expect(outcome == .refused)
    #expect(!pair.source.client.cursors.contains(.copy))
  }

  @Test("an acceptance without an operation is a copy")
  func noOperation() {
    let (outcome, _, _) = drag { _, target in
      target.status = { _ in MessageWords(l0: target.window.rawValue, l1: 1) }
      target.finished = { MessageWords(l0: target.window.rawValue, l1: 1) }
    }
    #expect(outcome == .dropped(.copy))
  }

  @Test("Private is taken for an answer to everything, as Emacs gives it")
  func privateOperation() {
    let (outcome, pair, _) = drag { _, target in
      target.status = { _ in MessageWords(l0: target.window.rawValue, l1: 1, l4: target.atom(.private)) }
      target.finished = { MessageWords(l0: target.window.rawValue, l1: 1, l2: target.atom(.private)) }
    }
    #expect(outcome == .dropped(.private))
    #expect(pair.source.app.deletions.isEmpty)
  }

  @Test("a link that was not offered must not end as more than a copy")
  func notOffered() {
    let (outcome, _, _) = drag { _, target in
      target.status = { _ in MessageWords(l0: target.window.rawValue, l1: 1, l4: target.atom(.link)) }
      target.finished = { MessageWords(l0: target.window.rawValue, l1: 1, l2: target.atom(.link)) }
    }
    #expect(outcome == .dropped(.copy))
  }

  @Test("a move that was not offered deletes nothing")
  func moveNotOffered() {
    let pair = DragPair()
    let target = RawTarget(pair)
    target.status = { _ in MessageWords(l0: target.window.rawValue, l1: 1, l4: target.atom(.move)) }
    target.finished = { MessageWords(l0: target.window.rawValue, l1: 1, l2: target.atom(.move)) }
    target.onDrop = { target.convert(.delete, at: $0.time) }
    #expect(pair.drag(to: RawTarget.inside) == .dropped(.copy))
    #expect(pair.source.app.deletions.isEmpty)
    pair.expectClean()
  }

  @Test("content is given at any time and to any window, as GTK 4, JUCE and Tk ask for it")
  func anyTimeAnyWindow() {
    for time in [0, 1, 0xFFFF_FFFF, 0x0040_0030] as [UInt32] {
      for isHidden in [true, false] {
        let (outcome, _, target) = drag { pair, target in
          target.conversionTime = { _ in Timestamp(rawValue: time) }
          if isHidden {
            target.requestor = pair.server.createWindow(
              of: target.client, frame: Rect(x: -1, y: -1, width: 1, height: 1), isMapped: false)
          }
        }
        #expect(outcome == .dropped(.copy))
        #expect(target.received == DragPair.text)
      }
    }
  }

  @Test("content is given after the drag has ended, as Dolphin asks for it")
  func late() {
    let pair = DragPair()
    let target = RawTarget(pair)
    target.onDrop = { drop in
      target.finish()
      target.finished = { nil }
      pair.after(.seconds(120)) { target.convert(.utf8String, at: drop.time) }
    }
    #expect(pair.drag(to: RawTarget.inside) == .dropped(.copy))
    #expect(target.received == DragPair.text)
    pair.expectClean()
  }

  @Test("a Status from another window, and one after Leave, change nothing")
  func foreignStatus() {
    let pair = DragPair()
    let target = RawTarget(pair)
    let stranger = RawPeer(pair, frame: Rect(x: 700, y: 700, width: 10, height: 10))
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
    #expect(pair.source.app.outcomes[drag] == .dropped(.copy))
    pair.expectClean()
  }

  @Test("messages that only a target receives are ignored by the drag window")
  func misdirected() {
    let (outcome, pair, _) = drag { pair, target in
      target.onEnter = { enter in
        for kind in XdndMessageKind.allCases where kind != .status {
          target.say(kind, MessageWords(l0: target.window.rawValue, l1: 5 << 24), to: enter.source)
        }
      }
    }
    #expect(outcome == .dropped(.copy))
    #expect(pair.source.app.targetNotices.isEmpty)
  }

  @Test("a requestor that reads nothing of INCR is given up on, and then the drag")
  func stalledReader() {
    let (outcome, _, _) = drag { pair, target in
      pair.source.app.content = [.utf8String: TestContent.bytes(5 << 20)]
      target.onDrop = {
        target.client.convert(
          .xdndSelection, to: .utf8String, property: AtomName("RAW"), requestor: target.window, time: $0.time)
      }
      target.finished = { nil }
      target.client.isFrozen = false
      target.type = .utf8String
      pair.after(.milliseconds(300)) { target.client.isFrozen = true }
    }
    #expect(outcome == .transferFailed || outcome == .timedOut)
  }

  @Test("a content that cannot be had is refused, and the drag fails")
  func noContent() {
    let (outcome, _, _) = drag { pair, target in
      pair.source.app.content = [:]
      target.finished = { MessageWords(l0: target.window.rawValue) }
    }
    #expect(outcome == .transferFailed)
  }

  @Test("a type that was not offered is refused")
  func otherType() {
    let (outcome, pair, target) = drag { $1.type = AtomName("image/png") }
    #expect(outcome == .dropped(.copy))
    #expect(target.received == nil)
    #expect(pair.source.app.openRequests.isEmpty)
  }

  @Test("a provider that fails in the middle, or has less than it says, fails the drag", arguments: [true, false])
  func failingProvider(inTheMiddle: Bool) {
    let pair = DragPair()
    pair.source.app.intercept = {
      guard case .drag(_, .contentNeeded(let transfer, _, _)) = $0 else { return false }
      let bytes = TestContent.bytes(4 << 20)
      pair.source.reactor.provide(
        transfer, inTheMiddle ? TestReader(bytes, failsAfter: 1 << 20) : ShrunkReader())
      return true
    }
    #expect(pair.drag() == .transferFailed)
    #expect(pair.target.app.lastResult == .rejected)
    pair.expectClean()
  }

  private final class ShrunkReader: ContentReader {
    var byteCount: Int? { 100 }
    var propertyType: AtomName? { nil }
    func read(upTo count: Int) -> ArraySlice<UInt8>? { [1, 2, 3] }
  }

  @Test("MULTIPLE, TARGETS and TIMESTAMP are answered, each once")
  func targets() {
    let pair = DragPair()
    let target = RawTarget(pair)
    let property = AtomName("RAW"), other = AtomName("OTHER"), bad = AtomName("BAD")
    target.onDrop = { drop in
      target.client.write(
        PropertyValue(
          type: .atomPair,
          contents: .atoms([.utf8String, other, AtomName("image/png"), bad, .timestamp, AtomName("TIME")])),
        to: property, of: target.window)
      target.client.convert(
        .xdndSelection, to: .multiple, property: property, requestor: target.window, time: drop.time)
    }
    let drag = pair.begin()
    pair.move(to: RawTarget.inside)
    pair.server.release(.primary)
    pair.run()
    target.finish()
    pair.drive()
    #expect(pair.source.app.outcomes[drag] == .dropped(.copy))
    #expect(target.received == nil || target.received?.isEmpty == false)
    #expect(pair.server.windows[target.window]?.properties[other]?.contents == .bytes(DragPair.text[...]))
    #expect(pair.server.windows[target.window]?.properties[bad] == nil)
    #expect(pair.server.windows[target.window]?.properties[AtomName("TIME")]?.format == 32)
    pair.expectClean()
  }

  @Test("thousands of Status and Finished for one Position cost nothing but time")
  func flood() {
    let (outcome, pair, _) = drag { _, target in
      let words = MessageWords(l0: target.window.rawValue, l1: 3, l4: target.atom(.copy))
      target.onPosition = { position in
        for _ in 0..<3000 { target.say(.status, words, to: position.source) }
        for _ in 0..<3000 { target.say(.finished, words, to: position.source) }
      }
    }
    #expect(outcome == .dropped(.copy))
    #expect(pair.source.client.messagesSent.count < 10)
  }

  @Test("what a provider has ready after the requestor died goes nowhere")
  func lateProvider() {
    let pair = DragPair()
    let target = RawTarget(pair)
    pair.source.app.providesLater = true
    let drag = pair.begin()
    pair.move(to: RawTarget.inside)
    pair.server.release(.primary)
    pair.run()
    #expect(pair.source.app.openRequests.count == 1)
    pair.server.kill(target.client)
    pair.run()
    #expect(pair.source.app.outcomes[drag] == .targetVanished)
    pair.source.app.provide()
    pair.drive()
    pair.expectClean()
  }
}
