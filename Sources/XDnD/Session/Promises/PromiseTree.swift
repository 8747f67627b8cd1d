import Glibc

/// Makes a promised directory, entry by entry, and gives it its name when it is whole.
///
/// Until then it is in a ``PrivateDirectory`` beside its place. Everything goes by open directories: what others rename
/// or link meanwhile changes nothing.
final class PromiseTree {
  /// What one step has done.
  enum Step {
    /// An entry is there, or is left out.
    case made
    /// A file is there, and has to be filled with what a provider gives.
    case promised(FilePromise, (DataRequest) -> Void, TreeFile)
    /// A file is there, and has to be filled from another.
    case copied(PromisedContent, TreeFile)
    /// Everything is in its place.
    case whole
  }

  /// A directory that is not complete.
  private final class Level {
    enum Source {
      case promises(ArraySlice<FilePromise>, UniqueNames)
      case copy(DirectoryStream, path: [UInt8])
    }

    var source: Source
    let output: CInt
    let attributes: FileAttributes?

    init(_ source: Source, output: CInt, attributes: FileAttributes?) {
      self.source = source
      self.output = output
      self.attributes = attributes
    }

    deinit { close(output) }
  }

  private let destination: FileDestination
  private let isDurable: Bool
  private let name: [UInt8]
  private let parent: CInt
  private let staging: PrivateDirectory
  private let stagingStatus: stat
  /// From the outermost one to the one that is being made.
  private var levels: [Level] = []

  /// `O_PATH`, which Swift does not see: a directory in which one may write need not be one that one may read.
  private static let pathOnly: CInt = 0o10_000_000

  /// Of the whole directory while it is in ``staging``.
  private static let interimName = Array("promise".utf8)

  /// - Parameter isDurable: Whether everything has to be on the disk in the end.
  /// - Throws: ``XDnDError/Code/fileNotWritten``.
  private init(to destination: FileDestination, isDurable: Bool) throws(XDnDError) {
    self.destination = destination
    self.isDurable = isDurable
    do throws(SystemError) {
      let path = FilePath(destination.rawPath)
      guard path.isNameable, !destination.rawPath.contains(0) else { throw SystemError(EINVAL) }
      name = path.name
      let flags = Self.pathOnly | O_DIRECTORY | O_CLOEXEC
      parent = try SystemError.check(withCPath(path.directory) { open($0, flags) })
      do throws(SystemError) {
        if !destination.isReplacing, (try? OpenDirectory.status(of: name, in: parent)) != nil {
          throw SystemError(EEXIST)
        }
        // A process that was killed may have left such a directory here, and nobody else would look.
        PrivateDirectory.sweep(parent, olderThan: PromiseContainer.lifetime)
        staging = try PrivateDirectory(
          in: SystemError.check(fcntl(parent, F_DUPFD_CLOEXEC, 0)), at: path.directory)
        stagingStatus = try OpenDirectory.status(of: staging.descriptor)
      } catch {
        close(parent)
        throw error
      }
    } catch {
      throw destination.failure(error.code)
    }
  }

  /// A directory of promises.
  convenience init(
    _ children: [FilePromise], to destination: FileDestination, isDurable: Bool
  ) throws(XDnDError) {
    try self.init(to: destination, isDurable: isDurable)
    try enter(.promises(children[...], UniqueNames()), Self.interimName, in: staging.descriptor, attributes: nil)
  }

  /// A copy of a directory.
  convenience init(
    _ original: DirectoryStream, at path: [UInt8], _ attributes: FileAttributes, to destination: FileDestination,
    isDurable: Bool
  ) throws(XDnDError) {
    try self.init(to: destination, isDurable: isDurable)
    try enter(
      .copy(original, path: path), Self.interimName, in: staging.descriptor, attributes: attributes)
  }

  deinit {
    // Before its directory is gone.
    levels = []
    staging.remove()
    close(parent)
  }

