import TestSupport
import Testing

@testable import XDnD

/// A drag of thousands of items costs as much as its items, and no more.
@Suite("The cost of many items", .computing)
struct ManyItemsTests {
  private func expectLinear(
    _ size: Int, _ location: SourceLocation = #_sourceLocation, _ work: (Int) -> () -> Void
  ) {
    let ratio = WorkGrowth.ratio(work(size), work(WorkGrowth.factor * size))
    #expect(ratio < WorkGrowth.limit, sourceLocation: location)
  }

  @Test func `contents are joined in one pass`() {
    expectLinear(400) { count in
      {
        let readers = (0..<count).map { BytesReader(Array("file:///a/rather/long/path/of/\($0)\r\n".utf8)) }
        let reader = JoinedReader(readers, separator: [0x0A])
        while case .bytes(let part) = reader.read(upTo: 256 << 10), !part.isEmpty {}
      }
    }
  }

  @Test func `items that have different types are merged in one pass`() {
    expectLinear(100) { count in
      let items = (0..<count).map { number in
        var item = DragItem(files: ["/\(number)"])
        for form in 0..<5 { item.promise(ContentType("a/\(number).\(form)"), bytes: []) }
        return item
      }
      return { _ = DragItem(joining: items).types }
    }
  }

  @Test func `items that share many types are merged in one pass`() {
    expectLinear(50) { count in
      let items = (0..<count).map { number in
        var item = DragItem(files: ["/\(number)"])
        for form in 0..<20 { item.promise(ContentType("a/\(form)"), bytes: []) }
        return item
      }
      return { _ = DragItem(joining: items).types }
    }
  }

  @Test func `a load takes no more time if many others are observed`() {
    expectLinear(100) { count in
      {
        let log = LoadLog()
        log.open()
        log.onProgress = { _ in }
        let observers = (0..<count).map { LoadLogTests.Observer(of: $0) }
        for observer in observers { log.add(observer) }
        let loads = (0..<count).map { _ in LoadLogTests.Load() }
        for (item, load) in loads.enumerated() { load.begin(in: log, item) }
        for load in loads { load.receive(.progressed(received: 1, expected: 1)) }
        for load in loads {
          load.receive(.ended(nil))
          load.receive(.concluded)
        }
        log.end(nil)
        withExtendedLifetime(observers) {}
      }
    }
  }

  @Test func `the list of many files is made in one pass`() throws {
    let doorbell = try Doorbell()
    expectLinear(200) { count in
      let joined = DragItem(joining: (0..<count).map { DragItem(files: ["/tmp/\($0)"]) })
      return {
        var list: (any ContentReader)?
        joined.representations.first?.provide(
          DataRequest(type: .uriList, requestor: WindowID(rawValue: 1), doorbell: doorbell) { list = $0 })
        while case .bytes(let part)? = list?.read(upTo: 1 << 20), !part.isEmpty {}
      }
    }
  }
}
