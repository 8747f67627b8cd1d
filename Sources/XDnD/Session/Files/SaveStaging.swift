import XDnDFiles
import Glibc

/// The staging directory of a direct save, inside the target directory. The source writes into it.
///
/// It is on the target's file system, so files are taken over by renaming. All operations use open descriptors, so
/// concurrent changes of paths have no effect.
final class SaveStaging {
  private let target: FileDirectory
  private let directory: PrivateDirectory

  private let limits: PeerLimits

  /// - Throws: ``XDnDError/Code/fileNotWritten``.
  init(in target: FileDirectory, _ limits: PeerLimits) throws(XDnDError) {
    self.target = target
    self.limits = limits
    let location = try target.location()
    target.sweep()
    do {
      directory = try PrivateDirectory(in: target.handle, at: location)
    } catch {
      throw target.failure(error.code)
    }
  }

  /// The URI of a file in the directory. It has no host name: no application was seen to write one, and some readers
  /// fail on it.
  func uri(of name: String) -> String { FileURI.encode(path: directory.path.appending(Array(name.utf8))) }

  /// Removes the directory and everything that was not taken over.
  func remove() { directory.remove() }

  // MARK: Looking

  /// Returns how much the source has written; `nil` if the directory was removed, usually together with its parent.
  ///
  /// - Throws: ``XDnDError/Code/fileNotWritten`` if the directory cannot be read: an empty one would mean that the
  ///   source has saved nothing. ``XDnDError/Code/tooLarge`` if the source has written more than the ``PeerLimits``
  ///   allow.
  func look() throws(XDnDError) -> DirectSaveReceiver.Look? {
    directory.handle.isGone ? nil : try look(in: directory.handle)
  }

  private func look(in directory: OpenDirectory) throws(XDnDError) -> DirectSaveReceiver.Look {
    var look = DirectSaveReceiver.Look()
    let names: [RawPath]
    do { names = try directory.names() } catch { throw target.failure(error.code) }
    try self.look(at: names, in: directory, depth: 0, &look)
    return look
  }

  private func look(
    at names: [RawPath], in directory: OpenDirectory, depth: Int, _ look: inout DirectSaveReceiver.Look
  ) throws(XDnDError) {
    for name in names {
      guard let status = try? directory.status(of: name) else { continue }
      switch status.kind {
      case .file:
        look.entryCount += 1
        look.byteCount = ByteSize.sum(look.byteCount, status.size)
        switch (look.isBeingWritten, directory.isBeingWritten(name)) {
        case (true, _), (_, true): look.isBeingWritten = true
        case (nil, _), (_, nil): look.isBeingWritten = nil
        case (false, false): look.isBeingWritten = false
        }
      case .directory:
        look.entryCount += 1
        guard depth < limits.maximumSavedDepth else {
          throw Self.tooMuch("directories more than \(limits.maximumSavedDepth) deep")
        }
        guard let child = try? directory.child(name), let names = try? child.names() else { continue }
        try self.look(at: names, in: child, depth: depth + 1, &look)
      default: break
      }
      guard look.entryCount <= limits.maximumSavedFileCount else {
        throw Self.tooMuch("more than \(limits.maximumSavedFileCount) files")
      }
      guard look.byteCount <= limits.maximumFileTransferSize else {
        throw Self.tooMuch("more than \(ByteSize.words(for: limits.maximumFileTransferSize))")
      }
    }
  }

  private static func tooMuch(_ what: String) -> XDnDError { XDnDError(.tooLarge, "the source saves \(what)") }

  // MARK: Taking over

  /// Moves everything into the target directory, under names that are free there, and syncs it to the disk.
  ///
  /// Files and directories are taken over as data: see ``ForeignTree``. They are first moved into a directory whose
  /// path the source does not know, and then examined: files that the source adds later are not taken over.
  ///
  /// - Parameter fallbackName: The name for an entry whose own is unusable.
  /// - Throws: ``XDnDError/Code/fileNotWritten``, or ``XDnDError/Code/tooLarge`` if the source has written more than
  ///   the ``PeerLimits`` allow. In these cases nothing was taken over.
  func takeOver(fallbackName: String) throws(XDnDError) -> [SavedFile] {
    var moved: [(from: [UInt8], to: String)] = []
    var saved: [SavedFile] = []
    let taken: PrivateDirectory
    do throws(SystemError) {
      // Removed at the end, together with everything that was not moved on.
      taken = try PrivateDirectory(in: target.handle, at: target.rawPath)
      try Self.moveAll(from: directory.handle, to: taken.handle)
    } catch {
      throw target.failure(error.code)
    }
    _ = try look(in: taken.handle)
    do { try ForeignTree.makeData(taken.handle) } catch { throw target.failure(error.code) }
    let source = taken.handle
    // Many entries may get the same name. The next one need not try the numbers that the last one has tried.
    var numbers: [String: Int] = [:]
    do throws(SystemError) {
      for name in try source.names().sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        let status = try source.status(of: name)
        let clean = FileName.sanitized(name) ?? fallbackName
        let unique = try FileDirectory.makeUnique(clean, after: &numbers[clean, default: 0]) {
          new throws(SystemError) in try source.rename(name, to: target.handle, as: new)
        }
        moved.append((name, unique))
        saved.append(target.saved(unique, byteCount: status.kind == .directory ? nil : status.size))
      }
      if saved.isEmpty { throw SystemError(ENOENT) }
      // Makes the names persistent. An error is ignored, because the files themselves are complete.
      try? target.handle.sync()
      return saved
    } catch {
      for (old, new) in moved.reversed() { try? target.handle.replace(old, in: source, by: Array(new.utf8)) }
      throw target.failure(error.code)
    }
  }

  private static func moveAll(from source: OpenDirectory, to target: OpenDirectory) throws(SystemError) {
    for name in try source.names() {
      // A directory without write permission cannot be moved.
      if try source.status(of: name).kind == .directory { try? source.setMode(0o700, of: name) }
      try source.rename(name, to: target, as: name)
    }
  }
}
