import TestSupport
import Testing

@testable import XDnD

/// Whatever we send, we read back; whatever comes, we can read.
@Suite(.computing) struct WordRoundTripTests {
  static let operations: [DragOperation?] = [
    nil, .copy, .move, .link, .ask, .private, DragOperation(name: AtomName("_VENDOR_ACTION")),
  ]
  static let modifiers: [Modifiers] = (0..<8).map { Modifiers(rawValue: $0) }

  func randomMessage(_ random: inout SplitMix64) -> XdndMessage {
    let peer = WindowID(rawValue: random.word())
    let point = Point(x: random.below(0x1_0000) - 0x8000, y: random.below(0x1_0000) - 0x8000)
    let time = Timestamp(rawValue: random.word())
    let operation = random.pick(Self.operations)
    switch random.below(6) {
    case 0:
      let types = ["text/plain", "text/html", "text/uri-list"].map { AtomName(rawValue: $0) }.shuffled(using: &random)
      return .enter(
        .init(
          source: peer, statedVersion: UInt32(random.below(256)), hasTypeList: random.oneIn(2),
          inlineTypes: Array(types.prefix(random.below(4)))))
    case 1:
      let scroll =
        random.oneIn(2)
        ? nil : WheelScroll(random.pick(WheelScroll.Direction.allCases), modifiers: random.pick(Self.modifiers))
      return .position(.init(source: peer, point: point, time: time, operation: operation, scroll: scroll))
    case 2:
      guard random.oneIn(2) else { return .status(.init(target: peer, acceptance: nil)) }
      // A rectangle without a pixel is sent as none at all, and one that leaves the coordinates of 16 bits is cut.
      let (width, height) = (0x7FFF - point.x, 0x7FFF - point.y)
      let region =
        random.oneIn(2) || width == 0 || height == 0
        ? Rect(x: 0, y: 0, width: 0, height: 0)
        : Rect(x: point.x, y: point.y, width: random.below(width) + 1, height: random.below(height) + 1)
      return .status(
        .init(
          target: peer,
          acceptance: .init(operation: operation, region: region, wantsPositionsInside: random.oneIn(2))))
    case 3: return .leave(.init(source: peer))
    case 4: return .drop(.init(source: peer, time: time))
    default: return .finished(.init(target: peer, result: random.oneIn(2) ? .accepted(operation) : .refused))
    }
  }

  @Test func `random messages come back as they were`() {
    var random = SplitMix64(seed: 5)
    var changed: [XdndMessage] = []
    for _ in 0..<QuickTests.cases(of: 100_000) {
      let message = randomMessage(&random)
      let words = message.words(version: .v5, atom: AtomTable.common.atom)
      if XdndMessage(message.kind, words: words, name: AtomTable.common.name) != message { changed.append(message) }
    }
    #expect(changed == [])
  }

  @Test func `random words are read, and what was read is written the same way again`() {
    var random = SplitMix64(seed: 6)
    var unstable: [XdndMessage] = []
    for index in 0..<QuickTests.cases(of: 100_000) {
      let kind = XdndMessageKind.allCases[index % 6]
      let words = MessageWords(
        l0: random.word(), l1: random.word(), l2: random.word(), l3: random.word(), l4: random.word())
      let first = XdndMessage(kind, words: words, name: AtomTable.common.name)
      let again = first.words(version: .v5, atom: AtomTable.common.atom)
      let second = XdndMessage(kind, words: again, name: AtomTable.common.name)
      if again != second.words(version: .v5, atom: AtomTable.common.atom) { unstable.append(first) }
    }
    #expect(unstable == [])
  }

  @Test func `words with the high bit set survive the sign extension of Xlib`() {
    var random = SplitMix64(seed: 7)
    var lost: [UInt32] = []
    for _ in 0..<QuickTests.cases(of: 100_000) {
      let word = random.word()
      let signExtended = Int(Int32(bitPattern: word))
      if Format32.word(signExtended) != word || Format32.word(Format32.long(word)) != word { lost.append(word) }
    }
    #expect(lost == [])
    #expect(Format32.word(-0x7FFF_FFFB) == 0x8000_0005)
    #expect(Format32.long(0x8000_0005) == 0x8000_0005)
  }
}
