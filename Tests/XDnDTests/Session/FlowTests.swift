import Glibc
import Synchronization
import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// How content that comes from elsewhere flows: no faster than it is read, and no later than it is there.
@Suite("The flow of promised content", .timeLimit(.minutes(5)))
struct FlowTests {
  /// Endless chunks, which are counted.
  private final class Spring: AsyncSequence, AsyncIteratorProtocol, Sendable {
    typealias Element = [UInt8]
    let length: Int
    let given = Mutex(0)

    init(length: Int) { self.length = length }

    func makeAsyncIterator() -> Spring { self }

    func next() async -> [UInt8]? {
      given.withLock { $0 += 1 }
      return [UInt8](repeating: 7, count: length)
    }
  }

  @Test func `a sequence is asked for little more than was read, and stops when nobody reads on`() async throws {
    try await onOwnThread {
      let (length, part, whole) = (64 << 10, 256 << 10, 1 << 20)
      let spring = Spring(length: length)
      let run = try PromiseRun(
        PromiseTests.item { $0.fulfill(chunks: spring) }, wholeProperty: whole, part: part)
      let requestor = try run.ask(.data, isReading: false)
      #expect(try run.run { requestor.announced != nil })
      let ahead = whole + part + ChunkChannel.capacity + length
      var given = 0
      func check() {
        given = spring.given.withLock { $0 } * length
        #expect(given <= requestor.bytes.count + ahead, "\(given) bytes for \(requestor.bytes.count)")
      }
      check()
      requestor.isReading = true
      requestor.take()
      // Whatever is read makes room for as much.
      #expect(try run.run { requestor.bytes.count > 20 << 20 })
      check()
      #expect(given > 20 << 20)
      #expect(run.driver.reactor.offers.deliveries.compactMap(\.staged).allSatisfy { $0.count <= whole + part })
    }
  }

  @Test func `a part is handed on as soon as there is a byte of it, once INCR has begun`() async throws {
    try await onOwnThread {
      let pipe = try Pipe()
      let run = try PromiseRun(PromiseTests.item { $0.fulfill(readingFrom: pipe.readEnd) })
      let requestor = try run.ask(.data)
      pipe.write([1])
      #expect(try run.run { run.driver.reactor.offers.deliveries.compactMap(\.staged).count == 1 })
      #expect(requestor.announced == nil)
      try run.advance(.seconds(3))
      #expect(requestor.announced == 1)
      #expect(requestor.bytes == [1])
      for byte in 2...9 as ClosedRange<UInt8> {
        pipe.write([byte])
        #expect(try run.run { requestor.bytes.last == byte })
      }
      pipe.closeWriter()
      #expect(try run.run { requestor.isComplete })
      #expect(requestor.headers.map(\.byteCount) == [Int](repeating: 1, count: 9) + [0])
    }
  }

  @Test func `a slow provider that is done before anybody loses patience has its content in one property`() async throws
  {
    try await onOwnThread {
      let pipe = try Pipe()
      let run = try PromiseRun(PromiseTests.item { $0.fulfill(readingFrom: pipe.readEnd) })
      let requestor = try run.ask(.data)
      for byte in 1...5 as ClosedRange<UInt8> {
        pipe.write([byte])
        #expect(try run.run { run.driver.reactor.offers.deliveries.compactMap(\.staged).first?.last == byte })
        try run.advance(.milliseconds(500))
      }
      pipe.closeWriter()
      #expect(try run.run { requestor.isComplete })
      #expect(requestor.announced == nil)
      #expect(requestor.bytes == [1, 2, 3, 4, 5])
    }
  }

  @Test func `content that nobody takes does not keep the loop awake, however much of it there is`() async throws {
    try await onOwnThread {
      let pipe = try Pipe()
      let run = try PromiseRun(PromiseTests.item { $0.fulfill(readingFrom: pipe.readEnd) })
      let requestor = try run.ask(.data, isReading: false)
      pipe.write(TestContent.bytes(5000))
      #expect(try run.run { requestor.announced != nil })
      pipe.write(TestContent.bytes(5000))
      #expect(!run.isReadable())
      pipe.closeWriter()
      #expect(!run.isReadable())
      requestor.isReading = true
      requestor.take()
      #expect(try run.run { requestor.isComplete })
      #expect(requestor.bytes.count == 10_000)
      #expect(!run.isReadable())
    }
  }

  @Test func `a file of five gigabytes is announced with all that the announcement can say, and read as it is`()
    async throws
  {
    let directory = try TemporaryDirectory("sparse")
    try await onOwnThread {
      let path = directory.path + "/sparse"
      try FileBytes.write([1, 2, 3], to: path)
      try #require(truncate(path, 5 << 30) == 0)
      let run = try PromiseRun(
        PromiseTests.item { $0.fulfill(contentsOfFile: path) }, wholeProperty: 3 << 20, part: 1 << 20)
      let requestor = try run.ask(.data, isReading: false)
      #expect(requestor.announced == .max)
      #expect(run.driver.reactor.offers.deliveries.compactMap(\.staged).isEmpty)
      #expect(run.driver.reactor.offers.deliveries.compactMap(\.reader).first?.byteCount == 5 << 30)
      requestor.isReading = true
      requestor.take()
      run.server.kill(requestor.client)
      try run.settle()
      #expect(run.driver.reactor.offers.deliveries.compactMap(\.reader).isEmpty)
    }
  }

  @Test func `files that say they are empty and are not are read all the same`() async throws {
    try await onOwnThread {
      let run = try PromiseRun(PromiseTests.item { $0.fulfill(contentsOfFile: "/proc/self/status") })
      #expect(try run.ask(.data).bytes.starts(with: Array("Name:".utf8)))
    }
  }

  @Test func `numbers of 16 bits go as such, in one property and by INCR`() async throws {
    try await onOwnThread {
      for (size, part) in [(8, 100), (2000, 103)] {
        let bytes = TestContent.bytes(size)
        let run = try PromiseRun(
          PromiseTests.item { $0.fulfill(bytes, as: "application/x-color", in: .short) }, part: part)
        let requestor = try run.ask(.data)
        #expect(requestor.bytes == bytes)
        #expect(requestor.headers.allSatisfy { $0.format == 16 && $0.byteCount.isMultiple(of: 2) })
        #expect(requestor.headers.allSatisfy { $0.type == AtomName("application/x-color") })
      }
    }
  }

  @Test func `a second answer changes nothing, and what it would have read from is closed`() async throws {
    try await onOwnThread {
      let pipe = try Pipe()
      let run = try PromiseRun(
        PromiseTests.item {
          $0.fulfill([1])
          $0.fulfill([2])
          $0.fulfill(readingFrom: pipe.readEnd)
          $0.refuse()
        })
      #expect(try run.ask(.data).bytes == [1])
      #expect(pipe.isBroken(within: .seconds(10)))
      pipe.closeWriter()
    }
  }

  @Test func `when the server is lost, nobody goes on providing content`() async throws {
    try await onOwnThread {
      let pipe = try Pipe()
      let run = try PromiseRun(PromiseTests.item { $0.fulfill(readingFrom: pipe.readEnd) })
      _ = try run.ask(.data)
      run.client.isClosed = true
      #expect(throws: XDnDError.displayClosed) { try run.driver.process() }
      #expect(pipe.isBroken(within: .seconds(10)))
      #expect(run.driver.nextDeadline == nil)
      #expect(run.driver.fileDescriptor == -1)
      pipe.closeWriter()
    }
  }
}
