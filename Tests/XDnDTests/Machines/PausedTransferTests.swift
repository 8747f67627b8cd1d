import Testing

@testable import XDnD

/// Pages of long properties, and readers that want no more for now.
@Suite struct PausedTransferTests {
  typealias Input = IncomingTransfer.Input

  static let incr = IncomingTransferTests.incr

  var transfer = IncomingTransfer(limits: .init(stall: .seconds(10), byteCount: 1000))

  func text(_ count: Int) -> PropertyHeader { PropertyHeader(type: .utf8String, format: 8, byteCount: count) }

  mutating func send(_ inputs: Input..., at now: LoopTime = .zero) -> [IncomingTransfer.Effect] {
    transfer.send(inputs, at: now)
  }

  // MARK: Pages

  @Test mutating func `a long property is read page by page`() {
    _ = send(.begin, .answered(hasData: true))
    #expect(
      send(.read(text(900), left: 500, announced: nil)) == [
        .progressed(received: 400, expected: 900), .readProperty(from: 400),
      ])
    #expect(
      send(.read(text(900), left: 100, announced: nil)) == [
        .progressed(received: 800, expected: 900), .readProperty(from: 800),
      ])
    #expect(
      send(.read(text(900), announced: nil)) == [
        .progressed(received: 900, expected: 900), .ended(.complete(text(900))),
      ])
  }

  @Test mutating func `a long part of INCR is read page by page`() {
    _ = send(.begin, .answered(hasData: true), .read(Self.incr, announced: 300), .propertyChanged)
    #expect(
      send(.read(text(300), left: 100, announced: nil)) == [
        .progressed(received: 200, expected: 300), .readProperty(from: 200),
      ])
    #expect(send(.propertyChanged) == [])
    #expect(
      send(.read(text(300), announced: nil)) == [
        .progressed(received: 300, expected: 300), .readProperty(from: 0),
      ])
    #expect(send(.read(text(0), announced: nil)) == [.ended(.complete(text(300)))])
  }

  @Test func `pages that do not belong together are no content`() {
    for (isIncremental, second) in [(true, text(901)), (false, text(901)), (true, nil), (false, nil)] {
      var transfer = transfer
      var inputs: [Input] = [.begin, .answered(hasData: true)]
      if isIncremental { inputs += [.read(Self.incr, announced: nil), .propertyChanged] }
      transfer.send(inputs)
      transfer.send(.read(text(900), left: 500, announced: nil))
      #expect(second.map { transfer.wants($0) } != true)
      let effects = transfer.send(.read(second, left: second == nil ? 0 : 1, announced: nil))
      #expect(effects == (second == nil ? [] : [.deleteProperty]) + [.ended(.failed(.noData))])
    }
  }

  @Test mutating func `of a property that is too large no page is wanted, and it is removed`() {
    _ = send(.begin, .answered(hasData: true))
    #expect(transfer.wants(text(1000)))
    #expect(!transfer.wants(text(1001)))
    #expect(
      send(.read(text(1001), left: 700, announced: nil)) == [.deleteProperty, .ended(.failed(.tooLarge(limit: 1000)))])
  }

  @Test mutating func `only the first property can announce INCR`() {
    _ = send(.begin, .answered(hasData: true))
    #expect(!transfer.wants(Self.incr))
    _ = send(.read(Self.incr, announced: nil), .propertyChanged)
    #expect(transfer.wants(Self.incr))
    #expect(send(.read(Self.incr, announced: nil)) == [.progressed(received: 4, expected: nil)])
  }

  @Test func `what cannot be said in 32 bits is not known`() {
    for (bytes, expected) in [([255, 255, 255, 255], nil), ([0, 255, 255, 255], 0xFFFF_FF00)] as [([UInt8], Int?)] {
      let page = ContentPage(header: Self.incr, bytes: PropertyBytes(bytes), left: 0)
      #expect(page.announcedByteCount == expected)
      var transfer = IncomingTransfer(limits: .init(byteCount: .max))
      transfer.send(.begin, .answered(hasData: true))
      let effects = transfer.send(.read(page.header, announced: page.announcedByteCount))
      #expect(effects == [.progressed(received: 0, expected: expected)])
    }
  }

  // MARK: Pauses

  @Test mutating func `a part that comes during a pause is read when it is over, and not before`() {
    _ = send(.begin, .answered(hasData: true), .read(Self.incr, announced: nil), .propertyChanged)
    _ = send(.pause, .read(text(4), announced: nil))
    #expect(send(.propertyChanged) == [])
    #expect(send(.propertyChanged) == [])
    #expect(send(.resume) == [.readProperty(from: 0)])
    #expect(send(.resume) == [])
    #expect(send(.read(text(4), announced: nil)) == [.progressed(received: 8, expected: nil)])
  }

  @Test mutating func `a pause between two pages, and before the first`() {
    _ = send(.pause, .begin)
    #expect(send(.answered(hasData: true)) == [])
    #expect(send(.resume) == [.readProperty(from: 0)])
    #expect(send(.pause) == [])
    #expect(send(.read(text(900), left: 500, announced: nil)) == [.progressed(received: 400, expected: 900)])
    #expect(transfer.nextDeadline == nil)
    #expect(send(.resume, at: .zero + .seconds(3600)) == [.readProperty(from: 400)])
  }

  @Test mutating func `the last page ends it, paused or not`() {
    _ = send(.begin, .answered(hasData: true), .pause)
    #expect(send(.read(text(5), announced: nil)).last == .ended(.complete(text(5))))
    #expect(send(.resume) == [])
  }

  @Test mutating func `while a part waits for us no deadline runs, while we wait for one it does`() {
    _ = send(.begin, .answered(hasData: true), .read(Self.incr, announced: nil), .pause)
    #expect(transfer.nextDeadline == .zero + .seconds(10))
    #expect(send(.propertyChanged, at: .zero + .seconds(9)) == [])
    #expect(transfer.nextDeadline == nil)
    #expect(send(.deadlineReached, at: .zero + .seconds(3600)) == [])
    #expect(send(.resume, at: .zero + .seconds(3600)) == [.readProperty(from: 0)])
    _ = send(.read(text(1), announced: nil), at: .zero + .seconds(3600))
    #expect(transfer.nextDeadline == .zero + .seconds(3610))
    #expect(
      send(.pause, .deadlineReached, at: .zero + .seconds(3610)) == [.deleteProperty, .ended(.failed(.timedOut))])
  }

  @Test mutating func `the time that we hold a transfer up is not the owner's`() {
    _ = send(.begin, .answered(hasData: true), .read(Self.incr, announced: nil), .pause)
    _ = send(.propertyChanged, at: .zero + .seconds(5))
    let end = LoopTime.zero + .seconds(7200)
    #expect(send(.resume, at: end) == [.readProperty(from: 0)])
    #expect(send(.read(text(1), announced: nil), at: end) == [.progressed(received: 1, expected: nil)])
    #expect(transfer.nextDeadline == end + .seconds(10))
    #expect(!transfer.isEnded)
  }

  @Test func `a paused transfer ends like any other`() {
    let ends: [(Input, TransferFailure)] = [
      (.ownerVanished, .ownerVanished), (.sinkFailed, .sinkFailed), (.cancel, .cancelled),
    ]
    for (input, failure) in ends {
      var transfer = transfer
      let way: [Input] = [
        .begin, .answered(hasData: true), .read(Self.incr, announced: nil), .pause, .propertyChanged,
      ]
      transfer.send(way)
      #expect(transfer.send(input) == [.deleteProperty, .ended(.failed(failure))])
      #expect(transfer.send(.resume) == [])
    }
  }
}
