import Glibc

/// A file descriptor that is closed on release.
package final class Descriptor: Sendable {
  package let number: CInt

  package init(_ number: CInt) { self.number = number }

  deinit { close(number) }
}

/// Opens a file. The descriptor is not inherited by other programs (`O_CLOEXEC`).
///
/// - Parameter directory: The open directory against which relative paths are resolved.
package func openFile(
  _ path: RawPath, in directory: CInt = AT_FDCWD, _ flags: CInt, mode: FileMode = 0
) throws(SystemError) -> CInt {
  // A NUL byte would truncate the C string.
  guard !path.contains(0) else { throw SystemError(EINVAL) }
  return try SystemError.check(withCPath(path) { openat(directory, $0, flags | O_CLOEXEC, mode) })
}

/// Creates a file for writing. An existing entry with this name, even a dangling symbolic link, is an error (`EEXIST`).
package func createFile(_ name: RawPath, in directory: CInt, mode: FileMode) throws(SystemError) -> CInt {
  try openFile(name, in: directory, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
}

/// Reads from the current position to the end of a file.
///
/// - Parameter limit: The maximum number of bytes.
package func readAll(from descriptor: CInt, upTo limit: Int = .max) throws(SystemError) -> [UInt8] {
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while bytes.count < limit {
    let count = read(descriptor, &buffer, min(buffer.count, limit - bytes.count))
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw .last }
    guard count > 0 else { break }
    bytes += buffer[..<count]
  }
  return bytes
}

/// Writes all bytes to a file. A write beyond the process's file size limit throws EFBIG.
///
/// - Parameter offset: The position in the file; `nil` for the current one.
package func writeAll(
  _ bytes: UnsafeRawBufferPointer, to descriptor: CInt, at offset: Int? = nil
) throws(SystemError) {
  var written = 0
  while written < bytes.count {
    let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
    let count = withoutFileSizeSignal {
      offset.map { pwrite(descriptor, rest.baseAddress, rest.count, $0 + written) }
        ?? write(descriptor, rest.baseAddress, rest.count)
    }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { throw count == 0 ? SystemError(ENOSPC) : .last }
    written += count
  }
}

/// Makes a system call that may exceed the file size limit. SIGXFSZ would end the host.
package func withoutFileSizeSignal<Result>(_ call: () -> Result) -> Result {
  var (signal, before) = (sigset_t(), sigset_t())
  sigemptyset(&signal)
  sigaddset(&signal, SIGXFSZ)
  pthread_sigmask(SIG_BLOCK, &signal, &before)
  let result = call()
  let code = errno
  if code == EFBIG, sigismember(&before, SIGXFSZ) == 0 {
    // The kernel has sent the signal to this thread.
    var now = timespec()
    sigtimedwait(&signal, nil, &now)
  }
  pthread_sigmask(SIG_SETMASK, &before, nil)
  errno = code
  return result
}

package func writeAll(
  _ bytes: ArraySlice<UInt8>, to descriptor: CInt, at offset: Int? = nil
) throws(SystemError) {
  try bytes.withUnsafeBufferPointer { bytes throws(SystemError) in
    try writeAll(UnsafeRawBufferPointer(bytes), to: descriptor, at: offset)
  }
}

/// Waits until a file is on the disk.
///
/// - Parameter onlyContent: Whether permissions and times may be written later (`fdatasync`).
package func syncFile(_ descriptor: CInt, onlyContent: Bool = false) throws(SystemError) {
  do {
    try SystemError.check(onlyContent ? fdatasync(descriptor) : fsync(descriptor))
  } catch {
    // The file system does not support syncing.
    guard [EINVAL, EROFS, ENOTSUP].contains(error.code) else { throw error }
  }
}

package func readLink(_ name: RawPath, in directory: CInt = AT_FDCWD) throws(SystemError) -> RawPath {
  var length = 256
  while true {
    var target = [CChar](repeating: 0, count: length)
    let count = withCPath(name) { readlinkat(directory, $0, &target, length) }
    guard count >= 0 else { throw .last }
    // A target that fills the buffer may be truncated.
    if count < length { return target[..<count].map(UInt8.init(bitPattern:)) }
    length *= 4
  }
}

/// Returns a path that leads to an open file, even if the file has no name. It needs /proc, which may not be mounted.
func linkPath(of descriptor: CInt) -> RawPath { Array("/proc/self/fd/\(descriptor)".utf8) }
