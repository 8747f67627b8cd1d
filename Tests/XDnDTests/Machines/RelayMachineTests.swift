import TestSupport
import Testing

@testable import XDnD

/// Who receives the messages of a drag over another client's window that is a target of both programs.
@Suite("Passing on the drags over another client's window", .computing)
struct RelayMachineTests {
  private static let source = WindowID(rawValue: 0x10)
  private static let enter = XdndMessage.enter(
    .init(source: source, statedVersion: 5, hasTypeList: false, inlineTypes: [AtomName("text/plain")]))
  private static let leave = XdndMessage.leave(.init(source: source))
  private static let drop = XdndMessage.drop(.init(source: source, time: Timestamp(rawValue: 9)))

  private static func position(_ x: Int, of source: WindowID = source) -> XdndMessage {
    .position(
      .init(source: source, point: Point(x: x, y: 0), time: Timestamp(rawValue: 1), operation: .copy, scroll: nil))
  }

  private static func own(_ messages: XdndMessage...) -> [RelayMachine.Delivery] {
    messages.map { .init(message: $0, side: .own) }
  }

  private static func owner(_ messages: XdndMessage...) -> [RelayMachine.Delivery] {
    messages.map { .init(message: $0, side: .owner) }
  }

  @Test func `a drag enters the side of its first position, and is dropped there`() {
    var machine = RelayMachine()
    #expect(machine.receive(Self.enter, at: .own) == [])
    #expect(machine.receive(Self.position(1), at: .owner) == Self.owner(Self.enter, Self.position(1)))
    #expect(machine.receive(Self.position(2), at: .owner) == Self.owner(Self.position(2)))
    #expect(machine.receive(Self.drop, at: .own) == Self.owner(Self.drop))
    #expect(machine.source == nil)
  }

  @Test func `a drag that crosses over leaves one side before it enters the other`() {
    var machine = RelayMachine()
    _ = machine.receive(Self.enter, at: .own)
    #expect(machine.receive(Self.position(1), at: .own) == Self.own(Self.enter, Self.position(1)))
    #expect(
      machine.receive(Self.position(2), at: .owner)
        == Self.own(Self.leave) + Self.owner(Self.enter, Self.position(2)))
    #expect(
      machine.receive(Self.position(3), at: .own)
        == Self.owner(Self.leave) + Self.own(Self.enter, Self.position(3)))
    #expect(machine.receive(Self.leave, at: .own) == Self.own(Self.leave))
  }

  @Test func `a drag that leaves before its first position is told to no side`() {
    var machine = RelayMachine()
    _ = machine.receive(Self.enter, at: .own)
    #expect(machine.receive(Self.leave, at: .own) == [])
    #expect(machine.source == nil)
  }

  @Test func `what comes out of turn is judged by this program's target`() {
    var machine = RelayMachine()
    let stray = WindowID(rawValue: 0x20)
    #expect(machine.receive(Self.drop, at: .own) == Self.own(Self.drop))
    _ = machine.receive(Self.enter, at: .own)
    _ = machine.receive(Self.position(1), at: .owner)
    #expect(machine.receive(Self.position(1, of: stray), at: .owner) == Self.own(Self.position(1, of: stray)))
    #expect(machine.source == Self.source)
  }
}
