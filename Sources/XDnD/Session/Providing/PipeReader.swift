import Glibc

/// Reads a pipe, a socket, a terminal or a device without blocking.
final class PipeReader: ContentReader {
  let byteCount: Int?
  let propertyType: AtomName?
  private let descriptor: CInt
  private let flags: CInt
  private let doorbell: Doorbell
  private let isComplete: () -> Bool
  /// Set when the stream has ended or failed. Data that is written to a FIFO later belongs to another reader.
  private var end: ContentPart?

  /// The maximum number of bytes per call of ``read(upTo:)``, which empties a pipe of 64 KiB repeatedly while the
  /// writer keeps up.
  private static let longestRead = 512 << 10

  /// - Parameters:
  ///   - descriptor: The reader takes ownership and closes it.
  ///   - isComplete: Called at the end of the stream. `false` is a failure.
  init(
    _ descriptor: CInt, doorbell: Doorbell, byteCount: Int? = nil, propertyType: AtomName? = nil,
    isComplete: @escaping () -> Bool = { true }
  ) {
    self.descriptor = descriptor
    self.doorbell = doorbell
    self.byteCount = byteCount
    self.propertyType = propertyType
    self.isComplete = isComplete
    // The flag belongs to the open file description, which other processes may share, for example standard input.
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
    // After a failure, the data that was read before is useless.
    return end == .failed || bytes.isEmpty ? end ?? .end : .bytes(bytes[...])
  }

  private enum Status { case open, quiet, ended, failed }

  private func read(into base: UnsafeMutablePointer<UInt8>, _ filled: inout Int, _ count: Int) -> Status {
    // `read` returns 0 also before a writer has opened a FIFO; then, unlike at the end, `poll` reports nothing.
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
