import Testing

@testable import XDnD

/// What each message looks like on the wire, field by field, as the specification's tables have it.
@Suite struct GoldenWordsTests {
  let source = WindowID(rawValue: 0x2A0_0001)
  let target = WindowID(rawValue: 0x1C0_0007)

  func words(_ message: XdndMessage, _ version: ProtocolVersion = .v5) -> [UInt32] {
    message.words(version: version, atom: AtomTable.common.atom).array
  }

  @Test(arguments: [(3, 0x0300_0000), (4, 0x0400_0000), (5, 0x0500_0000)] as [(UInt32, UInt32)])
  func `Enter carries the version in its top byte and up to three types`(version: UInt32, flags: UInt32) {
    let enter = XdndMessage.enter(
      .init(
        source: source, statedVersion: version, hasTypeList: false,
        inlineTypes: [AtomName("text/plain"), AtomName("text/html"), AtomName("text/uri-list")]))
    #expect(words(enter) == [0x2A0_0001, flags, 100, 101, 102])
  }

  @Test func `Enter sets bit 0 for a longer list and sends no fourth type`() {
    let enter = XdndMessage.enter(
      .init(
        source: source, statedVersion: 5, hasTypeList: true,
        inlineTypes: [
          AtomName("text/plain"), AtomName("text/html"), AtomName("text/uri-list"), AtomName("XdndActionCopy"),
        ]))
    #expect(words(enter) == [0x2A0_0001, 0x0500_0001, 100, 101, 102])
  }

  @Test func `Enter leaves unused slots and the bits in between zero`() {
    let one = XdndMessage.enter(
      .init(source: source, statedVersion: 5, hasTypeList: false, inlineTypes: [AtomName("text/html")]))
    #expect(words(one) == [0x2A0_0001, 0x0500_0000, 101, 0, 0])
    let none = XdndMessage.enter(.init(source: source, statedVersion: 5, hasTypeList: true, inlineTypes: []))
    #expect(words(none) == [0x2A0_0001, 0x0500_0001, 0, 0, 0])
  }

  @Test(arguments: [ProtocolVersion.v3, .v4, .v5])
  func `Position carries place, time and operation, and a reserved word of zero`(version: ProtocolVersion) {
    let position = XdndMessage.position(
      .init(
        source: source, point: Point(x: 800, y: 600), time: Timestamp(rawValue: 0xFFFF_FFF0), operation: .move))
    #expect(words(position, version) == [0x2A0_0001, 0, 0x0320_0258, 0xFFFF_FFF0, 104])
  }

  @Test(
    arguments: [
      (.up, [], 0x400), (.down, .control, 0x504), (.left, .shift, 0x601), (.right, [.shift, .control, .alt], 0x70D),
    ] as [(WheelScroll.Direction, Modifiers, UInt32)])
  func `Position carries a notch of the wheel in the reserved word`(
    direction: WheelScroll.Direction, modifiers: Modifiers, word: UInt32
  ) {
    let position = XdndMessage.position(
      .init(
        source: source, point: Point(x: 8, y: 6), time: Timestamp(rawValue: 7), operation: .copy,
        scroll: WheelScroll(direction, modifiers: modifiers)))
    #expect(words(position) == [0x2A0_0001, word, 0x0008_0006, 7, 103])
  }

  @Test func `Position above and left of the origin keeps both halves apart`() {
    let above = XdndMessage.position(
      .init(source: source, point: Point(x: 800, y: -1), time: Timestamp(rawValue: 7), operation: .copy))
    #expect(words(above) == [0x2A0_0001, 0, 0x0320_FFFF, 7, 103])
    let left = XdndMessage.position(
      .init(source: source, point: Point(x: -1, y: 600), time: Timestamp(rawValue: 7), operation: nil))
    #expect(words(left) == [0x2A0_0001, 0, 0xFFFF_0258, 7, 0])
  }

  @Test(arguments: [ProtocolVersion.v3, .v4, .v5])
  func `Status that accepts and asks for all positions is 3 without a rectangle`(version: ProtocolVersion) {
    let status = XdndMessage.status(.init(target: target, acceptance: .init(operation: .copy)))
    #expect(words(status, version) == [0x1C0_0007, 3, 0, 0, 103])
  }

