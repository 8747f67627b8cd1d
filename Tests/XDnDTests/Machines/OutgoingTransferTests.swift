import Testing

@testable import XDnD

@Suite struct OutgoingTransferTests {
  static let limits = OutgoingTransfer.Limits(wholeProperty: 100, part: 10, stall: .seconds(10))

  var transfer = OutgoingTransfer(limits: Self.limits)

  /// Sends inputs one after the other and keeps the effects of the last.
  mutating func send(_ inputs: OutgoingTransfer.Input..., at now: LoopTime = .zero) -> [OutgoingTransfer.Effect] {
    var effects: [OutgoingTransfer.Effect] = []
    for input in inputs { effects = transfer.receive(input, at: now) }
    return effects
  }

  // MARK: In one property

  @Test(arguments: [0, 1, 99, 100])
  mutating func `content up to the limit goes in one property`(size: Int) {
    #expect(send(.opened(byteCount: size)) == [.stage(upTo: size)])
    #expect(send(.staged(size)) == [.write, .answer(true), .progressed(bytes: size), .ended(.delivered)])
    #expect(transfer.isEnded)
  }

  @Test mutating func `a file that has shrunk or grown since is refused`() {
    for size in [0, 49, 51] {
      var transfer = OutgoingTransfer(limits: Self.limits)
      _ = transfer.receive(.opened(byteCount: 50), at: .zero)
      #expect(transfer.receive(.staged(size), at: .zero) == [.answer(false), .ended(.refused)])
    }
  }

  @Test mutating func `a provider that fails before anything is written is refused`() {
    for inputs in [[.refused], [.failed], [.opened(byteCount: 5), .failed]] as [[OutgoingTransfer.Input]] {
      var transfer = OutgoingTransfer(limits: Self.limits)
      let effects = inputs.map { transfer.receive($0, at: .zero) }.last
      #expect(effects == [.answer(false), .ended(.refused)])
    }
  }

  // MARK: By INCR

  @Test mutating func `longer content goes by INCR, a part each time that the last one was taken`() {
    #expect(send(.opened(byteCount: 101)) == [.announce(lowerBound: 101), .answer(true)])
    for _ in 0..<10 {
      #expect(send(.propertyDeleted) == [.stage(upTo: 10)])
      #expect(send(.staged(10)) == [.write, .progressed(bytes: 10)])
    }
    #expect(send(.propertyDeleted) == [.stage(upTo: 10)])
    #expect(send(.staged(1)) == [.write, .progressed(bytes: 1)])
    #expect(send(.propertyDeleted) == [.stage(upTo: 10)])
    #expect(send(.staged(0)) == [.write])
    #expect(!transfer.isEnded)
    #expect(send(.propertyDeleted) == [.ended(.delivered)])
  }

  @Test mutating func `content of unknown length goes by INCR, also when there is none`() {
    #expect(send(.opened(byteCount: nil)) == [.announce(lowerBound: 0), .answer(true)])
    #expect(send(.propertyDeleted) == [.stage(upTo: 10)])
    #expect(send(.staged(0)) == [.write])
    #expect(send(.propertyDeleted) == [.ended(.delivered)])
  }

  @Test mutating func `content that is shorter than announced does not end as if it were whole`() {
    _ = send(.opened(byteCount: 200), .propertyDeleted, .staged(10), .propertyDeleted)
    #expect(send(.staged(0)) == [.ended(.failed)])
  }

  @Test mutating func `content that has grown since it was announced is sent whole`() {
    _ = send(.opened(byteCount: 101))
    for _ in 0..<11 { _ = send(.propertyDeleted, .staged(10)) }
    #expect(send(.propertyDeleted, .staged(0)) == [.write])
  }

  @Test mutating func `a provider that fails in the middle is not passed off as the end`() {
    #expect(send(.opened(byteCount: nil), .propertyDeleted, .failed) == [.ended(.failed)])
  }

  @Test mutating func `nothing is written before the last part was taken`() {
    _ = send(.opened(byteCount: nil), .propertyDeleted)
    #expect(send(.propertyDeleted) == [])
    #expect(send(.staged(10)).first == .write)
    #expect(send(.staged(10)) == [])
  }

  // MARK: Ends

  @Test mutating func `a requestor that takes no part in time ends the transfer, each part has its own time`() {
    _ = send(.opened(byteCount: nil))
    #expect(transfer.nextDeadline == .zero + .seconds(10))
    _ = send(.propertyDeleted, at: .zero + .seconds(9))
    #expect(transfer.nextDeadline == nil)
    _ = send(.staged(10), at: .zero + .seconds(12))
    #expect(transfer.nextDeadline == .zero + .seconds(22))
    #expect(send(.deadlineReached, at: .zero + .seconds(21)) == [])
    #expect(send(.deadlineReached, at: .zero + .seconds(22)) == [.ended(.stalled)])
    #expect(transfer.nextDeadline == nil)
  }

  @Test mutating func `a requestor that takes all but the mark of the end has been served`() {
    _ = send(.opened(byteCount: nil), .propertyDeleted, .staged(0))
    #expect(send(.deadlineReached, at: .zero + .seconds(10)) == [.ended(.delivered)])
  }

  @Test mutating func `a requestor that vanishes ends the transfer in every state`() {
    let ways: [[OutgoingTransfer.Input]] = [
      [], [.opened(byteCount: 5)], [.opened(byteCount: nil)], [.opened(byteCount: nil), .propertyDeleted],
      [.opened(byteCount: nil), .propertyDeleted, .staged(0)],
    ]
    for way in ways {
      var transfer = OutgoingTransfer(limits: Self.limits)
      for input in way { _ = transfer.receive(input, at: .zero) }
      #expect(transfer.receive(.deadlineReached, at: .zero) == [])
      #expect(transfer.receive(.requestorVanished, at: .zero) == [.ended(.requestorVanished)])
      #expect(transfer.receive(.requestorVanished, at: .zero) == [])
      #expect(transfer.nextDeadline == nil)
    }
  }

  @Test func `the border lies where Java can still read one property`() {
    #expect(OutgoingTransfer.Limits().wholeProperty < 4_000_000)
  }
}
