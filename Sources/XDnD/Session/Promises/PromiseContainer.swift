import XDnDFiles
import Glibc

/// The temporary directory of one drag, which holds its promised files for targets that accept only `text/uri-list`.
///
/// The paths of the files are known before anything is written. The files stay until the container is removed. If the
/// process is killed, the next process that creates a container removes them, but not before ``lifetime``.
final class PromiseContainer {
  private let promises: [FilePromise]
  private let paths: [[UInt8]]
  private let directory: PrivateDirectory
  private let doorbell: Doorbell
  private let timeout: Duration

  private var isStarted = false
  private var isReserved = false
  private var index = 0
  private var writer: PromiseWriter?
  /// The bytes of the files that are complete.
  private var completeByteCount = 0
  /// The length of all files after each one; `nil` if one of them is unknown.
  private let laterByteCounts: [Int?]
  private var result: Result<Void, XDnDError>?

  /// How long the files are kept after the drag; targets do not report when they have read them. Even a large copy is
  /// mostly done by then, and a file that is still open can be read to its end.
  static let lifetime = Duration.seconds(600)

  /// Creates the directory, and sweeps expired ones.
  ///
  /// - Parameters:
  ///   - root: The parent of all containers of this user.
  ///   - timeout: How long the provider of a file may deliver nothing.
  /// - Throws: ``XDnDError/Code/fileNotWritten``.
  init(
    _ promises: [FilePromise], doorbell: Doorbell, timeout: Duration, in root: [UInt8]? = PrivateDirectory.cacheRoot
  ) throws(XDnDError) {
    guard let root else {
      throw XDnDError(.fileNotWritten, "there is no place for temporary files: HOME is not set")
    }
    do {
      directory = try PrivateDirectory.make(in: root)
    } catch {
      throw FileDestination(rawPath: root).failure(error.code)
    }
    PrivateDirectory.sweep(root, olderThan: Self.lifetime)
    var names = UniqueNames()
    let base = directory.path
    paths = promises.map { base.appending(Array(names.name(for: $0.name).utf8)) }
    var later: Int? = 0
    laterByteCounts = promises.reversed().map { promise in
      defer { later = later.flatMap { later in promise.byteCount.map { later + $0 } } }
      return later
    }.reversed()
    self.promises = promises
    self.doorbell = doorbell
    self.timeout = timeout
  }

  /// The URIs of all files, which may not exist yet.
  var uris: FileList { uris(of: paths.indices) }

  /// Returns the URIs of the files of some of the promises, which may not exist yet.
  func uris(of promises: Range<Int>) -> FileList { FileList(rawPaths: Array(paths[promises])) }

  var nextDeadline: LoopTime? { writer?.nextDeadline }

  var writtenByteCount: Int { completeByteCount + (writer?.writtenByteCount ?? 0) }

  /// The length of all files together; `nil` if one of them is unknown.
  var byteCount: Int? {
    guard index < promises.count else { return completeByteCount }
    guard let later = laterByteCounts[index], let present = (writer?.byteCount ?? promises[index].byteCount) else {
      return nil
    }
    return completeByteCount + present + later
  }

  /// Creates placeholders for targets that look at the paths before the files are written: an empty directory, or a
  /// sparse file of the final length. If the length is unknown there is no placeholder, because a file that is too
  /// short would be worse.
  func reserve() {
    guard !isStarted, !isReserved else { return }
    isReserved = true
    for (promise, path) in zip(promises, paths) {
      if promise.type == .directory {
        _ = withCPath(path) { mkdir($0, 0o777) }
      } else if let byteCount = promise.byteCount {
        guard let file = try? createFile(path, in: AT_FDCWD, mode: 0o666) else { continue }
        // A sparse file uses no disk space.
        if ftruncate(file, off_t(byteCount)) != 0 { _ = withCPath(path) { unlink($0) } }
        close(file)
      }
    }
  }

  func start() {
    guard !isStarted else { return }
    isStarted = true
    doorbell.ring()
  }

  /// Performs a bounded amount of work after ``start()``. Rings if it can continue immediately.
  ///
  /// - Returns: Success when all files are written; the first failure, after which no file is left; `nil` while writing
  ///   continues.
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
    case .success(let count)?:
      self.writer = nil
      completeByteCount += count
      index += 1
      if index == promises.count { result = .success(()) } else { doorbell.ring() }
    case .failure(let error)?:
      result = .failure(error)
      removeAll()
    }
    return result
  }

  func remove() {
    if result == nil { result = .failure(XDnDError(.cancelled, "the temporary files were removed")) }
    removeAll()
  }

  /// Restarts ``lifetime``, also for the process that sweeps after this one has ended.
  func touch() { directory.touch() }

  /// Keeps the files when this object is deallocated, for slow targets. ``ContainerSweep``, or the next process that
  /// creates a container, removes them after ``lifetime``. Incomplete files are removed now.
  func keep() {
    guard case .success = result else { return remove() }
    directory.keep()
  }

  private func makeWriter() -> PromiseWriter {
    // Not synced: after a power failure the temporary files are useless and will be swept.
    let writer = PromiseWriter(
      promises[index], to: FileDestination(rawPath: paths[index], replacing: isReserved), doorbell: doorbell,
      timeout: timeout, isDurable: false)
    self.writer = writer
    return writer
  }

  private func removeAll() {
    writer?.cancel()
    writer = nil
    directory.remove()
  }
}
