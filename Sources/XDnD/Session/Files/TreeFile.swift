import Glibc

/// A file in a directory that is not at its destination yet.
final class TreeFile {
  private let descriptor: CInt
  private let attributes: FileAttributes?
  private let isDurable: Bool
  private var unsynced = 0

  init(
    _ name: [UInt8], in directory: CInt, attributes: FileAttributes?, isDurable: Bool
  ) throws(SystemError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let mode: mode_t = attributes == nil ? 0o666 : 0o600
    descriptor = try SystemError.check(withCPath(name) { openat(directory, $0, flags, mode) })
    self.attributes = attributes
    self.isDurable = isDurable
  }

  deinit { close(descriptor) }

  /// - Returns: 0, or the error.
  func write(_ bytes: UnsafeRawBufferPointer) -> CInt {
    let code = writeAll(bytes, to: descriptor)
    guard code == 0, isDurable else { return code }
    unsynced += bytes.count
    return unsynced < FileSink.syncInterval ? 0 : sync()
  }

  /// Applies the attributes and syncs the file.
  ///
  /// - Returns: 0, or the error.
  func finish() -> CInt {
    do { try attributes?.apply(to: descriptor) } catch { return error.code }
    return isDurable ? sync() : 0
  }

  private func sync() -> CInt {
    unsynced = 0
    return syncData(of: descriptor)
  }
}
