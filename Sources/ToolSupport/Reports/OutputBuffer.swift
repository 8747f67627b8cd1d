import Glibc
import Synchronization

/// Writes to standard output, standard error or another stream without blocking.
///
/// Bytes that a pipe or terminal does not take at once are kept. ``EventLoop`` writes them when there is room again,
/// and ``ExitStatus/exit()`` at the end. A thread would not help: it could not be stopped within `write`.
package final class OutputBuffer: Sendable {
  package static let standardOutput = OutputBuffer(STDOUT_FILENO)
  package static let standardError = OutputBuffer(STDERR_FILENO)

  /// The maximum number of waiting bytes: when it is reached, ``write(_:isContent:isUrgent:)`` fails. The last write
  /// may exceed it.
  package static let capacity = 4 << 20
  /// The number of waiting bytes from which a writer should pause (back-pressure); see ``isFull``.
  package static let fullness = 1 << 20
  /// How many bytes a pipe or terminal in blocking mode takes without blocking when `poll` reports room.
  private static let polledCount = 512

  private struct State {
    var waiting: [UInt8] = []
    /// The number of bytes at the start of `waiting` that are written.
    var written = 0
    /// The `errno` with which writing has failed for good.
    var failure: CInt?
    var holdsContent = false

    var count: Int { waiting.count - written }
  }

  /// How to write without blocking.
  private enum Method {
    /// Writing never blocks: a file, or a non-blocking pipe or terminal.
    case direct
    case socket
    /// In blocking mode: polled before each write of a small part.
    case polled
  }

  /// The descriptor to poll for `POLLOUT` before ``advance()``, while bytes wait.
  let descriptor: CInt
  private let method: Method
  /// Whether this buffer has opened its descriptor, and closes it.
  private let ownsDescriptor: Bool
  private let state = Mutex(State())
  /// Whether the stream is a terminal, which obeys control characters.
  package let isTerminal: Bool

  /// Creates a buffer for a stream.
  ///
  /// - Parameter descriptor: The caller owns it and keeps it open while the buffer exists.
  package init(_ descriptor: CInt) {
    isTerminal = isatty(descriptor) == 1
    (self.descriptor, method) = Self.opened(descriptor)
    ownsDescriptor = self.descriptor != descriptor
  }

  deinit {
    if ownsDescriptor { close(descriptor) }
  }

  package var waitingCount: Int { state.withLock { $0.count } }

  /// Whether the writer should pause until the reader catches up.
  package var isFull: Bool { waitingCount >= Self.fullness }

  /// Writes as much as possible now, and keeps the rest.
  ///
  /// - Parameter isContent: Whether the bytes are the tool's product, such as a dropped file, rather than a report. A
  ///   tool that ends with ``ExitStatus/dropped`` waits for the reader of content without a time limit.
  /// - Parameter isUrgent: Whether the limit is twice ``capacity`` for these bytes.
  /// - Returns: `false` if the bytes are discarded because the reader is gone, the disk is full, or too many bytes
  ///   wait. The reason is in `errno`.
  @discardableResult
  package func write(_ bytes: some Collection<UInt8>, isContent: Bool = false, isUrgent: Bool = false) -> Bool {
    let capacity = isUrgent ? 2 * Self.capacity : Self.capacity
    let code = state.withLock { state -> CInt in
      if state.failure == nil, state.count >= capacity { advance(&state) }
      if let failure = state.failure { return failure }
      guard state.count < capacity else { return EAGAIN }
      state.waiting += bytes
      state.holdsContent = state.holdsContent || isContent
      advance(&state)
      return state.failure ?? 0
    }
    errno = code
    return code == 0
  }

  /// Whether writing has failed for good: the reader is gone, or the disk is full.
  package var hasFailed: Bool { state.withLock { $0.failure != nil } }

  /// Why writing has failed for good, for the user; `nil` if it has not.
  package var failureReason: String? {
    state.withLock { $0.failure }.map { code in
      switch code {
      case ENOSPC: "the disk is full"
      case EPIPE: "the output was closed"
      default: String(cString: strerror(code))
      }
    }
  }

  /// Writes waiting bytes, as many as possible without blocking.
  package func advance() { state.withLock { advance(&$0) } }

  /// How long ``finish(waitsForContent:)`` waits for a reader that does not read, in milliseconds.
  private static let patience: CInt = 5000

  /// Writes all waiting bytes, while the reader keeps reading.
  ///
  /// - Parameter waitsForContent: Whether to wait for a reader of content without a time limit.
  func finish(waitsForContent: Bool) {
    while waitingCount > 0 {
      let patience = waitsForContent && state.withLock({ $0.holdsContent }) ? -1 : Self.patience
      var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let count = poll(&room, 1, patience)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      advance()
    }
  }

  // MARK: Writing

  private func advance(_ state: inout State) {
    while state.failure == nil, state.written < state.waiting.count {
      let count = state.waiting.withUnsafeBytes { put(UnsafeRawBufferPointer(rebasing: $0[state.written...])) }
      if count >= 0 {
        state.written += count
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        state.failure = errno
      }
    }
    compact(&state)
  }

  private func compact(_ state: inout State) {
    if state.failure != nil || state.written == state.waiting.count {
      state.waiting.removeAll(keepingCapacity: state.waiting.capacity <= Self.fullness)
      state.written = 0
    } else if state.written >= Self.fullness {
      state.waiting.removeFirst(state.written)
      state.written = 0
    }
  }

  /// Returns the number of bytes written; negative on failure, with the reason in `errno`.
  private func put(_ bytes: UnsafeRawBufferPointer) -> Int {
    switch method {
    case .direct: return Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    case .socket: return send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
    case .polled:
      var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&room, 1, 0) > 0 else {
        errno = EAGAIN
        return -1
      }
      return Glibc.write(descriptor, bytes.baseAddress, min(bytes.count, Self.polledCount))
    }
  }

  /// Opens a pipe or terminal again, in non-blocking mode. Setting `O_NONBLOCK` on the original would affect the open
  /// file description, which other programs share: their writes would fail.
  private static func opened(_ descriptor: CInt) -> (CInt, Method) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return (descriptor, .direct) }
    switch status.st_mode & S_IFMT {
    case S_IFSOCK: return (descriptor, .socket)
    case S_IFIFO, S_IFCHR:
      let flags = fcntl(descriptor, F_GETFL)
      // A stream that ``StandardStreams`` has opened only for reading: writes must fail.
      if flags & O_NONBLOCK != 0 || flags & O_ACCMODE == O_RDONLY { return (descriptor, .direct) }
      let again = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
      return again >= 0 ? (again, .direct) : (descriptor, .polled)
    default: return (descriptor, .direct)
    }
  }
}

/// A log stream to standard error: one line per entry, with controls escaped.
struct LogStream: TextOutputStream, Sendable {
  mutating func write(_ string: String) {
    let line = string.hasSuffix("\n") ? string.dropLast() : string[...]
    OutputBuffer.standardError.write(Array((Formatting.visible(line, limit: nil) + "\n").utf8))
  }
}
