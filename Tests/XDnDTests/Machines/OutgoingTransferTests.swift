import Testing

@testable import XDnD

@Suite struct OutgoingTransferTests {
  static let limits = OutgoingTransfer.Limits(
    wholeProperty: 100, part: 10, stall: .seconds(10), patience: .seconds(3), promise: .seconds(30))

  var transfer = OutgoingTransfer(limits: Self.limits, at: .zero)

  /// Sends inputs one after the other and keeps the effects of the last.
  mutating func send(_ inputs: OutgoingTransfer.Input..., at now: LoopTime = .zero) -> [OutgoingTransfer.Effect] {
    transfer.send(inputs, at: now)
  }

  static func whole(_ count: Int) -> [OutgoingTransfer.Effect] {
    [.write(count), .answer(true), .progressed(bytes: count), .ended(.delivered)]
  }

  static func part(_ count: Int) -> [OutgoingTransfer.Effect] { [.write(count), .progressed(bytes: count)] }

  @Test mutating func `a requestor that has refused the drop is not waited for long, for no part`() {
    _ = send(.opened(byteCount: 200), .propertyDeleted, .staged(10))
    #expect(send(.requestorRefused) == [])
    #expect(transfer.nextDeadline == .zero + .seconds(1))
    #expect(send(.propertyDeleted) == [.stage(upTo: 10)])
    #expect(send(.staged(10)) == Self.part(10))
    #expect(transfer.nextDeadline == .zero + .seconds(1))
    #expect(send(.deadlineReached, at: .zero + .seconds(1)) == [.ended(.stalled)])
  }

  @Test(
    arguments: [[], [.opened(byteCount: 10)], [.opened(byteCount: 200), .propertyDeleted]] as [[OutgoingTransfer.Input]]
  )
  mutating func `a silent provider is not waited for once the requestor has refused the drop`(
    inputs: [OutgoingTransfer.Input]
  ) {
    for input in inputs { _ = send(input) }
    #expect(send(.requestorRefused) == [])
    #expect(transfer.nextDeadline == .zero + .seconds(1))
    _ = send(.deadlineReached, at: .zero + .seconds(1))
    #expect(transfer.isEnded)
  }

  @Test(arguments: [nil, 10, 200])
  mutating func `content that is opened after the refusal is not waited for long either`(size: Int?) {
    #expect(send(.requestorRefused) == [])
    _ = send(.opened(byteCount: size), .propertyDeleted)
    #expect(transfer.nextDeadline == .zero + .seconds(1))
    _ = send(.deadlineReached, at: .zero + .seconds(1))
    #expect(transfer.isEnded)
  }

  @Test(
    arguments: [[.opened(byteCount: nil)], [.opened(byteCount: 200), .propertyDeleted]] as [[OutgoingTransfer.Input]])
  mutating func `a provider that goes on a little at a time gets no more time once the requestor has refused the drop`(
    inputs: [OutgoingTransfer.Input]
  ) {
    for input in inputs { _ = send(input) }
    _ = send(.requestorRefused)
    for tenths in 1..<20 where !transfer.isEnded {
      _ = send(.staged(1), .deadlineReached, at: .zero + .milliseconds(100 * tenths))
    }
    #expect(transfer.isEnded)
  }

  @Test mutating func `a requestor that has refused the drop has taken what only lacks its end`() {
    _ = send(.opened(byteCount: 101), .propertyDeleted, .staged(101), .propertyDeleted)
    #expect(send(.staged(0)) == [.write(0)])
    #expect(send(.requestorRefused) == [.ended(.delivered)])
  }

  // MARK: In one property

  @Test(arguments: [1, 99, 100])
  mutating func `content up to the limit goes in one property`(size: Int) {
    #expect(send(.opened(byteCount: size)) == [.stage(upTo: size)])
    #expect(send(.staged(size)) == Self.whole(size))
    #expect(transfer.isEnded)
  }

  @Test mutating func `nothing is a property too, and nobody is asked for it`() {
    #expect(send(.opened(byteCount: 0)) == Self.whole(0))
  }

  @Test mutating func `content that comes piece by piece is gathered for one property`() {
    #expect(send(.opened(byteCount: 30)) == [.stage(upTo: 30)])
    #expect(send(.staged(1)) == [.stage(upTo: 29)])
    #expect(send(.staged(9)) == [.stage(upTo: 20)])
    #expect(send(.staged(20)) == Self.whole(30))
  }

  @Test mutating func `a file that has shrunk since is refused`() {
    for sizes in [[0], [49, 0]] {
      var transfer = OutgoingTransfer(limits: Self.limits, at: .zero)
      let inputs = [OutgoingTransfer.Input.opened(byteCount: 50)] + sizes.map(OutgoingTransfer.Input.staged)
      #expect(transfer.send(inputs) == [.answer(false), .ended(.refused)])
    }
  }

