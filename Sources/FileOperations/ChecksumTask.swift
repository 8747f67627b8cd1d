internal import CFileSystem
internal import Glibc
internal import Synchronization

/// An algorithm that a ``ChecksumTask`` computes.
public protocol Checksum {
  /// Appends bytes.
  mutating func update(_ bytes: UnsafeRawBufferPointer)
  /// The checksum of all bytes so far, for people and programs.
  var hexDigest: String { get }
}

/// Checksums of files, computed on a thread of their own while their owner does other things.
///
/// Each file is read once, however often and by whatever name it is listed. Only regular files are read, and only as far as
/// they were long at the beginning: what the kernel makes up as it is read need not have an end. The owner waits for
/// ``fileDescriptor`` next to whatever else it waits for, and the handler is called from ``process()`` only. Without an
/// owner, the work is cancelled.
public final class ChecksumTask {
  /// What is known of one file.
  public struct Value: Hashable, Sendable {
    /// Its length in bytes.
    public let byteCount: Int
    /// As ``Checksum/hexDigest`` has it.
    public let digest: String
  }

  /// One path of the list.
  public struct Item: Sendable {
    /// As it was given.
    public let path: RawPath
    /// The checksum, or why there is none.
    public let result: Result<Value, FileError>
  }

  private let mailbox: ChecksumMailbox
  private let handler: (Item) -> Void
  /// Whether all has been told.
  public private(set) var isFinished = false
  /// What has come and is yet to be told.
  private var items: ArraySlice<Item> = []
  private var hasMore = true

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - paths: What is listed several times is told once.
  ///   - makeChecksum: Called on the thread, once for each file.
  ///   - handler: Called from ``process()``, in the order of `paths`.
  /// - Throws: If the process may not have another descriptor or thread.
  public init(
    _ paths: [RawPath], makeChecksum: @escaping @Sendable () -> any Checksum, handler: @escaping (Item) -> Void
  ) throws(FileError) {
    let mailbox = try ChecksumMailbox()
    self.mailbox = mailbox
    self.handler = handler
    try WorkerThread.start {
      let reader = ChecksumReader(makeChecksum: makeChecksum) { mailbox.isCancelled }
      var seen: Set<RawPath> = []
      for path in paths where seen.insert(path).inserted {
        let result = reader.result(of: path)
        if mailbox.isCancelled { break }
        mailbox.put(Item(path: path, result: result))
      }
      mailbox.finish()
    }
  }

  deinit { mailbox.cancel() }

  /// Readable when ``process()`` has something to tell.
  public var fileDescriptor: CInt { mailbox.bell }

  /// Tells what there is to tell, a bounded number of items at a time.
  public func process() {
    guard !isFinished else { return }
    if items.isEmpty { (items, hasMore) = mailbox.collect() }
    for _ in 0..<Self.mostAtOnce {
      guard let item = items.popFirst() else { break }
      handler(item)
    }
    if !items.isEmpty { mailbox.ring() } else if !hasMore { isFinished = true }
  }

  /// Ends it as soon as possible; nothing more is told.
  public func cancel() {
    isFinished = true
    mailbox.cancel()
  }

  private static let mostAtOnce = 100
}

/// What the thread and the owner have in common.
private final class ChecksumMailbox: Sendable {
  private struct State {
    var items: [ChecksumTask.Item] = []
    var isFinished = false
    var isCancelled = false
  }

  /// An eventfd: readable from the first news to the next ``collect()``.
  let bell: CInt
  private let state = Mutex(State())

  init() throws(FileError) {
    bell = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
    guard bell >= 0 else { throw FileError("no more files can be opened", code: EMFILE) }
  }

  deinit { close(bell) }

  func ring() { eventfd_write(bell, 1) }

  func put(_ item: ChecksumTask.Item) {
    state.withLock { $0.items.append(item) }
    ring()
  }

  func finish() {
    state.withLock { $0.isFinished = true }
    ring()
  }

  func cancel() { state.withLock { $0.isCancelled = true } }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func collect() -> (ArraySlice<ChecksumTask.Item>, hasMore: Bool) {
    var count: eventfd_t = 0
    eventfd_read(bell, &count)
    return state.withLock { state in
      defer { state.items = [] }
      return (state.items[...], !state.isFinished)
    }
  }
}

/// Reads files, on whatever thread it is called.
final class ChecksumReader {
  private let makeChecksum: () -> any Checksum
  private let isCancelled: () -> Bool
  private var known: [FileStatus.Identity: Result<ChecksumTask.Value, FileError>] = [:]
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)
  /// How many files have been read.
  private(set) var readCount = 0

  init(makeChecksum: @escaping () -> any Checksum, isCancelled: @escaping () -> Bool) {
    self.makeChecksum = makeChecksum
    self.isCancelled = isCancelled
  }

  func result(of path: RawPath) -> Result<ChecksumTask.Value, FileError> {
    do throws(FileError) {
      // To open a device can do something to it.
      var status = stat()
      let code = errorNumber { withCPath(path) { stat($0, &status) } }
      if code != 0 { throw FileError("read", path, code) }
      try Self.require(FileStatus(status), path)
      let descriptor = withCPath(path) { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
      guard descriptor >= 0 else { throw FileError("read", path, errno) }
      defer { close(descriptor) }
      // Something else may have its name by now.
      guard fstat(descriptor, &status) == 0 else { throw FileError("read", path, errno) }
      let opened = FileStatus(status)
      try Self.require(opened, path)
      if let result = known[opened.identity] { return result }
      let result: Result<ChecksumTask.Value, FileError>
      do throws(FileError) {
        result = .success(try read(descriptor, path, opened.size))
      } catch {
        result = .failure(error)
      }
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
    guard count == size else { throw FileError("\(path.quoted) is not as long as the file system says") }
    return ChecksumTask.Value(byteCount: count, digest: checksum.hexDigest)
  }
}