  @Test func `Status with a silence rectangle is 1 and carries the rectangle`() {
    let status = XdndMessage.status(
      .init(
        target: target,
        acceptance: .init(
          operation: .link, region: Rect(x: -10, y: 20, width: 300, height: 40), wantsPositionsInside: false)))
    #expect(words(status) == [0x1C0_0007, 1, 0xFFF6_0014, 0x012C_0028, 105])
  }

  @Test func `Status cuts a rectangle to the part that coordinates of 16 bits can name`() {
    let status = XdndMessage.status(
      .init(
        target: target,
        acceptance: .init(
          operation: .copy, region: Rect(x: 0, y: 0, width: 70_000, height: 65_536), wantsPositionsInside: false)
      ))
    #expect(words(status) == [0x1C0_0007, 1, 0, 0x7FFF_7FFF, 103])
  }

  @Test func `Status with a rectangle that has no pixel sends none`() {
    let status = XdndMessage.status(
      .init(
        target: target,
        acceptance: .init(
          operation: .copy, region: Rect(x: 5, y: 5, width: 0, height: 9), wantsPositionsInside: false)))
    #expect(words(status) == [0x1C0_0007, 1, 0, 0, 103])
  }

  @Test(arguments: [ProtocolVersion.v3, .v4, .v5])
  func `Status that refuses is all zeros but for the window, because Qt takes any set bit for a yes`(
    version: ProtocolVersion
  ) {
    #expect(words(.status(.init(target: target, acceptance: nil)), version) == [0x1C0_0007, 0, 0, 0, 0])
  }

  @Test(arguments: [ProtocolVersion.v3, .v4, .v5])
  func `Leave carries the source and nothing else`(version: ProtocolVersion) {
    #expect(words(.leave(.init(source: source)), version) == [0x2A0_0001, 0, 0, 0, 0])
  }

  @Test(arguments: [ProtocolVersion.v3, .v4, .v5])
  func `Drop carries the time in its third word`(version: ProtocolVersion) {
    let drop = XdndMessage.drop(.init(source: source, time: Timestamp(rawValue: 0x8000_0001)))
    #expect(words(drop, version) == [0x2A0_0001, 0, 0x8000_0001, 0, 0])
  }

  @Test func `Finished says in version 5 what was done`() {
    #expect(words(.finished(.init(target: target, result: .accepted(.move)))) == [0x1C0_0007, 1, 104, 0, 0])
    #expect(words(.finished(.init(target: target, result: .accepted(nil)))) == [0x1C0_0007, 1, 0, 0, 0])
  }

  @Test func `Finished that refuses is all zeros but for the window`() {
    #expect(words(.finished(.init(target: target, result: .refused))) == [0x1C0_0007, 0, 0, 0, 0])
  }

  @Test(arguments: [ProtocolVersion.v3, .v4])
  func `Finished has no result below version 5`(version: ProtocolVersion) {
    let finished = XdndMessage.finished(.init(target: target, result: .accepted(.move)))
    #expect(words(finished, version) == [0x1C0_0007, 0, 0, 0, 0])
  }

  @Test func `the names whose atoms are needed are known before encoding`() {
    let types = [AtomName("text/plain"), AtomName("text/html")]
    let enter = XdndMessage.Enter(source: source, statedVersion: 5, hasTypeList: false, inlineTypes: types)
    #expect(XdndMessage.enter(enter).atomNames == types)
    #expect(XdndMessage.finished(.init(target: target, result: .accepted(.ask))).atomNames == [DragOperation.ask.name])
    #expect(XdndMessage.finished(.init(target: target, result: .refused)).atomNames.isEmpty)
    #expect(XdndMessage.status(.init(target: target, acceptance: nil)).atomNames.isEmpty)
    #expect(XdndMessage.leave(.init(source: source)).atomNames.isEmpty)
    #expect(XdndMessage.drop(.init(source: source, time: .currentTime)).atomNames.isEmpty)
  }
}
