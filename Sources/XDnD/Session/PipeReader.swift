import Glibc

/// Reads what somebody else is still writing: a pipe, a socket, a terminal, a device.
final class PipeReader: ContentReader {
  let byteCount: Int?
  let propertyType: AtomName?
  private let descriptor: CInt
  private let flags: CInt
  private let doorbell: Doorbell
  private let isComplete: () -> Bool
  /// Once it has ended; what is written to it afterwards belongs to somebody else.
  private var end: ContentPart?

  /// Memory is taken for this much at a time, however much would be welcome; a pipe of Linux holds 64 KiB.
  private static let longestRead = 256 << 10

  /// - Parameters:
  ///   - descriptor: Closed at the end.
  ///   - isComplete: Asked at the end of the stream.
  init(
    _ descriptor: CInt, doorbell: Doorbell, byteCount: Int? = nil, propertyType: AtomName? = nil,
    isComplete: @escaping () -> Bool = { true }
  ) {
    self.descriptor = descriptor
    self.doorbell = doorbell
    self.byteCount = byteCount
    self.propertyType = propertyType
    self.isComplete = isComplete
    // The flag belongs to the open file, which other processes may share: standard input, for one.
    flags = fcntl(descriptor, F_GETFL)
    if flags >= 0 { _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
  }

  deinit {
    doorbell.unwatch(descriptor)
    if flags >= 0, flags & O_NONBLOCK == 0 { _ = fcntl(descriptor, F_SETFL, flags) }
    close(descriptor)
  }

  func read(upTo count: Int) -> ContentPart {
    if let end { return end }
    let count = min(count, Self.longestRead)
    var status = Status.open
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      guard let base = buffer.baseAddress else { return }
      while filled < count, status == .open { status = read(into: base, &filled, count) }
    }
    switch status {
    case .open: break
    case .quiet where bytes.isEmpty: return doorbell.watch(descriptor) ? .pending : .failed
    case .quiet: break
    case .failed: end = .failed
    case .ended: end = isComplete() ? .end : .failed
    }
    // What was read before the end is no use if the rest cannot be had.
    return end == .failed || bytes.isEmpty ? end ?? .end : .bytes(bytes[...])
  }

  private enum Status { case open, quiet, ended, failed }

  private func read(into base: UnsafeMutablePointer<UInt8>, _ filled: inout Int, _ count: Int) -> Status {
    // A named pipe that nobody has opened for writing yet reads as if it had ended; `poll` knows better (pipe(7)).
    var readiness = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let ready = poll(&readiness, 1, 0)
    if ready == 0 { return .quiet }
    if ready < 0 { return errno == EINTR ? .open : .failed }
    let got = Glibc.read(descriptor, base + filled, count - filled)
    if got > 0 {
      filled += got
      return .open
    }
    if got == 0 { return .ended }
    switch errno {
    case EINTR: return .open
    case EAGAIN: return .quiet
    default: return .failed
    }
  }
}
