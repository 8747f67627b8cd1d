import Glibc
import TestSupport
import Testing

@testable import XDnD

/// The same as ``ManyTransfersTests``, on a real server, with real files, pipes and tasks.
@Suite("Twenty transfers at once on a real server", .requiresXvfb, .serialized, .timeLimit(.minutes(5)))
struct ManyTransfersOnXTests {
  static let whole = Configuration().wholePropertySize
  static let part = Configuration().partSize
  static let sizes =
    [0, 1, 100, whole - 1, whole, whole + 1, whole + part, 4 * whole, 64 << 20, part, part + 1]
    + [12_345, 1 << 20, 5_000_001, 2, 777_777, 2 * part, 65_536, 65_537, 4 << 20]

  final class Outcomes: DragDelegate {
    var begun = 0
    var ended = 0
    var delivered = 0
    var failed = 0
    func dragBegan(_ drag: DragSession) { begun += 1 }
    func drag(_ drag: DragSession, ended outcome: DragOutcome) { ended += 1 }
    func drag(_ drag: DragSession, finishedSending type: ContentType, successfully: Bool) {
      if successfully { delivered += 1 } else { failed += 1 }
    }
  }

  /// The given content, from all kinds of providers.
  static func item(_ contents: [[UInt8]], in directory: String) throws -> DragItem {
    var item = DragItem()
    for (index, bytes) in contents.enumerated() {
      let type = ContentType("x/\(index)")
      switch index % 4 {
      case 0:
        let path = "\(directory)/\(index)-\(bytes.count)-\(bytes.first ?? 0)"
        try FileBytes.write(bytes, to: path)
        item.promise(type, contentsOfFile: path)
      case 1: item.promise(type) { $0.fulfill { bytes } }
      case 2: item.promise(type) { $0.fulfill(chunks: TestContent.stream(bytes, by: 100_000)) }
      default: item.promise(type, bytes: bytes)
      }
    }
    return item
  }

  @Test(arguments: [1, 20])
  func `twenty transfers are all exact, to one requestor or to twenty, while a new drag begins`(requestors count: Int)
    async throws
  {
    try await XServer.with { server in
      let pointer = try Pointer(server)
      let directory = try TemporaryDirectory("transfers")
      try await onOwnThread {
        let contents = (0..<2).map { drag in
          Self.sizes.map { TestContent.bytes(drag == 0 ? $0 : min($0, 1 << 20), seed: drag * 1000 + $0) }
        }
        let driver = try DragAndDrop(connectingTo: server.displayName, configuration: .patient)
        let fetchers = try (0..<count).map { _ in try XlibFetcher(server) }
        let outcomes = Outcomes()
        let deadline = ContinuousClock.now + Configuration.patience
        /// Runs everybody until something is so.
        func run(until isDone: () -> Bool) throws {
          while true {
            try driver.process()
            for fetcher in fetchers { fetcher.takeEvents() }
            if isDone() { return }
            try #require(ContinuousClock.now < deadline)
            var descriptors = ([driver.fileDescriptor] + fetchers.map(\.fileDescriptor)).map {
              pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let isUrgent = driver.nextDeadline.map { $0 <= .now } ?? false
            poll(&descriptors, nfds_t(descriptors.count), isUrgent ? 0 : 100)
          }
        }
        for (drag, contents) in contents.enumerated() {
          pointer.move(to: Point(x: 100, y: 100))
          pointer.press()
          driver.beginDrag(try Self.item(contents, in: directory.path), at: driver.serverTime, delegate: outcomes)
          try run { outcomes.begun == drag + 1 }
          let time = driver.serverTime
          for (index, bytes) in contents.enumerated() {
            fetchers[index % count].fetch("x/\(index)", expecting: bytes, drag: drag, at: time)
          }
          let start = outcomes.delivered
          // The next drag begins in the midst of it.
          try run { outcomes.delivered > start + 3 }
          pointer.release()
          try run { outcomes.ended == drag + 1 }
          if drag == 0, count == 1 { #expect(outcomes.delivered < Self.sizes.count) }
        }
        try run { outcomes.delivered + outcomes.failed == 2 * Self.sizes.count }
        try run { fetchers.reduce(0) { $0 + $1.exact.count + $1.wrong.count } == 2 * Self.sizes.count }
        #expect(fetchers.flatMap(\.wrong) == [])
        #expect(outcomes.failed == 0)
        #expect(driver.reactor.offers.deliveries.isEmpty)
        // Then there is nothing to do: nothing wakes the loop again once the replies that are not waited for are there.
        var turns = 0
        while Pipe.isReadable(driver.fileDescriptor, within: .milliseconds(50)) {
          try driver.process()
          turns += 1
          try #require(turns < 5)
        }
      }
    }
  }

  @Test func `a loop that nothing happens in does not turn, also while it waits for a pipe`() async throws {
    try await XServer.with { server in
      let pointer = try Pointer(server)
      let pipe = try Pipe()
      try await onOwnThread {
        let driver = try DragAndDrop(connectingTo: server.displayName, configuration: .patient)
        let fetcher = try XlibFetcher(server)
        let outcomes = Outcomes()
        var item = DragItem()
        item.promise(.data) { $0.fulfill(readingFrom: pipe.readEnd) }
        item.promise("x/0") { $0.fulfill { [1, 2, 3] } }
        pointer.press()
        driver.beginDrag(item, at: driver.serverTime, delegate: outcomes)
        try driver.run(while: { outcomes.begun == 0 })
        pointer.release()
        try driver.run(while: { outcomes.ended == 0 })
        fetcher.fetch("x/0", expecting: [1, 2, 3], drag: 0, at: driver.serverTime)
        try driver.run(while: { outcomes.delivered == 0 })
        fetcher.fetch(ContentType.data.name, expecting: [7], drag: 0, at: driver.serverTime)
        try driver.run(while: { driver.reactor.offers.deliveries.allSatisfy { $0.pending == nil } })
        // Nothing took the drop, and the image shows that for a moment.
        try driver.run(while: { driver.reactor.image.shownDrag != nil })
        var turns = 0
        let end = ContinuousClock.now + .milliseconds(400)
        try driver.run(
          wakingAt: { end },
          while: {
            turns += 1
            return ContinuousClock.now < end
          })
        #expect(turns < 6, "\(turns) turns")
        pipe.write([7])
        pipe.closeWriter()
        try driver.run(while: { outcomes.delivered == 1 })
        fetcher.takeEvents()
        #expect(fetcher.exact.count == 2)
      }
    }
  }
}
