import Glibc
import Synchronization

/// What is written to standard output, standard error or another stream, without waiting for who reads it.
///
/// What a pipe or a terminal does not take at once is kept, and written when it takes more: ``EventLoop`` waits for that beside
/// all else, and ``ExitStatus/leave()`` at the end.
public final class OutputBuffer: Sendable {
  /// Standard output of the process.
  public static let standardOutput = OutputBuffer(STDOUT_FILENO)
  /// Standard error of the process.
  public static let standardError = OutputBuffer(STDERR_FILENO)

  /// How many bytes wait at most before the reader is given up, that is before ``write(_:)`` takes nothing more. The last part that is
  /// taken may go beyond it.
  public static let capacity = 4 << 20
  /// The number of waiting bytes from which writers that can wait should; see ``isFull``.
  public static let fullness = 1 << 20
  /// What a terminal or a pipe surely takes that can be written to and cannot be asked not to block.
  private static let carefulCount = 512

  private struct State {
    var waiting: [UInt8] = []
    /// How many of them have been written.
    var written = 0
    /// Why nothing more can be written: an `errno`.
    var failure: CInt?
    var holdsContent = false

    var count: Int { waiting.count - written }
  }

  /// How to write without being kept.
  private enum Way {
    /// The descriptor never blocks: a file, or a pipe or terminal that was opened so.
    case direct(CInt)
    case socket(CInt)
    /// It may block: looked at before, and written to in small parts.
    case careful(CInt)
  }

  private let way: Way
  /// The descriptor that was opened for this.
  private let ownDescriptor: CInt?
  private let state = Mutex(State())
  /// Whether it is a terminal, which obeys what is in the text.
  public let isTerminal: Bool

  /// - Parameter descriptor: Has to stay open.
  public init(_ descriptor: CInt) {
    isTerminal = isatty(descriptor) == 1
    way = Self.way(to: descriptor)
    ownDescriptor = if case .direct(let other) = way, other != descriptor { other } else { nil }
  }

  deinit {
    if let ownDescriptor { close(ownDescriptor) }
  }

  /// How many bytes wait for the reader.
  public var waitingCount: Int { state.withLock { $0.count } }

  /// Whether so much waits that more should not be fetched.
  public var isFull: Bool { waitingCount >= Self.fullness }

  /// Writes what the reader takes now, and keeps the rest.
  ///
  /// - Parameter isContent: Whether it is what the tool was run for, and not only a report of it: at the end it waits for its reader
  ///   without a limit.
  /// - Returns: `false` if it will not be read: the reader is gone, the disk is full, or the reader was given up. Why is in `errno`.
  @discardableResult
  public func write(_ bytes: some Collection<UInt8>, isContent: Bool = false) -> Bool {
    let code = state.withLock { state -> CInt in
      if state.failure == nil, state.count >= Self.capacity { advance(&state) }
      if let failure = state.failure { return failure }
      guard state.count < Self.capacity else { return EAGAIN }
      state.waiting += bytes
      state.holdsContent = state.holdsContent || isContent
      advance(&state)
      return state.failure ?? 0
    }
    errno = code
    return code == 0
  }

  /// Whether nothing more can be written, because the reader is gone or the disk is full.
  public var hasFailed: Bool { state.withLock { $0.failure != nil } }

  /// Writes more of what waits, as much as the reader takes now.
  public func advance() { state.withLock { advance(&$0) } }

  /// The descriptor to wait for, with `POLLOUT`, before ``advance()`` can do more; `nil` if nothing waits.
  public var awaitedDescriptor: CInt? { waitingCount > 0 ? descriptor : nil }

  /// How long at the end a reader of reports may take nothing.
  private static let patience: CInt = 5000

  /// Writes what waits, as long as the reader goes on reading.
  ///
  /// - Parameter waitsForContent: Whether to wait for the reader of content without a limit.
  func finish(waitsForContent: Bool) {
    while let descriptor = awaitedDescriptor {
      let patience = waitsForContent && state.withLock({ $0.holdsContent }) ? -1 : Self.patience
      var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let count = poll(&room, 1, patience)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      advance()
    }
  }

  // MARK: Writing

  private var descriptor: CInt {
    switch way {
    case .direct(let descriptor), .socket(let descriptor), .careful(let descriptor): descriptor
    }
  }

  private func advance(_ state: inout State) {
    while state.failure == nil, state.written < state.waiting.count {
      let result = state.waiting.withUnsafeBytes { put(UnsafeRawBufferPointer(rebasing: $0[state.written...])) }
      switch result {
      case .success(let count): state.written += count
      case .failure(EINTR): continue
      case .failure(EAGAIN): return compact(&state)
      case .failure(let code): state.failure = code
      }
    }
    compact(&state)
  }

  /// Forgets what has been written.
  private func compact(_ state: inout State) {
    if state.failure != nil || state.written == state.waiting.count {
      state.waiting.removeAll(keepingCapacity: state.waiting.capacity <= Self.fullness)
      state.written = 0
    } else if state.written >= Self.fullness {
      state.waiting.removeFirst(state.written)
      state.written = 0
    }
  }

  /// How much was written at once, or an `errno`.
  private enum Written {
    case success(Int)
    case failure(CInt)

    init(_ count: Int) { self = count >= 0 ? .success(count) : .failure(errno) }
  }

  private func put(_ bytes: UnsafeRawBufferPointer) -> Written {
    switch way {
    case .direct(let descriptor): return Written(Glibc.write(descriptor, bytes.baseAddress, bytes.count))
    case .socket(let descriptor):
      return Written(send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL)))
    case .careful(let descriptor):
      var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&room, 1, 0) > 0 else { return .failure(EAGAIN) }
      return Written(Glibc.write(descriptor, bytes.baseAddress, min(bytes.count, Self.carefulCount)))
    }
  }

  /// `O_NONBLOCK` belongs to the open file, which other programs have too: to set it would make their writes fail. So the same pipe or
  /// terminal is opened once more.
  private static func way(to descriptor: CInt) -> Way {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .direct(descriptor) }
    switch status.st_mode & S_IFMT {
    case S_IFSOCK: return .socket(descriptor)
    case S_IFIFO, S_IFCHR:
      if fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0 { return .direct(descriptor) }
      let again = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
      return again >= 0 ? .direct(again) : .careful(descriptor)
    default: return .direct(descriptor)
    }
  }
}

/// A stream for logs: on one line each, and without power over a terminal.
struct LogStream: TextOutputStream, Sendable {
  mutating func write(_ string: String) {
    let line = string.hasSuffix("\n") ? string.dropLast() : string[...]
    OutputBuffer.standardError.write(Array((Humane.visible(line, limit: nil) + "\n").utf8))
  }
}
