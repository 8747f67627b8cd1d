import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// Twenty transfers at once, from every kind of provider.
@Suite("Twenty transfers at once", .computing)
struct ManyTransfersTests {
  static let whole = 64 << 10
  static let part = 8 << 10
  /// Nothing, one byte, the border and beyond it, whole parts and some more.
  static let sizes =
    [0, 1, 2, whole - 1, whole, whole + 1, whole + part, whole + part + 1, 2 * whole, 9 * part, 20 * part + 1]
    + [3 << 20, 1 << 20, 100, 12_345, 234_567, part, part + 1, 500_000, 700_001]

  /// Has something only each other time, and never more than a thousand bytes.
  private final class HaltingReader: ContentReader {
    let byteCount: Int?
    let propertyType: AtomName? = nil
    private var rest: ArraySlice<UInt8>
    private var isReady = false
    private let longest: Int

    init(_ bytes: [UInt8], knowsLength: Bool) {
      rest = bytes[...]
      byteCount = knowsLength ? bytes.count : nil
      longest = max(1000, bytes.count / 50)
    }

    func read(upTo count: Int) -> ContentPart {
      isReady.toggle()
      guard isReady else { return .pending }
      let part = rest.prefix(min(count, longest))
      rest = rest.dropFirst(part.count)
      return .bytes(part)
    }
  }

  /// Fetches several properties side by side.
  private final class Fetcher: SimulatedPeer {
    private var contents: [AtomName: TransferredContent] = [:]

    var received: [AtomName: [UInt8]] { contents.compactMapValues(\.value) }
    var complete: Set<AtomName> { Set(contents.filter(\.value.isComplete).keys) }

    init(_ pair: DragPair) { super.init(pair.simulation, frame: Rect(x: 600, y: 600, width: 10, height: 10)) }

    func fetch(_ type: AtomName, at time: Timestamp) {
      client.watch(window, for: .properties)
      client.convert(.xdndSelection, to: type, property: type, requestor: window, time: time)
    }

    override func handle(_ event: ServerEvent) {
      switch event {
      case .selectionNotify(let notify): if let property = notify.property { take(property) }
      case .propertyChanged(let property, _): if contents[property]?.awaitsPart == true { take(property) }
      default: break
      }
    }

    private func take(_ property: AtomName) {
      contents[property, default: TransferredContent()].take(property, of: window, by: client)
    }
  }

  @Test(arguments: [1, 20])
  func `twenty transfers are all exact, to one requestor or to twenty, while a new drag begins`(requestors count: Int) {
    var timing = Reactor.Timing()
    timing.outgoing.wholeProperty = Self.whole
    timing.outgoing.part = Self.part
    let pair = DragPair(timing: timing)
    let types = Self.sizes.indices.map { AtomName(rawValue: "x/\($0)") }
    let contents = (0..<2).map { drag in Self.sizes.map { TestContent.bytes($0, seed: drag * 100 + $0) } }
    pair.source.intercept = { [unowned pair] in
      guard case .offer(let drag, .contentNeeded(let transfer, let type, _)) = $0 else { return false }
      let index = types.firstIndex(of: type) ?? 0
      let bytes = contents[drag.rawValue - 1][index]
      let reader: any ContentReader =
        switch index % 3 {
        case 0: TestReader(bytes, knowsLength: index.isMultiple(of: 2))
        default: HaltingReader(bytes, knowsLength: index % 3 == 1)
        }
      pair.after(.milliseconds(index % 5)) { [unowned pair] in pair.source.reactor.provide(transfer, reader) }
      return true
    }
    /// Content that arrives wakes the program.
    func wakeUps() {
      guard pair.source.reactor.offers.isBusy else { return }
      if pair.source.reactor.offers.deliveries.contains(where: { $0.pending != nil }) { pair.source.reactor.process() }
      pair.after(.milliseconds(1)) { wakeUps() }
    }
    var fetchers: [[Fetcher]] = []
    for _ in 0..<2 {
      pair.begin(types)
      let acquired = pair.server.time
      fetchers.append((0..<count).map { _ in Fetcher(pair) })
      for (index, type) in types.enumerated() { fetchers.last?[index % count].fetch(type, at: acquired) }
      pair.run(.milliseconds(20))
      wakeUps()
      pair.run(.milliseconds(30))
      #expect(pair.source.reactor.offers.deliveries.compactMap(\.reader).count > 5, "Something should be under way.")
      pair.letGo(for: .milliseconds(5))
    }
    pair.drive()
    for (contents, fetchers) in zip(contents, fetchers) {
      for (index, type) in types.enumerated() {
        let fetcher = fetchers[index % count]
        #expect(fetcher.complete.contains(type), "\(type)")
        #expect(TestContent.isEqual(fetcher.received[type] ?? [], contents[index]), "\(type)")
      }
    }
    pair.expectClean()
  }