  @Test mutating func `a provider that fails before anything is written is refused`() {
    let ways: [[OutgoingTransfer.Input]] = [
      [.refused], [.failed], [.opened(byteCount: 5), .failed], [.opened(byteCount: nil), .failed],
      [.opened(byteCount: nil), .staged(7), .failed],
    ]
    for inputs in ways {
      var transfer = OutgoingTransfer(limits: Self.limits, at: .zero)
      #expect(transfer.send(inputs) == [.answer(false), .ended(.refused)])
    }
  }

  // MARK: Of unknown length

  @Test(arguments: [0, 1, 99, 100])
  mutating func `content whose length nobody knows goes in one property if it ends in time`(size: Int) {
    #expect(send(.opened(byteCount: nil)) == [.stage(upTo: 110)])
    if size > 0 { #expect(send(.staged(size)) == [.stage(upTo: 110 - size)]) }
    #expect(send(.staged(0)) == Self.whole(size))
  }

  @Test mutating func `what is longer than one property is announced, and what was gathered are its first parts`() {
    _ = send(.opened(byteCount: nil))
    #expect(send(.staged(100)) == [.stage(upTo: 10)])
    #expect(send(.staged(5)) == [.announce(lowerBound: 105), .answer(true)])
    for _ in 0..<10 { #expect(send(.propertyDeleted) == Self.part(10)) }
    #expect(send(.propertyDeleted) == Self.part(5))
    #expect(send(.propertyDeleted) == [.stage(upTo: 10)])
    #expect(send(.staged(3)) == Self.part(3))
    #expect(send(.propertyDeleted, .staged(0)) == [.write(0)])
    #expect(send(.propertyDeleted) == [.ended(.delivered)])
  }

  @Test(arguments: [nil, 50])
  mutating func `who has waited long enough gets what there is, counted from the request`(size: Int?) {
    _ = send(.opened(byteCount: size), at: .zero + .seconds(1))
    #expect(send(.staged(15), at: .zero + .seconds(2)) == [.stage(upTo: (size ?? 110) - 15)])
    #expect(transfer.nextDeadline == .zero + .seconds(3))
    #expect(send(.deadlineReached, at: .zero + .seconds(3)) == [.announce(lowerBound: size ?? 15), .answer(true)])
    #expect(send(.propertyDeleted) == Self.part(10))
    #expect(send(.propertyDeleted) == Self.part(5))
    #expect(send(.propertyDeleted) == [.stage(upTo: 10)])
  }

  @Test mutating func `nothing is announced while there is nothing, for it can still be refused`() {
    _ = send(.opened(byteCount: nil))
    #expect(transfer.nextDeadline == .zero + .seconds(30))
    #expect(send(.deadlineReached, at: .zero + .seconds(4)) == [])
    _ = send(.staged(1), at: .zero + .seconds(5))
    #expect(send(.deadlineReached, at: .zero + .seconds(5)) == [.announce(lowerBound: 1), .answer(true)])
  }

  // MARK: By INCR

  @Test mutating func `longer content goes by INCR, a part each time that the last one was taken`() {
    #expect(send(.opened(byteCount: 101)) == [.announce(lowerBound: 101), .answer(true)])
    for _ in 0..<10 {
      #expect(send(.propertyDeleted) == [.stage(upTo: 10)])
      #expect(send(.staged(10)) == Self.part(10))
    }
    #expect(send(.propertyDeleted) == [.stage(upTo: 10)])
    #expect(send(.staged(1)) == Self.part(1))
    #expect(send(.propertyDeleted) == [.stage(upTo: 10)])
    #expect(send(.staged(0)) == [.write(0)])
    #expect(!transfer.isEnded)
    #expect(send(.propertyDeleted) == [.ended(.delivered)])
  }

  @Test mutating func `content that is shorter than announced does not end as if it were whole`() {
    _ = send(.opened(byteCount: 200), .propertyDeleted, .staged(10), .propertyDeleted)
    #expect(send(.staged(0)) == [.ended(.failed)])
  }

  @Test mutating func `content that has grown since it was announced is sent whole`() {
    _ = send(.opened(byteCount: 101))
    for _ in 0..<11 { _ = send(.propertyDeleted, .staged(10)) }
    #expect(send(.propertyDeleted, .staged(0)) == [.write(0)])
  }

  @Test mutating func `a provider that fails in the middle is not passed off as the end`() {
    #expect(send(.opened(byteCount: 101), .propertyDeleted, .failed) == [.ended(.failed)])
  }

  @Test mutating func `nothing is written before the last part was taken`() {
    _ = send(.opened(byteCount: 101), .propertyDeleted)
    #expect(send(.propertyDeleted) == [])
    #expect(send(.staged(10)).first == .write(10))
    #expect(send(.staged(10)) == [])
  }

  @Test mutating func `five gigabytes are counted, part by part`() {
    let (size, part) = (5 << 30, 512 << 10)
    var transfer = OutgoingTransfer(limits: .init(), at: .zero)
    #expect(transfer.send(.opened(byteCount: size)) == [.announce(lowerBound: size), .answer(true)])
    for _ in 0..<size / part {
      transfer.send(.propertyDeleted)
      guard transfer.send(.staged(part)) == Self.part(part) else {
        Issue.record("a part was not written")
        return
      }
    }
    transfer.send(.propertyDeleted)
    #expect(transfer.send(.staged(0)) == [.write(0)])
  }

  // MARK: Ends

  @Test mutating func `a requestor that takes no part in time ends the transfer, each part has its own time`() {
    _ = send(.opened(byteCount: 101))
    #expect(transfer.nextDeadline == .zero + .seconds(10))
    _ = send(.propertyDeleted, at: .zero + .seconds(9))
    #expect(transfer.nextDeadline == .zero + .seconds(39))
    _ = send(.staged(10), at: .zero + .seconds(12))
    #expect(transfer.nextDeadline == .zero + .seconds(22))
    #expect(send(.deadlineReached, at: .zero + .seconds(21)) == [])
    #expect(send(.deadlineReached, at: .zero + .seconds(22)) == [.ended(.stalled)])
    #expect(transfer.nextDeadline == nil)
  }

  @Test mutating func `a requestor that takes all but the mark of the end has been served`() {
    _ = send(.opened(byteCount: 101))
    for _ in 0..<11 { _ = send(.propertyDeleted, .staged(10)) }
    _ = send(.propertyDeleted, .staged(0))
    #expect(send(.deadlineReached, at: .zero + .seconds(10)) == [.ended(.delivered)])
  }

  @Test mutating func `a provider that is silent for too long is refused, each piece has its own time`() {
    #expect(transfer.nextDeadline == .zero + .seconds(30))
    var unopened = transfer
    #expect(unopened.send(.deadlineReached, at: .zero + .seconds(30)) == [.answer(false), .ended(.refused)])
    _ = send(.opened(byteCount: nil), at: .zero + .seconds(29))
    #expect(transfer.nextDeadline == .zero + .seconds(59))
    #expect(send(.deadlineReached, at: .zero + .seconds(58)) == [])
    #expect(send(.deadlineReached, at: .zero + .seconds(59)) == [.answer(false), .ended(.refused)])
  }

  @Test mutating func `a provider that falls silent in the middle of INCR has failed`() {
    _ = send(.opened(byteCount: 101))
    _ = send(.propertyDeleted, .staged(10), .propertyDeleted, at: .zero + .seconds(5))
    #expect(transfer.nextDeadline == .zero + .seconds(35))
    #expect(send(.deadlineReached, at: .zero + .seconds(35)) == [.ended(.failed)])
  }

  @Test mutating func `a requestor that asks again before it has its answer is refused first`() {
    for way in [[], [.opened(byteCount: 5)]] as [[OutgoingTransfer.Input]] {
      var transfer = OutgoingTransfer(limits: Self.limits, at: .zero)
      transfer.send(way)
      #expect(transfer.send(.superseded) == [.answer(false), .ended(.stalled)])
    }
    #expect(send(.opened(byteCount: 101), .superseded) == [.ended(.stalled)])
  }

  @Test func `a transfer that is cancelled is refused if it has no answer, and else writes nothing more`() {
    let unanswered: [[OutgoingTransfer.Input]] = [
      [], [.opened(byteCount: 5)], [.opened(byteCount: nil)], [.opened(byteCount: nil), .staged(5)],
    ]
    for way in unanswered {
      var transfer = OutgoingTransfer(limits: Self.limits, at: .zero)
      transfer.send(way)
      #expect(transfer.send(.cancelled) == [.answer(false), .ended(.cancelled)])
    }
    let answered: [[OutgoingTransfer.Input]] = [
      [.opened(byteCount: 101)], [.opened(byteCount: 101), .propertyDeleted],
      [.opened(byteCount: 101), .propertyDeleted, .staged(10)],
    ]
    for way in answered {
      var transfer = OutgoingTransfer(limits: Self.limits, at: .zero)
      transfer.send(way)
      #expect(transfer.send(.cancelled) == [.ended(.cancelled)])
      #expect(transfer.send(.propertyDeleted) == [] && transfer.nextDeadline == nil)
    }
  }

  @Test mutating func `a requestor that vanishes ends the transfer in every state`() {
    let ways: [[OutgoingTransfer.Input]] = [
      [], [.opened(byteCount: 5)], [.opened(byteCount: nil)], [.opened(byteCount: nil), .staged(5)],
      [.opened(byteCount: 101)], [.opened(byteCount: 101), .propertyDeleted],
      [.opened(byteCount: nil), .staged(101), .propertyDeleted],
    ]
    for way in ways {
      var transfer = OutgoingTransfer(limits: Self.limits, at: .zero)
      transfer.send(way)
      #expect(transfer.send(.deadlineReached) == [])
      #expect(transfer.send(.requestorVanished) == [.ended(.requestorVanished)])
      #expect(transfer.send(.requestorVanished) == [])
      #expect(transfer.nextDeadline == nil)
    }
  }

  @Test func `the border lies where Java can still read one property`() {
    #expect(OutgoingTransfer.Limits().wholeProperty < 4_000_000)
  }
}
