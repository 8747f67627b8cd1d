import XDnDLinux
import Glibc

/// Copies the bytes of one file to another, and keeps holes. Uses `copy_file_range` where possible; with it, some file
/// systems share blocks instead of copying them.
package struct ByteCopier {
  package struct Failure: Error {
    /// Whether reading the source failed; otherwise writing the target did.
    package let isReading: Bool
    package let cause: SystemError
  }

  private let source: Descriptor
  private let target: Descriptor
  /// The position in both files, holes included.
  package private(set) var offset = 0
  /// The end of the data region at `offset`.
  private var dataEnd = 0
  private var usesKernelCopy = true
  private var knowsHoles = true
  private var buffer: [UInt8] = []

  package init(from source: Descriptor, to target: Descriptor) {
    self.source = source
    self.target = target
  }

  /// Copies the next part.
  ///
  /// - Parameter limit: The maximum in bytes; holes do not count.
  /// - Returns: The number of bytes by which the position has advanced, holes included; `nil` at the end.
  package mutating func copyNext(_ limit: Int) throws(Failure) -> Int? {
    if offset >= dataEnd, let hole = try skipHole() { return hole }
    let wanted = min(limit, max(0, dataEnd - offset))
    guard wanted > 0 else { return nil }
    if usesKernelCopy {
      var (from, to) = (__off64_t(offset), __off64_t(offset))
      let count = withoutFileSizeSignal { copy_file_range(source.number, &from, target.number, &to, wanted, 0) }
      if count > 0 { return advance(count) }
      if count < 0 {
        switch errno {
        case EINTR: return 0
        // The kernel or one of the file systems does not support it for these files. Falls back to reading and writing.
        case EXDEV, EINVAL, ENOSYS, ENOTSUP, EPERM, EIO, EBADF: break
        default: throw Failure(isReading: false, cause: .last)
        }
      }
      // Files that the kernel generates copy as 0 bytes, but can be read.
      usesKernelCopy = false
    }
    return try copyThroughBuffer(wanted)
  }

  /// Sets the target's length: a hole at the end writes no bytes.
  package func finish() throws(Failure) {
    _ = try writing(SystemError.check(withoutFileSizeSignal { ftruncate(target.number, offset) }))
  }

  private func writing<Result>(_ step: @autoclosure () throws(SystemError) -> Result) throws(Failure) -> Result {
    do { return try step() } catch { throw Failure(isReading: false, cause: error) }
  }

  private mutating func advance(_ count: Int) -> Int {
    offset += count
    return count
  }

  /// Finds the next data region.
  ///
  /// - Returns: The length of the hole before it; `nil` if there is none.
  private mutating func skipHole() throws(Failure) -> Int? {
    if knowsHoles {
      let data = lseek(source.number, offset, SEEK_TO_DATA)
      if data >= 0 {
        let hole = lseek(source.number, data, SEEK_TO_HOLE)
        dataEnd = hole > data ? hole : data + 1
        return data > offset ? advance(data - offset) : nil
      }
      if errno == ENXIO {
        // The rest is a hole. Files that the kernel generates report this too, and have to be read.
        let end = lseek(source.number, 0, SEEK_END)
        if end > offset {
          dataEnd = end
          return advance(end - offset)
        }
        guard offset == 0 else { return nil }
      }
      knowsHoles = false
    }
    dataEnd = .max
    return nil
  }

  private mutating func copyThroughBuffer(_ wanted: Int) throws(Failure) -> Int? {
    if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: 256 << 10) }
    var count = 0
    repeat {
      count = pread(source.number, &buffer, min(wanted, buffer.count), offset)
    } while count < 0 && errno == EINTR
    guard count >= 0 else { throw Failure(isReading: true, cause: .last) }
    guard count > 0 else {
      // The end of a file without known holes, or the file has become shorter.
      dataEnd = offset
      return nil
    }
    try writing(writeAll(buffer[..<count], to: target.number, at: offset))
    return advance(count)
  }
}
