import Testing

@testable import XDnD

@Suite struct IncomingTransferTests {
  typealias Input = IncomingTransfer.Input

  static let incr = PropertyHeader(type: .incr, format: 32, byteCount: 4)

  var transfer = IncomingTransfer(limits: .init(stall: .seconds(10), byteCount: 1000))

  func text(_ count: Int) -> PropertyHeader { PropertyHeader(type: .utf8String, format: 8, byteCount: count) }

  mutating func send(_ inputs: Input..., at now: LoopTime = .zero) -> [IncomingTransfer.Effect] {
    transfer.send(inputs, at: now)
  }

  @Test mutating func `content in one property is read once it is answered`() {
    #expect(send(.begin) == [.convert])
    #expect(send(.propertyChanged) == [])
    #expect(send(.answered(hasData: true)) == [.readProperty(from: 0)])
    #expect(
      send(.read(text(5), announced: nil)) == [.progressed(received: 5, expected: 5), .ended(.complete(text(5)))])
    #expect(transfer.isEnded)
  }

  @Test mutating func `one byte that is left of a property is read, too`() {
    _ = send(.begin, .answered(hasData: true))
    #expect(
      send(.read(text(5), left: 1, announced: nil)) == [
        .progressed(received: 4, expected: 5), .readProperty(from: 4),
      ])
    #expect(
      send(.read(text(5), announced: nil)) == [.progressed(received: 5, expected: 5), .ended(.complete(text(5)))])
  }

  @Test mutating func `empty content is content`() {
    #expect(send(.begin, .answered(hasData: true), .read(text(0), announced: nil)).last == .ended(.complete(text(0))))
  }

  @Test mutating func `a refusal is a refusal`() {
    #expect(send(.begin, .answered(hasData: false)) == [.ended(.failed(.refused))])
  }

  @Test mutating func `an owner that answers and gives nothing is told apart`() {
    #expect(send(.begin, .answered(hasData: true), .read(nil, announced: nil)) == [.ended(.failed(.noData))])
  }

  @Test mutating func `a provider that makes progress has more time for its answer, but not for a part`() {
    func time(_ seconds: Int) -> LoopTime { .zero + .seconds(seconds) }
    _ = send(.begin)
    #expect(transfer.nextDeadline == time(10))
    #expect(send(.providerProgressed, at: time(8)) == [])
    #expect(transfer.nextDeadline == time(18))
    _ = send(.answered(hasData: true), .read(Self.incr, announced: nil), at: time(9))
    #expect(transfer.nextDeadline == time(19))
    #expect(send(.providerProgressed, at: time(12)) == [])
    #expect(transfer.nextDeadline == time(19))
  }

  // MARK: INCR

  @Test mutating func `content that comes by INCR ends with an empty part, under the type of the first`() {
    #expect(
      send(.begin, .answered(hasData: true), .read(Self.incr, announced: 7)) == [
        .progressed(received: 0, expected: 7)
      ])
    #expect(send(.propertyChanged) == [.readProperty(from: 0)])
    #expect(send(.read(text(4), announced: nil)) == [.progressed(received: 4, expected: 7)])
    #expect(send(.propertyChanged) == [.readProperty(from: 0)])
    #expect(send(.read(text(5), announced: nil)) == [.progressed(received: 9, expected: nil)])
    #expect(send(.propertyChanged) == [.readProperty(from: 0)])
    let end = PropertyHeader(type: .string, format: 8, byteCount: 0)
    #expect(send(.read(end, announced: nil)) == [.ended(.complete(text(9)))])
  }

  @Test mutating func `INCR without a size, or with a size of zero, is taken`() {
    for announced in [nil, 0] {
      var transfer = transfer
      transfer.send(.begin, .answered(hasData: true))
      #expect(transfer.send(.read(Self.incr, announced: announced)) == [.progressed(received: 0, expected: nil)])
    }
  }

  @Test mutating func `INCR that ends at once is empty content`() {
    _ = send(.begin, .answered(hasData: true), .read(Self.incr, announced: nil), .propertyChanged)
    #expect(send(.read(text(0), announced: nil)) == [.ended(.complete(text(0)))])
  }

  @Test mutating func `INCR that ends with fewer bytes than were announced is no content`() {
    _ = send(.begin, .answered(hasData: true), .read(Self.incr, announced: 1000), .propertyChanged)
    #expect(send(.read(text(3), announced: nil)) == [.progressed(received: 3, expected: 1000)])
    _ = send(.propertyChanged)
    #expect(send(.read(text(0), announced: nil)) == [.ended(.failed(.truncated(received: 3, announced: 1000)))])
  }

  @Test mutating func `an owner that cannot go on ends the transfer, at any time`() {
    #expect(send(.begin, .ownerFailed) == [.ended(.failed(.noData))])
    var transfer = IncomingTransfer(limits: .init())
    transfer.send(.begin, .answered(hasData: true), .read(Self.incr, announced: 9))
    #expect(transfer.send(.ownerFailed) == [.ended(.failed(.noData))])
    #expect(transfer.send(.propertyChanged) == [])
  }

  @Test mutating func `INCR that ends with exactly what was announced is whole`() {
    _ = send(.begin, .answered(hasData: true), .read(Self.incr, announced: 3), .propertyChanged)
    _ = send(.read(text(3), announced: nil), .propertyChanged)
    #expect(send(.read(text(0), announced: nil)) == [.ended(.complete(text(3)))])
  }

  @Test mutating func `a part that arrives while one is being read is read next`() {
    _ = send(.begin, .answered(hasData: true), .read(Self.incr, announced: nil), .propertyChanged)
    #expect(send(.propertyChanged) == [])
    #expect(send(.read(text(4), announced: nil)) == [.progressed(received: 4, expected: nil), .readProperty(from: 0)])
    #expect(send(.read(nil, announced: nil)) == [])
    #expect(send(.propertyChanged) == [.readProperty(from: 0)])
  }

  @Test mutating func `a first part that arrives while the announcement is being read is read next`() {
    _ = send(.begin, .answered(hasData: true))
    #expect(send(.propertyChanged) == [])
    #expect(
      send(.read(Self.incr, announced: nil)) == [.progressed(received: 0, expected: nil), .readProperty(from: 0)])
    #expect(send(.read(text(3), announced: nil)) == [.progressed(received: 3, expected: nil)])
  }

  @Test mutating func `a change with nothing to read is waited over`() {
    _ = send(.begin, .answered(hasData: true), .read(Self.incr, announced: nil), .propertyChanged)
    #expect(send(.read(nil, announced: nil)) == [])
    #expect(send(.propertyChanged) == [.readProperty(from: 0)])
  }

  // MARK: What was asked for

  /// What becomes of one property of a type, or of the same by INCR, when `target` was asked for.
  private static func results(
    of target: ContentType, in header: PropertyHeader
  ) -> (whole: IncomingTransfer.Effect?, parts: IncomingTransfer.Effect?) {
    let end = PropertyHeader(type: header.type, format: header.format, byteCount: 0)
    func run(_ inputs: [Input]) -> IncomingTransfer.Effect? {
      var transfer = IncomingTransfer(limits: .init(), target: target)
      return ([.begin, .answered(hasData: true)] + inputs).flatMap { transfer.receive($0, at: .zero) }.last
    }
    let parts: [Input] = [.read(incr, announced: nil), .propertyChanged, .read(header, announced: nil)]
    let rest: [Input] = header.byteCount > 0 ? [.propertyChanged, .read(end, announced: nil)] : []
    return (run([.read(header, announced: nil)]), run(parts + rest))
  }

  @Test(arguments: ["text/plain", "UTF8_STRING", "text/uri-list", "image/png", "application/x-color"] as [ContentType])
  func `numbers and atoms are not the content that was asked for`(target: ContentType) {
    for name in ["INTEGER", "ATOM", "WINDOW", "CARDINAL", "NULL"] {
      let header = PropertyHeader(type: AtomName(rawValue: name), format: 32, byteCount: 4)
      let failure = IncomingTransfer.Effect.ended(.failed(.mislabelled(header.type, format: 32)))
      let results = Self.results(of: target, in: header)
      #expect(results.whole == failure)
      #expect(results.parts == failure)
      var transfer = IncomingTransfer(limits: .init(), target: target)
      transfer.send(.begin, .answered(hasData: true))
      #expect(!transfer.wants(header))
    }
  }

  @Test func `the labels that owners give to their content are taken, and those of other targets`() {
    let cases: [(ContentType, String, Int)] = [
      ("text/uri-list", "UTF8_STRING", 8), ("text/plain", "text/plain;charset=utf-8", 8), ("TEXT", "COMPOUND_TEXT", 8),
      ("text/plain;charset=utf-16", "text/plain;charset=utf-16", 16), ("text/unicode", "text/unicode", 16),
      ("text/html", "text/html", 32), ("application/x-color", "application/x-color", 16), ("image/png", "x/y", 8),
      ("TARGETS", "ATOM", 32), ("TIMESTAMP", "INTEGER", 32), ("_MY_OWN", "INTEGER", 32),
    ]
    for (target, label, format) in cases {
      let header = PropertyHeader(type: AtomName(rawValue: label), format: format, byteCount: 8)
      let results = Self.results(of: target, in: header)
      #expect(results.whole == .ended(.complete(header)))
      #expect(results.parts == .ended(.complete(header)))
    }
  }

  @Test(arguments: [16, 32])
  func `text in units of more than a byte is not the content that was asked for`(format: Int) {
    let targets: [ContentType] = [
      "text/plain", "UTF8_STRING", "STRING", "TEXT", "text/uri-list", "text/plain;charset=utf-8",
    ]
    for target in targets {
      let header = PropertyHeader(type: target.atomName, format: format, byteCount: 8)
      let failure = IncomingTransfer.Effect.ended(.failed(.mislabelled(header.type, format: format)))
      let results = Self.results(of: target, in: header)
      #expect(results.whole == failure)
      #expect(results.parts == failure)
    }
  }

  @Test(arguments: [("text/plain", 32), ("STRING", 8), ("image/png", 8)])
  func `a part of another type or format than the first one is no part of the content`(type: String, format: Int) {
    for target in ["text/plain", nil] as [ContentType?] {
      var transfer = IncomingTransfer(limits: .init(), target: target)
      transfer.send(
        .begin, .answered(hasData: true), .read(Self.incr, announced: nil), .propertyChanged,
        .read(PropertyHeader(type: AtomName("text/plain"), format: 8, byteCount: 4), announced: nil), .propertyChanged)
      let part = PropertyHeader(type: AtomName(rawValue: type), format: format, byteCount: 4)
      #expect(!transfer.wants(part))
      #expect(
        transfer.receive(.read(part, announced: nil), at: .zero) == [
          .deleteProperty, .ended(.failed(.mislabelled(part.type, format: format))),
        ])
    }
  }

  @Test func `the empty part that ends the content may be of any type and format`() {
    var transfer = IncomingTransfer(limits: .init(), target: "text/plain")
    let part = PropertyHeader(type: AtomName("text/plain"), format: 8, byteCount: 4)
    transfer.send(
      .begin, .answered(hasData: true), .read(Self.incr, announced: nil), .propertyChanged,
      .read(part, announced: nil), .propertyChanged)
    let end = PropertyHeader(type: .atom, format: 32, byteCount: 0)
    #expect(transfer.receive(.read(end, announced: nil), at: .zero) == [.ended(.complete(part))])
  }

  @Test func `no bytes are a text, and no list of files and no picture`() {
    let cases: [(ContentType, Bool)] = [
      ("text/plain", true), ("UTF8_STRING", true), ("text/html", true), ("application/octet-stream", true),
      ("application/x-unknown", true), ("text/uri-list", false), ("text/uri-list;charset=utf-8", false),
      ("image/png", false), ("application/x-color", false), ("text/x-moz-url", false),
    ]
    for (target, isContent) in cases {
      let header = PropertyHeader(type: target.atomName, format: 8, byteCount: 0)
      let expected: IncomingTransfer.Result = isContent ? .complete(header) : .failed(.noData)
      let results = Self.results(of: target, in: header)
      #expect(results.whole == .ended(expected))
      #expect(results.parts == .ended(expected))
    }
  }

  // MARK: Limits

  @Test mutating func `content that is too large is refused in one property, as announced, and as it comes`() {
    var whole = transfer
    whole.send(.begin, .answered(hasData: true))
    var announced = whole
    var parts = whole
    #expect(whole.send(.read(text(1001), announced: nil)) == [.ended(.failed(.tooLarge(limit: 1000)))])
    #expect(announced.send(.read(Self.incr, announced: 1001)) == [.ended(.failed(.tooLarge(limit: 1000)))])
    parts.send(.read(Self.incr, announced: 1))
    for _ in 0..<2 {
      parts.send(.propertyChanged, .read(text(500), announced: nil))
    }
    parts.send(.propertyChanged)
    #expect(parts.send(.read(text(1), announced: nil)).last == .ended(.failed(.tooLarge(limit: 1000))))
  }

  @Test func `the unread rest of a property is deleted when the transfer fails, and one that was read whole is gone`() {
    for left in 0...1 {
      let deletion: [IncomingTransfer.Effect] = left > 0 ? [.deleteProperty] : []
      var large = transfer
      large.send(.begin, .answered(hasData: true))
      var replaced = large
      #expect(
        large.send(.read(text(1001), left: left, announced: nil)) == deletion + [
          .ended(.failed(.tooLarge(limit: 1000)))
        ])
      // The owner has changed it between two reads.
      replaced.send(.read(text(10), left: 5, announced: nil))
      #expect(replaced.send(.read(text(11), left: left, announced: nil)) == deletion + [.ended(.failed(.noData))])
      var mislabelled = IncomingTransfer(limits: .init(), target: "text/plain")
      mislabelled.send(.begin, .answered(hasData: true))
      let atoms = PropertyHeader(type: AtomName("ATOM"), format: 32, byteCount: 8)
      let failure = IncomingTransfer.Effect.ended(.failed(.mislabelled(atoms.type, format: 32)))
      #expect(mislabelled.send(.read(atoms, left: left, announced: nil)) == deletion + [failure])
    }
  }

  @Test mutating func `exactly the limit is not too much`() {
    #expect(
      send(.begin, .answered(hasData: true), .read(text(1000), announced: nil)).last == .ended(.complete(text(1000))))
  }

  @Test mutating func `an owner that does not answer times out`() {
    _ = send(.begin)
    #expect(send(.deadlineReached, at: .zero + .milliseconds(9999)) == [])
    #expect(send(.deadlineReached, at: .zero + .seconds(10)) == [.deleteProperty, .ended(.failed(.timedOut))])
    #expect(transfer.nextDeadline == nil)
  }

  @Test mutating func `each part has its own time`() {
    _ = send(.begin, .answered(hasData: true), .read(Self.incr, announced: nil))
    for second in [9, 18, 27] {
      let now = LoopTime.zero + .seconds(second)
      #expect(send(.propertyChanged, at: now) == [.readProperty(from: 0)])
      #expect(transfer.nextDeadline == nil)
      _ = send(.read(text(1), announced: nil), at: now)
      #expect(transfer.nextDeadline == now + .seconds(10))
    }
    #expect(send(.deadlineReached, at: .zero + .seconds(37)) == [.deleteProperty, .ended(.failed(.timedOut))])
  }

  @Test mutating func `one byte every few seconds is too little after a minute`() {
    transfer = IncomingTransfer(limits: .init(stall: .seconds(10), byteCount: 1 << 20))
    _ = send(.begin, .answered(hasData: true), .read(Self.incr, announced: nil))
    for second in stride(from: 9, to: 60, by: 9) {
      let now = LoopTime.zero + .seconds(second)
      _ = send(.propertyChanged, at: now)
      _ = send(.read(text(1), announced: nil), at: now)
    }
    #expect(transfer.nextDeadline == .zero + .seconds(60))
    #expect(send(.deadlineReached, at: .zero + .seconds(59)) == [])
    #expect(send(.deadlineReached, at: .zero + .seconds(60)) == [.deleteProperty, .ended(.failed(.tooSlow))])
  }

  @Test mutating func `a steady pace has an hour, and no more, also if a part is always there`() {
    let limits = IncomingTransfer.Limits(stall: .seconds(10), byteCount: 1 << 30)
    transfer = IncomingTransfer(limits: limits)
    _ = send(.begin, .answered(hasData: true), .read(Self.incr, announced: nil))
    var now = LoopTime.zero
    var last: [IncomingTransfer.Effect] = []
    while !transfer.isEnded, now < .zero + .seconds(7200) {
      now = now + .seconds(5)
      _ = send(.propertyChanged, at: now)
      last = send(.read(text(limits.minimumPace), announced: nil), at: now)
    }
    // With `.zero` alone the sum is a `Duration`, and the two are compared as `AnyHashable`, which are never equal.
    #expect(now == LoopTime.zero + limits.duration)
    #expect(last.suffix(2) == [.deleteProperty, .ended(.failed(.tooSlow))])
  }

  @Test mutating func `the bounds in time can be lifted`() {
    transfer = IncomingTransfer(
      limits: .init(stall: .seconds(10), byteCount: 1 << 20, minimumPace: 0, duration: .seconds(1 << 30)))
    _ = send(.begin, .answered(hasData: true), .read(Self.incr, announced: nil))
    for second in stride(from: 9, to: 100_000, by: 9) {
      let now = LoopTime.zero + .seconds(second)
      _ = send(.propertyChanged, at: now)
      _ = send(.read(text(1), announced: nil), at: now)
      #expect(transfer.nextDeadline == now + .seconds(10))
    }
  }

  @Test mutating func `a trickle can be cancelled at any moment`() {
    _ = send(.begin, .answered(hasData: true), .read(Self.incr, announced: nil), .propertyChanged)
    _ = send(.read(text(1), announced: nil))
    #expect(send(.cancel) == [.deleteProperty, .ended(.failed(.cancelled))])
  }

  // MARK: Ends

  /// The ways into states in which no page is under way, and those into `reading`.
  private static let ways: (others: [[Input]], reading: [[Input]]) = (
    [[], [.begin], [.begin, .answered(hasData: true), .read(incr, announced: nil)]],
    [
      [.begin, .answered(hasData: true)],
      [.begin, .answered(hasData: true), .read(incr, announced: nil), .propertyChanged],
    ]
  )

  @Test func `a sink that is full, second thoughts, and a requestor that is gone end every state once`() {
    let ends: [(Input, [IncomingTransfer.Effect])] = [
      (.sinkFailed, [.deleteProperty, .ended(.failed(.sinkFailed))]),
      (.cancel, [.deleteProperty, .ended(.failed(.cancelled))]),
      (.requestorVanished, [.ended(.failed(.ownerVanished))]),
    ]
    for way in Self.ways.others + Self.ways.reading {
      for (input, effects) in ends {
        var transfer = transfer
        transfer.send(way)
        #expect(transfer.send(.deadlineReached) == [])
        #expect(transfer.send(input) == effects)
        #expect(transfer.send(input) == [])
        #expect(transfer.nextDeadline == nil)
      }
    }
  }

  @Test func `the owner's death ends every state once in which nothing is read`() {
    for way in Self.ways.others {
      var transfer = transfer
      transfer.send(way)
      #expect(transfer.send(.ownerVanished) == [.deleteProperty, .ended(.failed(.ownerVanished))])
      #expect(transfer.send(.ownerVanished) == [])
      #expect(!transfer.hasLostOwner)
    }
  }

  // MARK: Withdrawal

  @Test mutating func `a refusal by an owner that has withdrawn is a cancellation`() {
    #expect(send(.begin) == [.convert] && send(.ownerWithdrew) == [])
    #expect(send(.answered(hasData: false)) == [.ended(.failed(.withdrawn))])
  }

  @Test mutating func `a conversion that begins after the withdrawal ends likewise`() {
    #expect(send(.ownerWithdrew, .begin) == [.convert])
    #expect(send(.answered(hasData: false)) == [.ended(.failed(.withdrawn))])
  }

  @Test func `an owner that withdraws and falls silent has cancelled, which is seen soon`() {
    for way in [[Input.begin], [.begin, .answered(hasData: true), .read(Self.incr, announced: nil)]] {
      var transfer = transfer
      transfer.send(way)
      let end = LoopTime.zero + .seconds(5)
      transfer.send(.ownerWithdrew)
      #expect(transfer.nextDeadline == end)
      #expect(transfer.receive(.deadlineReached, at: end) == [.deleteProperty, .ended(.failed(.withdrawn))])
    }
  }

  @Test mutating func `an owner that withdraws may still complete what it has begun`() {
    _ = send(.begin, .answered(hasData: true), .read(Self.incr, announced: nil))
    #expect(send(.ownerWithdrew, .propertyChanged) == [.readProperty(from: 0)])
    _ = send(.read(text(5), announced: nil))
    #expect(send(.propertyChanged, at: .zero + .seconds(2)) == [.readProperty(from: 0)])
    #expect(send(.read(text(0), announced: nil)) == [.ended(.complete(text(5)))])
  }

  // MARK: While a page is under way

  @Test func `what an owner has written before its death is read to its end`() {
    for way in Self.ways.reading {
      var transfer = transfer
      transfer.send(way)
      #expect(transfer.isReading)
      #expect(transfer.send(.ownerVanished) == [])
      #expect(transfer.send(.ownerVanished) == [])
      #expect(transfer.isReading && transfer.hasLostOwner)
      #expect(transfer.nextDeadline == nil)
      #expect(
        transfer.send(.read(text(9), left: 4, announced: nil)).last == .readProperty(from: 5))
    }
    #expect(
      effects(of: .read(text(9), announced: nil), after: Self.ways.reading[0]) == [
        .progressed(received: 9, expected: 9), .ended(.complete(text(9))),
      ])
    #expect(effects(of: .read(text(0), announced: nil), after: Self.ways.reading[1]) == [.ended(.complete(text(0)))])
  }

  /// The effects of a page that was under way when the owner vanished.
  private func effects(of page: Input, after way: [Input]) -> [IncomingTransfer.Effect] {
    var transfer = transfer
    transfer.send(way + [.ownerVanished])
    return transfer.send(page)
  }

  @Test func `a dead owner is not waited for, neither for the first part nor for another one`() {
    let end: [IncomingTransfer.Effect] = [.deleteProperty, .ended(.failed(.ownerVanished))]
    #expect(
      effects(of: .read(Self.incr, announced: 7), after: Self.ways.reading[0]) == [
        .progressed(received: 0, expected: 7)
      ] + end)
    #expect(
      effects(of: .read(text(4), announced: nil), after: Self.ways.reading[1]) == [
        .progressed(received: 4, expected: nil)
      ] + end)
    #expect(effects(of: .read(nil, announced: nil), after: Self.ways.reading[1]) == end)
  }

  @Test mutating func `a part that arrived before the owner's death is read, and if it is the empty one, all is there`()
  {
    _ = send(.begin, .answered(hasData: true), .read(Self.incr, announced: 4), .propertyChanged)
    #expect(send(.propertyChanged, .ownerVanished) == [])
    #expect(send(.read(text(4), announced: nil)) == [.progressed(received: 4, expected: 4), .readProperty(from: 0)])
    #expect(send(.read(text(0), announced: nil)) == [.ended(.complete(text(4)))])
  }

  @Test mutating func `a paused transfer does not outlive its owner`() {
    _ = send(.begin, .answered(hasData: true), .ownerVanished, .pause)
    #expect(
      send(.read(text(9), left: 4, announced: nil)) == [
        .progressed(received: 5, expected: 9), .deleteProperty, .ended(.failed(.ownerVanished)),
      ])
  }

  @Test mutating func `a pause that is over before the page is there changes nothing`() {
    _ = send(.begin, .answered(hasData: true))
    #expect(send(.pause) == [])
    #expect(send(.resume) == [])
    #expect(
      send(.read(text(9), left: 4, announced: nil)) == [
        .progressed(received: 5, expected: 9), .readProperty(from: 5),
      ])
  }

  @Test mutating func `no page is awaited after the end`() {
    _ = send(.begin, .answered(hasData: true))
    #expect(send(.cancel).last == .ended(.failed(.cancelled)))
    #expect(!transfer.isReading && !transfer.wants(text(9)))
    #expect(send(.read(text(9), announced: nil)) == [])
  }
}
