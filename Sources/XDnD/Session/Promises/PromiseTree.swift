import XDnDFiles
import Glibc

/// Writes a promised directory, entry by entry, and moves it to its name when it is complete.
///
/// Until then it is in a ``PrivateDirectory`` beside its destination. All operations use open directories, so
/// concurrent renames and links have no effect.
final class PromiseTree {
  enum Step {
    /// An entry was created or left out.
    case made
    /// A file was created, to be filled by a provider.
    case promised(FilePromise, (DataRequest) -> Void, FileWriter)
    /// A file was created, to be filled from an original.
    case copied(PromisedContent, FileWriter, FileAttributes)
    /// The directory is at its destination.
    case whole
  }

  private final class Level {
    enum Source {
      case promises(ArraySlice<FilePromise>, UniqueNames)
      case copy(DirectoryStream, path: [UInt8])
    }

    var source: Source
    let output: OpenDirectory
    let attributes: FileAttributes?

    init(_ source: Source, output: OpenDirectory, attributes: FileAttributes?) {
      self.source = source
      self.output = output
      self.attributes = attributes
    }
  }

  private let destination: FileDestination
  private let isDurable: Bool
  private let name: [UInt8]
  private let parent: OpenDirectory
  private let staging: PrivateDirectory
  private let stagingIdentity: FileStatus.Identity
  /// The incomplete directories, outermost first.
  private var levels: [Level] = []

  private static let interimName = Array("promise".utf8)

  /// - Parameter isDurable: Whether to sync everything to the disk.
  /// - Throws: ``XDnDError/Code/fileNotWritten``.
  private init(to destination: FileDestination, isDurable: Bool) throws(XDnDError) {
    self.destination = destination
    self.isDurable = isDurable
    do throws(SystemError) {
      name = destination.rawPath.lastName
      guard name.isName else { throw SystemError(EINVAL) }
      let place = destination.rawPath.parent
      parent = try OpenDirectory(place, isListed: false)
      if !destination.isReplacing, (try? parent.status(of: name)) != nil { throw SystemError(EEXIST) }
      // A killed process may have left such a directory here, where no other sweep looks.
      PrivateDirectory.sweep(parent, olderThan: .seconds(600))
      staging = try PrivateDirectory(in: parent, at: place)
      stagingIdentity = try staging.handle.status().identity
    } catch {
      throw destination.failure(error.code)
    }
  }

  convenience init(
    _ children: [FilePromise], to destination: FileDestination, isDurable: Bool
  ) throws(XDnDError) {
    try self.init(to: destination, isDurable: isDurable)
    try enter(.promises(children[...], UniqueNames()), Self.interimName, in: staging.handle, attributes: nil)
  }

  convenience init(
    _ original: DirectoryStream, at path: [UInt8], _ attributes: FileAttributes, to destination: FileDestination,
    isDurable: Bool
  ) throws(XDnDError) {
    try self.init(to: destination, isDurable: isDurable)
    try enter(
      .copy(original, path: path), Self.interimName, in: staging.handle, attributes: attributes)
  }

  deinit {
    // Close the levels before their directory is removed.
    levels = []
    staging.remove()
  }

  /// Creates one entry.
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
      return .promised(promise, provide, try file(name, in: level, mode: 0o666))
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
      return .copied(content, try file(name, in: level, mode: 0o600), attributes)
    case .directory(let original, let attributes):
      // A directory may be copied into itself. Skip the copy, which would never end.
      guard (try? FileStatus(of: original.descriptor))?.identity != stagingIdentity else { break }
      guard levels.count < OpenDirectory.greatestDepth else {
        throw XDnDError(
          .transferFailed,
          "cannot copy '\(String(decoding: path, as: UTF8.self))': it is in too many directories")
      }
      try enter(.copy(original, path: path), name, in: level.output, attributes: attributes)
    case .link(let target, let attributes):
      do { try level.output.makeLink(name, to: target) } catch { throw destination.failure(error.code) }
      attributes.apply(toLink: name, in: level.output.descriptor)
    }
    return .made
  }

  private func file(_ name: [UInt8], in level: Level, mode: mode_t) throws(XDnDError) -> FileWriter {
    do {
      return try FileWriter(name, in: level.output, mode: mode, isDurable: isDurable)
    } catch {
      throw destination.failure(error.code)
    }
  }

  private func enter(
    _ source: Level.Source, _ name: [UInt8], in directory: OpenDirectory, attributes: FileAttributes?
  ) throws(XDnDError) {
    do throws(SystemError) {
      // The permissions of a copy are applied last, because they may forbid creating entries.
      try directory.makeDirectory(name, mode: attributes == nil ? 0o777 : 0o700)
      levels.append(Level(source, output: try directory.ownChild(name), attributes: attributes))
    } catch {
      throw destination.failure(error.code)
    }
  }

  private func leave(_ level: Level) throws(XDnDError) -> Step {
    do throws(SystemError) {
      if levels.count == 1 {
        try commit(level)
        levels = []
        staging.remove()
        return .whole
      }
      try level.attributes?.apply(to: level.output.descriptor)
      if isDurable { try? level.output.sync() }
      levels.removeLast()
      return .made
    } catch {
      throw destination.failure(error.code)
    }
  }

  private func commit(_ level: Level) throws(SystemError) {
    if isDurable { try? level.output.sync() }
    if destination.isReplacing {
      try staging.handle.replace(name, in: parent, by: Self.interimName)
    } else {
      try staging.handle.rename(Self.interimName, to: parent, as: name)
    }
    // Applied after the move: a directory without write permission cannot be moved.
    try? level.attributes?.apply(to: level.output.descriptor)
    if isDurable { try? parent.sync() }
  }
}