  @Test func `a requestor that asks for more while it waits gets each content once`() {
    let pair = DragPair()
    let types = (0..<4).map { AtomName(rawValue: "x/\($0)") }
    var asked: [AtomName] = []
    pair.source.intercept = { [unowned pair] in
      guard case .offer(_, .contentNeeded(let transfer, let type, _)) = $0 else { return false }
      asked.append(type)
      let reader = TestReader(DragPair.text)
      pair.after(.milliseconds(100)) { [unowned pair] in pair.source.reactor.provide(transfer, reader) }
      return true
    }
    pair.begin(types)
    let fetcher = Fetcher(pair)
    for type in types {
      fetcher.fetch(type, at: pair.server.time)
      pair.run(.milliseconds(20))
    }
    #expect(asked == types)
    pair.run(.milliseconds(200))
    #expect(asked == types)
    #expect(fetcher.received == Dictionary(uniqueKeysWithValues: types.map { ($0, DragPair.text) }))
    pair.letGo(for: .milliseconds(5))
    pair.drive()
    pair.expectClean()
  }

  @Test func `a provider that fails, one that is silent and one whose requestor dies hold up no other`() {
    final class FailingReader: ContentReader {
      let byteCount: Int? = nil
      let propertyType: AtomName? = nil
      func read(upTo count: Int) -> ContentPart { .failed }
    }
    final class SilentReader: ContentReader {
      let byteCount: Int? = nil
      let propertyType: AtomName? = nil
      func read(upTo count: Int) -> ContentPart { .pending }
    }
    let pair = DragPair()
    let types: [AtomName] = ["x/failing", "x/silent", "x/mute", "x/good"].map { AtomName(rawValue: $0) }
    pair.source.intercept = {
      guard case .offer(_, .contentNeeded(let transfer, let type, _)) = $0 else { return false }
      switch type {
      case types[0]: pair.source.reactor.provide(transfer, FailingReader())
      case types[1]: pair.source.reactor.provide(transfer, SilentReader())
      case types[2]: break
      default: pair.source.reactor.provide(transfer, TestReader(DragPair.text))
      }
      return true
    }
    pair.begin(types)
    let (fetcher, mortal) = (Fetcher(pair), Fetcher(pair))
    for type in types { fetcher.fetch(type, at: pair.server.time) }
    mortal.fetch(types[1], at: pair.server.time)
    pair.run(.milliseconds(10))
    #expect(fetcher.received == [types[3]: DragPair.text])
    #expect(pair.source.reactor.offers.deliveries.compactMap(\.reader).count == 2)
    pair.server.kill(mortal.client)
    pair.run(.milliseconds(10))
    #expect(pair.source.reactor.offers.deliveries.compactMap(\.reader).count == 1)
    pair.run(.seconds(31))
    #expect(pair.source.reactor.offers.deliveries.isEmpty)
    #expect(!pair.server.conversions.contains { $0.request.requestor == fetcher.window })
    pair.server.release(.primary)
    pair.endClean()
  }
}
