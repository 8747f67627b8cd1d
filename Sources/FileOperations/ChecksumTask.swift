internal import XDnDFiles
internal import Glibc

/// A checksum algorithm for ``ChecksumTask``.
public protocol Checksum {
  /// Adds bytes to the checksum.
  mutating func update(_ bytes: UnsafeRawBufferPointer)
  /// The checksum of all added bytes, in hexadecimal.
  var hexDigest: String { get }
}

/// Computes checksums of files on a worker thread.
///
/// Each file is read once, even if it is listed several times or under several hard links. Only regular files are read.
/// A file that is longer or shorter than `fstat` reports fails: a file that the kernel generates, as in `/proc`, need
/// not have an end.
///
/// The owner adds ``fileDescriptor`` to its event loop and calls ``process()`` when it is readable; the handler runs
/// inside that call only. Releasing the task cancels the work.
public final class ChecksumTask {
  /// The checksum and the length of one file.
  public struct Value: Hashable, Sendable {
    /// The file's length in bytes.
    public let byteCount: Int
    /// The checksum, from ``Checksum/hexDigest``.
    public let digest: String
  }

  /// The result for one path.
  public struct Item: Sendable {
    /// The path as given to ``ChecksumTask/init(_:makeChecksum:handler:)``.
    public let path: RawPath
    /// The checksum, or the reason why there is none.
    public let result: Result<Value, FileError>
  }

  private struct Contents {
    var items: [Item] = []
    var isLast = false
  }

  private let mailbox: Mailbox<Contents>
  private let handler: (Item) -> Void
  /// Whether the handler has received every item, or the task was cancelled.
  public private(set) var isFinished = false
  /// Results that have arrived, and have not been delivered to the handler.
  private var items: ArraySlice<Item> = []
  private var hasMore = true

  /// Starts reading.
  ///
  /// - Parameters:
  ///   - paths: The files. A path that is listed several times is reported once.
  ///   - makeChecksum: Called on the worker thread, once for each file that is read.
  ///   - handler: Called from ``process()``, in the order of `paths`.
  /// - Throws: `FileError` if the process cannot open another descriptor or start another thread.
  public init(
    _ paths: [RawPath], makeChecksum: @escaping @Sendable () -> any Checksum, handler: @escaping (Item) -> Void
  ) throws(FileError) {
    let mailbox = try Mailbox(Contents())
    self.mailbox = mailbox
    self.handler = handler
    try startWorker {
      let reader = ChecksumReader(makeChecksum: makeChecksum) { mailbox.isCancelled }
      var seen: Set<RawPath> = []
      for path in paths where seen.insert(path).inserted {
        let result = reader.result(of: path)
        if mailbox.isCancelled { break }
        mailbox.post { $0.items.append(Item(path: path, result: result)) }
      }
      mailbox.post { $0.isLast = true }
    }
  }

  deinit { mailbox.cancel() }

  /// A descriptor that is readable when ``process()`` has results to deliver. The task owns and closes it.
  public var fileDescriptor: CInt { mailbox.descriptor }

  /// Delivers up to 100 results to the handler, without blocking. The descriptor stays readable while there are more.
  public func process() {
    guard !isFinished else { return }
    if items.isEmpty {
      let contents = mailbox.collect()
      (items, hasMore) = (contents.items[...], !contents.isLast)
    }
    for _ in 0..<Self.mostAtOnce {
      guard let item = items.popFirst() else { break }
      handler(item)
      if isFinished { return }
    }
    if !items.isEmpty { mailbox.signal() } else if !hasMore { isFinished = true }
  }

  /// Stops reading as soon as possible. The handler is not called again.
  public func cancel() {
    isFinished = true
    mailbox.cancel()
  }

  private static let mostAtOnce = 100
}

/// Reads files and computes their checksums, on the calling thread.
final class ChecksumReader {
  private let makeChecksum: () -> any Checksum
  private let isCancelled: () -> Bool
  private var known: [FileStatus.Identity: Result<ChecksumTask.Value, FileError>] = [:]
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)
  private(set) var readCount = 0

  init(makeChecksum: @escaping () -> any Checksum, isCancelled: @escaping () -> Bool) {
    self.makeChecksum = makeChecksum
    self.isCancelled = isCancelled
  }

  func result(of path: RawPath) -> Result<ChecksumTask.Value, FileError> {
    do throws(FileError) {
      // Checked before the open: opening a device may have side effects.
      try Self.require(reporting("read", path, FileStatus(at: path)), path)
      let descriptor = try reporting("read", path, openFile(path, O_RDONLY | O_NONBLOCK | O_NOCTTY))
      defer { close(descriptor) }
      // Checked again: another file may have taken the name in between.
      let opened = try reporting("read", path, FileStatus(of: descriptor))
      try Self.require(opened, path)
      let result =
        known[opened.identity] ?? Result { () throws(FileError) in try read(descriptor, path, opened.size) }
      known[opened.identity] = result
      return result
    } catch {
      return .failure(error)
    }
  }

  private static func require(_ status: FileStatus, _ path: RawPath) throws(FileError) {
    guard status.kind == .file else { throw FileError("\(path.quoted) is not a regular file") }
  }

  private func read(_ descriptor: CInt, _ path: RawPath, _ size: Int) throws(FileError) -> ChecksumTask.Value {
    readCount += 1
    var checksum = makeChecksum()
    var count = 0
    while true {
      if isCancelled() { throw .cancelled }
      let part = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if part < 0, errno == EINTR { continue }
      guard part >= 0 else { throw FileError("read", path, errno) }
      if part == 0 { break }
      count += part
      if count > size { break }
      buffer.withUnsafeBytes { checksum.update(UnsafeRawBufferPointer(rebasing: $0[..<part])) }
    }
    guard count == size else { throw FileError("\(path.quoted) does not have the length that the file system reports") }
    return ChecksumTask.Value(byteCount: count, digest: checksum.hexDigest)
  }
}
