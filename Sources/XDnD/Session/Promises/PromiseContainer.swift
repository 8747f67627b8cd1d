import Glibc

/// The temporary directory of one drag, in which promised files are put for programs that only take `text/uri-list`.
///
/// Where the files will be is known before anything is written. They stay until the container is removed; that of a
/// process that is killed is removed by the next one that makes any, but not before ``lifetime``.
final class PromiseContainer {
  private let promises: [FilePromise]
  private let paths: [[UInt8]]
  private let directory: PrivateDirectory
  private let requestor: WindowID
  private let doorbell: Doorbell
  private let timeout: Duration

  private var isStarted = false
  private var isReserved = false
  private var index = 0
  private var writer: PromiseWriter?
  private var result: Result<Void, XDnDError>?

  /// How long targets may take to read the files after the drag: nobody tells when they have. The bulk of a large copy
  /// is over by then, and what has been opened can be read to its end all the same.
  static let lifetime = Duration.seconds(600)

  /// Makes the directory, and removes those that others have left.
  ///
  /// - Parameters:
  ///   - root: What all containers of the user are in.
  ///   - timeout: How long the provider of a file may give nothing.
  /// - Throws: ``XDnDError/Code/fileNotWritten``.
  init(
    _ promises: [FilePromise], requestor: WindowID, doorbell: Doorbell, timeout: Duration,
    in root: [UInt8]? = PrivateDirectory.cacheRoot
  ) throws(XDnDError) {
    guard let root else {
      throw XDnDError(.fileNotWritten, "there is no place for temporary files: HOME is not set")
    }
    directory = try PrivateDirectory.make(in: root)
    PrivateDirectory.sweep(root, olderThan: Self.lifetime)
    var names = UniqueNames()
    let base = directory.path + [UInt8(ascii: "/")]
    paths = promises.map { base + Array(names.name(for: $0.name).utf8) }
    self.promises = promises
    self.requestor = requestor
    self.doorbell = doorbell
    self.timeout = timeout
  }

  /// Where the files are, or will be.
  var uris: FileList { FileList(rawPaths: paths) }

  /// When the provider of the file that is being written has been silent for too long.
  var nextDeadline: LoopTime? { writer?.nextDeadline }

  /// Puts something in each place, for who hears of the files before they are there: an empty directory, or a file without
  /// content that is as long as it will be. Where that is not known nothing is better than a file that is too short.
  func reserve() {
    guard !isStarted, !isReserved else { return }
    isReserved = true
    for (promise, path) in zip(promises, paths) {
      if promise.type == .directory {
        _ = withCPath(path) { mkdir($0, 0o777) }
      } else if let byteCount = promise.byteCount {
        let file = withCPath(path) { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
        guard file >= 0 else { continue }
        // It takes no place on the disk.
        if ftruncate(file, off_t(byteCount)) != 0 { _ = withCPath(path) { unlink($0) } }
        close(file)
      }
    }
  }

  /// Begins to write; has no effect if that has been done.
  func start() {
    guard !isStarted else { return }
    isStarted = true
    doorbell.ring()
  }

  /// Does a bounded piece of work, once it has been started. The doorbell is rung if there is more to do at once.
  ///
  /// - Returns: Success when all files are there; the first failure, and then none is; `nil` while it goes on.
  func advance(at now: LoopTime) -> Result<Void, XDnDError>? {
    guard isStarted, result == nil else { return result }
    guard index < promises.count else {
      result = .success(())
      return result
    }
    let writer = self.writer ?? makeWriter()
    switch writer.advance(at: now) {
    // A provider may have removed the container.
    case _ where result != nil: break
    case nil: break
    case .success?:
      self.writer = nil
      index += 1
      if index == promises.count { result = .success(()) } else { doorbell.ring() }
    case .failure(let error)?:
      result = .failure(error)
      removeAll()
    }
    return result
  }

  /// Removes the files, and ends what still writes them.
  func remove() {
    if result == nil { result = .failure(XDnDError(.cancelled, "the temporary files were removed")) }
    removeAll()
  }

  /// Has ``lifetime`` count from now, also for who removes the files when this process has ended.
  func touch() { directory.touch() }

  /// Leaves the files there when this object goes, for targets that are slow; ``ContainerSweep`` and who makes a container
  /// after ``lifetime`` remove them. What is not whole is not left.
  func keep() {
    guard case .success = result else { return remove() }
    directory.keep()
  }

  private func makeWriter() -> PromiseWriter {
    // Nothing here outlives a power failure by more than its name: it is swept.
    let writer = PromiseWriter(
      promises[index], to: FileDestination(rawPath: paths[index], replacing: isReserved), requestor: requestor,
      doorbell: doorbell, timeout: timeout, isDurable: false)
    self.writer = writer
    return writer
  }

  private func removeAll() {
    writer?.cancel()
    writer = nil
    directory.remove()
  }
}
