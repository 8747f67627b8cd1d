import XDnDFiles
import Glibc

/// The opened original of a copy.
enum FileCopy {
  case file(FileReader, FileAttributes)
  case directory(DirectoryStream, FileAttributes)
  case link([UInt8], FileAttributes)
  /// A FIFO, socket or device; or an entry that vanished before it could be opened.
  case nothing

  /// Opens the original at a path. A symbolic link at the path is followed.
  ///
  /// - Throws: ``XDnDError/Code/transferFailed``.
  init(_ path: [UInt8]) throws(XDnDError) {
    do throws(SystemError) {
      guard !path.contains(0) else { throw SystemError(EINVAL) }
      self = try Self.open(path, in: AT_FDCWD, FileStatus(at: path), 0)
    } catch {
      throw XDnDError(reading: path, error)
    }
    if case .nothing = self {
      throw XDnDError(
        .transferFailed,
        "cannot read '\(String(decoding: path, as: UTF8.self))': it is neither a file nor a directory")
    }
  }

  /// Opens an entry of a directory. Symbolic links are not followed.
  init(_ name: [UInt8], in directory: CInt) throws(SystemError) {
    do throws(SystemError) {
      let status = try FileStatus(of: name, in: directory)
      self =
        status.kind == .link
        ? .link(try readLink(name, in: directory), FileAttributes(status))
        : try Self.open(name, in: directory, status, O_NOFOLLOW)
    } catch {
      // The entry was removed after its directory was read. It is treated as if it had been removed before.
      guard error.code == ENOENT else { throw error }
      self = .nothing
    }
  }

  private static func open(
    _ name: [UInt8], in directory: CInt, _ status: FileStatus, _ flags: CInt
  ) throws(SystemError) -> FileCopy {
    // Opening a device may have side effects.
    guard isCopied(status) else { return .nothing }
    let descriptor = try openFile(name, in: directory, O_RDONLY | O_NONBLOCK | O_NOCTTY | flags)
    // The name may refer to something else by now.
    guard let status = try? FileStatus(of: descriptor), isCopied(status) else {
      close(descriptor)
      return .nothing
    }
    let attributes = FileAttributes(status)
    return status.kind == .directory
      ? .directory(DirectoryStream(descriptor), attributes)
      : .file(FileReader(descriptor, status), attributes)
  }

  private static func isCopied(_ status: FileStatus) -> Bool { status.kind == .file || status.kind == .directory }
}

extension XDnDError {
  init(reading path: [UInt8], _ error: SystemError) {
    self.init(.transferFailed, "cannot read '\(String(decoding: path, as: UTF8.self))': \(error.message)")
  }
}
