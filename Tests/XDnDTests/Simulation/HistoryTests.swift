import Testing

@testable import XDnD
@testable import XDnDTesting

/// How long the data of earlier drags can still be asked for.
@Suite("The content of earlier drags")
struct HistoryTests {
  @Test func `earlier drags are served by their time while newer ones run`() {
    let pair = DragPair()
    offerNumbers(pair)
    let target = RawTarget(pair)
    target.onDrop = { _ in target.finish() }
    var times: [Timestamp] = []
    for _ in 0..<3 {
      drag(pair, to: RawTarget.inside)
      times.append(Timestamp(rawValue: pair.server.time.rawValue &- 1))
    }
    pair.begin()
    for (index, time) in times.enumerated() {
      target.convert(.utf8String, at: time)
      pair.run()
      #expect(target.received == [UInt8(index + 1)])
    }
    pair.source.reactor.perform { $0.drags[DragID(rawValue: 4)]?.receive(.cancel(.escape)) }
    pair.endClean()
  }

  @Test func `a drag that begins in the millisecond of the last drop leaves that its content`() throws {
    let pair = DragPair()
    offerNumbers(pair)
    let target = RawTarget(pair)
    var dropTime: Timestamp?
    target.onDrop = { dropTime = $0.time }
    let first = drag(pair, to: RawTarget.inside)
    let time = try #require(dropTime)
    let second = pair.begin(at: time)
    pair.run()
    target.convert(.utf8String, at: time)
    pair.run()
    #expect(target.received == [UInt8(first.rawValue)])
    // A request of another program is about the drag that is going on.
    let other = RawTarget(pair)
    other.finished = { nil }
    other.convert(.utf8String, at: time)
    pair.run()
    #expect(other.received == [UInt8(second.rawValue)])
    pair.source.reactor.perform { $0.drags[second]?.receive(.cancel(.escape)) }
    pair.drive()
  }

  @Test func `no more drags are kept than the limit says, and who began the others is told`() {
    let pair = DragPair()
    for _ in 0..<7 { drag(pair) }
    #expect(kept(pair) == [4, 5, 6, 7])
    #expect(pair.source.released.map(\.rawValue).sorted() == [1, 2, 3])
    pair.endClean()
  }

  @Test func `no more bytes are kept than the limit says, but the newest drag whatever it holds`() {
    let pair = DragPair(timing: timing { $0.byteCount = 100 })
    drag(pair, byteCount: 40)
    drag(pair, byteCount: 60)
    #expect(kept(pair) == [1, 2])
    drag(pair, byteCount: 1)
    #expect(kept(pair) == [2, 3])
    drag(pair, byteCount: 0)
    #expect(kept(pair) == [2, 3, 4])
    drag(pair, byteCount: .max)
    #expect(kept(pair) == [5])
    drag(pair, byteCount: .max)
    #expect(kept(pair) == [6])
  }

  @Test func `an earlier drag goes when its time has come, without anything happening, and the newest stays`() {
    let pair = DragPair(timing: timing { $0.duration = .seconds(60) })
    drag(pair)
    pair.run(.seconds(20))
    drag(pair)
    let reactor = pair.source.reactor
    #expect(kept(pair) == [1, 2])
    #expect(reactor.nextDeadline != nil)
    pair.run(.seconds(38))
    #expect(kept(pair) == [1, 2])
    pair.run(.seconds(2))
    #expect(kept(pair) == [2])
    #expect(reactor.nextDeadline == nil)
    pair.run(.seconds(100_000))
    #expect(kept(pair) == [2])
    drag(pair)
    #expect(kept(pair) == [3])
    #expect(pair.source.released.count == 2)
    pair.expectClean()
  }

  @Test func `a drag that somebody still fetches, or whose target has not finished, goes when that is over`() {
    let pair = DragPair(timing: timing { $0.count = 1 })
    let target = RawTarget(pair)
    target.onDrop = { _ in }
    drag(pair, to: RawTarget.inside)
    drag(pair)
    #expect(kept(pair) == [1, 2])
    pair.source.providesLater = true
    target.convert(.utf8String, at: Timestamp(rawValue: pair.server.time.rawValue &- 1900))
    pair.run()
    target.finish()
    pair.run()
    #expect(pair.source.outcomes.count == 2)
    #expect(kept(pair) == [1, 2])
    #expect(pair.source.released.isEmpty)
    pair.source.provide()
    pair.run()
    #expect(kept(pair) == [2])
    #expect(pair.source.released.map(\.rawValue) == [1])
    pair.drive()
  }