  /// Makes one entry.
  ///
  /// - Throws: ``XDnDError/Code/fileNotWritten``, ``XDnDError/Code/transferFailed``.
  func step() throws(XDnDError) -> Step {
    guard let level = levels.last else { return .whole }
    switch level.source {
    case .promises(var rest, var names):
      guard let promise = rest.popFirst() else { return try leave(level) }
      let name = Array(names.name(for: promise.name).utf8)
      level.source = .promises(rest, names)
      return try make(promise, name, in: level)
    case .copy(let original, let path):
      let name: [UInt8]?
      do { name = try original.next() } catch { throw XDnDError(reading: path, error) }
      guard let name else { return try leave(level) }
      let entryPath = path + [UInt8(ascii: "/")] + name
      let copy: FileCopy
      do { copy = try FileCopy(name, in: original.descriptor) } catch { throw XDnDError(reading: entryPath, error) }
      return try make(copy, of: entryPath, name, in: level)
    }
  }

  private func make(_ promise: FilePromise, _ name: [UInt8], in level: Level) throws(XDnDError) -> Step {
    switch promise.content {
    case .provided(let provide):
      return .promised(promise, provide, try file(name, in: level, attributes: nil))
    case .children(let children):
      try enter(.promises(children[...], UniqueNames()), name, in: level.output, attributes: nil)
      return .made
    case .copy(let path):
      return try make(try FileCopy(path), of: path, name, in: level)
    }
  }

  private func make(
    _ copy: FileCopy, of path: [UInt8], _ name: [UInt8], in level: Level
  ) throws(XDnDError) -> Step {
    switch copy {
    case .nothing: break
    case .file(let reader, let attributes):
      let content = PromisedContent(of: String(decoding: path, as: UTF8.self), from: reader)
      return .copied(content, try file(name, in: level, attributes: attributes))
    case .directory(let original, let attributes):
      // A directory may be copied into itself. What is being made would never be whole.
      guard !isStaging(original.descriptor) else { break }
      guard levels.count < OpenDirectory.greatestDepth else {
        throw XDnDError(
          .transferFailed,
          "cannot copy '\(String(decoding: path, as: UTF8.self))': it is in too many directories")
      }
      try enter(.copy(original, path: path), name, in: level.output, attributes: attributes)
    case .link(let target, let attributes):
      let result = withCPath(target) { target in withCPath(name) { symlinkat(target, level.output, $0) } }
      guard result == 0 else { throw destination.failure(errno) }
      attributes.apply(toLink: name, in: level.output)
    }
    return .made
  }

  private func isStaging(_ descriptor: CInt) -> Bool {
    guard let status = try? OpenDirectory.status(of: descriptor) else { return false }
    return status.st_ino == stagingStatus.st_ino && status.st_dev == stagingStatus.st_dev
  }

  private func file(
    _ name: [UInt8], in level: Level, attributes: FileAttributes?
  ) throws(XDnDError) -> TreeFile {
    do throws(SystemError) {
      return try TreeFile(name, in: level.output, attributes: attributes, isDurable: isDurable)
    } catch {
      throw destination.failure(error.code)
    }
  }

  private func enter(
    _ source: Level.Source, _ name: [UInt8], in directory: CInt, attributes: FileAttributes?
  ) throws(XDnDError) {
    do throws(SystemError) {
      // The permissions of a copy come last: with them it may be that nothing could be put into it.
      try SystemError.check(withCPath(name) { mkdirat(directory, $0, attributes == nil ? 0o777 : 0o700) })
      let output = try OpenDirectory.openOwn(name, in: directory)
      levels.append(Level(source, output: output, attributes: attributes))
    } catch {
      throw destination.failure(error.code)
    }
  }

  /// Everything is in a directory.
  private func leave(_ level: Level) throws(XDnDError) -> Step {
    do throws(SystemError) {
      if levels.count == 1 {
        try commit(level)
        levels = []
        staging.remove()
        return .whole
      }
      try level.attributes?.apply(to: level.output)
      if isDurable { _ = fsync(level.output) }
      levels.removeLast()
      return .made
    } catch {
      throw destination.failure(error.code)
    }
  }

  private func commit(_ level: Level) throws(SystemError) {
    if isDurable { _ = fsync(level.output) }
    try OpenDirectory.move(
      Self.interimName, in: staging.descriptor, to: name, in: parent, replacing: destination.isReplacing)
    // A directory that may not be written to could not be moved.
    try? level.attributes?.apply(to: level.output)
    guard isDurable, let directory = try? OpenDirectory.open([46], in: parent) else { return }
    _ = fsync(directory)
    close(directory)
  }
}
