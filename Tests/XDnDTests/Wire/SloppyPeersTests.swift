import Testing

@testable import XDnD

/// Words as real peers fill them.
@Suite struct SloppyPeersTests {
  func decode(_ kind: XdndMessageKind, _ l0: UInt32, _ l1: UInt32, _ l2: UInt32, _ l3: UInt32, _ l4: UInt32)
    -> XdndMessage
  {
    XdndMessage(
      kind, words: MessageWords(l0: l0, l1: l1, l2: l2, l3: l3, l4: l4), name: AtomTable.common.name)
  }

  func acceptance(_ message: XdndMessage) -> XdndMessage.Status.Acceptance? {
    if case .status(let status) = message { status.acceptance } else { nil }
  }

  func result(_ message: XdndMessage) -> XdndMessage.Finished.Result? {
    if case .finished(let finished) = message { finished.result } else { nil }
  }

  func inlineTypes(_ message: XdndMessage) -> [String]? {
    if case .enter(let enter) = message { enter.inlineTypes.map(\.rawValue) } else { nil }
  }

  @Test func `empty type slots are not types, wherever they are`() {
    #expect(inlineTypes(decode(.enter, 1, 5 << 24, 0, 0, 0)) == [])
    #expect(inlineTypes(decode(.enter, 1, 5 << 24, 0, 101, 0)) == ["text/html"])
    #expect(inlineTypes(decode(.enter, 1, 5 << 24, 100, 0, 102)) == ["text/plain", "text/uri-list"])
  }

  @Test func `types that the server does not know are left out`() {
    #expect(inlineTypes(decode(.enter, 1, 5 << 24, 9999, 101, 0xFFFF_FFFF)) == ["text/html"])
  }

  @Test func `Enter states its version as it is, and bits in between mean nothing`() {
    let enter = decode(.enter, 1, 0xFFFF_FFFE, 100, 0, 0)
    #expect(
      enter
        == .enter(
          .init(
            source: WindowID(rawValue: 1), statedVersion: 255, hasTypeList: false,
            inlineTypes: [AtomName("text/plain")])))
  }

  @Test func `Status with random bits above bit 1 is read by its two lowest, as tkdnd needs it`() {
    #expect(acceptance(decode(.status, 9, 0xBDEB_DD43, 0, 0, 103))?.operation == .copy)
    #expect(acceptance(decode(.status, 9, 0xBDEB_DD43, 0, 0, 103))?.wantsPositionsInside == true)
    #expect(acceptance(decode(.status, 9, 0xBDEB_DD41, 0, 0, 103))?.wantsPositionsInside == false)
    #expect(acceptance(decode(.status, 9, 0xBDEB_DD42, 0, 0, 103)) == nil)
  }

  @Test func `Status that refuses and names an operation refuses, as SDL needs it`() {
    #expect(decode(.status, 9, 0, 0, 0, 103) == .status(.init(target: WindowID(rawValue: 9), acceptance: nil)))
    #expect(decode(.status, 9, 2, 7, 7, 103) == .status(.init(target: WindowID(rawValue: 9), acceptance: nil)))
  }

  @Test func `Status that accepts without an operation is told apart from a refusal`() {
    #expect(acceptance(decode(.status, 9, 1, 0, 0, 0)) == .init(operation: nil, wantsPositionsInside: false))
  }

  @Test func `an unknown operation is kept and is none of the known ones`() {
    #expect(acceptance(decode(.status, 9, 1, 0, 0, 108))?.operation?.name == AtomName("_VENDOR_ACTION"))
    #expect(acceptance(decode(.status, 9, 1, 0, 0, 108))?.operation?.isStandard == false)
    #expect(acceptance(decode(.status, 9, 1, 0, 0, 9999))?.operation == nil)
  }

  @Test(arguments: [1, 2, 3, 36, 37, 0x8000_0000, 0xFFFF_FFFF] as [UInt32])
  func `Finished with any bit set is accepted: tkdnd sets bit 1, GLFW sends the number of bytes`(flags: UInt32) {
    #expect(result(decode(.finished, 9, flags, 104, 0, 0)) == .accepted(.move))
  }

  @Test func `Finished that is zero is refused, whatever it says was done`() {
    #expect(result(decode(.finished, 9, 0, 104, 1, 1)) == .refused)
  }

  @Test func `an empty slot for the operation is no operation`() {
    #expect(result(decode(.finished, 9, 1, 0, 0, 0)) == .accepted(nil))
    #expect(
      decode(.position, 1, 0, 0, 0, 0)
        == .position(
          .init(source: WindowID(rawValue: 1), point: Point(x: 0, y: 0), time: .currentTime, operation: nil)))
  }

  @Test(arguments: [1, 0x3FF, 0x800, 0xC00, 0x8000_0400, 0xFFFF_FFFF] as [UInt32])
  func `Position with anything but the wheel in its reserved word is an ordinary one`(word: UInt32) {
    #expect(decode(.position, 1, word, 0x10_0020, 5, 103) == decode(.position, 1, 0, 0x10_0020, 5, 103))
  }

  @Test func `Position with the wheel is read whatever else is held down, such as NumLock`() {
    guard case .position(let position) = decode(.position, 1, 0x5F2, 0x10_0020, 5, 103) else {
      Issue.record("not a position")
      return
    }
    #expect(position.scroll == WheelScroll(.down))
    #expect(position.operation == .copy)
  }

  @Test func `Drop with Qt's bit mask in its last word is an ordinary one`() {
    #expect(decode(.drop, 1, 0, 77, 0, 7) == .drop(.init(source: WindowID(rawValue: 1), time: Timestamp(rawValue: 77))))
  }

  @Test func `only words that hold atoms are looked up`() {
    let words = MessageWords(l0: 1, l1: 2, l2: 3, l3: 4, l4: 5)
    #expect(XdndMessageKind.enter.atoms(in: words).map(\.rawValue) == [3, 4, 5])
    #expect(XdndMessageKind.position.atoms(in: words).map(\.rawValue) == [5])
    #expect(XdndMessageKind.status.atoms(in: words).map(\.rawValue) == [5])
    #expect(XdndMessageKind.finished.atoms(in: words).map(\.rawValue) == [3])
    #expect(XdndMessageKind.leave.atoms(in: words).isEmpty)
    #expect(XdndMessageKind.drop.atoms(in: words).isEmpty)
    #expect(XdndMessageKind.enter.atoms(in: MessageWords()).isEmpty)
  }
}