  @Test func `an earlier drag whose file is still written has no deadline, and goes when the file is written`() {
    let pair = DragPair(timing: timing { $0.duration = .seconds(60) })
    pair.source.save = { _ in nil }
    let target = RawTarget(pair)
    target.onDrop = { drop in
      let place = PropertyValue(type: .plainText, contents: .bytes(Array("file:///tmp/note.txt".utf8)[...]))
      target.client.write(place, to: .xdndDirectSave, of: drop.source)
      target.convert(.xdndDirectSave, at: drop.time)
    }
    let first = pair.begin([.xdndDirectSave], saving: "note.txt")
    pair.move(to: RawTarget.inside)
    // The target gets its answer after three seconds.
    pair.letGo(for: .seconds(5))
    let reactor = pair.source.reactor
    #expect(pair.source.outcomes[first] == .dropped(.copy))
    #expect(reactor.offers.isSavingDirectly)
    drag(pair)
    pair.run(.seconds(100))
    #expect(kept(pair) == [1, 2])
    #expect(reactor.nextDeadline.map { $0 > pair.now } ?? true)
    reactor.perform { $0.offers.receive(.saved(.saved), for: first) }
    #expect(kept(pair) == [2])
    pair.run()
    #expect(pair.source.released == [first])
  }

  @Test func `a drag whose selection is lost before its target has finished still hears of its end`() {
    let pair = DragPair()
    let target = RawTarget(pair)
    target.onDrop = { _ in }
    let first = drag(pair, to: RawTarget.inside)
    _ = RawSource(pair)
    pair.run()
    #expect(pair.source.released.isEmpty)
    target.finish()
    pair.run()
    #expect(pair.source.outcomes[first] == .dropped(.copy))
    #expect(pair.source.released == [first])
    pair.endClean()
  }

  @Test func `what is on a clipboard is none of it`() {
    let pair = DragPair(timing: timing { $0.count = 1 })
    let reactor = pair.source.reactor
    let copy = reactor.offers.nextID()
    let isOurs = reactor.perform { $0.offers.put(copy, types: [.utf8String], byteCount: 1 << 40, on: .clipboard) }
    #expect(isOurs)
    for _ in 0..<3 { drag(pair) }
    #expect(reactor.offers.selections == [.clipboard, .xdndSelection])
    pair.run(.seconds(10_000))
    #expect(reactor.offers.current(on: .clipboard)?.id == OfferID(rawValue: 1))
  }

  @Test func `the limits are those of the configuration`() {
    var configuration = Configuration()
    configuration.keptDragCount = 7
    configuration.keptDragBytes = 8
    configuration.keptDragDuration = .seconds(9)
    let history = configuration.timing(maximumWriteSize: 1 << 20).history
    #expect(history == OfferStore.History(count: 7, byteCount: 8, duration: .seconds(9)))
    #expect(Configuration().timing(maximumWriteSize: 1 << 20).history == OfferStore.History())
  }

  // MARK: -

  /// Makes each drag's content its number.
  private func offerNumbers(_ pair: DragPair) {
    pair.source.intercept = { [unowned pair] in
      guard case .offer(let drag, .contentNeeded(let transfer, _, _)) = $0 else { return false }
      pair.source.reactor.provide(transfer, BytesReader([UInt8(drag.rawValue)]))
      return true
    }
  }

  private func timing(_ change: (inout OfferStore.History) -> Void) -> Reactor.Timing {
    var timing = Reactor.Timing()
    change(&timing.history)
    return timing
  }

  private func kept(_ pair: DragPair) -> [Int] { pair.source.reactor.offers.ids.map(\.rawValue) }

  /// A whole drag, in one second.
  @discardableResult
  private func drag(_ pair: DragPair, byteCount: Int = 0, to point: Point = DragPair.inside) -> DragID {
    pair.server.movePointer(to: Point(x: 10, y: 10))
    pair.server.press(.primary)
    let drag = pair.begin(at: pair.server.time, byteCount: byteCount)
    pair.run()
    pair.move(to: point)
    pair.letGo(for: .milliseconds(800))
    return drag
  }
}
