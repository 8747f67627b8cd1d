import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// Targets and providers with which content does not arrive the usual way.
@Suite("A source and those who ask it for content", .computing)
struct RequestTests {
  private final class ShrunkReader: ContentReader {
    var byteCount: Int? { 100 }
    var propertyType: AtomName? { nil }
    private var parts: [ArraySlice<UInt8>] = [[1, 2, 3]]
    func read(upTo count: Int) -> ContentPart { .bytes(parts.popLast() ?? []) }
  }

  @Test func `content is given at any time and to any window, as GTK 4, JUCE and Tk ask for it`() {
    for time in [0, 1, 0xFFFF_FFFF, 0x0040_0030] as [UInt32] {
      for isHidden in [true, false] {
        let (outcome, _, target) = RawTarget.drag { pair, target in
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

  @Test func `content is given after the drag has ended, as Dolphin asks for it`() {
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

  @Test func `a requestor that reads nothing of INCR is given up on, and then the drag`() {
    let (outcome, _, _) = RawTarget.drag { pair, target in
      pair.source.content = [.utf8String: TestContent.bytes(5 << 20)]
      target.onDrop = {
        target.client.convert(
          .xdndSelection, to: .utf8String, property: AtomName("RAW"), requestor: target.window, time: $0.time)
      }
      target.finished = { nil }
      target.client.behavior.isFrozen = false
      target.type = .utf8String
      pair.after(.milliseconds(300)) { target.client.behavior.isFrozen = true }
    }
    #expect(outcome == .transferFailed || outcome == .timedOut)
  }

  @Test func `a content that cannot be had is refused, and the drag fails`() {
    let (outcome, _, _) = RawTarget.drag { pair, target in
      pair.source.content = [:]
      target.finished = { target.refusal }
    }
    #expect(outcome == .transferFailed)
  }

  @Test func `a type that was not offered is refused`() {
    let (outcome, pair, target) = RawTarget.drag { $1.type = AtomName("image/png") }
    #expect(outcome == .dropped(.copy))
    #expect(target.received == nil)
    #expect(pair.source.openRequests.isEmpty)
  }

  @Test func `what a provider has ready after the requestor died goes nowhere`() {
    let pair = DragPair()
    let target = RawTarget(pair)
    pair.source.providesLater = true
    let drag = pair.begin()
    pair.move(to: RawTarget.inside)
    pair.letGo()
    #expect(pair.source.openRequests.count == 1)
    pair.server.kill(target.client)
    pair.run()
    #expect(pair.source.outcomes[drag] == .targetVanished)
    pair.source.provide()
    pair.endClean()
  }

  @Test(arguments: [true, false])
  func `a provider that fails in the middle, or has less than it says, fails the drag`(inTheMiddle: Bool) {
    let pair = DragPair()
    pair.source.intercept = {
      guard case .offer(_, .contentNeeded(let transfer, _, _)) = $0 else { return false }
      let bytes = TestContent.bytes(4 << 20)
      pair.source.reactor.provide(
        transfer, inTheMiddle ? TestReader(bytes, failsAfter: 1 << 20) : ShrunkReader())
      return true
    }
    #expect(pair.drag() == .transferFailed)
    #expect(pair.target.lastResult == .rejected)
    pair.expectClean()
  }

  @Test func `MULTIPLE, TARGETS and TIMESTAMP are answered, each once`() {
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
    pair.letGo()
    target.finish()
    pair.drive()
    #expect(pair.source.outcomes[drag] == .dropped(.copy))
    #expect(target.received == nil || target.received?.isEmpty == false)
    #expect(pair.server.windows[target.window]?.properties[other]?.contents == .bytes(DragPair.text[...]))
    #expect(pair.server.windows[target.window]?.properties[bad] == nil)
    #expect(pair.server.windows[target.window]?.properties[AtomName("TIME")]?.format == 32)
    pair.expectClean()
  }
}
