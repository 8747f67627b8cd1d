import Glibc
import Synchronization
import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// The ways to answer a request, through the public interface.
@Suite("Promised content", .timeLimit(.minutes(5)))
struct PromiseTests {
  /// An item with one promise.
  static func item(_ provide: @escaping (DataRequest) -> Void) -> DragItem {
    var item = DragItem()
    item.promise(.data, provide: provide)
    return item
  }

  @Test(arguments: [0, 1, 999, 1000, 1001, 1100, 5000, 60_000])
  func `each kind of promise is exact, whatever its length`(size: Int) async throws {
    let file = try TemporaryDirectory("promise")
    let path = file.path + "/content"
    try await onOwnThread {
      let bytes = TestContent.bytes(size, seed: size)
      try FileBytes.write(bytes, to: path)
      let kinds: [(String, (DataRequest) -> Void)] = [
        ("bytes", { $0.fulfill(bytes) }), ("file", { $0.fulfill(contentsOfFile: path) }),
        ("pipe", { $0.fulfill(readingFrom: Pipe.filled(bytes)) }),
        ("counted pipe", { $0.fulfill(readingFrom: Pipe.filled(bytes), byteCount: size) }),
        ("task", { $0.fulfill { bytes } }), ("chunks", { $0.fulfill(chunks: TestContent.stream(bytes, by: 333)) }),
        ("counted chunks", { $0.fulfill(chunks: TestContent.stream(bytes, by: 70_000), byteCount: size) }),
        ("joined", { request in Self.fulfillInThree(request, bytes) }),
      ]
      for (name, kind) in kinds {
        let run = try PromiseRun(Self.item(kind))
        let requestor = try run.ask(.data)
        #expect(try run.run { requestor.isOver }, "\(name)")
        #expect(requestor.bytes == bytes && requestor.isComplete, "\(name)")
        #expect((requestor.announced != nil) == (size > 1000), "\(name)")
        #expect(run.delegate.finished == [.data: true], "\(name)")
        #expect(!run.isReadable(), "The \(name) still rings.")
        #expect(run.driver.reactor.offers.deliveries.isEmpty, "\(name)")
      }
    }
  }

  /// Asks three others, each in its own way, and joins what they say.
  static func fulfillInThree(_ request: DataRequest, _ bytes: [UInt8]) {
    var readers: [any ContentReader] = []
    func part(_ fulfill: (DataRequest) -> Void) {
      fulfill(
        DataRequest(type: request.type, requestor: request.requestor, doorbell: request.doorbell) {
          if let reader = $0 { readers.append(reader) }
        })
    }
    let (first, second) = (Array(bytes.prefix(bytes.count / 3)), Array(bytes.dropFirst(bytes.count / 3)))
    part { $0.fulfill(first) }
    part { $0.fulfill { second } }
    part { $0.fulfill(readingFrom: Pipe.filled([])) }
    request.answer(with: JoinedReader(readers))
  }

  @Test func `nothing is made before somebody asks, and then once for each`() async throws {
    try await onOwnThread {
      let made = Mutex(0)
      let run = try PromiseRun(
        Self.item {
          $0.fulfill {
            made.withLock { $0 += 1 }
            return [1]
          }
        })
      try run.advance(.milliseconds(100))
      #expect(made.withLock { $0 } == 0)
      let requestors = try [run.ask(.data), run.ask(.data)]
      #expect(try run.run { requestors.allSatisfy(\.isComplete) })
      #expect(made.withLock { $0 } == 2)
    }
  }

  // MARK: Failures

  private struct Failure: Error {}

