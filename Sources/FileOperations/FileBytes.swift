internal import CLinux
internal import Glibc

/// Copies the bytes of one file to another. Uses `copy_file_range` where possible, which some file systems do by
/// sharing blocks, and keeps holes.
struct FileBytes {
  private let source: Descriptor
  private let target: Descriptor
  private let name: RawPath
  /// The position in both files, holes included.
  private(set) var offset = 0
  /// The end of the data region at `offset`.
  private var dataEnd = 0
  private var isByKernel = true
  private var knowsHoles = true
  private var buffer: [UInt8] = []

  init(source: Descriptor, target: Descriptor, name: RawPath) {
    self.source = source
    self.target = target
    self.name = name
  }

  /// Copies the next part.
  ///
  /// - Parameter limit: The maximum in bytes; holes do not count.
  /// - Returns: By how many bytes the position has advanced, holes included; `nil` at the end.
  mutating func copyNext(_ limit: Int) throws(FileError) -> Int? {
    if offset >= dataEnd, let hole = try skipHole() { return hole }
    let wanted = min(limit, max(0, dataEnd - offset))
    guard wanted > 0 else { return nil }
    if isByKernel {
      var (from, to) = (__off64_t(offset), __off64_t(offset))
      let count = copy_file_range(source.number, &from, target.number, &to, wanted, 0)
      if count > 0 { return advance(count) }
      if count < 0 {
        switch errno {
        case EINTR: return 0
        // The kernel or one of the file systems does not support it for these files. Falls back to reading and writing.
        case EXDEV, EINVAL, ENOSYS, ENOTSUP, EPERM, EIO, EBADF: break
        case let code: throw FileError("write", name, code)
        }
      }
      // Files that the kernel generates copy as 0 bytes, but can be read.
      isByKernel = false
    }
    return try copyByHand(wanted)
  }

  /// Sets the target's length: a hole at the end writes no bytes.
  func finish() throws(FileError) {
    let code = errorNumber { ftruncate(target.number, offset) }
    guard code == 0 else { throw FileError("write", name, code) }
  }

  private mutating func advance(_ count: Int) -> Int {
    offset += count
    return count
  }

  /// Finds the next data region.
  ///
  /// - Returns: The length of the hole before it; `nil` if there is none.
  private mutating func skipHole() throws(FileError) -> Int? {
    if knowsHoles {
      let data = lseek(source.number, offset, SEEK_TO_DATA)
      if data >= 0 {
        let hole = lseek(source.number, data, SEEK_TO_HOLE)
        dataEnd = hole > data ? hole : data + 1
        return data > offset ? advance(data - offset) : nil
      }
      if errno == ENXIO {
        // Only a hole up to the end. Files that the kernel generates report this too, and have to be read.
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

  private mutating func copyByHand(_ wanted: Int) throws(FileError) -> Int? {
    if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: 256 << 10) }
    var count = 0
    let code = errorNumber {
      count = pread(source.number, &buffer, min(wanted, buffer.count), offset)
      return count < 0 ? -1 : 0
    }
    guard code == 0 else { throw FileError("read", name, code) }
    guard count > 0 else {
      // The file has become shorter in the meantime.
      dataEnd = offset
      return nil
    }
    var written = 0
    while written < count {
      var step = 0
      let code = errorNumber {
        step = buffer.withUnsafeBytes { bytes in
          pwrite(target.number, bytes.baseAddress.map { $0 + written }, count - written, offset + written)
        }
        return step < 0 ? -1 : 0
      }
      guard code == 0, step > 0 else { throw FileError("write", name, code == 0 ? ENOSPC : code) }
      written += step
    }
    return advance(count)
  }
}
