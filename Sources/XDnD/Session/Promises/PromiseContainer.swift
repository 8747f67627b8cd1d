import XDnDFiles
import Glibc

/// The files of one drag for targets that accept only `text/uri-list`: in a temporary directory, or the originals in
/// their places (``FilePromise/listsOriginal``).
///
/// The paths of the files are known before anything is written. The files stay until the container is removed. If it is
/// kept, they outlive the process, and ``TemporaryFiles`` removes them later.
final class PromiseContainer {
  private let promises: [FilePromise]
  private let paths: [[UInt8]]
  /// `nil` if there is nothing to write.
  private let directory: PrivateDirectory?
  private let doorbell: Doorbell
  private let timeout: Duration

  private var isStarted = false
  private var isReserved = false
  private var index = 0
  private var writer: PromiseWriter?
  /// The bytes of the files that are complete.
  private var completeByteCount = 0
  /// For each file, the total length of the files after it; `nil` if one of these lengths is unknown.
  private let laterByteCounts: [Int?]
  private var result: Result<Void, XDnDError>?

  /// Creates the directory if there is something to write, and sweeps the directories of earlier drags.
  ///
  /// - Parameters:
  ///   - root: The parent of all containers of this user.
  ///   - timeout: How long the provider of a file may be silent.
  /// - Throws: ``XDnDError/Code/fileNotWritten``.
  init(
    _ promises: [FilePromise], doorbell: Doorbell, timeout: Duration, in root: [UInt8]? = PrivateDirectory.cacheRoot
  ) throws(XDnDError) {
    let originals = promises.map(\.listedOriginal)
    directory = originals.contains(nil) ? try Self.makeDirectory(in: root) : nil
    var names = UniqueNames()
    let base = directory?.path ?? []
    paths = zip(promises, originals).map { promise, original in
      original ?? base.appending(Array(names.name(for: promise.name).utf8))
    }
    var later: Int? = 0
    laterByteCounts = promises.reversed().map { promise in
      defer { later = later.flatMap { later in Self.writtenByteCount(promise).map { later + $0 } } }
      return later
    }.reversed()
    self.promises = promises
    self.doorbell = doorbell
    self.timeout = timeout
  }

  private static func makeDirectory(in root: [UInt8]?) throws(XDnDError) -> PrivateDirectory {
    guard let root else {
      throw XDnDError(.fileNotWritten, "there is no place for temporary files: HOME is not set")
    }
    do {
      let directory = try PrivateDirectory.make(in: root)
      TemporaryFiles.sweep(root)
      return directory
    } catch {
      throw FileDestination(rawPath: root).failure(error.code)
    }
  }

  /// The URIs of all files, which may not exist yet.
  var uris: FileList { uris(of: paths.indices) }

  /// Returns the URIs of the files of some of the promises, which may not exist yet.
  func uris(of promises: Range<Int>) -> FileList { FileList(rawPaths: Array(paths[promises])) }

  var nextDeadline: LoopTime? { writer?.nextDeadline }

  var writtenByteCount: Int { completeByteCount + (writer?.writtenByteCount ?? 0) }

  /// The total length of the files to write; `nil` if the length of one is unknown.
  var byteCount: Int? {
    guard index < promises.count else { return completeByteCount }
    guard let later = laterByteCounts[index], let present = writer?.byteCount ?? Self.writtenByteCount(promises[index])
    else { return nil }
    return completeByteCount + present + later
  }

  /// The number of bytes to write for a promise: 0 if its original is listed; `nil` if the number is unknown.
  private static func writtenByteCount(_ promise: FilePromise) -> Int? {
    promise.listedOriginal == nil ? promise.byteCount : 0
  }

  /// Creates placeholders for targets that look at the paths before the files are written: an empty directory, or a
  /// sparse file of the final length. If the length is unknown there is no placeholder, because a file that is too
  /// short would be worse.
  func reserve() {
    guard !isStarted, !isReserved else { return }
    isReserved = true
    for (promise, path) in zip(promises, paths) where promise.listedOriginal == nil {
      if promise.type == .directory {
        _ = withCPath(path) { mkdir($0, 0o777) }
      } else if let byteCount = promise.byteCount {
        guard let file = try? createFile(path, in: AT_FDCWD, mode: 0o666) else { continue }
        // A sparse file uses no disk space.
        if withoutFileSizeSignal({ ftruncate(file, off_t(byteCount)) }) != 0 { _ = withCPath(path) { unlink($0) } }
        close(file)
      }
    }
  }

  func start() {
    guard !isStarted else { return }
    isStarted = true
    // The writing takes long, and this may be inside a callback, so it begins in the next turn.
    doorbell.ring()
  }

  /// Performs a bounded amount of work after ``start()``. Rings if it can continue immediately.
  ///
  /// - Returns: Success when all files are written; the first failure, after which no file is left; `nil` while writing
  ///   continues.
  func advance(at now: LoopTime) -> Result<Void, XDnDError>? {
    guard isStarted, result == nil else { return result }
    while index < promises.count, promises[index].listedOriginal != nil { index += 1 }
    guard index < promises.count else {
      result = complete()
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
      doorbell.ring()
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

  /// Restarts ``TemporaryFiles/lifetime``.
  func touch() { directory?.touch() }

  /// Keeps the files when this object is deallocated, for the target. ``TemporaryFiles`` removes them later. Incomplete
  /// files are removed now.
  func keep() {
    guard case .success = result else { return remove() }
    directory?.keep()
  }

  private func complete() -> Result<Void, XDnDError> {
    guard let directory else { return .success(()) }
    do {
      close(try createFile(TemporaryFiles.completionMark, in: directory.handle.descriptor, mode: 0o600))
      return .success(())
    } catch {
      removeAll()
      return .failure(FileDestination(rawPath: directory.path).failure(error.code))
    }
  }

  private func makeWriter() -> PromiseWriter {
    // A directory is not synced: after a power failure the temporary files are useless and will be swept.
    let writer = PromiseWriter(
      promises[index],
      to: FileDestination(rawPath: paths[index], replacing: isReserved, isReserved: isReserved),
      doorbell: doorbell, timeout: timeout, isDurable: false)
    self.writer = writer
    return writer
  }

  private func removeAll() {
    writer?.cancel()
    writer = nil
    directory?.remove()
  }
}
