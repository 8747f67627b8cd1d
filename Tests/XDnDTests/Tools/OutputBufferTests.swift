import Glibc
import TestSupport
import Testing

@testable import XDnDToolSupport

/// Bytes on their way to a reader that takes its time.
@Suite("Output buffers", .timeLimit(.minutes(1)))
struct OutputBufferTests {
  private func read(_ descriptor: CInt, _ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < count {
      let part = Glibc.read(descriptor, &buffer, min(buffer.count, count - bytes.count))
      guard part > 0 else { return bytes }
      bytes += buffer[..<part]
    }
    return bytes
  }

  /// How many bytes are in a pipe.
  private func held(by descriptor: CInt) -> Int {
    var count: CInt = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : -1
  }

  private func takesMore(_ descriptor: CInt) -> Bool {
    var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&room, 1, 0) == 1
  }

  @Test(arguments: [1, 65_536, 65_537, 1_000_003])
  func `a pipe gets all bytes in order, at the pace of its reader`(_ count: Int) throws {
    let pipe = try Pipe()
    defer { close(pipe.readEnd) }
    let content = TestContent.bytes(count)
    let buffer = OutputBuffer(pipe.writeEnd)
    for start in stride(from: 0, to: count, by: 30_000) {
      #expect(buffer.write(content[start..<min(count, start + 30_000)]))
    }
    // A pipe holds a number of pages, and a page may be filled in part: it can be full with less than its capacity.
    #expect(held(by: pipe.readEnd) + buffer.waitingCount == count)
    #expect(buffer.waitingCount == 0 || !takesMore(pipe.writeEnd))
    var arrived: [UInt8] = []
    while arrived.count < count {
      let part = read(pipe.readEnd, min(50_000, held(by: pipe.readEnd)))
      try #require(!part.isEmpty)
      arrived += part
      buffer.advance()
    }
    #expect(arrived == content)
    #expect(buffer.waitingCount == 0)
    close(pipe.writeEnd)
  }

  @Test func `the descriptor that others have too stays as it was`() throws {
    let pipe = try Pipe()
    _ = OutputBuffer(pipe.writeEnd)
    #expect(fcntl(pipe.writeEnd, F_GETFL) & O_NONBLOCK == 0)
    close(pipe.readEnd)
    close(pipe.writeEnd)
  }

  @Test func `a reader that takes nothing is given up, and is back when it reads again`() throws {
    let pipe = try Pipe()
    defer {
      close(pipe.readEnd)
      close(pipe.writeEnd)
    }
    let buffer = OutputBuffer(pipe.writeEnd)
    let part = TestContent.bytes(100_000)
    var taken = 0
    while buffer.write(part), taken < 1000 { taken += 1 }
    #expect(errno == EAGAIN)
    #expect(buffer.waitingCount >= OutputBuffer.capacity)
    #expect(buffer.waitingCount < OutputBuffer.capacity + part.count)
    #expect(buffer.isFull && !buffer.hasFailed)
    #expect(read(pipe.readEnd, 65_536).count == 65_536)
    buffer.advance()
    _ = read(pipe.readEnd, 65_536)
    #expect(buffer.write([1]))
  }

  @Test func `a reader that is gone is an error, and nothing waits for it`() throws {
    signal(SIGPIPE, SIG_IGN)
    let pipe = try Pipe()
    let buffer = OutputBuffer(pipe.writeEnd)
    #expect(buffer.write(TestContent.bytes(100_000)))
    close(pipe.readEnd)
    buffer.advance()
    #expect(buffer.hasFailed)
    #expect(buffer.waitingCount == 0)
    #expect(!buffer.write([1]))
    #expect(errno == EPIPE)
    close(pipe.writeEnd)
  }

  @Test func `a full disk is an error at once`() {
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    #expect(!OutputBuffer(full).write([1]))
    #expect(errno == ENOSPC)
    close(full)
  }

  @Test func `a socket is written to without waiting`() throws {
    var ends: [CInt] = [0, 0]
    try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let buffer = OutputBuffer(ends[0])
    #expect(buffer.write(TestContent.bytes(2_000_000)))
    #expect(buffer.waitingCount > 0)
    for end in ends { close(end) }
  }

  @Test func `reports that found no place are counted`() throws {
    let pipe = try Pipe()
    defer {
      close(pipe.readEnd)
      close(pipe.writeEnd)
    }
    let buffer = OutputBuffer(pipe.writeEnd)
    let reporter = Reporter(json: true, to: buffer)
    let long = String(repeating: "x", count: 99_000)
    for _ in 0..<100 { reporter.print(Report("a", long, ["text": .string(long)])) }
    let waiting = buffer.waitingCount
    #expect(waiting < OutputBuffer.capacity + 100_000)
    var bytes = read(pipe.readEnd, 65_536)
    while buffer.waitingCount > 0 {
      buffer.advance()
      bytes += read(pipe.readEnd, 1000)
    }
    reporter.print(Report("b", "b"))
    // To the end of what is there.
    _ = fcntl(pipe.readEnd, F_SETFL, O_NONBLOCK)
    let printed = bytes.count { $0 == UInt8(ascii: "\n") }
    let rest = try #require(String(validating: read(pipe.readEnd, 1 << 20), as: UTF8.self))
    #expect(rest.contains("\"event\":\"b\""))
    let lines = (String(decoding: bytes, as: UTF8.self) + rest).split(separator: "\n").compactMap {
      JSONLine(String($0))
    }
    #expect(printed < 100)
    let lost = try #require(lines.first { $0.event == "lost" }?.integer("lines"))
    #expect(lines.count { $0.event == "a" } + lost == 100)
    #expect(lines.map(\.event).suffix(2) == ["lost", "b"])
  }

  @Test func `the end is reported although nobody reads, with what was lost before it`() throws {
    let pipe = try Pipe()
    defer {
      close(pipe.readEnd)
      close(pipe.writeEnd)
    }
    let buffer = OutputBuffer(pipe.writeEnd)
    let reporter = Reporter(json: true, to: buffer)
    let long = String(repeating: "x", count: 99_000)
    for _ in 0..<100 { reporter.print(Report("a", long, ["text": .string(long)])) }
    reporter.print(Report("ended", "", ["outcome": .string("dropped")]))
    // Ends are bounded, too.
    for _ in 0..<100 { reporter.print(Report("ended", "", ["outcome": .string(long)])) }
    #expect(buffer.waitingCount < 2 * OutputBuffer.capacity + 100_000)
    var bytes: [UInt8] = []
    while buffer.waitingCount > 0 {
      bytes += read(pipe.readEnd, 65_536)
      buffer.advance()
    }
    let events = bytes.split(separator: UInt8(ascii: "\n")).compactMap {
      JSONLine(String(decoding: $0, as: UTF8.self))?.event
    }
    let first = try #require(events.firstIndex(of: "ended"))
    #expect(events[first - 1] == "lost")
  }

  // MARK: Terminals

  @Test func `a character may come in parts`() {
    let text = "Grüße 한글 😀\n\u{1B}[0m\t\u{202E}"
    let bytes = Array(text.utf8) + [0xFF, 0xC3]
    let shown = "Grüße 한글 😀\n\\u{1B}[0m\t\\u{202E}\\xFF\\xC3"
    for length in 1...7 {
      var terminal = TerminalText()
      var result: [UInt8] = []
      for start in stride(from: 0, to: bytes.count, by: length) {
        result += terminal.append(bytes[start..<min(bytes.count, start + length)])
      }
      result += terminal.finish()
      #expect(String(decoding: result, as: UTF8.self) == shown)
    }
  }
}
