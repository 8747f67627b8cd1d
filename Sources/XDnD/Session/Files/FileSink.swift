import XDnDFiles
import Glibc

/// Writes a file that appears under its name only when it is complete.
///
/// Until then it is a ``StagedEntry`` in the same directory.
final class FileSink {
  /// The free name that the file got in a directory; `nil` before that, and for a path.
  private(set) var name: String?
  private(set) var byteCount = 0
  private let destination: Destination
  private let directory: OpenDirectory
  /// The incomplete file; `nil` when it has its name or is removed.
  private var file: (staged: StagedEntry, writer: FileWriter)?
  /// Whether the file has its final permissions; until then only this user can read it.
  private var hasPermissions = false
  private var failure: XDnDError?

  private enum Destination {
    case path(FileDestination, FileDestination.Place)
    /// The first free name that is derived from this one.
    case unique(String, in: FileDirectory)

    func failure(_ code: CInt) -> XDnDError {
      switch self {
      case .path(let destination, _): destination.failure(code)
      case .unique(let name, let directory): directory.failure(code, name)
      }
    }

    /// The permissions of the file to replace; `nil` if there is none.
    var mode: mode_t? { if case .path(_, let place) = self { place.mode } else { nil } }

    var isPlaceholder: Bool { if case .path(_, let place) = self { place.isPlaceholder } else { false } }

    func open() throws(SystemError) -> OpenDirectory {
      switch self {
      case .path(_, let place): try OpenDirectory(place.directory, isListed: false)
      case .unique(_, let directory): directory.handle
      }
    }
  }

  /// - Throws: ``XDnDError/Code/fileNotWritten``.
  convenience init(_ destination: FileDestination, unnamed isUnnamed: Bool = true) throws(XDnDError) {
    try self.init(.path(destination, destination.resolve()), isUnnamed)
  }

  /// Writes a file under the first free name in a directory: "note.txt", "note 2.txt" …
  ///
  /// - Parameter name: The suggested name. It is sanitized: see ``FileName``.
  /// - Throws: ``XDnDError/Code/fileNotWritten``.
  convenience init(in directory: FileDirectory, named name: String, unnamed isUnnamed: Bool = true) throws(XDnDError) {
    guard let name = FileName.sanitized(Array(name.utf8)) else { throw directory.failure(EINVAL, name) }
    try self.init(.unique(name, in: directory), isUnnamed)
  }

  private init(_ destination: Destination, _ isUnnamed: Bool) throws(XDnDError) {
    self.destination = destination
    do throws(SystemError) {
      directory = try destination.open()
      let (staged, descriptor) = try StagedEntry.file(in: directory, allowsUnnamed: isUnnamed)
      file = (staged, FileWriter(descriptor))
    } catch {
      throw destination.failure(error.code)
    }
  }

  /// Writes bytes; returns `false` if that fails, for example because the disk is full.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    perform { file throws(SystemError) in
      try file.writer.write(bytes)
      byteCount = file.writer.byteCount
    }
  }

  /// Applies the attributes of the copied file, as far as the file system takes them. A replaced file's permissions are
  /// kept, unless it is empty or only reserves the name.
  func set(_ attributes: FileAttributes) {
    guard let file else { return }
    let keepsMode = destination.mode != nil && !destination.isPlaceholder
    // File systems without permissions, such as FAT, refuse.
    do {
      try attributes.apply(to: file.writer.descriptor.number, keepingMode: keepsMode)
      hasPermissions = !keepsMode
    } catch {}
  }

  /// Marks the file as a clipping, if the file system supports extended attributes.
  func markAsClipping() {
    if let file { ClippingMark.put(on: file.writer.descriptor.number) }
  }

  /// Gives the file its name if the content is complete, and removes it otherwise.
  func close(after result: Result<ContentType, XDnDError>) -> Result<ContentType, XDnDError> {
    defer { file = nil }
    if let failure { return .failure(failure) }
    guard case .success = result else { return result }
    let isComplete = perform { file throws(SystemError) in
      // A replaced file's permissions are kept, whatever the creation mask.
      if !hasPermissions, let mode = destination.mode ?? (try? directory.modeOfNewFile()) {
        // File systems without permissions, such as FAT, refuse.
        _ = fchmod(file.writer.descriptor.number, mode)
      }
      try file.writer.sync()
      try publish(file.staged)
    }
    guard isComplete else { return .failure(failure ?? destination.failure(EIO)) }
    // Makes the name persistent. An error is ignored, because the file is complete.
    try? directory.sync()
    return result
  }

  private func publish(_ staged: StagedEntry) throws(SystemError) {
    switch destination {
    case .path(let destination, let place): try staged.publish(as: place.name, replacing: destination.isReplacing)
    case .unique(let name, _):
      var number = 0
      self.name = try FileDirectory.makeUnique(name, after: &number) { new throws(SystemError) in
        try staged.publish(as: new)
      }
    }
  }

  /// - Returns: Whether the step succeeded. The first failure is kept.
  private func perform(
    _ step: ((staged: StagedEntry, writer: FileWriter)) throws(SystemError) -> Void
  ) -> Bool {
    do throws(SystemError) {
      guard let file else { throw SystemError(EBADF) }
      try step(file)
      return true
    } catch {
      failure = failure ?? destination.failure(error.code)
      return false
    }
  }
}