  @Test func `what fails before anything is written is refused, and the others go on`() async throws {
    let directory = try TemporaryDirectory("promise")
    try await onOwnThread {
      let path = directory.path
      let failing: [(String, (DataRequest) -> Void)] = [
        ("refused", { $0.refuse() }), ("let go", { _ in }), ("a directory", { $0.fulfill(contentsOfFile: path) }),
        ("missing", { $0.fulfill(contentsOfFile: path + "/missing") }),
        ("a task that throws", { $0.fulfill { throw Failure() } }),
        ("too few chunks", { $0.fulfill(chunks: TestContent.stream([1, 2], by: 1), byteCount: 3) }),
        ("a pipe that ends too soon", { $0.fulfill(readingFrom: Pipe.filled([1]), byteCount: 2) }),
        ("an incomplete pipe", { $0.fulfill(readingFrom: Pipe.filled([1]), isComplete: { false }) }),
        ("no descriptor", { $0.fulfill(readingFrom: -1) }),
        ("half a unit", { $0.fulfill([1, 2, 3], in: .short) }),
      ]
      var item = DragItem()
      for (name, kind) in failing { item.promise(ContentType("x/" + name), provide: kind) }
      item.promise(.data, bytes: [1, 2, 3])
      let run = try PromiseRun(item)
      let refused = try failing.map { try run.ask(ContentType("x/" + $0.0)) }
      let good = try run.ask(.data)
      #expect(good.bytes == [1, 2, 3])
      #expect(try run.run { refused.allSatisfy(\.isOver) })
      for (requestor, (name, _)) in zip(refused, failing) {
        #expect(requestor.isRefused && requestor.bytes.isEmpty, "\(name)")
      }
    }
  }

  @Test(arguments: [true, false])
  func `what fails in the middle of INCR leaves no mark of the end`(throwing: Bool) async throws {
    try await onOwnThread {
      let (chunks, source) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
      let pipe = try Pipe()
      let run = try PromiseRun(
        Self.item {
          throwing
            ? $0.fulfill(chunks: chunks) : $0.fulfill(readingFrom: pipe.readEnd, isComplete: { false })
        })
      let bytes = TestContent.bytes(2000)
      let requestor = try run.ask(.data)
      if throwing { source.yield(bytes) } else { pipe.write(bytes) }
      #expect(try run.run { requestor.bytes.count == 2000 })
      #expect(!requestor.isOver)
      if throwing { source.finish(throwing: Failure()) }
      pipe.closeWriter()
      #expect(try run.run { run.delegate.finished == [.data: false] })
      if throwing { close(pipe.readEnd) }
      #expect(requestor.bytes == bytes)
      #expect(requestor.headers.allSatisfy { $0.byteCount > 0 })
      #expect(!requestor.isOver)
      #expect(run.driver.nextDeadline == nil || !run.driver.reactor.offers.isBusy)
    }
  }

  @Test func `a named pipe that nobody writes to is refused when its time is over, and blocks nothing`() async throws {
    let directory = try TemporaryDirectory("promise")
    try await onOwnThread {
      let path = directory.path + "/fifo"
      #expect(mkfifo(path, 0o600) == 0)
      var item = Self.item { $0.fulfill(contentsOfFile: path) }
      item.promise(.plainText, bytes: [7])
      let run = try PromiseRun(item)
      let waiting = try run.ask(.data)
      #expect(try run.ask(.plainText).bytes == [7])
      #expect(!run.isReadable())
      try run.advance(.milliseconds(29_900))
      #expect(!waiting.isOver)
      try run.advance(.milliseconds(100))
      #expect(waiting.isRefused)
      // And one that somebody writes to is read.
      let served = try run.ask(.data)
      let writer = open(path, O_WRONLY)
      _ = write(writer, [1, 2, 3] as [UInt8], 3)
      close(writer)
      #expect(try run.run { served.isOver })
      #expect(served.bytes == [1, 2, 3])
    }
  }

  @Test func `when the requestor dies, the task is cancelled and the pipe is closed`() async throws {
    try await onOwnThread {
      let pipe = try Pipe()
      var item = Self.item { $0.fulfill(readingFrom: pipe.readEnd) }
      let doorbell = try Doorbell()
      item.promise("x/task") {
        $0.fulfill {
          // A cancellation handler would not do: it need not be called for work that has seen by itself that it is
          // cancelled, and has ended before its turn.
          while !Task.isCancelled { try? await Task.sleep(for: PromiseRun.patience) }
          doorbell.ring()
          return []
        }
      }
      let run = try PromiseRun(item)
      let requestors = try [run.ask(.data), run.ask("x/task")]
      #expect(!pipe.isBroken)
      for requestor in requestors { run.server.kill(requestor.client) }
      try run.settle()
      #expect(pipe.isBroken(within: .seconds(10)))
      #expect(Pipe.isReadable(doorbell.fileDescriptor, within: PromiseRun.patience))
      #expect(run.driver.reactor.offers.deliveries.isEmpty)
      pipe.closeWriter()
    }
  }
}
