import Glibc
import XDnDFiles
import XDnDToolSupport

/// Passes the output of a command on to the tool's own standard output and error, and keeps the end of it for display.
///
/// A slow reader of the tool's output stops the command, as if both were connected. If the reader closes its end,
/// `SIGPIPE` ends the command.
final class CommandStreams {
  /// Called at most ten times a second, with the end of both streams.
  var onText: (String) -> Void = { _ in }

  /// A pipe from the command.
  private struct Stream {
    /// The tool's end; -1 once it is closed.
    var reader: CInt
    let output: OutputBuffer
  }

  private let loop: EventLoop
  private var streams: [Stream]
  private var writers: [CInt]
  private var tail = OutputTail()
  private var isTextDue = false

  /// `nil` if the process cannot open more descriptors.
  init?(on loop: EventLoop) {
    guard let output = PrivatePipe() else { return nil }
    guard let errors = PrivatePipe() else {
      for end in [output.reader, output.writer] { close(end) }
      return nil
    }
    self.loop = loop
    streams = [
      Stream(reader: output.reader, output: .standardOutput), Stream(reader: errors.reader, output: .standardError),
    ]
    writers = [output.writer, errors.writer]
    for stream in streams { _ = fcntl(stream.reader, F_SETFL, O_NONBLOCK) }
  }

  deinit { for end in writers + streams.map(\.reader) where end >= 0 { close(end) } }

  /// The command's ends of the pipes.
  var ends: Subprocess.Output { .streams(output: writers[0], errors: writers[1]) }

  /// Starts reading, after the command has inherited its ends. The object retains itself until both streams have ended.
  func begin() {
    for end in writers { close(end) }
    writers = []
    for index in streams.indices { watch(index) }
  }

  private func watch(_ index: Int) { loop.watch(streams[index].reader) { [self] in _ = read(index) } }

  /// Reads the rest of the output after the command's end.
  func finish() {
    for index in streams.indices { while read(index) {} }
    showText()
  }

  /// Reads a part of a stream. Returns whether there may be more now.
  private func read(_ index: Int) -> Bool {
    let stream = streams[index]
    guard stream.reader >= 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(stream.reader, &bytes, bytes.count)
    guard count > 0 else {
      if count == 0 || errno != EAGAIN && errno != EINTR { end(index) }
      return false
    }
    tail.append(bytes[..<count])
    textChanged()
    if !stream.output.write(bytes[..<count], isContent: true), stream.output.hasFailed {
      end(index)
      return false
    }
    if stream.output.isFull {
      loop.unwatch(stream.reader)
      loop.when(stream.output, keepsAtMost: OutputBuffer.fullness / 2) { [self] in
        if streams[index].reader >= 0 { watch(index) }
      }
    }
    return true
  }

  private func end(_ index: Int) {
    loop.unwatch(streams[index].reader)
    close(streams[index].reader)
    streams[index].reader = -1
  }

  // MARK: The text

  private func textChanged() {
    guard !isTextDue else { return }
    isTextDue = true
    loop.after(0.1) { [weak self] in self?.showText() }
  }

  private func showText() {
    guard isTextDue else { return }
    isTextDue = false
    onText(tail.text)
  }
}

/// The end of a command's output, for display.
struct OutputTail {
  /// The maximum length in bytes.
  static let limit = 64 << 10

  private var bytes: [UInt8] = []
  private var isCut = false

  mutating func append(_ part: some Collection<UInt8>) {
    bytes += part
    guard bytes.count > Self.limit else { return }
    bytes.removeFirst(bytes.count - Self.limit)
    isCut = true
  }

  /// The text from the first whole line on, with control characters escaped.
  var text: String {
    var shown = bytes[...]
    if isCut {
      // A line that is longer than the limit is cut at its start, but not within a character.
      let line = shown.firstIndex(of: UInt8(ascii: "\n")).map { shown[($0 + 1)...] }
      shown = line ?? shown.drop { $0 & 0xC0 == 0x80 }
    }
    return Formatting.visibleLines(RawArgument.string(Array(shown)))
  }
}
